//! The store as a replica has it: the leaders' with the old images of what the replica lacks.
//!
//! Invariant: old images are put into the store itself for the time of one read, and taken back in the opposite
//! order before anything else happens: a copy of the store would cost a copy of all its partitions' heads.

use hashrange_engine::{Outcome, Plan, execute, execute_seeing};
use hashrange_storage::{
    Change, IndexEntryChange, ItemChange, KeyRange, Row, Store, index_changes,
};
use hashrange_types::{EncodedKey, Timestamp};

use crate::placement::TreeName;

/// What took the place of the newest.
#[derive(Debug, Default)]
pub(crate) struct OldImages {
    /// The changes that put them there.
    made: Vec<Change>,
    /// The one item that is read, which need not be put anywhere.
    lone: Lone,
}

/// The one item that is read, if it is one.
#[derive(Debug, Default)]
enum Lone {
    /// As the store has it.
    #[default]
    Newest,
    /// As the replica has it.
    Old(Option<Row>),
}

impl OldImages {
    /// Puts the old image of an item of a table, with its entries of local indexes, or of an entry of a global
    /// index in the place of the newest.
    pub(crate) fn put(
        &mut self,
        store: &mut Store,
        (table, index): &TreeName,
        key: EncodedKey,
        after: Option<Row>,
    ) {
        let Some(there) = store.table(table.as_str()) else { return };
        let Some(index) = index else {
            let before = there.get(&key).cloned();
            let change = ItemChange { table: table.clone(), key, before, after };
            let mut entries = index_changes(there.schema(), &change);
            entries.retain(|entry| entry.is_local);
            self.make(store, Change::Item(change));
            for entry in entries {
                self.make(store, Change::IndexEntry(entry));
            }
            return;
        };
        let entries = there.index(index.as_str());
        let only = KeyRange::only(key.clone());
        let before = entries.and_then(|entries| entries.range(&only, true).next());
        let before = before.map(|(_, row)| row.clone());
        let (table, index) = (table.clone(), index.clone());
        let change = IndexEntryChange { table, index, is_local: false, key, before, after };
        self.make(store, Change::IndexEntry(change));
    }

    /// Keeps the old image of the one item that is read.
    pub(crate) fn keep(&mut self, image: Option<Row>) {
        self.lone = Lone::Old(image);
    }

    /// Executes a read of what is shown.
    pub(crate) fn execute(&self, store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
        match &self.lone {
            Lone::Old(image) => execute_seeing(store, plan, image.as_ref(), now),
            Lone::Newest => execute(store, plan, now),
        }
    }

    fn make(&mut self, store: &mut Store, change: Change) {
        store.apply(&change);
        self.made.push(change);
    }

    /// True if nothing took anything's place.
    pub(crate) const fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// Puts the newest back.
    pub(crate) fn take_back(self, store: &mut Store) {
        for change in self.made.iter().rev() {
            store.apply(&change.invert());
        }
    }
}
