//! `Schedule`: what is due, in the order of time.
//!
//! Invariant: of two things due at one moment, the one scheduled first comes first.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use hashrange_types::Timestamp;

/// Things due at moments.
#[derive(Debug, Clone)]
pub(crate) struct Schedule<T> {
    entries: BinaryHeap<Reverse<Entry<T>>>,
    n_scheduled: u64,
}

#[derive(Debug, Clone)]
struct Entry<T> {
    at: Timestamp,
    number: u64,
    due: T,
}

impl<T> Entry<T> {
    const fn rank(&self) -> (Timestamp, u64) {
        (self.at, self.number)
    }
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl<T> Default for Schedule<T> {
    fn default() -> Self {
        Self { entries: BinaryHeap::new(), n_scheduled: 0 }
    }
}

impl<T> Schedule<T> {
    /// Makes `due` due at `at`.
    pub(crate) fn add(&mut self, at: Timestamp, due: T) {
        self.entries.push(Reverse(Entry { at, number: self.n_scheduled, due }));
        self.n_scheduled += 1;
    }

    /// When the next thing is due.
    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        self.entries.peek().map(|Reverse(entry)| entry.at)
    }

    /// Takes the next thing that is due at `now` or before.
    pub(crate) fn pop(&mut self, now: Timestamp) -> Option<(Timestamp, T)> {
        if self.next_at()? > now {
            return None;
        }
        self.entries.pop().map(|Reverse(entry)| (entry.at, entry.due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_come_in_the_order_of_time_and_then_of_scheduling() {
        let mut schedule = Schedule::default();
        schedule.add(Timestamp(2), "c");
        schedule.add(Timestamp(1), "a");
        schedule.add(Timestamp(2), "d");
        schedule.add(Timestamp(1), "b");
        assert_eq!(schedule.pop(Timestamp(0)), None);
        let order: Vec<_> =
            std::iter::from_fn(|| schedule.pop(Timestamp(2)).map(|(_, due)| due)).collect();
        assert_eq!(order, ["a", "b", "c", "d"]);
    }
}
