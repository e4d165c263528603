//! The HTTP door: the DynamoDB endpoint that SDKs, command lines and test suites talk to.
//!
//! Invariant: what a request means is the engine's and how it is spelled is the wire's; here are bytes,
//! headers, connections and files. Time is read in `clock` alone.
//!
//! Not here: the command line (`hashrange-cli`), and what a design or a model means (`hashrange-design`).

mod authentication;
mod body;
mod clock;
mod database_file;
mod endpoint;
mod http;
mod origin;
mod request_id;
mod saved;
#[cfg(test)]
mod saved_laws;
mod seed;
mod serve;
mod simulated;

pub use database_file::{DatabaseFile, FileError};
pub use endpoint::{Endpoint, Settings};
pub use hashrange_simulation::{Scenario, ScenarioError};
pub use hashrange_storage::{Delays, Store};
pub use hashrange_types::{Voice, Wording};
pub use http::answer;
pub use origin::{Origins, UnreadableOrigin};
pub use seed::{Seed, SeedError, seed};
pub use serve::serve;
pub use simulated::{SimulatedClock, scenario};
