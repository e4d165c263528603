//! `TableSchema`: keys, indexes, projections and capacity of a table.
//!
//! Invariant: index names are distinct; local indexes share the table's partition key; every key attribute
//! has one type throughout the table. The engine's CreateTable checks before it builds one.

use crate::item::Item;
use crate::key::KeySchema;
use crate::name::{AttributeName, IndexName, TableName};

/// Which attributes of an item an index entry holds, besides the index's and the table's keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    /// Keys alone.
    KeysOnly,
    /// Keys and these attributes.
    Include(Vec<AttributeName>),
    /// The whole item.
    All,
}

/// Read and write capacity units a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvisionedThroughput {
    /// Read capacity units a second, at least 1.
    pub read: u64,
    /// Write capacity units a second, at least 1.
    pub write: u64,
}

/// How throughput is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingMode {
    /// By the request (on demand).
    PayPerRequest,
    /// By reserved capacity.
    Provisioned(ProvisionedThroughput),
}

/// A local secondary index: the table's partition key with another sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSecondaryIndex {
    /// Its name.
    pub name: IndexName,
    /// The table's partition attribute and the index's own sort attribute.
    pub key: KeySchema,
    /// What its entries hold.
    pub projection: Projection,
}

/// A global secondary index: its own keys, its own partitions, its own capacity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalSecondaryIndex {
    /// Its name.
    pub name: IndexName,
    /// One to four partition and up to four sort attributes.
    pub key: KeySchema,
    /// What its entries hold.
    pub projection: Projection,
    /// Its own capacity; none on an on-demand table.
    pub throughput: Option<ProvisionedThroughput>,
}

/// Everything about a table except its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSchema {
    /// Its name.
    pub name: TableName,
    /// The primary key: one partition attribute and at most one sort attribute.
    pub key: KeySchema,
    /// Local secondary indexes in the order they were asked for.
    pub local_indexes: Vec<LocalSecondaryIndex>,
    /// Global secondary indexes in the order they were asked for.
    pub global_indexes: Vec<GlobalSecondaryIndex>,
    /// How throughput is paid for.
    pub billing: BillingMode,
}

/// A secondary index of either kind, as reads and index upkeep see it.
#[derive(Debug, Clone, Copy)]
pub struct IndexSchema<'a> {
    /// Its name.
    pub name: &'a IndexName,
    /// Its key.
    pub key: &'a KeySchema,
    /// What its entries hold.
    pub projection: &'a Projection,
    /// True for a local index.
    pub is_local: bool,
}

impl TableSchema {
    /// All secondary indexes, local ones first.
    pub fn indexes(&self) -> impl Iterator<Item = IndexSchema<'_>> {
        let local = self.local_indexes.iter().map(|index| IndexSchema {
            name: &index.name,
            key: &index.key,
            projection: &index.projection,
            is_local: true,
        });
        let global = self.global_indexes.iter().map(|index| IndexSchema {
            name: &index.name,
            key: &index.key,
            projection: &index.projection,
            is_local: false,
        });
        local.chain(global)
    }

    /// The index called `name`.
    pub fn index(&self, name: &str) -> Option<IndexSchema<'_>> {
        self.indexes().find(|index| index.name.as_str() == name)
    }
}

impl IndexSchema<'_> {
    /// True if an entry of the index holds attribute `name`.
    pub fn projects(&self, table: &TableSchema, name: &str) -> bool {
        self.key.contains(name)
            || table.key.contains(name)
            || match self.projection {
                Projection::All => true,
                Projection::KeysOnly => false,
                Projection::Include(names) => {
                    names.iter().any(|included| included.as_str() == name)
                }
            }
    }

    /// The entry the index keeps for `item`: keys and projected attributes, in the item's order. None where
    /// the item is not in the index (a sparse index).
    pub fn entry(&self, table: &TableSchema, item: &Item) -> Option<Item> {
        if !self.key.matches(item) {
            return None;
        }
        let kept = item.iter().filter(|(name, _)| self.projects(table, name.as_str()));
        Some(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}
