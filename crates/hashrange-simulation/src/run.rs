//! `Run`: a world, the loads on it, and a scenario's steps, in one time.
//!
//! Invariant: of several things at one moment, what was on its way happens first, then what loads do, then what
//! steps say. What steps and loads send is answered into nothing; events and tallies tell of it.
//!
//! Not here: reading steps (`plan`).

use std::collections::BTreeMap;

use hashrange_engine::Outcome;
use hashrange_storage::Store;
use hashrange_types::{ApiError, Operation, Request, Timestamp};

use crate::cluster::Cluster;
use crate::cue::Cues;
use crate::document::{ScenarioError, ms_value};
use crate::event::SplitCause;
use crate::load::Load;
use crate::placed_key;
use crate::plan::{Planned, PlannedPlace};
use crate::scenario::{Act, Cue, Fault, Scenario, Step};
use crate::template::TemplateError;
use crate::workload::Workload;
use crate::world::{Ticket, Via, World};

/// How a request is read from its JSON text: the wire's `decode`.
pub type Decode = fn(Operation, &str) -> Result<Request, ApiError>;

/// What a client is told in place of an answer that was lost: the error that it would meet as a timeout.
pub const LOST: &str =
    "The reply was lost on its way, as the scenario says; the request took effect.";

/// What became of a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Its answer is still to come.
    Waiting,
    /// It took effect, and its answer was lost on the way.
    Lost,
    /// Its answer.
    Here(Box<Outcome>),
}

/// A world that is played. Clone it for a snapshot.
#[derive(Debug, Clone)]
pub struct Run {
    pub(crate) world: World,
    pub(crate) decode: Decode,
    loads: Vec<Load>,
    /// What is still to happen: at which moment, in the order of the document.
    planned: BTreeMap<(Timestamp, u64), Planned>,
    n_planned: u64,
    n_replies_to_lose: u64,
    n_steps: u64,
    pub(crate) cues: Cues,
}

impl Run {
    /// Begins a scenario over what the store holds, makes its tables, and lets its functions read.
    ///
    /// # Errors
    /// A request is not in form, a setting that a step sets is wrong, or a table or function can't be made.
    pub fn new(store: Store, scenario: &Scenario, decode: Decode) -> Result<Self, ScenarioError> {
        // Tables are there before the beginning: making them takes no time.
        let mut settings = scenario.settings.clone();
        let reply_us = std::mem::take(&mut settings.cluster.reply_us);
        let world = World::from_store(store, settings);
        let world = world.map_err(|error| ScenarioError(format!("settings.regions: {error}")))?;
        let mut run = Self::over(world, decode);
        for (n, table) in scenario.tables.iter().enumerate() {
            run.make_table(&format!("tables[{n}]"), table)?;
        }
        run.world.set("reply_ms", &ms_value(reply_us))?;
        for (n, function) in scenario.functions.iter().enumerate() {
            run.connect(&format!("functions[{n}]"), function)?;
        }
        for (n, step) in scenario.steps.iter().enumerate() {
            let planned =
                run.prepare(&format!("steps[{n}]"), step.region.as_deref(), &step.what)?;
            let at = scenario.settings.cluster.starts_at.0.saturating_add(step.at_us);
            run.add(Timestamp(at), planned);
        }
        let expects =
            |step: &Step| matches!(&step.what, Act::Cue(cue) if matches!(**cue, Cue::Expect(_)));
        if scenario.steps.iter().any(expects) {
            run.watch();
        }
        Ok(run)
    }

    /// A world of which nothing is asked yet.
    pub const fn over(world: World, decode: Decode) -> Self {
        Self {
            world,
            decode,
            loads: Vec::new(),
            planned: BTreeMap::new(),
            n_planned: 0,
            n_replies_to_lose: 0,
            n_steps: 0,
            cues: Cues::NONE,
        }
    }

    pub(crate) fn add(&mut self, at: Timestamp, planned: Planned) {
        self.n_planned += 1;
        self.planned.insert((at, self.n_planned), planned);
    }

    /// Does now what a step would, in a Region or the first.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn act(&mut self, region: Option<&str>, act: &Act) -> Result<(), ScenarioError> {
        let planned = self.prepare("the act", region, act)?;
        self.play(self.now(), planned);
        Ok(())
    }

    /// Begins a workload now, beside those under way.
    ///
    /// # Errors
    /// A template has a slot that does not exist, or a Region or partition it names is not there.
    pub fn begin(&mut self, workload: &Workload) -> Result<(), TemplateError> {
        let placed = placed_key::placed(workload, &self.world)?;
        self.loads.push(Load::new(placed.as_ref().unwrap_or(workload), &mut self.world)?);
        Ok(())
    }

    /// The loads begun, in their order.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// The simulated moment.
    pub const fn now(&self) -> Timestamp {
        self.world.now()
    }

    /// Everything that is played on.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The database of the first Region.
    pub fn cluster(&self) -> &Cluster {
        self.world.cluster(0)
    }

    /// Things that happened so far.
    pub const fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Keeps the newest `n` events of each Region from now on; those so far are forgotten.
    pub fn keep_events(&mut self, n: usize) {
        self.world.keep_events(n);
    }

    /// When the next thing happens.
    pub fn next_at(&self) -> Option<Timestamp> {
        let load_at = self.next_load().map(|(at, _)| at);
        [self.world.next_at(), load_at, self.planned_at()].into_iter().flatten().min()
    }

    /// When a load does something next, and which.
    fn next_load(&self) -> Option<(Timestamp, usize)> {
        let mut next: Option<(Timestamp, usize)> = None;
        for (number, load) in self.loads.iter().enumerate() {
            if let Some(at) = load.next_at()
                && next.is_none_or(|(before, _)| at < before)
            {
                next = Some((at, number));
            }
        }
        next
    }

    fn planned_at(&self) -> Option<Timestamp> {
        self.planned.first_key_value().map(|((at, _), _)| *at)
    }

    /// Lets the next thing happen, if it is due by then. False if nothing is.
    pub fn step(&mut self, until: Timestamp) -> bool {
        let has_happened = self.happen(until);
        self.observe();
        has_happened
    }

    fn happen(&mut self, until: Timestamp) -> bool {
        let (due, load) = (self.world.next_due(), self.next_load());
        let mut next = due.map(|(at, _)| at);
        for other in [load.map(|(at, _)| at), self.planned_at()].into_iter().flatten() {
            next = Some(next.map_or(other, |next| next.min(other)));
        }
        let Some(at) = next.filter(|at| *at <= until) else { return false };
        self.n_steps += 1;
        if let Some((_, region)) = due.filter(|(due_at, _)| *due_at == at) {
            self.world.step_at(at, region);
            if let Some(ticket) = self.world.answered() {
                self.hear(ticket);
            }
            return true;
        }
        self.world.pass(at);
        if let Some((_, load)) = load.filter(|(load_at, _)| *load_at == at) {
            self.loads[load].step(&mut self.world);
        } else if let Some((_, planned)) = self.planned.pop_first() {
            self.play(at, planned);
        }
        true
    }

    /// An answer has reached its client.
    fn hear(&mut self, ticket: Ticket) {
        if !self.hear_client(ticket) {
            self.loads.iter_mut().for_each(|load| load.hear(ticket, &mut self.world));
        }
    }

    fn play(&mut self, at: Timestamp, planned: Planned) {
        match planned {
            Planned::Wait => {}
            Planned::Sweep(region) => {
                self.world.sweep(region);
            }
            Planned::LoseReplies(n) => self.n_replies_to_lose += n,
            Planned::Cue(region, cue) => self.play_cue(region, *cue),
            Planned::Set(settings) => {
                for (name, value) in settings {
                    let is_set = self.world.set(&name, &value);
                    debug_assert!(is_set.is_ok(), "it was tried before");
                }
            }
            Planned::Begin(workload) => {
                self.begin_round();
                // Where no partition has such a number any more, there is nothing to load.
                let _is_begun = self.begin(&workload).is_ok();
            }
            Planned::Send { region, via, operation, request, n, times, every_us } => {
                if n == 1 && times > 1 {
                    self.begin_round();
                }
                let numbered = request.replace("{n}", &n.to_string());
                // A number in the place of `{n}` may spoil a request, which then is none.
                if let Ok(decoded) = (self.decode)(operation, &numbered) {
                    let ticket = self.send(region, via, decoded);
                    self.forget(ticket);
                }
                if n < times {
                    let n = n + 1;
                    let again =
                        Planned::Send { region, via, operation, request, n, times, every_us };
                    self.add(Timestamp(at.0.saturating_add(every_us)), again);
                }
            }
            Planned::Fault { region, fault, place, replica } => {
                self.fault(region, fault, place, replica);
            }
        }
    }

    fn fault(&mut self, region: usize, fault: Fault, place: PlannedPlace, replica: u8) {
        let cluster = self.world.cluster_now(region);
        let (partition, key) = match place {
            PlannedPlace::Partition(number) => (number, None),
            PlannedPlace::Key(request) => match cluster.locate(*request) {
                Some((partition, key)) => (partition, Some(key)),
                // The table is gone: there is nothing that could fail.
                None => return,
            },
        };
        match (fault, key) {
            (Fault::CutOff, _) => cluster.cut_off(partition, replica),
            (Fault::Fail, _) => cluster.fail(partition, replica),
            (Fault::Restore, _) => cluster.restore(partition, replica),
            (Fault::Divide, Some(key)) => {
                cluster.divide(partition, &key, SplitCause::Demand);
            }
            (Fault::Divide, None) => {}
        }
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        for _ in 0..budget {
            if !self.step(moment) {
                return self.world.run_until(moment, 1);
            }
        }
        false
    }

    /// Sends a request to the first Region, where it arrives now.
    pub fn submit(&mut self, request: Request) -> Ticket {
        self.send(0, Via::Table, request)
    }

    /// Sends a request to a Region on this way.
    ///
    /// # Panics
    /// There is no such Region.
    pub fn send(&mut self, region: usize, via: Via, request: Request) -> Ticket {
        self.world.submit_via(region, via, request)
    }

    /// Nobody waits for this request's answer any more.
    pub fn forget(&mut self, ticket: Ticket) {
        self.cues.forget(ticket);
        self.world.forget(ticket);
    }

    /// Takes a request's reply, if it has reached the client.
    pub fn take_reply(&mut self, ticket: Ticket) -> Reply {
        if let Some(reply) = self.late_reply(ticket) {
            return reply;
        }
        let Some(outcome) = self.world.take_reply(ticket) else { return Reply::Waiting };
        if self.n_replies_to_lose > 0 {
            self.n_replies_to_lose -= 1;
            return Reply::Lost;
        }
        self.delayed(ticket, outcome)
    }

    /// Sends a request to the first Region and lets time pass until it is answered; none if the answer was lost.
    pub fn call(&mut self, request: Request) -> Option<Outcome> {
        let ticket = self.submit(request);
        loop {
            match self.take_reply(ticket) {
                Reply::Here(outcome) => return Some(*outcome),
                Reply::Lost => return None,
                Reply::Waiting => {}
            }
            // A request that was sent has something due until it is answered.
            self.step(Timestamp(i64::MAX));
        }
    }
}
