//! `Timeline`: a run that can be looked at as it was at any moment, and taken up from there.
//!
//! Invariant: a replay does what the run did: from the snapshot before, with the same acts after the same number
//! of steps. Snapshots and acts are bounded in number; where acts are forgotten, so are the moments before.

use std::collections::VecDeque;

use hashrange_types::{EncodedKey, Request, Timestamp};

use crate::cluster::RequestNumber;
use crate::load_run::LoadRun;
use crate::template::TemplateError;
use crate::workload::Workload;

/// Snapshots that are kept; of more, every other goes, and they are taken half as often.
const SNAPSHOTS_MAX: usize = 512;
/// Acts that are kept.
const ACTS_MAX: usize = 10_000;

/// What somebody does to a run from outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Intervention {
    /// Sends a request.
    Send(Box<Request>),
    /// Begins a workload.
    Begin(Box<Workload>),
    /// A replica of a partition fails.
    Fail(u32, u8),
    /// A replica of a partition is cut off.
    CutOff(u32, u8),
    /// A replica of a partition works again.
    Restore(u32, u8),
    /// A partition is divided at a key.
    Divide(u32, EncodedKey),
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
    run: LoadRun,
    /// Number of the first act that came after.
    next_act: u64,
}

/// A run with its past.
#[derive(Debug, Clone)]
pub struct Timeline {
    run: LoadRun,
    snapshots: Vec<Snapshot>,
    every_us: i64,
    acts: VecDeque<Done>,
    n_acts: u64,
}

impl Timeline {
    /// The past of a run from now on, with a snapshot every `every_us` microseconds until there are too many.
    pub fn new(run: LoadRun, every_us: i64) -> Self {
        let snapshots = vec![Snapshot { run: run.clone(), next_act: 0 }];
        Self { run, snapshots, every_us: every_us.max(1), acts: VecDeque::new(), n_acts: 0 }
    }

    /// The run as it is now.
    pub const fn run(&self) -> &LoadRun {
        &self.run
    }

    /// The earliest moment there is.
    pub fn begins_at(&self) -> Timestamp {
        self.snapshots.first().map_or(self.run.cluster.now(), |first| first.run.cluster.now())
    }

    /// Snapshots kept.
    pub fn n_snapshots(&self) -> usize {
        self.snapshots.len()
    }

    /// Does something now; the number of the request, if that is what it is.
    ///
    /// # Errors
    /// A template has a slot that does not exist.
    pub fn act(&mut self, act: Intervention) -> Result<Option<RequestNumber>, TemplateError> {
        let number = perform(&mut self.run, &act)?;
        self.n_acts += 1;
        let (n_steps, at) = (self.run.n_steps(), self.run.cluster.now());
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

    /// Takes the outcome of a request, if it has reached its client.
    pub fn take_reply(&mut self, number: RequestNumber) -> Option<hashrange_engine::Outcome> {
        self.run.cluster.take_reply(number)
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        let end = self.run.n_steps().saturating_add(budget as u64);
        loop {
            let newest = self.snapshots.last().map_or(moment, |last| last.run.cluster.now());
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
    pub fn at(&self, moment: Timestamp) -> LoadRun {
        if moment >= self.run.cluster.now() {
            return self.run.clone();
        }
        self.replayed(moment).0
    }

    /// The run at `moment`, and how many acts had been done.
    fn replayed(&self, moment: Timestamp) -> (LoadRun, u64) {
        let after = self.snapshots.partition_point(|snapshot| snapshot.run.cluster.now() <= moment);
        let Some(snapshot) = self.snapshots.get(after.saturating_sub(1)) else {
            return (self.run.clone(), self.n_acts);
        };
        let (mut run, mut next_act) = (snapshot.run.clone(), snapshot.next_act);
        let first = self.acts.partition_point(|done| done.number < next_act);
        for done in self.acts.iter().skip(first).take_while(|done| done.at <= moment) {
            while run.n_steps() < done.n_steps && run.step() {}
            // Where the clock stands between two steps, nothing was due.
            if run.cluster.now() < done.at {
                run.cluster.run_until(done.at, 1);
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
        if moment >= self.run.cluster.now() {
            return self.clone();
        }
        let (run, n_acts) = self.replayed(moment);
        let now = run.cluster.now();
        let before = |snapshot: &&Snapshot| snapshot.run.cluster.now() <= now;
        let mut snapshots: Vec<_> = self.snapshots.iter().filter(before).cloned().collect();
        if snapshots.is_empty() {
            snapshots.push(Snapshot { run: run.clone(), next_act: n_acts });
        }
        let acts = self.acts.iter().filter(|done| done.number < n_acts).cloned().collect();
        Self { run, snapshots, every_us: self.every_us, acts, n_acts }
    }
}

fn perform(run: &mut LoadRun, act: &Intervention) -> Result<Option<RequestNumber>, TemplateError> {
    let cluster = &mut run.cluster;
    match act {
        Intervention::Send(request) => return Ok(Some(cluster.submit(request.as_ref().clone()))),
        Intervention::Begin(workload) => run.begin(workload)?,
        Intervention::Fail(partition, replica) => cluster.fail(*partition, *replica),
        Intervention::CutOff(partition, replica) => cluster.cut_off(*partition, *replica),
        Intervention::Restore(partition, replica) => cluster.restore(*partition, *replica),
        Intervention::Divide(partition, at) => {
            cluster.divide(*partition, at, crate::SplitCause::Demand);
        }
    }
    Ok(None)
}
