//! ExecuteStatement: run one PartiQL statement. Also what the three operations on statements share.

use bytes::Bytes;

use super::{ConsumedCapacity, ReturnConsumedCapacity};
use crate::{AttributeValue, Deferred, Item};

/// A PartiQL statement and what it is run with.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterizedStatement {
    /// The statement's text, 1 to 8,192 characters.
    pub statement: String,
    /// Parameters: what its question marks stand for, in order.
    pub parameters: Vec<Deferred<AttributeValue>>,
    /// True to read from leaders. Statements of a transaction do so anyway.
    pub consistent_read: bool,
    /// True if a false condition should return the item.
    pub returns_item_on_failure: bool,
}

/// An ExecuteStatement request.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteStatementRequest {
    /// The statement.
    pub statement: ParameterizedStatement,
    /// NextToken, decoded; empty where it could not be, so that it fits no statement.
    pub next_token: Option<Bytes>,
    /// Most items to evaluate, at least 1.
    pub limit: Option<u32>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// An ExecuteStatement response.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecuteStatementResponse {
    /// What a SELECT found or RETURNING asked for; empty for other writes.
    pub items: Vec<Item>,
    /// Where the next page begins, if there may be one. Opaque to clients.
    pub next_token: Option<Bytes>,
    /// Key of the last item evaluated, where the page ended before the statement's items did.
    pub last_evaluated_key: Option<Item>,
    /// What it consumed.
    pub consumed: ConsumedCapacity,
}
