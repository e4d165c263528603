//! Dividing a partition.
//!
//! Invariant: the store's table and its placement are divided at the same key.
//!
//! Source: facts 6.1.

use std::sync::Arc;

use hashrange_storage::{Change, TableChange};
use hashrange_types::EncodedKey;

use super::serve::place;
use super::{Cluster, Due};
use crate::event::{EventKind, SplitCause};
use crate::placement::{Halves, TreeName};

impl Cluster {
    /// Divides a partition at the first key of its upper half. Nothing happens where the key is not inside the
    /// partition. In a table with local indexes an item collection stays whole.
    pub fn divide(&mut self, partition: u32, at: &EncodedKey, cause: SplitCause) -> bool {
        let Some(tree) = self.placement.partition(partition).map(|one| one.tree.clone()) else {
            return false;
        };
        if self.placement.holding(&tree, at) != Some(partition) {
            return false;
        }
        let Some(at) = self.divide_table(&tree, at) else { return false };
        let halves = self.placement.split(&tree, &at, &self.settings, self.now);
        if let Some(halves) = halves {
            self.divided(&tree, halves, cause);
        }
        true
    }

    /// Sends the upper half's followers on their way, lets it elect a leader where there is none, and tells of it.
    pub(super) fn divided(&mut self, tree: &TreeName, halves: Halves, cause: SplitCause) {
        let Halves { lower, upper, at } = halves;
        if let Some(group) = self.placement.partition(upper).map(|one| &one.group) {
            if let Some(at) = group.leaderless_until {
                self.schedule.add(at.max(self.now), Due::Elect(upper));
            }
            let newest = group.next_number() - 1;
            for (replica, arrives_at) in group.arrivals() {
                let due = Due::ReplicaApply { partition: upper, replica, number: newest };
                self.schedule.add(arrives_at.max(self.now), due);
            }
        }
        self.measure(tree, lower);
        self.measure(tree, upper);
        self.placement.share_out(tree, &self.settings, self.now);
        if tree.1.is_none() {
            self.follow_shards();
        }
        let place = place(tree, lower);
        self.tell(EventKind::PartitionSplit { place, upper, at_key: at, cause });
    }

    /// Divides the store's table; returns where. None if a partition begins there already.
    fn divide_table(&mut self, (table, index): &TreeName, at: &EncodedKey) -> Option<EncodedKey> {
        let before = self.store.shared_table(table.as_str())?;
        let keeps_collections = index.is_none() && !before.schema().local_indexes.is_empty();
        let at = if keeps_collections {
            EncodedKey::from_bytes(&at.as_bytes()[..8])
        } else {
            at.clone()
        };
        let after = before.with_split(index.as_ref(), &at);
        let count = |table: &hashrange_storage::Table| match index {
            None => Some(table.items().n_partitions()),
            Some(index) => {
                table.index(index.as_str()).map(hashrange_storage::TreeRef::n_partitions)
            }
        };
        if count(&after) == count(&before) {
            return None;
        }
        self.store.apply(&Change::Table(TableChange {
            name: table.clone(),
            before: Some(before),
            after: Some(Arc::new(after)),
        }));
        Some(at)
    }
}
