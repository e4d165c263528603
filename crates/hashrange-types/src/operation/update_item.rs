//! UpdateItem: change attributes of one item, or create it.

use super::{
    AttributeUpdate, ConditionalOperator, ConsumedCapacity, ExpectedAttribute, ExpressionNames,
    ExpressionValues, ItemCollectionMetrics, ReturnConsumedCapacity,
};
use crate::{Deferred, Item, TableReference};

/// Which attributes a write returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReturnValues {
    /// None (the default).
    #[default]
    None,
    /// The item as it was.
    AllOld,
    /// What was touched, as it was.
    UpdatedOld,
    /// The item as it is.
    AllNew,
    /// What was touched, as it is.
    UpdatedNew,
}

/// An UpdateItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateItemRequest {
    /// The table to write.
    pub table: TableReference,
    /// The full primary key.
    pub key: Deferred<Item>,
    /// UpdateExpression.
    pub update_expression: Option<String>,
    /// ConditionExpression.
    pub condition_expression: Option<String>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
    /// ExpressionAttributeValues.
    pub values: Option<ExpressionValues>,
    /// AttributeUpdates (legacy).
    pub attribute_updates: Option<Vec<AttributeUpdate>>,
    /// Expected (legacy).
    pub expected: Option<Vec<ExpectedAttribute>>,
    /// ConditionalOperator (legacy).
    pub conditional_operator: Option<ConditionalOperator>,
    /// ReturnValues.
    pub return_values: ReturnValues,
    /// True if a false condition should return the item.
    pub returns_item_on_failure: bool,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// ReturnItemCollectionMetrics=SIZE.
    pub returns_collection_metrics: bool,
}

/// An UpdateItem response.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateItemResponse {
    /// What ReturnValues asked for, if there is anything.
    pub attributes: Option<Item>,
    /// What it consumed.
    pub consumed: ConsumedCapacity,
    /// The item collection's size, if asked for and the table has a local index.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}
