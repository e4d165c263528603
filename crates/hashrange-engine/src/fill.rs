//! Filling a store from a design, a model or an older file, without requests for each item.
//!
//! Invariant: tables are made by CreateTable itself; items are put as they are, their index entries with them.

use hashrange_storage::{Change, ItemChange, Row, Store, index_changes};
use hashrange_types::{ApiError, Item, Request, TableName, Timestamp};

use crate::plan::{execute, plan};

/// Makes the table of a CreateTable request.
///
/// # Errors
/// DynamoDB's; the store is then as it was.
pub fn create_table(
    store: &mut Store,
    request: Request,
    created_at: Timestamp,
) -> Result<(), ApiError> {
    let plan = plan(store, request)?;
    let outcome = execute(store, &plan, created_at);
    outcome.reply?;
    for change in &outcome.changes {
        store.apply(change);
    }
    Ok(())
}

/// Puts one item, in place of any with its key.
///
/// # Errors
/// One sentence without its full stop if the table is missing or the item lacks its key.
pub fn put_item(store: &mut Store, name: &TableName, item: Item) -> Result<(), String> {
    let table = store.table(name.as_str()).ok_or_else(|| format!("there is no table {name}"))?;
    let schema = table.schema();
    let key = schema.key.encode(&item).ok_or_else(|| lacks_key(name))?;
    let before = table.get(&key).cloned();
    let change = ItemChange { table: name.clone(), key, before, after: Some(Row::new(item)) };
    let entries = index_changes(schema, &change);
    store.apply(&Change::Item(change));
    for entry in entries {
        store.apply(&Change::IndexEntry(entry));
    }
    Ok(())
}

/// What is wrong with an item without the key of its table.
pub(crate) fn lacks_key(name: &TableName) -> String {
    format!("an item of the table {name} lacks its key")
}
