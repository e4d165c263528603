//! Query: read an item collection in order. Also what Query and Scan share.

use smol_str::SmolStr;

use super::{
    ConditionalOperator, ConsumedCapacity, ExpressionNames, ExpressionValues, LegacyCondition,
    ReturnConsumedCapacity,
};
use crate::{Deferred, IndexName, Item, TableReference};

/// Which attributes a read returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    /// Those of the projection.
    SpecificAttributes,
    /// None, only how many items.
    Count,
    /// All of each item.
    AllAttributes,
    /// All that the index holds.
    AllProjectedAttributes,
}

/// What Query and Scan have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRequest {
    /// The table to read.
    pub table: TableReference,
    /// The index to read, if not the table itself. Not known to exist yet; its characters are legal.
    pub index: Option<IndexName>,
    /// Select.
    pub select: Option<Select>,
    /// Most items to evaluate, at least 1.
    pub limit: Option<u32>,
    /// True to read from leaders.
    pub consistent_read: bool,
    /// ExclusiveStartKey.
    pub exclusive_start_key: Option<Deferred<Item>>,
    /// FilterExpression.
    pub filter_expression: Option<String>,
    /// ProjectionExpression.
    pub projection_expression: Option<String>,
    /// ExpressionAttributeNames.
    pub names: Option<ExpressionNames>,
    /// ExpressionAttributeValues.
    pub values: Option<ExpressionValues>,
    /// AttributesToGet (legacy).
    pub attributes_to_get: Option<Vec<SmolStr>>,
    /// QueryFilter or ScanFilter (legacy).
    pub filter: Option<Vec<LegacyCondition>>,
    /// ConditionalOperator (legacy).
    pub conditional_operator: Option<ConditionalOperator>,
    /// ReturnConsumedCapacity.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

/// A Query request.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRequest {
    /// What it shares with Scan.
    pub read: ReadRequest,
    /// KeyConditionExpression.
    pub key_condition_expression: Option<String>,
    /// KeyConditions (legacy).
    pub key_conditions: Option<Vec<LegacyCondition>>,
    /// True for ascending sort keys (the default).
    pub scan_index_forward: bool,
}

/// One page of a Query or Scan.
#[derive(Debug, Clone, PartialEq)]
pub struct PageResponse {
    /// The items that passed the filter; none at all for `COUNT`.
    pub items: Option<Vec<Item>>,
    /// Number of items that passed the filter.
    pub count: u32,
    /// Number of items evaluated.
    pub scanned_count: u32,
    /// Key of the last item evaluated, where the page ended before the range did.
    pub last_evaluated_key: Option<Item>,
    /// What it consumed.
    pub consumed: ConsumedCapacity,
}
