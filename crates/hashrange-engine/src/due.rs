//! What time alone brings: tables become ready, expired items go, old records are forgotten.
//!
//! Invariant: after the changes are applied, nothing is due at the same moment, unless the budget was used up.
//!
//! Source: facts 3.8, 8.1 and 8.2.

use std::sync::Arc;

use hashrange_storage::{
    Account, Change, ItemChange, KeyRange, Row, STREAM_RETENTION_MS, Store, Stream, Table,
    index_changes,
};
use hashrange_types::{AttributeValue, Item, Timestamp};

use crate::life::{account_change, removal, settled, table_change};
use crate::log;

/// Seconds after which an expiry time is too far back to count (five years).
const EXPIRY_REACH_S: i64 = 5 * 365 * 24 * 3_600;

/// The changes that are due at `now`, in order. `budget` is the most items that expire in one go; the rest
/// stays due.
pub fn due(store: &Store, now: Timestamp, budget: usize) -> Vec<Change> {
    if store.due_at().is_none_or(|at| at > now) {
        return Vec::new();
    }
    let mut ahead = Ahead { store: store.clone(), changes: Vec::new(), budget };
    let names: Vec<_> = store
        .tables()
        .filter(|table| table.due_at().is_some_and(|at| at <= now))
        .map(|table| table.schema().name.clone())
        .collect();
    for name in names {
        let table = store.shared_table(name.as_str()).expect("the store was just asked for it");
        ahead.settle(&table, now);
        if let Some(table) = ahead.store.shared_table(name.as_str()) {
            ahead.sweep(&table, now);
        }
        if let Some(table) = ahead.store.shared_table(name.as_str()) {
            ahead.forget(&table, now);
        }
    }
    if store.account().due_at().is_some_and(|at| at <= now) {
        let account = kept(ahead.store.account(), now);
        let change = account_change(&ahead.store, account);
        ahead.make(change);
    }
    ahead.changes
}

/// The store as it will be, with the changes that lead there.
struct Ahead {
    store: Store,
    changes: Vec<Change>,
    budget: usize,
}

impl Ahead {
    fn make(&mut self, change: Change) {
        self.store.apply(&change);
        self.changes.push(change);
    }

    /// Lets the table's transitions happen.
    fn settle(&mut self, table: &Arc<Table>, now: Timestamp) {
        if table.state().transitions.first().is_none_or(|transition| transition.at > now) {
            return;
        }
        match settled((**table).clone(), now) {
            Some(after) => self.make(table_change(table, after)),
            None => {
                for change in removal(&self.store, table, now) {
                    self.make(change);
                }
            }
        }
    }

    /// Removes expired items.
    fn sweep(&mut self, table: &Arc<Table>, now: Timestamp) {
        let time_to_live = &table.state().time_to_live;
        if time_to_live.next_sweep.is_none_or(|at| at > now) {
            return;
        }
        let schema = table.schema();
        let attribute = time_to_live.attribute.as_ref().map_or("", |attribute| attribute.as_str());
        let expired: Vec<ItemChange> = table
            .items()
            .range(&KeyRange::all(), true)
            .filter(|(_, row)| is_expired(&row.item, attribute, now))
            .take(self.budget)
            .map(|(key, row): (_, &Row)| ItemChange {
                table: schema.name.clone(),
                key: key.clone(),
                before: Some(row.clone()),
                after: None,
            })
            .collect();
        let is_done = expired.len() < self.budget;
        self.budget -= expired.len();
        let entries: Vec<_> =
            expired.iter().flat_map(|change| index_changes(schema, change)).collect();
        let mut changes: Vec<Change> = expired.into_iter().map(Change::Item).collect();
        log::record(&self.store, &mut changes, now, true);
        changes.extend(entries.into_iter().map(Change::IndexEntry));
        for change in changes {
            self.make(change);
        }
        if is_done && let Some(table) = self.store.shared_table(schema.name.as_str()) {
            let mut state = table.state().clone();
            let delay = self.store.delays().time_to_live_sweep;
            state.time_to_live.next_sweep = Some(now.plus_millis(delay));
            self.make(table_change(&table, table.with_state(state)));
        }
    }

    /// Forgets what point-in-time recovery no longer reaches.
    fn forget(&mut self, table: &Arc<Table>, now: Timestamp) {
        let days = table.state().recovery.map_or(0, |recovery| i64::from(recovery.period_days));
        let oldest = now.plus_millis(-days * 24 * 3_600 * 1_000);
        if table.due_at().is_some_and(|at| at <= now)
            && table.log().first().is_some_and(|record| record.at < oldest)
        {
            let log = table.log().without_before(oldest);
            self.make(table_change(table, table.with_log(log)));
        }
    }
}

/// True if the attribute is a number of seconds in the past, though not five years back.
fn is_expired(item: &Item, attribute: &str, now: Timestamp) -> bool {
    let Some(AttributeValue::N(number)) = item.get(attribute) else { return false };
    // A fraction does not matter at a resolution of seconds.
    let text = number.to_string();
    let whole = text.split('.').next().and_then(|whole| whole.parse::<i64>().ok());
    let now = now.whole_seconds();
    whole.is_some_and(|at| at < now && at > now - EXPIRY_REACH_S)
}

/// The account without what is too old to keep.
fn kept(account: &Account, now: Timestamp) -> Account {
    let mut account = account.clone();
    let oldest = now.plus_millis(-STREAM_RETENTION_MS);
    account.streams.retain(|_, stream| {
        let is_gone = |stream: &Stream| {
            stream.disabled_at.is_some_and(|at| at < oldest) && stream.log.is_empty()
        };
        if stream.due_at().is_some_and(|at| at <= now) {
            let log = stream.log.without_before(oldest);
            Arc::make_mut(stream).log = log;
        }
        !is_gone(stream)
    });
    account.backups.retain(|_, backup| backup.expires_at.is_none_or(|at| at > now));
    account
}
