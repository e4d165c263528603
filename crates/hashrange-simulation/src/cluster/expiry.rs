//! What goes and comes back beside requests: expired items, which are swept late, and restored tables.
//!
//! Invariant: an item that expires stands once in `waiting` or `expired`, under the moment it expires. Both are
//! empty where the sweep is not late.
//!
//! Not here: what has expired (`hashrange-engine`).
//!
//! Source: facts 8.1 and 8.4.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashrange_engine::{Outcome, expire, expires_at};
use hashrange_storage::{Change, ItemChange, KeyRange, Row, Table, TableChange};
use hashrange_types::{EncodedKey, Response, TableName, TableStatus, Timestamp};

use super::{Cluster, Due};
use crate::event::EventKind;

/// Items by the moment they expire.
type Moments = BTreeSet<(Timestamp, TableName, EncodedKey)>;

/// What waits to expire and to be swept. Cloning is cheap while nothing changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Expiries {
    waiting: Arc<Moments>,
    expired: Arc<Moments>,
    /// When they are looked at next.
    asked_at: Option<Timestamp>,
}

impl Cluster {
    /// Removes every expired item now; returns how many.
    pub fn sweep(&mut self) -> usize {
        self.live();
        let mut n_swept = 0;
        let names: Vec<_> = self.store.tables().map(|it| it.schema().name.clone()).collect();
        for name in names {
            let keys = self.store.table(name.as_str()).map(|table| expired(table, self.now));
            n_swept += self.sweep_items(&name, &keys.unwrap_or_default());
        }
        n_swept
    }

    fn sweep_items(&mut self, name: &TableName, keys: &[EncodedKey]) -> usize {
        let Some(table) = self.store.table(name.as_str()).filter(|_| !keys.is_empty()) else {
            return 0;
        };
        let changes = expire(&self.store, table, keys, self.now);
        let n_swept = changes.iter().filter(|change| matches!(change, Change::Item(_))).count();
        for change in changes {
            self.commit_from_time(change);
        }
        n_swept
    }

    /// Commits a change that time brought; items go because they expired.
    pub(super) fn commit_from_time(&mut self, change: Change) {
        let swept = match &change {
            Change::Item(ItemChange { table, key, before: Some(row), .. }) => {
                let of = self.store.table(table.as_str());
                let at = of.and_then(|of| expires_at(of, &row.item)).unwrap_or(self.now);
                let (table, key) = (table.clone(), key.clone());
                Some(EventKind::TtlSwept { table, key, late_us: self.now.0 - at.0 })
            }
            _ => None,
        };
        match change {
            Change::IndexEntry(entry) if !entry.is_local => self.send_entry(entry, true),
            change => self.commit_change(change),
        }
        if let Some(swept) = swept {
            self.tell(swept);
        }
    }

    /// Remembers when the item of a change that is about to be applied expires.
    pub(super) fn expect_expiry(&mut self, change: &ItemChange) {
        if self.settings.ttl_sweep_delay_s.is_none() {
            return;
        }
        let Some(table) = self.store.table(change.table.as_str()) else { return };
        let at = |row: &Option<Row>| {
            let at = expires_at(table, &row.as_ref()?.item)?;
            Some((at, change.table.clone(), change.key.clone()))
        };
        let (before, after) = (at(&change.before), at(&change.after));
        if before == after {
            return;
        }
        if let Some(before) = before
            && !Arc::make_mut(&mut self.expiries.waiting).remove(&before)
        {
            Arc::make_mut(&mut self.expiries.expired).remove(&before);
        }
        if let Some(after) = after {
            Arc::make_mut(&mut self.expiries.waiting).insert(after);
            self.ask_for_expiry();
        }
    }

    /// True if a change of a table changes which of its items expire.
    pub(super) fn is_new_expiry(&self, change: &TableChange) -> bool {
        let attribute = |table: &Option<Arc<Table>>| {
            table.as_ref().and_then(|table| table.state().time_to_live.attribute.clone())
        };
        self.settings.ttl_sweep_delay_s.is_some()
            && attribute(&change.before) != attribute(&change.after)
    }

    /// Finds anew when items expire, and keeps the engine from sweeping them itself.
    pub(super) fn expect_expiries(&mut self) {
        if self.settings.ttl_sweep_delay_s.is_none() {
            return;
        }
        let mut waiting = Moments::new();
        let mut late = Vec::new();
        for table in self.store.tables() {
            let mut state = table.state().clone();
            if state.time_to_live.attribute.is_none() {
                continue;
            }
            let name = &table.schema().name;
            for (key, row) in table.items().range(&KeyRange::all(), true) {
                let at = expires_at(table, &row.item);
                waiting.extend(at.map(|at| (at, name.clone(), key.clone())));
            }
            if state.time_to_live.next_sweep.take().is_some() {
                let before = self.store.shared_table(name.as_str());
                let after = Some(Arc::new(table.with_state(state)));
                late.push(TableChange { name: name.clone(), before, after });
            }
        }
        for change in late {
            self.store.apply(&Change::Table(change));
        }
        // What was said to have expired is not said again.
        let mut expired = self.expiries.expired.as_ref().clone();
        expired.retain(|entry| waiting.remove(entry));
        let (waiting, expired) = (Arc::new(waiting), Arc::new(expired));
        self.expiries = Expiries { waiting, expired, asked_at: None };
        self.ask_for_expiry();
    }

    /// Items expire or have been expired for long enough.
    pub(super) fn expire(&mut self) {
        let Some(delay) = self.settings.ttl_sweep_delay_s else { return };
        self.expiries.asked_at = None;
        while let Some(entry) = self.expiries.waiting.first().filter(|it| it.0 <= self.now).cloned()
        {
            let (table, key) = (entry.1.clone(), entry.2.clone());
            Arc::make_mut(&mut self.expiries.waiting).remove(&entry);
            Arc::make_mut(&mut self.expiries.expired).insert(entry);
            self.tell(EventKind::TtlExpired { table, key });
        }
        let swept = self.now.plus_millis(-1_000 * i64::from(delay));
        while let Some(entry) = self.expiries.expired.first().filter(|it| it.0 <= swept).cloned() {
            Arc::make_mut(&mut self.expiries.expired).remove(&entry);
            self.sweep_items(&entry.1, &[entry.2]);
        }
        self.ask_for_expiry();
    }

    fn ask_for_expiry(&mut self) {
        let delay_ms = 1_000 * i64::from(self.settings.ttl_sweep_delay_s.unwrap_or(0));
        let waiting = self.expiries.waiting.first().map(|it| it.0);
        let expired = self.expiries.expired.first().map(|it| it.0.plus_millis(delay_ms));
        let Some(at) = waiting.into_iter().chain(expired).min().map(|at| at.max(self.now)) else {
            return;
        };
        if self.expiries.asked_at.is_none_or(|asked_at| at < asked_at) {
            self.expiries.asked_at = Some(at);
            self.schedule.add(at, Due::Expire);
        }
    }

    /// Says that a restored table became ready, if this change makes it so.
    pub(super) fn tell_restored(&mut self, change: &TableChange) {
        if let (Some(before), Some(after)) = (&change.before, &change.after)
            && before.state().restore.is_some()
            && after.state().restore.is_none()
        {
            let (table, n_items) = (change.name.clone(), after.items().n_rows());
            self.tell(EventKind::RestoreDone { table, n_items });
        }
    }

    /// Says the same where a restore took no time.
    pub(super) fn tell_restored_at_once(&mut self, outcome: &Outcome) {
        let Ok(
            Response::RestoreTableFromBackup(description)
            | Response::RestoreTableToPointInTime(description),
        ) = &outcome.reply
        else {
            return;
        };
        let table = description.schema.name.clone();
        if let Some(made) = self.store.table(table.as_str())
            && made.state().status == TableStatus::Active
        {
            let n_items = made.items().n_rows();
            self.tell(EventKind::RestoreDone { table, n_items });
        }
    }
}

/// The items of a table that have expired.
fn expired(table: &Table, now: Timestamp) -> Vec<EncodedKey> {
    let rows = table.items().range(&KeyRange::all(), true);
    let expired = rows.filter(|(_, row)| expires_at(table, &row.item).is_some_and(|at| at <= now));
    expired.map(|(key, _)| key.clone()).collect()
}
