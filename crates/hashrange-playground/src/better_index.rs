//! An index that holds just what a query's filter let through, and what asking it would cost.
//!
//! Invariant: says what the present items prove and no more: the index's entries under the same partition key
//! are exactly the items returned.

use hashrange_engine::capacity::read_units;
use hashrange_storage::{KeyRange, Store};
use hashrange_types::{CapacityUnits, EncodedKey, Operation, Projection, SortedSet};

use crate::history::Ran;

/// Items compared; a larger result is not looked at.
const ITEMS_MAX: usize = 1_000;

/// A cheaper way to the same items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BetterIndex {
    pub(crate) name: String,
    pub(crate) units: CapacityUnits,
    /// True if the index holds whole items.
    pub(crate) is_complete: bool,
}

/// The cheapest such index for a query of a table that was read to its end and filtered.
pub(crate) fn better_index(ran: &Ran, store: &Store) -> Option<BetterIndex> {
    let target = ran.target.as_ref().filter(|target| target.index.is_none())?;
    let is_whole_query = ran.acts_as() == Some(Operation::Query)
        && ran.last().next_request.is_none()
        && ran.n_returned() > 0
        && ran.n_returned() < ran.n_examined();
    if !is_whole_query {
        return None;
    }
    let table = store.table(&target.table)?;
    let schema = table.schema();
    let read = ran.shown.get(target)?;
    let returned: SortedSet<&EncodedKey> =
        read.examined.iter().filter(|(_, is_returned)| *is_returned).map(|(key, _)| key).collect();
    if returned.len() > ITEMS_MAX || returned.len() as u64 != ran.n_returned() {
        return None;
    }
    let first = table.get(returned.iter().next()?)?;
    let is_consistent = ran.is_consistent == Some(true);
    schema
        .indexes()
        .filter(|index| index.key.partition == schema.key.partition)
        .filter(|index| index.is_local || !is_consistent)
        .filter_map(|index| {
            let prefix = index.key.encode_partition(&first.item)?;
            let entries = table.index(index.name.as_str())?;
            let mut bytes = 0;
            let mut found = SortedSet::new();
            for (_, row) in entries.range(&KeyRange::starting_with(&prefix), true).take(ITEMS_MAX) {
                bytes += u64::from(row.size_bytes);
                found.insert(schema.key.encode(&row.item)?);
            }
            let is_same = found.iter().eq(returned.iter().copied());
            is_same.then(|| BetterIndex {
                name: index.name.to_string(),
                units: read_units(bytes, is_consistent),
                is_complete: *index.projection == Projection::All,
            })
        })
        .filter(|index| index.units < ran.units())
        .min_by_key(|index| index.units)
}
