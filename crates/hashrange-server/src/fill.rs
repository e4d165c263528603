//! From the text of a table and its items to a store.
//!
//! Invariant: tables are made by the engine's own CreateTable; items are put as they are, their index entries
//! with them.

use hashrange_engine::{execute, plan};
use hashrange_storage::{Change, ItemChange, Row, Store, index_changes};
use hashrange_types::{ApiError, Item, Operation, Request, TableName, Timestamp};

/// Makes the table of a CreateTable request and returns its name.
///
/// # Errors
/// One sentence with DynamoDB's message.
pub(crate) fn create_table(
    store: &mut Store,
    request: &str,
    created_at: Timestamp,
) -> Result<TableName, String> {
    let mut named = "a table".to_owned();
    let mut make = || -> Result<TableName, ApiError> {
        let request = hashrange_wire::decode(Operation::CreateTable, request)?;
        let Request::CreateTable(create) = &request else { unreachable!("decoded as CreateTable") };
        let name = create.table_name.clone();
        named = format!("the table {name}");
        let plan = plan(store, request)?;
        let outcome = execute(store, &plan, created_at);
        outcome.reply?;
        for change in &outcome.changes {
            store.apply(change);
        }
        Ok(name)
    };
    make().map_err(|error| format!("{named} can't be made: {error}"))
}

/// Puts one item.
///
/// # Errors
/// One sentence if the table is missing or the item lacks its key.
pub(crate) fn put(store: &mut Store, name: &TableName, item: Item) -> Result<(), String> {
    let table = store.table(name.as_str()).ok_or_else(|| format!("there is no table {name}"))?;
    let schema = table.schema();
    let key = schema
        .key
        .encode(&item)
        .ok_or_else(|| format!("an item of the table {name} lacks its key"))?;
    let before = table.get(&key).cloned();
    let change = ItemChange { table: name.clone(), key, before, after: Some(Row::new(item)) };
    let entries = index_changes(schema, &change);
    store.apply(&Change::Item(change));
    for entry in entries {
        store.apply(&Change::IndexEntry(entry));
    }
    Ok(())
}
