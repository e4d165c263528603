//! `Table`: its schema, its partitions of items with local index entries, and its global indexes' partitions.
//!
//! Invariant: item counts and sizes equal what the trees hold.

use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

use hashrange_types::table_state::{IndexState, ON_DEMAND_WARM};
use hashrange_types::{
    EncodedKey, GlobalSecondaryIndex, IndexName, TableSchema, TableState, Timestamp,
};

use crate::change::{IndexEntryChange, ItemChange};
use crate::index::{entry_of_index, index_changes};
use crate::log::{Log, LogChange};
use crate::range::KeyRange;
use crate::tree::{Partition, Row, Rows, partition_of};

/// A table with everything in it. Cloning shares structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    schema: Arc<TableSchema>,
    state: Arc<TableState>,
    /// Item changes since point-in-time recovery was enabled.
    log: Arc<Log>,
    created_at: Timestamp,
    partitions: Vec<Partition>,
    size_bytes: u64,
    n_items: u64,
    local_sizes: Vec<TreeSize>,
    global_indexes: Vec<GlobalIndexTree>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct TreeSize {
    n_rows: u64,
    size_bytes: u64,
}

/// The partitions of one global index.
#[derive(Debug, Clone, PartialEq)]
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
        let mut state = TableState::active(schema.billing, created_at);
        for index in &schema.global_indexes {
            let warm = index.throughput.unwrap_or(ON_DEMAND_WARM);
            state.indexes.insert(index.name.clone(), IndexState::active(warm));
        }
        Self {
            schema: Arc::new(schema),
            state: Arc::new(state),
            log: Arc::default(),
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

    /// Its schema, to keep.
    pub fn shared_schema(&self) -> Arc<TableSchema> {
        Arc::clone(&self.schema)
    }

    /// True if its schema is the very one that was kept.
    pub fn has_schema(&self, kept: &Arc<TableSchema>) -> bool {
        Arc::ptr_eq(&self.schema, kept)
    }

    /// When it was created.
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// Its settings and where it is in its life.
    pub fn state(&self) -> &TableState {
        &self.state
    }

    /// Its settings, to keep.
    pub fn shared_state(&self) -> Arc<TableState> {
        Arc::clone(&self.state)
    }

    /// Item changes since point-in-time recovery was enabled, as far as they are kept.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The same table in another state.
    #[must_use]
    pub fn with_state(&self, state: TableState) -> Self {
        Self { state: Arc::new(state), ..self.clone() }
    }

    /// The same table with another log.
    #[must_use]
    pub fn with_log(&self, log: Log) -> Self {
        Self { log: Arc::new(log), ..self.clone() }
    }

    /// The same table with another billing and capacity; keys and indexes must be the same.
    #[must_use]
    pub fn with_capacity(&self, schema: TableSchema) -> Self {
        Self { schema: Arc::new(schema), ..self.clone() }
    }

    /// The same table with one more global index, which holds an entry of every item that fits.
    #[must_use]
    pub fn with_global_index(&self, index: GlobalSecondaryIndex, n_partitions: u32) -> Self {
        let mut schema = (*self.schema).clone();
        let name = index.name.clone();
        schema.global_indexes.push(index);
        let mut tree = GlobalIndexTree {
            name: name.clone(),
            partitions: Partition::even(n_partitions, 0),
            size: TreeSize::default(),
        };
        if let Some(index) = schema.index(name.as_str()) {
            for (key, row) in self.items().range(&KeyRange::all(), true) {
                if let Some((key, row)) = entry_of_index(&schema, index, key, row) {
                    tree.set(&key, Some(row));
                }
            }
        }
        let mut table = self.clone();
        table.schema = Arc::new(schema);
        table.global_indexes.push(tree);
        table
    }

    /// The same table without the global index called `name`.
    #[must_use]
    pub fn without_global_index(&self, name: &IndexName) -> Self {
        let mut table = self.clone();
        let schema = Arc::make_mut(&mut table.schema);
        schema.global_indexes.retain(|index| index.name != *name);
        table.global_indexes.retain(|index| index.name != *name);
        Arc::make_mut(&mut table.state).indexes.remove(name);
        table
    }

    /// The same table in at least so many partitions: the widest are divided in the middle, none are merged.
    #[must_use]
    pub fn with_partitions(&self, n_partitions: u32) -> Self {
        let mut table = self.clone();
        if let Some(partitions) = grown(&table.partitions, n_partitions) {
            table.partitions = partitions;
        }
        table
    }

    /// The same table with the global index called `name` in at least so many partitions.
    #[must_use]
    pub fn with_index_partitions(&self, name: &IndexName, n_partitions: u32) -> Self {
        let mut table = self.clone();
        for index in table.global_indexes.iter_mut().filter(|index| index.name == *name) {
            if let Some(partitions) = grown(&index.partitions, n_partitions) {
                index.partitions = partitions;
            }
        }
        table
    }

    /// The same table with the partition that holds `at` divided there: `at` is the first key of the upper half.
    /// In a table with local indexes only its hash counts, since these keep an item collection together.
    #[must_use]
    pub fn with_split(&self, index: Option<&IndexName>, at: &EncodedKey) -> Self {
        let mut table = self.clone();
        let partitions = match index {
            None => Some(&mut table.partitions),
            Some(name) => {
                let trees = &mut table.global_indexes;
                trees.iter_mut().find(|tree| tree.name == *name).map(|tree| &mut tree.partitions)
            }
        };
        if let Some(partitions) = partitions {
            let whole_collections = index.is_none() && !self.local_sizes.is_empty();
            let at =
                if whole_collections { &EncodedKey::from_bytes(&at.as_bytes()[..8]) } else { at };
            let position = partition_of(partitions, at);
            if !partitions[position].begins_at(at) {
                let halves = partitions[position].split(at);
                partitions.splice(position..=position, halves);
            }
        }
        table
    }

    /// The same table with these items and their index entries put into it.
    #[must_use]
    pub fn filled(&self, rows: impl IntoIterator<Item = (EncodedKey, Row)>) -> Self {
        let mut table = self.clone();
        for (key, row) in rows {
            table.put(key, row);
        }
        table
    }

    /// Puts an item and its index entries into a table that is being built.
    pub fn put(&mut self, key: EncodedKey, row: Row) {
        let before = self.get(&key).cloned();
        let name = self.schema.name.clone();
        let change = ItemChange { table: name, key, before, after: Some(row) };
        self.apply_item(&change);
        for entry in index_changes(&Arc::clone(&self.schema), &change) {
            self.apply_entry(&entry);
        }
    }

    /// The items as they were at `moment`, found by taking back what the log has of later changes.
    pub fn items_at(&self, moment: Timestamp) -> Vec<(EncodedKey, Row)> {
        let mut items = Rows::default();
        for (key, row) in self.items().range(&KeyRange::all(), true) {
            items.set(key, Some(row.clone()));
        }
        for record in self.log.iter().rev().take_while(|record| record.at > moment) {
            items.set(&record.key, record.before.clone());
        }
        let all = items.range(&Unbounded, &Unbounded);
        all.map(|(key, row)| (key.clone(), row.clone())).collect()
    }

    /// Adds a record to the log, or takes it back.
    pub(crate) fn apply_log(&mut self, change: &LogChange) {
        let log = Arc::make_mut(&mut self.log);
        if !change.is_added {
            log.pop(change.record.sequence);
        } else if self.state.recovery.is_some() {
            log.push(Arc::clone(&change.record));
        }
    }

    /// When something is due next.
    pub fn due_at(&self) -> Option<Timestamp> {
        let days = self.state.recovery.map_or(0, |recovery| i64::from(recovery.period_days));
        let kept_ms = (days + 1) * 24 * 3_600 * 1_000;
        let oldest = self.log.first().map(|record| record.at.plus_millis(kept_ms));
        self.state.due_at().into_iter().chain(oldest).min()
    }

    /// The item with this key.
    pub fn get(&self, key: &EncodedKey) -> Option<&Row> {
        self.partitions[partition_of(&self.partitions, key)].rows.get(key)
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
        let position = partition_of(&self.partitions, &change.key);
        let old = self.partitions[position].rows.set(&change.key, change.after.clone());
        let mut size = TreeSize { n_rows: self.n_items, size_bytes: self.size_bytes };
        size.replace(old.as_ref(), change.after.as_ref());
        (self.n_items, self.size_bytes) = (size.n_rows, size.size_bytes);
    }

    /// Sets the index entry the change says is there now. A change of an index the table lacks does nothing.
    pub(crate) fn apply_entry(&mut self, change: &IndexEntryChange) {
        if let Some(local) = self.local_position(change.index.as_str()) {
            let position = partition_of(&self.partitions, &change.key);
            let old = self.partitions[position].local_entries[local]
                .set(&change.key, change.after.clone());
            self.local_sizes[local].replace(old.as_ref(), change.after.as_ref());
        } else if let Some(index) =
            self.global_indexes.iter_mut().find(|index| index.name == change.index)
        {
            index.set(&change.key, change.after.clone());
        }
    }
}

impl GlobalIndexTree {
    /// Puts an entry or, with none, removes it.
    fn set(&mut self, key: &EncodedKey, row: Option<Row>) {
        let position = partition_of(&self.partitions, key);
        let new = row.as_ref().map(|row| row.size_bytes);
        let old = self.partitions[position].rows.set(key, row);
        self.size.replace_sizes(old.map(|row| row.size_bytes), new);
    }
}

/// These partitions with the widest divided in the middle of its hashes until there are `n`; none where there are
/// as many already. Where partitions begin that were divided before stays.
fn grown(partitions: &[Partition], n: u32) -> Option<Vec<Partition>> {
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    if n <= partitions.len() {
        return None;
    }
    let mut grown = partitions.to_vec();
    while grown.len() < n {
        let Some((position, middle)) = widest(&grown) else { break };
        let halves = grown[position].split(&EncodedKey::from_bytes(&middle.to_be_bytes()));
        grown.splice(position..=position, halves);
    }
    Some(grown)
}

/// The first of the widest partitions, and its middle; none where a single hash is left to each.
fn widest(partitions: &[Partition]) -> Option<(usize, u64)> {
    let mut widest = (1, None);
    for (position, partition) in partitions.iter().enumerate() {
        let end = partitions.get(position + 1).map_or(1 << 64, |next| u128::from(next.first_hash));
        let width = end - u128::from(partition.first_hash);
        if width > widest.0 {
            let half = u64::try_from(width / 2).expect("half of at most 2^64");
            widest = (width, Some((position, partition.first_hash + half)));
        }
    }
    widest.1
}

impl TreeSize {
    fn replace(&mut self, old: Option<&Row>, new: Option<&Row>) {
        self.replace_sizes(old.map(|row| row.size_bytes), new.map(|row| row.size_bytes));
    }

    fn replace_sizes(&mut self, old: Option<u32>, new: Option<u32>) {
        if let Some(size_bytes) = old {
            self.n_rows -= 1;
            self.size_bytes -= u64::from(size_bytes);
        }
        if let Some(size_bytes) = new {
            self.n_rows += 1;
            self.size_bytes += u64::from(size_bytes);
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
            Included(key) | Excluded(key) => self.partition_position(key),
            Unbounded => 0,
        };
        let last = match &range.upper {
            Included(key) => self.partition_position(key),
            Excluded(key) => {
                let at = self.partition_position(key);
                // An end that is a partition's very beginning takes nothing from that partition.
                let begins_there = at > first && self.partitions[at].begins_at(key);
                if begins_there { at - 1 } else { at }
            }
            Unbounded => self.partitions.len() - 1,
        };
        &self.partitions[first..=last.max(first)]
    }

    /// Position, from 0, of the partition that holds `key`.
    pub fn partition_position(self, key: &EncodedKey) -> usize {
        partition_of(self.partitions, key)
    }

    /// All partitions, in the order of their keys.
    pub const fn partitions(self) -> &'a [Partition] {
        self.partitions
    }

    /// True if the partitions share the space of hashes evenly, as those of a table that was never split.
    pub fn is_even(self) -> bool {
        let n = u32::try_from(self.partitions.len()).unwrap_or(u32::MAX);
        let even = Partition::even(n, 0);
        let mut pairs = self.partitions.iter().zip(&even);
        pairs.all(|(one, other)| {
            (one.first_hash, &one.first_key) == (other.first_hash, &other.first_key)
        })
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

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
