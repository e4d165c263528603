//! The store as a replica has it: the leaders' with the old images of what the replica lacks.
//!
//! Invariant: old images are put into the store itself for the time of one read, and taken back in the opposite
//! order before anything else happens: a copy of the store would cost a copy of all its partitions' heads.

use hashrange_storage::{
    Change, IndexEntryChange, ItemChange, KeyRange, Row, Store, index_changes,
};
use hashrange_types::EncodedKey;

use crate::placement::TreeName;

/// What took the place of the newest.
#[derive(Debug, Default)]
pub(crate) struct OldImages(Vec<Change>);

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

    fn make(&mut self, store: &mut Store, change: Change) {
        store.apply(&change);
        self.0.push(change);
    }

    /// True if nothing took anything's place.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the newest back.
    pub(crate) fn take_back(self, store: &mut Store) {
        for change in self.0.iter().rev() {
            store.apply(&change.invert());
        }
    }
}
