//! The guided process on a session: its five steps as edits, each one step of undo.
//!
//! Invariant: all that a step says lives in the design; requests of patterns with a question follow every change, and
//! so do the items, as long as they are few and were made from the design's samples.
//!
//! Not here: what is proposed and derived (`hashrange-design`); what a step shows ([`view`]).

mod diagram;
mod gather;
mod steps;
#[cfg(test)]
mod tests;
mod view;
mod views;

use hashrange_design::Design;
use hashrange_design::guide::{
    Samples, attributes_of_line, parents, propose_indexes, propose_keys,
};
use hashrange_design::sample::{EntitySample, Relation, RelationKind, n_items, n_items_of};
use hashrange_design::{AccessPattern, Entity, KeyTemplate};
use hashrange_storage::Store;

use crate::edit::{Edited, KeyField, TableForm};
use crate::session::Session;
use crate::view::Refusal;

pub use hashrange_design::guide::{KINDS, Question, QuestionKind};
pub use view::kind_needs;
pub use views::*;

/// Most items that are made again at once when a key changes; more are made in steps, when somebody asks for it.
const ITEMS_AT_ONCE: u64 = 5_000;
/// The seed of sample data where nobody chose one.
pub const SEED: u32 = 21;

/// What the short form of an entity says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GuideEntity {
    /// Its name.
    pub name: String,
    /// Its attributes, separated by commas.
    pub line: String,
    /// The attribute that tells its items apart; empty to find it.
    pub id: String,
    /// Items of it in all.
    pub total: u32,
}

/// Requests of questions follow the design and the items that there are.
pub(crate) fn follow(design: &mut Design, store: &Store) {
    if design.patterns.iter().any(|it| it.question.is_some()) {
        let samples = Samples::of(design, store);
        hashrange_design::guide::follow(design, &samples);
    }
}

impl Session {
    /// Adds an entity by its short form, or changes the one at `at`, from 0. The first one brings a table with it.
    ///
    /// # Errors
    /// One sentence where its name is empty or taken, or there would be too many items.
    pub fn guide_entity(&mut self, at: Option<usize>, form: &GuideEntity, now: i64) -> Edited {
        let mut draft = self.draft();
        let name = form.name.trim();
        let mut table = draft.design().table_names().next().map(str::to_owned);
        if table.is_none() {
            let made = TableForm {
                name: "Work".to_owned(),
                partition: KeyField::text("PK"),
                sort: Some(KeyField::text("SK")),
                ..TableForm::default()
            };
            draft.put_table(None, &made, now)?;
            table = Some(made.name);
        }
        let before = at.and_then(|at| draft.entity_form(at));
        let is_new = before.is_none();
        let mut made = before.unwrap_or_default();
        made.table = if made.table.is_empty() { table.unwrap_or_default() } else { made.table };
        let mut sample = made.sample.clone().unwrap_or_default();
        let old = made.name.clone();
        let is_junction = parents(draft.design(), &old).len() > 1;
        sample.attributes =
            attributes_of_line(name, &form.line, &form.id, &sample.attributes, !is_junction);
        made.sample = Some(sample);
        if is_new {
            let design = draft.design();
            let names = design.entities.iter().map(|it| it.name.as_str()).chain([name]);
            made.letter = hashrange_design::entity::tags(names).pop().unwrap_or_default();
        }
        name.clone_into(&mut made.name);
        draft.put_entity(at, &made)?;
        let at = at.unwrap_or_else(|| draft.design().entities.len().saturating_sub(1));
        let mut design = draft.design().clone();
        set_total(&mut design, at, form.total)?;
        draft.describe(design, String::new());
        draft.remake(now)?;
        self.keep(&draft, &format!("the entity {name}"));
        Ok(())
    }

    /// Relates two entities.
    ///
    /// # Errors
    /// One sentence where they are related already, or are one.
    pub fn guide_relate(&mut self, from: &str, to: &str, kind: RelationKind, now: i64) -> Edited {
        let mut relations = self.relations();
        let is_known = |it: &Relation| {
            let ends = [it.from.as_str(), it.to.as_str()];
            ends == [from, to] || ends == [to, from]
        };
        if relations.iter().any(is_known) {
            return Err(Refusal::ours(format!("{from} and {to} are related already.")));
        }
        let totals = totals(self.design());
        relations.push(Relation { from: from.to_owned(), to: to.to_owned(), kind });
        let mut draft = self.draft();
        draft.set_relations(&relations)?;
        if kind == RelationKind::OneToMany {
            keep_totals(&mut draft, &totals)?;
        }
        draft.remake(now)?;
        self.keep(&draft, &format!("{from} to {to}"));
        Ok(())
    }

    /// Removes relation `at`, from 0; there stay as many items as there were.
    ///
    /// # Errors
    /// None but of items that cannot be made.
    pub fn guide_unrelate(&mut self, at: usize, now: i64) -> Edited {
        let mut relations = self.relations();
        if at >= relations.len() {
            return Ok(());
        }
        let gone = relations.remove(at);
        let totals = totals(self.design());
        let mut draft = self.draft();
        draft.set_relations(&relations)?;
        keep_totals(&mut draft, &totals)?;
        draft.remake(now)?;
        self.keep(&draft, &format!("removing {} to {}", gone.from, gone.to));
        Ok(())
    }

    /// Says how many of an entity belong to each of its parents.
    ///
    /// # Errors
    /// One sentence where there would be too many items.
    pub fn guide_ratio(&mut self, entity: &str, each: u32, now: i64) -> Edited {
        let mut design = self.design().clone();
        let Some(found) = design.entities.iter_mut().find(|it| it.name == entity) else {
            return Ok(());
        };
        found.sample.get_or_insert_with(EntitySample::default).count = each.max(1);
        check_total(&design)?;
        let mut draft = self.draft();
        draft.describe(design, String::new());
        draft.remake(now)?;
        self.keep(&draft, &format!("how many of {entity}"));
        Ok(())
    }

    /// Asks a question, in its own words where none are given.
    ///
    /// # Errors
    /// One sentence on what the question lacks.
    pub fn guide_ask(
        &mut self,
        question: &Question,
        words: &str,
        rate: Option<f64>,
        expected: Option<u32>,
    ) -> Edited {
        question.check(self.design()).map_err(Refusal::ours)?;
        if self.design().patterns.iter().any(|it| it.question.as_ref() == Some(question)) {
            return Err(Refusal::ours("This is asked already.".to_owned()));
        }
        let words = match words.trim() {
            "" => question.words(),
            words => words.to_owned(),
        };
        let mut pattern = AccessPattern {
            words,
            operation: "Scan".to_owned(),
            per_second: rate.filter(|rate| rate.is_finite() && *rate >= 0.0),
            question: Some(question.clone()),
            request: serde_json::json!({}),
            ..AccessPattern::default()
        };
        if let Some(n) = expected {
            pattern.expect.insert("Count".to_owned(), n.into());
        }
        self.put_pattern(None, pattern)
    }

    /// Gives pattern `number`, from 1, other words.
    ///
    /// # Errors
    /// One sentence where there are none.
    pub fn guide_words(&mut self, number: u32, words: &str) -> Edited {
        let at = (number as usize).saturating_sub(1);
        let Some(pattern) = self.design().patterns.get(at) else { return Ok(()) };
        let pattern = AccessPattern { words: words.trim().to_owned(), ..pattern.clone() };
        self.put_pattern(Some(at), pattern)
    }

    /// Takes the proposed keys of every entity that has none, and makes the items.
    ///
    /// # Errors
    /// One sentence where items cannot be made so.
    pub fn guide_keys(&mut self, now: i64) -> Edited {
        self.rekey("the proposed keys", now, |_| Ok(()))
    }

    /// Types a key template of the entity at `entity`, from 0; the others get what is proposed where they have none.
    ///
    /// # Errors
    /// One sentence where the template cannot be read.
    pub fn guide_key(
        &mut self,
        entity: usize,
        attribute: &str,
        template: &str,
        now: i64,
    ) -> Edited {
        let parsed = KeyTemplate::parse(template.trim());
        parsed.map_err(|reason| {
            Refusal::ours(format!("The template of {attribute} cannot be read: {reason}."))
        })?;
        let label = format!("the key {}", template.trim());
        self.rekey(&label, now, |design| {
            if let Some(entity) = design.entities.get_mut(entity) {
                entity.keys.insert(attribute.to_owned(), template.trim().to_owned());
            }
            Ok(())
        })
    }

    /// Keys every entity as way `at` of [`hashrange_design::guide::other_keys`] does.
    ///
    /// # Errors
    /// One sentence where items cannot be made so.
    pub fn guide_other_keys(&mut self, at: usize, now: i64) -> Edited {
        let found = hashrange_design::guide::other_keys(self.design()).into_iter().nth(at);
        let Some((name, other)) = found else { return Ok(()) };
        self.rekey(&name, now, |design| {
            design.entities.clone_from(&other.entities);
            Ok(())
        })
    }

    fn rekey(
        &mut self,
        label: &str,
        now: i64,
        change: impl FnOnce(&mut Design) -> Edited,
    ) -> Edited {
        let mut design = self.design().clone();
        for proposal in propose_keys(&design) {
            let entity = &mut design.entities[proposal.entity];
            for (attribute, template) in proposal.keys {
                if !entity.keys.contains_key(&attribute) {
                    entity.keys.insert(attribute, template);
                }
            }
        }
        change(&mut design)?;
        design.seed = Some(design.seed.unwrap_or(SEED));
        let mut draft = self.draft();
        draft.describe(design, String::new());
        draft.remake(now)?;
        self.keep(&draft, label);
        Ok(())
    }

    /// Takes proposal `at`, from 0, of an index for questions left open. A filled table fills it at once.
    ///
    /// # Errors
    /// DynamoDB's refusal, or one sentence if there is nothing to do.
    pub fn guide_index(&mut self, at: usize, now: i64) -> Edited {
        let samples = Samples::of(self.design(), &self.data().store);
        let proposal = propose_indexes(self.design(), &samples).into_iter().nth(at);
        let proposal = proposal.ok_or_else(|| {
            Refusal::ours("This is not there any more; nothing was changed.".to_owned())
        })?;
        let changed = proposal.apply(self.design());
        let mut draft = self.draft();
        draft.adopt(changed, String::new(), now)?;
        if !proposal.templates.is_empty() {
            draft.remake(now)?;
        }
        let name = proposal.index.map_or_else(|| proposal.kind.to_owned(), |index| index.name);
        self.keep(&draft, &format!("the index {name}"));
        Ok(())
    }

    /// True if the items are those that the design's samples make with its keys: nothing has to be made again.
    pub fn guide_is_fresh(&self) -> bool {
        let design = self.design();
        let wanted = n_items(design);
        let there = self.guide_items();
        design.seed.is_none() || (there == wanted && self.recognised() == there)
    }

    fn recognised(&self) -> u64 {
        let design = self.design();
        let counted = (0_u16..).zip(&design.entities);
        counted.map(|(at, it)| self.data().census.n_items(&it.table, at)).sum()
    }

    /// Items in the tables of the design.
    pub(crate) fn guide_items(&self) -> u64 {
        let tables = self.design().table_names().filter_map(|name| self.data().store.table(name));
        tables.map(|table| table.items().n_rows()).sum()
    }

    /// Makes the items again where they were made from samples and are few; leaves them where they cannot be made,
    /// which [`Session::guide`] then says.
    fn remake(&mut self, now: i64) -> Edited {
        let design = self.design();
        let Some(seed) = design.seed else { return Ok(()) };
        let wanted = n_items(design);
        let has_keys = |entity: &Entity| !entity.keys.is_empty();
        if wanted > ITEMS_AT_ONCE || !design.entities.iter().all(has_keys) {
            return Ok(());
        }
        let Ok(mut sampling) = self.sampling(u64::from(seed), now) else { return Ok(()) };
        loop {
            match sampling.step(1_000) {
                Ok(true) => return self.take_sample(sampling),
                Ok(false) => {}
                Err(_) => return Ok(()),
            }
        }
    }
}

/// Gives the entity at `at` so many items in all, spread over its parents.
fn set_total(design: &mut Design, at: usize, total: u32) -> Edited {
    let Some(entity) = design.entities.get(at) else { return Ok(()) };
    let own = entity.sample.as_ref().map_or(1, |sample| sample.count.max(1));
    let above = (n_items_of(design, entity) / u64::from(own)).max(1);
    let each = (u64::from(total.max(1)) + above / 2) / above;
    let sample = design.entities[at].sample.get_or_insert_with(EntitySample::default);
    sample.count = u32::try_from(each.max(1)).unwrap_or(u32::MAX);
    check_total(design)
}

/// Items of each entity in all.
fn totals(design: &Design) -> Vec<u64> {
    design.entities.iter().map(|it| n_items_of(design, it)).collect()
}

/// Lets every entity have about as many items in all as it had, whatever it belongs to now.
fn keep_totals(draft: &mut Session, totals: &[u64]) -> Edited {
    let mut design = draft.design().clone();
    for (at, total) in totals.iter().enumerate() {
        if n_items_of(&design, &design.entities[at]) != *total {
            set_total(&mut design, at, u32::try_from(*total).unwrap_or(u32::MAX))?;
        }
    }
    draft.describe(design, String::new());
    Ok(())
}

fn check_total(design: &Design) -> Edited {
    let all = n_items(design);
    if all > crate::sampling::ITEMS_MAX as u64 {
        return Err(Refusal::ours(format!(
            "That makes {} items; the page holds {}. Lower a count.",
            crate::format::count(all),
            crate::format::count(crate::sampling::ITEMS_MAX as u64)
        )));
    }
    Ok(())
}
