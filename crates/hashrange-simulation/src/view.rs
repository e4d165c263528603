//! The store as a replica has it: the leaders' with the old images of what the replica lacks.
//!
//! Invariant: a view is made for one read and forgotten; it shares everything with the store but the items that
//! differ.

use hashrange_storage::{Change, IndexEntryChange, ItemChange, Row, Store, index_changes};
use hashrange_types::{EncodedKey, IndexName, TableName};

/// Puts old images of a table's items, with their entries of local indexes, in the place of the newest.
pub(crate) fn set_items(
    view: &mut Store,
    table: &TableName,
    old_images: Vec<(EncodedKey, Option<Row>)>,
) {
    for (key, after) in old_images {
        let Some(there) = view.table(table.as_str()) else { return };
        let change =
            ItemChange { table: table.clone(), before: there.get(&key).cloned(), key, after };
        let entries = index_changes(there.schema(), &change);
        view.apply(&Change::Item(change));
        for entry in entries.into_iter().filter(|entry| entry.is_local) {
            view.apply(&Change::IndexEntry(entry));
        }
    }
}

/// Puts old entries of a global index in the place of the newest.
pub(crate) fn set_entries(
    view: &mut Store,
    table: &TableName,
    index: &IndexName,
    old_images: Vec<(EncodedKey, Option<Row>)>,
) {
    for (key, after) in old_images {
        view.apply(&Change::IndexEntry(IndexEntryChange {
            table: table.clone(),
            index: index.clone(),
            is_local: false,
            key,
            before: None,
            after,
        }));
    }
}
