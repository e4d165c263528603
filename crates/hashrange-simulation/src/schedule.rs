//! `Schedule`: what is due, in the order of time.
//!
//! Invariant: of two things due at one moment, the one scheduled first comes first.

use std::cmp::{Ordering, Reverse};
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};

use hashrange_types::Timestamp;

/// Things that are kept sorted, because they are due before all others: many are due at once.
const SOON_MAX: usize = 8;

/// Things due at moments.
#[derive(Debug, Clone)]
pub(crate) struct Schedule<T> {
    /// Some of the first, in order. The next thing is the first of these or of `later`.
    soon: VecDeque<Entry<T>>,
    later: BinaryHeap<Reverse<Entry<T>>>,
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
        Self { soon: VecDeque::new(), later: BinaryHeap::new(), n_scheduled: 0 }
    }
}

impl<T> Schedule<T> {
    /// Makes `due` due at `at`.
    pub(crate) fn add(&mut self, at: Timestamp, due: T) {
        let entry = Entry { at, number: self.n_scheduled, due };
        self.n_scheduled += 1;
        let is_before_others = self.later.peek().is_none_or(|Reverse(next)| at <= next.at);
        if is_before_others && self.soon.len() < SOON_MAX {
            let n_before = self.soon.iter().rev().skip_while(|other| other.at > at).count();
            self.soon.insert(n_before, entry);
        } else {
            self.later.push(Reverse(entry));
        }
    }

    /// When the next thing is due.
    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        match (self.soon.front(), self.later.peek()) {
            (Some(soon), Some(Reverse(later))) => Some(soon.at.min(later.at)),
            (Some(entry), None) | (None, Some(Reverse(entry))) => Some(entry.at),
            (None, None) => None,
        }
    }

    /// Takes the next thing that is due at `now` or before.
    pub(crate) fn pop(&mut self, now: Timestamp) -> Option<(Timestamp, T)> {
        let is_soon = match (self.soon.front(), self.later.peek()) {
            (Some(soon), Some(Reverse(later))) => soon < later,
            (soon, _) => soon.is_some(),
        };
        let entry = if is_soon {
            self.soon.pop_front_if(|entry| entry.at <= now)?
        } else {
            let next = self.later.peek_mut().filter(|entry| entry.0.at <= now)?;
            PeekMut::pop(next).0
        };
        Some((entry.at, entry.due))
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

    #[test]
    fn things_come_in_order_whether_many_wait_or_few() {
        let mut schedule = Schedule::default();
        let mut expected = Vec::new();
        let mut taken = Vec::new();
        let mut now = 0;
        for n in 0..500_i64 {
            // Far ahead, at once, and somewhere between, by turns.
            let at = now + [40, 0, (n * 37) % 23, 3][usize::try_from(n % 4).unwrap()];
            schedule.add(Timestamp(at), n);
            expected.push((Timestamp(at), n));
            if n % 3 == 2 {
                now = schedule.next_at().unwrap().0;
                taken.extend(schedule.pop(Timestamp(now)));
            }
        }
        taken.extend(std::iter::from_fn(|| schedule.pop(Timestamp(i64::MAX))));
        expected.sort_unstable();
        assert_eq!(taken, expected);
    }
}
