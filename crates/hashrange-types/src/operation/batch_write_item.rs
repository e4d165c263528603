//! BatchWriteItem: put and delete up to 25 items.

use smol_str::SmolStr;

use super::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use crate::{Deferred, Item, TableReference};

/// One put or delete of a batch.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteRequest {
    /// Put this item.
    Put(Deferred<Item>),
    /// Delete the item with this key.
    Delete(Deferred<Item>),
}

/// A BatchWriteItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchWriteItemRequest {
    /// What to write, table by table, in the order sent.
    pub tables: Vec<(TableReference, Vec<WriteRequest>)>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// ReturnItemCollectionMetrics=SIZE.
    pub returns_collection_metrics: bool,
}

/// A BatchWriteItem response.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchWriteItemResponse {
    /// What was not written, in the request's own form; empty when done.
    pub unprocessed: Vec<(TableReference, Vec<WriteRequest>)>,
    /// Sizes of the item collections written, by table, if asked for and the table has a local index.
    pub item_collection_metrics: Option<Vec<(SmolStr, Vec<ItemCollectionMetrics>)>>,
    /// What it consumed, table by table.
    pub consumed: Vec<ConsumedCapacity>,
}
