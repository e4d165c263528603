//! `Cluster`: the driver that lets requests arrive, commit and be answered in simulated time.
//!
//! Invariant: the store holds what was committed. Without lag, limits and faults a cluster answers as a
//! `Database` does.
//!
//! Not here: how a request is served ([`serve`], batches [`batch`], what transactions hold [`hold`]), how changes
//! reach followers and indexes ([`commit`]), what goes wrong ([`fault`]).

mod admit;
mod along;
mod batch;
mod commit;
mod expiry;
mod fault;
mod grow;
mod hold;
mod pause;
mod replicated;
mod scale;
mod serve;
mod shards;
mod split;
mod spread;
mod steer;

use std::collections::{BTreeMap, BTreeSet};

use hashrange_engine::Outcome;
use hashrange_storage::{ItemChange, Store};
use hashrange_types::{CapacityUnits, IndexName, Operation, Request, TableName, Timestamp};

use crate::by_number::ByNumber;
use crate::event::{Event, EventKind, EventLog, Place, SplitCause};
use crate::heat::Heat;
use crate::metrics::MinuteMetrics;
use crate::placement::{Placement, TreeName};
use crate::random::Random;
use crate::repeated::Repeated;
use crate::schedule::Schedule;
use crate::settings::Settings;
use crate::template::Binding;

pub(crate) use commit::delay_us;

/// Events that are kept unless more are asked for.
const EVENTS_KEPT: usize = 10_000;
/// Outcomes that are kept though nobody has taken them.
const REPLIES_KEPT: usize = 10_000;
/// The lanes of what is due a fixed time after it is scheduled: at once, when a quorum has it, when a client has it.
const LANE_ARRIVE: usize = 0;
const LANE_COMMIT: usize = 1;
const LANE_REPLY: usize = 2;

/// A request, by the order of their coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestNumber(pub u64);

/// A request that was sent and is not answered.
#[derive(Debug, Clone)]
enum Open {
    Whole(Box<Request>),
    /// One that was made ready, by its position, with these slots.
    Repeated {
        of: usize,
        operation: Operation,
        binding: Binding,
    },
}

impl Open {
    const fn operation(&self) -> Operation {
        match self {
            Self::Whole(request) => request.operation(),
            Self::Repeated { operation, .. } => *operation,
        }
    }
}

/// What is due.
#[derive(Debug, Clone)]
enum Due {
    /// A request reaches the partitions.
    Arrive(RequestNumber),
    /// A quorum has a write.
    Commit(RequestNumber),
    /// A request's outcome reaches the client.
    Reply(RequestNumber, Box<Outcome>),
    /// A follower gets all changes up to this one.
    ReplicaApply { partition: u32, replica: u8, number: u64 },
    /// Entries of a global index have arrived there, or there is room for them again.
    IndexApply(Box<TreeName>),
    /// A partition elects a leader.
    Elect(u32),
    /// Items expire, or are swept.
    Expire,
    /// A minute has ended: auto scaling looks at it.
    Scale,
}

/// What is left in buckets, in capacity units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketLevels {
    /// Of the partition's writes.
    pub write: CapacityUnits,
    /// Of the strong reads its leader answers.
    pub leader_read: CapacityUnits,
    /// Of all its reads.
    pub read: CapacityUnits,
    /// Of the writes of its table or index, burst included.
    pub table_write: CapacityUnits,
    /// Of the reads of its table or index, burst included.
    pub table_read: CapacityUnits,
}

/// A database with partitions, replicas and limits, in simulated time.
#[derive(Debug, Clone)]
pub struct Cluster {
    settings: Settings,
    now: Timestamp,
    random: Random,
    schedule: Schedule<Due>,
    store: Store,
    placement: Placement,
    /// Requests that were sent and are not answered.
    open: ByNumber<Open>,
    /// Requests that loads send over and over; none while one is planned.
    repeated: Vec<Option<Box<Repeated>>>,
    replies: ByNumber<Box<Outcome>>,
    /// Requests under way whose outcomes nobody waits for.
    unheard: BTreeSet<RequestNumber>,
    answered: Option<RequestNumber>,
    /// True if that request read what a replica did not have yet.
    answered_stale: bool,
    /// Requests under way that did.
    stale: BTreeSet<RequestNumber>,
    /// Items of transactions that are under way.
    holds: hold::Holds,
    /// Writes that are stopped on purpose.
    pauses: pause::Pauses,
    n_requests: u64,
    /// Writes so far, for delays that are listed one by one.
    n_writes: usize,
    /// Entries on their way to each global index.
    index_queues: BTreeMap<TreeName, commit::IndexQueue>,
    /// When items expire, where their sweep is late.
    expiries: expiry::Expiries,
    /// What was committed since it was last taken; none where nobody takes it.
    committed: Option<Vec<ItemChange>>,
    events: EventLog,
    /// Partitions to divide, and whether to grow.
    upkeep: grow::Upkeep,
    /// True while auto scaling is to look at the end of the minute.
    is_scaling: bool,
}

impl Cluster {
    /// An empty database at the moment the settings say.
    pub fn new(settings: Settings) -> Self {
        Self::from_store(Store::default(), settings)
    }

    /// A database that starts from this store.
    pub fn from_store(store: Store, settings: Settings) -> Self {
        let mut cluster = Self {
            now: settings.starts_at,
            random: Random::new(settings.seed),
            schedule: Schedule::default(),
            store,
            placement: Placement::default(),
            open: ByNumber::default(),
            repeated: Vec::new(),
            replies: ByNumber::default(),
            unheard: BTreeSet::new(),
            answered: None,
            answered_stale: false,
            stale: BTreeSet::new(),
            holds: hold::Holds::default(),
            pauses: pause::Pauses::default(),
            n_requests: 0,
            n_writes: 0,
            index_queues: BTreeMap::new(),
            expiries: expiry::Expiries::default(),
            committed: None,
            events: EventLog::new(EVENTS_KEPT),
            upkeep: grow::Upkeep::default(),
            is_scaling: false,
            settings,
        };
        cluster.limit_collections();
        cluster.follow_tables();
        cluster.expect_scaling();
        cluster.keep_up();
        cluster.expect_expiries();
        cluster
    }

    /// What the run is set to.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The simulated moment.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// What is committed. Clone it for a snapshot; that costs next to nothing.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// What happened.
    pub const fn events(&self) -> &EventLog {
        &self.events
    }

    /// All partitions, by their numbers.
    pub fn partitions(&self) -> Vec<Place> {
        let all = self.placement.partitions();
        all.map(|(number, partition)| serve::place(&partition.tree, number)).collect()
    }

    /// All partitions in the order of tables, indexes and keys.
    pub fn partitions_by_key(&self) -> Vec<Place> {
        let all = self.placement.by_key();
        all.map(|(tree, partition)| serve::place(tree, partition)).collect()
    }

    /// How each partition was used, by their numbers.
    pub fn heat(&self) -> impl Iterator<Item = (Place, &Heat)> {
        let all = self.placement.partitions();
        all.map(|(number, partition)| (serve::place(&partition.tree, number), &partition.heat))
    }

    /// What is left in the buckets that a partition's requests meet; none for a number that is not there.
    pub fn bucket_levels(&self, partition: u32) -> Option<BucketLevels> {
        let one = self.placement.partition(partition)?;
        let [write, leader_read, read] = one.ceilings.levels(self.now);
        let [table_write, table_read] = self.placement.tree(&one.tree)?.capacity.levels(self.now);
        Some(BucketLevels { write, leader_read, read, table_write, table_read })
    }

    /// What CloudWatch would show of a table or global index: the minutes with anything in them, newest first.
    pub fn metrics(
        &self,
        table: &TableName,
        index: Option<&IndexName>,
    ) -> impl Iterator<Item = &MinuteMetrics> {
        let tree = self.placement.tree(&(table.clone(), index.cloned()));
        tree.into_iter().flat_map(|tree| tree.metrics.minutes())
    }

    /// True if no follower and no index lacks anything.
    pub fn is_settled(&self) -> bool {
        self.placement.partitions().all(|(_, partition)| partition.group.is_settled())
            && self.index_queues.values().all(|queue| queue.n_waiting() == 0)
    }

    /// Keeps the newest `n` events from now on; those so far are forgotten.
    pub fn keep_events(&mut self, n: usize) {
        self.events.keep(n);
    }

    /// Sends a request, which arrives now. Its outcome is there once time has passed over it.
    pub fn submit(&mut self, request: impl Into<Box<Request>>) -> RequestNumber {
        self.open(Open::Whole(request.into()))
    }

    /// Makes a request ready to be sent over and over.
    pub(crate) fn repeat(&mut self, repeated: Repeated) -> usize {
        self.repeated.push(Some(Box::new(repeated)));
        self.repeated.len() - 1
    }

    /// Sends a request that was made ready, with these slots.
    pub(crate) fn submit_repeated(
        &mut self,
        of: usize,
        operation: Operation,
        binding: Binding,
    ) -> RequestNumber {
        self.open(Open::Repeated { of, operation, binding })
    }

    fn open(&mut self, open: Open) -> RequestNumber {
        self.n_requests += 1;
        let number = RequestNumber(self.n_requests);
        self.open.insert(number.0, open);
        self.schedule.add_to_lane(LANE_ARRIVE, self.now, Due::Arrive(number));
        number
    }

    /// Takes a request's outcome, if it has reached the client. Of those that nobody takes, the newest 10,000
    /// are kept.
    pub fn take_reply(&mut self, number: RequestNumber) -> Option<Outcome> {
        self.take_boxed_reply(number).map(|outcome| *outcome)
    }

    pub(crate) fn take_boxed_reply(&mut self, number: RequestNumber) -> Option<Box<Outcome>> {
        self.replies.remove(number.0)
    }

    /// Nobody waits for this request's outcome any more: it is dropped when it comes.
    pub fn forget(&mut self, number: RequestNumber) {
        if self.replies.remove(number.0).is_none() {
            self.unheard.insert(number);
        }
        if self.unheard.len() > REPLIES_KEPT {
            // One that was taken before it was forgotten.
            self.unheard.pop_first();
        }
    }

    /// The request whose outcome reached its client in the last step, if that was what happened.
    pub const fn answered(&self) -> Option<RequestNumber> {
        self.answered
    }

    /// True if that request read something of which a replica missed a change.
    pub(crate) const fn is_answered_stale(&self) -> bool {
        self.answered_stale
    }

    /// Sends a request and lets time pass until it is answered.
    pub fn call(&mut self, request: Request) -> Outcome {
        let number = self.submit(request);
        loop {
            if let Some(outcome) = self.take_reply(number) {
                return outcome;
            }
            self.step();
        }
    }

    /// Lets the next thing happen that is due, whenever that is. False if nothing is.
    pub fn step(&mut self) -> bool {
        let Some((at, due)) = self.schedule.pop(Timestamp(i64::MAX)) else { return false };
        self.now = self.now.max(at);
        self.answered = None;
        self.happen(due);
        true
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        for _ in 0..budget {
            match self.schedule.next_at() {
                Some(at) if at <= moment => self.step(),
                _ => {
                    self.now = self.now.max(moment);
                    return true;
                }
            };
        }
        false
    }

    /// When the next thing is due.
    pub fn next_at(&self) -> Option<Timestamp> {
        self.schedule.next_at()
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Arrive(number) => self.arrive(number),
            Due::Commit(number) => self.finish(number),
            Due::Reply(number, outcome) => {
                self.answered = Some(number);
                self.answered_stale = !self.stale.is_empty() && self.stale.remove(&number);
                if self.unheard.is_empty() || !self.unheard.remove(&number) {
                    self.replies.insert(number.0, outcome);
                }
                if self.replies.len() > REPLIES_KEPT {
                    self.replies.drop_first();
                }
            }
            Due::ReplicaApply { partition, replica, number } => {
                self.replica_apply(partition, replica, number);
            }
            Due::IndexApply(tree) => self.index_apply(&tree),
            Due::Elect(partition) => self.elect(partition),
            Due::Expire => self.expire(),
            Due::Scale => self.scale(),
        }
        self.keep_up();
    }

    /// The moment so many microseconds from now.
    const fn in_us(&self, us: i64) -> Timestamp {
        Timestamp(self.now.0.saturating_add(us))
    }

    pub(crate) fn tell(&mut self, kind: EventKind) {
        if let EventKind::ReadServed { request, n_missing: 1.., .. } = kind {
            self.stale.insert(request);
        }
        self.events.push(Event { at: self.now, kind });
    }

    /// Tells of what happens with each request: events that nobody keeps are not even made.
    fn tell_often(&mut self, kind: impl FnOnce(&Self) -> EventKind) {
        if self.events.keeps_any() {
            let kind = kind(self);
            self.tell(kind);
        } else {
            self.events.drop_one();
        }
    }

    /// Makes and drops partitions for tables that came or went.
    fn follow_tables(&mut self) {
        for (tree, halves) in self.placement.follow(&self.store, &self.settings, self.now) {
            self.divided(&tree, halves, SplitCause::Capacity);
        }
        self.follow_shards();
        // Another index of that name must not get what was on its way to this one.
        self.index_queues.retain(|tree, _| self.placement.tree(tree).is_some());
        self.upkeep.is_grown = true;
    }
}
