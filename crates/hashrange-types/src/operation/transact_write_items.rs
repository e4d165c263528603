//! TransactWriteItems: up to 100 conditional writes of distinct items, all or none.

use smol_str::SmolStr;

use super::{
    ConsumedCapacity, ExpressionNames, ExpressionValues, ItemCollectionMetrics,
    ReturnConsumedCapacity,
};
use crate::{Deferred, Item, TableReference};

/// What an element of a transaction does to its item. Places of errors are inside the element.
#[derive(Debug, Clone, PartialEq)]
pub enum TransactAction {
    /// Puts a whole item.
    Put {
        /// The item that replaces whatever has its key.
        item: Deferred<Item>,
    },
    /// Changes attributes, or creates the item.
    Update {
        /// The full primary key.
        key: Deferred<Item>,
        /// UpdateExpression.
        update_expression: String,
    },
    /// Removes the item.
    Delete {
        /// The full primary key.
        key: Deferred<Item>,
    },
    /// Leaves the item as it is and asks that its condition holds.
    ConditionCheck {
        /// The full primary key.
        key: Deferred<Item>,
    },
}

impl TransactAction {
    /// The name of the action's member: `Put`, `Update`, `Delete` or `ConditionCheck`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Put { .. } => "Put",
            Self::Update { .. } => "Update",
            Self::Delete { .. } => "Delete",
            Self::ConditionCheck { .. } => "ConditionCheck",
        }
    }

    /// The attributes that hold the item's key: the key itself, or the whole item of a Put.
    pub const fn item(&self) -> &Deferred<Item> {
        match self {
            Self::Put { item } => item,
            Self::Update { key, .. } | Self::Delete { key } | Self::ConditionCheck { key } => key,
        }
    }
}

/// One element of a TransactWriteItems request.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWriteItem {
    /// The table to write.
    pub table: TableReference,
    /// What is done.
    pub action: TransactAction,
    /// ConditionExpression; a ConditionCheck always has one.
    pub condition_expression: Option<String>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
    /// ExpressionAttributeValues.
    pub values: Option<ExpressionValues>,
    /// True if a false condition should return the item.
    pub returns_item_on_failure: bool,
}

/// A TransactWriteItems request.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWriteItemsRequest {
    /// What to do, in the order sent: 1 to 100 elements.
    pub items: Vec<TransactWriteItem>,
    /// ClientRequestToken, 1 to 36 characters: the same request with the same token within ten minutes is
    /// carried out once.
    pub client_request_token: Option<SmolStr>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// ReturnItemCollectionMetrics=SIZE.
    pub returns_collection_metrics: bool,
}

/// A TransactWriteItems response.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactWriteItemsResponse {
    /// Sizes of the item collections written, by table, if asked for and the table has a local index.
    pub item_collection_metrics: Option<Vec<(SmolStr, Vec<ItemCollectionMetrics>)>>,
    /// What it consumed, table by table: write units, or read units where the token had been used before.
    pub consumed: Vec<ConsumedCapacity>,
}
