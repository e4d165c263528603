//! How a request is served: who is asked, what is seen, whether there is room.
//!
//! Invariant: a throttled request changes and consumes nothing.

use hashrange_engine::{Outcome, Plan, Target, execute, plan};
use hashrange_storage::{KeyRange, Store};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{ApiError, CapacityUnits, Operation, Request};

use super::{Cluster, Due, RequestNumber, batch, hold};
use crate::admission::Use;
use crate::event::{EventKind, Place};
use crate::placement::TreeName;
use crate::replica_group::Missing;
use crate::settings::EventualReads;
use crate::throttle::{Limit, Reason};
use crate::view;

/// What a request costs one partition.
struct Share {
    tree: TreeName,
    partition: u32,
    units: CapacityUnits,
    what: Use,
}

impl Cluster {
    /// A request reaches the partitions: a write waits for its quorum, a transaction takes hold of its items,
    /// anything else is served.
    pub(super) fn arrive(&mut self, number: RequestNumber) {
        let Some(request) = self.open.get(&number) else { return };
        let operation = request.operation();
        if is_transaction(operation) && self.settings.transaction_us > 0 {
            self.prepare(number);
        } else if is_item_write(operation) && self.settings.commit_us > 0 {
            self.schedule.add(self.in_us(self.settings.commit_us), Due::Commit(number));
        } else {
            self.finish(number);
        }
    }

    /// Serves a request and answers it.
    pub(super) fn finish(&mut self, number: RequestNumber) {
        let Some(request) = self.open.remove(&number) else { return };
        self.live();
        self.holds.release(number);
        let operation = request.operation();
        let outcome = if batch::is_batch(operation) && self.may_refuse() {
            self.serve_batch(number, request)
        } else {
            self.serve(number, request, false)
        };
        self.tell_restored_at_once(&outcome);
        self.answer(number, operation, outcome);
    }

    /// Sends an outcome to the client.
    pub(super) fn answer(&mut self, number: RequestNumber, operation: Operation, outcome: Outcome) {
        let units = outcome.consumed.iter().map(ConsumedCapacity::total).sum();
        self.tell(match &outcome.reply {
            Ok(_) => EventKind::RequestDone { request: number, operation, units },
            Err(error) => {
                let code = error.name();
                EventKind::RequestRefused { request: number, operation, code, units }
            }
        });
        let at = self.in_us(self.settings.reply_us);
        self.schedule.add(at, Due::Reply(number, Box::new(outcome)));
    }

    /// Serves a request as a whole. What was admitted is not asked for room again.
    pub(super) fn serve(
        &mut self,
        number: RequestNumber,
        request: Request,
        is_admitted: bool,
    ) -> Outcome {
        let operation = request.operation();
        let plan = match plan(&self.store, request) {
            Ok(plan) => plan,
            Err(error) => return Outcome::free(Err(error)),
        };
        let targets = plan.targets();
        if !is_admitted && let Err(error) = self.find_way(number, operation, &plan, &targets) {
            return Outcome::free(Err(error));
        }
        let outcome = {
            let seen = self.seen(number, &plan, &targets);
            execute(seen.as_ref().unwrap_or(&self.store), &plan, self.now)
        };
        if !is_admitted && let Err(error) = self.make_room(number, &targets, &outcome) {
            return Outcome::free(Err(hold::cancelled_if_transaction(error, operation, &targets)));
        }
        self.commit(&outcome);
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

    /// Takes a request's units from all limits it meets, or refuses it.
    pub(super) fn make_room(
        &mut self,
        number: RequestNumber,
        targets: &[Target],
        outcome: &Outcome,
    ) -> Result<(), ApiError> {
        if !self.settings.has_limits {
            return Ok(());
        }
        self.admit_indexes(number, outcome)?;
        self.admit(number, targets, outcome)
    }

    /// Refuses what needs a leader where there is none.
    fn find_leaders(&self, plan: &Plan, targets: &[Target]) -> Result<(), ApiError> {
        let needs_leader = |target: &&Target| target.is_consistent || plan.is_write();
        for target in targets.iter().filter(needs_leader) {
            for partition in self.placement.touched(&tree_of(&self.store, target), &target.range) {
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
    fn seen(&mut self, number: RequestNumber, plan: &Plan, targets: &[Target]) -> Option<Store> {
        let mut seen: Option<Store> = None;
        if plan.is_write() {
            return None;
        }
        for target in targets.iter().filter(|target| !target.is_consistent) {
            let tree = tree_of(&self.store, target);
            // An entry of a local index lies beside its item, under another sort key.
            let is_local = target.index.is_some() && tree.1.is_none();
            for partition in self.placement.touched(&tree, &target.range) {
                let replica = self.choose(partition);
                let Some(held) = self.placement.partition(partition) else { continue };
                let all = KeyRange::all();
                let range = if is_local { &all } else { &target.range };
                let Missing { n_changes, since, old_images } = held.group.missing(replica, range);
                let behind_us = since.map_or(0, |since| self.now.0 - since.0);
                let place = place(&tree, partition);
                self.tell(EventKind::ReadServed {
                    request: number,
                    place,
                    replica,
                    n_missing: n_changes,
                    behind_us,
                });
                if old_images.is_empty() {
                    continue;
                }
                let view = seen.get_or_insert_with(|| self.store.clone());
                match &tree {
                    (table, None) => view::set_items(view, table, old_images),
                    (table, Some(index)) => view::set_entries(view, table, index, old_images),
                }
            }
        }
        seen
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

    /// Refuses a write whose entries an index cannot take in: too many wait for it already.
    fn admit_indexes(&mut self, number: RequestNumber, outcome: &Outcome) -> Result<(), ApiError> {
        let entries = outcome.index_entries.iter().filter(|entry| !entry.is_local);
        for entry in entries {
            let tree = (entry.table.clone(), Some(entry.index.clone()));
            let n_waiting =
                self.index_queues.get(&tree).map_or(0, super::commit::IndexQueue::n_waiting);
            if n_waiting < usize::try_from(self.settings.index_backlog_max).unwrap_or(usize::MAX) {
                continue;
            }
            let is_on_demand =
                self.placement.tree_mut(&tree).is_some_and(|tree| tree.capacity.is_on_demand());
            let limit = if is_on_demand { Limit::KeyRange } else { Limit::Provisioned };
            let reason = Reason { is_index: true, is_write: true, limit };
            let partition = self.placement.holding(&tree, &entry.key).unwrap_or(0);
            self.tell(EventKind::Throttled {
                request: number,
                place: place(&tree, partition),
                key: Some(entry.key.clone()),
                reason,
            });
            return Err(reason.error(&entry.table, Some(&entry.index), is_on_demand));
        }
        Ok(())
    }

    /// Takes a request's units from all buckets it meets, or from none.
    fn admit(
        &mut self,
        number: RequestNumber,
        targets: &[Target],
        outcome: &Outcome,
    ) -> Result<(), ApiError> {
        let shares = self.shares(targets, outcome);
        let now = self.now;
        for share in &shares {
            let reason = |limit| Reason {
                is_index: share.tree.1.is_some(),
                is_write: share.what.is_write(),
                limit,
            };
            let has_room = self
                .placement
                .partition_mut(share.partition)
                .is_none_or(|partition| partition.ceilings.admits(share.what, share.units, now));
            let Some(tree) = self.placement.tree_mut(&share.tree) else { continue };
            let limit = if has_room {
                tree.capacity.refusal(share.what, share.units, now)
            } else {
                Some(Limit::KeyRange)
            };
            if let Some(limit) = limit {
                let is_on_demand = tree.capacity.is_on_demand();
                let reason = reason(limit);
                self.tell(EventKind::Throttled {
                    request: number,
                    place: place(&share.tree, share.partition),
                    key: None,
                    reason,
                });
                let (table, index) = &share.tree;
                return Err(reason.error(table, index.as_ref(), is_on_demand));
            }
        }
        for share in shares {
            if let Some(partition) = self.placement.partition_mut(share.partition) {
                partition.ceilings.take(share.what, share.units, now);
            }
            if let Some(tree) = self.placement.tree_mut(&share.tree) {
                tree.capacity.take(share.what, share.units, now);
            }
        }
        Ok(())
    }
}

impl Cluster {
    /// What a request costs the partitions it touched: what it consumed of a table or index, spread evenly over
    /// its targets there. A write's entries of global indexes are paid for when they arrive.
    fn shares(&self, targets: &[Target], outcome: &Outcome) -> Vec<Share> {
        let mut shares = Vec::with_capacity(targets.len());
        for consumed in &outcome.consumed {
            let of_table = targets.iter().filter(|target| {
                let given = consumed.table_name.as_str();
                given
                    .strip_suffix(target.table.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            });
            let of_table: Vec<(TreeName, &Target)> =
                of_table.map(|target| (tree_of(&self.store, target), target)).collect();
            let locals = consumed.local_indexes.iter().map(|(_, units)| *units);
            let base = consumed.table + locals.sum();
            let is_base = |tree: &TreeName| tree.1.is_none();
            self.spread(&mut shares, base, consumed.is_write, &of_table, outcome, is_base);
            for (index, units) in consumed.global_indexes.iter().filter(|_| !consumed.is_write) {
                let is_index = |tree: &TreeName| tree.1.as_ref() == Some(index);
                self.spread(&mut shares, *units, false, &of_table, outcome, is_index);
            }
        }
        shares
    }

    fn spread(
        &self,
        shares: &mut Vec<Share>,
        units: CapacityUnits,
        is_write: bool,
        targets: &[(TreeName, &Target)],
        outcome: &Outcome,
        belongs: impl Fn(&TreeName) -> bool,
    ) {
        if units.is_zero() {
            return;
        }
        let mut touched = Vec::new();
        for (tree, target) in targets.iter().filter(|(tree, _)| belongs(tree)) {
            let what = match (is_write, target.is_consistent) {
                (true, _) => Use::Write,
                (false, true) => Use::LeaderRead,
                (false, false) => Use::EventualRead,
            };
            let range = read_range(target, outcome, targets.len());
            for partition in self.placement.touched(tree, &range) {
                touched.push((tree.clone(), partition, what));
            }
        }
        let n = touched.len() as u64;
        for (position, (tree, partition, what)) in (0_u64..).zip(touched) {
            // Halves that can't be shared go to the first.
            let halves = units.as_halves() / n + u64::from(position < units.as_halves() % n);
            let units = CapacityUnits::halves(halves);
            shares.push(Share { tree, partition, units, what });
        }
    }
}

/// The part of a target that was read: a page may have ended before its range did.
fn read_range(target: &Target, outcome: &Outcome, n_targets: usize) -> KeyRange {
    use std::ops::Bound::Included;
    let (first, last) = (&outcome.evaluated.first_key, &outcome.evaluated.last_key);
    match (first, last) {
        (Some(first), Some(last)) if n_targets == 1 && outcome.evaluated.page_end.is_some() => {
            let (lower, upper) = (first.min(last).clone(), first.max(last).clone());
            KeyRange { lower: Included(lower), upper: Included(upper) }
        }
        _ => target.range.clone(),
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

/// True for operations that are transactions.
const fn is_transaction(operation: Operation) -> bool {
    matches!(operation, Operation::TransactWriteItems | Operation::ExecuteTransaction)
}

/// True for operations that write items.
const fn is_item_write(operation: Operation) -> bool {
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
