//! From a design and its items to a store.
//!
//! Invariant: tables are made by the engine's own CreateTable; items are put as they are, their index entries
//! with them.

use hashrange_engine::{execute, plan};
use hashrange_storage::{Change, ItemChange, Row, Store, index_changes};
use hashrange_types::{Item, Operation, TableName, Timestamp};
use serde_json::Value;

/// Makes one table of a CreateTable request.
///
/// # Errors
/// One sentence with DynamoDB's message.
pub(crate) fn create_table(store: &mut Store, table: &Value, now_ms: i64) -> Result<(), String> {
    let name = table.get("TableName").and_then(Value::as_str).unwrap_or("without a name");
    let refuse = |error: hashrange_types::ApiError| {
        let reason = error.to_string();
        format!("The table {name} cannot be made: {}.", reason.trim_end_matches('.'))
    };
    let request =
        hashrange_wire::decode(Operation::CreateTable, &table.to_string()).map_err(refuse)?;
    let plan = plan(store, request).map_err(refuse)?;
    let outcome = execute(store, &plan, Timestamp::from_millis(now_ms));
    outcome.reply.map_err(refuse)?;
    for change in &outcome.changes {
        store.apply(change);
    }
    Ok(())
}

/// Puts one item.
///
/// # Errors
/// One sentence if the table is missing or the item lacks its key.
pub(crate) fn put(store: &mut Store, name: &TableName, item: Item) -> Result<(), String> {
    let table = store.table(name.as_str()).ok_or_else(|| format!("There is no table {name}."))?;
    let key = table
        .schema()
        .key
        .encode(&item)
        .ok_or_else(|| format!("An item of the table {name} lacks its key."))?;
    let change = ItemChange {
        table: name.clone(),
        before: table.get(&key).cloned(),
        key,
        after: Some(Row::new(item)),
    };
    let entries = index_changes(table.schema(), &change);
    store.apply(&Change::Item(change));
    for entry in entries {
        store.apply(&Change::IndexEntry(entry));
    }
    Ok(())
}
