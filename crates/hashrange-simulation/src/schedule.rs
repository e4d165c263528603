//! `Schedule`: what is due, in the order of time.
//!
//! Most things are due a fixed time after they are scheduled, so they are scheduled in the order in which they are
//! due. Each such time has a lane, a queue that nothing has to be sorted into; the rest stands in a heap.
//!
//! Invariant: of two things due at one moment, the one scheduled first comes first. A lane is in order.

use std::cmp::{Ordering, Reverse};
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};

use hashrange_types::Timestamp;

/// Lanes of a schedule.
const N_LANES: usize = 3;

/// Things due at moments.
#[derive(Debug, Clone)]
pub(crate) struct Schedule<T> {
    lanes: [VecDeque<Entry<T>>; N_LANES],
    rest: BinaryHeap<Reverse<Entry<T>>>,
    n_scheduled: u64,
    /// When the next thing is due, its number, and where it stands: in a lane, or past all lanes.
    next: Option<(Timestamp, u64, usize)>,
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
        Self {
            lanes: [const { VecDeque::new() }; N_LANES],
            rest: BinaryHeap::new(),
            n_scheduled: 0,
            next: None,
        }
    }
}

impl<T> Schedule<T> {
    /// The number of what is due at `at` and will stand at `place`.
    fn number(&mut self, at: Timestamp, place: usize) -> u64 {
        let number = self.n_scheduled;
        self.n_scheduled += 1;
        // Of two at one moment, the one that was there comes first.
        if self.next.is_none_or(|(next_at, ..)| at < next_at) {
            self.next = Some((at, number, place));
        }
        number
    }

    /// Makes `due` due at `at`.
    pub(crate) fn add(&mut self, at: Timestamp, due: T) {
        let number = self.number(at, N_LANES);
        self.rest.push(Reverse(Entry { at, number, due }));
    }

    /// Makes `due` due at `at`, which mostly is not before what this lane was given last.
    pub(crate) fn add_to_lane(&mut self, lane: usize, at: Timestamp, due: T) {
        if self.lanes[lane].back().is_some_and(|last| last.at > at) {
            self.add(at, due);
            return;
        }
        let number = self.number(at, lane);
        self.lanes[lane].push_back(Entry { at, number, due });
    }

    /// Looks for the next thing.
    fn find_next(&mut self) {
        let mut next = self.rest.peek().map(|entry| (entry.0.at, entry.0.number, N_LANES));
        for (lane, queue) in self.lanes.iter().enumerate() {
            if let Some(entry) = queue.front()
                && next.is_none_or(|(at, number, _)| entry.rank() < (at, number))
            {
                next = Some((entry.at, entry.number, lane));
            }
        }
        self.next = next;
    }

    /// When the next thing is due.
    pub(crate) fn next_at(&self) -> Option<Timestamp> {
        self.next.map(|(at, ..)| at)
    }

    /// Takes the next thing that is due at `now` or before.
    pub(crate) fn pop(&mut self, now: Timestamp) -> Option<(Timestamp, T)> {
        let (.., place) = self.next.filter(|(at, ..)| *at <= now)?;
        let entry = match self.lanes.get_mut(place) {
            Some(queue) => queue.pop_front()?,
            None => PeekMut::pop(self.rest.peek_mut()?).0,
        };
        self.find_next();
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
            // One after the other into each lane, whether it is in order there or not, and into none.
            match usize::try_from(n % 5).unwrap() {
                lane @ ..N_LANES => schedule.add_to_lane(lane, Timestamp(at), n),
                _ => schedule.add(Timestamp(at), n),
            }
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
