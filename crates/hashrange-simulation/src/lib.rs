//! Time, partitions, replicas and throttling: what a database in one process does not have.
//!
//! [`Cluster`] is the other driver of the engine, beside `hashrange_engine::Database`. It puts admission around
//! `execute` and delay after it; the engine does not know of it.
//!
//! Invariant: one seed and one script give one run, byte for byte, natively and in wasm: time is whole
//! microseconds, chance comes from one generator, and logarithms and exponentials are libm's. Only `plan`,
//! `execute`, `due`, `apply` and `index_changes` decide what data means.
//!
//! Not here: what an operation means (`hashrange-engine`), pictures of a run (`hashrange-playground`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod act_document;
mod admission;
mod arithmetic;
mod bucket;
mod by_number;
mod client;
mod client_document;
mod cluster;
mod cue;
mod dax;
mod document;
mod event;
mod event_document;
mod expectation;
mod few;
mod function_document;
mod heat;
mod histogram;
mod keys;
mod load;
mod metrics;
mod observed;
mod padding;
mod placed_key;
mod placement;
mod plan;
mod program;
mod random;
mod repeated;
mod replica_group;
mod run;
mod samples;
mod scenario;
mod schedule;
mod settings;
mod settings_document;
mod step_document;
mod table_settings;
mod template;
mod throttle;
mod timeline;
mod top_keys;
mod view;
mod workload;
mod workload_document;
mod world;
mod world_document;

pub use bucket::TokenBucket;
pub use client::{ClientSettings, Latency};
pub use cluster::{BucketLevels, Cluster, RequestNumber};
pub use dax::{Dax, DaxSettings};
pub use document::ScenarioError;
pub use event::{DaxResult, DiscardCause, Event, EventKind, EventLog, Place, SplitCause};
pub use expectation::Expectation;
pub use heat::{Heat, Usage};
pub use histogram::Histogram;
pub use keys::KeyDistribution;
pub use load::{Load, Tally};
pub use metrics::{Metric, MinuteMetrics};
pub use observed::Observed;
pub use program::Program;
pub use random::Random;
pub use replica_group::{LEADER, N_REPLICAS};
pub use run::{Decode, LOST, Reply, Run};
pub use scenario::{Act, Cue, Fault, FaultPlace, FunctionText, RequestText, Scenario, Step};
pub use settings::{AutoScaling, EventualReads, Lag, Settings};
pub use table_settings::{Mode, TableSettings};
pub use template::TemplateError;
pub use timeline::{Intervention, Timeline};
pub use top_keys::TopKey;
pub use workload::{Pace, Padded, Phase, Rate, Source, Workload};
pub use world::{
    Function, FunctionKind, FunctionSettings, SearchIndex, Ticket, Via, World, WorldSettings,
};
