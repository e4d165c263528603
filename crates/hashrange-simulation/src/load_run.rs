//! `LoadRun`: a cluster and the loads on it, in one time.
//!
//! Invariant: at one moment the cluster's own events come before the loads': what arrives then is seen.

use hashrange_types::Timestamp;

use crate::cluster::Cluster;
use crate::load::Load;
use crate::template::TemplateError;
use crate::workload::Workload;

/// A cluster under load. Clone it for a snapshot.
#[derive(Debug, Clone)]
pub struct LoadRun {
    /// The cluster. Requests of others may be sent to it at any time.
    pub cluster: Cluster,
    loads: Vec<Load>,
    n_steps: u64,
}

impl LoadRun {
    /// A cluster that nothing is asked of yet.
    pub const fn new(cluster: Cluster) -> Self {
        Self { cluster, loads: Vec::new(), n_steps: 0 }
    }

    /// Begins a workload now, beside those under way.
    ///
    /// # Errors
    /// A template has a slot that does not exist.
    pub fn begin(&mut self, workload: &Workload) -> Result<(), TemplateError> {
        self.loads.push(Load::new(workload, self.cluster.now())?);
        Ok(())
    }

    /// The loads begun, in their order.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// Things that happened so far.
    pub const fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// When the next thing happens.
    pub fn next_at(&self) -> Option<Timestamp> {
        let loads = self.loads.iter().filter_map(Load::next_at).min();
        match (self.cluster.next_at(), loads) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Lets the next thing happen, whenever that is. False if nothing does.
    pub fn step(&mut self) -> bool {
        let Some(at) = self.next_at() else { return false };
        self.n_steps += 1;
        if self.cluster.next_at() == Some(at) {
            self.cluster.step();
            if self.cluster.answered().is_some() {
                self.loads.iter_mut().for_each(|load| load.hear(&mut self.cluster));
            }
            return true;
        }
        self.cluster.run_until(at, 1);
        let due = self.loads.iter_mut().find(|load| load.next_at() == Some(at));
        if let Some(load) = due {
            load.step(&mut self.cluster);
        }
        true
    }

    /// Lets time pass until `moment`, or until `budget` things happened. True if the moment was reached.
    pub fn run_until(&mut self, moment: Timestamp, budget: usize) -> bool {
        for _ in 0..budget {
            match self.next_at() {
                Some(at) if at <= moment => self.step(),
                _ => return self.cluster.run_until(moment, 1),
            };
        }
        false
    }
}
