//! Functions that read a table's stream: batches, windows, retries, poisoned records, and how old the oldest
//! record is that waits.
//!
//! A function is a plain value: one of the built-in kinds, no code of a person's.
//!
//! Invariant: records reach a function in the order of their shard; a failing batch holds up those behind it there,
//! and nothing in other shards. A record leaves when the function has answered for it, or is discarded and told of.
//!
//! Source: facts 8.2 and 8.3.

use hashrange_engine::{execute, plan};
use hashrange_storage::{STREAM_RETENTION_MS, Store};
use hashrange_types::operation::{
    GetRecordsRequest, SequenceNumber, ShardIterator, StreamName, StreamRecord,
};
use hashrange_types::table_state::StreamViewType;
use hashrange_types::{
    AttributeName, AttributeValue, KeySchema, Request, Response, Timestamp, ValidationError,
};
use smol_str::SmolStr;

use super::lane::{Lane, Piece, Waiting, forget_read, lane_of};
use super::search::SearchIndex;
use super::{Due, World};
use crate::cluster::delay_us;
use crate::event::{DiscardCause, EventKind};
use crate::random::Random;
use crate::settings::Lag;

/// Most records of one batch.
const BATCH_MAX: u32 = 10_000;
/// Discarded records that are kept.
const QUEUE_MAX: usize = 10_000;
/// Retries after which the wait before one does not double any more (model).
const DOUBLINGS_MAX: u32 = 6;

/// What a function does with records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FunctionKind {
    /// It keeps the words of this text attribute in a search index.
    Index(AttributeName),
    /// It counts records.
    Count {
        /// True if it remembers which it has counted.
        is_idempotent: bool,
    },
}

/// How a function reads a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionSettings {
    /// What it does.
    pub kind: FunctionKind,
    /// It throws at a record whose key has this text.
    pub throws_on: Option<SmolStr>,
    /// Most records of a batch, 1 to 10,000.
    pub batch_size: u32,
    /// Microseconds to wait for a batch to fill.
    pub window_us: i64,
    /// How often a failed batch is tried again; none until its records are too old.
    pub retries_max: Option<u32>,
    /// Seconds after which a record is too old; none for the 24 hours of the stream.
    pub record_age_s_max: Option<u32>,
    /// True if a failed batch is halved, which is not counted as a retry.
    pub bisects: bool,
    /// True to begin with the oldest record kept, false with the next one.
    pub is_from_oldest: bool,
    /// How long a record takes to arrive after its change (`stream_ms`); none for the world's.
    pub stream: Option<Lag>,
    /// How long the function runs (`function_ms`); none for the world's.
    pub duration: Option<Lag>,
    /// Microseconds before the first retry; each doubles it, up to 64 times (model).
    pub retry_us: i64,
}

impl FunctionSettings {
    /// A function of this kind with the defaults of an event source mapping.
    pub const fn new(kind: FunctionKind) -> Self {
        Self {
            kind,
            throws_on: None,
            batch_size: 100,
            window_us: 0,
            retries_max: None,
            record_age_s_max: None,
            bisects: false,
            is_from_oldest: true,
            stream: None,
            duration: None,
            retry_us: 1_000_000,
        }
    }
}

impl FunctionSettings {
    /// Why a record is not worth waiting for any more.
    fn too_old(&self, record: &Waiting, now: Timestamp) -> Option<DiscardCause> {
        let age_us = now.0 - record.at.0;
        let age_s_max = self.record_age_s_max.map(|seconds| i64::from(seconds) * 1_000_000);
        if age_us > STREAM_RETENTION_MS * 1_000 {
            Some(DiscardCause::Trimmed)
        } else if age_s_max.is_some_and(|max| age_us > max) {
            Some(DiscardCause::Age)
        } else {
            None
        }
    }
}

/// A function with what it made of the records so far.
#[derive(Debug, Clone)]
pub struct Function {
    settings: FunctionSettings,
    region: usize,
    stream: StreamName,
    key: KeySchema,
    is_on: bool,
    /// Runs whose answers will be lost.
    n_lost: u32,
    /// The newest record that was seen on its way.
    seen: SequenceNumber,
    /// Records seen, and runs begun: for delays that are listed one by one.
    n_seen: usize,
    n_runs: usize,
    /// What waits, shard by shard.
    lanes: Vec<Lane>,
    index: SearchIndex,
    count: u64,
    discarded: Vec<SequenceNumber>,
}

/// What is due for a function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Moment {
    /// Records may have arrived.
    Look,
    /// A wait before a retry in this shard is over.
    Retry(u32),
    /// It has run in this shard.
    Done(u32),
}

impl Function {
    /// The search index of a function that keeps one.
    pub const fn index(&self) -> &SearchIndex {
        &self.index
    }

    /// How many records a counting function counted.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The newest 10,000 records that were discarded, oldest first: the queue of failures.
    pub fn discarded(&self) -> &[SequenceNumber] {
        &self.discarded
    }

    /// Microseconds since the oldest record was made that the function has not answered for; 0 for none.
    pub fn iterator_age_us(&self, now: Timestamp) -> i64 {
        let oldest = self.lanes.iter().filter_map(Lane::oldest).map(|record| record.at);
        oldest.min().map_or(0, |at| now.0 - at.0)
    }

    /// Notes records that were made since.
    fn see(
        &mut self,
        store: &Store,
        now: Timestamp,
        lag: &Lag,
        random: &mut Random,
    ) -> Vec<Timestamp> {
        let lag = self.settings.stream.as_ref().unwrap_or(lag);
        let name = (self.stream.table.clone(), self.stream.label.clone());
        let mut arrivals = Vec::new();
        if let Some(stream) = store.account().streams.get(&name) {
            for record in stream.log.since(SequenceNumber(self.seen.0 + 1)) {
                let lane = lane_of(&mut self.lanes, record, stream);
                let before = lane.waiting.back().map_or(now, |newest| newest.arrives_at);
                let delay = delay_us(lag, self.n_seen, random);
                self.n_seen += 1;
                let arrives_at = Timestamp(record.at.0.saturating_add(delay));
                let arrives_at = arrives_at.max(before).max(now);
                let (sequence, at) = (record.sequence, record.at);
                lane.waiting.push_back(Waiting { sequence, at, arrives_at });
                arrivals.push(arrives_at);
            }
            forget_read(&mut self.lanes, stream);
        }
        self.seen = store.sequence();
        arrivals
    }

    fn lane(&mut self, shard: u32) -> Option<&mut Lane> {
        self.lanes.iter_mut().find(|lane| lane.shard == shard)
    }

    /// Does what the function does with a record of a shard. False if it throws.
    fn take(&mut self, shard: u32, record: &StreamRecord) -> bool {
        let is_marked = |(_, value): (_, &AttributeValue)| matches!((value, &self.settings.throws_on), (AttributeValue::S(text), Some(mark)) if text == mark);
        if record.keys.iter().any(is_marked) {
            return false;
        }
        match &self.settings.kind {
            FunctionKind::Index(attribute) => {
                let text = record.new_image.as_ref().and_then(|item| item.get(attribute.as_str()));
                let text = match text {
                    Some(AttributeValue::S(text)) => Some(text.as_str()),
                    _ => None,
                };
                if let Some(id) = self.key.encode(&record.keys) {
                    self.index.set(id, record.keys.clone(), text);
                }
            }
            FunctionKind::Count { is_idempotent } => {
                let is_remembered = *is_idempotent;
                let is_new = !is_remembered
                    || self.lane(shard).is_none_or(|lane| lane.counted.insert(record.sequence));
                self.count += u64::from(is_new);
            }
        }
        true
    }
}

impl World {
    /// Lets a function read the stream of a table in a Region; returns its position.
    ///
    /// # Errors
    /// There is no such Region or table, the table has no stream, or its records lack what the function needs.
    pub fn connect(
        &mut self,
        region: usize,
        table: &str,
        mut settings: FunctionSettings,
    ) -> Result<usize, ValidationError> {
        let store = self.regions.get(region).map(|region| region.cluster.store());
        let store =
            store.ok_or_else(|| ValidationError::new(format!("There is no Region {region}.")))?;
        let found = store.table(table);
        let found =
            found.ok_or_else(|| ValidationError::new(format!("There is no table {table}.")))?;
        let Some((label, view_type)) = found.state().enabled_stream() else {
            return Err(ValidationError::new(format!(
                "Table {table} has no stream: switch it on first."
            )));
        };
        let has_new =
            matches!(view_type, StreamViewType::NewImage | StreamViewType::NewAndOldImages);
        if matches!(settings.kind, FunctionKind::Index(_)) && !has_new {
            return Err(ValidationError::new(format!(
                "The stream of table {table} shows no new image, which a search index needs."
            )));
        }
        settings.batch_size = settings.batch_size.clamp(1, BATCH_MAX);
        let seen = if settings.is_from_oldest { SequenceNumber(0) } else { store.sequence() };
        self.functions.push(Function {
            region,
            stream: StreamName { table: found.schema().name.clone(), label: label.clone() },
            key: found.schema().key.clone(),
            settings,
            is_on: true,
            n_lost: 0,
            seen,
            n_seen: 0,
            n_runs: 0,
            lanes: Vec::new(),
            index: SearchIndex::default(),
            count: 0,
            discarded: Vec::new(),
        });
        self.see_records(region);
        Ok(self.functions.len() - 1)
    }

    /// A function by its position.
    ///
    /// # Panics
    /// There is no such function.
    pub fn function(&self, function: usize) -> &Function {
        &self.functions[function]
    }

    /// Searches the index that a function keeps; returns how many items were found.
    ///
    /// # Panics
    /// There is no such function.
    pub fn search(&mut self, function: usize, query: &str) -> usize {
        let of = &self.functions[function];
        let (table, n_hits) = (of.stream.table.clone(), of.index.search(query).len());
        self.tell_of(function, EventKind::SearchDone { table, n_hits: n_hits as u64 });
        n_hits
    }

    /// Switches a function on or off. What it runs on, it ends; records wait, up to 24 hours.
    ///
    /// # Panics
    /// There is no such function.
    pub fn switch(&mut self, function: usize, is_on: bool) {
        self.functions[function].is_on = is_on;
        self.look(function);
    }

    /// Lets the answers of a function's next runs get lost, after what they did.
    ///
    /// # Panics
    /// There is no such function.
    pub fn lose_answers(&mut self, function: usize, n: u32) {
        self.functions[function].n_lost += n;
    }

    /// Sees what the streams of a Region recorded since.
    pub(super) fn see_records(&mut self, region: usize) {
        for number in 0..self.functions.len() {
            let function = &mut self.functions[number];
            let store = self.regions[region].cluster.store();
            if function.region != region || function.seen >= store.sequence() {
                continue;
            }
            for at in function.see(store, self.now, &self.settings.stream, &mut self.random) {
                self.schedule.add(at, Due::Function(number, Moment::Look));
            }
            self.trim(number);
        }
    }

    pub(super) fn function_due(&mut self, number: usize, moment: Moment) {
        match moment {
            Moment::Look => self.look(number),
            Moment::Retry(shard) => self.start(number, shard),
            Moment::Done(shard) => self.done(number, shard),
        }
    }

    /// Discards records that waited too long.
    fn trim(&mut self, number: usize) {
        let Function { settings, lanes, .. } = &mut self.functions[number];
        let mut old = Vec::new();
        for lane in lanes {
            while let Some(record) = lane.waiting.front() {
                let Some(cause) = settings.too_old(record, self.now) else { break };
                old.push((record.sequence, cause));
                lane.waiting.pop_front();
            }
        }
        for (sequence, cause) in old {
            self.discard(number, sequence, cause);
        }
    }

    fn discard(&mut self, number: usize, sequence: SequenceNumber, cause: DiscardCause) {
        let queue = &mut self.functions[number].discarded;
        if queue.len() >= QUEUE_MAX {
            queue.remove(0);
        }
        queue.push(sequence);
        let table = self.functions[number].stream.table.clone();
        self.tell_of(number, EventKind::RecordDiscarded { table, sequence, cause });
    }

    fn tell_of(&mut self, number: usize, kind: EventKind) {
        let region = self.functions[number].region;
        self.cluster_now(region).tell(kind);
    }

    /// Begins a batch in each shard where there is one and the function is free.
    fn look(&mut self, number: usize) {
        self.trim(number);
        for at in 0..self.functions[number].lanes.len() {
            self.look_in(number, at);
        }
    }

    fn look_in(&mut self, number: usize, at: usize) {
        let now = self.now;
        let function = &mut self.functions[number];
        if !function.is_on || !function.lanes[at].is_ready(&function.lanes) {
            return;
        }
        let size = usize::try_from(function.settings.batch_size).unwrap_or(usize::MAX);
        let lane = &mut function.lanes[at];
        let arrived = lane.waiting.iter().take_while(|record| record.arrives_at <= now);
        let n = arrived.take(size).count();
        let Some(first) = lane.waiting.front().filter(|_| n > 0) else { return };
        let opens_until = Timestamp(first.arrives_at.0.saturating_add(function.settings.window_us));
        if n < size && opens_until > now {
            self.schedule.add(opens_until, Due::Function(number, Moment::Look));
            return;
        }
        let records = lane.waiting.drain(..n).collect();
        lane.pieces.push_back(Piece { records, n_retries: 0 });
        let shard = lane.shard;
        self.start(number, shard);
    }

    /// Runs the function on the first piece of a shard, without records that became too old.
    fn start(&mut self, number: usize, shard: u32) {
        let now = self.now;
        let Function { settings, lanes, n_runs, .. } = &mut self.functions[number];
        let Some(lane) = lanes.iter_mut().find(|lane| lane.shard == shard) else { return };
        lane.is_busy = false;
        let Some(mut piece) = lane.pieces.pop_front() else {
            self.look(number);
            return;
        };
        let mut old = Vec::new();
        piece.records.retain(|record| {
            let cause = settings.too_old(record, now);
            old.extend(cause.map(|cause| (record.sequence, cause)));
            cause.is_none()
        });
        if piece.records.is_empty() {
            self.start_next(number, shard, old);
            return;
        }
        lane.pieces.push_front(piece);
        lane.is_busy = true;
        let lag = settings.duration.as_ref().unwrap_or(&self.settings.function);
        let delay = delay_us(lag, *n_runs, &mut self.random);
        *n_runs += 1;
        let at = Timestamp(now.0.saturating_add(delay));
        self.schedule.add(at, Due::Function(number, Moment::Done(shard)));
        for (sequence, cause) in old {
            self.discard(number, sequence, cause);
        }
    }

    /// Discards records and goes on with what comes after them.
    fn start_next(&mut self, number: usize, shard: u32, gone: Vec<(SequenceNumber, DiscardCause)>) {
        for (sequence, cause) in gone {
            self.discard(number, sequence, cause);
        }
        // As an event of its own, so that a long run of old records is no long call.
        if let Some(lane) = self.functions[number].lane(shard) {
            lane.is_busy = true;
        }
        self.schedule.add(self.now, Due::Function(number, Moment::Retry(shard)));
    }

    /// The function has run on the first piece of a shard.
    fn done(&mut self, number: usize, shard: u32) {
        let function = &mut self.functions[number];
        let store = self.regions[function.region].cluster.store();
        let piece = function.lane(shard).and_then(|lane| lane.pieces.pop_front());
        let Some(piece) = piece else { return };
        let n_counted = function.count;
        let mut updated = Vec::new();
        let mut has_thrown = false;
        for record in records(store, &function.stream, shard, &piece.records, self.now) {
            if !function.take(shard, &record) {
                has_thrown = true;
                break;
            }
            if matches!(function.settings.kind, FunctionKind::Index(_)) {
                updated.push((record.sequence, self.now.0 - record.at.0));
            }
        }
        let is_lost = !has_thrown && function.n_lost > 0;
        function.n_lost -= u32::from(is_lost);
        let table = function.stream.table.clone();
        for (sequence, behind_us) in updated {
            let table = table.clone();
            self.tell_of(number, EventKind::SearchUpdated { table, sequence, behind_us });
        }
        let n_records = self.functions[number].count - n_counted;
        if n_records > 0 {
            let table = table.clone();
            self.tell_of(number, EventKind::FunctionCounted { table, n_records });
        }
        if has_thrown || is_lost {
            let n_records = piece.records.len();
            let age_us = piece.records.first().map_or(0, |record| self.now.0 - record.at.0);
            let failed = EventKind::FunctionFailed { table, n_records, is_lost, age_us };
            self.tell_of(number, failed);
            self.fail(number, shard, piece);
        } else {
            // What was answered for does not come again.
            let last = piece.records.last().map_or(0, |record| record.sequence.0);
            if let Some(lane) = self.functions[number].lane(shard) {
                lane.counted = lane.counted.split_off(&SequenceNumber(last + 1));
            }
            self.start(number, shard);
        }
    }

    /// Halves a failed piece, tries it again, or discards it.
    fn fail(&mut self, number: usize, shard: u32, mut piece: Piece) {
        let Function { settings, lanes, stream, .. } = &mut self.functions[number];
        let Some(lane) = lanes.iter_mut().find(|lane| lane.shard == shard) else { return };
        let (table, n_records) = (stream.table.clone(), piece.records.len());
        if settings.bisects && n_records > 1 {
            let upper = piece.records.split_off(n_records.div_ceil(2));
            let n_retries = piece.n_retries;
            lane.pieces.push_front(Piece { records: upper, n_retries });
            let n_records = piece.records.len();
            lane.pieces.push_front(piece);
            self.tell_of(number, EventKind::FunctionRetried { table, n_records, n_retries });
            self.start(number, shard);
        } else if settings.retries_max.is_none_or(|max| piece.n_retries < max) {
            let doubled = settings.retry_us.max(1) << piece.n_retries.min(DOUBLINGS_MAX);
            piece.n_retries += 1;
            let n_retries = piece.n_retries;
            lane.pieces.push_front(piece);
            let at = Timestamp(self.now.0.saturating_add(doubled));
            self.schedule.add(at, Due::Function(number, Moment::Retry(shard)));
            self.tell_of(number, EventKind::FunctionRetried { table, n_records, n_retries });
        } else {
            let gone = piece.records.iter().map(|record| (record.sequence, DiscardCause::Retries));
            self.start_next(number, shard, gone.collect());
        }
    }
}

/// The records of a piece as the stream shows them.
fn records(
    store: &Store,
    stream: &StreamName,
    shard: u32,
    piece: &[Waiting],
    now: Timestamp,
) -> Vec<StreamRecord> {
    let (Some(first), Some(last)) = (piece.first(), piece.last()) else { return Vec::new() };
    let mut found: Vec<StreamRecord> = Vec::with_capacity(piece.len());
    let mut iterator =
        Some(ShardIterator { stream: stream.clone(), shard, next: first.sequence, made_at: now });
    while let Some(at) = iterator.take().filter(|at| at.next <= last.sequence) {
        let request = Request::GetRecords(GetRecordsRequest { iterator: Some(at), limit: None });
        let Ok(plan) = plan(store, request) else { break };
        let Ok(Response::GetRecords(page)) = execute(store, &plan, now).reply else { break };
        if page.records.is_empty() {
            break;
        }
        found.extend(page.records.into_iter().filter(|record| record.sequence <= last.sequence));
        iterator = page.next;
    }
    found
}
