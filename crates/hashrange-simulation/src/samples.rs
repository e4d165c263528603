//! `Samples`: keys drawn from the traffic of a partition, to divide it where its load is halved.
//!
//! Invariant: at most [`N_SAMPLES`] keys are kept, in the order of time, each for about as many units. The stride
//! between two is drawn from a sequence of the partition's own, so that no rhythm of the traffic meets it, and no
//! other draw of the run depends on it.
//!
//! Source: facts 6.2, "Split for heat".

use hashrange_types::{CapacityUnits, EncodedKey};

/// Keys kept.
const N_SAMPLES: usize = 512;

/// Keys of a partition's traffic.
#[derive(Debug, Clone)]
pub(crate) struct Samples {
    keys: Vec<EncodedKey>,
    /// Half units that one sample stands for, on average.
    stride: u64,
    /// Half units until the next sample.
    skip: u64,
    state: u64,
}

impl Default for Samples {
    fn default() -> Self {
        Self { keys: Vec::new(), stride: 1, skip: 0, state: 1 }
    }
}

impl Samples {
    /// Lets a use of a key pass by, which may be drawn.
    pub(crate) fn pass(&mut self, key: &EncodedKey, units: CapacityUnits) {
        let halves = units.as_halves();
        if halves == 0 {
            return;
        }
        if self.skip >= halves {
            self.skip -= halves;
            return;
        }
        self.keys.push(key.clone());
        if self.keys.len() == N_SAMPLES {
            let mut n = 0_usize;
            self.keys.retain(|_| {
                n += 1;
                n % 2 == 1
            });
            self.stride *= 2;
        }
        // Knuth's multiplier; the upper bits are the good ones.
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.skip = (self.state >> 33) % (self.stride * 2 - 1);
    }

    /// True if keys only ever rise: of the later half nine in ten are above all of the earlier half.
    pub(crate) fn rise(&self) -> bool {
        let (earlier, later) = self.keys.split_at(self.keys.len() / 2);
        let highest = earlier.iter().max();
        let n_above = later.iter().filter(|key| Some(*key) > highest).count();
        !earlier.is_empty() && n_above * 10 >= later.len() * 9
    }

    /// Where to divide so that both halves get as much as the other; none where all traffic meets one key, or one
    /// item collection that must stay whole.
    pub(crate) fn fair_cut(&self, keeps_collections: bool) -> Option<EncodedKey> {
        let mut keys: Vec<&EncodedKey> = self.keys.iter().collect();
        keys.sort_unstable();
        let total = u64::try_from(keys.len()).unwrap_or(u64::MAX);
        fair_cut(keys.into_iter().map(|key| (key, 1)), total, keeps_collections)
    }
}

/// The key to divide at so that the weights below it and from it on differ least. Keys come in order, and may
/// come again; `total` is the sum of their weights.
pub(crate) fn fair_cut<'a>(
    keys: impl Iterator<Item = (&'a EncodedKey, u64)>,
    total: u64,
    keeps_collections: bool,
) -> Option<EncodedKey> {
    let mut best: Option<(u64, &EncodedKey)> = None;
    let mut before: Option<&EncodedKey> = None;
    let mut below = 0_u64;
    for (key, weight) in keys {
        let divides = |other: &EncodedKey| {
            if keeps_collections { other.hash() != key.hash() } else { other != key }
        };
        if before.is_some_and(divides) {
            let difference = (below * 2).abs_diff(total);
            if best.is_some_and(|(least, _)| least <= difference) {
                // What is below only grows.
                break;
            }
            best = Some((difference, key));
        }
        before = Some(key);
        below += weight;
    }
    best.map(|(_, key)| key.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(collection: u64, item: u64) -> EncodedKey {
        let bytes = [collection.to_be_bytes(), item.to_be_bytes()].concat();
        EncodedKey::from_bytes(&bytes)
    }

    fn drawn(keys: impl Iterator<Item = EncodedKey>) -> Samples {
        let mut samples = Samples::default();
        keys.for_each(|key| samples.pass(&key, CapacityUnits::whole(1)));
        samples
    }

    #[test]
    fn an_even_collection_is_cut_near_its_middle_whatever_the_rhythm() {
        for n in [64, 1_000, 3_000] {
            let samples = drawn((0..60_000).map(|at| key(7, at % n)));
            let cut = samples.fair_cut(false).unwrap();
            assert!((key(7, n * 4 / 10)..key(7, n * 6 / 10)).contains(&cut), "{n}: {cut:?}");
            assert!(!samples.rise());
            assert_eq!(samples.fair_cut(true), None);
        }
    }

    #[test]
    fn a_hot_item_is_cut_off_on_one_side_and_then_on_the_other() {
        let hot = |n: u64| if n.is_multiple_of(10) { n % 100 } else { 50 };
        let cut = drawn((0..20_000).map(|n| key(7, hot(n)))).fair_cut(false).unwrap();
        let rest = (0..20_000).map(hot).filter(|n| (key(7, 50) < cut) == (key(7, *n) < cut));
        let next = drawn(rest.map(|n| key(7, n))).fair_cut(false).unwrap();
        let cut = [cut, next];
        assert!(cut.contains(&key(7, 50)), "{cut:?}");
        assert!(cut.iter().any(|cut| *cut > key(7, 50) && *cut <= key(7, 60)), "{cut:?}");
        assert_eq!(drawn((0..1_000).map(|_| key(7, 50))).fair_cut(false), None);
    }

    #[test]
    fn keys_that_follow_time_rise() {
        assert!(drawn((0..60_000).map(|n| key(7, n))).rise());
    }
}
