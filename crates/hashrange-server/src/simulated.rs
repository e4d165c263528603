//! `Simulated`: a scenario that clients ask over HTTP, and its side endpoint.
//!
//! Simulated time follows the machine's clock from the scenario's own beginning, and answers come when they are
//! due. With a manual clock it stands still but for what requests take and what `POST /_hashrange/clock` asks.
//!
//! Invariant: with a manual clock the same requests one after another give the same events.
//!
//! Not here: bytes and headers (`http`), what happens in a run (`hashrange-simulation`).

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hashrange_simulation::{LOST, Reply, Run, Scenario, Ticket};
use hashrange_storage::Store;
use hashrange_types::{ApiError, Request, Response, Timestamp};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::clock;
use crate::endpoint::Fault;

/// Where the side endpoint's paths begin.
pub(crate) const PATH: &str = "/_hashrange/";
/// Most milliseconds that time moves at once: a week.
const ADVANCE_MS_MAX: f64 = 604_800_000.0;
/// Things that happen while others wait for the run.
const BUDGET: usize = 100_000;
/// Longest sleep before time is looked at again, since a person may move it.
const NAP: Duration = Duration::from_millis(50);

/// What moves simulated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulatedClock {
    /// The machine's clock.
    Wall,
    /// Requests and the side endpoint only.
    Manual,
}

/// A scenario that is asked over HTTP.
#[derive(Debug)]
pub(crate) struct Simulated {
    run: Mutex<Paced>,
}

#[derive(Debug)]
struct Paced {
    run: Run,
    /// Microseconds that simulated time is ahead of the machine's; none for a manual clock.
    ahead_us: Option<i64>,
}

/// Reads a scenario from a file.
///
/// # Errors
/// One sentence: the file can't be read, or is no scenario.
pub fn scenario(path: &Path) -> Result<Scenario, String> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| format!("{shown} can't be read: {error}"))?;
    Scenario::from_text(&text).map_err(|error| format!("{shown}: {error}"))
}

impl Paced {
    /// Lets happen what is due by now.
    fn catch_up(&mut self) {
        if let Some(ahead_us) = self.ahead_us {
            let now = Timestamp(clock::now().0.saturating_add(ahead_us));
            while !self.run.run_until(now, BUDGET) {}
        }
    }
}

impl Simulated {
    /// # Errors
    /// One sentence: the scenario asks for what can't be.
    pub(crate) fn new(
        store: Store,
        scenario: &Scenario,
        clock: SimulatedClock,
    ) -> Result<Self, String> {
        let run = Run::new(store, scenario, hashrange_wire::decode);
        let run = run.map_err(|error| format!("the scenario can't be played: {error}"))?;
        let ahead_us = match clock {
            SimulatedClock::Wall => Some(run.now().0 - clock::now().0),
            SimulatedClock::Manual => None,
        };
        Ok(Self { run: Mutex::new(Paced { run, ahead_us }) })
    }

    /// Answers a request: at once with a manual clock, else when its answer is due.
    pub(crate) async fn call(&self, request: Request) -> Result<Result<Response, ApiError>, Fault> {
        let number = {
            let mut paced = self.lock();
            if paced.ahead_us.is_none() {
                let answer = AssertUnwindSafe(|| paced.run.call(request));
                let outcome = catch_unwind(answer).map_err(|_| Fault)?;
                return Ok(outcome.map_or_else(lost, |outcome| outcome.reply));
            }
            let arrive = AssertUnwindSafe(|| {
                paced.catch_up();
                paced.run.submit(request)
            });
            catch_unwind(arrive).map_err(|_| Fault)?
        };
        let _client = Client { simulated: self, number };
        loop {
            let until = {
                let mut paced = self.lock();
                let look = AssertUnwindSafe(|| {
                    paced.catch_up();
                    paced.run.take_reply(number)
                });
                match catch_unwind(look).map_err(|_| Fault)? {
                    Reply::Here(outcome) => return Ok(outcome.reply),
                    Reply::Lost => return Ok(lost()),
                    Reply::Waiting => paced.until_next(),
                }
            };
            sleep(until.min(NAP)).await;
        }
    }

    /// Answers a request of the side endpoint with JSON.
    ///
    /// # Errors
    /// One sentence: there is no such path, or what it takes is wrong.
    pub(crate) fn side(&self, path: &str, body: Option<&[u8]>) -> Result<Value, String> {
        let mut paced = self.lock();
        paced.catch_up();
        match (path.strip_prefix(PATH), body) {
            (Some("clock"), None) => {}
            (Some("clock"), Some(body)) => paced.advance(body)?,
            (Some("events"), None) => return Ok(paced.events()),
            _ => {
                return Err(format!(
                    "there is only GET {PATH}events, GET {PATH}clock and POST {PATH}clock"
                ));
            }
        }
        let cluster = paced.run.cluster();
        Ok(json!({
            "now": format!("{}Z", paced.run.now().to_iso()),
            "is_settled": cluster.is_settled(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Paced> {
        // A panic is caught before it could poison the lock.
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Paced {
    fn until_next(&self) -> Duration {
        let us = self.run.next_at().map_or(0, |at| at.0 - self.run.now().0);
        Duration::from_micros(u64::try_from(us).unwrap_or(0))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a week of microseconds fits 53 bits")]
    fn advance(&mut self, body: &[u8]) -> Result<(), String> {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let ms = body["advance_ms"].as_f64().filter(|ms| (0.0..=ADVANCE_MS_MAX).contains(ms));
        let ms = ms.ok_or_else(|| {
            format!("the clock takes {{\"advance_ms\": n}} with n from 0 to {ADVANCE_MS_MAX}")
        })?;
        let us = (ms * 1_000.0).round() as i64;
        self.ahead_us = self.ahead_us.map(|ahead_us| ahead_us + us);
        let moment = Timestamp(self.run.now().0 + us);
        while !self.run.run_until(moment, BUDGET) {}
        Ok(())
    }

    fn events(&self) -> Value {
        let cluster = self.run.cluster();
        let begins_at = cluster.settings().starts_at;
        let events: Vec<Value> =
            cluster.events().iter().map(|event| event.to_json(begins_at)).collect();
        json!({"dropped": cluster.events().n_dropped(), "events": events})
    }
}

fn lost() -> Result<Response, ApiError> {
    Err(ApiError::exception("InternalServerError", LOST))
}

/// A client that waits for its answer. When it has it, or hangs up, nobody else will ask for it.
struct Client<'s> {
    simulated: &'s Simulated,
    number: Ticket,
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        self.simulated.lock().run.forget(self.number);
    }
}
