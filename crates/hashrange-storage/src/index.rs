//! Upkeep of secondary indexes: which entries an item's change changes.
//!
//! Invariant: applied in order after the item change, the entries equal those of an index built anew.
//!
//! Source: facts 2.3; Developer Guide, "Using global secondary indexes".

use hashrange_types::schema::IndexSchema;
use hashrange_types::{EncodedKey, Projection, TableSchema};

use crate::change::{IndexEntryChange, ItemChange};
use crate::tree::Row;

/// The entry changes that follow from an item's change, index by index in schema order.
///
/// Nothing for an index whose entry stays equal; one change where its key stays; a removal and a put where
/// its key moves, in this order.
pub fn index_changes(schema: &TableSchema, change: &ItemChange) -> Vec<IndexEntryChange> {
    let mut changes = Vec::new();
    for index in schema.indexes() {
        let before = entry_of(schema, index, change, change.before.as_ref());
        let after = entry_of(schema, index, change, change.after.as_ref());
        let entry = |key: EncodedKey, before: Option<Row>, after: Option<Row>| IndexEntryChange {
            table: change.table.clone(),
            index: index.name.clone(),
            is_local: index.is_local,
            key,
            before,
            after,
        };
        match (before, after) {
            (None, None) => {}
            (Some((key, row)), None) => changes.push(entry(key, Some(row), None)),
            (None, Some((key, row))) => changes.push(entry(key, None, Some(row))),
            (Some((old_key, old)), Some((new_key, new))) => {
                if old_key != new_key {
                    changes.push(entry(old_key, Some(old), None));
                    changes.push(entry(new_key, None, Some(new)));
                } else if old.item != new.item {
                    changes.push(entry(new_key, Some(old), Some(new)));
                }
            }
        }
    }
    changes
}

/// Key and row of the index entry for one image of the item, if it is in the index.
fn entry_of(
    schema: &TableSchema,
    index: IndexSchema<'_>,
    change: &ItemChange,
    image: Option<&Row>,
) -> Option<(EncodedKey, Row)> {
    let image = image?;
    let key = index.key.encode(&image.item)?.followed_by(&change.key);
    let row = match index.projection {
        // The entry is the item: share it.
        Projection::All => image.clone(),
        _ => Row::new(index.entry(schema, &image.item)?),
    };
    Some((key, row))
}
