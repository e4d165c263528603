//! Sizes of item collections, for tables with local indexes.
//!
//! DynamoDB's own estimate is refreshed in the background; this one is exact for the store as the request
//! found it.
//!
//! Source: facts 2.6.

use hashrange_storage::{KeyRange, Table};
use hashrange_types::Item;
use hashrange_types::operation::ItemCollectionMetrics;

/// Bytes of a gigabyte as the estimate counts.
const GIGABYTE: u64 = 1 << 30;

/// Size of the collection the item with this key belongs to, its items and local index entries together. None for a table
/// without local indexes.
pub(crate) fn collection_metrics(table: &Table, key: &Item) -> Option<ItemCollectionMetrics> {
    let schema = table.schema();
    if schema.local_indexes.is_empty() {
        return None;
    }
    let range = KeyRange::starting_with(&schema.key.encode_partition(key)?);
    let entries: u64 = schema
        .local_indexes
        .iter()
        .filter_map(|index| table.index(index.name.as_str()))
        .map(|tree| tree.size_bytes_in(&range))
        .sum();
    let size_bytes = table.items().size_bytes_in(&range) + entries;
    let floor = u32::try_from(size_bytes / GIGABYTE).unwrap_or(u32::MAX);
    let partition = &schema.key.partition;
    let item_collection_key = partition
        .iter()
        .filter_map(|attribute| {
            Some((attribute.name.clone(), key.get(attribute.name.as_str())?.clone()))
        })
        .collect();
    Some(ItemCollectionMetrics {
        item_collection_key,
        size_estimate_range_gb: [f64::from(floor), f64::from(floor) + 1.0],
    })
}

/// One entry for each item collection, however many of its items were written.
pub(crate) fn distinct(
    sizes: impl Iterator<Item = ItemCollectionMetrics>,
) -> Vec<ItemCollectionMetrics> {
    let mut distinct: Vec<ItemCollectionMetrics> = Vec::new();
    for size in sizes {
        if distinct.iter().all(|seen| seen.item_collection_key != size.item_collection_key) {
            distinct.push(size);
        }
    }
    distinct
}
