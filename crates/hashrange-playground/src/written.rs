//! What a request wrote, table by table and index by index.
//!
//! Invariant: bytes are those charged: of each write the larger of the sizes before and after.

use hashrange_engine::Outcome;
use hashrange_storage::{Change, Row, Store};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{Item, Request};

use crate::history::Written;

/// What is said of the table itself where only one table is written.
pub(crate) const BASE_TABLE: &str = "Base table";

/// What an outcome wrote; the table first, then its indexes. A write that changed nothing still has its table.
pub(crate) fn written(outcome: &Outcome, request: &Request, before: &Store) -> Vec<Written> {
    let writes: Vec<&ConsumedCapacity> =
        outcome.consumed.iter().filter(|consumed| consumed.is_write).collect();
    let has_several = writes.len() > 1;
    let mut all = Vec::new();
    for consumed in writes {
        let name = table_name(consumed);
        let mut table = Written {
            label: if has_several { name.to_owned() } else { BASE_TABLE.to_owned() },
            is_index: false,
            bytes: 0,
            units: consumed.table + consumed.failed,
            n_put: 0,
            n_replaced: 0,
            n_deleted: 0,
        };
        for change in &outcome.changes {
            if let Change::Item(change) = change
                && change.table.as_str() == name
            {
                table.count(change.before.as_ref(), change.after.as_ref());
            }
        }
        if table.n() == 0 {
            table.bytes = looked_at(request, before);
        }
        all.push(table);
        let indexes = consumed.local_indexes.iter().chain(&consumed.global_indexes);
        for (index, units) in indexes {
            let mut entry = Written {
                label: if has_several { format!("{name}.{index}") } else { index.to_string() },
                is_index: true,
                bytes: 0,
                units: *units,
                n_put: 0,
                n_replaced: 0,
                n_deleted: 0,
            };
            for change in &outcome.index_entries {
                if change.table.as_str() == name && change.index == *index {
                    entry.count(change.before.as_ref(), change.after.as_ref());
                }
            }
            all.push(entry);
        }
    }
    all
}

impl Written {
    fn count(&mut self, before: Option<&Row>, after: Option<&Row>) {
        let size = |row: Option<&Row>| row.map_or(0, |row| u64::from(row.size_bytes));
        self.bytes += size(before).max(size(after));
        match (before, after) {
            (None, Some(_)) => self.n_put += 1,
            (Some(_), Some(_)) => self.n_replaced += 1,
            (Some(_), None) => self.n_deleted += 1,
            (None, None) => {}
        }
    }
}

/// The table's name of a name or an ARN.
fn table_name(consumed: &ConsumedCapacity) -> &str {
    let given = consumed.table_name.as_str();
    given.rsplit('/').next().unwrap_or(given)
}

/// Bytes of the item that was there, or of the one offered if it is larger, for writes that changed nothing.
fn looked_at(request: &Request, before: &Store) -> u64 {
    let stored = |table: &str, key: &Item| {
        let table = before.table(table)?;
        let row = table.get(&table.schema().key.encode(key)?)?;
        Some(u64::from(row.size_bytes))
    };
    let stored_by = |table: &str, key: Result<&Item, _>| {
        key.ok().and_then(|key| stored(table, key)).unwrap_or(0)
    };
    match request {
        Request::PutItem(request) => {
            let offered = request.item.as_ref().map_or(0, |item| u64::from(item.size_bytes()));
            let there = stored_by(request.table.name.as_str(), request.item.as_ref());
            // Without an item there, a refused put costs one unit whatever is offered.
            if there == 0 { 0 } else { there.max(offered) }
        }
        Request::UpdateItem(request) => {
            stored_by(request.table.name.as_str(), request.key.as_ref())
        }
        Request::DeleteItem(request) => {
            stored_by(request.table.name.as_str(), request.key.as_ref())
        }
        _ => 0,
    }
}
