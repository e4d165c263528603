//! How a command fails: one sentence for the person who ran it.
//!
//! Invariant: the text says what is wrong and, where we know it, what to do next.

use std::fmt;
use std::io;
use std::path::Path;

/// The reason a command stopped, as the one sentence that is printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure(String);

/// What every command returns.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A failure that prints `sentence`.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// A file could not be read, written or copied: `what` was meant to be done to `path`.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Self(format!("could not {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<xshell::Error> for Failure {
    fn from(error: xshell::Error) -> Self {
        Self(error.to_string())
    }
}
