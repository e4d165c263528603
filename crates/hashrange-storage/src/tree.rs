//! `Partition` and `Row`: one ordered persistent map of a contiguous range of placement hashes.
//!
//! Invariant: every key in a partition has a hash of at least its `first_hash` and below the next
//! partition's. `imbl` is named here and in `token` alone, so that another persistent map could take its
//! place.

use std::ops::Bound;
use std::sync::Arc;

use hashrange_types::{EncodedKey, Item};
use imbl::OrdMap;

/// An item or index entry with its size. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The attributes.
    pub item: Arc<Item>,
    /// [`Item::size_bytes`] of it, kept because every read and write needs it.
    pub size_bytes: u32,
}

impl Row {
    /// A row of this item.
    pub fn new(item: Item) -> Self {
        let size_bytes = item.size_bytes();
        Self { item: Arc::new(item), size_bytes }
    }
}

/// An ordered persistent map from key to row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows(OrdMap<EncodedKey, Row>);

impl Rows {
    pub(crate) fn get(&self, key: &EncodedKey) -> Option<&Row> {
        self.0.get(key)
    }

    /// Puts or, with none, removes; returns what was there.
    pub(crate) fn set(&mut self, key: &EncodedKey, row: Option<Row>) -> Option<Row> {
        match row {
            Some(row) => self.0.insert(key.clone(), row),
            None => self.0.remove(key),
        }
    }

    pub(crate) fn range<'a>(
        &'a self,
        lower: &Bound<EncodedKey>,
        upper: &Bound<EncodedKey>,
    ) -> impl DoubleEndedIterator<Item = (&'a EncodedKey, &'a Row)> + use<'a> {
        self.0.range((lower.clone(), upper.clone()))
    }

    pub(crate) fn len(&self) -> u64 {
        u64::try_from(self.0.len()).unwrap_or(u64::MAX)
    }
}

/// One partition: a range of placement hashes, its rows, and the entries of the table's local indexes for
/// them. A partition of a global index has no local ones.
#[derive(Debug, Clone, Default)]
pub struct Partition {
    /// First placement hash in the partition; the range ends where the next partition begins.
    pub first_hash: u64,
    pub(crate) rows: Rows,
    pub(crate) local_entries: Vec<Rows>,
}

impl Partition {
    /// `n` empty partitions that share the space of hashes evenly, each with room for `n_local` local indexes.
    pub(crate) fn even(n: u32, n_local: usize) -> Vec<Self> {
        let n = u128::from(n.max(1));
        (0..n)
            .map(|position| Self {
                first_hash: u64::try_from((position << 64) / n)
                    .expect("a share of 2^64 below 2^64"),
                rows: Rows::default(),
                local_entries: vec![Rows::default(); n_local],
            })
            .collect()
    }

    /// Number of items or entries in the partition.
    pub fn n_rows(&self) -> u64 {
        self.rows.len()
    }
}

/// The partition that holds `hash`.
pub(crate) fn partition_of(partitions: &[Partition], hash: u64) -> usize {
    partitions.partition_point(|partition| partition.first_hash <= hash).saturating_sub(1)
}
