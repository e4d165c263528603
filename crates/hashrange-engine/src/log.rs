//! Item changes as log records, for streams and point-in-time recovery.
//!
//! Invariant: one record for each item change of a table that keeps a log, in the order of the changes. A
//! write that leaves an item equal makes no change and so no record.
//!
//! Not here: what a stream shows of a record (`operation::streams`).

use std::sync::Arc;

use hashrange_storage::{Change, LogChange, LogRecord, Store};
use hashrange_types::Timestamp;
use hashrange_types::operation::SequenceNumber;

/// Adds the records that follow from the item changes among `changes`.
pub(crate) fn record(store: &Store, changes: &mut Vec<Change>, now: Timestamp, is_expiry: bool) {
    let mut sequence = store.sequence().0;
    for position in 0..changes.len() {
        let Change::Item(change) = &changes[position] else { continue };
        let Some(table) = store.table(change.table.as_str()) else { continue };
        let state = table.state();
        if !state.keeps_log() {
            continue;
        }
        sequence += 1;
        let record = LogRecord {
            sequence: SequenceNumber(sequence),
            at: now,
            key: change.key.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            is_expiry,
        };
        let log = Change::Log(LogChange {
            table: change.table.clone(),
            stream: state.enabled_stream().map(|(label, _)| label.clone()),
            record: Arc::new(record),
            is_added: true,
        });
        changes.push(log);
    }
}
