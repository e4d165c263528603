//! `ByNumber`: what belongs to requests that are under way, by their numbers.
//!
//! Numbers come in ascending order and mostly go in nearly the same one, so what is under way stands in a queue, each at
//! the place that its number says. What stays long while most that came after it has gone is put aside.
//!
//! Invariant: the queue is at most [`SPREAD`] times as long as what it holds, and [`PLACES`] more.

use std::collections::{BTreeMap, VecDeque};

/// How many places of the queue there may be for each that is taken.
const SPREAD: usize = 8;
/// Places that there may be in any case.
const PLACES: usize = 64;

/// Things by the numbers of their requests.
#[derive(Debug, Clone)]
pub(crate) struct ByNumber<T> {
    aside: BTreeMap<u64, T>,
    /// The number of the first place.
    first: u64,
    places: VecDeque<Option<T>>,
    n_placed: usize,
}

impl<T> Default for ByNumber<T> {
    fn default() -> Self {
        Self { aside: BTreeMap::new(), first: 0, places: VecDeque::new(), n_placed: 0 }
    }
}

impl<T> ByNumber<T> {
    fn position(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok()
    }

    /// Adds what belongs to a number that has nothing yet.
    pub(crate) fn insert(&mut self, number: u64, thing: T) {
        if self.places.is_empty() {
            self.first = number;
        }
        let Some(position) = self.position(number) else {
            self.aside.insert(number, thing);
            return;
        };
        let is_far = position > self.places.len() + PLACES;
        if is_far {
            self.set_aside(self.places.len());
            self.first = number;
        }
        let position = if is_far { 0 } else { position };
        while self.places.len() <= position {
            self.places.push_back(None);
        }
        self.places[position] = Some(thing);
        self.n_placed += 1;
        if self.places.len() > PLACES + SPREAD * self.n_placed {
            self.set_aside(self.places.len() / 2);
        }
    }

    /// Puts what stands in the first `n` places aside.
    fn set_aside(&mut self, n: usize) {
        for place in self.places.drain(..n) {
            if let Some(thing) = place {
                self.aside.insert(self.first, thing);
                self.n_placed -= 1;
            }
            self.first += 1;
        }
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        let placed = self.position(number).and_then(|position| self.places.get(position)?.as_ref());
        placed.or_else(|| self.aside.get(&number))
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        let place = self.position(number).and_then(|position| self.places.get_mut(position));
        let Some(thing) = place.and_then(Option::take) else { return self.aside.remove(&number) };
        self.n_placed -= 1;
        while let Some(None) = self.places.front() {
            self.places.pop_front();
            self.first += 1;
        }
        Some(thing)
    }

    /// Drops what belongs to the lowest number.
    pub(crate) fn drop_first(&mut self) {
        if self.aside.pop_first().is_none() {
            self.remove(self.first);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.aside.len() + self.n_placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_in_whatever_order_they_come_and_go() {
        let mut by_number = ByNumber::default();
        for n in [3, 5, 4, 9, 1] {
            by_number.insert(n, n);
        }
        assert_eq!(by_number.get(4), Some(&4));
        assert_eq!(by_number.get(2), None);
        assert_eq!(by_number.remove(5), Some(5));
        assert_eq!(by_number.remove(5), None);
        by_number.drop_first();
        let left = [1, 3, 4, 9].map(|n| by_number.remove(n).is_some());
        assert_eq!(left, [false, true, true, true]);
        assert_eq!(by_number.len(), 0);
    }

    #[test]
    fn what_stays_for_ever_takes_no_room_for_what_came_and_went_since() {
        let mut by_number = ByNumber::default();
        let far = 1 << 40;
        for n in (0..10_000).chain([far, far + 1]) {
            by_number.insert(n, n);
            if n % 1_000 != 0 {
                assert_eq!(by_number.remove(n), Some(n));
            }
            assert!(by_number.places.len() <= PLACES + 2 * SPREAD);
        }
        assert_eq!(by_number.len(), 10);
        by_number.drop_first();
        let left = (0..10_000).filter(|n| by_number.remove(*n).is_some());
        assert_eq!(left.count(), 9);
    }
}
