//! `Run`: a scenario that is played, and whatever else is asked meanwhile.
//!
//! Invariant: of two things at one moment, what was on its way happens before what is sent. What the scenario
//! itself sends is answered into nothing; its events tell of it.

use std::collections::BTreeMap;

use hashrange_engine::Outcome;
use hashrange_storage::Store;
use hashrange_types::{ApiError, Operation, Request, Timestamp};
use serde_json::{Value, json};

use crate::cluster::{Cluster, RequestNumber};
use crate::document::ScenarioError;
use crate::event::SplitCause;
use crate::scenario::{Act, Fault, FaultPlace, Scenario, Step};

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

/// A scenario that is played.
#[derive(Debug, Clone)]
pub struct Run {
    cluster: Cluster,
    decode: Decode,
    /// What is still to happen: at which moment, in the order of the document.
    planned: BTreeMap<(Timestamp, u64), Planned>,
    n_planned: u64,
    n_replies_to_lose: u64,
}

#[derive(Debug, Clone)]
enum Planned {
    Send { operation: Operation, request: String, n: u64, times: u64, every_us: i64 },
    Set(Vec<(String, Value)>),
    Wait,
    Sweep,
    Fault { fault: Fault, place: PlannedPlace, replica: u8 },
    LoseReplies(u64),
}

#[derive(Debug, Clone)]
enum PlannedPlace {
    Partition(u32),
    /// A request for one key, which says where it lies.
    Key(Box<Request>),
}

impl Run {
    /// Begins a scenario over what the store holds, and makes its tables.
    ///
    /// # Errors
    /// A request is not in form, a setting that a step sets is wrong, or a table can't be made.
    pub fn new(store: Store, scenario: &Scenario, decode: Decode) -> Result<Self, ScenarioError> {
        let cluster = Cluster::from_store(store, scenario.settings.clone());
        let mut run =
            Self { cluster, decode, planned: BTreeMap::new(), n_planned: 0, n_replies_to_lose: 0 };
        for (n, table) in scenario.tables.iter().enumerate() {
            let path = format!("tables[{n}]");
            let request = run.read(&path, "CreateTable", table)?;
            if let Err(error) = run.cluster.call(request.1).reply {
                return Err(ScenarioError(format!("{path} was refused: {error}")));
            }
        }
        for (n, step) in scenario.steps.iter().enumerate() {
            run.plan(&format!("steps[{n}]"), step)?;
        }
        Ok(run)
    }

    fn read(
        &self,
        path: &str,
        operation: &str,
        request: &Value,
    ) -> Result<(Operation, Request), ScenarioError> {
        let known = Operation::from_name(operation);
        let known = known.ok_or_else(|| {
            ScenarioError(format!("{path}.operation must be one of DynamoDB's, not {operation:?}"))
        })?;
        let decoded = (self.decode)(known, &request.to_string());
        let decoded = decoded
            .map_err(|error| ScenarioError(format!("{path} is no {operation} request: {error}")))?;
        Ok((known, decoded))
    }

    fn plan(&mut self, path: &str, step: &Step) -> Result<(), ScenarioError> {
        let planned = match &step.what {
            Act::Wait => Planned::Wait,
            Act::Sweep => Planned::Sweep,
            Act::LoseReplies(n) => Planned::LoseReplies(*n),
            Act::Set(settings) => {
                // On a copy, so that a wrong one is refused before the run begins.
                let mut copy = self.cluster.clone();
                for (name, value) in settings {
                    copy.set(name, value)
                        .map_err(|error| ScenarioError(format!("{path}.set: {error}")))?;
                }
                Planned::Set(settings.clone())
            }
            Act::Send { operation, request, times, every_us } => Planned::Send {
                operation: self.read(path, operation, request)?.0,
                request: request.to_string(),
                n: 1,
                times: *times,
                every_us: *every_us,
            },
            Act::Fault { fault, place, replica } => {
                let place = match place {
                    FaultPlace::Partition(number) => PlannedPlace::Partition(*number),
                    FaultPlace::Key(table, key) => {
                        let get = json!({"TableName": table, "Key": key});
                        PlannedPlace::Key(Box::new(self.read(path, "GetItem", &get)?.1))
                    }
                };
                Planned::Fault { fault: *fault, place, replica: *replica }
            }
        };
        let at = self.cluster.settings().starts_at.0.saturating_add(step.at_us);
        self.add(Timestamp(at), planned);
        Ok(())
    }

    fn add(&mut self, at: Timestamp, planned: Planned) {
        self.n_planned += 1;
        self.planned.insert((at, self.n_planned), planned);
    }

    /// The database that the scenario is played on.
    pub const fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Keeps the newest `n` events from now on; those so far are forgotten.
    pub fn keep_events(&mut self, n: usize) {
        self.cluster.keep_events(n);
    }

    /// When the next thing happens.
    pub fn next_at(&self) -> Option<Timestamp> {
        let planned = self.planned.keys().next().map(|(at, _)| *at);
        [planned, self.cluster.next_at()].into_iter().flatten().min()
    }

    /// Lets the next thing happen, if it is due by then. False if nothing is.
    fn step(&mut self, until: Timestamp) -> bool {
        let planned_at = self.planned.keys().next().map(|(at, _)| *at);
        let due_at = self.cluster.next_at();
        let Some(at) = [planned_at, due_at].into_iter().flatten().min() else { return false };
        if at > until {
            return false;
        }
        if due_at.is_some_and(|due_at| due_at <= at) {
            self.cluster.step();
            return true;
        }
        // Nothing is due before it, so this only sets the clock.
        self.cluster.run_until(at, 1);
        if let Some((_, planned)) = self.planned.pop_first() {
            self.play(at, planned);
        }
        true
    }

    fn play(&mut self, at: Timestamp, planned: Planned) {
        match planned {
            Planned::Wait => {}
            Planned::Sweep => {
                self.cluster.sweep();
            }
            Planned::LoseReplies(n) => self.n_replies_to_lose += n,
            Planned::Set(settings) => {
                for (name, value) in settings {
                    let is_set = self.cluster.set(&name, &value);
                    debug_assert!(is_set.is_ok(), "it was tried before the run began");
                }
            }
            Planned::Send { operation, request, n, times, every_us } => {
                let numbered = request.replace("{n}", &n.to_string());
                // A number in the place of `{n}` may spoil a request, which then is none.
                if let Ok(decoded) = (self.decode)(operation, &numbered) {
                    let number = self.cluster.submit(decoded);
                    self.cluster.forget(number);
                }
                if n < times {
                    let again = Planned::Send { operation, request, n: n + 1, times, every_us };
                    self.add(Timestamp(at.0.saturating_add(every_us)), again);
                }
            }
            Planned::Fault { fault, place, replica } => self.fault(fault, place, replica),
        }
    }

    fn fault(&mut self, fault: Fault, place: PlannedPlace, replica: u8) {
        let (partition, key) = match place {
            PlannedPlace::Partition(number) => (number, None),
            PlannedPlace::Key(request) => match self.cluster.locate(*request) {
                Some((partition, key)) => (partition, Some(key)),
                // The table is gone: there is nothing that could fail.
                None => return,
            },
        };
        match (fault, key) {
            (Fault::CutOff, _) => self.cluster.cut_off(partition, replica),
            (Fault::Fail, _) => self.cluster.fail(partition, replica),
            (Fault::Restore, _) => self.cluster.restore(partition, replica),
            (Fault::Divide, Some(key)) => {
                self.cluster.divide(partition, &key, SplitCause::Demand);
            }
            (Fault::Divide, None) => {}
        }
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        for _ in 0..budget {
            if !self.step(moment) {
                self.cluster.run_until(moment, 1);
                return true;
            }
        }
        false
    }

    /// Sends a request, which arrives now.
    pub fn submit(&mut self, request: Request) -> RequestNumber {
        self.cluster.submit(request)
    }

    /// Nobody waits for this request's answer any more.
    pub fn forget(&mut self, number: RequestNumber) {
        self.cluster.forget(number);
    }

    /// Takes a request's reply, if it has reached the client.
    pub fn take_reply(&mut self, number: RequestNumber) -> Reply {
        match self.cluster.take_reply(number) {
            None => Reply::Waiting,
            Some(_) if self.n_replies_to_lose > 0 => {
                self.n_replies_to_lose -= 1;
                Reply::Lost
            }
            Some(outcome) => Reply::Here(Box::new(outcome)),
        }
    }

    /// Sends a request and lets time pass until it is answered; none if the answer was lost.
    pub fn call(&mut self, request: Request) -> Option<Outcome> {
        let number = self.submit(request);
        loop {
            match self.take_reply(number) {
                Reply::Here(outcome) => return Some(*outcome),
                Reply::Lost => return None,
                Reply::Waiting => {}
            }
            // A request that was sent has something due until it is answered.
            self.step(Timestamp(i64::MAX));
        }
    }
}
