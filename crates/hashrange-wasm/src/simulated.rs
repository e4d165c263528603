//! Simulated time: what an engine that was made with `simulate` can do besides.
//!
//! Invariant: a run's time moves by what its requests take and by `advance`, never with the page's clock.
//!
//! Not here: what happens in a run (`hashrange-simulation`).

use hashrange_simulation::{LOST, Run, Scenario};
use hashrange_storage::Store;
use hashrange_types::{ApiError, Request, Response, Timestamp};
use js_sys::{Array, JSON};
use wasm_bindgen::prelude::*;

use crate::driver::Driver;
use crate::{Engine, type_error};

/// Most milliseconds that time moves at once: a week.
const ADVANCE_MS_MAX: f64 = 604_800_000.0;
/// Things that happen between two looks at whether the moment is reached.
const BUDGET: usize = 1_000_000;

/// Begins a scenario.
///
/// # Errors
/// The sentence that says what is wrong with it.
pub(crate) fn begin(scenario: &str, store: Store) -> Result<Run, String> {
    let begun = Scenario::from_text(scenario)
        .and_then(|scenario| Run::new(store, &scenario, hashrange_wire::decode));
    begun.map_err(|error| format!("simulate: {error}"))
}

pub(crate) fn call(run: &mut Run, request: Request) -> Result<Response, ApiError> {
    let lost = || Err(ApiError::exception("InternalServerError", LOST));
    run.call(request).map_or_else(lost, |outcome| outcome.reply)
}

#[wasm_bindgen]
impl Engine {
    /// The simulated moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// Throws a `TypeError` for an engine without simulated time.
    #[wasm_bindgen(getter)]
    #[expect(clippy::cast_precision_loss, reason = "microseconds of this era fit 53 bits")]
    pub fn now(&self) -> Result<f64, JsValue> {
        self.with_run(|run| Ok(run.now().0 as f64 / 1_000.0))
    }

    /// Lets simulated time pass, and whatever is due in it happen.
    ///
    /// # Errors
    /// Throws a `TypeError` for an engine without simulated time, and for less than none or more than a week.
    #[expect(clippy::cast_possible_truncation, reason = "a week of microseconds fits 53 bits")]
    pub fn advance(&self, ms: f64) -> Result<(), JsValue> {
        self.with_run(|run| {
            if !(0.0..=ADVANCE_MS_MAX).contains(&ms) {
                let sentence =
                    format!("advance takes milliseconds from 0 to {ADVANCE_MS_MAX}, not {ms}");
                return Err(type_error(&sentence));
            }
            let moment = Timestamp(run.now().0 + (ms * 1_000.0).round() as i64);
            while !run.run_until(moment, BUDGET) {}
            Ok(())
        })
    }

    /// The newest 10,000 things that happened in simulated time, oldest first.
    ///
    /// # Errors
    /// Throws a `TypeError` for an engine without simulated time.
    #[wasm_bindgen(unchecked_return_type = "SimulationEvent[]")]
    pub fn events(&self) -> Result<Array, JsValue> {
        self.with_run(|run| {
            let begins_at = run.cluster().settings().starts_at;
            let objects = run.cluster().events().iter().map(|event| {
                JSON::parse(&event.to_json(begins_at).to_string()).unwrap_or_default()
            });
            Ok(objects.collect())
        })
    }
}

impl Engine {
    fn with_run<T>(&self, act: impl FnOnce(&mut Run) -> Result<T, JsValue>) -> Result<T, JsValue> {
        match &mut *self.driver.borrow_mut() {
            Driver::Run(run) => act(run),
            Driver::Database(_) => {
                let sentence = "this engine has no simulated time: make it with { simulate: {} }";
                Err(type_error(sentence))
            }
        }
    }
}
