//! What travels between Regions: whole items, of which the last written wins; or, with strong consistency, at
//! once, while a clash is refused.
//!
//! Invariant: of two writes of an item, every Region keeps the one with the later stamp. A Region's write is
//! stamped later than what it overwrites, whatever the clock says.
//!
//! A write that a Region has no room for waits there, and those of its table from the same Region behind it, so that
//! none is lost or overtaken.
//!
//! Model: with strong consistency all Regions have a write when it is acknowledged, where AWS waits for one, and
//! take it in whatever room they have.
//!
//! Source: facts 5.5.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound::Included;

use hashrange_engine::plan;
use hashrange_storage::{ItemChange, Row, Table};
use hashrange_types::{
    ApiError, EncodedKey, Item, Operation, Request, TableName, Timestamp, ValidationError,
};

use super::{Due, World};
use crate::cluster::{RequestNumber, delay_us};
use crate::event::EventKind;

/// Stamps that are kept before old ones are looked for.
const STAMPS_MIN: usize = 1_024;
/// Microseconds until a Region that had no room for a write is asked again (model).
const RETRY_US: i64 = 10_000;

pub(super) type ItemName = (TableName, EncodedKey);

/// From which Region to which, of which table.
pub(super) type Route = (usize, usize, TableName);

/// When an item was written: the moment, then the Region, then the order of its writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stamp {
    at: Timestamp,
    region: usize,
    number: u64,
}

/// A write on its way to another Region.
#[derive(Debug, Clone)]
pub(super) struct Delivery {
    from: usize,
    to: usize,
    item: ItemName,
    /// The attributes of the key.
    key: Item,
    row: Option<Row>,
    stamp: Stamp,
    written_at: Timestamp,
}

/// What Regions know of each other's writes.
#[derive(Debug, Clone)]
pub(super) struct Replication {
    /// The newest write of an item that each Region has, while an older one may still arrive somewhere.
    stamps: BTreeMap<(usize, ItemName), Stamp>,
    n_stamps_max: usize,
    /// Stamps of the writes on their way, with how many there are.
    in_flight: BTreeMap<Stamp, usize>,
    /// Writes that arrived where there was no room for them.
    waiting: BTreeMap<Route, VecDeque<Delivery>>,
    /// When the newest write from one Region arrives in another.
    arrives_at: Vec<Vec<Timestamp>>,
    n_writes: u64,
    /// With strong consistency: items that are being written.
    held: VecDeque<Held>,
}

#[derive(Debug, Clone)]
struct Held {
    region: usize,
    number: RequestNumber,
    items: Vec<ItemName>,
}

impl Replication {
    pub(super) fn new(n_regions: usize) -> Self {
        Self {
            stamps: BTreeMap::new(),
            n_stamps_max: STAMPS_MIN,
            in_flight: BTreeMap::new(),
            waiting: BTreeMap::new(),
            arrives_at: vec![vec![Timestamp::default(); n_regions]; n_regions],
            n_writes: 0,
            held: VecDeque::new(),
        }
    }

    /// True for a single Region.
    pub(super) const fn is_alone(&self) -> bool {
        self.arrives_at.len() == 1
    }

    /// The stamp of a write that a Region makes now.
    fn stamp(&mut self, region: usize, item: &ItemName, now: Timestamp) -> Stamp {
        self.n_writes += 1;
        let known = self.stamps.get(&(region, item.clone()));
        let at = known.map_or(now, |known| now.max(Timestamp(known.at.0 + 1)));
        Stamp { at, region, number: self.n_writes }
    }

    fn keep(&mut self, region: usize, item: ItemName, stamp: Stamp) {
        self.stamps.insert((region, item), stamp);
        if self.stamps.len() > self.n_stamps_max {
            self.forget();
        }
    }

    fn land(&mut self, stamp: Stamp) {
        if let Some(n) = self.in_flight.get_mut(&stamp) {
            *n -= 1;
            if *n == 0 {
                self.in_flight.remove(&stamp);
            }
        }
        if self.in_flight.is_empty() {
            self.stamps.clear();
            self.n_stamps_max = STAMPS_MIN;
        }
    }

    /// Forgets stamps older than everything on its way: nothing can be older than they any more.
    fn forget(&mut self) {
        let oldest = self.in_flight.first_key_value().map(|(stamp, _)| *stamp);
        self.stamps.retain(|_, stamp| oldest.is_some_and(|oldest| *stamp >= oldest));
        self.n_stamps_max = STAMPS_MIN.max(2 * self.stamps.len());
    }
}

impl World {
    /// Sends a change of a Region to all others.
    pub(super) fn replicate(&mut self, from: usize, change: ItemChange) {
        if self.regions.len() == 1 {
            return;
        }
        let ItemChange { table, key, before, after } = change;
        let schema = self.regions[from].cluster.store().table(table.as_str()).map(Table::schema);
        let (Some(schema), Some(image)) = (schema, after.as_ref().or(before.as_ref())) else {
            return;
        };
        let key_item = schema.key.key_of(&image.item);
        let item = (table, key);
        let stamp = self.replication.stamp(from, &item, self.now);
        for to in (0..self.regions.len()).filter(|to| *to != from) {
            let delivery = Delivery {
                from,
                to,
                item: item.clone(),
                key: key_item.clone(),
                row: after.clone(),
                stamp,
                written_at: self.now,
            };
            *self.replication.in_flight.entry(stamp).or_default() += 1;
            if self.settings.is_strong {
                self.arrive(delivery);
                continue;
            }
            let n = usize::try_from(stamp.number - 1).unwrap_or(usize::MAX);
            let delay = delay_us(&self.settings.region_lag, n, &mut self.random);
            let newest = &mut self.replication.arrives_at[from][to];
            *newest = Timestamp(self.now.0.saturating_add(delay)).max(*newest);
            self.schedule.add(*newest, Due::Replicate(Box::new(delivery)));
        }
        if !self.replication.in_flight.is_empty() {
            self.replication.keep(from, item, stamp);
        }
    }

    /// A write arrives in another Region, and waits there behind those that had no room.
    pub(super) fn arrive(&mut self, delivery: Delivery) {
        let route = (delivery.from, delivery.to, delivery.item.0.clone());
        if let Some(waiting) = self.replication.waiting.get_mut(&route) {
            waiting.push_back(delivery);
        } else if !self.deliver(delivery.clone()) {
            self.replication.waiting.insert(route.clone(), VecDeque::from([delivery]));
            self.ask_again(route);
        }
    }

    fn ask_again(&mut self, route: Route) {
        let at = Timestamp(self.now.0.saturating_add(RETRY_US));
        self.schedule.add(at, Due::Deliver(Box::new(route)));
    }

    /// Asks a Region again for room for what waits there.
    pub(super) fn deliver_waiting(&mut self, route: Route) {
        loop {
            let waiting = self.replication.waiting.get(&route);
            let Some(next) = waiting.and_then(VecDeque::front).cloned() else { break };
            if !self.deliver(next) {
                self.ask_again(route);
                return;
            }
            if let Some(waiting) = self.replication.waiting.get_mut(&route) {
                waiting.pop_front();
            }
        }
        self.replication.waiting.remove(&route);
    }

    /// Carries a write out in another Region, unless a later one is there. False if there is no room for it.
    fn deliver(&mut self, delivery: Delivery) -> bool {
        let Delivery { from, to, item, key, row, stamp, written_at } = delivery;
        let from = self.regions[from].name.clone();
        let (table, encoded) = (item.0.clone(), item.1.clone());
        // What time brings in that Region comes first, and is the Region's own.
        self.cluster_now(to).settle();
        self.follow(to);
        let known = self.replication.stamps.get(&(to, item.clone()));
        if known.is_some_and(|known| *known >= stamp) {
            let lost = EventKind::RegionDiscarded { from, table, key: encoded };
            self.cluster_now(to).tell(lost);
        } else {
            let behind_us = self.now.0 - written_at.0;
            let may_be_delayed = !self.settings.is_strong;
            let cluster = self.cluster_now(to);
            let Some(units) = cluster.write_replicated(&table, key, row, may_be_delayed) else {
                return false;
            };
            cluster.take_committed();
            cluster.tell(EventKind::RegionApplied { from, table, key: encoded, behind_us, units });
            self.replication.keep(to, item, stamp);
            self.see_records(to);
        }
        self.replication.land(stamp);
        true
    }

    /// Refuses what strong consistency does not allow; the items to hold until the write's commit, none without
    /// strong consistency.
    pub(super) fn admit_strong(
        &self,
        region: usize,
        request: &Request,
    ) -> Result<Vec<ItemName>, ApiError> {
        if !self.settings.is_strong {
            return Ok(Vec::new());
        }
        let operation = request.operation();
        if let Some(rule) = strong_rule(request) {
            return Err(ValidationError::new(rule).into());
        }
        if is_never_strong(operation) {
            let name = operation.name();
            return Err(ValidationError::new(format!(
                "{name} is not supported on a global table with multi-Region strong consistency."
            ))
            .into());
        }
        let Ok(plan) = plan(self.regions[region].cluster.store(), request.clone()) else {
            return Ok(Vec::new());
        };
        if !plan.is_write() {
            return Ok(Vec::new());
        }
        let items: Vec<ItemName> = plan
            .targets()
            .into_iter()
            .filter_map(|target| match target.range.lower {
                Included(key) => Some((target.table, key)),
                _ => None,
            })
            .collect();
        let mut others = self.replication.held.iter().filter(|held| held.region != region);
        if others.any(|held| held.items.iter().any(|item| items.contains(item))) {
            // AWS publishes the exception's name; the text is ours.
            return Err(ApiError::exception(
                "ReplicatedWriteConflictException",
                "The item is being written in another Region. Try again.",
            ));
        }
        Ok(items)
    }

    /// Holds the items of a write until its commit.
    pub(super) fn hold(&mut self, region: usize, number: RequestNumber, items: Vec<ItemName>) {
        if !items.is_empty() {
            self.replication.held.push_back(Held { region, number, items });
        }
    }

    /// Lets go of the items whose writes were committed or refused.
    pub(super) fn release(&mut self, region: usize) {
        let cluster = &self.regions[region].cluster;
        let is_under_way = |held: &Held| held.region != region || cluster.is_open(held.number);
        self.replication.held.retain(is_under_way);
    }
}

/// True for a table that may become a global table with multi-Region strong consistency (facts 3.11 and 5.5).
pub(super) fn may_be_strong(table: &Table) -> bool {
    let is_empty = table.items().partitions().iter().all(|partition| partition.n_rows() == 0);
    is_empty && table.schema().local_indexes.is_empty()
}

/// What of a request a table with multi-Region strong consistency can't have (facts 3.11 and 5.5; the texts are ours).
fn strong_rule(request: &Request) -> Option<&'static str> {
    match request {
        Request::CreateTable(request) => request.local_indexes.is_some().then_some(
            "A global table with multi-Region strong consistency can't have local secondary indexes.",
        ),
        Request::RestoreTableFromBackup(_)
        | Request::RestoreTableToPointInTime(_)
        | Request::ImportTable(_) => Some(
            "A table must be empty when it becomes a global table with multi-Region strong \
             consistency.",
        ),
        _ => None,
    }
}

/// True for what a table with multi-Region strong consistency has not.
const fn is_never_strong(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::TransactWriteItems
            | Operation::TransactGetItems
            | Operation::ExecuteTransaction
            | Operation::UpdateTimeToLive
    )
}
