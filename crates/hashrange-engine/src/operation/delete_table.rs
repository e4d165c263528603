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
