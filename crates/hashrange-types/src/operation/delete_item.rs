//! DeleteItem: remove one item by its key.

use super::{
    ConditionalOperator, ConsumedCapacity, ExpectedAttribute, ExpressionNames, ExpressionValues,
    ItemCollectionMetrics, ReturnConsumedCapacity, ReturnValues,
};
use crate::{Deferred, Item, TableReference};

/// A DeleteItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItemRequest {
    /// The table to write.
    pub table: TableReference,
    /// The full primary key.
    pub key: Deferred<Item>,
    /// ConditionExpression.
    pub condition_expression: Option<String>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
    /// ExpressionAttributeValues.
    pub values: Option<ExpressionValues>,
    /// Expected (legacy).
    pub expected: Option<Vec<ExpectedAttribute>>,
    /// ConditionalOperator (legacy).
    pub conditional_operator: Option<ConditionalOperator>,
    /// ReturnValues; only `ALL_OLD` and `NONE` are legal here, which the plan checks.
    pub return_values: ReturnValues,
    /// True if a false condition should return the item.
    pub returns_item_on_failure: bool,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// ReturnItemCollectionMetrics=SIZE.
    pub returns_collection_metrics: bool,
}

impl DeleteItemRequest {
    /// A request that removes the item with `key` and asks for nothing else.
    pub const fn new(table: TableReference, key: Item) -> Self {
        Self {
            table,
            key: Ok(key),
            condition_expression: None,
            names: None,
            values: None,
            expected: None,
            conditional_operator: None,
            return_values: ReturnValues::None,
            returns_item_on_failure: false,
            return_consumed_capacity: ReturnConsumedCapacity::None,
            returns_collection_metrics: false,
        }
    }
}

/// A DeleteItem response.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteItemResponse {
    /// The deleted item, if asked for and there was one.
    pub attributes: Option<Item>,
    /// What it consumed.
    pub consumed: ConsumedCapacity,
    /// The item collection's size, if asked for and the table has a local index.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}
