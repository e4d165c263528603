//! `Few`: some things, of which there mostly is one, without a place of its own in memory for that.

use std::ops::Deref;

/// Some things.
#[derive(Debug)]
pub(crate) enum Few<T> {
    /// One.
    One([T; 1]),
    /// None, or many.
    Many(Vec<T>),
}

impl<T> Deref for Few<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => one,
            Self::Many(many) => many,
        }
    }
}
