//! ReturnConsumedCapacity, ConsumedCapacity and ItemCollectionMetrics.
//!
//! Source: facts 2.5 and 2.6.

use hashrange_types::operation::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use hashrange_types::{CapacityUnits, IndexName};

use crate::constraint::{Choices, Constraints, Place};
use crate::members::{Members, Read};
use crate::writer::{ObjectWriter, Writer};

const RETURN_CONSUMED_CAPACITY: &Choices<ReturnConsumedCapacity> = &[
    ("INDEXES", ReturnConsumedCapacity::Indexes),
    ("TOTAL", ReturnConsumedCapacity::Total),
    ("NONE", ReturnConsumedCapacity::None),
];
const RETURN_ITEM_COLLECTION_METRICS: &Choices<bool> = &[("SIZE", true), ("NONE", false)];

/// Reads ReturnConsumedCapacity.
pub(super) fn return_consumed_capacity(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<ReturnConsumedCapacity> {
    let name = "ReturnConsumedCapacity";
    let chosen = constraints.choice(members, name, RETURN_CONSUMED_CAPACITY, &Place::Root)?;
    Ok(chosen.unwrap_or_default())
}

/// Reads ReturnItemCollectionMetrics: true for SIZE.
pub(super) fn returns_collection_metrics(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Read<bool> {
    let name = "ReturnItemCollectionMetrics";
    let chosen = constraints.choice(members, name, RETURN_ITEM_COLLECTION_METRICS, &Place::Root)?;
    Ok(chosen.unwrap_or_default())
}

/// The request's member for `asked`, where it is not the default.
pub(super) fn consumed(object: &mut ObjectWriter, consumed: &ConsumedCapacity) {
    if consumed.shown != ReturnConsumedCapacity::None {
        one(object.member("ConsumedCapacity"), consumed);
    }
}

/// ConsumedCapacity of a batch: one element for each table, and no member at all where nobody asked.
pub(super) fn consumed_list(object: &mut ObjectWriter, consumed: &[ConsumedCapacity]) {
    let shown = || consumed.iter().filter(|one| one.shown != ReturnConsumedCapacity::None);
    if shown().next().is_some() {
        object.member("ConsumedCapacity").list(shown(), one);
    }
}

fn one(writer: &mut Writer, consumed: &ConsumedCapacity) {
    writer.object(|object| {
        object.text("TableName", &consumed.table_name);
        object.member("CapacityUnits").units(consumed.total());
        if consumed.shown == ReturnConsumedCapacity::Indexes {
            units(object.member("Table"), consumed.table);
            indexes(object, "LocalSecondaryIndexes", &consumed.local_indexes);
            indexes(object, "GlobalSecondaryIndexes", &consumed.global_indexes);
        }
    });
}

fn indexes(object: &mut ObjectWriter, name: &str, indexes: &[(IndexName, CapacityUnits)]) {
    if indexes.is_empty() {
        return;
    }
    object.member(name).object(|object| {
        for (index, consumed) in indexes {
            units(object.member(index.as_str()), *consumed);
        }
    });
}

fn units(writer: &mut Writer, units: CapacityUnits) {
    writer.object(|object| object.member("CapacityUnits").units(units));
}

/// ItemCollectionMetrics of a single write, if there are any.
pub(super) fn collection_metrics(
    object: &mut ObjectWriter,
    metrics: Option<&ItemCollectionMetrics>,
) {
    if let Some(metrics) = metrics {
        one_collection(object.member("ItemCollectionMetrics"), metrics);
    }
}

/// The size of one item collection.
pub(super) fn one_collection(writer: &mut Writer, metrics: &ItemCollectionMetrics) {
    writer.object(|object| {
        object.member("ItemCollectionKey").item(&metrics.item_collection_key);
        object.member("SizeEstimateRangeGB").list(metrics.size_estimate_range_gb, Writer::decimal);
    });
}
