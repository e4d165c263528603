//! What an index costs: the writes it takes, measured on the design's own write patterns, and its storage.
//!
//! Invariant: units are those the engine would charge for the index alone. A PutItem counts as a new item, since
//! that is what it is for, whether or not the sample holds its key already; an update that sets an attribute to the
//! value it has counts as a change.
//!
//! Source: facts 2.3 (index writes), 7.2 (100 bytes of overhead for each entry).

use hashrange_engine::capacity::write_units;
use hashrange_engine::{execute, plan};
use hashrange_expressions::{Substitutions, parse_update};
use hashrange_storage::{Change, ItemChange, KeyRange, Row, Store, Table, index_changes};
use hashrange_types::limits::STORAGE_OVERHEAD_BYTES;
use hashrange_types::{
    CapacityUnits, DocumentPath, Item, Operation, Request, TableSchema, Timestamp,
};

use super::candidate::with_index;
use crate::document::AccessPattern;
use crate::fix::IndexPlan;

/// Items looked at to find out how many enter an index. They come in the order of hashes, so that the rest is alike.
const ROWS_MAX: usize = 20_000;

/// What an index costs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct IndexCost {
    /// Write units: a second if `is_rated`, else for the life of one item, each write pattern happening once.
    pub(super) write_units: f64,
    /// True if the design states rates of writes.
    pub(super) is_rated: bool,
    /// Entries on the sample.
    pub(super) n_entries: u64,
    /// Their bytes, overhead included.
    pub(super) storage_bytes: u64,
}

/// What the index `index` costs a table with these patterns. `marks` says of an attribute that items do not carry yet how
/// many would, of how many.
pub(super) fn index_cost(
    store: &Store,
    table: &Table,
    index: &IndexPlan,
    marks: Option<(u64, u64)>,
    patterns: &[AccessPattern],
) -> Option<IndexCost> {
    let mut alone = table.schema().clone();
    alone.global_indexes.clear();
    alone.local_indexes.clear();
    let alone = with_index(&alone, index)?;
    let mut cost = IndexCost::default();
    let n_rows = table.items().n_rows();
    let (mut n_seen, mut bytes) = (0_u64, 0_u64);
    for (_, row) in table.items().range(&KeyRange::all(), true).take(ROWS_MAX) {
        n_seen += 1;
        if let Some(entry) = alone.index(&index.name)?.entry(&alone, &row.item) {
            cost.n_entries += 1;
            bytes += u64::from(entry.size_bytes());
        }
    }
    if n_seen == 0 {
        return None;
    }
    let mut share = ratio(cost.n_entries, n_seen);
    let mut entry_bytes = bytes.checked_div(cost.n_entries).unwrap_or(0);
    cost.n_entries = cost.n_entries * n_rows / n_seen;
    // An attribute that nobody carries yet enters the index with the items it is meant for: as many everywhere as
    // among those that were read.
    if let Some((n_marked, n_read)) = marks {
        share = ratio(n_marked, n_read);
        entry_bytes = table.items().size_bytes() / n_rows;
        cost.n_entries = n_rows * n_marked / n_read;
    }
    cost.storage_bytes = cost.n_entries * (entry_bytes + STORAGE_OVERHEAD_BYTES);

    let writes: Vec<(&AccessPattern, CapacityUnits)> = patterns
        .iter()
        .filter_map(|pattern| Some((pattern, index_units(store, &alone, pattern)?)))
        .collect();
    cost.is_rated = writes.iter().any(|(pattern, _)| pattern.per_second.is_some());
    let rate = |pattern: &AccessPattern| {
        if cost.is_rated { pattern.per_second.unwrap_or(0.0) } else { 1.0 }
    };
    let measured: f64 = writes.iter().map(|(pattern, units)| rate(pattern) * units.as_f64()).sum();
    let puts = writes.iter().filter(|(pattern, _)| pattern.operation == "PutItem");
    let inserts: f64 = puts.map(|(pattern, _)| rate(pattern)).sum();
    // Every entry was written once, whatever the patterns say.
    let inserts = if cost.is_rated { inserts } else { 1.0 };
    let entry_units = write_units(u32::try_from(entry_bytes).unwrap_or(u32::MAX)).as_f64();
    cost.write_units = measured.max(share * entry_units * inserts);
    Some(cost)
}

#[expect(clippy::cast_precision_loss, reason = "counts of items fit 53 bits")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// Units a write pattern takes of the one index of `alone`; none for patterns that do not write its table.
fn index_units(
    store: &Store,
    alone: &TableSchema,
    pattern: &AccessPattern,
) -> Option<CapacityUnits> {
    let operation = Operation::from_name(&pattern.operation)?;
    let text = pattern.request.to_string();
    let decode = || hashrange_wire::decode(operation, &text).ok();
    let changes: Vec<ItemChange> = match decode()? {
        Request::PutItem(put) => {
            let after = Row::new(put.item.ok()?);
            let key = alone.key.encode(&after.item)?;
            vec![ItemChange { table: put.table.name, key, before: None, after: Some(after) }]
        }
        request => {
            let plan = plan(store, request).ok().filter(hashrange_engine::Plan::is_write)?;
            let outcome = execute(store, &plan, Timestamp(0));
            let items = outcome.changes.into_iter().filter_map(|change| match change {
                Change::Item(change) => Some(change),
                _ => None,
            });
            items.collect()
        }
    };
    let mut units = CapacityUnits::ZERO;
    let mut is_of_table = false;
    for change in changes.iter().filter(|change| change.table == alone.name) {
        is_of_table = true;
        for entry in index_changes(alone, change) {
            let size = |row: &Option<Row>| row.as_ref().map_or(0, |row| row.size_bytes);
            units += write_units(size(&entry.before).max(size(&entry.after)));
        }
    }
    if let Some(Request::UpdateItem(update)) = decode() {
        is_of_table |= update.table.name == alone.name;
        if is_of_table && units.is_zero() {
            let row = alone.key.encode(update.key.as_ref().ok()?);
            let row = row.and_then(|key| store.table(alone.name.as_str())?.get(&key));
            let mut substitutions =
                Substitutions::new(update.names.as_ref(), update.values.as_ref()).ok()?;
            let parsed = parse_update(update.update_expression.as_deref()?, &mut substitutions);
            units = touched_units(alone, &row?.item, parsed.ok()?.touched_paths());
        }
    }
    is_of_table.then_some(units)
}

/// Units of an update that sets these paths, though the sample's item has those values already.
fn touched_units(alone: &TableSchema, item: &Item, paths: &[DocumentPath]) -> CapacityUnits {
    let Some(index) = alone.indexes().next() else { return CapacityUnits::ZERO };
    let Some(entry) = index.entry(alone, item) else { return CapacityUnits::ZERO };
    let units = write_units(entry.size_bytes());
    let touches =
        |test: &dyn Fn(&str) -> bool| paths.iter().any(|path| test(path.attribute.as_str()));
    if touches(&|name| index.key.contains(name)) {
        units.times(2)
    } else if touches(&|name| index.projects(alone, name)) {
        units
    } else {
        CapacityUnits::ZERO
    }
}
