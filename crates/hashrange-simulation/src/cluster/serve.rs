//! How a request is served: who is asked, and what is seen.
//!
//! Invariant: a throttled request changes and consumes nothing.
//!
//! Not here: whether there is room for it (`admit`).

use hashrange_engine::{Outcome, Plan, Target, execute, plan};
use hashrange_storage::{KeyRange, Store};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{ApiError, CancellationReason, CapacityUnits, Operation, Request, Response};

use super::{Cluster, Due, RequestNumber, batch, hold};
use crate::event::{EventKind, Place};
use crate::placement::TreeName;
use crate::replica_group::Missing;
use crate::settings::EventualReads;
use crate::view::OldImages;

impl Cluster {
    /// A request reaches the partitions: a write waits for its quorum, a transaction takes hold of its items,
    /// anything else is served.
    pub(super) fn arrive(&mut self, number: RequestNumber) {
        let Some(request) = self.open.get(number) else { return };
        let operation = request.operation();
        if is_transaction(operation) && (self.settings.transaction_us > 0 || self.pauses.is_armed())
        {
            self.prepare(number);
        } else if is_item_write(operation) && self.settings.commit_us > 0 {
            self.schedule.add(self.in_us(self.settings.commit_us), Due::Commit(number));
        } else {
            self.finish(number);
        }
    }

    /// Serves a request and answers it.
    pub(super) fn finish(&mut self, number: RequestNumber) {
        if self.pauses.is_armed() && self.stop(number) {
            return;
        }
        let Some(request) = self.open.remove(number) else { return };
        self.live();
        self.holds.release(number);
        let operation = request.operation();
        let outcome = if batch::is_batch(operation) && self.may_refuse() {
            self.serve_batch(number, *request)
        } else {
            self.serve(number, request)
        };
        self.tell_restored_at_once(&outcome);
        self.answer(number, operation, outcome);
    }

    /// Sends an outcome to the client.
    pub(super) fn answer(&mut self, number: RequestNumber, operation: Operation, outcome: Outcome) {
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
        self.schedule.add(at, Due::Reply(number, Box::new(outcome)));
    }

    /// Serves a request as a whole.
    fn serve(&mut self, number: RequestNumber, request: Box<Request>) -> Outcome {
        let outcome = self.decide(number, request);
        self.commit(&outcome);
        outcome
    }

    /// Admits a request and executes it, without writing anything yet.
    pub(super) fn decide(&mut self, number: RequestNumber, request: Box<Request>) -> Outcome {
        let operation = request.operation();
        let plan = match plan(&self.store, *request) {
            Ok(plan) => plan,
            Err(error) => return Outcome::free(Err(error)),
        };
        let targets = plan.targets();
        if let Err(error) = self.find_way(number, operation, &plan, &targets) {
            self.count_refusal(&targets, &error);
            return Outcome::free(Err(error));
        }
        let old_images = self.show_replicas(number, &plan, &targets);
        let outcome = execute(&self.store, &plan, self.now);
        old_images.take_back(&mut self.store);
        if let Err(error) = self.make_room(number, &targets, &outcome) {
            self.count_refusal(&targets, &error);
            return Outcome::free(Err(hold::cancelled_if_transaction(error, operation, &targets)));
        }
        self.count_reply(&targets, &outcome.reply);
        outcome
    }

    /// Refuses what needs a leader where there is none, or an item that a transaction holds.
    pub(super) fn find_way(
        &mut self,
        number: RequestNumber,
        operation: Operation,
        plan: &Plan,
        targets: &[Target],
    ) -> Result<(), ApiError> {
        self.find_leaders(plan, targets)?;
        match self.holds.conflict(operation, plan.is_write(), targets) {
            None => Ok(()),
            Some(error) => {
                self.tell(EventKind::TransactionConflict { request: number });
                Err(error)
            }
        }
    }

    /// Refuses what needs a leader where there is none.
    pub(super) fn find_leaders(&self, plan: &Plan, targets: &[Target]) -> Result<(), ApiError> {
        let needs_leader = |target: &&Target| target.is_consistent || plan.is_write();
        for target in targets.iter().filter(needs_leader) {
            let touched = self.placement.touched(&tree_of(&self.store, target), &target.range);
            for partition in touched.iter() {
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
    ) -> Option<Store> {
        let old_images = self.show_replicas(number, plan, targets);
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
    ) -> OldImages {
        let mut shown = OldImages::default();
        if plan.is_write() {
            return shown;
        }
        for target in targets {
            let tree = tree_of(&self.store, target);
            if target.is_consistent {
                self.tell_read_by_leaders(number, &tree, target);
                continue;
            }
            // An entry of a local index lies beside its item, under another sort key.
            let is_local = target.index.is_some() && tree.1.is_none();
            for partition in self.placement.touched(&tree, &target.range).iter() {
                let replica = self.choose(partition);
                let Some(held) = self.placement.partition(partition) else { continue };
                let all = KeyRange::all();
                let range = if is_local { &all } else { &target.range };
                let Missing { n_changes, since, old_images } = held.group.missing(replica, range);
                self.tell_often(|cluster| EventKind::ReadServed {
                    request: number,
                    place: place(&tree, partition),
                    replica,
                    n_missing: n_changes,
                    behind_us: since.map_or(0, |since| cluster.now.0 - since.0),
                });
                for (key, image) in old_images {
                    shown.put(&mut self.store, &tree, key, image);
                }
            }
        }
        shown
    }

    /// Tells of a strongly consistent read, which leaders answer.
    fn tell_read_by_leaders(&mut self, number: RequestNumber, tree: &TreeName, target: &Target) {
        for partition in self.placement.touched(tree, &target.range).iter() {
            let Some(held) = self.placement.partition(partition) else { continue };
            let replica = held.group.leader();
            self.tell_often(|_| EventKind::ReadServed {
                request: number,
                place: place(tree, partition),
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

/// The table or global index that a target lies in; local indexes lie in their table.
pub(super) fn tree_of(store: &Store, target: &Target) -> TreeName {
    let is_global = |name: &hashrange_types::IndexName| {
        store.table(target.table.as_str()).is_some_and(|table| {
            table.schema().global_indexes.iter().any(|index| index.name == *name)
        })
    };
    (target.table.clone(), target.index.clone().filter(is_global))
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
