//! TransactGetItems: read up to 100 items as they were at one moment.

use super::{ConsumedCapacity, ExpressionNames, ReturnConsumedCapacity};
use crate::{Deferred, Item, TableReference};

/// One read of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGetItem {
    /// The table to read.
    pub table: TableReference,
    /// The full primary key. The place of its error is inside the element.
    pub key: Deferred<Item>,
    /// ProjectionExpression.
    pub projection_expression: Option<String>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
}

/// A TransactGetItems request.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGetItemsRequest {
    /// What to read, in the order sent: 1 to 100 elements.
    pub items: Vec<TransactGetItem>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// A TransactGetItems response.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGetItemsResponse {
    /// One for each element, in its order: none for a missing item, and for one the projection left nothing of.
    pub responses: Vec<Option<Item>>,
    /// What it consumed, table by table.
    pub consumed: Vec<ConsumedCapacity>,
}
