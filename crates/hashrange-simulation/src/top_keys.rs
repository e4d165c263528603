//! `TopKeys`: the most used keys, by the space-saving sketch of Metwally, Agrawal and El Abbadi (2005).
//!
//! Invariant: at most [`N_KEYS`] keys are kept; a key used for more than a sixteenth of all units is among them, and
//! its count is too high by `units_too_many` at most, never too low.

use hashrange_types::{CapacityUnits, EncodedKey};

/// Keys kept.
const N_KEYS: usize = 16;

/// A key and what was used of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopKey {
    /// The item's key; for a Query or Scan the first key read.
    pub key: EncodedKey,
    /// Units asked of it, throttled ones included; at most so many.
    pub units: CapacityUnits,
    /// How many of them may be another key's.
    pub units_too_many: CapacityUnits,
}

/// Counts of the most used keys.
#[derive(Debug, Clone, Default)]
pub(crate) struct TopKeys {
    /// Hashes of the keys, apart because every request looks through them.
    hashes: Vec<u64>,
    keys: Vec<TopKey>,
}

impl TopKeys {
    /// Counts a use of a key.
    pub(crate) fn count(&mut self, key: &EncodedKey, units: CapacityUnits) {
        let hash = hash_of(key.as_bytes());
        if let Some(at) = self.hashes.iter().position(|other| *other == hash) {
            self.keys[at].units += units;
            return;
        }
        let new = TopKey { key: key.clone(), units, units_too_many: CapacityUnits::ZERO };
        if self.keys.len() < N_KEYS {
            self.hashes.push(hash);
            self.keys.push(new);
            return;
        }
        let least = (0..N_KEYS).min_by_key(|at| self.keys[*at].units).unwrap_or(0);
        let before = self.keys[least].units;
        self.hashes[least] = hash;
        self.keys[least] = TopKey { units: units + before, units_too_many: before, ..new };
    }

    /// The keys of this sketch and an earlier one, the most used first.
    pub(crate) fn with(&self, earlier: &Self) -> Vec<TopKey> {
        let mut all = self.keys.clone();
        for (hash, key) in earlier.hashes.iter().zip(&earlier.keys) {
            match self.hashes.iter().position(|other| other == hash) {
                Some(at) => {
                    all[at].units += key.units;
                    all[at].units_too_many += key.units_too_many;
                }
                None => all.push(key.clone()),
            }
        }
        all.sort_by(|one, other| (other.units, &one.key).cmp(&(one.units, &other.key)));
        all
    }
}

/// A hash of all bytes of a key, eight at a time; the placement hash at its beginning is that of the partition key.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_used_keys_are_found_among_many() {
        let mut top = TopKeys::default();
        let key = |n: u32| EncodedKey::from_bytes(&u64::from(n).to_be_bytes());
        for n in 0..10_000 {
            top.count(&key(1_000 + n % 500), CapacityUnits::whole(1));
            top.count(&key(n % 2), CapacityUnits::whole(2));
        }
        let found = top.with(&TopKeys::default());
        assert_eq!(found.len(), N_KEYS);
        for (one, n) in found.iter().zip([0, 1]) {
            assert_eq!(one.key, key(n));
            assert!(one.units >= CapacityUnits::whole(10_000));
            let at_least = one.units.as_halves() - one.units_too_many.as_halves();
            assert!(at_least <= 20_000, "{one:?}");
        }
    }
}
