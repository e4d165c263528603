//! The steps of an UpdateTable and what each does to the table: at once, or as a transition.

use hashrange_storage::{Account, Delays, Store, Table};
use hashrange_types::operation::{ReplicaAction, ReplicaUpdate, SequenceNumber, TableStatus};
use hashrange_types::table_state::{
    Effect, Encryption, IndexState, OnDemandThroughput, Replica, StreamViewType, TableClass,
};
use hashrange_types::{
    BillingMode, GlobalSecondaryIndex, IndexName, ProvisionedThroughput, TableState, Timestamp,
};

use super::capacity::noted;
use crate::life::{close_stream, open_stream, partitions, throughput_of};

/// One change.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Billing and capacity of the table.
    Billing { billing: BillingMode, is_switch: bool },
    /// Capacity of an index.
    IndexThroughput(IndexName, ProvisionedThroughput),
    /// What requests to an index may use at most.
    IndexMaximum(IndexName, OnDemandThroughput),
    /// Throughput an index is made ready for.
    IndexWarm(IndexName, ProvisionedThroughput),
    /// A new index.
    CreateIndex(GlobalSecondaryIndex, IndexState),
    /// An index goes.
    DeleteIndex(IndexName),
    /// A stream is opened, or closed where there is none.
    Stream(Option<StreamViewType>),
    /// Deletion protection.
    Protection(bool),
    /// Another storage class.
    Class(TableClass),
    /// What requests may use at most.
    Maximum(OnDemandThroughput),
    /// Throughput the table is made ready for.
    Warm(ProvisionedThroughput),
    /// Another encryption key; none for DynamoDB's own.
    Encryption(Option<Encryption>),
    /// Copies in other Regions.
    Replicas(Vec<ReplicaUpdate>),
}

/// The table after all steps, with the transitions they bring.
pub(super) fn take(
    store: &Store,
    before: &Table,
    steps: Vec<Step>,
    account: &mut Account,
    now: Timestamp,
) -> Table {
    let mut taking = Taking { delays: *store.delays(), now, table: before.clone() };
    for step in steps {
        let mut state = taking.table.state().clone();
        match step {
            Step::Billing { billing, is_switch } => taking.bill(&mut state, billing, is_switch),
            Step::IndexThroughput(name, throughput) => {
                taking.change_index(&mut state, name, throughput);
            }
            Step::CreateIndex(index, index_state) => {
                taking.create_index(&mut state, index, index_state);
            }
            Step::DeleteIndex(name) => taking.delete_index(&mut state, name),
            Step::Stream(Some(view_type)) => {
                let next = SequenceNumber(store.sequence().0 + 1);
                let settings = open_stream(account, &taking.table, view_type, next, now);
                state.stream = Some(settings);
                updating(&mut state, now, taking.delays.stream);
            }
            Step::Stream(None) => {
                close_stream(account, &taking.table.schema().name, &state, now);
                if let Some(stream) = &mut state.stream {
                    stream.view_type = None;
                }
                updating(&mut state, now, taking.delays.stream);
            }
            setting => taking.set(&mut state, setting),
        }
        taking.table = taking.table.with_state(state);
    }
    taking.table
}

/// The table between two steps.
struct Taking {
    delays: Delays,
    now: Timestamp,
    table: Table,
}

impl Taking {
    fn bill(&self, state: &mut TableState, billing: BillingMode, is_switch: bool) {
        let old = throughput_of(self.table.schema().billing);
        let delay = match (billing, is_switch) {
            (BillingMode::PayPerRequest, _) if state.on_demand_since.is_none() => {
                self.delays.to_on_demand
            }
            (BillingMode::Provisioned(_), true) => self.delays.to_provisioned,
            _ => self.delays.throughput,
        };
        if let Some((old, new)) = old.zip(throughput_of(billing)) {
            state.throughput = noted(state.throughput, old, new, self.now);
        }
        state.expect(self.now.plus_millis(delay), Effect::Billing(billing));
        updating(state, self.now, delay);
    }

    fn change_index(
        &self,
        state: &mut TableState,
        name: IndexName,
        throughput: ProvisionedThroughput,
    ) {
        let index = self.table.schema().global_indexes.iter().find(|it| it.name == name);
        let old = index.and_then(|index| index.throughput);
        if let Some(index) = state.indexes.get_mut(&name) {
            if let Some(old) = old {
                index.throughput = noted(index.throughput, old, throughput, self.now);
            }
            index.status = TableStatus::Updating;
        }
        // A switch of the billing mode brings its indexes along.
        let with_table = state.transitions.last().map_or(self.now, |transition| transition.at);
        let at = with_table.max(self.now.plus_millis(self.delays.throughput));
        state.expect(at, Effect::IndexThroughput(name, Some(throughput)));
    }

    fn create_index(
        &mut self,
        state: &mut TableState,
        index: GlobalSecondaryIndex,
        mut index_state: IndexState,
    ) {
        let name = index.name.clone();
        let n_partitions = partitions(index.throughput);
        self.table = self.table.with_global_index(index, n_partitions);
        state.status = TableStatus::Updating;
        index_state.status = TableStatus::Creating;
        state.indexes.insert(name.clone(), index_state);
        let filling_at = self.now.plus_millis(self.delays.index_allocation);
        state.expect(filling_at, Effect::IndexBackfills(name.clone()));
        let ready_at = filling_at.plus_millis(self.delays.index_backfill);
        state.expect(ready_at, Effect::IndexActive(name));
    }

    fn delete_index(&self, state: &mut TableState, name: IndexName) {
        if let Some(index) = state.indexes.get_mut(&name) {
            index.status = TableStatus::Deleting;
        }
        // An index that was being filled is not going to be ready.
        let readies = Effect::IndexActive(name.clone());
        state.transitions.retain(|transition| transition.effect != readies);
        let gone_at = updating(state, self.now, self.delays.index_delete);
        state.expect(gone_at, Effect::IndexGone(name));
    }

    /// Settings that are the state's alone.
    fn set(&self, state: &mut TableState, step: Step) {
        let now = self.now;
        match step {
            Step::IndexMaximum(name, maximum) => {
                if let Some(index) = state.indexes.get_mut(&name) {
                    merge(&mut index.on_demand_maximum, maximum);
                }
            }
            Step::IndexWarm(name, warm) => {
                if let Some(index) = state.indexes.get_mut(&name) {
                    index.warm = warm;
                }
            }
            Step::Protection(is_protected) => {
                state.is_protected = is_protected;
                state.protection_changed_at = Some(now);
            }
            Step::Class(class) => {
                state.class_changes.push(now);
                let ready_at = updating(state, now, self.delays.class);
                state.expect(ready_at, Effect::Class(class));
            }
            Step::Maximum(maximum) => merge(&mut state.on_demand_maximum, maximum),
            Step::Warm(warm) => state.expect(now.plus_millis(self.delays.warm), Effect::Warm(warm)),
            Step::Encryption(encryption) => {
                let is_default = encryption.is_none();
                if encryption.is_some() {
                    state.encryption = encryption;
                }
                if let Some(encryption) = &mut state.encryption {
                    encryption.is_updating = true;
                }
                let settled = Effect::EncryptionSettled { is_default };
                state.expect(now.plus_millis(self.delays.encryption), settled);
            }
            Step::Replicas(updates) => {
                for update in updates {
                    replicate(state, update, now, self.delays.replica);
                }
            }
            // The others change more than the state.
            _ => {}
        }
    }
}

/// Lets the table be UPDATING for a while; the moment at which it is ready again.
fn updating(state: &mut TableState, now: Timestamp, delay: i64) -> Timestamp {
    let ready_at = now.plus_millis(delay);
    state.status = TableStatus::Updating;
    state.expect(ready_at, Effect::TableActive);
    ready_at
}

/// Sets the members that are given.
fn merge(maximum: &mut OnDemandThroughput, asked: OnDemandThroughput) {
    maximum.read = asked.read.or(maximum.read);
    maximum.write = asked.write.or(maximum.write);
}

/// The table without maxima of -1, which only the reply that clears them shows.
pub(super) fn without_cleared_maxima(table: &Table) -> Table {
    let mut state = table.state().clone();
    let maxima = state.indexes.values_mut().map(|index| &mut index.on_demand_maximum);
    for maximum in maxima.chain([&mut state.on_demand_maximum]) {
        maximum.read = maximum.read.filter(|units| *units != -1);
        maximum.write = maximum.write.filter(|units| *units != -1);
    }
    table.with_state(state)
}

fn replicate(state: &mut TableState, update: ReplicaUpdate, now: Timestamp, delay: i64) {
    let region = update.region;
    let at = now.plus_millis(delay);
    let known = state.replicas.iter_mut().find(|replica| replica.region == region);
    match (update.action, known) {
        (ReplicaAction::Create, None) => {
            let status = TableStatus::Creating;
            state.replicas.push(Replica { region: region.clone(), status });
            state.expect(at, Effect::ReplicaActive(region));
        }
        (ReplicaAction::Delete, Some(replica)) => {
            replica.status = TableStatus::Deleting;
            state.expect(at, Effect::ReplicaGone(region));
        }
        _ => {}
    }
}
