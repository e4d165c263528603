//! What a request consumed, as replies report it.

use smol_str::SmolStr;

use crate::{CapacityUnits, IndexName, Item};

/// How much of the consumed capacity the caller wants to see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReturnConsumedCapacity {
    /// The total and the share of the table and each index touched.
    Indexes,
    /// The total alone.
    Total,
    /// Nothing.
    #[default]
    None,
}

/// Units one request consumed on one table. Always complete: encoding leaves out what was not asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumedCapacity {
    /// The table as the request named it (name or ARN).
    pub table_name: SmolStr,
    /// What the table itself consumed.
    pub table: CapacityUnits,
    /// What each local index touched consumed, in schema order.
    pub local_indexes: Vec<(IndexName, CapacityUnits)>,
    /// What each global index touched consumed, in schema order.
    pub global_indexes: Vec<(IndexName, CapacityUnits)>,
    /// What statements of a batch consumed that failed while they ran: in the total, but in no arm.
    pub failed: CapacityUnits,
    /// True for writes.
    pub is_write: bool,
    /// How much of this the reply shows.
    pub shown: ReturnConsumedCapacity,
}

impl ConsumedCapacity {
    /// Table and indexes together, and what failed.
    pub fn total(&self) -> CapacityUnits {
        let indexes = self.local_indexes.iter().chain(&self.global_indexes);
        self.table + self.failed + indexes.map(|(_, units)| *units).sum()
    }
}

/// Estimated size of an item collection of a table with local indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCollectionMetrics {
    /// The partition key of the collection.
    pub item_collection_key: Item,
    /// Lower and upper bound in gigabytes.
    pub size_estimate_range_gb: [f64; 2],
}
