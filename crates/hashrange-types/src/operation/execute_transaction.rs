//! ExecuteTransaction: run up to 100 PartiQL statements, all or none.

use smol_str::SmolStr;

use super::{ConsumedCapacity, ParameterizedStatement, ReturnConsumedCapacity};
use crate::Item;

/// An ExecuteTransaction request.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteTransactionRequest {
    /// The statements, all of them reads or all of them writes, on distinct items.
    pub statements: Vec<ParameterizedStatement>,
    /// ClientRequestToken, 1 to 36 characters.
    pub client_request_token: Option<SmolStr>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// An ExecuteTransaction response.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteTransactionResponse {
    /// One for each SELECT, in their order: none for a missing item. Empty for writes.
    pub responses: Vec<Option<Item>>,
    /// What it consumed, table by table.
    pub consumed: Vec<ConsumedCapacity>,
}
