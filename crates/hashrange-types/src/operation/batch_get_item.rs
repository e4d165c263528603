//! BatchGetItem: read up to 100 items by their keys.

use smol_str::SmolStr;

use super::{ConsumedCapacity, ExpressionNames, ReturnConsumedCapacity};
use crate::{Deferred, Item, TableReference};

/// The keys to read from one table.
#[derive(Debug, Clone, PartialEq)]
pub struct KeysAndAttributes {
    /// The table to read.
    pub table: TableReference,
    /// The full primary keys.
    pub keys: Vec<Deferred<Item>>,
    /// True to read from leaders.
    pub consistent_read: bool,
    /// ProjectionExpression.
    pub projection_expression: Option<String>,
    /// AttributesToGet (legacy).
    pub attributes_to_get: Option<Vec<SmolStr>>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
    /// True if a key stands twice, spelled alike: DynamoDB takes `1` and `1.0` for different keys here, and a
    /// number that was read has no spelling.
    pub has_duplicates: bool,
}

/// A BatchGetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGetItemRequest {
    /// What to read, table by table, in the order sent.
    pub tables: Vec<KeysAndAttributes>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// A BatchGetItem response.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGetItemResponse {
    /// The items found, by table as the request named it; each table asked for has an entry.
    pub responses: Vec<(SmolStr, Vec<Item>)>,
    /// What was not read, in the request's own form; empty when done.
    pub unprocessed: Vec<KeysAndAttributes>,
    /// What it consumed, table by table.
    pub consumed: Vec<ConsumedCapacity>,
}
