//! What time alone brings: tables become ready, expired items go, old records are forgotten.
//!
//! Invariant: after the changes are applied, nothing is due at the same moment, unless the budget was used up.
//!
//! Source: facts 3.8, 8.1 and 8.2.

use std::sync::Arc;

use hashrange_storage::{
    Account, Change, ItemChange, KeyRange, STREAM_RETENTION_MS, Store, Stream, Table, index_changes,
};
use hashrange_types::{AttributeValue, EncodedKey, Item, Timestamp};

use crate::life::{account_change, removal, settled, table_change};
use crate::log;

/// Seconds after which an expiry time is too far back to count (five years).
const EXPIRY_REACH_S: i64 = 5 * 365 * 24 * 3_600;
/// The last second of the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;

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
        let attribute = time_to_live.attribute.as_ref().map_or("", |attribute| attribute.as_str());
        let expired: Vec<EncodedKey> = table
            .items()
            .range(&KeyRange::all(), true)
            .filter(|(_, row)| is_expired(&row.item, attribute, now))
            .take(self.budget)
            .map(|(key, _)| key.clone())
            .collect();
        let is_done = expired.len() < self.budget;
        self.budget -= expired.len();
        let changes = expire(&self.store, table, &expired, now);
        for change in changes {
            self.make(change);
        }
        if is_done && let Some(table) = self.store.shared_table(table.schema().name.as_str()) {
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

/// The changes that remove those of these items of a table that have expired at `now`: free, and logged as the
/// service's own.
pub fn expire(store: &Store, table: &Table, keys: &[EncodedKey], now: Timestamp) -> Vec<Change> {
    let attribute = table.state().time_to_live.attribute.as_ref().map_or("", |it| it.as_str());
    let mut changes = Vec::with_capacity(keys.len());
    let mut entries = Vec::new();
    for key in keys {
        let Some(row) = table.get(key).filter(|row| is_expired(&row.item, attribute, now)) else {
            continue;
        };
        let change = ItemChange {
            table: table.schema().name.clone(),
            key: key.clone(),
            before: Some(row.clone()),
            after: None,
        };
        entries.extend(index_changes(table.schema(), &change).into_iter().map(Change::IndexEntry));
        changes.push(Change::Item(change));
    }
    log::record(store, &mut changes, now, true);
    changes.extend(entries);
    changes
}

/// The first moment at which an item of a table counts as expired. None where it never does, or after the year
/// 9999.
pub fn expires_at(table: &Table, item: &Item) -> Option<Timestamp> {
    let attribute = table.state().time_to_live.attribute.as_ref()?;
    let second = expiry_second(item, attribute.as_str())?;
    (0..LAST_SECOND).contains(&second).then(|| Timestamp::from_millis((second + 1) * 1_000))
}

/// True if the attribute is a number of seconds in the past, though not five years back.
fn is_expired(item: &Item, attribute: &str, now: Timestamp) -> bool {
    let now = now.whole_seconds();
    expiry_second(item, attribute).is_some_and(|at| at < now && at > now - EXPIRY_REACH_S)
}

/// The whole seconds that the attribute holds, if it is a number.
fn expiry_second(item: &Item, attribute: &str) -> Option<i64> {
    let Some(AttributeValue::N(number)) = item.get(attribute) else { return None };
    // A fraction does not matter at a resolution of seconds.
    let text = number.to_string();
    text.split('.').next()?.parse().ok()
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

#[cfg(test)]
mod tests {
    use hashrange_storage::Delays;
    use hashrange_types::operation::{
        CreateBackupRequest, GlobalIndexUpdate, StreamSpecification, TimeToLiveSpecification,
        UpdateContinuousBackupsRequest, UpdateTableRequest, UpdateTimeToLiveRequest,
    };
    use hashrange_types::table_state::StreamViewType;
    use hashrange_types::{Request, TableReference};

    use super::*;
    use crate::database::Database;
    use crate::plan::{execute, plan};
    use crate::read_fixture::{item, n, s, table_reference};
    use crate::table_fixture::{create, definitions, global, index};
    use crate::write_fixture::put;

    const SECOND: i64 = 1_000;

    fn update() -> UpdateTableRequest {
        UpdateTableRequest::new(table_reference())
    }

    /// Requests with the seconds that pass before each.
    fn requests() -> Vec<(i64, Request)> {
        let mut with_stream = update();
        let view_type = Some(StreamViewType::NewAndOldImages);
        with_stream.options.stream = Some(StreamSpecification { is_enabled: true, view_type });
        let mut with_index = update();
        with_index.attribute_definitions = definitions("g");
        let create_index = Some(global(index("byG", "g")));
        let index_update = GlobalIndexUpdate { create: create_index, ..Default::default() };
        with_index.index_updates = Some(vec![index_update]);
        let old = n(10_000_000);
        let table = TableReference::by_name(table_reference().name);
        vec![
            (0, Request::CreateTable(create("T", "pk", "pk"))),
            (10, Request::UpdateTable(with_stream)),
            (
                10,
                Request::UpdateContinuousBackups(UpdateContinuousBackupsRequest {
                    table: table.clone(),
                    is_enabled: true,
                    period_days: None,
                }),
            ),
            (
                10,
                Request::UpdateTimeToLive(UpdateTimeToLiveRequest {
                    table: table.clone(),
                    specification: TimeToLiveSpecification {
                        is_enabled: true,
                        attribute: "ttl".into(),
                    },
                }),
            ),
            (1, Request::PutItem(put(item([("pk", s("a")), ("g", s("x")), ("ttl", old)])))),
            (1, Request::PutItem(put(item([("pk", s("b")), ("g", s("x"))])))),
            (1, Request::UpdateTable(with_index)),
            (60, Request::CreateBackup(CreateBackupRequest { table, name: "one".into() })),
            (1_000, Request::PutItem(put(item([("pk", s("c"))])))),
            (90_000, Request::PutItem(put(item([("pk", s("d"))])))),
        ]
    }

    fn shown(store: &Store) -> String {
        let tables: Vec<String> = store
            .tables()
            .map(|table| {
                let rows: Vec<_> = table.items().range(&KeyRange::all(), true).collect();
                let entries: Vec<_> = table
                    .index("byG")
                    .into_iter()
                    .flat_map(|tree| tree.range(&KeyRange::all(), true))
                    .collect();
                let log: Vec<_> = table.log().iter().collect();
                format!("{:?} {:?} {rows:?} {entries:?} {log:?}", table.schema(), table.state())
            })
            .collect();
        let account = store.account();
        let streams: Vec<_> = account.streams.values().map(|it| it.log.iter().count()).collect();
        let backups: Vec<_> = account.backups.keys().collect();
        format!("{tables:?} {streams:?} {backups:?} {:?}", store.sequence())
    }

    #[test]
    fn every_change_that_requests_and_time_bring_can_be_taken_back() {
        let mut store = Store::with_delays(Delays::MEASURED);
        let mut now = Timestamp(10_000_100_000_000);
        let mut past: Vec<(String, Change)> = Vec::new();
        let mut apply = |store: &mut Store, changes: Vec<Change>| {
            for change in changes {
                past.push((shown(store), change.clone()));
                store.apply(&change);
            }
        };
        for (seconds, request) in requests() {
            now = now.plus_millis(seconds * SECOND);
            let changes = due(&store, now, 10);
            apply(&mut store, changes);
            let outcome = execute(&store, &plan(&store, request).unwrap(), now);
            assert!(outcome.reply.is_ok(), "{:?}", outcome.reply);
            apply(&mut store, outcome.changes);
            let entries = outcome.index_entries.into_iter().map(Change::IndexEntry).collect();
            apply(&mut store, entries);
        }
        assert_eq!(store.table("T").unwrap().items().n_rows(), 3, "one of four expired");
        assert!(past.len() > 20);
        for (before, change) in past.iter().rev() {
            store.apply(&change.invert());
            assert_eq!(shown(&store), *before, "{change:?}");
        }
    }

    #[test]
    fn a_budget_lets_items_expire_in_several_goes() {
        let mut database = Database::default();
        let start = Timestamp(10_000_100_000_000);
        database.call(Request::CreateTable(create("T", "pk", "pk")), start);
        let specification = TimeToLiveSpecification { is_enabled: true, attribute: "ttl".into() };
        let request = UpdateTimeToLiveRequest { table: table_reference(), specification };
        database.call(Request::UpdateTimeToLive(request), start);
        for at in 0..5_u8 {
            let expired = item([("pk", s(&at.to_string())), ("ttl", n(10_000_000))]);
            database.call(Request::PutItem(put(expired)), start);
        }
        let mut store = database.store().clone();
        let later = start.plus_millis(600 * SECOND);
        let mut left = Vec::new();
        for _ in 0..4 {
            for change in due(&store, later, 2) {
                store.apply(&change);
            }
            left.push(store.table("T").unwrap().items().n_rows());
        }
        assert_eq!(left, [3, 1, 0, 0]);
        assert!(due(&store, later, 2).is_empty());
    }
}
