//! DescribeTable and DeleteTable, and the description that table operations return.

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

/// Where a table is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableStatus {
    /// Being made.
    Creating,
    /// Ready.
    Active,
    /// Being changed; data operations work.
    Updating,
    /// Being removed.
    Deleting,
}

impl TableStatus {
    /// DynamoDB's word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Creating => "CREATING",
            Self::Active => "ACTIVE",
            Self::Updating => "UPDATING",
            Self::Deleting => "DELETING",
        }
    }
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
