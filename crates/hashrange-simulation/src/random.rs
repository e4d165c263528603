//! `Random`: the one seeded generator of a run, and the distributions drawn from it.
//!
//! Invariant: the same seed gives the same numbers on every machine: whole numbers by PCG, the rest by libm.

use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// How many standard deviations the 99th percentile of a normal distribution lies above its median.
const P99_DEVIATIONS: f64 = 2.326_347_874_040_841;

/// The stream of PCG that runs use; any odd constant would do.
const STREAM: u64 = 0x4861_7368;

/// A seeded source of chance.
#[derive(Debug, Clone)]
pub struct Random {
    source: Pcg32,
    /// Median and 99th percentile that were asked for last, and the deviation that follows.
    latest: (i64, i64, f64),
}

impl Random {
    /// The source that `seed` stands for.
    pub fn new(seed: u64) -> Self {
        Self { source: Pcg32::new(seed, STREAM), latest: (0, 0, 0.0) }
    }

    /// A number from 0 to `n` - 1; 0 for an `n` of 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // Multiplying instead of taking a remainder spreads what is uneven over the whole range.
        let wide = u128::from(self.source.next_u64()) * u128::from(n);
        u64::try_from(wide >> 64).expect("the upper half of 128 bits")
    }

    /// A number from 0 up to, but not including, 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exactly what a double holds")]
    pub fn unit(&mut self) -> f64 {
        (self.source.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A wait between events that come `mean_us` microseconds apart on average, at least 1.
    pub fn exponential_us(&mut self, mean_us: f64) -> i64 {
        whole_us(-libm::log(1.0 - self.unit()) * mean_us).max(1)
    }

    /// A log-normal duration in microseconds: half of all draws are below `median_us`, 99 of 100 below
    /// `p99_us`. Equal figures, or a median of 0, leave nothing to chance.
    pub fn long_tailed_us(&mut self, median_us: i64, p99_us: i64) -> i64 {
        if median_us <= 0 || p99_us <= median_us {
            return median_us.max(0);
        }
        if (self.latest.0, self.latest.1) != (median_us, p99_us) {
            let deviation = libm::log(as_f64(p99_us) / as_f64(median_us)) / P99_DEVIATIONS;
            self.latest = (median_us, p99_us, deviation);
        }
        whole_us(as_f64(median_us) * libm::exp(self.latest.2 * self.normal()))
    }

    /// A draw from the standard normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
    }
}

#[expect(clippy::cast_precision_loss, reason = "durations are far below 2^53 microseconds")]
const fn as_f64(us: i64) -> f64 {
    us as f64
}

/// Whole microseconds, at most a century of them.
#[expect(clippy::cast_possible_truncation, reason = "held below a century")]
fn whole_us(us: f64) -> i64 {
    libm::floor(us.clamp(0.0, 3.2e15)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_these_numbers_for_ever() {
        let mut random = Random::new(1);
        let numbers: Vec<u64> = (0..4).map(|_| random.below(1_000)).collect();
        assert_eq!(numbers, SEED_1_BELOW_1000);
        let waits: Vec<i64> = (0..4).map(|_| random.long_tailed_us(10_000, 200_000)).collect();
        assert_eq!(waits, SEED_1_WAITS);
    }

    const SEED_1_BELOW_1000: [u64; 4] = [759, 801, 108, 350];
    const SEED_1_WAITS: [i64; 4] = [5_466, 3_680, 43_072, 13_443];

    #[test]
    fn a_long_tail_has_its_median_and_its_99th_percentile() {
        let mut random = Random::new(7);
        let mut draws: Vec<i64> =
            (0..20_001).map(|_| random.long_tailed_us(10_000, 200_000)).collect();
        draws.sort_unstable();
        assert!((9_500..10_500).contains(&draws[10_000]), "median {}", draws[10_000]);
        assert!((180_000..225_000).contains(&draws[19_800]), "p99 {}", draws[19_800]);
    }

    #[test]
    fn waits_come_at_their_mean() {
        let mut random = Random::new(3);
        let total: i64 = (0..20_000).map(|_| random.exponential_us(500.0)).sum();
        assert!((490 * 20_000..510 * 20_000).contains(&total), "{total}");
    }
}
