//! `Partition` and `Row`: one ordered persistent map of a contiguous range of placement hashes.
//!
//! Invariant: every key in a partition is at or after where it begins and before where the next partition
//! begins. `imbl` is named here alone, so that another persistent map could take its place.

use std::ops::Bound;

use hashrange_types::{EncodedKey, Item};
use imbl::OrdMap;

/// An item or index entry with its size. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The attributes.
    pub item: Item,
    /// [`Item::size_bytes`] of it, kept because every read and write needs it.
    pub size_bytes: u32,
}

impl Row {
    /// A row of this item.
    pub fn new(item: Item) -> Self {
        let size_bytes = item.size_bytes();
        Self { item, size_bytes }
    }
}

/// An ordered persistent map from key to row.
#[derive(Debug, Clone, Default, PartialEq)]
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

/// One partition: a range of keys, its rows, and the entries of the table's local indexes for them. A partition
/// of a global index has no local ones. The range ends where the next partition begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Partition {
    /// First placement hash in the partition.
    pub first_hash: u64,
    /// First key in the partition, where a split fell between the sort keys of an item collection.
    pub first_key: Option<EncodedKey>,
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
                first_key: None,
                rows: Rows::default(),
                local_entries: vec![Rows::default(); n_local],
            })
            .collect()
    }

    /// Number of items or entries in the partition.
    pub fn n_rows(&self) -> u64 {
        self.rows.len()
    }

    /// Its items or entries, in the order of their keys.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (&EncodedKey, &Row)> {
        self.rows.range(&Bound::Unbounded, &Bound::Unbounded)
    }

    /// Bytes of its items and of its entries of local indexes. Walks over all of them.
    pub fn size_bytes(&self) -> u64 {
        let size = |rows: &Rows| -> u64 {
            let all = rows.range(&Bound::Unbounded, &Bound::Unbounded);
            all.map(|(_, row)| u64::from(row.size_bytes)).sum()
        };
        size(&self.rows) + self.local_entries.iter().map(size).sum::<u64>()
    }

    /// True if no key of the partition sorts before this one.
    pub(crate) fn begins_at(&self, key: &EncodedKey) -> bool {
        match &self.first_key {
            Some(first) => first == key,
            None => key.as_bytes().len() <= 8 && key.hash() == self.first_hash,
        }
    }

    /// The partition's rows before `at`, and those from it on. Entries of local indexes go by their hash.
    pub(crate) fn split(&self, at: &EncodedKey) -> [Self; 2] {
        let mut lower = Self { rows: Rows::default(), ..self.clone() };
        let mut upper = lower.clone();
        upper.first_hash = at.hash();
        upper.first_key = (at.as_bytes().len() > 8).then(|| at.clone());
        let everything = (Bound::Unbounded, Bound::Unbounded);
        for (key, row) in self.rows.range(&everything.0, &everything.1) {
            let half = if key < at { &mut lower } else { &mut upper };
            half.rows.set(key, Some(row.clone()));
        }
        for (local, entries) in self.local_entries.iter().enumerate() {
            (lower.local_entries[local], upper.local_entries[local]) =
                (Rows::default(), Rows::default());
            for (key, row) in entries.range(&everything.0, &everything.1) {
                let half = if key.hash() < at.hash() { &mut lower } else { &mut upper };
                half.local_entries[local].set(key, Some(row.clone()));
            }
        }
        [lower, upper]
    }
}

/// The position of the partition that holds a key, or the first key that starts with these bytes.
pub(crate) fn partition_of(partitions: &[Partition], key: &EncodedKey) -> usize {
    let hash = key.hash();
    let begins_before = |partition: &Partition| {
        partition.first_hash < hash
            || partition.first_hash == hash
                && partition.first_key.as_ref().is_none_or(|first| first <= key)
    };
    // Where partitions share the hashes evenly, as most do, this is the one.
    let n = partitions.len() as u64;
    let likely = usize::try_from(((hash >> 32) * n) >> 32).unwrap_or(0);
    if let [first, rest @ ..] = partitions.get(likely..).unwrap_or_default()
        && begins_before(first)
        && !rest.first().is_some_and(begins_before)
    {
        return likely;
    }
    partitions.partition_point(begins_before).saturating_sub(1)
}
