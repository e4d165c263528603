//! The pages of `tests/spec`, as they were when this was built.

/// Each page's name, without its ending, and its text; in the order of names.
pub const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));
