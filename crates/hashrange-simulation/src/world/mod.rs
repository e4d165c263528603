//! `World`: Regions with a database each, under one clock and one order of events.
//!
//! Invariant: nothing happens before what was due earlier in any Region. At one moment, what arrives from
//! elsewhere comes before what a Region does itself, and the first Region before the second.
//!
//! Not here: what travels between Regions ([`replication`]), what reads their streams ([`function`]).
//!
//! Source: facts 5.5 and 5.6; shared lessons, shared settings and 4.4.

mod function;
mod lane;
mod replication;
mod search;
mod through_dax;

use std::collections::BTreeMap;

use hashrange_engine::Outcome;
use hashrange_storage::Store;
use hashrange_types::{Operation, Request, Timestamp, ValidationError};
use serde_json::Value;
use smol_str::SmolStr;

use crate::cluster::{Cluster, RequestNumber};
use crate::dax::{Asked, Dax, DaxSettings};
use crate::document::{Node, ScenarioError};
use crate::random::Random;
use crate::repeated::Repeated;
use crate::schedule::Schedule;
use crate::settings::{Lag, Settings};
use crate::table_settings::TableSettings;
use crate::template::{Binding, Template};
use crate::world_document::WORLD_NAMES;
use function::Moment;
use replication::{Delivery, Replication, Route};

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
    /// How long a stream's record takes to reach a function, unless the function says so itself (`stream_ms`).
    pub stream: Lag,
    /// How long a function runs, unless it says so itself (`function_ms`).
    pub function: Lag,
    /// What the tables of a scenario begin with.
    pub tables: TableSettings,
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
            stream: Lag::NONE,
            function: Lag::NONE,
            tables: TableSettings::default(),
            dax: None,
        }
    }
}

impl WorldSettings {
    /// What the product shows unless a person sets it otherwise: one Region as [`Settings::realistic`]; where
    /// there are more, a write takes 0.5 to 2.5 s to them (facts 5.5), and functions wait for the poll of their
    /// stream, four times a second (facts 8.3), and then run (model).
    pub fn realistic(seed: u64) -> Self {
        Self {
            cluster: Settings::realistic(seed),
            region_lag: Lag::LongTailed { median_us: 900_000, p99_us: 2_500_000 },
            strong_write_us: 60_000,
            stream: Lag::LongTailed { median_us: 125_000, p99_us: 500_000 },
            function: Lag::LongTailed { median_us: 20_000, p99_us: 300_000 },
            ..Self::default()
        }
    }

    /// Says whether there can be such a world.
    ///
    /// # Errors
    /// No Region, too many, one twice, or a number of them that strong consistency does not take.
    pub fn check(&self) -> Result<(), ValidationError> {
        let n = self.regions.len();
        if n == 0 || n > REGIONS_MAX {
            return Err(ValidationError::new(format!(
                "A world has 1 to {REGIONS_MAX} Regions, not {n}."
            )));
        }
        let is_twice = |name: &&SmolStr| self.regions.iter().filter(|it| it == name).count() > 1;
        if let Some(name) = self.regions.iter().find(is_twice) {
            return Err(ValidationError::new(format!("Region {name} stands twice.")));
        }
        if self.is_strong && n != 3 {
            return Err(ValidationError::new(format!(
                "Multi-Region strong consistency takes exactly three Regions, not {n}."
            )));
        }
        Ok(())
    }
}

/// A request in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(Answerer);

impl Ticket {
    /// Who answers, as a number from 0, and the number of the request there.
    pub(crate) const fn place(self) -> (usize, u64) {
        match self.0 {
            Answerer::World(number) => (0, number),
            Answerer::Region(region, number) => (region + 1, number.0),
        }
    }
}

/// Who answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answerer {
    /// The database of a Region.
    Region(usize, RequestNumber),
    /// The world itself, for caches or for what no Region is asked.
    World(u64),
}

/// Which way a request takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Via {
    /// To the table.
    #[default]
    Table,
    /// Through the caches in front of it, if there are any.
    Dax,
}

/// What is due between Regions.
#[derive(Debug, Clone)]
enum Due {
    /// A write arrives in another Region.
    Replicate(Box<Delivery>),
    /// There may be room for writes that wait in a Region.
    Deliver(Box<Route>),
    /// Something is due for a function.
    Function(usize, Moment),
}

#[derive(Debug, Clone)]
struct Region {
    name: SmolStr,
    cluster: Cluster,
    dax: Option<Dax>,
    /// Requests of the caches, with the number of the client's request behind each.
    through_dax: BTreeMap<RequestNumber, (u64, Asked)>,
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
    /// Requests that the world itself answers.
    n_own: u64,
    /// The world's own answers.
    replies: BTreeMap<u64, Outcome>,
    /// The request whose outcome reached its client in the last step.
    answered: Option<Ticket>,
    /// True if it read something of which a replica missed a change.
    is_answered_stale: bool,
}

impl World {
    /// Empty databases at the moment the settings say.
    ///
    /// # Errors
    /// No Region, too many, one twice, or a number of them that strong consistency does not take.
    pub fn new(settings: WorldSettings) -> Result<Self, ValidationError> {
        Self::from_store(Store::default(), settings)
    }

    /// Databases that start from this store, each from the same.
    ///
    /// # Errors
    /// As for [`new`](Self::new); with strong consistency, a table that can't have it.
    pub fn from_store(store: Store, settings: WorldSettings) -> Result<Self, ValidationError> {
        settings.check()?;
        if settings.is_strong
            && let Some(table) = store.tables().find(|table| !replication::may_be_strong(table))
        {
            return Err(ValidationError::new(format!(
                "Table {} can't have multi-Region strong consistency: it must be empty and without \
                 local secondary indexes.",
                table.schema().name
            )));
        }
        let n = settings.regions.len();
        let region = |((number, name), store): ((u64, &SmolStr), Store)| {
            let mut of = settings.cluster.clone();
            of.seed = of.seed.wrapping_add(number);
            if settings.is_strong {
                of.commit_us = of.commit_us.saturating_add(settings.strong_write_us.max(0));
            }
            let store = if n > 1 { store.in_region(name.clone()) } else { store };
            let mut cluster = Cluster::from_store(store, of);
            if n > 1 {
                cluster.keep_committed();
            }
            let dax = settings.dax.clone().map(Dax::new);
            let name = name.clone();
            Region { name, cluster, dax, through_dax: BTreeMap::new() }
        };
        Ok(Self {
            now: settings.cluster.starts_at,
            random: Random::new(settings.cluster.seed.wrapping_sub(1)),
            schedule: Schedule::default(),
            regions: (0..).zip(&settings.regions).zip(vec![store; n]).map(region).collect(),
            replication: Replication::new(n),
            functions: Vec::new(),
            n_own: 0,
            replies: BTreeMap::new(),
            answered: None,
            is_answered_stale: false,
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

    /// The names of the Regions, in order.
    pub fn regions(&self) -> impl Iterator<Item = &SmolStr> {
        self.regions.iter().map(|region| &region.name)
    }

    /// The database of a Region, by its position.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn cluster(&self, region: usize) -> &Cluster {
        &self.regions[region].cluster
    }

    /// One Region with this database, and nothing around it.
    pub fn around(cluster: Cluster) -> Self {
        let settings =
            WorldSettings { cluster: cluster.settings().clone(), ..WorldSettings::default() };
        let mut world = Self::new(settings).expect("one Region is a world");
        world.now = cluster.now();
        world.regions[0].cluster = cluster;
        world
    }

    /// What the world is set to.
    pub const fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Changes a setting from now on, in every Region; what is on its way arrives as it would have.
    ///
    /// # Errors
    /// It does not exist, can't be changed while a run goes on, or the value is wrong.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), ScenarioError> {
        if matches!(name, "lag" | "limits") {
            let node = Node { path: name.to_owned(), value };
            return node
                .members()?
                .iter()
                .try_for_each(|(inner, node)| self.set(&format!("{name}.{inner}"), node.value));
        }
        if WORLD_NAMES.contains(&(name, true)) {
            return self.settings.set(name, value);
        }
        for region in &mut self.regions {
            region.cluster.catch_up(self.now);
            region.cluster.set(name, value)?;
        }
        self.settings.cluster.set(name, value)
    }

    /// Sends a request to a Region, where it arrives now. Changes of tables go to all Regions.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn submit(&mut self, region: usize, request: impl Into<Box<Request>>) -> Ticket {
        let request = request.into();
        let held = match self.admit_strong(region, &request) {
            Ok(held) => held,
            Err(error) => {
                self.n_own += 1;
                self.answer(self.n_own, Outcome::free(Err(error)));
                return Ticket(Answerer::World(self.n_own));
            }
        };
        if self.regions.len() > 1 && is_of_tables(request.operation()) {
            for other in (0..self.regions.len()).filter(|other| *other != region) {
                let cluster = self.cluster_now(other);
                let number = cluster.submit(request.clone());
                cluster.forget(number);
            }
        }
        let number = self.cluster_now(region).submit(request);
        self.hold(region, number, held);
        Ticket(Answerer::Region(region, number))
    }

    /// Makes a request that a load sends over and over ready in a Region; none if it is sent whole.
    pub(crate) fn repeat(&mut self, region: usize, template: &Template) -> Option<usize> {
        if self.settings.is_strong {
            return None;
        }
        Some(self.regions[region].cluster.repeat(Repeated::new(template)?))
    }

    /// Sends such a request to its Region.
    pub(crate) fn submit_repeated(
        &mut self,
        region: usize,
        of: usize,
        operation: Operation,
        binding: Binding,
    ) -> Ticket {
        let number = self.cluster_now(region).submit_repeated(of, operation, binding);
        Ticket(Answerer::Region(region, number))
    }

    /// The world's own answer to a request.
    fn answer(&mut self, number: u64, outcome: Outcome) {
        self.replies.insert(number, outcome);
        if self.replies.len() > REPLIES_KEPT {
            self.replies.pop_first();
        }
    }

    /// Nobody waits for this request's outcome any more: it is dropped when it comes.
    pub fn forget(&mut self, ticket: Ticket) {
        match ticket.0 {
            Answerer::Region(region, number) => self.regions[region].cluster.forget(number),
            // One that is still to come makes way like any that nobody takes.
            Answerer::World(number) => drop(self.replies.remove(&number)),
        }
    }

    /// Takes a request's outcome, if it has reached the client. Of those that nobody takes, the newest 10,000
    /// are kept.
    pub fn take_reply(&mut self, ticket: Ticket) -> Option<Outcome> {
        self.take_boxed_reply(ticket).map(|outcome| *outcome)
    }

    pub(crate) fn take_boxed_reply(&mut self, ticket: Ticket) -> Option<Box<Outcome>> {
        match ticket.0 {
            Answerer::Region(region, number) => {
                self.regions[region].cluster.take_boxed_reply(number)
            }
            Answerer::World(number) => self.replies.remove(&number).map(Box::new),
        }
    }

    /// True if the world answered a request itself and nobody took the answer.
    pub(crate) fn is_answered(&self, ticket: Ticket) -> bool {
        matches!(ticket.0, Answerer::World(number) if self.replies.contains_key(&number))
    }

    /// The request whose outcome reached its client in the last step, if that was what happened.
    pub const fn answered(&self) -> Option<Ticket> {
        self.answered
    }

    /// Sends a request to a Region and lets time pass until it is answered. What is due now happens before.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn call(&mut self, region: usize, request: Request) -> Outcome {
        self.call_via(region, Via::Table, request)
    }

    /// The same through the caches in front of the Region; without caches, like [`call`](Self::call).
    ///
    /// # Panics
    /// There is no such Region.
    pub fn call_dax(&mut self, region: usize, request: Request) -> Outcome {
        self.call_via(region, Via::Dax, request)
    }

    fn call_via(&mut self, region: usize, via: Via, request: Request) -> Outcome {
        while self.next_at().is_some_and(|at| at <= self.now) {
            self.step();
        }
        let ticket = self.submit_via(region, via, request);
        loop {
            if let Some(outcome) = self.take_reply(ticket) {
                return outcome;
            }
            self.step();
        }
    }

    /// True if that request read something of which a replica missed a change.
    pub(crate) const fn is_answered_stale(&self) -> bool {
        self.is_answered_stale
    }

    /// Keeps the newest `n` events of each Region from now on; those so far are forgotten.
    pub fn keep_events(&mut self, n: usize) {
        self.regions.iter_mut().for_each(|region| region.cluster.keep_events(n));
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

    /// Lets everything that was stopped in a Region go on.
    pub(crate) fn resume(&mut self, region: usize) {
        self.cluster_now(region).resume();
        self.follow(region);
    }

    /// How many functions read.
    pub(crate) const fn n_functions(&self) -> usize {
        self.functions.len()
    }

    /// When the next thing is due.
    pub fn next_at(&self) -> Option<Timestamp> {
        self.next_due().map(|(at, _)| at)
    }

    /// When the next thing is due, and in which Region; none of them where it is due between Regions.
    pub(crate) fn next_due(&self) -> Option<(Timestamp, Option<usize>)> {
        let mut next = self.schedule.next_at().map(|at| (at, None));
        for (number, region) in self.regions.iter().enumerate() {
            if let Some(at) = region.cluster.next_at()
                && next.is_none_or(|(before, _)| at < before)
            {
                next = Some((at, Some(number)));
            }
        }
        next
    }

    /// Lets the next thing happen that is due, whenever that is. False if nothing is.
    pub fn step(&mut self) -> bool {
        let Some((at, region)) = self.next_due() else { return false };
        self.step_at(at, region);
        true
    }

    /// Lets happen what [`next_due`](Self::next_due) said.
    pub(crate) fn step_at(&mut self, at: Timestamp, region: Option<usize>) {
        self.now = self.now.max(at);
        (self.answered, self.is_answered_stale) = (None, false);
        if let Some(region) = region {
            self.cluster_now(region).step();
            self.follow(region);
            self.hear(region);
            return;
        }
        match self.schedule.pop(at) {
            Some((_, Due::Replicate(delivery))) => self.arrive(*delivery),
            Some((_, Due::Deliver(route))) => self.deliver_waiting(*route),
            Some((_, Due::Function(number, moment))) => self.function_due(number, moment),
            None => {}
        }
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        for _ in 0..budget {
            if self.next_at().is_none_or(|at| at > moment) {
                self.pass(moment);
                return true;
            }
            self.step();
        }
        false
    }

    /// Lets time pass until `moment`, before which nothing is due.
    pub(crate) fn pass(&mut self, moment: Timestamp) {
        self.now = self.now.max(moment);
        self.regions.iter_mut().for_each(|region| region.cluster.catch_up(moment));
    }

    /// The database of a Region at this moment.
    pub(crate) fn cluster_now(&mut self, region: usize) -> &mut Cluster {
        let cluster = &mut self.regions[region].cluster;
        cluster.catch_up(self.now);
        cluster
    }

    /// Lets follow what comes of the latest step of a Region.
    fn follow(&mut self, region: usize) {
        if self.replication.is_alone() {
            self.see_records(region);
            return;
        }
        let committed = self.regions[region].cluster.take_committed();
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
