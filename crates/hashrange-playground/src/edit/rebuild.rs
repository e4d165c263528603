//! Tables made anew: for another key or local index, which no table can be given, and for another name.
//!
//! Invariant: items are copied as they are; those that lack the new key are counted before anything is done.

use hashrange_design::Design;
use hashrange_storage::{KeyRange, Store, Table};
use serde_json::json;

use super::Edited;
use super::follow::run_one;
use crate::format::counted;
use crate::load;
use crate::session::Session;
use crate::view::{RebuildView, Refusal};

impl Session {
    /// Tables whose key or local indexes the design has changed and that still have the old ones.
    pub fn rebuilds(&self) -> Vec<RebuildView> {
        let design = self.design();
        design.table_names().filter_map(|name| self.rebuild_of(name)).collect()
    }

    fn rebuild_of(&self, name: &str) -> Option<RebuildView> {
        let table = self.data().store.table(name)?;
        let wanted = wanted(self.design(), name)?;
        let (old, new) = (table.schema(), wanted.schema());
        if old.key == new.key && old.local_indexes == new.local_indexes {
            return None;
        }
        let n_items = table.items().n_rows();
        let fits = rows(table).filter(|item| new.key.encode(item).is_some()).count() as u64;
        let n_lacking = n_items - fits;
        let what = if old.key == new.key { "other local indexes" } else { "another key" };
        let mut copied = format!("{} can be copied", counted(fits, "item"));
        if n_lacking > 0 {
            let lacking = counted(n_lacking, "item");
            copied = format!("{copied}, {lacking} without the new key cannot");
        }
        let text = format!(
            "The design gives {name} {what}. A table keeps what it was made with, so it has to be made anew: {copied}."
        );
        Some(RebuildView { table: name.to_owned(), text, n_lacking })
    }

    /// Makes a table anew as the design has it and copies the items that have its key.
    ///
    /// # Errors
    /// DynamoDB's refusal of the new table.
    pub fn rebuild(&mut self, name: &str, now: i64) -> Edited {
        let design = self.design().clone();
        let mut store = self.data().store.clone();
        copy(&mut store, &design, name, name, now)?;
        self.put_in_place(design, store, format!("rebuilding {name}"));
        Ok(())
    }
}

/// The empty table the design asks for.
fn wanted(design: &Design, name: &str) -> Option<Table> {
    let request = design.table(name)?;
    let mut store = Store::default();
    load::create_table(&mut store, request, 0).ok()?;
    store.table(name).cloned()
}

fn rows(table: &Table) -> impl Iterator<Item = &hashrange_types::Item> {
    table.items().range(&KeyRange::all(), true).map(|(_, row)| &row.item)
}

/// Makes the design's table `new` with the items of the store's table `old`, which goes.
pub(super) fn copy(store: &mut Store, design: &Design, old: &str, new: &str, now: i64) -> Edited {
    let before = store.table(old).cloned();
    if before.is_some() {
        run_one(store, "DeleteTable", &json!({"TableName": old}).to_string(), now)?;
    }
    let request = design.table(new);
    let Some(request) = request else { return Ok(()) };
    load::create_table(store, request, now).map_err(Refusal::ours)?;
    let schema = store.table(new).map(|table| table.schema().clone());
    let (Some(before), Some(schema)) = (before, schema) else { return Ok(()) };
    for item in rows(&before).filter(|item| schema.key.encode(item).is_some()) {
        load::put(store, &schema.name, item.clone()).map_err(Refusal::ours)?;
    }
    Ok(())
}

/// Makes a table of the design anew without items.
pub(crate) fn empty(store: &mut Store, table: &serde_json::Value, now: i64) -> Edited {
    let name = table["TableName"].as_str().unwrap_or_default();
    if store.table(name).is_some() {
        run_one(store, "DeleteTable", &json!({"TableName": name}).to_string(), now)?;
    }
    load::create_table(store, table, now).map_err(Refusal::ours)
}
