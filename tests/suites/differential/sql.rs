//! ExecuteStatement: a page of a SELECT, and INSERT, UPDATE and DELETE as the writes they are.
//!
//! Source: facts 2.2 and 3.7.

use serde_json::{Map, Value as Json, json};

use crate::answer::{Shown, exception, insert, validation};
use crate::expression::{Condition, Path};
use crate::read::Read;
use crate::statement::{Sql, name};
use crate::table::Tables;
use crate::value::{Item, Value, item_json};
use crate::write::{Change, Effect, Refusal, Write, returned};

/// Measured by the conformance suite.
const SEVERAL_ATTRIBUTES: &str = "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.";

/// A SELECT: a read whose projection names whole attributes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Select {
    pub(crate) read: Read,
    /// NextToken of the page before, which `read.start` stands for.
    pub(crate) token: Option<String>,
    /// ORDER BY this sort key; backwards if the read is.
    pub(crate) order: Option<String>,
}

impl Select {
    fn statement(&self, sql: &mut Sql) -> String {
        let columns = self.read.projection.as_ref().map_or_else(
            || "*".to_owned(),
            |paths| paths.iter().map(Sql::path).collect::<Vec<_>>().join(", "),
        );
        let index = self.read.index.as_ref().map(|index| format!(".{}", name(index)));
        let (partition, sorts) = self.read.keyed.as_ref().map_or((&[][..], &[][..]), |keyed| {
            (keyed.partition.as_slice(), keyed.sorts.as_slice())
        });
        let filter = sql.filter(partition, sorts, self.read.filter.as_ref());
        let direction = if self.read.is_backward { " DESC" } else { " ASC" };
        let order = self.order.as_ref().map(|key| format!(" ORDER BY {}{direction}", name(key)));
        format!(
            "SELECT {columns} FROM {}{}{filter}{}",
            name(&self.read.table),
            index.unwrap_or_default(),
            order.unwrap_or_default()
        )
    }

    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut sql = Sql::default();
        let mut request = Map::new();
        request.insert("Statement".to_owned(), json!(self.statement(&mut sql)));
        sql.finish(&mut request);
        if let Some(limit) = self.read.limit {
            request.insert("Limit".to_owned(), json!(limit));
        }
        if self.read.is_consistent {
            request.insert("ConsistentRead".to_owned(), json!(true));
        }
        if let Some(token) = &self.token {
            request.insert("NextToken".to_owned(), json!(token));
        }
        self.read.shown.ask(&mut request);
        ("ExecuteStatement", Json::Object(request))
    }

    /// Why the index cannot be read by a statement.
    fn index_fault(&self, tables: &Tables) -> Option<Json> {
        let definition = &tables.tables.get(&self.read.table)?.definition;
        let Some(index) = definition.index(self.read.index.as_ref()?) else {
            return Some(validation("The table does not have the specified index"));
        };
        let has_several = index.keys.partition.len() > 1 || index.keys.sort.len() > 1;
        has_several.then(|| validation(SEVERAL_ATTRIBUTES))
    }

    pub(crate) fn expect(&self, tables: &Tables) -> Vec<Json> {
        if let Some(fault) = self.index_fault(tables) {
            return vec![fault];
        }
        let page = match self.read.page(tables) {
            Ok(page) => page,
            Err(answer) => return vec![answer],
        };
        let mut answer = Map::new();
        answer.insert("Items".to_owned(), page.items.iter().map(item_json).collect());
        if let Some(last) = &page.last {
            answer.insert("NextToken".to_owned(), json!("any"));
            answer.insert("LastEvaluatedKey".to_owned(), item_json(last));
        }
        insert(
            &mut answer,
            "ConsumedCapacity",
            page.consumed.json(&self.read.table, self.read.shown),
        );
        vec![Json::Object(answer)]
    }
}

/// INSERT, UPDATE or DELETE; the write's condition is what WHERE says besides the key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Statement {
    pub(crate) write: Write,
    /// `ALL OLD` and its like.
    pub(crate) returning: Option<&'static str>,
    pub(crate) shown: Shown,
}

/// Why a statement did nothing.
pub(crate) enum Failure {
    Duplicate,
    Refused(Refusal),
}

impl Failure {
    fn answers(&self) -> Vec<Json> {
        match self {
            Self::Duplicate => {
                vec![exception("DuplicateItemException", "Duplicate primary key exists in table")]
            }
            Self::Refused(refusal) => refusal.answers(),
        }
    }
}

impl Statement {
    /// The statement and its parameters.
    pub(crate) fn members(&self) -> Map<String, Json> {
        let mut sql = Sql::default();
        let table = name(&self.write.table);
        let pairs = |key: &Item| -> Vec<(String, Value)> {
            key.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let rest = self.write.condition.as_ref();
        let text = match &self.write.change {
            Change::Put(item) => format!("INSERT INTO {table} VALUE {}", sql.item(item)),
            Change::Update(key, actions) => {
                let clauses = sql.update(actions.as_deref().unwrap_or_default());
                format!("UPDATE {table}{clauses}{}", sql.filter(&pairs(key), &[], rest))
            }
            Change::Delete(key) => {
                format!("DELETE FROM {table}{}", sql.filter(&pairs(key), &[], rest))
            }
            Change::Check(key) => {
                format!("EXISTS(SELECT * FROM {table}{})", sql.filter(&pairs(key), &[], rest))
            }
        };
        let returning = self.returning.map(|what| format!(" RETURNING {what} *"));
        let mut request = Map::new();
        request.insert("Statement".to_owned(), json!(text + &returning.unwrap_or_default()));
        sql.finish(&mut request);
        if self.write.tells_item {
            let member = "ReturnValuesOnConditionCheckFailure";
            request.insert(member.to_owned(), json!("ALL_OLD"));
        }
        request
    }

    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut request = self.members();
        self.shown.ask(&mut request);
        ("ExecuteStatement", Json::Object(request))
    }

    /// The write with all that its statement asks of the item.
    pub(crate) fn whole(&self, tables: &Tables) -> Write {
        let mut write = self.write.clone();
        let Some(table) = tables.tables.get(&write.table) else { return write };
        let key = Path::top(&table.definition.keys.partition[0].name);
        let rest = write.condition.take();
        write.condition = match &write.change {
            Change::Put(_) => Some(Condition::Missing(key)),
            Change::Update(..) | Change::Check(_) => Some(Condition::And(
                [Some(Condition::Exists(key)), rest].into_iter().flatten().collect(),
            )),
            Change::Delete(_) => {
                rest.map(|rest| Condition::Or(vec![Condition::Missing(key), rest]))
            }
        };
        write
    }

    pub(crate) fn effect(&self, tables: &Tables) -> Result<Effect, Failure> {
        self.whole(tables).effect(tables).map_err(|refusal| match (&self.write.change, refusal) {
            (Change::Put(_), Refusal::Condition(_)) => Failure::Duplicate,
            (_, refusal) => Failure::Refused(refusal),
        })
    }

    pub(crate) fn returned(&self, effect: &Effect) -> Option<Item> {
        let returns = match self.returning? {
            "ALL OLD" => "ALL_OLD",
            "ALL NEW" => "ALL_NEW",
            "MODIFIED OLD" => "UPDATED_OLD",
            _ => "UPDATED_NEW",
        };
        returned(&self.write.change, returns, effect)
    }

    pub(crate) fn expect(&self, tables: &mut Tables) -> Vec<Json> {
        let effect = match self.effect(tables) {
            Ok(effect) => effect,
            Err(failure) => return failure.answers(),
        };
        self.write.commit(tables, &effect);
        let mut answer = Map::new();
        let items = self.returned(&effect);
        answer.insert("Items".to_owned(), items.iter().map(item_json).collect());
        insert(
            &mut answer,
            "ConsumedCapacity",
            effect.consumed.json(&self.write.table, self.shown),
        );
        vec![Json::Object(answer)]
    }
}
