//! Upkeep of secondary indexes: which entries an item's change changes.
//!
//! Invariant: applied in order after the item change, the entries equal those of an index built anew.
//!
//! Source: facts 2.3; Developer Guide, "Using global secondary indexes".

use hashrange_types::schema::IndexSchema;
use hashrange_types::{AttributeValue, EncodedKey, Projection, TableSchema};

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
    entry_of_index(schema, index, &change.key, image?)
}

/// Key and row of the index entry for an item with this key, if it is in the index.
pub(crate) fn entry_of_index(
    schema: &TableSchema,
    index: IndexSchema<'_>,
    key: &EncodedKey,
    row: &Row,
) -> Option<(EncodedKey, Row)> {
    if index.key.attributes().any(|attribute| is_empty(row.item.get(attribute.name.as_str()))) {
        return None;
    }
    let entry_key = index.key.encode(&row.item)?.followed_by(key);
    let entry = match index.projection {
        // The entry is the item: share it.
        Projection::All => row.clone(),
        _ => Row::new(index.entry(schema, &row.item)?),
    };
    Some((entry_key, entry))
}

/// True for an empty text or binary. It cannot be written to an index key, but an item may have it from before
/// the index was made; such an item is not in the index.
fn is_empty(value: Option<&AttributeValue>) -> bool {
    match value {
        Some(AttributeValue::S(text)) => text.is_empty(),
        Some(AttributeValue::B(bytes)) => bytes.is_empty(),
        _ => false,
    }
}
