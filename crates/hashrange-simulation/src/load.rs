//! `Load`: a workload under way: who asks what next, who waits, and what came of it.
//!
//! Invariant: every request of a load goes through the cluster like anyone's; memory is bounded by the client's
//! connections and queue, however long the load runs.

use std::collections::{BTreeMap, VecDeque};

use hashrange_engine::Outcome;
use hashrange_types::operation::{
    BatchGetItemRequest, BatchWriteItemRequest, ConsumedCapacity, ReturnConsumedCapacity,
};
use hashrange_types::{ApiError, CapacityUnits, Item, Operation, Request, Response, Timestamp};

use crate::by_number::ByNumber;
use crate::client::{ClientSettings, is_retried, is_throttled};
use crate::histogram::Histogram;
use crate::keys::Keys;
use crate::random::Random;
use crate::schedule::Schedule;
use crate::template::{Binding, Template, TemplateError};
use crate::workload::{Arrivals, Pace, Workload};
use crate::world::{Ticket, Via, World};

/// How often a key is drawn again that another element of its request has already.
const DRAWS_MAX: usize = 16;
/// What sets a load's chance apart from its cluster's.
const SEED: u64 = 0x4c6f_6164;

/// What came of the requests of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests sent, each counted once.
    pub n_requests: u64,
    /// Requests answered in full.
    pub n_done: u64,
    /// Requests given up: the last answer was an error, or left something unprocessed.
    pub n_failed: u64,
    /// Requests that found the queue full.
    pub n_dropped: u64,
    /// Answers that refused for lack of room, and answers that left something unprocessed.
    pub n_throttled: u64,
    /// The same by reason, as `ThrottlingReasons` spells it; `Unprocessed` where a batch left something.
    pub throttled_by: BTreeMap<String, u64>,
    /// Answers of which a replica missed a change.
    pub n_stale: u64,
    /// Sendings after the first.
    pub n_retries: u64,
    /// Units consumed.
    pub units: CapacityUnits,
    /// Microseconds from a request's making to its last answer.
    pub latencies: Histogram,
}

impl Tally {
    fn count_reason(&mut self, error: Option<&ApiError>) {
        let first = match error {
            Some(ApiError::Throttled(throttling)) => throttling.reasons.first(),
            _ => None,
        };
        let reason = first.map_or("Unprocessed", |reason| reason.reason.as_str());
        match self.throttled_by.get_mut(reason) {
            Some(n) => *n += 1,
            None => {
                self.throttled_by.insert(reason.to_owned(), 1);
            }
        }
    }
}

#[derive(Debug, Clone)]
struct State {
    name: String,
    template: Template,
    /// Its number among those that its Region made ready, if it is one for the table.
    repeated: Option<usize>,
    keys: Keys,
    consistent_percent: Option<u32>,
    /// None for closed loops.
    arrivals: Option<Arrivals>,
    think_us: i64,
    /// When a closed loop ends.
    ends_at: Option<Timestamp>,
    is_sweep: bool,
    region: usize,
    via: Via,
    /// Where a sweep goes on.
    page_start: Option<Item>,
    /// Running number of the next request.
    running: u64,
    tally: Tally,
}

/// A request under way, or waiting.
#[derive(Debug, Clone)]
struct Call {
    source: usize,
    made_at: Timestamp,
    attempt: u32,
    binding: Binding,
    /// What is left of it to do, where that is less than all.
    rest: Option<Box<Request>>,
    operation: Operation,
}

#[derive(Debug, Clone)]
enum Task {
    /// A source makes a request.
    Make(usize),
    /// A request is sent, which has its connection.
    Send(Box<Call>),
    /// An answer that was there at once is heard.
    Hear(Ticket),
}

/// A workload under way.
#[derive(Debug, Clone)]
pub struct Load {
    client: ClientSettings,
    random: Random,
    sources: Vec<State>,
    schedule: Schedule<Task>,
    /// By who answers them.
    under_way: Vec<ByNumber<Box<Call>>>,
    queue: VecDeque<Box<Call>>,
    n_connections: u32,
}

impl Load {
    /// The workload, beginning now.
    ///
    /// # Errors
    /// A template has a slot that does not exist, or a Region is none of the world's.
    pub fn new(workload: &Workload, world: &mut World) -> Result<Self, TemplateError> {
        let now = world.now();
        let mut load = Self {
            client: workload.client.clone(),
            random: Random::new(workload.seed ^ SEED),
            sources: Vec::with_capacity(workload.sources.len()),
            schedule: Schedule::default(),
            under_way: vec![ByNumber::default(); world.regions().count() + 1],
            queue: VecDeque::new(),
            n_connections: 0,
        };
        for (position, source) in workload.sources.iter().enumerate() {
            let (arrivals, think_us, ends_at) = match &source.pace {
                Pace::Open(phases) => (Some(Arrivals::new(phases.clone())), 0, None),
                Pace::Closed { n_clients, think_us, lasts_us } => {
                    (0..*n_clients).for_each(|_| load.schedule.add(now, Task::Make(position)));
                    let ends_at = lasts_us.map(|us| Timestamp(now.0.saturating_add(us)));
                    (None, *think_us, ends_at)
                }
            };
            let template = Template::new(source.template.clone(), source.padded.as_ref())?;
            let region = region(world, source.region.as_deref())?;
            let is_direct = source.via == Via::Table;
            load.sources.push(State {
                name: source.name.clone(),
                repeated: is_direct.then(|| world.repeat(region, &template)).flatten(),
                template,
                region,
                via: source.via,
                keys: Keys::new(&source.keys),
                consistent_percent: source.consistent_percent,
                arrivals,
                think_us,
                ends_at,
                is_sweep: source.is_sweep,
                page_start: None,
                running: 0,
                tally: Tally::default(),
            });
            load.await_next(position, now);
        }
        Ok(load)
    }

    /// What came of each source's requests, by the sources' names.
    pub fn tallies(&self) -> impl Iterator<Item = (&str, &Tally)> {
        self.sources.iter().map(|source| (source.name.as_str(), &source.tally))
    }

    /// When the load does something next; none if it waits for answers only, or has ended.
    pub fn next_at(&self) -> Option<Timestamp> {
        self.schedule.next_at()
    }

    /// True if nothing is under way and nothing will be.
    pub fn has_ended(&self) -> bool {
        let is_under_way = self.under_way.iter().any(|calls| calls.len() > 0);
        self.schedule.next_at().is_none() && !is_under_way && self.queue.is_empty()
    }

    /// Does what the load does next, if that is due.
    pub(crate) fn step(&mut self, world: &mut World) {
        match self.schedule.pop(world.now()) {
            Some((_, Task::Make(source))) => self.make(source, world),
            Some((_, Task::Send(call))) => self.send(call, world),
            Some((_, Task::Hear(ticket))) => self.hear(ticket, world),
            None => {}
        }
    }

    fn await_next(&mut self, source: usize, now: Timestamp) {
        let arrivals = self.sources[source].arrivals.as_mut();
        if let Some(us) = arrivals.and_then(Arrivals::next_us) {
            self.schedule.add(Timestamp(now.0 + us), Task::Make(source));
        }
    }

    fn make(&mut self, position: usize, world: &mut World) {
        let now = world.now();
        if self.sources[position].ends_at.is_some_and(|end| now >= end) {
            return;
        }
        self.await_next(position, now);
        let source = &mut self.sources[position];
        let n_elements = source.template.n_elements;
        let first = source.keys.draw(source.running, &mut self.random);
        let mut more_keys = Vec::new();
        for _ in 1..n_elements {
            let mut key = source.keys.draw(source.running, &mut self.random);
            for _ in 0..DRAWS_MAX {
                if key != first && !more_keys.contains(&key) {
                    break;
                }
                key = source.keys.draw(source.running, &mut self.random);
            }
            more_keys.push(key);
        }
        let is_consistent =
            source.consistent_percent.map(|percent| self.random.below(100) < u64::from(percent));
        let seed = if source.template.has_chance { self.random.below(u64::MAX) } else { 0 };
        let running = source.running;
        let binding = Binding { key: first, more_keys, running, at: now, seed, is_consistent };
        source.running += 1;
        source.tally.n_requests += 1;
        let call = Box::new(Call {
            source: position,
            made_at: now,
            attempt: 1,
            binding,
            rest: None,
            operation: source.template.operation(),
        });
        if self.n_connections < self.client.connections_max {
            self.n_connections += 1;
            self.send(call, world);
        } else if self.queue.len() < usize::try_from(self.client.queue_max).unwrap_or(usize::MAX) {
            self.queue.push_back(call);
        } else {
            self.sources[position].tally.n_dropped += 1;
            self.think(position, now);
        }
    }

    fn send(&mut self, call: Box<Call>, world: &mut World) {
        let source = &self.sources[call.source];
        let ticket = if let Some(of) = source.repeated {
            world.submit_repeated(source.region, of, call.operation, call.binding.clone())
        } else {
            let mut request = match &call.rest {
                Some(rest) => rest.clone(),
                None => source.template.bind(&call.binding),
            };
            if let Some(start) = &source.page_start {
                begin_page(&mut request, start);
            }
            world.submit_via(source.region, source.via, request)
        };
        if world.is_answered(ticket) {
            self.schedule.add(world.now(), Task::Hear(ticket));
        }
        let (answerer, number) = ticket.place();
        self.under_way[answerer].insert(number, call);
    }

    /// Takes the answer that has just reached its client, if the request was this load's.
    pub(crate) fn hear(&mut self, ticket: Ticket, world: &mut World) {
        let (answerer, number) = ticket.place();
        let Some(mut call) = self.under_way[answerer].remove(number) else { return };
        let Some(outcome) = world.take_boxed_reply(ticket) else { return };
        let way_us = self.client.latency.draw_us(call.operation, &outcome, &mut self.random);
        let there_at = Timestamp(world.now().0 + way_us);
        let source = &mut self.sources[call.source];
        source.tally.units += outcome.consumed.iter().map(ConsumedCapacity::total).sum();
        let rest = unprocessed(&outcome);
        let is_complete = outcome.reply.is_ok() && rest.is_none();
        let is_short_of_room = rest.is_some() || outcome.reply.as_ref().is_err_and(is_throttled);
        source.tally.n_throttled += u64::from(is_short_of_room);
        source.tally.n_stale += u64::from(world.is_answered_stale());
        if is_short_of_room {
            source.tally.count_reason(outcome.reply.as_ref().err());
        }
        let is_worth_it = outcome.reply.as_ref().is_err_and(is_retried)
            || rest.is_some() && self.client.resends_unprocessed;
        if is_worth_it && call.attempt < self.client.attempts_max {
            source.tally.n_retries += 1;
            let wait_us = self.client.backoff_us(call.attempt, &mut self.random);
            call.attempt += 1;
            call.rest = rest.map(Box::new).or(call.rest);
            self.schedule.add(Timestamp(there_at.0 + wait_us), Task::Send(call));
            return;
        }
        source.tally.n_done += u64::from(is_complete);
        source.tally.n_failed += u64::from(!is_complete);
        source.tally.latencies.record(there_at.0 - call.made_at.0);
        if source.is_sweep {
            source.page_start = page_end(*outcome);
        }
        self.think(call.source, there_at);
        match self.queue.pop_front() {
            Some(waiting) if there_at == world.now() => self.send(waiting, world),
            Some(waiting) => self.schedule.add(there_at, Task::Send(waiting)),
            None => self.n_connections -= 1,
        }
    }

    /// A client of a closed loop asks again when it has thought.
    fn think(&mut self, position: usize, now: Timestamp) {
        let source = &self.sources[position];
        if source.arrivals.is_none() {
            // One that neither thinks nor waits would ask for ever at one moment.
            let at = Timestamp(now.0 + source.think_us.max(1));
            self.schedule.add(at, Task::Make(position));
        }
    }
}

/// The position of the Region called so; the first where none is named.
fn region(world: &World, name: Option<&str>) -> Result<usize, TemplateError> {
    let Some(name) = name else { return Ok(0) };
    world.region(name).ok_or_else(|| TemplateError::new(format!("There is no Region {name}.")))
}

/// What a batch left to do, as a request.
fn unprocessed(outcome: &Outcome) -> Option<Request> {
    match outcome.reply.as_ref().ok()? {
        Response::BatchWriteItem(response) if !response.unprocessed.is_empty() => {
            Some(Request::BatchWriteItem(BatchWriteItemRequest {
                tables: response.unprocessed.clone(),
                return_consumed_capacity: ReturnConsumedCapacity::None,
                returns_collection_metrics: false,
            }))
        }
        Response::BatchGetItem(response) if !response.unprocessed.is_empty() => {
            Some(Request::BatchGetItem(BatchGetItemRequest {
                tables: response.unprocessed.clone(),
                return_consumed_capacity: ReturnConsumedCapacity::None,
            }))
        }
        _ => None,
    }
}

fn page_end(outcome: Outcome) -> Option<Item> {
    match outcome.reply {
        Ok(Response::Query(page) | Response::Scan(page)) => page.last_evaluated_key,
        _ => None,
    }
}

fn begin_page(request: &mut Request, start: &Item) {
    match request {
        Request::Query(request) => request.read.exclusive_start_key = Some(Ok(start.clone())),
        Request::Scan(request) => request.read.exclusive_start_key = Some(Ok(start.clone())),
        _ => {}
    }
}
