//! What the suites share, and what the wasm build runs too.

pub mod spec;
