//! Writes and transactions that are stopped in the middle of their commit, and go on when somebody says so.
//!
//! A single write is stopped before a quorum has it. A transaction is stopped when the first of its items is
//! written and the others are not: it has been decided, so whoever reads item by item meets both halves, and
//! whoever insists on one moment meets its conflict.
//!
//! Invariant: what was decided is carried out as it was decided; nothing else writes to the items meanwhile.
//!
//! Source: facts 5.3.

use hashrange_engine::Outcome;
use hashrange_storage::Change;
use hashrange_types::Operation;

use super::{Cluster, RequestNumber};

/// What is stopped, and whether more will be.
#[derive(Debug, Clone, Default)]
pub(super) struct Pauses {
    is_armed: bool,
    stopped: Vec<Stopped>,
}

#[derive(Debug, Clone)]
struct Stopped {
    number: RequestNumber,
    /// What a transaction decided and has not carried out; none for a single write.
    rest: Option<(Operation, Box<Outcome>)>,
}

impl Pauses {
    /// True if the next write or transaction will be stopped.
    pub(super) const fn is_armed(&self) -> bool {
        self.is_armed
    }
}

impl Cluster {
    /// Stops the next write or transaction in the middle of its commit, until [`resume`](Self::resume).
    pub fn pause_commit(&mut self) {
        self.pauses.is_armed = true;
    }

    /// Lets everything that was stopped go on, and stops no more.
    pub fn resume(&mut self) {
        self.pauses.is_armed = false;
        for Stopped { number, rest } in std::mem::take(&mut self.pauses.stopped) {
            let Some((operation, outcome)) = rest else {
                self.finish(number);
                continue;
            };
            self.live();
            self.holds.release(number);
            for change in &outcome.changes {
                self.commit_change(self.as_it_is(change));
            }
            self.commit_entries(&outcome);
            self.answer(number, operation, outcome);
        }
        self.keep_up();
    }

    /// Stops this request if it is one to stop. True if it was.
    pub(super) fn stop(&mut self, number: RequestNumber) -> bool {
        let Some(request) = self.open.get(number.0) else { return false };
        let operation = request.operation();
        let is_transaction = super::serve::is_transaction(operation);
        if !self.pauses.is_armed || !(is_transaction || super::serve::is_item_write(operation)) {
            return false;
        }
        self.pauses.is_armed = false;
        let rest = is_transaction.then(|| self.begin_commit(number)).flatten();
        if is_transaction && rest.is_none() {
            // It was refused, and answered: the next one is stopped.
            self.pauses.is_armed = true;
            return true;
        }
        self.pauses.stopped.push(Stopped { number, rest });
        true
    }

    /// Decides a transaction and writes the first of its items; none if there is nothing to write, and then it
    /// is answered.
    fn begin_commit(&mut self, number: RequestNumber) -> Option<(Operation, Box<Outcome>)> {
        let request = self.open.remove(number.0)?;
        let operation = request.operation();
        self.live();
        let held = self.holds.release(number);
        let mut outcome = self.decide(number, request);
        let first = outcome.changes.iter().position(|change| matches!(change, Change::Item(_)));
        let (Some(first), Some((items, token))) = (first, held) else {
            self.commit(&outcome);
            self.answer(number, operation, outcome);
            return None;
        };
        let change = outcome.changes.remove(first);
        self.commit_change(change);
        self.holds.take(number, items, token);
        Some((operation, outcome))
    }

    /// A change from what is there now: an item may have expired, or its table may be gone.
    fn as_it_is(&self, change: &Change) -> Change {
        let mut change = change.clone();
        if let Change::Item(item) = &mut change {
            let table = self.store.table(item.table.as_str());
            item.before = table.and_then(|table| table.get(&item.key)).cloned();
        }
        change
    }
}
