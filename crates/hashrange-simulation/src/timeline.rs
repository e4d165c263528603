//! `Timeline`: a run that can be looked at as it was at any moment, and taken up from there.
//!
//! Invariant: a replay does what the run did: from the snapshot before, with the same acts after the same number
//! of steps. Snapshots and acts are bounded in number; where acts are forgotten, so are the moments before.

use std::collections::VecDeque;

use hashrange_types::{Request, Timestamp};
use smol_str::SmolStr;

use crate::document::ScenarioError;
use crate::run::{Reply, Run};
use crate::scenario::Act;
use crate::workload::Workload;
use crate::world::{Ticket, Via};

/// Snapshots that are kept; of more, every other goes, and they are taken half as often.
const SNAPSHOTS_MAX: usize = 512;
/// Acts that are kept.
const ACTS_MAX: usize = 10_000;

/// What somebody does to a run from outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Intervention {
    /// Sends a request to a Region, by its position, on this way.
    Send(usize, Via, Box<Request>),
    /// Begins a workload.
    Begin(Box<Workload>),
    /// Whatever a step of a scenario may do, in a Region or the first.
    Act(Option<SmolStr>, Box<Act>),
}

#[derive(Debug, Clone)]
struct Done {
    number: u64,
    n_steps: u64,
    at: Timestamp,
    act: Intervention,
}

#[derive(Debug, Clone)]
struct Snapshot {
    run: Run,
    /// Number of the first act that came after.
    next_act: u64,
}

/// A run with its past.
#[derive(Debug, Clone)]
pub struct Timeline {
    run: Run,
    snapshots: Vec<Snapshot>,
    every_us: i64,
    acts: VecDeque<Done>,
    n_acts: u64,
}

impl Timeline {
    /// The past of a run from now on, with a snapshot every `every_us` microseconds until there are too many.
    pub fn new(run: Run, every_us: i64) -> Self {
        let snapshots = vec![Snapshot { run: run.clone(), next_act: 0 }];
        Self { run, snapshots, every_us: every_us.max(1), acts: VecDeque::new(), n_acts: 0 }
    }

    /// The run as it is now.
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// The earliest moment there is.
    pub fn begins_at(&self) -> Timestamp {
        self.snapshots.first().map_or(self.run.now(), |first| first.run.now())
    }

    /// Snapshots kept.
    pub fn n_snapshots(&self) -> usize {
        self.snapshots.len()
    }

    /// Does something now; the ticket of the request, if that is what it is.
    ///
    /// # Errors
    /// A template has a slot that does not exist, or what a step says can't be done.
    pub fn act(&mut self, act: Intervention) -> Result<Option<Ticket>, ScenarioError> {
        let number = perform(&mut self.run, &act)?;
        self.n_acts += 1;
        let (n_steps, at) = (self.run.n_steps(), self.run.now());
        self.acts.push_back(Done { number: self.n_acts - 1, n_steps, at, act });
        if self.acts.len() > ACTS_MAX {
            self.forget();
        }
        Ok(number)
    }

    /// Drops the older half of the acts, and the snapshots that need them.
    fn forget(&mut self) {
        self.acts.drain(..ACTS_MAX / 2);
        let first = self.acts.front().map_or(self.n_acts, |done| done.number);
        self.snapshots.retain(|snapshot| snapshot.next_act >= first);
        if self.snapshots.is_empty() {
            self.snapshot();
        }
    }

    /// Takes a request's reply, if it has reached the client.
    pub fn take_reply(&mut self, ticket: Ticket) -> Reply {
        self.run.take_reply(ticket)
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        let end = self.run.n_steps().saturating_add(budget as u64);
        loop {
            let newest = self.snapshots.last().map_or(moment, |last| last.run.now());
            let next = Timestamp(newest.0.saturating_add(self.every_us)).min(moment);
            let left = usize::try_from(end - self.run.n_steps()).unwrap_or(usize::MAX);
            if !self.run.run_until(next, left) {
                return false;
            }
            if next == moment {
                return true;
            }
            self.snapshot();
        }
    }

    fn snapshot(&mut self) {
        if self.snapshots.len() >= SNAPSHOTS_MAX {
            let mut position = 0;
            self.snapshots.retain(|_| {
                position += 1;
                position % 2 == 1
            });
            self.every_us = self.every_us.saturating_mul(2);
        }
        self.snapshots.push(Snapshot { run: self.run.clone(), next_act: self.n_acts });
    }

    /// The run as it was at `moment`: after all that happened then. The earliest there is for a moment before
    /// it, and the run itself for one that has not come.
    pub fn at(&self, moment: Timestamp) -> Run {
        if moment >= self.run.now() {
            return self.run.clone();
        }
        self.replayed(moment).0
    }

    /// The run at `moment`, and how many acts had been done.
    fn replayed(&self, moment: Timestamp) -> (Run, u64) {
        let after = self.snapshots.partition_point(|snapshot| snapshot.run.now() <= moment);
        let Some(snapshot) = self.snapshots.get(after.saturating_sub(1)) else {
            return (self.run.clone(), self.n_acts);
        };
        let (mut run, mut next_act) = (snapshot.run.clone(), snapshot.next_act);
        let first = self.acts.partition_point(|done| done.number < next_act);
        for done in self.acts.iter().skip(first).take_while(|done| done.at <= moment) {
            while run.n_steps() < done.n_steps && run.step(Timestamp(i64::MAX)) {}
            // Where the clock stands between two steps, nothing was due.
            if run.now() < done.at {
                run.run_until(done.at, 1);
            }
            perform(&mut run, &done.act).expect("the act was done before");
            next_act = done.number + 1;
        }
        while !run.run_until(moment, usize::MAX) {}
        (run, next_act)
    }

    /// Another timeline that shares this one's past up to `moment` and goes on from there.
    #[must_use]
    pub fn fork(&self, moment: Timestamp) -> Self {
        if moment >= self.run.now() {
            return self.clone();
        }
        let (run, n_acts) = self.replayed(moment);
        let now = run.now();
        let before = |snapshot: &&Snapshot| snapshot.run.now() <= now;
        let mut snapshots: Vec<_> = self.snapshots.iter().filter(before).cloned().collect();
        if snapshots.is_empty() {
            snapshots.push(Snapshot { run: run.clone(), next_act: n_acts });
        }
        let acts = self.acts.iter().filter(|done| done.number < n_acts).cloned().collect();
        Self { run, snapshots, every_us: self.every_us, acts, n_acts }
    }
}

fn perform(run: &mut Run, act: &Intervention) -> Result<Option<Ticket>, ScenarioError> {
    match act {
        Intervention::Send(region, via, request) => {
            return Ok(Some(run.send(*region, *via, request.as_ref().clone())));
        }
        Intervention::Begin(workload) => {
            run.begin(workload).map_err(|error| ScenarioError(error.to_string()))?;
        }
        Intervention::Act(region, act) => run.act(region.as_deref(), act)?,
    }
    Ok(None)
}
