//! Writes: single ones, batches, transactions, statements.

use super::Maker;
use super::expressions::{Heads, actions, condition};
use super::values::{index_key_value, item, key};
use crate::answer::Shown;
use crate::expression::Path;
use crate::op::Op;
use crate::sql::Statement;
use crate::sql_batch::Statements;
use crate::table::Definition;
use crate::transaction::TransactWrite;
use crate::update::{Action, Set, Term};
use crate::value::{Item, Value};
use crate::write::{Batch, Change, Single, Write};
use hashrange_tests::random::Random;

pub(super) fn shown(random: &mut Random) -> Shown {
    *random.pick(&[Shown::None, Shown::Total, Shown::Indexes, Shown::Indexes])
}

/// Paths of conditions: keys of the table and its indexes are taken whole.
fn heads_of_condition(definition: &Definition) -> Heads {
    let keys = definition.keys.attributes();
    let indexed = definition.indexes.iter().flat_map(|index| index.keys.attributes());
    Heads::with_keys(keys.chain(indexed).map(|attribute| attribute.name.as_str()))
}

/// Paths of updates: no keys of the table.
fn heads_of_update(definition: &Definition) -> Heads {
    let mut heads = heads_of_condition(definition);
    heads.retain(|name| !definition.keys.has(name));
    heads
}

impl Maker {
    fn write(&mut self, definition: &Definition, change: Change, percent: u64) -> Write {
        let heads = heads_of_condition(definition);
        let is_check = matches!(change, Change::Check(_));
        let percent = if is_check { 100 } else { percent };
        let condition = self.random.maybe(percent, |random| condition(random, &heads, 2));
        let tells_item = condition.is_some() && self.random.chance(50);
        Write { table: definition.name.clone(), change, condition, tells_item }
    }

    fn actions(&mut self, definition: &Definition, takes_numbers: bool) -> Vec<Action> {
        let heads = heads_of_update(definition);
        let mut all = actions(&mut self.random, &heads, takes_numbers);
        // Index keys are mostly set to something that fits them.
        let fitting = |random: &mut Random, name: &str| {
            let keys = definition.indexes.iter().flat_map(|index| index.keys.attributes());
            let attribute = keys.into_iter().find(|attribute| attribute.name == name)?;
            Some(index_key_value(random, attribute))
        };
        for action in &mut all {
            let Action::Set(path, set) = action else { continue };
            if let Some(value) = fitting(&mut self.random, &path.head)
                && self.random.chance(85)
            {
                *set = Set::Term(Term::Value(value));
            }
        }
        all
    }

    fn single(&mut self, write: Write, returns: &'static str) -> Op {
        let shown = shown(&mut self.random);
        let asks_metrics = self.random.chance(25);
        Op::Single(Single { write, returns, shown, asks_metrics })
    }

    pub(super) fn put(&mut self) -> Op {
        let definition = self.definition();
        let mut item = item(&mut self.random, &definition);
        if self.is_large && self.random.chance(70) {
            // Three of these, two of them in local indexes, fit an item's 400 KB.
            let text = "x".repeat(self.random.between(60_000, 120_000));
            item.insert("note".to_owned(), Value::S(text));
        }
        let write = self.write(&definition, Change::Put(item), 20);
        let returns = *self.random.pick(&["NONE", "ALL_OLD"]);
        self.single(write, returns)
    }

    pub(super) fn delete(&mut self) -> Op {
        let definition = self.definition();
        let key = key(&mut self.random, &definition.keys);
        let write = self.write(&definition, Change::Delete(key), 40);
        let returns = *self.random.pick(&["NONE", "ALL_OLD"]);
        self.single(write, returns)
    }

    pub(super) fn update(&mut self) -> Op {
        let definition = self.definition();
        let change = self.update_of(&definition, true);
        let write = self.write(&definition, change, 30);
        let returns = ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "UPDATED_NEW"];
        let returns = *self.random.pick(&returns);
        self.single(write, returns)
    }

    fn update_of(&mut self, definition: &Definition, may_be_nothing: bool) -> Change {
        let key = key(&mut self.random, &definition.keys);
        if may_be_nothing && self.random.chance(4) {
            return Change::Update(key, None);
        }
        let actions = self.actions(definition, true);
        Change::Update(key, Some(actions))
    }

    /// Up to `most` writes of distinct items; `kind` makes one.
    fn distinct(
        &mut self,
        most: usize,
        kind: impl Fn(&mut Self, &Definition) -> Write,
    ) -> Vec<Write> {
        let mut keys: Vec<(String, Item)> = Vec::new();
        let mut writes = Vec::new();
        for _ in 0..self.random.between(1, most) {
            let definition = self.definition();
            let write = kind(self, &definition);
            let key = (write.table.clone(), write.key(&definition));
            if !keys.contains(&key) {
                keys.push(key);
                writes.push(write);
            }
        }
        writes
    }

    pub(super) fn batch_write(&mut self) -> Op {
        let writes = self.distinct(8, |maker, definition| {
            let change = if maker.random.chance(75) {
                Change::Put(item(&mut maker.random, definition))
            } else {
                Change::Delete(key(&mut maker.random, &definition.keys))
            };
            Write { table: definition.name.clone(), change, condition: None, tells_item: false }
        });
        let shown = shown(&mut self.random);
        Op::Batch(Batch { writes, shown, asks_metrics: self.random.chance(25) })
    }

    pub(super) fn transact_write(&mut self) -> Op {
        if !self.with_token.is_empty() && self.random.chance(15) {
            return self.random.pick(&self.with_token).clone();
        }
        let writes = self.distinct(5, |maker, definition| {
            let change = match maker.random.below(10) {
                0..=3 => Change::Put(item(&mut maker.random, definition)),
                4..=6 => maker.update_of(definition, false),
                7 => Change::Delete(key(&mut maker.random, &definition.keys)),
                _ => Change::Check(key(&mut maker.random, &definition.keys)),
            };
            maker.write(definition, change, 20)
        });
        let n_tokens = self.with_token.len();
        let token = self.random.maybe(30, |_| format!("token-{n_tokens}"));
        let has_token = token.is_some();
        let shown = shown(&mut self.random);
        let asks_metrics = self.random.chance(25);
        let op = Op::TransactWrite(TransactWrite { writes, token, shown, asks_metrics });
        if has_token {
            self.with_token.push(op.clone());
        }
        op
    }

    /// A write that PartiQL can say.
    pub(super) fn write_of_statement(
        &mut self,
        definition: &Definition,
    ) -> (Write, Option<&'static str>) {
        let change = match self.random.below(10) {
            0..=3 => Change::Put(item(&mut self.random, definition)),
            4..=7 => {
                let key = key(&mut self.random, &definition.keys);
                let mut actions = self.actions(definition, false);
                actions.retain(|action| !is_unsayable(action));
                if actions.is_empty() {
                    actions.push(Action::Remove(Path::top("note")));
                }
                Change::Update(key, Some(actions))
            }
            _ => Change::Delete(key(&mut self.random, &definition.keys)),
        };
        let returning: &[&'static str] = match change {
            Change::Update(..) => &["ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW"],
            Change::Delete(_) => &["ALL OLD"],
            Change::Put(_) | Change::Check(_) => &[],
        };
        let returning =
            (!returning.is_empty() && self.random.chance(60)).then(|| *self.random.pick(returning));
        let percent = if matches!(change, Change::Put(_)) { 0 } else { 40 };
        let mut write = self.write(definition, change, percent);
        // A key that is compared in WHERE counts as the key.
        let is_about_key = write.condition.as_ref().is_some_and(|condition| {
            condition.names().into_iter().any(|name| definition.keys.has(name))
        });
        if is_about_key {
            write.condition = None;
            write.tells_item = false;
        }
        (write, returning)
    }

    pub(super) fn statement(&mut self) -> Op {
        let definition = self.definition();
        let (write, returning) = self.write_of_statement(&definition);
        let shown = shown(&mut self.random);
        Op::Statement(Statement { write, returning, shown })
    }
}

impl Maker {
    pub(super) fn statements(&mut self) -> Op {
        let is_transaction = self.random.chance(50);
        let mut statements: Vec<Statement> = Vec::new();
        let mut keys: Vec<(String, Item)> = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let definition = self.definition();
            let (write, returning) = self.write_of_statement(&definition);
            let returning = returning.filter(|_| !is_transaction);
            let key = (write.table.clone(), write.key(&definition));
            if !keys.contains(&key) {
                keys.push(key);
                statements.push(Statement { write, returning, shown: Shown::None });
            }
        }
        let shown = shown(&mut self.random);
        Op::Statements(Statements { members: statements, is_transaction, shown })
    }
}

/// True for what only UpdateExpression knows: if_not_exists.
fn is_unsayable(action: &Action) -> bool {
    let Action::Set(_, set) = action else { return false };
    match set {
        Set::Term(term) => prefers(term),
        Set::Plus(a, b) | Set::Minus(a, b) => prefers(a) || prefers(b),
    }
}

fn prefers(term: &Term) -> bool {
    match term {
        Term::IfNotExists(..) => true,
        Term::ListAppend(first, second) => prefers(first) || prefers(second),
        Term::Path(_) | Term::Value(_) => false,
    }
}
