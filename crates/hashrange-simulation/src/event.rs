//! `Event`: what happened in a run, the only source of timelines, charts and checks.
//!
//! Invariant: events are in the order of time. The log keeps the newest and counts what it dropped.
//!
//! Source of the names: shared lessons, part 4.4.

use std::collections::VecDeque;
use std::sync::Arc;

use hashrange_types::operation::SequenceNumber;
use hashrange_types::{
    CapacityUnits, EncodedKey, IndexName, Operation, ProvisionedThroughput, TableName, Timestamp,
};
use smol_str::SmolStr;

use crate::cluster::RequestNumber;
use crate::throttle::Reason;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
}

/// A partition of a table or index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The table.
    pub table: TableName,
    /// The global index, if it is one's partition.
    pub index: Option<IndexName>,
    /// The partition's number, which it keeps for life.
    pub partition: u32,
}

/// Why a partition was divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitCause {
    /// It was near its ceiling for long.
    Heat,
    /// It held too many bytes.
    Size,
    /// Its table or index is to serve more.
    Capacity,
    /// Somebody asked for it.
    Demand,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A request was answered.
    RequestDone {
        /// Its number.
        request: RequestNumber,
        /// What was asked.
        operation: Operation,
        /// Units consumed, tables and indexes together.
        units: CapacityUnits,
        /// Items that a read found; none for other requests.
        n_items: Option<u32>,
    },
    /// A request was refused.
    RequestRefused {
        /// Its number.
        request: RequestNumber,
        /// What was asked.
        operation: Operation,
        /// The exception's name.
        code: &'static str,
        /// Units consumed nevertheless.
        units: CapacityUnits,
    },
    /// A condition was not met, and its units were charged.
    ConditionFailed {
        /// The request.
        request: RequestNumber,
        /// Units charged.
        units: CapacityUnits,
        /// True if the refusal brings the item.
        has_item: bool,
    },
    /// A transaction's token was known: its effect was not repeated.
    TokenReplayed {
        /// The request.
        request: RequestNumber,
    },
    /// An item collection has no room for a write: with a local index it can't grow beyond its limit.
    CollectionFull {
        /// The request.
        request: RequestNumber,
    },
    /// What a table or index had saved for bursts is used up: the first throttle for it after a second without.
    BurstEmpty {
        /// The table.
        table: TableName,
        /// The global index, if it is one's.
        index: Option<IndexName>,
    },
    /// A replica answered a read.
    ReadServed {
        /// The request.
        request: RequestNumber,
        /// The partition.
        place: Place,
        /// Which of its replicas.
        replica: u8,
        /// Changes of the items read that the replica did not have yet.
        n_missing: u32,
        /// Microseconds since the oldest of these was committed; 0 for none.
        behind_us: i64,
    },
    /// A quorum has a write.
    WriteCommitted {
        /// The partition.
        place: Place,
        /// The item.
        key: EncodedKey,
        /// The number of the change in its partition.
        number: u64,
    },
    /// A follower has all changes up to this one.
    ReplicaApplied {
        /// The partition.
        place: Place,
        /// Which of its replicas.
        replica: u8,
        /// The number of the newest change it has.
        number: u64,
    },
    /// An entry of a global index was written.
    IndexApplied {
        /// The index's partition.
        place: Place,
        /// Microseconds since its item was written.
        behind_us: i64,
    },
    /// A request was throttled.
    Throttled {
        /// The request.
        request: RequestNumber,
        /// The partition.
        place: Place,
        /// The key, where there is a single one.
        key: Option<EncodedKey>,
        /// Why.
        reason: Reason,
    },
    /// A partition was divided.
    PartitionSplit {
        /// The partition that keeps the lower half.
        place: Place,
        /// The new partition with the upper half.
        upper: u32,
        /// The first key of the upper half.
        at_key: EncodedKey,
        /// Why.
        cause: SplitCause,
    },
    /// Auto scaling changed the capacity of a table or global index.
    CapacityScaled {
        /// The table.
        table: TableName,
        /// The global index, if it is one's.
        index: Option<IndexName>,
        /// The new capacity.
        units: ProvisionedThroughput,
    },
    /// A partition has no leader.
    LeaderLost {
        /// The partition.
        place: Place,
        /// The replica that led.
        replica: u8,
    },
    /// A partition has a new leader.
    LeaderElected {
        /// The partition.
        place: Place,
        /// The replica that leads now.
        replica: u8,
    },
    /// A write met a transaction, or a transaction a write.
    TransactionConflict {
        /// The request that gave way.
        request: RequestNumber,
    },
    /// An item's time to live ended. It can still be read.
    TtlExpired {
        /// The table.
        table: TableName,
        /// The item.
        key: EncodedKey,
    },
    /// An expired item was removed, free of charge.
    TtlSwept {
        /// The table.
        table: TableName,
        /// The item.
        key: EncodedKey,
        /// Microseconds since it expired.
        late_us: i64,
    },
    /// A change was recorded in its table's stream.
    StreamRecord {
        /// The table.
        table: TableName,
        /// The record.
        sequence: SequenceNumber,
        /// INSERT, MODIFY or REMOVE.
        name: &'static str,
        /// True where the item expired.
        is_expiry: bool,
    },
    /// A function threw at a record of a batch, or its answer was lost.
    FunctionFailed {
        /// The table whose stream it reads.
        table: TableName,
        /// Records of the batch.
        n_records: usize,
        /// True if only the answer was lost.
        is_lost: bool,
        /// Microseconds since the oldest record was made that the function has not answered for.
        age_us: i64,
    },
    /// A function counted records.
    FunctionCounted {
        /// The table whose stream it reads.
        table: TableName,
        /// How many, without those that it remembered.
        n_records: u64,
    },
    /// A failed batch, or its first half, will be tried again.
    FunctionRetried {
        /// The table whose stream the function reads.
        table: TableName,
        /// Records of the batch or half.
        n_records: usize,
        /// Retries that were counted.
        n_retries: u32,
    },
    /// A function will never get a record, or not again.
    RecordDiscarded {
        /// The table whose stream it reads.
        table: TableName,
        /// The record.
        sequence: SequenceNumber,
        /// Why.
        cause: DiscardCause,
    },
    /// A function brought a record into its search index.
    SearchUpdated {
        /// The table whose stream it reads.
        table: TableName,
        /// The record.
        sequence: SequenceNumber,
        /// Microseconds since the item was written.
        behind_us: i64,
    },
    /// A search index was asked.
    SearchDone {
        /// The table whose items it holds.
        table: TableName,
        /// Items found.
        n_hits: u64,
    },
    /// A write of another Region was carried out.
    RegionApplied {
        /// The Region that wrote.
        from: SmolStr,
        /// The table.
        table: TableName,
        /// The item.
        key: EncodedKey,
        /// Microseconds since it was written there.
        behind_us: i64,
        /// Units consumed here.
        units: CapacityUnits,
    },
    /// A write of another Region was lost to a later one.
    RegionDiscarded {
        /// The Region that wrote.
        from: SmolStr,
        /// The table.
        table: TableName,
        /// The item.
        key: EncodedKey,
    },
    /// A request came to a cache in front.
    Dax {
        /// The node asked.
        node: u8,
        /// What was asked.
        operation: Operation,
        /// What became of it there.
        result: DaxResult,
    },
    /// A restored table is ready.
    RestoreDone {
        /// The new table.
        table: TableName,
        /// Its items.
        n_items: u64,
    },
    /// A program did something outside the database that can't be undone, such as charging a card.
    ProgramCharged {
        /// The program.
        program: SmolStr,
        /// Which of its clients, from 1.
        client: u32,
    },
    /// A program has asked until it found enough, or gave up.
    ProgramPolled {
        /// The program.
        program: SmolStr,
        /// Which of its clients, from 1.
        client: u32,
        /// How often it asked.
        n_attempts: u32,
        /// Microseconds of pauses.
        waited_us: i64,
        /// Items found in the end.
        n_found: u64,
        /// True if these are as many as it wanted.
        is_met: bool,
    },
    /// A client has done a program, or had to stop.
    ProgramEnded {
        /// The program.
        program: SmolStr,
        /// Which of its clients, from 1.
        client: u32,
        /// Its how-manieth run, from 1.
        run: u32,
        /// passed, failed, refused, lost, or what a refusal's item said.
        result: SmolStr,
        /// The exception that stopped it.
        error: Option<&'static str>,
    },
}

/// Why a record was discarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscardCause {
    /// It failed as often as it may be tried again.
    Retries,
    /// It is older than the function takes.
    Age,
    /// It is older than the stream keeps.
    Trimmed,
}

impl DiscardCause {
    /// The word that logs have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retries => "retries",
            Self::Age => "age",
            Self::Trimmed => "trimmed",
        }
    }
}

/// What became of a request in a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DaxResult {
    /// It was answered from memory.
    Hit,
    /// The table had to be asked, and its answer is kept.
    Miss,
    /// It was remembered that there is no such item.
    Negative,
    /// It was passed on: a write, a strong read or a transaction.
    Pass,
}

impl DaxResult {
    /// The word that lessons and logs have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Negative => "negative",
            Self::Pass => "pass",
        }
    }
}

impl EventKind {
    /// The name that lessons and logs call it by.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RequestDone { .. } => "request.done",
            Self::RequestRefused { .. } => "request.refused",
            Self::ConditionFailed { .. } => "condition.failed",
            Self::TokenReplayed { .. } => "token.replayed",
            Self::CollectionFull { .. } => "collection.full",
            Self::BurstEmpty { .. } => "burst.empty",
            Self::ReadServed { .. } => "read.served",
            Self::WriteCommitted { .. } => "write.committed",
            Self::ReplicaApplied { .. } => "replica.applied",
            Self::IndexApplied { .. } => "index.applied",
            Self::Throttled { .. } => "throttled",
            Self::PartitionSplit { .. } => "partition.split",
            Self::CapacityScaled { .. } => "capacity.scaled",
            Self::LeaderLost { .. } => "leader.lost",
            Self::LeaderElected { .. } => "leader.elected",
            Self::TransactionConflict { .. } => "transaction.conflict",
            Self::TtlExpired { .. } => "ttl.expired",
            Self::TtlSwept { .. } => "ttl.swept",
            Self::StreamRecord { .. } => "stream.record",
            Self::FunctionFailed { .. } => "function.failed",
            Self::FunctionCounted { .. } => "function.counted",
            Self::FunctionRetried { .. } => "function.retried",
            Self::RecordDiscarded { .. } => "record.discarded",
            Self::SearchUpdated { .. } => "search.updated",
            Self::SearchDone { .. } => "search.done",
            Self::RegionApplied { .. } => "region.applied",
            Self::RegionDiscarded { .. } => "region.discarded",
            Self::Dax { .. } => "dax",
            Self::RestoreDone { .. } => "restore.done",
            Self::ProgramCharged { .. } => "program.charged",
            Self::ProgramPolled { .. } => "program.polled",
            Self::ProgramEnded { .. } => "program.ended",
        }
    }
}

/// The newest events of a run. Cloning is cheap while nothing is added.
#[derive(Debug, Clone)]
pub struct EventLog {
    events: Arc<VecDeque<Event>>,
    n_kept_max: usize,
    n_dropped: u64,
}

impl EventLog {
    /// A log that keeps the newest `n_kept_max` events.
    pub fn new(n_kept_max: usize) -> Self {
        Self { events: Arc::default(), n_kept_max, n_dropped: 0 }
    }

    /// Keeps the newest `n_kept_max` events from now on; those so far are dropped.
    pub(crate) fn keep(&mut self, n_kept_max: usize) {
        *self = Self { n_dropped: self.n_events(), ..Self::new(n_kept_max) };
    }

    /// Adds an event, which is newer than all others.
    pub(crate) fn push(&mut self, event: Event) {
        if !self.keeps_any() {
            self.drop_one();
            return;
        }
        let events = Arc::make_mut(&mut self.events);
        if events.len() >= self.n_kept_max {
            events.pop_front();
            self.n_dropped += 1;
        }
        events.push_back(event);
    }

    /// True unless every event is dropped at once.
    pub(crate) const fn keeps_any(&self) -> bool {
        self.n_kept_max > 0
    }

    /// Counts an event that is not kept.
    pub(crate) const fn drop_one(&mut self) {
        self.n_dropped += 1;
    }

    /// The events kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.events.iter()
    }

    /// How many events happened so far.
    pub fn n_events(&self) -> u64 {
        self.n_dropped + self.events.len() as u64
    }

    /// Events after the first `n`, as far as they are kept.
    pub fn since(&self, n: u64) -> impl Iterator<Item = &Event> {
        let n = usize::try_from(n.saturating_sub(self.n_dropped)).unwrap_or(usize::MAX);
        self.events.range(n.min(self.events.len())..)
    }

    /// How many events happened before those kept.
    pub const fn n_dropped(&self) -> u64 {
        self.n_dropped
    }
}
