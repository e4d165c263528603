//! What partitions need after they were used: division for heat, for size, and for more throughput.
//!
//! Invariant: partitions are divided between requests, never during one.
//!
//! Source: facts 6.1 to 6.3.

use std::sync::Arc;

use hashrange_storage::{Change, Table, TableChange, TreeRef};
use hashrange_types::{EncodedKey, ProvisionedThroughput};

use super::Cluster;
use crate::event::SplitCause;
use crate::heat::Heat;
use crate::placement::TreeName;
use crate::samples::fair_cut;
use crate::settings::Settings;

/// Hundredths of its ceiling that a partition gets when a table that grows spreads evenly (model).
const HEADROOM_PERCENT: u64 = 80;
/// Partitions that growth makes at most of one table or index.
const PARTITIONS_MAX: usize = 512;

/// What is to be done.
#[derive(Debug, Clone, Default)]
pub(super) struct Upkeep {
    /// Partitions that were near their ceilings for long.
    hot: Vec<u32>,
    /// Partitions that hold too many bytes.
    full: Vec<u32>,
    /// True if a table or index serves more than before.
    pub(super) is_grown: bool,
}

impl Upkeep {
    /// Notes a partition that was near its ceiling for long.
    pub(super) fn look(&mut self, partition: u32, heat: &Heat, settings: &Settings) {
        let is_hot = settings.heat_split_after_s.is_some_and(|after| heat.n_hot() >= after.max(1));
        if is_hot && !self.hot.contains(&partition) {
            self.hot.push(partition);
        }
    }
}

impl Cluster {
    /// Does what is to be done.
    pub(super) fn keep_up(&mut self) {
        while let Some(partition) = self.upkeep.hot.pop() {
            self.split_for_heat(partition);
        }
        while let Some(partition) = self.upkeep.full.pop() {
            self.split_for_size(partition);
        }
        if std::mem::take(&mut self.upkeep.is_grown) {
            self.grow();
        }
    }

    /// Divides a hot partition where its load is halved. Not where a single item, or a collection that must stay
    /// whole, takes all of it, nor again behind keys that only rise.
    fn split_for_heat(&mut self, number: u32) {
        let keeps_collections = self.keeps_collections(number);
        let Some(partition) = self.placement.partition_mut(number) else { return };
        let cut = partition.heat.samples().fair_cut(keeps_collections);
        let rises = partition.heat.samples().rise();
        let is_in_vain = rises && partition.heat.is_behind;
        partition.heat.restart();
        let Some(at) = cut.filter(|_| !is_in_vain) else { return };
        let tree = partition.tree.clone();
        if self.divide(number, &at, SplitCause::Heat) {
            let upper = self.placement.holding(&tree, &at);
            if let Some(upper) = upper.and_then(|upper| self.placement.partition_mut(upper)) {
                upper.heat.is_behind = rises;
            }
        }
    }

    fn keeps_collections(&self, number: u32) -> bool {
        self.placement.partition(number).is_some_and(|one| {
            let table = self.store.table(one.tree.0.as_str());
            one.tree.1.is_none()
                && table.is_some_and(|table| !table.schema().local_indexes.is_empty())
        })
    }

    /// Divides a partition that holds too much at the middle of its bytes.
    fn split_for_size(&mut self, number: u32) {
        let keeps_collections = self.keeps_collections(number);
        let Some(partition) = self.placement.partition_mut(number) else { return };
        // Asked again when it has grown by a tenth, if it can't be divided now.
        partition.full_at_bytes = partition.size_bytes + partition.size_bytes / 10 + 1;
        let tree = partition.tree.clone();
        let middle = self.stored(&tree, number).and_then(|stored| {
            let rows = || stored.rows().map(|(key, row)| (key, u64::from(row.size_bytes)));
            let total = rows().map(|(_, size_bytes)| size_bytes).sum();
            fair_cut(rows(), total, keeps_collections)
        });
        if let Some(at) = middle {
            self.divide(number, &at, SplitCause::Size);
        }
    }

    /// The partition as the store has it.
    fn stored(&self, tree: &TreeName, number: u32) -> Option<&hashrange_storage::Partition> {
        let position = self.placement.position(tree, number)?;
        tree_ref(self.store.table(tree.0.as_str())?, tree)?.partitions().get(position)
    }

    /// Finds out how many bytes a new part of a partition holds.
    pub(super) fn measure(&mut self, tree: &TreeName, number: u32) {
        let size_bytes =
            self.stored(tree, number).map_or(0, hashrange_storage::Partition::size_bytes);
        if let Some(partition) = self.placement.partition_mut(number) {
            partition.size_bytes = size_bytes;
            partition.full_at_bytes = self.settings.partition_bytes_max;
            if size_bytes > partition.full_at_bytes {
                self.upkeep.full.push(number);
            }
        }
    }

    /// Follows a change of an item's or entry's size, from the first to the second.
    pub(super) fn resize(&mut self, tree: &TreeName, key: &EncodedKey, sizes: (u32, u32)) {
        let Some(number) = self.placement.holding(tree, key) else { return };
        let Some(partition) = self.placement.partition_mut(number) else { return };
        let (before, after) = (u64::from(sizes.0), u64::from(sizes.1));
        partition.size_bytes = (partition.size_bytes + after).saturating_sub(before);
        if partition.size_bytes > partition.full_at_bytes && !self.upkeep.full.contains(&number) {
            self.upkeep.full.push(number);
        }
    }

    /// Makes tables and indexes that serve more than before as warm as that, and divides their partitions until
    /// load that spreads evenly fits.
    fn grow(&mut self) {
        if !self.settings.has_limits {
            return;
        }
        let mut grown: Vec<(TreeName, ProvisionedThroughput)> = Vec::new();
        for tree in self.placement.trees_mut() {
            if let Some(served) = tree.capacity.take_growth() {
                grown.push((tree.name.clone(), served));
            }
        }
        for (tree, served) in grown {
            self.warm(&tree, served);
            let part = |ceiling: u64, served: u64| {
                (u128::from(ceiling * HEADROOM_PERCENT / 100) << 64) / u128::from(served.max(1))
            };
            let writes = part(self.settings.partition_write_units, served.write);
            let width = writes.min(part(self.settings.partition_read_units, served.read));
            for _ in 0..PARTITIONS_MAX {
                let Some((number, at)) = self.placement.wider_than(&tree, width) else { break };
                if !self.divide(number, &at, SplitCause::Capacity) {
                    break;
                }
            }
        }
    }

    /// Notes in the table's state what it serves at once.
    fn warm(&mut self, (table, index): &TreeName, served: ProvisionedThroughput) {
        let Some(before) = self.store.shared_table(table.as_str()) else { return };
        let mut state = before.state().clone();
        let warm = match index {
            None => Some(&mut state.warm),
            Some(index) => state.indexes.get_mut(index).map(|index| &mut index.warm),
        };
        let Some(warm) = warm else { return };
        *warm = ProvisionedThroughput {
            read: warm.read.max(served.read),
            write: warm.write.max(served.write),
        };
        let after = Some(Arc::new(before.with_state(state)));
        let change = TableChange { name: table.clone(), before: Some(before), after };
        self.store.apply(&Change::Table(change));
    }
}

pub(super) fn tree_ref<'a>(table: &'a Table, tree: &TreeName) -> Option<TreeRef<'a>> {
    match &tree.1 {
        None => Some(table.items()),
        Some(index) => table.index(index.as_str()),
    }
}
