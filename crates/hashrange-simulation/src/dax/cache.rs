//! `Cache`: values with an end, the least recently used of which goes when there is no room.
//!
//! Invariant: `used` holds the key of every entry once, under its last use; `bytes` is the sum of the entries'.

use std::collections::BTreeMap;

use hashrange_types::Timestamp;

/// Values by key.
#[derive(Debug, Clone)]
pub(super) struct Cache<K, V> {
    entries: BTreeMap<K, Entry<V>>,
    used: BTreeMap<u64, K>,
    n_uses: u64,
    bytes: u64,
    bytes_max: u64,
    /// Microseconds an entry lives; none for ever.
    lifetime_us: Option<i64>,
}

#[derive(Debug, Clone)]
struct Entry<V> {
    value: V,
    stored_at: Timestamp,
    bytes: u64,
    used: u64,
}

impl<K: Ord + Clone, V: Clone> Cache<K, V> {
    pub(super) const fn new(bytes_max: u64, lifetime_us: Option<i64>) -> Self {
        Self {
            entries: BTreeMap::new(),
            used: BTreeMap::new(),
            n_uses: 0,
            bytes: 0,
            bytes_max,
            lifetime_us,
        }
    }

    /// The value of `key`, if it is there and has not ended.
    pub(super) fn get(&mut self, key: &K, now: Timestamp) -> Option<V> {
        let stored_at = self.entries.get(key)?.stored_at;
        if self.lifetime_us.is_some_and(|lifetime_us| now.0 - stored_at.0 >= lifetime_us) {
            self.remove(key);
            return None;
        }
        self.n_uses += 1;
        let entry = self.entries.get_mut(key)?;
        self.used.remove(&std::mem::replace(&mut entry.used, self.n_uses));
        self.used.insert(self.n_uses, key.clone());
        Some(entry.value.clone())
    }

    /// Puts a value that was true at `stored_at`, unless there is a newer one. One larger than the cache is not
    /// kept.
    pub(super) fn put(&mut self, key: K, value: V, bytes: u64, stored_at: Timestamp) {
        if self.entries.get(&key).is_some_and(|entry| entry.stored_at > stored_at) {
            return;
        }
        self.remove(&key);
        if bytes > self.bytes_max {
            return;
        }
        while self.bytes + bytes > self.bytes_max {
            let Some(oldest) = self.used.first_key_value().map(|(_, key)| key.clone()) else {
                break;
            };
            self.remove(&oldest);
        }
        self.n_uses += 1;
        self.bytes += bytes;
        self.used.insert(self.n_uses, key.clone());
        self.entries.insert(key, Entry { value, stored_at, bytes, used: self.n_uses });
    }

    fn remove(&mut self, key: &K) {
        if let Some(entry) = self.entries.remove(key) {
            self.used.remove(&entry.used);
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_makes_room() {
        let mut cache = Cache::new(30, None);
        let now = Timestamp(0);
        for key in ["a", "b", "c"] {
            cache.put(key, (), 10, now);
        }
        assert!(cache.get(&"a", now).is_some());
        cache.put("d", (), 10, now);
        let kept: Vec<_> =
            ["a", "b", "c", "d"].map(|key| cache.get(&key, now).is_some()).into_iter().collect();
        assert_eq!(kept, [true, false, true, true]);
        cache.put("large", (), 31, now);
        assert!(cache.get(&"large", now).is_none() && cache.get(&"d", now).is_some());
        cache.put("all", (), 30, now);
        assert!(cache.get(&"d", now).is_none() && cache.get(&"all", now).is_some());
    }

    #[test]
    fn an_entry_ends_and_an_older_value_does_not_replace_a_newer_one() {
        let mut cache = Cache::new(100, Some(300));
        cache.put("a", 2, 10, Timestamp(10));
        cache.put("a", 1, 10, Timestamp(9));
        assert_eq!(cache.get(&"a", Timestamp(309)), Some(2));
        assert_eq!(cache.get(&"a", Timestamp(310)), None);
        cache.put("a", 1, 10, Timestamp(9));
        assert_eq!(cache.get(&"a", Timestamp(300)), Some(1), "what ended holds no place");
    }
}
