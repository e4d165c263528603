//! `Database`: the driver that plans, executes and applies, all at once.

use hashrange_storage::{Change, Store};
use hashrange_types::{Request, Timestamp};

use crate::outcome::Outcome;
use crate::plan::{execute, plan};

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

    /// The store as it is now. Clone it for a snapshot; that costs next to nothing.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Answers a request and applies what follows from it.
    pub fn call(&mut self, request: Request, now: Timestamp) -> Outcome {
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
