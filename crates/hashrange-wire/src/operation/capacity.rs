//! ReturnConsumedCapacity, ConsumedCapacity and ItemCollectionMetrics.
//!
//! Source: facts 2.5 and 2.6.

use hashrange_types::operation::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
use hashrange_types::{CapacityUnits, IndexName};
use smol_str::SmolStr;

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
    list(object, consumed, one);
}

/// ConsumedCapacity of a transaction: as of a batch, but total and arms say whether their units are of reads
/// or of writes.
pub(super) fn consumed_by_transaction(object: &mut ObjectWriter, consumed: &[ConsumedCapacity]) {
    list(object, consumed, |writer, consumed| {
        let kind = if consumed.is_write { "WriteCapacityUnits" } else { "ReadCapacityUnits" };
        entry(writer, consumed, Some(kind));
    });
}

fn list(
    object: &mut ObjectWriter,
    consumed: &[ConsumedCapacity],
    write: impl FnMut(&mut Writer, &ConsumedCapacity),
) {
    let shown = || consumed.iter().filter(|one| one.shown != ReturnConsumedCapacity::None);
    if shown().next().is_some() {
        object.member("ConsumedCapacity").list(shown(), write);
    }
}

fn one(writer: &mut Writer, consumed: &ConsumedCapacity) {
    entry(writer, consumed, None);
}

/// One table's block; `kind` is the member that repeats each number in transactions.
fn entry(writer: &mut Writer, consumed: &ConsumedCapacity, kind: Option<&str>) {
    writer.object(|object| {
        object.text("TableName", &consumed.table_name);
        units(object, consumed.total(), kind);
        if consumed.shown == ReturnConsumedCapacity::Indexes {
            object.member("Table").object(|object| units(object, consumed.table, kind));
            indexes(object, "LocalSecondaryIndexes", &consumed.local_indexes, kind);
            indexes(object, "GlobalSecondaryIndexes", &consumed.global_indexes, kind);
        }
    });
}

fn indexes(
    object: &mut ObjectWriter,
    name: &str,
    indexes: &[(IndexName, CapacityUnits)],
    kind: Option<&str>,
) {
    if indexes.is_empty() {
        return;
    }
    object.member(name).object(|object| {
        for (index, consumed) in indexes {
            object.member(index.as_str()).object(|object| units(object, *consumed, kind));
        }
    });
}

fn units(object: &mut ObjectWriter, units: CapacityUnits, kind: Option<&str>) {
    object.member("CapacityUnits").units(units);
    if let Some(kind) = kind {
        object.member(kind).units(units);
    }
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

/// ItemCollectionMetrics of a batch or transaction, table by table, if there are any.
pub(super) fn collection_metrics_by_table(
    object: &mut ObjectWriter,
    metrics: Option<&Vec<(SmolStr, Vec<ItemCollectionMetrics>)>>,
) {
    let Some(metrics) = metrics else { return };
    object.member("ItemCollectionMetrics").object(|object| {
        for (table, collections) in metrics {
            object.member(table).list(collections, one_collection);
        }
    });
}

/// The size of one item collection.
fn one_collection(writer: &mut Writer, metrics: &ItemCollectionMetrics) {
    writer.object(|object| {
        object.member("ItemCollectionKey").item(&metrics.item_collection_key);
        object.member("SizeEstimateRangeGB").list(metrics.size_estimate_range_gb, Writer::decimal);
    });
}
