//! Access patterns as tests: each runs on the sample items and says how it was served, what it cost and why.
//!
//! Invariant: a result is derived from the pattern, the design's entities and a snapshot of the store, and from
//! nothing else; running a pattern changes no store. Units and refusals are the engine's own.
//!
//! Not here: what would serve a pattern better ([`crate::suggest`]), prices.

pub mod arrange;
mod change;
mod expect;
pub mod form;
mod form_of;
mod heat;
mod markdown;
mod result;
mod run;
mod shape;
mod suite;

pub use change::{PatternChange, changes};
pub use expect::TestResult;
pub use form::{PatternForm, keep_as_pattern};
pub use heat::Heat;
pub use markdown::to_markdown;
pub use result::{PatternPage, PatternResult, PatternStatus, Served, UnitsOf};
pub use shape::PatternShape;
pub use suite::{PatternProgress, PatternSuite};
