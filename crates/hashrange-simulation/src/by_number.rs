//! `ByNumber`: what belongs to requests that are under way, by their numbers.
//!
//! Numbers come in ascending order and mostly go in the same one, so a queue of pointers is enough: nothing large is
//! moved when something comes or goes.
//!
//! Invariant: entries are in ascending order of their numbers, each number once.

use std::collections::VecDeque;

/// Things by the numbers of their requests.
#[derive(Debug, Clone)]
pub(crate) struct ByNumber<N, T>(VecDeque<(N, Box<T>)>);

impl<N, T> Default for ByNumber<N, T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<N: Ord + Copy, T> ByNumber<N, T> {
    fn position(&self, number: N) -> Result<usize, usize> {
        // It mostly is the newest that is asked for, or the oldest.
        match self.0.back() {
            Some((newest, _)) if *newest == number => return Ok(self.0.len() - 1),
            Some((newest, _)) if *newest > number => {}
            _ => return Err(self.0.len()),
        }
        if self.0.front().is_some_and(|(oldest, _)| *oldest == number) {
            return Ok(0);
        }
        self.0.binary_search_by_key(&number, |(other, _)| *other)
    }

    /// Adds what belongs to a number that has nothing yet.
    pub(crate) fn insert(&mut self, number: N, thing: Box<T>) {
        if let Err(position) = self.position(number) {
            self.0.insert(position, (number, thing));
        }
    }

    pub(crate) fn get(&self, number: N) -> Option<&T> {
        let position = self.position(number).ok()?;
        self.0.get(position).map(|(_, thing)| thing.as_ref())
    }

    pub(crate) fn remove(&mut self, number: N) -> Option<Box<T>> {
        let position = self.position(number).ok()?;
        self.0.remove(position).map(|(_, thing)| thing)
    }

    /// Drops what belongs to the lowest number.
    pub(crate) fn drop_first(&mut self) {
        self.0.pop_front();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_in_whatever_order_they_come_and_go() {
        let mut by_number = ByNumber::default();
        for n in [3, 5, 4, 9, 1] {
            by_number.insert(n, Box::new(n));
        }
        assert_eq!(by_number.get(4), Some(&4));
        assert_eq!(by_number.get(2), None);
        assert_eq!(by_number.remove(5), Some(Box::new(5)));
        assert_eq!(by_number.remove(5), None);
        by_number.drop_first();
        let left = [1, 3, 4, 9].map(|n| by_number.remove(n).is_some());
        assert_eq!(left, [false, true, true, true]);
        assert_eq!(by_number.len(), 0);
    }
}
