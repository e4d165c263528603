//! Whether there is room for a request, what it costs whom, and the counts of both.
//!
//! Invariant: a request takes its units from all limits it meets or from none; what is taken is counted, and
//! nothing else.
//!
//! Source: facts 6.2 to 6.7.

use hashrange_engine::{Outcome, Target};
use hashrange_storage::{IndexEntryChange, KeyRange};
use hashrange_types::{ApiError, CancellationReason, CapacityUnits, EncodedKey, Response};

use super::serve::place;
use super::{Cluster, RequestNumber};
use crate::admission::Use;
use crate::event::EventKind;
use crate::few::Few;
use crate::metrics::Metric;
use crate::placement::{Numbers, TreeName, Way};
use crate::throttle::{Limit, Reason};

/// What a request costs one partition.
pub(super) struct Share {
    /// The position of the tree it belongs to.
    pub(super) tree: usize,
    pub(super) partition: u32,
    pub(super) units: CapacityUnits,
    pub(super) what: Use,
    /// The item, or the first one read there.
    pub(super) key: Option<EncodedKey>,
    /// Keys of a Query or Scan along what it read there.
    pub(super) along: Vec<EncodedKey>,
}

/// Why there is no room for a share.
struct Refusal {
    limit: Limit,
    /// True if the partition is at its ceiling.
    is_at_ceiling: bool,
    is_on_demand: bool,
}

impl Cluster {
    /// Takes a request's units from all limits it meets, or refuses it.
    pub(super) fn make_room(
        &mut self,
        number: RequestNumber,
        targets: &[Target],
        ways: &[Way],
        outcome: &Outcome,
    ) -> Result<(), ApiError> {
        let shares = self.shares(targets, ways, outcome);
        if self.settings.has_limits {
            self.admit_indexes(number, outcome)?;
            for share in shares.iter() {
                if let Some(refusal) = self.refusal(share, &shares) {
                    return Err(self.refuse(number, share, &refusal));
                }
            }
        }
        shares.iter().for_each(|share| self.take(share));
        Ok(())
    }

    /// Takes the units of a write that comes from another Region. False if it needs room and there is none now,
    /// which is no throttle: it comes again.
    pub(super) fn has_taken_in(
        &mut self,
        targets: &[Target],
        ways: &[Way],
        outcome: &Outcome,
        needs_room: bool,
    ) -> bool {
        let shares = self.shares(targets, ways, outcome);
        let has_room = !self.settings.has_limits
            || !needs_room
            || self.full_index(outcome).is_none()
                && shares.iter().all(|share| self.refusal(share, &shares).is_none());
        if has_room {
            shares.iter().for_each(|share| self.take(share));
        }
        has_room
    }

    /// Refuses a write whose entries an index cannot take in.
    fn admit_indexes(&mut self, number: RequestNumber, outcome: &Outcome) -> Result<(), ApiError> {
        let Some((tree, entry)) = self.full_index(outcome) else { return Ok(()) };
        let Some(share) = self.entry_share(&tree, entry) else { return Ok(()) };
        let is_on_demand =
            self.placement.tree_at(share.tree).is_some_and(|tree| tree.capacity.is_on_demand());
        let limit = if is_on_demand { Limit::KeyRange } else { Limit::Provisioned };
        let refusal = Refusal { limit, is_at_ceiling: false, is_on_demand };
        Err(self.refuse(number, &share, &refusal))
    }

    /// An index that an entry would go to, for which too many wait already.
    fn full_index<'o>(&self, outcome: &'o Outcome) -> Option<(TreeName, &'o IndexEntryChange)> {
        let most = usize::try_from(self.settings.index_backlog_max).unwrap_or(usize::MAX);
        let mut entries = outcome.index_entries.iter().filter(|entry| !entry.is_local);
        entries.find_map(|entry| {
            let tree = (entry.table.clone(), Some(entry.index.clone()));
            let queue = self.index_queues.get(&tree);
            let is_full = queue.map_or(0, super::commit::IndexQueue::n_waiting) >= most;
            is_full.then_some((tree, entry))
        })
    }

    /// The limit that a share of a request meets, if it meets one. Shares that go to one partition, or to one
    /// table or index, need room there together.
    fn refusal(&mut self, share: &Share, all: &[Share]) -> Option<Refusal> {
        let (what, now) = (share.what, self.now);
        let is_beside = |other: &&Share| other.partition == share.partition && other.what == what;
        let is_like =
            |other: &&Share| other.what.is_write() == what.is_write() && other.tree == share.tree;
        let beside = all.iter().filter(is_beside).map(|other| other.units).sum();
        let partition = self.placement.partition_mut(share.partition);
        let at_partition =
            partition.and_then(|partition| partition.ceilings.refusal(what, beside, now));
        let tree = self.placement.tree_at_mut(share.tree)?;
        let is_on_demand = tree.capacity.is_on_demand();
        let has_fixed_shares = !is_on_demand && !self.settings.is_adaptive;
        let limit = match at_partition {
            None if has_fixed_shares => None,
            None => {
                let units = all.iter().filter(is_like).map(|other| other.units).sum();
                tree.capacity.refusal(what, units, now)
            }
            limit => limit,
        };
        self.upkeep.is_grown |= tree.capacity.is_grown();
        let is_at_ceiling = at_partition == Some(Limit::KeyRange);
        limit.map(|limit| Refusal { limit, is_at_ceiling, is_on_demand })
    }

    /// Counts and tells a refusal; returns its error.
    fn refuse(&mut self, number: RequestNumber, share: &Share, refusal: &Refusal) -> ApiError {
        let of_share = self.placement.tree_at(share.tree);
        let tree = of_share.expect("a share is of a tree that is there").name.clone();
        let is_write = share.what.is_write();
        let reason = Reason { is_index: tree.1.is_some(), is_write, limit: refusal.limit };
        if let Some(partition) = self.placement.partition_mut(share.partition) {
            partition.heat.count_throttle(
                share.what,
                share.units,
                (share.key.as_ref(), &share.along),
                refusal.is_at_ceiling,
                &self.settings,
                self.now,
            );
            self.upkeep.look(share.partition, &partition.heat, &self.settings);
        }
        if let Some(of_share) = self.placement.tree_at_mut(share.tree) {
            of_share.metrics.throttle(reason, self.now);
            if refusal.limit == Limit::Provisioned && of_share.is_burst_over(self.now) {
                let (table, index) = tree.clone();
                self.tell(EventKind::BurstEmpty { table, index });
            }
        }
        self.tell(EventKind::Throttled {
            request: number,
            place: place(&tree, share.partition),
            key: share.key.clone(),
            reason,
        });
        reason.error(&tree.0, tree.1.as_ref(), refusal.is_on_demand)
    }

    /// Takes a share from the limits it meets, and counts it.
    fn take(&mut self, share: &Share) {
        let Share { tree, partition: number, units, what, key, along } = share;
        let (number, units, what) = (*number, *units, *what);
        let (now, has_limits) = (self.now, self.settings.has_limits);
        if let Some(partition) = self.placement.partition_mut(number) {
            if has_limits {
                partition.ceilings.take(what, units, now);
            }
            partition.heat.count(what, units, (key.as_ref(), along), &self.settings, now);
            self.upkeep.look(number, &partition.heat, &self.settings);
        }
        if let Some(tree) = self.placement.tree_at_mut(*tree) {
            if has_limits && (self.settings.is_adaptive || tree.capacity.is_on_demand()) {
                tree.capacity.take(what, units, now);
            }
            tree.metrics.consume(what.is_write(), units, now);
        }
    }

    /// Takes an entry's units from its index, if there are as many.
    pub(super) fn index_has_room(&mut self, tree: &TreeName, change: &IndexEntryChange) -> bool {
        let Some(share) = self.entry_share(tree, change) else { return true };
        if self.settings.has_limits && self.refusal(&share, std::slice::from_ref(&share)).is_some()
        {
            return false;
        }
        self.take(&share);
        true
    }

    /// What an entry costs its index; none where that is gone.
    fn entry_share(&self, tree: &TreeName, change: &IndexEntryChange) -> Option<Share> {
        let only = KeyRange::only(change.key.clone());
        let way = self.placement.way(&tree.0, tree.1.as_ref(), &only);
        let partition = way.partitions.iter().next()?;
        let (units, key) = (super::commit::entry_units(change), Some(change.key.clone()));
        Some(Share { tree: way.tree, partition, units, what: Use::Write, key, along: Vec::new() })
    }

    /// Counts what was refused of a request that was admitted.
    pub(super) fn count_reply(&mut self, targets: &[Target], reply: &Result<Response, ApiError>) {
        match reply {
            Err(error) => self.count_refusal(targets, error),
            Ok(Response::BatchExecuteStatement(response)) => {
                for one in &response.responses {
                    let of_table =
                        |target: &&Target| one.table_name.as_deref() == Some(target.table.as_str());
                    let target = targets.iter().find(of_table);
                    if let (Some(target), Some(error)) = (target, &one.error) {
                        self.count_refusal(std::slice::from_ref(target), error);
                    }
                }
            }
            Ok(_) => {}
        }
    }

    /// Counts a refused request by its error.
    pub(super) fn count_refusal(&mut self, targets: &[Target], error: &ApiError) {
        let now = self.now;
        let mut count = |target: Option<&Target>, metric| {
            let tree = target.map(|target| (target.table.clone(), None));
            if let Some(tree) = tree.and_then(|tree| self.placement.tree_mut(&tree)) {
                tree.metrics.event(metric, now);
            }
        };
        match error {
            ApiError::Throttled(_) => count(targets.first(), Metric::ThrottledRequests),
            ApiError::ConditionalCheckFailed(_) | ApiError::DuplicateItem => {
                count(targets.first(), Metric::ConditionalCheckFailedRequests);
            }
            ApiError::TransactionCanceled(reasons) => {
                for (position, reason) in reasons.iter().enumerate() {
                    match reason {
                        CancellationReason::ConditionalCheckFailed(_)
                        | CancellationReason::DuplicateItem => {
                            count(targets.get(position), Metric::ConditionalCheckFailedRequests);
                        }
                        other if other.code() == "TransactionConflict" => {
                            count(targets.get(position), Metric::TransactionConflict);
                        }
                        _ => {}
                    }
                }
            }
            other if other.name() == "TransactionConflictException" => {
                count(targets.first(), Metric::TransactionConflict);
            }
            _ => {}
        }
    }
}

impl Cluster {
    /// What a request costs the partitions it touched: what it consumed of a table or index, spread evenly over
    /// its targets there. A write's entries of global indexes are paid for when they arrive.
    fn shares(&self, targets: &[Target], ways: &[Way], outcome: &Outcome) -> Few<Share> {
        if let ([target], [way], [consumed]) = (targets, ways, &outcome.consumed[..])
            && let (Numbers::One(partition), Some(key)) = (&way.partitions, target.range.only_key())
            && target.index.is_none()
        {
            // One item, as most requests are about.
            let of_locals = consumed.local_indexes.iter().map(|(_, units)| *units).sum();
            let units = consumed.table + consumed.failed + of_locals;
            if units.is_zero() {
                return Few::Many(Vec::new());
            }
            let what = use_of(consumed.is_write, target);
            let (tree, partition, key) = (way.tree, *partition, Some(key.clone()));
            return Few::One([Share { tree, partition, units, what, key, along: Vec::new() }]);
        }
        let mut shares = Vec::with_capacity(targets.len());
        for consumed in &outcome.consumed {
            let of_table = targets.iter().zip(ways).filter(|(target, _)| {
                let given = consumed.table_name.as_str();
                given
                    .strip_suffix(target.table.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            });
            let locals = consumed.local_indexes.iter().map(|(_, units)| *units);
            let base = consumed.table + consumed.failed + locals.sum();
            let is_base = |tree: &TreeName| tree.1.is_none();
            self.spread(&mut shares, base, consumed.is_write, of_table.clone(), outcome, is_base);
            for (index, units) in consumed.global_indexes.iter().filter(|_| !consumed.is_write) {
                let is_index = |tree: &TreeName| tree.1.as_ref() == Some(index);
                self.spread(&mut shares, *units, false, of_table.clone(), outcome, is_index);
            }
        }
        Few::Many(shares)
    }

    fn spread<'a>(
        &self,
        shares: &mut Vec<Share>,
        units: CapacityUnits,
        is_write: bool,
        targets: impl Iterator<Item = (&'a Target, &'a Way)> + Clone,
        outcome: &Outcome,
        belongs: impl Fn(&TreeName) -> bool,
    ) {
        if units.is_zero() {
            return;
        }
        let first = shares.len();
        let n_targets = targets.clone().count();
        for (target, way) in targets {
            let Some(tree) = self.placement.tree_at(way.tree).map(|tree| &tree.name) else {
                continue;
            };
            if !belongs(tree) {
                continue;
            }
            let what = use_of(is_write, target);
            let page = read_page(outcome).filter(|_| n_targets == 1);
            let range = page.as_ref().unwrap_or(&target.range);
            let of_page = page.as_ref().map(|page| self.placement.touched(way.tree, page));
            let mut key = first_key(range);
            for partition in of_page.as_ref().unwrap_or(&way.partitions).iter() {
                let along =
                    if is_write { Vec::new() } else { self.keys_along(tree, partition, range) };
                let (tree, units) = (way.tree, CapacityUnits::ZERO);
                let key = key.take().or_else(|| along.iter().min().cloned());
                shares.push(Share { tree, partition, units, what, key, along });
            }
        }
        let n = (shares.len() - first) as u64;
        for (position, share) in (0_u64..).zip(&mut shares[first..]) {
            // Halves that can't be shared go to the first.
            let halves = units.as_halves() / n + u64::from(position < units.as_halves() % n);
            share.units = CapacityUnits::halves(halves);
        }
    }
}

/// How a target's partitions are used.
const fn use_of(is_write: bool, target: &Target) -> Use {
    match (is_write, target.is_consistent) {
        (true, _) => Use::Write,
        (false, true) => Use::LeaderRead,
        (false, false) => Use::EventualRead,
    }
}

/// The first key of a range that begins with an item rather than with all items of a hash.
fn first_key(range: &KeyRange) -> Option<EncodedKey> {
    match &range.lower {
        std::ops::Bound::Included(key) if key.as_bytes().len() > 8 => Some(key.clone()),
        _ => None,
    }
}

/// The part of a range that was read, where a page may have ended before its range did.
fn read_page(outcome: &Outcome) -> Option<KeyRange> {
    use std::ops::Bound::Included;
    outcome.evaluated.page_end?;
    let (first, last) =
        (outcome.evaluated.first_key.as_ref()?, outcome.evaluated.last_key.as_ref()?);
    let (lower, upper) = (first.min(last).clone(), first.max(last).clone());
    Some(KeyRange { lower: Included(lower), upper: Included(upper) })
}
