//! What a `Run` does at the cues of lessons: it checks expectations, drives programs, stops and resumes commits,
//! begins tables anew, and talks to functions.
//!
//! Invariant: what is expected is compared with the events since the expectation before, of all Regions together.
//!
//! Not here: what a cue is called (`act_document`), how events are counted (`observed`).

use std::collections::{BTreeMap, VecDeque};

use hashrange_engine::Outcome;
use hashrange_types::{Request, Timestamp};
use serde_json::json;
use smol_str::SmolStr;

use crate::document::ScenarioError;
use crate::expectation::Expectation;
use crate::observed::Observed;
use crate::plan::Planned;
use crate::program::{Client, Doing, Heard, Program};
use crate::run::{Reply, Run};
use crate::scenario::Cue;
use crate::world::{Ticket, Via};

/// A cue made ready.
#[derive(Debug, Clone)]
pub(crate) enum PlannedCue {
    Expect {
        path: String,
        expectation: Expectation,
    },
    Program {
        program: Program,
        via: Via,
    },
    /// It is a client's turn.
    Turn(usize),
    /// A client gives a reply up for lost, or hears it late.
    Late(usize, Option<Box<Outcome>>),
    /// Requests that delete a table, if it is there, and make it.
    Recreate(Vec<(Request, Request)>),
    Other(Cue),
}

/// What a run keeps for its cues.
#[derive(Debug, Clone)]
pub(crate) struct Cues {
    /// None where nothing is expected.
    observed: Option<Box<Observed>>,
    /// How many events of each Region were observed.
    n_observed: Vec<u64>,
    /// Loads that were begun before.
    n_loads: usize,
    failures: Vec<String>,
    clients: Vec<Player>,
    /// Requests of clients.
    waiting: BTreeMap<Ticket, usize>,
    /// How late the next replies come.
    delays: VecDeque<(u64, i64)>,
    /// Replies that are on their way.
    late: BTreeMap<Ticket, (Timestamp, Box<Outcome>)>,
}

impl Cues {
    /// Nothing is expected, and no client plays.
    pub(crate) const NONE: Self = Self {
        observed: None,
        n_observed: Vec::new(),
        n_loads: 0,
        failures: Vec::new(),
        clients: Vec::new(),
        waiting: BTreeMap::new(),
        delays: VecDeque::new(),
        late: BTreeMap::new(),
    };

    /// Nobody waits for this reply any more.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.late.remove(&ticket);
    }
}

/// A client of a program, and where it sends its requests.
#[derive(Debug, Clone)]
struct Player {
    client: Client,
    region: usize,
    via: Via,
}

impl Run {
    /// What was expected and did not happen, a sentence each.
    pub fn failures(&self) -> &[String] {
        &self.cues.failures
    }

    /// Makes a cue ready.
    pub(crate) fn prepare_cue(&self, path: &str, cue: &Cue) -> Result<PlannedCue, ScenarioError> {
        Ok(match cue {
            Cue::Expect(expectation) => PlannedCue::Expect {
                path: format!("{path}.expect"),
                expectation: expectation.clone(),
            },
            Cue::Program(program, via) => {
                PlannedCue::Program { program: program.clone(), via: *via }
            }
            Cue::Recreate(tables) => {
                let both = |table: &crate::scenario::RequestText| {
                    let name = json!({"TableName": table.members.get("TableName")});
                    let (_, delete) = self.read(path, "DeleteTable", &name)?;
                    Ok((delete, self.read(path, "CreateTable", &table.members)?.1))
                };
                PlannedCue::Recreate(tables.iter().map(both).collect::<Result<_, _>>()?)
            }
            cue => PlannedCue::Other(cue.clone()),
        })
    }

    /// Begins to count what happens, for what will be expected.
    pub(crate) fn watch(&mut self) {
        self.cues.observed = Some(Box::new(Observed::new(self.now())));
        self.cues.n_observed = self.n_events();
        self.cues.n_loads = self.loads().len();
    }

    fn n_events(&self) -> Vec<u64> {
        let regions = 0..self.world.settings().regions.len();
        regions.map(|region| self.world.cluster(region).events().n_events()).collect()
    }

    /// Counts what has happened since.
    pub(crate) fn observe(&mut self) {
        let Some(observed) = &mut self.cues.observed else { return };
        for (region, seen) in self.cues.n_observed.iter_mut().enumerate() {
            let events = self.world.cluster(region).events();
            events.since(*seen).for_each(|event| observed.note(event));
            *seen = events.n_events();
        }
    }

    /// A load or repeat begins: expectations may have a number for each.
    pub(crate) fn begin_round(&mut self) {
        self.observe();
        let now = self.now();
        if let Some(observed) = &mut self.cues.observed {
            observed.begin_round(now);
        }
    }

    /// Does what a cue says.
    pub(crate) fn play_cue(&mut self, region: usize, cue: PlannedCue) {
        match cue {
            PlannedCue::Expect { path, expectation } => self.check(&path, region, &expectation),
            PlannedCue::Program { program, via } => {
                self.begin_round();
                for (at, client) in program.clients(self.now()) {
                    self.cues.clients.push(Player { client, region, via });
                    let turn = PlannedCue::Turn(self.cues.clients.len() - 1);
                    self.add(at, Planned::Cue(region, Box::new(turn)));
                }
            }
            PlannedCue::Turn(number) => self.go_on(number, Heard::Nothing),
            PlannedCue::Late(number, None) => self.go_on(number, Heard::Lost),
            PlannedCue::Late(number, Some(outcome)) => self.go_on(number, Heard::Reply(&outcome)),
            PlannedCue::Recreate(tables) => {
                for (delete, create) in tables {
                    let name = match &create {
                        Request::CreateTable(request) => request.table_name.to_string(),
                        _ => continue,
                    };
                    let is_there = self.world.cluster(region).store().table(&name).is_some();
                    for request in is_there.then_some(delete).into_iter().chain([create]) {
                        let ticket = self.send(region, Via::Table, request);
                        self.forget(ticket);
                    }
                }
            }
            PlannedCue::Other(cue) => self.play_other(region, cue),
        }
    }

    fn play_other(&mut self, region: usize, cue: Cue) {
        match cue {
            Cue::Pause => self.world.cluster_now(region).pause_commit(),
            Cue::Resume => self.world.resume(region),
            Cue::DelayReplies { times, by_us } => self.cues.delays.push_back((times, by_us)),
            Cue::Connect(function) => {
                if let Err(error) = self.connect("function", &function) {
                    self.cues.failures.push(error.to_string());
                }
            }
            Cue::Switch { function, .. }
            | Cue::LoseAnswers { function, .. }
            | Cue::Search { function, .. }
                if function >= self.world.n_functions() =>
            {
                let n = self.world.n_functions();
                self.cues.failures.push(format!("there is no function {function}: there are {n}"));
            }
            Cue::Switch { function, is_on } => self.world.switch(function, is_on),
            Cue::LoseAnswers { function, times } => self.world.lose_answers(function, times),
            Cue::Search { function, query } => {
                self.world.search(function, &query);
            }
            Cue::Expect(_) | Cue::Program(..) | Cue::Recreate(_) => {}
        }
    }

    /// Compares what happened with what is expected, and counts from here.
    fn check(&mut self, path: &str, region: usize, expectation: &Expectation) {
        self.observe();
        let partitions = self.world.cluster(region).partitions_by_key();
        let sources = self.throttled_by_source();
        if let Some(observed) = &self.cues.observed {
            let failures = expectation.failures(path, observed, &partitions, &sources);
            self.cues.failures.extend(failures);
        }
        self.watch();
    }

    /// Throttled answers of each source of the loads begun since the expectation before.
    fn throttled_by_source(&self) -> BTreeMap<SmolStr, u64> {
        let mut sources = BTreeMap::new();
        for load in self.loads().iter().skip(self.cues.n_loads) {
            for (name, tally) in load.tallies() {
                *sources.entry(SmolStr::new(name)).or_default() += tally.n_throttled;
            }
        }
        sources
    }

    /// Lets a client go on.
    fn go_on(&mut self, number: usize, heard: Heard<'_>) {
        let now = self.now();
        let player = &mut self.cues.clients[number];
        let (region, via) = (player.region, player.via);
        let mut told = Vec::new();
        let doing = player.client.go_on(heard, now, &mut told);
        let cluster = self.world.cluster_now(region);
        for kind in told {
            cluster.tell(kind);
        }
        match doing {
            Doing::Ended => {}
            Doing::Wait(us) => {
                let at = Timestamp(now.0.saturating_add(us));
                self.add(at, Planned::Cue(region, Box::new(PlannedCue::Turn(number))));
            }
            Doing::Send(operation, request) => match (self.decode)(operation, &request) {
                Ok(request) => {
                    let ticket = self.send(region, via, request);
                    self.cues.waiting.insert(ticket, number);
                    if self.world.is_answered(ticket) {
                        self.hear_client(ticket);
                    }
                }
                Err(error) => {
                    let outcome = Outcome::free(Err(error));
                    let late = PlannedCue::Late(number, Some(Box::new(outcome)));
                    self.add(now, Planned::Cue(region, Box::new(late)));
                }
            },
        }
    }

    /// Gives a client its answer, now or later. False if the request was nobody's here.
    pub(crate) fn hear_client(&mut self, ticket: Ticket) -> bool {
        let Some(number) = self.cues.waiting.remove(&ticket) else { return false };
        let player = &self.cues.clients[number];
        let (region, timeout_us) = (player.region, player.client.timeout_us());
        let (us, heard) = match self.take_reply(ticket) {
            Reply::Here(outcome) => (0, Some(outcome)),
            Reply::Lost => (timeout_us, None),
            // It was here, and is held back.
            Reply::Waiting => {
                let by_us =
                    self.cues.late.get(&ticket).map_or(timeout_us, |(at, _)| at.0 - self.now().0);
                let late = self.cues.late.remove(&ticket).map(|(_, outcome)| outcome);
                if by_us < timeout_us { (by_us, late) } else { (timeout_us, None) }
            }
        };
        let at = Timestamp(self.now().0.saturating_add(us));
        self.add(at, Planned::Cue(region, Box::new(PlannedCue::Late(number, heard))));
        true
    }

    /// How late the next reply comes.
    fn next_delay_us(&mut self) -> i64 {
        let Some((times, by_us)) = self.cues.delays.front_mut() else { return 0 };
        let by_us = *by_us;
        *times -= 1;
        if *times == 0 {
            self.cues.delays.pop_front();
        }
        by_us
    }

    /// Holds a reply back if it is to come late.
    pub(crate) fn delayed(&mut self, ticket: Ticket, outcome: Outcome) -> Reply {
        let by_us = self.next_delay_us();
        if by_us == 0 {
            return Reply::Here(Box::new(outcome));
        }
        let at = Timestamp(self.now().0.saturating_add(by_us));
        self.cues.late.insert(ticket, (at, Box::new(outcome)));
        // So that somebody who waits for what happens next waits for it.
        self.add(at, Planned::Wait);
        Reply::Waiting
    }

    /// A reply that was held back and has come.
    pub(crate) fn late_reply(&mut self, ticket: Ticket) -> Option<Reply> {
        let (at, _) = self.cues.late.get(&ticket)?;
        if *at > self.now() {
            return Some(Reply::Waiting);
        }
        let (_, outcome) = self.cues.late.remove(&ticket)?;
        Some(Reply::Here(outcome))
    }
}
