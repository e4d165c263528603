//! [`SortedMap`] and [`SortedSet`]: a few entries in order, in one vector; and [`sort_by`], for vectors.
//!
//! The standard library's trees and sorts are made anew, some 8 KB each, for every type they hold, and every
//! visitor of the page downloads them. These share their code, and are as fast for what they are for: up to a
//! few thousand entries.
//!
//! Invariant: entries are in ascending order of their keys, each key once.
//!
//! Not here: the items of a table (`hashrange-storage`), of which there may be millions.

use std::borrow::Borrow;
use std::cmp::Ordering;

/// A map in order of its keys. Lookups are logarithmic; an insertion moves all entries behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

/// A set in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedSet<K>(SortedMap<K, ()>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K, V> SortedMap<K, V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Number of entries.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values in order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values in order of their keys, to change them.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }

    /// The key and value of `key`.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(key, value)| (key, value))
    }

    /// The value of `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// The value of `key`, to change it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// True if there is a value of `key`.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Sets the value of `key` and returns the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// The value of `key`, which is made if there is none.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = match self.place(&key) {
            Ok(place) => place,
            Err(place) => {
                self.0.insert(place, (key, make()));
                place
            }
        };
        &mut self.0[place].1
    }

    /// Removes `key` and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(self.0.remove(place).1)
    }

    /// The entries whose keys come after `key`, or all, in order.
    pub fn after(&self, key: Option<&K>) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        let start = match key.map(|key| self.place(key)) {
            None => 0,
            Some(Ok(place)) => place + 1,
            Some(Err(place)) => place,
        };
        self.0[start..].iter().map(|(key, value)| (key, value))
    }

    /// Removes the entries that `keep` does not want.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> Self::Item>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        Self(SortedMap::new())
    }
}

impl<K> SortedSet<K> {
    /// A set without members.
    pub const fn new() -> Self {
        Self(SortedMap::new())
    }

    /// Number of members.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no members.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.keys()
    }
}

impl<K: Ord> SortedSet<K> {
    /// Adds a member; false if it was there already.
    pub fn insert(&mut self, member: K) -> bool {
        self.0.insert(member, ()).is_none()
    }

    /// True if `member` is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(member)
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(members: I) -> Self {
        let mut set = Self::new();
        for member in members {
            set.insert(member);
        }
        set
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(member, ())| member)
    }
}

/// Puts values in order; those that compare equal keep the order they had.
///
/// ```
/// let mut names = ["b2", "a1", "b1"];
/// hashrange_types::sorted::sort_by(&mut names, |a, b| a[..1].cmp(&b[..1]));
/// assert_eq!(names, ["a1", "b2", "b1"]);
/// ```
pub fn sort_by<T>(values: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = order(values.len(), &mut |a, b| compare(&values[a], &values[b]));
    arrange(order, &mut |a, b| values.swap(a, b));
}

/// Puts values in ascending order.
pub fn sort<T: Ord>(values: &mut [T]) {
    sort_by(values, T::cmp);
}

/// Positions 0 to `n` in the order of what stands there: runs of doubling length are merged.
fn order(n: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut merged = Vec::with_capacity(n);
    let mut length = 1;
    while length < n {
        for start in (0..n).step_by(length * 2) {
            let middle = (start + length).min(n);
            let end = (middle + length).min(n);
            let is_in_order =
                middle == end || compare(order[middle - 1], order[middle]) != Ordering::Greater;
            let (mut left, mut right) = (start, middle);
            while !is_in_order && left < middle && right < end {
                let is_right_first = compare(order[left], order[right]) == Ordering::Greater;
                let next = if is_right_first { &mut right } else { &mut left };
                merged.push(order[*next]);
                *next += 1;
            }
            merged.extend_from_slice(&order[left..middle]);
            merged.extend_from_slice(&order[right..end]);
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        length *= 2;
    }
    order
}

/// Swaps until at every place stands what stood at the position `order` has there.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start || from == place {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_map_is_a_tree_map_after_any_changes(
            changes in prop::collection::vec((0_u8..20, proptest::option::of(any::<u8>())), 0..60),
            after in proptest::option::of(0_u8..22),
        ) {
            let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
            for (key, value) in changes {
                if let Some(value) = value {
                    prop_assert_eq!(map.insert(key, value), tree.insert(key, value));
                } else {
                    prop_assert_eq!(map.remove(&key), tree.remove(&key));
                }
                prop_assert_eq!(map.get(&key), tree.get(&key));
            }
            prop_assert_eq!(map.len(), tree.len());
            prop_assert!(map.iter().eq(tree.iter()));
            let start = after.map_or(0, |key| key + 1);
            prop_assert!(map.after(after.as_ref()).eq(tree.range(start..)));
            map.retain(|key, _| key % 3 > 0);
            tree.retain(|key, _| key % 3 > 0);
            prop_assert!(map.into_iter().eq(tree));
        }

        #[test]
        fn a_set_holds_each_member_once_in_order(members in prop::collection::vec(0_u8..30, 0..60)) {
            let tree: BTreeSet<u8> = members.iter().copied().collect();
            let set: SortedSet<u8> = members.into_iter().collect();
            prop_assert_eq!(set.len(), tree.len());
            prop_assert!((0..30).all(|member| set.contains(&member) == tree.contains(&member)));
            prop_assert!(set.into_iter().eq(tree));
        }

        #[test]
        fn sorting_is_stable(values in prop::collection::vec((0_u8..10, any::<u8>()), 0..200)) {
            let mut expected = values.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut sorted = values;
            sort_by(&mut sorted, |(a, _), (b, _)| a.cmp(b));
            prop_assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn what_is_in_order_is_compared_once_a_pair() {
        let mut values: Vec<u32> = (0..10_000).collect();
        let mut n_compared = 0;
        sort_by(&mut values, |a, b| {
            n_compared += 1;
            a.cmp(b)
        });
        assert_eq!(n_compared, 9_999);
    }
}
