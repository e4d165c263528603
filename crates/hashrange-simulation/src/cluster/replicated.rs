//! Writes that come from elsewhere: from another Region's replica of a table.
//!
//! Invariant: such a write is checked, carried out and paid for like a client's. It is never refused: where there is
//! no room for it, or no leader, it comes again.
//!
//! Source: facts 5.5.

use hashrange_engine::{execute, plan};
use hashrange_storage::{ItemChange, Row};
use hashrange_types::operation::{ConsumedCapacity, DeleteItemRequest, PutItemRequest};
use hashrange_types::{CapacityUnits, Item, Request, TableName, TableReference, Timestamp};

use super::{Cluster, RequestNumber};

impl Cluster {
    /// Lets the clock catch up with the others'. Nothing may be due before.
    pub(crate) fn catch_up(&mut self, moment: Timestamp) {
        self.now = self.now.max(moment);
    }

    /// Lets happen what time alone brings.
    pub(crate) fn settle(&mut self) {
        self.live();
    }

    /// Keeps what is committed from now on, for [`take_committed`](Self::take_committed).
    pub(crate) fn keep_committed(&mut self) {
        self.committed = Some(Vec::new());
    }

    /// Item changes committed since they were last taken, in order.
    pub(crate) fn take_committed(&mut self) -> Vec<ItemChange> {
        self.committed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// True while a request has had no effect yet.
    pub(crate) fn is_open(&self, number: RequestNumber) -> bool {
        self.open.get(number.0).is_some()
    }

    /// Puts a whole item, or deletes the one with this key; returns the units consumed. None if it may
    /// be delayed and can't be done now; what may not be delayed leaves its units owed.
    pub(crate) fn write_replicated(
        &mut self,
        table: &TableName,
        key: Item,
        row: Option<Row>,
        may_be_delayed: bool,
    ) -> Option<CapacityUnits> {
        let Ok(plan) = plan(&self.store, request(table, key, row)) else {
            // The table is not there, or no longer.
            return Some(CapacityUnits::ZERO);
        };
        let targets = plan.targets();
        let ways = self.ways(&targets);
        if may_be_delayed {
            self.find_leaders(&plan, &targets, &ways).ok()?;
        }
        let outcome = execute(&self.store, &plan, self.now);
        if !self.has_taken_in(&targets, &ways, &outcome, may_be_delayed) {
            return None;
        }
        self.commit(&outcome);
        self.keep_up();
        Some(outcome.consumed.iter().map(ConsumedCapacity::total).sum())
    }
}

fn request(table: &TableName, key: Item, row: Option<Row>) -> Request {
    let table = TableReference::by_name(table.clone());
    match row {
        Some(row) => Request::PutItem(PutItemRequest::new(table, row.item.clone())),
        None => Request::DeleteItem(DeleteItemRequest::new(table, key)),
    }
}
