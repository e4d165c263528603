//! An import tried in small steps on a copy of the work, so that all it would refuse is known before it is taken.
//!
//! Invariant: what is taken is what was tried; the session is as it was until then.

use hashrange_engine::{execute, plan};
use hashrange_storage::Change;
use hashrange_types::operation::PutItemRequest;
use hashrange_types::{ApiError, EncodedKey, Request, TableName, TableReference, Timestamp};

use super::plan::item_of;
use super::{ImportPlan, PendingItems, RowLeftOut, ours};
use crate::edit::Edited;
use crate::format::counted;
use crate::refusal::error_view;
use crate::session::{Session, Work, put_by};
use crate::view::Refusal;

/// Rows left out that are listed; the others are counted.
const LISTED_MAX: usize = 100;

/// An import that is being tried.
#[derive(Debug, Clone)]
pub struct ItemsTrial {
    before: Session,
    work: Work,
    plan: ImportPlan,
    items: PendingItems,
    next: usize,
    n_added: u64,
    n_replaced: u64,
    n_left_out: u64,
    left_out: Vec<RowLeftOut>,
    /// What was put, for the picture to show.
    changes: Vec<Change>,
    now: i64,
}

impl Session {
    /// Begins to try an import on a copy. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// One sentence where the plan lacks something.
    pub fn try_import(
        &self,
        items: &PendingItems,
        plan: &ImportPlan,
        now: i64,
    ) -> Edited<ItemsTrial> {
        let problem = self.import_problem(items, plan);
        if !problem.is_empty() {
            return Err(ours(problem));
        }
        let left_out = items.left_out.clone();
        Ok(ItemsTrial {
            before: self.draft(),
            work: self.work.clone(),
            plan: plan.clone(),
            items: items.clone(),
            next: 0,
            n_added: 0,
            n_replaced: 0,
            n_left_out: left_out.len() as u64,
            left_out,
            changes: Vec::new(),
            now,
        })
    }

    /// Takes an import that was tried in full over, as one step.
    ///
    /// # Errors
    /// One sentence where it was not tried in full or brings nothing.
    pub fn take_import(&mut self, trial: ItemsTrial) -> Edited {
        if !trial.is_done() {
            return Err(ours("The items are still being looked at."));
        }
        if trial.n_ready() == 0 {
            return Err(ours("There is no item to import."));
        }
        let verb = if trial.items.is_pasted { "pasting" } else { "importing" };
        let label = format!("{verb} {}", counted(trial.n_ready(), "item"));
        let written = put_by(&trial.changes);
        self.replace_work(Work { written, ..trial.work }, label);
        Ok(())
    }
}

impl ItemsTrial {
    /// Tries the next `n` rows; true when all have been tried.
    pub fn step(&mut self, n: usize) -> bool {
        for _ in 0..n {
            let Some(row) = self.items.rows.get(self.next) else { break };
            self.next += 1;
            let place = row.place.clone();
            let table = self.before.table_of(row, &self.plan).to_owned();
            let entity =
                self.before.import_entity(&self.plan).filter(|entity| entity.table == table);
            let item = item_of(row, &self.items.columns, &self.plan, entity);
            if let Err(reason) = item.and_then(|item| self.put(&table, &item)) {
                self.n_left_out += 1;
                if self.left_out.len() < LISTED_MAX {
                    self.left_out.push(RowLeftOut { place, reason });
                }
            }
        }
        self.is_done()
    }

    /// True when all rows have been tried.
    pub fn is_done(&self) -> bool {
        self.next >= self.items.rows.len()
    }

    /// How much has been tried, 0 to 1.
    #[allow(clippy::cast_precision_loss, reason = "a share that is drawn")]
    pub fn share(&self) -> f32 {
        self.next as f32 / self.items.rows.len().max(1) as f32
    }

    /// Items that would be put.
    pub fn n_ready(&self) -> u64 {
        self.n_added + self.n_replaced
    }

    /// `98 items to add, 2 to replace, 3 left out`.
    pub fn summary(&self) -> String {
        let mut text = format!("{} to add", counted(self.n_added, "item"));
        if self.n_replaced > 0 {
            text.extend([", ", &self.n_replaced.to_string(), " to replace"]);
        }
        if self.n_left_out > 0 {
            text.extend([", ", &self.n_left_out.to_string(), " left out"]);
        }
        text
    }

    /// Rows that are left out, and why; the first of them where there are many.
    pub fn left_out(&self) -> &[RowLeftOut] {
        &self.left_out
    }

    /// How many more rows are left out than are listed.
    pub fn n_not_listed(&self) -> u64 {
        self.n_left_out - self.left_out.len() as u64
    }

    fn put(&mut self, name: &str, item: &serde_json::Value) -> Result<(), String> {
        let store = &mut self.work.data.store;
        let table_name =
            TableName::new(name).ok_or_else(|| format!("There is no table {name}."))?;
        let json = item;
        let item = hashrange_wire::item_from_json(json);
        let key: Option<EncodedKey> = match (&item, store.table(name)) {
            (Ok(item), Some(table)) => table.schema().key.encode(item),
            _ => None,
        };
        if let Some(key) = &key
            && !self.plan.replaces
            && store.table(name).is_some_and(|table| table.get(key).is_some())
        {
            let was_there = self.before.data().store.table(name);
            return Err(if was_there.is_some_and(|table| table.get(key).is_some()) {
                format!(
                    "{name} has an item with this key already. Let items be replaced, or change the key."
                )
            } else {
                "Another row has the same key. A key belongs to one item.".to_owned()
            });
        }
        let mut put =
            PutItemRequest::new(TableReference::by_name(table_name), hashrange_types::Item::new());
        put.item = item;
        let request = Request::PutItem(put);
        let words = |error: &ApiError| Refusal::of(&error_view(error, "", None, store)).words();
        let plan = plan(store, request).map_err(|error| words(&error))?;
        let outcome = execute(store, &plan, Timestamp::from_millis(self.now));
        if let Err(error) = &outcome.reply {
            return Err(words(error));
        }
        for change in &outcome.changes {
            store.apply(change);
        }
        for entry in outcome.index_entries {
            store.apply(&Change::IndexEntry(entry));
        }
        let is_item = |change: &&Change| matches!(change, Change::Item(_));
        for change in outcome.changes.iter().filter(is_item) {
            let is_replaced = matches!(change, Change::Item(change) if change.before.is_some());
            if is_replaced { self.n_replaced += 1 } else { self.n_added += 1 }
        }
        self.work.data.census.apply(store, &self.work.recognition, &outcome.changes);
        self.changes.extend(outcome.changes.into_iter().filter(|it| matches!(it, Change::Item(_))));
        Ok(())
    }
}
