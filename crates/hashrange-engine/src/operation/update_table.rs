//! UpdateTable: one change of a table at a time.
//!
//! The request is checked into steps ([`check`]); the steps are taken at the moment of execution ([`step`]),
//! when budgets and cool-downs are known. What takes a while becomes a transition of the table's state.
//!
//! Source: facts 3.8 and the control-plane rows of 4.10.1.

mod capacity;
mod check;
mod index;
mod step;

use hashrange_storage::{Store, Table};
use hashrange_types::operation::{TableStatus, UpdateTableRequest};
use hashrange_types::table_state::{Effect, Transition};
use hashrange_types::{ApiError, Response, Timestamp};

use crate::life::{account_change, settled, table_change};
use crate::operation::describe_table::{describe, find};
use crate::outcome::Outcome;

/// A checked UpdateTable request.
#[derive(Debug, Clone)]
pub struct Plan {
    request: UpdateTableRequest,
}

/// A moment at which no budget is used up and no cool-down runs.
const NEVER: Timestamp = Timestamp(i64::MAX);

pub(crate) fn plan(store: &Store, request: UpdateTableRequest) -> Result<Plan, ApiError> {
    check::check_concerns(&request)?;
    let table = find(store, &request.table.name)?;
    check_ready(&table)?;
    check::steps(&table, &request, store.account(), NEVER)?;
    Ok(Plan { request })
}

pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    match updated(store, &plan.request, now) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::free(Err(error)),
    }
}

fn updated(
    store: &Store,
    request: &UpdateTableRequest,
    now: Timestamp,
) -> Result<Outcome, ApiError> {
    let before = find(store, &request.table.name)?;
    check_ready(&before)?;
    let steps = check::steps(&before, request, store.account(), now)?;
    let mut account = store.account().clone();
    let mut changes = Vec::new();
    let opens_or_closes = steps.iter().any(|step| matches!(step, step::Step::Stream(_)));
    let table = step::take(store, &before, steps, &mut account, now);
    if opens_or_closes {
        changes.push(account_change(store, account));
    }
    let table = settled(table, now).expect("an update does not remove a table");
    let reply = Response::UpdateTable(describe(&table, now));
    changes.push(table_change(&before, step::without_cleared_maxima(&table)));
    Ok(Outcome { changes, ..Outcome::free(Ok(reply)) })
}

/// The table is in the middle of something.
pub(crate) fn in_use(rest: &str) -> ApiError {
    ApiError::ResourceInUse(format!("Attempt to change a resource which is still in use: {rest}"))
}

/// Refuses a table that is not ACTIVE.
pub(crate) fn check_ready(table: &Table) -> Result<(), ApiError> {
    let state = table.state();
    let name = &table.schema().name;
    let changes_capacity = |transition: &Transition| {
        matches!(transition.effect, Effect::Billing(_) | Effect::IndexThroughput(..))
    };
    match state.status {
        TableStatus::Active => Ok(()),
        TableStatus::Creating => Err(in_use(&format!("Table is being created: {name}"))),
        TableStatus::Deleting => Err(in_use(&format!("Table is being deleted: {name}"))),
        TableStatus::Updating if state.transitions.iter().any(changes_capacity) => {
            Err(in_use(&format!("Table IOPS are currently being updated. Table: {name}")))
        }
        TableStatus::Updating => {
            Err(in_use(&format!("Table: {name} is in the process of being updated.")))
        }
    }
}
