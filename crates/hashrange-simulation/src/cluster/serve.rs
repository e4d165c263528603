//! How a request is served: who is asked, and what is seen.
//!
//! Invariant: a throttled request changes and consumes nothing.
//!
//! Not here: whether there is room for it (`admit`).

use hashrange_engine::{Outcome, Plan, Target, plan};
use hashrange_storage::{KeyRange, Store};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{
    ApiError, CancellationReason, CapacityUnits, IndexName, Operation, Response,
};

use super::{Cluster, Due, LANE_COMMIT, LANE_REPLY, Open, RequestNumber, batch, hold};
use crate::event::{EventKind, Place};
use crate::few::Few;
use crate::placement::{TreeName, Way};
use crate::replica_group::Missing;
use crate::settings::EventualReads;
use crate::view::OldImages;

impl Cluster {
    /// A request reaches the partitions: a write waits for its quorum, a transaction takes hold of its items,
    /// anything else is served.
    pub(super) fn arrive(&mut self, number: RequestNumber) {
        let Some(request) = self.open.get(number.0) else { return };
        let operation = request.operation();
        if is_transaction(operation) && (self.settings.transaction_us > 0 || self.pauses.is_armed())
        {
            self.prepare(number);
        } else if is_item_write(operation) && self.settings.commit_us > 0 {
            let at = self.in_us(self.settings.commit_us);
            self.schedule.add_to_lane(LANE_COMMIT, at, Due::Commit(number));
        } else {
            self.finish(number);
        }
    }

    /// Serves a request and answers it.
    pub(super) fn finish(&mut self, number: RequestNumber) {
        if self.pauses.is_armed() && self.stop(number) {
            return;
        }
        let Some(request) = self.open.remove(number.0) else { return };
        self.live();
        self.holds.release(number);
        let operation = request.operation();
        let outcome = match request {
            Open::Whole(request) if batch::is_batch(operation) && self.may_refuse() => {
                Box::new(self.serve_batch(number, *request))
            }
            request => self.serve(number, request),
        };
        self.tell_restored_at_once(&outcome);
        self.answer(number, operation, outcome);
    }

    /// Sends an outcome to the client.
    pub(super) fn answer(
        &mut self,
        number: RequestNumber,
        operation: Operation,
        outcome: Box<Outcome>,
    ) {
        let units = outcome.consumed.iter().map(ConsumedCapacity::total).sum();
        if let Some(kind) = special(number, operation, &outcome, units) {
            self.tell(kind);
        }
        self.tell_often(|_| match &outcome.reply {
            Ok(response) => {
                let n_items = n_items(response);
                EventKind::RequestDone { request: number, operation, units, n_items }
            }
            Err(error) => {
                let code = error.name();
                EventKind::RequestRefused { request: number, operation, code, units }
            }
        });
        let at = self.in_us(self.settings.reply_us);
        self.schedule.add_to_lane(LANE_REPLY, at, Due::Reply(number, outcome));
    }

    /// Serves a request as a whole.
    fn serve(&mut self, number: RequestNumber, request: Open) -> Box<Outcome> {
        let outcome = self.decide(number, request);
        self.commit(&outcome);
        outcome
    }

    /// Admits a request and executes it, without writing anything yet.
    pub(super) fn decide(&mut self, number: RequestNumber, request: Open) -> Box<Outcome> {
        let operation = request.operation();
        match request {
            Open::Whole(request) => match plan(&self.store, *request) {
                Ok(plan) => self.decide_planned(number, operation, &plan),
                Err(error) => refused(error),
            },
            Open::Repeated { of, binding, .. } => {
                let mut repeated = self.repeated[of].take().expect("one request at a time");
                let outcome = match repeated.plan(&self.store, &binding) {
                    Ok(plan) => self.decide_planned(number, operation, plan),
                    Err(error) => refused(error),
                };
                self.repeated[of] = Some(repeated);
                outcome
            }
        }
    }

    fn decide_planned(
        &mut self,
        number: RequestNumber,
        operation: Operation,
        plan: &Plan,
    ) -> Box<Outcome> {
        let targets = match plan.item_target() {
            Some(one) => Few::One([one]),
            None => Few::Many(plan.targets()),
        };
        let ways = self.ways(&targets);
        if let Err(error) = self.find_way(number, operation, plan, &targets, &ways) {
            self.count_refusal(&targets, &error);
            return refused(error);
        }
        let old_images = self.show_replicas(number, plan, &targets, &ways);
        let outcome = Box::new(old_images.execute(&self.store, plan, self.now));
        old_images.take_back(&mut self.store);
        if let Err(error) = self.make_room(number, &targets, &ways, &outcome) {
            self.count_refusal(&targets, &error);
            return refused(hold::cancelled_if_transaction(error, operation, &targets));
        }
        self.count_reply(&targets, &outcome.reply);
        outcome
    }

    /// Where each target lies.
    pub(super) fn ways(&self, targets: &[Target]) -> Few<Way> {
        let way = |target: &Target| {
            let index = target.index.as_ref().filter(|name| is_global(&self.store, target, name));
            self.placement.way(&target.table, index, &target.range)
        };
        match targets {
            [one] => Few::One([way(one)]),
            many => Few::Many(many.iter().map(way).collect()),
        }
    }

    /// A partition that is there, and what it belongs to.
    pub(super) fn place_of(&self, partition: u32) -> Place {
        let tree = self.placement.partition(partition).map(|one| &one.tree);
        place(tree.expect("it was just found"), partition)
    }

    /// Refuses what needs a leader where there is none, or an item that a transaction holds.
    pub(super) fn find_way(
        &mut self,
        number: RequestNumber,
        operation: Operation,
        plan: &Plan,
        targets: &[Target],
        ways: &[Way],
    ) -> Result<(), ApiError> {
        self.find_leaders(plan, targets, ways)?;
        match self.holds.conflict(operation, plan.is_write(), targets) {
            None => Ok(()),
            Some(error) => {
                self.tell(EventKind::TransactionConflict { request: number });
                Err(error)
            }
        }
    }

    /// Refuses what needs a leader where there is none.
    pub(super) fn find_leaders(
        &self,
        plan: &Plan,
        targets: &[Target],
        ways: &[Way],
    ) -> Result<(), ApiError> {
        let is_write = plan.is_write();
        let needs_leader = |(target, _): &(&Target, &Way)| target.is_consistent || is_write;
        for (_, way) in targets.iter().zip(ways).filter(needs_leader) {
            for partition in way.partitions.iter() {
                let group = self.placement.partition(partition).map(|one| &one.group);
                if group.is_some_and(|group| group.leaderless_until.is_some()) {
                    return Err(ApiError::exception(
                        "InternalServerError",
                        "Internal server error",
                    ));
                }
            }
        }
        Ok(())
    }

    /// The store as the replicas see it that answer; none where they lack nothing of what is read.
    pub(super) fn seen(
        &mut self,
        number: RequestNumber,
        plan: &Plan,
        targets: &[Target],
        ways: &[Way],
    ) -> Option<Store> {
        let old_images = self.show_replicas(number, plan, targets, ways);
        let seen = (!old_images.is_empty()).then(|| self.store.clone());
        old_images.take_back(&mut self.store);
        seen
    }

    /// Shows a read what the replicas have that answer it, until what they lack is taken back.
    fn show_replicas(
        &mut self,
        number: RequestNumber,
        plan: &Plan,
        targets: &[Target],
        ways: &[Way],
    ) -> OldImages {
        let mut shown = OldImages::default();
        if plan.is_write() {
            return shown;
        }
        for (target, way) in targets.iter().zip(ways) {
            if target.is_consistent {
                self.tell_read_by_leaders(number, way);
                continue;
            }
            // An entry of a local index lies beside its item, under another sort key.
            let is_local = target.index.is_some()
                && self.placement.tree_at(way.tree).is_some_and(|tree| tree.name.1.is_none());
            for partition in way.partitions.iter() {
                let replica = self.choose(partition);
                let Some(held) = self.placement.partition(partition) else { continue };
                let all = KeyRange::all();
                let range = if is_local { &all } else { &target.range };
                let Missing { n_changes, since, old_images } = held.group.missing(replica, range);
                self.tell_often(|cluster| EventKind::ReadServed {
                    request: number,
                    place: cluster.place_of(partition),
                    replica,
                    n_missing: n_changes,
                    behind_us: since.map_or(0, |since| cluster.now.0 - since.0),
                });
                let Some(tree) = self.placement.tree_at(way.tree).filter(|_| n_changes > 0) else {
                    continue;
                };
                for (key, image) in old_images {
                    if matches!(plan, Plan::GetItem(_)) {
                        shown.keep(image);
                    } else {
                        shown.put(&mut self.store, &tree.name, key, image);
                    }
                }
            }
        }
        shown
    }

    /// Tells of a strongly consistent read, which leaders answer.
    fn tell_read_by_leaders(&mut self, number: RequestNumber, way: &Way) {
        for partition in way.partitions.iter() {
            let Some(held) = self.placement.partition(partition) else { continue };
            let replica = held.group.leader();
            self.tell_often(|cluster| EventKind::ReadServed {
                request: number,
                place: cluster.place_of(partition),
                replica,
                n_missing: 0,
                behind_us: 0,
            });
        }
    }

    /// The replica that answers an eventually consistent read.
    fn choose(&mut self, partition: u32) -> u8 {
        let number = match self.settings.eventual_reads {
            EventualReads::Random => Some(self.random.below(3)),
            _ => None,
        };
        let Some(partition) = self.placement.partition_mut(partition) else { return 0 };
        let group = &mut partition.group;
        match (self.settings.eventual_reads, number) {
            (EventualReads::SlowestFollower, _) => group.slowest(),
            (EventualReads::RoundRobin, _) => group.in_turn(),
            (EventualReads::Random, Some(number)) => group.working(number),
            _ => group.leader(),
        }
    }
}

fn refused(error: ApiError) -> Box<Outcome> {
    Box::new(Outcome::free(Err(error)))
}

/// The table or global index that a target lies in; local indexes lie in their table.
pub(super) fn tree_of(store: &Store, target: &Target) -> TreeName {
    (target.table.clone(), target.index.clone().filter(|name| is_global(store, target, name)))
}

/// True if a target's index is one that lies apart from its table.
fn is_global(store: &Store, target: &Target, name: &IndexName) -> bool {
    store
        .table(target.table.as_str())
        .is_some_and(|table| table.schema().global_indexes.iter().any(|index| index.name == *name))
}

pub(super) fn place((table, index): &TreeName, partition: u32) -> Place {
    Place { table: table.clone(), index: index.clone(), partition }
}

/// Items that a read found.
fn n_items(response: &Response) -> Option<u32> {
    let n_items = match response {
        Response::GetItem(found) => usize::from(found.item.is_some()),
        Response::Query(page) | Response::Scan(page) => return Some(page.count),
        Response::BatchGetItem(found) => found.responses.iter().map(|(_, items)| items.len()).sum(),
        Response::TransactGetItems(found) => found.responses.iter().flatten().count(),
        _ => return None,
    };
    u32::try_from(n_items).ok()
}

/// What there is to tell of an outcome beside its being done or refused.
fn special(
    request: RequestNumber,
    operation: Operation,
    outcome: &Outcome,
    units: CapacityUnits,
) -> Option<EventKind> {
    let full = || EventKind::CollectionFull { request };
    let is_full = |error: &ApiError| *error == ApiError::ItemCollectionSizeLimitExceeded;
    let failed = |has_item| Some(EventKind::ConditionFailed { request, units, has_item });
    match &outcome.reply {
        Ok(Response::BatchExecuteStatement(batch)) => {
            let mut errors = batch.responses.iter().filter_map(|one| one.error.as_ref());
            errors.any(is_full).then(full)
        }
        Ok(_) => {
            let is_replay = operation == Operation::TransactWriteItems
                && outcome.consumed.first().is_some_and(|one| !one.is_write);
            is_replay.then_some(EventKind::TokenReplayed { request })
        }
        Err(ApiError::ConditionalCheckFailed(item)) => failed(item.is_some()),
        Err(ApiError::TransactionCanceled(reasons)) => {
            reasons.iter().find_map(|reason| match reason {
                CancellationReason::ConditionalCheckFailed(item) => failed(item.is_some()),
                CancellationReason::ItemCollectionSizeLimitExceeded => Some(full()),
                _ => None,
            })
        }
        Err(error) => is_full(error).then(full),
    }
}

/// True for operations that are transactions.
pub(super) const fn is_transaction(operation: Operation) -> bool {
    matches!(operation, Operation::TransactWriteItems | Operation::ExecuteTransaction)
}

/// True for operations that write items.
pub(super) const fn is_item_write(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::PutItem
            | Operation::UpdateItem
            | Operation::DeleteItem
            | Operation::BatchWriteItem
            | Operation::ExecuteStatement
            | Operation::BatchExecuteStatement
    )
}
