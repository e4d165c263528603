//! `World`: Regions with a database each, under one clock and one order of events.
//!
//! Invariant: nothing happens before what was due earlier in any Region. At one moment, what arrives from
//! elsewhere comes before what a Region does itself, and the first Region before the second.
//!
//! Not here: what travels between Regions ([`replication`]), what reads their streams ([`function`]).
//!
//! Source: facts 5.5 and 5.6; shared lessons, shared settings and 4.4.

mod function;
mod replication;
mod search;

use std::collections::BTreeMap;

use hashrange_engine::Outcome;
use hashrange_types::{Operation, Request, Timestamp, ValidationError};
use smol_str::SmolStr;

use crate::cluster::{Cluster, RequestNumber};
use crate::dax::{Asked, Dax, DaxSettings, Step};
use crate::random::Random;
use crate::schedule::Schedule;
use crate::settings::{Lag, Settings};
use function::Moment;
use replication::{Delivery, Replication};

pub use function::{Function, FunctionKind, FunctionSettings};
pub use search::SearchIndex;

/// Most Regions of a world.
const REGIONS_MAX: usize = 32;
/// Outcomes that are kept though nobody has taken them.
const REPLIES_KEPT: usize = 10_000;

/// What a world is set to. The default is one Region without anything around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldSettings {
    /// What each Region is set to; the seed of the second is one higher, and so on.
    pub cluster: Settings,
    /// The Regions. Every table is a global table with a replica in each (`regions`).
    pub regions: Vec<SmolStr>,
    /// How far a Region is behind the others' writes (`lag.region_ms`).
    pub region_lag: Lag,
    /// True for multi-Region strong consistency.
    pub is_strong: bool,
    /// With strong consistency, microseconds by which a write takes longer because other Regions must have it
    /// (model).
    pub strong_write_us: i64,
    /// The caches in front of each Region, if there are any (`dax`).
    pub dax: Option<DaxSettings>,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            cluster: Settings::default(),
            regions: vec![SmolStr::new_static("us-east-1")],
            region_lag: Lag::NONE,
            is_strong: false,
            strong_write_us: 0,
            dax: None,
        }
    }
}

/// A request in a world, by the order of their coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// What is due between Regions.
#[derive(Debug, Clone)]
enum Due {
    /// A write arrives in another Region.
    Replicate(Box<Delivery>),
    /// Something is due for a function.
    Function(usize, Moment),
}

#[derive(Debug, Clone)]
struct Region {
    name: SmolStr,
    cluster: Cluster,
    dax: Option<Dax>,
}

/// Regions with a database each.
#[derive(Debug, Clone)]
pub struct World {
    settings: WorldSettings,
    now: Timestamp,
    random: Random,
    schedule: Schedule<Due>,
    regions: Vec<Region>,
    replication: Replication,
    functions: Vec<Function>,
    n_requests: u64,
    /// Requests that were sent to a Region and not answered yet.
    sent: BTreeMap<(usize, RequestNumber), Ticket>,
    /// Answers that nobody has taken.
    replies: BTreeMap<Ticket, Outcome>,
}

impl World {
    /// Empty databases at the moment the settings say.
    ///
    /// # Errors
    /// No Region, too many, one twice, or a number of them that strong consistency does not take.
    pub fn new(settings: WorldSettings) -> Result<Self, ValidationError> {
        let WorldSettings { regions: names, is_strong, .. } = &settings;
        let n = names.len();
        if n == 0 || n > REGIONS_MAX {
            return Err(ValidationError::new(format!(
                "A world has 1 to {REGIONS_MAX} Regions, not {n}."
            )));
        }
        if let Some(name) =
            names.iter().find(|name| names.iter().filter(|it| it == name).count() > 1)
        {
            return Err(ValidationError::new(format!("Region {name} stands twice.")));
        }
        if *is_strong && n != 3 {
            return Err(ValidationError::new(format!(
                "Multi-Region strong consistency takes exactly three Regions, not {n}."
            )));
        }
        let region = |(number, name): (u64, &SmolStr)| {
            let mut of = settings.cluster.clone();
            of.seed = of.seed.wrapping_add(number);
            if settings.is_strong {
                of.commit_us = of.commit_us.saturating_add(settings.strong_write_us.max(0));
            }
            let mut cluster = Cluster::new(of);
            cluster.keep_committed();
            let dax = settings.dax.clone().map(Dax::new);
            Region { name: name.clone(), cluster, dax }
        };
        Ok(Self {
            now: settings.cluster.starts_at,
            random: Random::new(settings.cluster.seed.wrapping_sub(1)),
            schedule: Schedule::default(),
            regions: (0..).zip(names).map(region).collect(),
            replication: Replication::new(n),
            functions: Vec::new(),
            n_requests: 0,
            sent: BTreeMap::new(),
            replies: BTreeMap::new(),
            settings,
        })
    }

    /// The simulated moment.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// The position of the Region called so.
    pub fn region(&self, name: &str) -> Option<usize> {
        self.regions.iter().position(|region| region.name == name)
    }

    /// The database of a Region, by its position.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn cluster(&self, region: usize) -> &Cluster {
        &self.regions[region].cluster
    }

    /// Sends a request to a Region, where it arrives now. Changes of tables go to all Regions.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn submit(&mut self, region: usize, request: Request) -> Ticket {
        self.n_requests += 1;
        let ticket = Ticket(self.n_requests);
        let held = match self.admit_strong(region, &request) {
            Ok(held) => held,
            Err(error) => {
                self.answer(ticket, Outcome::free(Err(error)));
                return ticket;
            }
        };
        let is_of_tables = is_of_tables(request.operation());
        for other in 0..self.regions.len() {
            if other != region && is_of_tables {
                let cluster = self.cluster_now(other);
                let number = cluster.submit(request.clone());
                cluster.forget(number);
            }
        }
        let number = self.cluster_now(region).submit(request);
        self.hold(region, number, held);
        self.sent.insert((region, number), ticket);
        ticket
    }

    /// Takes a request's outcome, if it has reached the client. Of those that nobody takes, the newest 10,000
    /// are kept.
    pub fn take_reply(&mut self, ticket: Ticket) -> Option<Outcome> {
        self.replies.remove(&ticket)
    }

    fn answer(&mut self, ticket: Ticket, outcome: Outcome) {
        self.replies.insert(ticket, outcome);
        if self.replies.len() > REPLIES_KEPT {
            self.replies.pop_first();
        }
    }

    /// Sends a request to a Region and lets time pass until it is answered. What is due now happens before.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn call(&mut self, region: usize, request: Request) -> Outcome {
        while self.next_at().is_some_and(|at| at <= self.now) {
            self.step();
        }
        let ticket = self.submit(region, request);
        loop {
            if let Some(outcome) = self.take_reply(ticket) {
                return outcome;
            }
            self.step();
        }
    }

    /// The same through the caches in front of the Region; without caches, like [`call`](Self::call).
    ///
    /// # Panics
    /// There is no such Region.
    pub fn call_dax(&mut self, region: usize, request: Request) -> Outcome {
        let now = self.now;
        let Region { dax: Some(dax), cluster, .. } = &mut self.regions[region] else {
            return self.call(region, request);
        };
        cluster.catch_up(now);
        let (event, mut step) = dax.ask(cluster.store(), now, request);
        cluster.tell(event);
        loop {
            let asked: Asked = match step {
                Step::Known(outcome) => return *outcome,
                Step::Ask(asked) => *asked,
            };
            let outcome = self.call(region, asked.request.clone());
            let Region { dax: Some(dax), cluster, .. } = &mut self.regions[region] else {
                return outcome;
            };
            step = dax.learn(asked, outcome, cluster.store(), self.now);
        }
    }

    /// Removes every expired item of a Region now; returns how many. The others hear of it.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn sweep(&mut self, region: usize) -> usize {
        let n_swept = self.cluster_now(region).sweep();
        self.follow(region);
        n_swept
    }

    /// When the next thing is due.
    pub fn next_at(&self) -> Option<Timestamp> {
        let clusters = self.regions.iter().filter_map(|region| region.cluster.next_at());
        clusters.chain(self.schedule.next_at()).min()
    }

    /// Lets the next thing happen that is due, whenever that is. False if nothing is.
    pub fn step(&mut self) -> bool {
        let Some(at) = self.next_at() else { return false };
        self.now = self.now.max(at);
        if let Some((_, due)) = self.schedule.pop(at) {
            match due {
                Due::Replicate(delivery) => self.arrive(*delivery),
                Due::Function(number, moment) => self.function_due(number, moment),
            }
            return true;
        }
        let is_due = |region: &Region| region.cluster.next_at() == Some(at);
        if let Some(region) = self.regions.iter().position(is_due) {
            self.cluster_now(region).step();
            self.follow(region);
        }
        true
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        for _ in 0..budget {
            if self.next_at().is_none_or(|at| at > moment) {
                self.now = self.now.max(moment);
                return true;
            }
            self.step();
        }
        false
    }

    /// The database of a Region at this moment.
    fn cluster_now(&mut self, region: usize) -> &mut Cluster {
        let cluster = &mut self.regions[region].cluster;
        cluster.catch_up(self.now);
        cluster
    }

    /// Lets follow what comes of the latest step of a Region.
    fn follow(&mut self, region: usize) {
        let cluster = &mut self.regions[region].cluster;
        if let Some(number) = cluster.answered()
            && let Some(outcome) = cluster.take_reply(number)
            && let Some(ticket) = self.sent.remove(&(region, number))
        {
            self.answer(ticket, outcome);
        }
        let cluster = &mut self.regions[region].cluster;
        let committed = cluster.take_committed();
        for change in committed {
            self.replicate(region, change);
        }
        self.see_records(region);
        if self.settings.is_strong {
            self.release(region);
        }
    }
}

/// True for operations that a global table carries to all its replicas.
const fn is_of_tables(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::CreateTable
            | Operation::UpdateTable
            | Operation::DeleteTable
            | Operation::UpdateTimeToLive
    )
}
