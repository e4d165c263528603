//! DescribeTable and DeleteTable, and the description that table operations return.

use std::sync::Arc;

use crate::table_state::TableState;
pub use crate::table_state::TableStatus;
use crate::{IndexName, TableName, TableReference, TableSchema, Timestamp};

/// A DescribeTable request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTableRequest {
    /// The table described.
    pub table: TableReference,
}

/// A DeleteTable request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteTableRequest {
    /// The table deleted.
    pub table: TableReference,
}

/// Live size of one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexDescription {
    /// The index.
    pub name: IndexName,
    /// Entries in it.
    pub item_count: u64,
    /// Bytes of its entries, without storage overhead.
    pub size_bytes: u64,
}

/// A table's schema with what it holds now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescription {
    /// The schema.
    pub schema: TableSchema,
    /// Where it is in its life.
    pub status: TableStatus,
    /// Its settings and the states of its indexes.
    pub state: Arc<TableState>,
    /// The moment described: how often capacity was lowered today depends on it.
    pub now: Timestamp,
    /// When it was created.
    pub created_at: Timestamp,
    /// A UUID, derived from name and creation time.
    pub table_id: String,
    /// Items in it.
    pub item_count: u64,
    /// Bytes of its items, without storage overhead.
    pub size_bytes: u64,
    /// Sizes of its indexes, local ones first.
    pub indexes: Vec<IndexDescription>,
}

impl TableDescription {
    /// The name of the table described.
    pub const fn table_name(&self) -> &TableName {
        &self.schema.name
    }
}
