//! The life of a table: what its transitions do when they come due, and how it goes.
//!
//! Invariant: a table that is settled at `now` has no transition left that is due.
//!
//! Not here: which request brings which transition (`operation`), when drivers look (`due`).

use std::sync::Arc;

use hashrange_storage::{
    Account, AccountChange, Backup, Change, Log, Store, Stream, Table, TableChange,
};
use hashrange_types::limits::{ON_DEMAND_PARTITIONS, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use hashrange_types::operation::{SequenceNumber, StreamName};
use hashrange_types::table_state::{
    Effect, ON_DEMAND_WARM, OnDemandThroughput, StreamSettings, StreamViewType, Transition,
};
use hashrange_types::{
    BillingMode, IndexName, ProvisionedThroughput, TableName, TableState, TableStatus, Timestamp,
};
use smol_str::SmolStr;

/// Milliseconds for which the service keeps a backup of a deleted table.
const SYSTEM_BACKUP_MS: i64 = 35 * 24 * 3_600 * 1_000;

/// The table after everything that is due at `now`; none where it is gone.
pub(crate) fn settled(mut table: Table, now: Timestamp) -> Option<Table> {
    loop {
        let Some(Transition { at, .. }) = table.state().transitions.first() else {
            return Some(table);
        };
        if *at > now {
            return Some(table);
        }
        let mut state = table.state().clone();
        let Transition { at, effect } = state.transitions.remove(0);
        table = after(&table.with_state(state), effect, at)?;
    }
}

/// The table after one effect; none where it is gone.
fn after(table: &Table, effect: Effect, at: Timestamp) -> Option<Table> {
    let mut state = table.state().clone();
    match effect {
        Effect::TableGone => return None,
        Effect::TableActive => {
            state.status = TableStatus::Active;
            state.restore = None;
            for index in state.indexes.values_mut() {
                // Indexes made with the table are ready with it; one that is added takes its own time.
                if index.status == TableStatus::Creating
                    && !state.transitions.iter().any(is_of_index)
                {
                    index.status = TableStatus::Active;
                }
            }
        }
        Effect::Billing(billing) => return Some(billed(table, billing, at)),
        Effect::IndexThroughput(name, throughput) => {
            return Some(with_index_throughput(table, &name, throughput));
        }
        Effect::IndexBackfills(name) => {
            state.status = TableStatus::Active;
            if let Some(index) = state.indexes.get_mut(&name) {
                index.is_backfilling = true;
            }
        }
        Effect::IndexActive(name) => {
            if let Some(index) = state.indexes.get_mut(&name) {
                index.status = TableStatus::Active;
                index.is_backfilling = false;
            }
        }
        Effect::IndexGone(name) => return Some(table.without_global_index(&name)),
        Effect::EncryptionSettled { is_default } => match &mut state.encryption {
            Some(encryption) if !is_default => encryption.is_updating = false,
            encryption => *encryption = None,
        },
        Effect::Warm(throughput) => state.warm = highest(state.warm, throughput),
        Effect::Class(class) => state.class = class,
        Effect::ReplicaActive(region) => {
            for replica in state.replicas.iter_mut().filter(|replica| replica.region == region) {
                replica.status = TableStatus::Active;
            }
        }
        Effect::ReplicaGone(region) => state.replicas.retain(|replica| replica.region != region),
    }
    Some(table.with_state(state))
}

/// True for what settles a single index.
const fn is_of_index(transition: &Transition) -> bool {
    matches!(transition.effect, Effect::IndexActive(_) | Effect::IndexBackfills(_))
}

/// The table with this billing. Partitions and warm throughput only grow; a switch drops the maximum of
/// on-demand requests.
fn billed(table: &Table, billing: BillingMode, at: Timestamp) -> Table {
    let mut schema = table.schema().clone();
    let mut state = table.state().clone();
    let is_on_demand = billing == BillingMode::PayPerRequest;
    if is_on_demand != (schema.billing == BillingMode::PayPerRequest) {
        state.on_demand_maximum = OnDemandThroughput::default();
    }
    if is_on_demand {
        state.on_demand_since = Some(at);
        for index in &mut schema.global_indexes {
            index.throughput = None;
        }
        for index in state.indexes.values_mut() {
            index.warm = highest(index.warm, ON_DEMAND_WARM);
        }
    }
    schema.billing = billing;
    state.warm = highest(state.warm, hashrange_types::table_state::warm_for(billing));
    table
        .with_capacity(schema)
        .with_state(state)
        .with_partitions(partitions(throughput_of(billing)))
}

fn with_index_throughput(
    table: &Table,
    name: &IndexName,
    throughput: Option<ProvisionedThroughput>,
) -> Table {
    let mut schema = table.schema().clone();
    for index in schema.global_indexes.iter_mut().filter(|index| index.name == *name) {
        index.throughput = throughput;
    }
    let mut state = table.state().clone();
    if let Some(index) = state.indexes.get_mut(name) {
        index.status = TableStatus::Active;
        index.warm = highest(index.warm, throughput.unwrap_or(index.warm));
    }
    let table = table.with_capacity(schema).with_state(state);
    table.with_index_partitions(name, partitions(throughput))
}

/// The capacity a billing reserves.
pub(crate) const fn throughput_of(billing: BillingMode) -> Option<ProvisionedThroughput> {
    match billing {
        BillingMode::PayPerRequest => None,
        BillingMode::Provisioned(throughput) => Some(throughput),
    }
}

/// The larger of each.
pub(crate) fn highest(a: ProvisionedThroughput, b: ProvisionedThroughput) -> ProvisionedThroughput {
    ProvisionedThroughput { read: a.read.max(b.read), write: a.write.max(b.write) }
}

/// Partitions for this capacity: four on demand, else read units by 3,000 plus write units by 1,000, rounded
/// up (facts 6.1).
pub(crate) fn partitions(throughput: Option<ProvisionedThroughput>) -> u32 {
    let Some(throughput) = throughput else { return ON_DEMAND_PARTITIONS };
    let writes_as_reads = throughput.write * (PARTITION_READ_UNITS / PARTITION_WRITE_UNITS);
    let n = (throughput.read + writes_as_reads).div_ceil(PARTITION_READ_UNITS).max(1);
    u32::try_from(n).expect("throughput is at most 40,000 of each")
}

/// What happens when a table goes: its stream is closed, and a table with point-in-time recovery leaves a
/// backup by the service.
pub(crate) fn removal(store: &Store, table: &Arc<Table>, now: Timestamp) -> Vec<Change> {
    let name = &table.schema().name;
    let mut changes = vec![Change::Table(TableChange {
        name: name.clone(),
        before: Some(Arc::clone(table)),
        after: None,
    })];
    let mut account = store.account().clone();
    close_stream(&mut account, name, table.state(), now);
    if table.state().recovery.is_some() {
        let backup = Backup {
            name: format!("{name}$DeletedTableBackup").into(),
            table: Arc::new(table.with_log(Log::default())),
            created_at: now,
            available_at: now,
            expires_at: Some(now.plus_millis(SYSTEM_BACKUP_MS)),
        };
        account.backups.insert(backup_path(&account, name, now), Arc::new(backup));
    }
    if table.state().stream.is_some() || table.state().recovery.is_some() {
        changes.push(account_change(store, account));
    }
    changes
}

/// The change to this account.
pub(crate) fn account_change(store: &Store, account: Account) -> Change {
    Change::Account(AccountChange { before: store.shared_account(), after: Arc::new(account) })
}

/// The change of a table to this one.
pub(crate) fn table_change(before: &Arc<Table>, after: Table) -> Change {
    Change::Table(TableChange {
        name: before.schema().name.clone(),
        before: Some(Arc::clone(before)),
        after: Some(Arc::new(after)),
    })
}

/// A path that no backup has yet: `table/NAME/backup/MS-HEX`.
pub(crate) fn backup_path(account: &Account, table: &TableName, now: Timestamp) -> SmolStr {
    let ms = now.0.div_euclid(1_000);
    let mut n = account.backups.len();
    loop {
        let path = SmolStr::from(format!("table/{table}/backup/{ms:014}-{n:08x}"));
        if !account.backups.contains_key(&path) {
            return path;
        }
        n += 1;
    }
}

/// Opens a stream of a table; its label is the moment, or the next millisecond that is free.
pub(crate) fn open_stream(
    account: &mut Account,
    table: &Table,
    view_type: StreamViewType,
    next: SequenceNumber,
    now: Timestamp,
) -> StreamSettings {
    let name = &table.schema().name;
    let mut labelled_at = now;
    let mut label = SmolStr::from(now.to_iso());
    while account.streams.contains_key(&(name.clone(), label.clone())) {
        labelled_at = labelled_at.plus_millis(1);
        label = labelled_at.to_iso().into();
    }
    let stream = Stream {
        name: StreamName { table: name.clone(), label: label.clone() },
        view_type,
        created_at: now,
        disabled_at: None,
        key: table.schema().key.clone(),
        first: next,
        log: hashrange_storage::Log::default(),
        shards: Vec::new(),
    };
    account.streams.insert((name.clone(), label.clone()), Arc::new(stream));
    StreamSettings { label, view_type: Some(view_type) }
}

/// Closes the stream a table writes, if it writes one.
pub(crate) fn close_stream(
    account: &mut Account,
    table: &TableName,
    state: &TableState,
    now: Timestamp,
) {
    let Some((label, _)) = state.enabled_stream() else { return };
    if let Some(stream) = account.streams.get_mut(&(table.clone(), label.clone())) {
        Arc::make_mut(stream).disabled_at = Some(now);
    }
}
