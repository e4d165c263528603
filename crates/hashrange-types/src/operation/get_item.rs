//! GetItem: read one item by its key.

use smol_str::SmolStr;

use super::{ConsumedCapacity, ExpressionNames, ReturnConsumedCapacity};
use crate::{Deferred, Item, TableReference};

/// A GetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItemRequest {
    /// The table to read.
    pub table: TableReference,
    /// The full primary key.
    pub key: Deferred<Item>,
    /// True to read from the leader.
    pub consistent_read: bool,
    /// ProjectionExpression.
    pub projection_expression: Option<String>,
    /// AttributesToGet (legacy).
    pub attributes_to_get: Option<Vec<SmolStr>>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// A GetItem response.
#[derive(Debug, Clone, PartialEq)]
pub struct GetItemResponse {
    /// The item, or none where there is none.
    pub item: Option<Item>,
    /// What it consumed.
    pub consumed: ConsumedCapacity,
}
