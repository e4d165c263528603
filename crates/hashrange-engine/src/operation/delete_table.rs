//! DeleteTable: remove a table with everything in it.
//!
//! The reply shows the table as it was, DELETING; it is gone at once or after a while (`Delays`).

use std::sync::Arc;

use hashrange_storage::{Store, Table};
use hashrange_types::operation::{DeleteTableRequest, TableStatus};
use hashrange_types::table_state::{Effect, TableState, Transition};
use hashrange_types::{ApiError, Response, TableName, Timestamp, ValidationError};

use crate::life::{removal, table_change};
use crate::operation::describe_table::{describe, find};
use crate::operation::update_table::in_use;
use crate::outcome::Outcome;

/// A checked DeleteTable request.
#[derive(Debug, Clone)]
pub struct Plan {
    table: TableName,
}

pub(crate) fn plan(store: &Store, request: DeleteTableRequest) -> Result<Plan, ApiError> {
    check(&*find(store, &request.table.name)?)?;
    Ok(Plan { table: request.table.name })
}

pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    let table = find(store, &plan.table).and_then(|table| check(&table).map(|()| table));
    match table {
        Ok(table) => deleted(store, &table, now),
        Err(error) => Outcome::free(Err(error)),
    }
}

fn deleted(store: &Store, table: &Arc<Table>, now: Timestamp) -> Outcome {
    let mut state = table.state().clone();
    state.status = TableStatus::Deleting;
    state.transitions.clear();
    let delay = store.delays().delete_table;
    state.expect(now.plus_millis(delay), Effect::TableGone);
    let deleting = table.with_state(state);
    let reply = Ok(Response::DeleteTable(describe(&deleting, now)));
    let changes =
        if delay == 0 { removal(store, table, now) } else { vec![table_change(table, deleting)] };
    Outcome { changes, ..Outcome::free(reply) }
}

/// Refuses to delete a table that is protected or in the middle of a change.
///
/// # Errors
/// The state gates of facts 4.10.1.
fn check(table: &Table) -> Result<(), ApiError> {
    let state = table.state();
    let name = &table.schema().name;
    if state.is_protected {
        return Err(ValidationError::new(
            "Resource cannot be deleted as it is currently protected against deletion. Disable \
             deletion protection first.",
        )
        .into());
    }
    match state.status {
        TableStatus::Creating => return Err(in_use(&format!("Table is being created: {name}"))),
        TableStatus::Deleting => return Err(in_use(&format!("Table is being deleted: {name}"))),
        TableStatus::Updating if allocated(state).is_none() => {
            return Err(in_use(&format!("Table: {name} is in the process of being updated.")));
        }
        TableStatus::Updating | TableStatus::Active => {}
    }
    if let Some(index) = allocated(state) {
        return Err(in_use(&format!(
            "Index creation is in resource allocation phase. Retry deletion during backfilling phase \
             or when the index is active. Table: {name} Index: {index}"
        )));
    }
    if state.indexes.values().any(|index| index.status != TableStatus::Active) {
        return Err(in_use(
            "Cannot delete table while indexes are being created, updated, or deleted.",
        ));
    }
    let is_encrypting =
        |change: &Transition| matches!(change.effect, Effect::EncryptionSettled { .. });
    if state.transitions.iter().any(is_encrypting) {
        return Err(in_use("Server-Side Encryption is still being updated"));
    }
    if !state.transitions.is_empty() {
        return Err(in_use(&format!("Table: {name} is in the process of being updated.")));
    }
    Ok(())
}

/// The new index that is not being filled yet.
fn allocated(state: &TableState) -> Option<&hashrange_types::IndexName> {
    let is_allocated = |index: &hashrange_types::table_state::IndexState| {
        index.status == TableStatus::Creating && !index.is_backfilling
    };
    state.indexes.iter().find(|(_, index)| is_allocated(index)).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use hashrange_types::{Request, TableReference};

    use super::*;
    use crate::database::Database;
    use crate::read_fixture::{item, s, schema_with_key, table_reference};
    use crate::write_fixture::{database, put};

    #[test]
    fn the_table_goes_with_its_items_and_the_reply_shows_it_deleting() {
        let mut database = database(schema_with_key("pk"));
        database.run(Request::PutItem(put(item([("pk", s("a"))]))));
        let before = database.store().clone();
        let request = Request::DeleteTable(DeleteTableRequest { table: table_reference() });
        let outcome = database.run(request.clone());
        let Ok(Response::DeleteTable(description)) = outcome.reply else {
            panic!("not the reply of a DeleteTable")
        };
        assert_eq!((description.status, description.item_count), (TableStatus::Deleting, 1));
        assert!(database.store().table("T").is_none());
        assert_eq!(database.refusal(request), "Requested resource not found: Table: T not found");

        let mut restored = database.store().clone();
        restored.apply(&outcome.changes[0].invert());
        let rows = |store: &Store| store.table("T").map(|table| table.items().n_rows());
        assert_eq!(rows(&restored), rows(&before));
    }

    #[test]
    fn an_unknown_table_cannot_be_deleted() {
        let missing = TableReference::by_name(TableName::new("Missing").unwrap());
        assert_eq!(
            Database::default()
                .refusal(Request::DeleteTable(DeleteTableRequest { table: missing })),
            "Requested resource not found: Table: Missing not found"
        );
    }
}
