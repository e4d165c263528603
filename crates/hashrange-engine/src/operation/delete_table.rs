//! DeleteTable: remove a table with everything in it.
//!
//! The table is gone as soon as the change is applied; the reply shows it as it was, DELETING.

use hashrange_storage::{Change, Store, TableChange};
use hashrange_types::operation::{DeleteTableRequest, TableStatus};
use hashrange_types::{ApiError, Response, TableName, Timestamp};

use crate::operation::describe_table::{describe, find};
use crate::outcome::Outcome;

/// A checked DeleteTable request.
#[derive(Debug, Clone)]
pub struct Plan {
    table: TableName,
}

pub(crate) fn plan(store: &Store, request: DeleteTableRequest) -> Result<Plan, ApiError> {
    find(store, &request.table.name)?;
    Ok(Plan { table: request.table.name })
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    match find(store, &plan.table) {
        Ok(table) => {
            let description = describe(&table, TableStatus::Deleting);
            let change = TableChange { name: plan.table.clone(), before: Some(table), after: None };
            let mut outcome = Outcome::free(Ok(Response::DeleteTable(description)));
            outcome.changes.push(Change::Table(change));
            outcome
        }
        Err(error) => Outcome::free(Err(error)),
    }
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
