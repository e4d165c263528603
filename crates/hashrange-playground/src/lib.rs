//! The headless session: text in, plain view values out; a person's whole session is one value.
//!
//! Not here: drawing (`hashrange-ui`), what requests do (`hashrange-engine`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod view;
