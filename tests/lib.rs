//! What the suites share, and what the wasm build runs too.

pub mod pages;
pub mod random;
pub mod spec;
pub mod world;
