//! `Table`: its schema, its partitions of items with local index entries, and its global indexes' partitions.
//!
//! Invariant: item counts and sizes equal what the trees hold.

use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

use hashrange_types::{EncodedKey, IndexName, TableSchema, Timestamp};

use crate::change::{IndexEntryChange, ItemChange};
use crate::range::KeyRange;
use crate::tree::{Partition, Row, Rows, partition_of};

/// A table with everything in it. Cloning shares structure.
#[derive(Debug, Clone)]
pub struct Table {
    schema: Arc<TableSchema>,
    created_at: Timestamp,
    partitions: Vec<Partition>,
    size_bytes: u64,
    n_items: u64,
    local_sizes: Vec<TreeSize>,
    global_indexes: Vec<GlobalIndexTree>,
}

#[derive(Debug, Clone, Copy, Default)]
struct TreeSize {
    n_rows: u64,
    size_bytes: u64,
}

/// The partitions of one global index.
#[derive(Debug, Clone)]
pub struct GlobalIndexTree {
    name: IndexName,
    partitions: Vec<Partition>,
    size: TreeSize,
}

/// One ordered tree of a table: its items, or the entries of an index.
#[derive(Debug, Clone, Copy)]
pub struct TreeRef<'a> {
    partitions: &'a [Partition],
    local_position: Option<usize>,
    size: TreeSize,
}

impl Table {
    /// An empty table. `n_partitions` for the table, and one count for each global index in schema order.
    pub fn new(
        schema: TableSchema,
        created_at: Timestamp,
        n_partitions: u32,
        n_index_partitions: &[u32],
    ) -> Self {
        let n_local = schema.local_indexes.len();
        let global_indexes = schema
            .global_indexes
            .iter()
            .enumerate()
            .map(|(position, index)| GlobalIndexTree {
                name: index.name.clone(),
                partitions: Partition::even(
                    n_index_partitions.get(position).copied().unwrap_or(1),
                    0,
                ),
                size: TreeSize::default(),
            })
            .collect();
        Self {
            schema: Arc::new(schema),
            created_at,
            partitions: Partition::even(n_partitions, n_local),
            size_bytes: 0,
            n_items: 0,
            local_sizes: vec![TreeSize::default(); n_local],
            global_indexes,
        }
    }

    /// Its schema.
    pub fn schema(&self) -> &TableSchema {
        &self.schema
    }

    /// When it was created.
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// The item with this key.
    pub fn get(&self, key: &EncodedKey) -> Option<&Row> {
        self.partitions[partition_of(&self.partitions, key.hash())].rows.get(key)
    }

    /// The tree of the table's items.
    pub fn items(&self) -> TreeRef<'_> {
        let size = TreeSize { n_rows: self.n_items, size_bytes: self.size_bytes };
        TreeRef { partitions: &self.partitions, local_position: None, size }
    }

    /// The tree of the index called `name`.
    pub fn index(&self, name: &str) -> Option<TreeRef<'_>> {
        if let Some(position) = self.local_position(name) {
            let size = self.local_sizes[position];
            return Some(TreeRef {
                partitions: &self.partitions,
                local_position: Some(position),
                size,
            });
        }
        let index = self.global_indexes.iter().find(|index| index.name.as_str() == name)?;
        Some(TreeRef { partitions: &index.partitions, local_position: None, size: index.size })
    }

    fn local_position(&self, name: &str) -> Option<usize> {
        self.schema.local_indexes.iter().position(|index| index.name.as_str() == name)
    }

    /// Sets what the change says is there now.
    pub(crate) fn apply_item(&mut self, change: &ItemChange) {
        let position = partition_of(&self.partitions, change.key.hash());
        let old = self.partitions[position].rows.set(&change.key, change.after.clone());
        let mut size = TreeSize { n_rows: self.n_items, size_bytes: self.size_bytes };
        size.replace(old.as_ref(), change.after.as_ref());
        (self.n_items, self.size_bytes) = (size.n_rows, size.size_bytes);
    }

    /// Sets the index entry the change says is there now. A change of an index the table lacks does nothing.
    pub(crate) fn apply_entry(&mut self, change: &IndexEntryChange) {
        if let Some(local) = self.local_position(change.index.as_str()) {
            let position = partition_of(&self.partitions, change.key.hash());
            let old = self.partitions[position].local_entries[local]
                .set(&change.key, change.after.clone());
            self.local_sizes[local].replace(old.as_ref(), change.after.as_ref());
        } else if let Some(index) =
            self.global_indexes.iter_mut().find(|index| index.name == change.index)
        {
            let position = partition_of(&index.partitions, change.key.hash());
            let old = index.partitions[position].rows.set(&change.key, change.after.clone());
            index.size.replace(old.as_ref(), change.after.as_ref());
        }
    }
}

impl TreeSize {
    fn replace(&mut self, old: Option<&Row>, new: Option<&Row>) {
        if let Some(row) = old {
            self.n_rows -= 1;
            self.size_bytes -= u64::from(row.size_bytes);
        }
        if let Some(row) = new {
            self.n_rows += 1;
            self.size_bytes += u64::from(row.size_bytes);
        }
    }
}

impl<'a> TreeRef<'a> {
    /// Rows in the range, upwards if `is_forward`. A Scan of everything walks one partition after another.
    pub fn range(
        self,
        range: &KeyRange,
        is_forward: bool,
    ) -> Box<dyn Iterator<Item = (&'a EncodedKey, &'a Row)> + 'a> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let KeyRange { lower, upper } = range.clone();
        let partitions = self.partitions_in(range);
        let rows = move |partition: &'a Partition| self.rows(partition).range(&lower, &upper);
        if is_forward {
            Box::new(partitions.iter().flat_map(rows))
        } else {
            Box::new(partitions.iter().rev().flat_map(move |partition| rows(partition).rev()))
        }
    }

    fn rows(self, partition: &'a Partition) -> &'a Rows {
        self.local_position.map_or(&partition.rows, |position| &partition.local_entries[position])
    }

    /// The partitions a range touches, empty ones included: a Scan pays for each of them.
    pub fn partitions_in(self, range: &KeyRange) -> &'a [Partition] {
        if range.is_empty() {
            return &[];
        }
        let first = match &range.lower {
            Included(key) | Excluded(key) => self.partition_of(key.as_bytes()),
            Unbounded => 0,
        };
        let last = match &range.upper {
            Included(key) => self.partition_of(key.as_bytes()),
            Excluded(key) => {
                let at = self.partition_of(key.as_bytes());
                // An end that is a partition's very beginning takes nothing from that partition.
                let begins_there =
                    at > first && is_first_key_of(key.as_bytes(), self.partitions[at].first_hash);
                if begins_there { at - 1 } else { at }
            }
            Unbounded => self.partitions.len() - 1,
        };
        &self.partitions[first..=last.max(first)]
    }

    fn partition_of(self, key: &[u8]) -> usize {
        partition_of(self.partitions, hash_of(key))
    }

    /// Position, from 0, of the partition that holds `key`.
    pub fn partition_position(self, key: &EncodedKey) -> usize {
        partition_of(self.partitions, key.hash())
    }

    /// Number of partitions.
    pub fn n_partitions(self) -> usize {
        self.partitions.len()
    }

    /// Number of items or entries.
    pub const fn n_rows(self) -> u64 {
        self.size.n_rows
    }

    /// Bytes of all items or entries, without storage overhead.
    pub const fn size_bytes(self) -> u64 {
        self.size.size_bytes
    }

    /// Bytes of the rows in a range, for estimates of item collections.
    pub fn size_bytes_in(self, range: &KeyRange) -> u64 {
        self.range(range, true).map(|(_, row)| u64::from(row.size_bytes)).sum()
    }
}

/// The hash that a key or a prefix of one starts with; missing bytes count as zero.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    let n = bytes.len().min(8);
    first[..n].copy_from_slice(&bytes[..n]);
    u64::from_be_bytes(first)
}

/// True if no key with this hash sorts before these bytes.
fn is_first_key_of(bytes: &[u8], first_hash: u64) -> bool {
    bytes.len() <= 8 && hash_of(bytes) == first_hash
}
