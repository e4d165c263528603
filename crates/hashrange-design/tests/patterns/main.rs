//! Access patterns as tests, suggestions, template checks and lint, on designs with sample items.
#![expect(clippy::unwrap_used, reason = "what a test builds is right or the test fails")]

mod form;
mod lint;
mod odd;
mod pattern;
mod sample;
mod suggest;
