//! See `crates/README.md`.
