//! `KeyDistribution`: which key a request is about.
//!
//! Invariant: key numbers begin at 0; where chance decides, 0 is asked for most.

use crate::random::Random;

/// Which of the keys each request is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyDistribution {
    /// Any of `n` keys, alike often.
    Uniform {
        /// How many keys.
        n: u64,
    },
    /// The key of rank r among `n` in proportion to 1 / r^exponent.
    Zipf {
        /// How many keys.
        n: u64,
        /// The exponent in hundredths: 99 for 0.99.
        exponent_percent: u32,
    },
    /// Key 0 so many times in a hundred, otherwise any of the others alike often.
    HotKey {
        /// How many keys.
        n: u64,
        /// How often the hot one.
        hot_percent: u32,
    },
    /// A new key each time, in order, as keys that begin with the time are.
    Sequential,
    /// The first of `n` keys, the second, and so on, and again.
    RoundRobin {
        /// How many keys.
        n: u64,
    },
}

/// A distribution ready to draw from.
#[derive(Debug, Clone)]
pub(crate) enum Keys {
    Uniform(u64),
    Zipf(Zipf),
    HotKey { n: u64, hot_percent: u64 },
    Sequential,
    RoundRobin(u64),
}

impl Keys {
    pub(crate) fn new(distribution: &KeyDistribution) -> Self {
        match distribution {
            KeyDistribution::Uniform { n } => Self::Uniform(*n),
            KeyDistribution::Zipf { n, exponent_percent } => {
                Self::Zipf(Zipf::new(*n, f64::from(*exponent_percent) / 100.0))
            }
            KeyDistribution::HotKey { n, hot_percent } => {
                Self::HotKey { n: *n, hot_percent: u64::from(*hot_percent) }
            }
            KeyDistribution::Sequential => Self::Sequential,
            KeyDistribution::RoundRobin { n } => Self::RoundRobin(*n),
        }
    }

    /// The key of the request with this running number.
    pub(crate) fn draw(&self, running: u64, random: &mut Random) -> u64 {
        match self {
            Self::Uniform(n) => random.below(*n),
            Self::Zipf(zipf) => zipf.draw(random) - 1,
            Self::HotKey { n, hot_percent } if random.below(100) < *hot_percent || *n < 2 => 0,
            Self::HotKey { n, .. } => 1 + random.below(n - 1),
            Self::Sequential => running,
            Self::RoundRobin(n) => running % (*n).max(1),
        }
    }
}

/// Zipf's distribution of ranks 1 to n, drawn by rejection-inversion: a rank is taken from the area under the
/// curve x^-exponent and rejected where the curve lies above the rank's own bar.
///
/// Source: Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", 1996.
#[derive(Debug, Clone)]
pub(crate) struct Zipf {
    n: u64,
    exponent: f64,
    /// Area up to the first rank, less its bar.
    least: f64,
    /// Area up to the last rank.
    most: f64,
    /// How far below its rank a point may lie and be taken unseen.
    unseen: f64,
}

impl Zipf {
    fn new(n: u64, exponent: f64) -> Self {
        let mut zipf = Self { n: n.max(1), exponent, least: 0.0, most: 0.0, unseen: 0.0 };
        zipf.least = zipf.area(1.5) - 1.0;
        zipf.most = zipf.area(float(zipf.n) + 0.5);
        zipf.unseen = 2.0 - zipf.point(zipf.area(2.5) - zipf.curve(2.0));
        zipf
    }

    fn draw(&self, random: &mut Random) -> u64 {
        loop {
            let area = self.most + random.unit() * (self.least - self.most);
            let point = self.point(area);
            let rank = rank(point, self.n);
            let bar = float(rank);
            if bar - point <= self.unseen || area >= self.area(bar + 0.5) - self.curve(bar) {
                return rank;
            }
        }
    }

    fn curve(&self, x: f64) -> f64 {
        libm::exp(-self.exponent * libm::log(x))
    }

    /// The area under the curve from 1 to `x`.
    fn area(&self, x: f64) -> f64 {
        let log = libm::log(x);
        let t = (1.0 - self.exponent) * log;
        log * if t.abs() < 1e-8 { 1.0 + t / 2.0 } else { libm::expm1(t) / t }
    }

    /// The point up to which the curve has this area.
    fn point(&self, area: f64) -> f64 {
        let t = (area * (1.0 - self.exponent)).max(-1.0);
        libm::exp(area * if t.abs() < 1e-8 { 1.0 - t / 2.0 } else { libm::log1p(t) / t })
    }
}

#[expect(clippy::cast_precision_loss, reason = "ranks are far below 2^53")]
const fn float(rank: u64) -> f64 {
    rank as f64
}

/// The nearest rank.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "held between 1 and n before"
)]
fn rank(point: f64, n: u64) -> u64 {
    libm::floor(point + 0.5).clamp(1.0, float(n)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(distribution: &KeyDistribution, n_draws: u64) -> Vec<u64> {
        let (keys, mut random) = (Keys::new(distribution), Random::new(5));
        let mut counts = vec![0; 1_000];
        for running in 0..n_draws {
            let key = keys.draw(running, &mut random);
            counts[usize::try_from(key).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn zipf_gives_each_rank_its_share() {
        for (exponent_percent, of_first) in [(100, 133_592), (50, 16_181), (150, 392_288)] {
            let found = counts(&KeyDistribution::Zipf { n: 1_000, exponent_percent }, 1_000_000);
            // 1 / (sum of 1 / r^exponent over 1,000 ranks), within four standard deviations.
            let allowed = 4 * 490;
            assert!(found[0].abs_diff(of_first) < allowed, "{exponent_percent}: {}", found[0]);
            let of_fourth = [(100, 33_398), (50, 8_090), (150, 49_036)];
            let (_, expected) = of_fourth.into_iter().find(|it| it.0 == exponent_percent).unwrap();
            assert!(found[3].abs_diff(expected) < allowed, "{exponent_percent}: {}", found[3]);
        }
    }

    #[test]
    fn a_hot_key_gets_its_share_and_the_others_the_rest() {
        let found = counts(&KeyDistribution::HotKey { n: 11, hot_percent: 60 }, 100_000);
        assert!((59_000..61_000).contains(&found[0]), "{}", found[0]);
        assert!(found[1..11].iter().all(|n| (3_700..4_300).contains(n)), "{:?}", &found[..11]);
        assert_eq!(found[11..].iter().sum::<u64>(), 0);
    }

    #[test]
    fn turns_and_new_keys_leave_nothing_to_chance() {
        assert_eq!(counts(&KeyDistribution::RoundRobin { n: 4 }, 8)[..5], [2, 2, 2, 2, 0]);
        assert_eq!(counts(&KeyDistribution::Sequential, 3)[..4], [1, 1, 1, 0]);
    }
}
