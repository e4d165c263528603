//! ListTables: names of tables, byte by byte in order, a page at a time.
//!
//! Source: facts 3.8, "ListTables".

use hashrange_storage::Store;
use hashrange_types::limits::LIST_TABLES_MAX;
use hashrange_types::operation::{ListTablesRequest, ListTablesResponse};
use hashrange_types::{ApiError, Response, TableName, Timestamp};

use crate::outcome::Outcome;

/// A checked ListTables request.
#[derive(Debug, Clone)]
pub struct Plan {
    start: Option<TableName>,
    limit: usize,
}

#[expect(clippy::unnecessary_wraps, reason = "every operation is planned by one signature")]
pub(crate) fn plan(_store: &Store, request: ListTablesRequest) -> Result<Plan, ApiError> {
    let limit = request.limit.unwrap_or(LIST_TABLES_MAX).clamp(1, LIST_TABLES_MAX);
    let limit = usize::try_from(limit).expect("at most 100");
    Ok(Plan { start: request.exclusive_start_table_name, limit })
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let mut names = store.tables_after(plan.start.as_ref()).map(|table| &table.schema().name);
    let table_names: Vec<TableName> = names.by_ref().take(plan.limit).cloned().collect();
    let last_evaluated_table_name =
        names.next().is_some().then(|| table_names.last().cloned()).flatten();
    Outcome::free(Ok(Response::ListTables(ListTablesResponse {
        table_names,
        last_evaluated_table_name,
    })))
}
