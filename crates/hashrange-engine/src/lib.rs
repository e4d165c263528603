//! What every operation means: [`plan`] checks a request and costs nothing, [`execute`] reads a store and
//! says what follows.
//!
//! Invariant: `plan` may refuse and costs nothing; `execute` never edits a store and never fails: its reply
//! may be an error, and it still reports what it consumed. Time is an argument; there is no clock,
//! randomness, I/O or global state.
//!
//! Not here: DynamoDB's JSON (`hashrange-wire`), the text of expressions (`hashrange-expressions`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod capacity;
mod database;
mod due;
mod explain;
mod fill;
mod fingerprint;
mod item_collection;
mod life;
mod log;
mod operation;
mod outcome;
mod page;
mod partiql;
mod plan;
mod prepared;
#[cfg(test)]
mod read_fixture;
#[cfg(test)]
mod read_laws;
mod read_validation;
mod snapshot;
#[cfg(test)]
mod table_fixture;
mod target;
mod transaction;
#[cfg(test)]
mod transaction_fixture;
#[cfg(test)]
mod transaction_laws;
mod validation;
mod write;
#[cfg(test)]
mod write_fixture;
#[cfg(test)]
mod write_laws;
mod write_plan;
mod write_validation;

pub use database::Database;
pub use due::{due, expire, expires_at};
pub use explain::{ExaminedRow, ExplainedRead, Explanation, explain};
pub use fill::{create_table, put_item};
pub use hashrange_storage::Delays;
pub use outcome::{Evaluated, Outcome, PageEnd};
pub use plan::{Plan, execute, execute_seeing, plan};
pub use prepared::Prepared;
pub use snapshot::{Rebuild, snapshot};
pub use target::Target;
