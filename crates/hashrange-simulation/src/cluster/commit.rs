//! What a quorum has: the leader's data changes now, followers and global indexes follow.
//!
//! Invariant: entries of one index arrive in the order in which their items were written.
//!
//! Source: facts 5.1 and 5.2.

use std::collections::VecDeque;

use hashrange_engine::capacity::write_units;
use hashrange_engine::{Outcome, due};
use hashrange_storage::{Change, IndexEntryChange, ItemChange, KeyRange, Row};
use hashrange_types::{CapacityUnits, EncodedKey, Timestamp};

use super::serve::place;
use super::{Cluster, Due};
use crate::event::EventKind;
use crate::placement::TreeName;
use crate::settings::Lag;

/// Items that may expire before one request.
const EXPIRIES_MAX: usize = 1_000;
/// Microseconds until an index without room is asked again (model).
const INDEX_RETRY_US: i64 = 10_000;

/// Entries on their way to one index, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct IndexQueue {
    entries: VecDeque<Waiting>,
    /// True while the index has been asked to look at them again.
    is_asked: bool,
}

#[derive(Debug, Clone)]
struct Waiting {
    change: IndexEntryChange,
    /// True where an item expired: that costs an index nothing either.
    is_free: bool,
    written_at: Timestamp,
    arrives_at: Timestamp,
}

impl IndexQueue {
    /// Entries that wait.
    pub(super) fn n_waiting(&self) -> usize {
        self.entries.len()
    }
}

impl Cluster {
    /// Lets happen what time alone brings: tables become ready, items expire.
    pub(super) fn live(&mut self) {
        self.expect_scaling();
        for change in due(&self.store, self.now, EXPIRIES_MAX) {
            self.commit_from_time(change);
        }
    }

    /// Commits everything that follows from an outcome.
    pub(super) fn commit(&mut self, outcome: &Outcome) {
        for change in &outcome.changes {
            self.commit_change(change.clone());
        }
        self.commit_entries(outcome);
    }

    /// Sends the entries of an outcome on their way.
    pub(super) fn commit_entries(&mut self, outcome: &Outcome) {
        for entry in &outcome.index_entries {
            self.commit_change(Change::IndexEntry(entry.clone()));
        }
    }

    pub(super) fn commit_change(&mut self, change: Change) {
        match change {
            Change::Item(change) => self.commit_item(change),
            Change::IndexEntry(change) if !change.is_local => self.send_entry(change, false),
            Change::Table(change) => {
                self.tell_restored(&change);
                let is_new_expiry = self.is_new_expiry(&change);
                self.store.apply(&Change::Table(change));
                self.follow_tables();
                if is_new_expiry {
                    self.expect_expiries();
                }
            }
            Change::Log(change) => {
                if change.stream.is_some() && change.is_added {
                    let (table, record) = (change.table.clone(), &change.record);
                    let (sequence, is_expiry) = (record.sequence, record.is_expiry);
                    let name = match (&record.before, &record.after) {
                        (None, _) => "INSERT",
                        (Some(_), Some(_)) => "MODIFY",
                        (Some(_), None) => "REMOVE",
                    };
                    self.tell(EventKind::StreamRecord { table, sequence, name, is_expiry });
                }
                self.store.apply(&Change::Log(change));
            }
            Change::Account(change) => {
                self.store.apply(&Change::Account(change));
                self.follow_shards();
            }
            change => {
                if let Change::IndexEntry(entry) = &change {
                    let tree = (entry.table.clone(), None);
                    let sizes = (size_of(entry.before.as_ref()), size_of(entry.after.as_ref()));
                    self.resize(&tree, &entry.key, sizes);
                }
                self.store.apply(&change);
            }
        }
    }

    fn commit_item(&mut self, change: ItemChange) {
        let tree = (change.table.clone(), None);
        let (key, before) = (change.key.clone(), change.before.clone());
        self.expect_expiry(&change);
        if let Some(committed) = &mut self.committed {
            committed.push(change.clone());
        }
        let sizes = (size_of(before.as_ref()), size_of(change.after.as_ref()));
        self.store.apply(&Change::Item(change));
        self.resize(&tree, &key, sizes);
        if let Some(number) = self.replicate(&tree, &key, before) {
            let Some(partition) = self.placement.holding(&tree, &key) else { return };
            self.tell_often(|_| EventKind::WriteCommitted {
                place: place(&tree, partition),
                key,
                number,
            });
        }
        self.n_writes += 1;
    }

    /// Sends a change on its way to the followers; returns its number in its partition.
    fn replicate(&mut self, tree: &TreeName, key: &EncodedKey, before: Option<Row>) -> Option<u64> {
        let delays = [0, 1].map(|follower| {
            delay_us(&self.settings.followers[follower], self.n_writes, &mut self.random)
        });
        let number = self.placement.holding(tree, key)?;
        let group = &mut self.placement.partition_mut(number)?.group;
        let change = group.next_number();
        let arrivals = group.commit(key, before, delays, self.now);
        for (replica, at) in arrivals.into_iter().flatten() {
            let due = Due::ReplicaApply { partition: number, replica, number: change };
            self.schedule.add(at, due);
        }
        Some(change)
    }

    pub(super) fn replica_apply(&mut self, partition: u32, replica: u8, number: u64) {
        let Some(one) = self.placement.partition_mut(partition) else { return };
        if one.group.apply(replica, number) {
            self.tell_often(|cluster| {
                let place = cluster.place_of(partition);
                EventKind::ReplicaApplied { place, replica, number }
            });
        }
    }

    /// Sends an entry on its way to its global index.
    pub(super) fn send_entry(&mut self, change: IndexEntryChange, is_free: bool) {
        let tree = (change.table.clone(), Some(change.index.clone()));
        // The write that the entry follows from was counted before.
        let number = self.n_writes.saturating_sub(1);
        let delay_us = delay_us(&self.settings.indexes, number, &mut self.random);
        let queue = self.index_queues.entry(tree.clone()).or_default();
        let before = queue.entries.back().map_or(self.now, |newest| newest.arrives_at);
        let arrives_at = Timestamp(self.now.0 + delay_us).max(before);
        queue.entries.push_back(Waiting { change, is_free, written_at: self.now, arrives_at });
        if arrives_at <= self.now {
            self.index_apply(&tree);
        } else {
            self.schedule.add(arrives_at, Due::IndexApply(Box::new(tree)));
        }
    }

    /// Writes the entries that have arrived, as far as the index has room for them.
    pub(super) fn index_apply(&mut self, tree: &TreeName) {
        if let Some(queue) = self.index_queues.get_mut(tree) {
            queue.is_asked = false;
        }
        loop {
            let Some(queue) = self.index_queues.get_mut(tree) else { return };
            let has_arrived = |entry: &&Waiting| entry.arrives_at <= self.now;
            let Some(entry) = queue.entries.front().filter(has_arrived).cloned() else { return };
            if !entry.is_free && !self.index_has_room(tree, &entry.change) {
                self.ask_again(tree);
                return;
            }
            if let Some(queue) = self.index_queues.get_mut(tree) {
                queue.entries.pop_front();
            }
            self.write_entry(tree, entry);
        }
    }

    fn ask_again(&mut self, tree: &TreeName) {
        let at = self.in_us(INDEX_RETRY_US);
        let Some(queue) = self.index_queues.get_mut(tree) else { return };
        if !std::mem::replace(&mut queue.is_asked, true) {
            self.schedule.add(at, Due::IndexApply(Box::new(tree.clone())));
        }
    }

    fn write_entry(&mut self, tree: &TreeName, entry: Waiting) {
        let (table, Some(index)) = tree else { return };
        let key = entry.change.key.clone();
        let there = KeyRange::only(key.clone());
        let Some(of) = self.store.table(table.as_str()).and_then(|one| one.index(index.as_str()))
        else {
            // The index was removed while the entry was on its way.
            return;
        };
        let before = of.range(&there, true).next().map(|(_, row)| row.clone());
        let sizes = (size_of(before.as_ref()), size_of(entry.change.after.as_ref()));
        self.store.apply(&Change::IndexEntry(entry.change));
        self.resize(tree, &key, sizes);
        self.replicate(tree, &key, before);
        if let Some(partition) = self.placement.holding(tree, &key) {
            let behind_us = self.now.0 - entry.written_at.0;
            self.tell(EventKind::IndexApplied { place: place(tree, partition), behind_us });
        }
    }
}

/// What writing an entry costs its index: its larger image.
pub(super) fn entry_units(change: &IndexEntryChange) -> CapacityUnits {
    write_units(size_of(change.before.as_ref()).max(size_of(change.after.as_ref())))
}

fn size_of(row: Option<&Row>) -> u32 {
    row.map_or(0, |row| row.size_bytes)
}

/// How long the write with this number takes to arrive.
pub(crate) fn delay_us(lag: &Lag, number: usize, random: &mut crate::random::Random) -> i64 {
    match lag {
        Lag::Fixed(delays) => delays.get(number).or(delays.last()).copied().unwrap_or(0).max(0),
        Lag::LongTailed { median_us, p99_us } => random.long_tailed_us(*median_us, *p99_us),
    }
}
