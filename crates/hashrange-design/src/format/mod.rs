//! Foreign formats, one folder or file each.
//!
//! Invariant: an import never fails for a detail; it repairs and says so, or refuses the file in one sentence.

pub mod workbench;
