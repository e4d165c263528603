//! `Endpoint`: one database that many connections ask at once.
//!
//! Invariant: requests take effect one after another. A request that panics changes nothing, because the
//! database changes itself only after a request was answered.
//!
//! Not here: bytes and headers (`http`), files (`saved`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashrange_engine::{Database, Delays};
use hashrange_simulation::Scenario;
use hashrange_storage::Store;
use hashrange_types::{ApiError, Request, Response, Voice};

use crate::clock;
use crate::origin::Origins;
use crate::request_id::RequestIds;
use crate::simulated::{Simulated, SimulatedClock};

/// How an endpoint presents itself. By default it has the default voice, talks to no pages and has no delays.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The Region that ARNs, messages and the health text name, and the wording of the messages.
    pub voice: Voice,
    /// The web pages that may talk to it.
    pub origins: Origins,
    /// How long changes of tables take.
    pub delays: Delays,
}

/// A database that is asked over HTTP.
#[derive(Debug)]
pub struct Endpoint {
    state: Mutex<State>,
    /// Answers in place of the database.
    pub(crate) simulated: Option<Simulated>,
    pub(crate) settings: Settings,
    pub(crate) request_ids: RequestIds,
}

#[derive(Debug)]
struct State {
    database: Database,
    /// Requests so far that changed something.
    n_changes: u64,
}

/// A request could not be answered through no fault of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault;

impl Endpoint {
    /// An endpoint over what the store holds.
    pub fn new(store: Store, settings: Settings) -> Self {
        let store = store.delayed(settings.delays).in_region(settings.voice.region.clone());
        let database = Database::from_store(store);
        let state = State { database, n_changes: 0 };
        let request_ids = RequestIds::new();
        Self { state: Mutex::new(state), simulated: None, settings, request_ids }
    }

    /// An endpoint that plays a scenario over what the store holds.
    ///
    /// # Errors
    /// One sentence: the scenario asks for what can't be.
    pub fn simulated(
        store: Store,
        settings: Settings,
        scenario: &Scenario,
        clock: SimulatedClock,
    ) -> Result<Self, String> {
        let store = store.delayed(settings.delays).in_region(settings.voice.region.clone());
        let simulated = Some(Simulated::new(store, scenario, clock)?);
        Ok(Self { simulated, ..Self::new(Store::default(), settings) })
    }

    /// Answers a request: now, or in a scenario when its answer is due.
    pub(crate) async fn call(&self, request: Request) -> Result<Result<Response, ApiError>, Fault> {
        match &self.simulated {
            None => self.call_database(request),
            Some(simulated) => simulated.call(request).await,
        }
    }

    fn call_database(&self, request: Request) -> Result<Result<Response, ApiError>, Fault> {
        let mut state = self.state();
        let State { database, n_changes } = &mut *state;
        let now = clock::now();
        let answer = || (database.advance(now), database.call(request, now));
        let (due, outcome) = catch_unwind(AssertUnwindSafe(answer)).map_err(|_| Fault)?;
        if !due.is_empty() || !outcome.changes.is_empty() || !outcome.index_entries.is_empty() {
            *n_changes += 1;
        }
        Ok(outcome.reply)
    }

    /// The store as it is now, and how many requests have changed it.
    pub fn snapshot(&self) -> (Store, u64) {
        let state = self.state();
        (state.database.store().clone(), state.n_changes)
    }

    /// How many requests have changed the store.
    pub fn n_changes(&self) -> u64 {
        self.state().n_changes
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic is caught before it could poison the lock; were it not, the store would still be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
