//! `Database`: the driver that plans, executes and applies, all at once.
//!
//! How long changes of tables take stands in the store (`Delays`): none in a default database, where a table
//! is ready in the reply that makes it.

use hashrange_storage::{Change, Delays, Store};
use hashrange_types::{Request, Timestamp};

use crate::due::due;
use crate::outcome::Outcome;
use crate::plan::{execute, plan};

/// Most items that expire before one request.
const EXPIRIES_MAX: usize = 1_000;

/// A store whose changes take effect at once: no lag, no limits, no faults.
#[derive(Debug, Clone, Default)]
pub struct Database {
    store: Store,
}

impl Database {
    /// A database that starts from this store.
    pub const fn from_store(store: Store) -> Self {
        Self { store }
    }

    /// An empty database in which changes of tables take this long.
    pub fn with_delays(delays: Delays) -> Self {
        Self::from_store(Store::with_delays(delays))
    }

    /// The store as it is now. Clone it for a snapshot; that costs next to nothing.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Lets happen what is due at `now`, and returns it.
    pub fn advance(&mut self, now: Timestamp) -> Vec<Change> {
        let changes = due(&self.store, now, EXPIRIES_MAX);
        for change in &changes {
            self.store.apply(change);
        }
        changes
    }

    /// Answers a request and applies what follows from it, after what is due.
    pub fn call(&mut self, request: Request, now: Timestamp) -> Outcome {
        self.advance(now);
        let outcome = match plan(&self.store, request) {
            Ok(plan) => execute(&self.store, &plan, now),
            Err(error) => Outcome::free(Err(error)),
        };
        for change in &outcome.changes {
            self.store.apply(change);
        }
        for entry in &outcome.index_entries {
            self.store.apply(&Change::IndexEntry(entry.clone()));
        }
        outcome
    }
}
