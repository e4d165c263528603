//! What answers an engine's requests: a database at the page's time, or a run in simulated time.
//!
//! Not here: the run (`simulated`), which the module without the simulator does not have.

use hashrange_engine::Database;
#[cfg(feature = "simulation")]
use hashrange_simulation::Run;
use hashrange_storage::Store;
use hashrange_types::{ApiError, Request, Response, Timestamp};

use crate::options::Options;
#[cfg(feature = "simulation")]
use crate::simulated;

/// What answers requests.
#[derive(Debug)]
pub(crate) enum Driver {
    Database(Database),
    #[cfg(feature = "simulation")]
    Run(Box<Run>),
}

impl Driver {
    /// # Errors
    /// The sentence that says what is wrong with the scenario.
    pub(crate) fn new(options: &Options) -> Result<Self, String> {
        let store = Store::with_delays(options.delays).in_region(options.voice.region.clone());
        match &options.scenario {
            None => Ok(Self::Database(Database::from_store(store))),
            #[cfg(feature = "simulation")]
            Some(text) => simulated::begin(text, store).map(|run| Self::Run(Box::new(run))),
            #[cfg(not(feature = "simulation"))]
            Some(_) => {
                Err("this module has no simulator: createEngine loads the one that has".to_owned())
            }
        }
    }

    pub(crate) fn call(&mut self, request: Request) -> Result<Response, ApiError> {
        match self {
            Self::Database(database) => database.call(request, page_clock()).reply,
            #[cfg(feature = "simulation")]
            Self::Run(run) => simulated::call(run, request),
        }
    }
}

/// The page's clock, to the millisecond.
#[expect(clippy::cast_possible_truncation, reason = "milliseconds of this era fit 53 bits")]
fn page_clock() -> Timestamp {
    Timestamp::from_millis(js_sys::Date::now() as i64)
}
