//! From a design and its items to a store, in the page's words.
//!
//! Not here: what is made of a table and an item (`hashrange-engine`).

use hashrange_storage::Store;
use hashrange_types::{Item, Operation, TableName, Timestamp};
use serde_json::Value;

/// Makes one table of a CreateTable request.
///
/// # Errors
/// One sentence with DynamoDB's message.
pub(crate) fn create_table(store: &mut Store, table: &Value, now_ms: i64) -> Result<(), String> {
    let name = table.get("TableName").and_then(Value::as_str).unwrap_or("without a name");
    let created_at = Timestamp::from_millis(now_ms);
    hashrange_wire::decode(Operation::CreateTable, &table.to_string())
        .and_then(|request| hashrange_engine::create_table(store, request, created_at))
        .map_err(|error| {
            let reason = error.to_string();
            format!("The table {name} cannot be made: {}.", reason.trim_end_matches('.'))
        })
}

/// Puts one item.
///
/// # Errors
/// One sentence if the table is missing or the item lacks its key.
pub(crate) fn put(store: &mut Store, name: &TableName, item: Item) -> Result<(), String> {
    hashrange_engine::put_item(store, name, item)
        .map_err(|reason| format!("The sample data does not fit: {reason}."))
}
