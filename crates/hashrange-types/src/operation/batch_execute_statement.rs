//! BatchExecuteStatement: run up to 25 PartiQL statements, each for itself.

use smol_str::SmolStr;

use super::{ConsumedCapacity, ParameterizedStatement, ReturnConsumedCapacity};
use crate::{ApiError, Item};

/// A BatchExecuteStatement request.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchExecuteStatementRequest {
    /// The statements, all of them reads or all of them writes.
    pub statements: Vec<ParameterizedStatement>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// What became of one statement of a batch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BatchStatementResponse {
    /// Why it failed, if it did.
    pub error: Option<ApiError>,
    /// The table it ran on, as the statement named it; none where it was refused before it ran.
    pub table_name: Option<SmolStr>,
    /// The item read or returned, if there is one.
    pub item: Option<Item>,
}

/// A BatchExecuteStatement response.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchExecuteStatementResponse {
    /// One for each statement, in their order.
    pub responses: Vec<BatchStatementResponse>,
    /// What they consumed, table by table.
    pub consumed: Vec<ConsumedCapacity>,
}
