//! `Workload`: what is asked of a cluster over time, as one value.
//!
//! Invariant: how many requests have come by a moment follows from the rates alone; chance decides only when
//! within a microsecond's neighbourhood they come, and which keys they are about.

use hashrange_types::Request;
use smol_str::SmolStr;

use crate::client::ClientSettings;
use crate::keys::KeyDistribution;
use crate::world::Via;

/// How long rates are taken for constant that change all the time.
const RATE_STEP_US: i64 = 10_000;
/// A request in parts.
const WHOLE: i64 = 1_000_000;

/// What is asked over time. Its requests are decoded, or as a scenario has them ([`Asked`](crate::Asked)).
#[derive(Debug, Clone, PartialEq)]
pub struct Workload<T = Request> {
    /// What the chance of keys, back-offs and latencies starts from.
    pub seed: u64,
    /// How the client behaves.
    pub client: ClientSettings,
    /// What it asks.
    pub sources: Vec<Source<T>>,
}

/// One access pattern of a workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Source<T = Request> {
    /// What pictures call it.
    pub name: String,
    /// The request, with slots such as `{key}` and `{n:6}` in its texts.
    pub template: T,
    /// The size to which its items are padded, if they are.
    pub padded: Option<Padded>,
    /// Which key each request is about.
    pub keys: KeyDistribution,
    /// When requests come.
    pub pace: Pace,
    /// How many reads in a hundred are strongly consistent; none for what the template says.
    pub consistent_percent: Option<u32>,
    /// True if a Query or Scan goes on where its last page ended, and from the beginning when there is no more.
    pub is_sweep: bool,
    /// The Region it is asked of; none for the first.
    pub region: Option<SmolStr>,
    /// Which way it takes.
    pub via: Via,
}

impl<T> Source<T> {
    /// A source of one request after the other at this pace, each with the next key, of the first Region's table.
    pub fn new(name: impl Into<String>, template: T, pace: Pace) -> Self {
        Self {
            name: name.into(),
            template,
            padded: None,
            keys: KeyDistribution::Sequential,
            pace,
            consistent_percent: None,
            is_sweep: false,
            region: None,
            via: Via::Table,
        }
    }
}

/// To how many bytes an item is filled up, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Padded {
    /// The text attribute that is filled; it is added where it is missing.
    pub attribute: SmolStr,
    /// Bytes of the item, as DynamoDB counts them.
    pub bytes: u32,
}

/// When requests come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pace {
    /// At rates, whatever the answers: one phase after the other, then none.
    Open(Vec<Phase>),
    /// From so many clients, each of which asks again so long after its answer.
    Closed {
        /// Clients.
        n_clients: u32,
        /// Microseconds each thinks.
        think_us: i64,
        /// How long they go on asking, in microseconds; none for ever.
        lasts_us: Option<i64>,
    },
}

/// Part of an open load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// How long it lasts, in microseconds.
    pub lasts_us: i64,
    /// Requests a second.
    pub rate: Rate,
}

/// Requests a second in a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rate {
    /// Always as many.
    Constant(u32),
    /// Evenly more or fewer from the phase's beginning to its end.
    Ramp {
        /// At the beginning.
        from: u32,
        /// At the end.
        to: u32,
    },
    /// A peak at the beginning of each period, rest in between.
    Burst {
        /// At rest.
        rest: u32,
        /// At the peak.
        peak: u32,
        /// Microseconds from one peak's beginning to the next's.
        every_us: i64,
        /// Microseconds of a peak.
        peak_us: i64,
    },
    /// A wave that begins at its lowest.
    Diurnal {
        /// The lowest.
        low: u32,
        /// The highest.
        high: u32,
        /// Microseconds of a day.
        day_us: i64,
    },
}

impl Phase {
    /// Requests a second, `at_us` microseconds after the phase's beginning.
    fn rate_at(&self, at_us: i64) -> i64 {
        match &self.rate {
            Rate::Constant(rate) => i64::from(*rate),
            Rate::Ramp { from, to } => {
                let (from, to) = (i64::from(*from), i64::from(*to));
                // At the step's middle, so that the steps together are the ramp.
                let middle = at_us.saturating_add(RATE_STEP_US / 2).min(self.lasts_us);
                let done = i128::from(to - from) * i128::from(middle);
                from + i64::try_from(done / i128::from(self.lasts_us.max(1))).unwrap_or(0)
            }
            Rate::Burst { rest, peak, every_us, peak_us } => {
                let is_peak = at_us % (*every_us).max(1) < *peak_us;
                i64::from(if is_peak { *peak } else { *rest })
            }
            Rate::Diurnal { low, high, day_us } => {
                wave(*low, *high, at_us % (*day_us).max(1), *day_us)
            }
        }
    }

    /// Until when the rate stays as it is at `at_us`.
    fn same_until(&self, at_us: i64) -> i64 {
        let until = match &self.rate {
            Rate::Constant(_) => self.lasts_us,
            Rate::Burst { every_us, peak_us, .. } => {
                let every_us = (*every_us).max(1);
                let (begin, into) = (at_us - at_us % every_us, at_us % every_us);
                begin + if into < *peak_us { (*peak_us).min(every_us) } else { every_us }
            }
            Rate::Ramp { .. } | Rate::Diurnal { .. } => at_us + RATE_STEP_US,
        };
        until.min(self.lasts_us)
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "rates and days are far below 2^53"
)]
fn wave(low: u32, high: u32, at_us: i64, day_us: i64) -> i64 {
    let angle = 2.0 * std::f64::consts::PI * at_us as f64 / day_us.max(1) as f64;
    let share = (1.0 - libm::cos(angle)) / 2.0;
    let more = libm::floor((f64::from(high) - f64::from(low)) * share + 0.5);
    i64::from(low) + more as i64
}

/// Where an open load stands.
#[derive(Debug, Clone)]
pub(crate) struct Arrivals {
    phases: Vec<Phase>,
    /// The phase, microseconds into it, and parts of the next request that have come.
    phase: usize,
    into_us: i64,
    parts: i64,
}

impl Arrivals {
    pub(crate) const fn new(phases: Vec<Phase>) -> Self {
        Self { phases, phase: 0, into_us: 0, parts: 0 }
    }

    /// Microseconds from the last request to the next; none if no more come.
    pub(crate) fn next_us(&mut self) -> Option<i64> {
        let mut waited_us = 0;
        loop {
            let phase = self.phases.get(self.phase)?;
            if self.into_us >= phase.lasts_us {
                (self.phase, self.into_us) = (self.phase + 1, 0);
                continue;
            }
            let rate = phase.rate_at(self.into_us).max(0);
            let until_us = phase.same_until(self.into_us);
            let span_us = until_us - self.into_us;
            let missing = WHOLE - self.parts;
            if rate > 0 && missing <= rate.saturating_mul(span_us) {
                let step_us = (missing + rate - 1) / rate;
                self.parts += rate * step_us - WHOLE;
                self.into_us += step_us;
                return Some(waited_us + step_us);
            }
            self.parts += rate * span_us;
            self.into_us = until_us;
            waited_us += span_us;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    /// How many requests come in each second.
    fn by_second(phases: Vec<Phase>) -> Vec<u32> {
        let mut arrivals = Arrivals::new(phases);
        let (mut at_us, mut counts) = (0, Vec::new());
        while let Some(us) = arrivals.next_us() {
            at_us += us;
            let second = usize::try_from((at_us - 1) / SECOND).unwrap();
            counts.resize(counts.len().max(second + 1), 0);
            counts[second] += 1;
        }
        counts
    }

    fn phase(seconds: i64, rate: Rate) -> Phase {
        Phase { lasts_us: seconds * SECOND, rate }
    }

    #[test]
    fn each_second_has_its_rate_even_where_it_does_not_divide_a_second() {
        assert_eq!(by_second(vec![phase(3, Rate::Constant(7))]), [7, 7, 7]);
        assert_eq!(by_second(vec![phase(2, Rate::Constant(3_001))]), [3_001, 3_001]);
        let two = vec![
            phase(1, Rate::Constant(10)),
            phase(1, Rate::Constant(0)),
            phase(1, Rate::Constant(5)),
        ];
        assert_eq!(by_second(two), [10, 0, 5]);
    }

    #[test]
    fn a_rate_for_ever_brings_its_requests() {
        for rate in [1, 8_000, 32_000, u32::MAX] {
            let for_ever = Phase { lasts_us: i64::MAX, rate: Rate::Constant(rate) };
            let mut arrivals = Arrivals::new(vec![for_ever]);
            assert_eq!(arrivals.next_us(), Some((WHOLE + i64::from(rate) - 1) / i64::from(rate)));
        }
    }

    #[test]
    fn a_ramp_brings_the_area_under_it() {
        let counts = by_second(vec![phase(4, Rate::Ramp { from: 0, to: 400 })]);
        assert!(
            counts.iter().zip([50_u32, 150, 250, 350]).all(|(n, area)| n.abs_diff(area) <= 2),
            "{counts:?}"
        );
        assert!(counts.iter().sum::<u32>().abs_diff(800) <= 4, "{counts:?}");
    }

    #[test]
    fn bursts_and_days_come_again() {
        let burst = Rate::Burst { rest: 10, peak: 100, every_us: 2 * SECOND, peak_us: SECOND };
        assert_eq!(by_second(vec![phase(4, burst)]), [100, 10, 100, 10]);
        let day = Rate::Diurnal { low: 10, high: 110, day_us: 10 * SECOND };
        let counts = by_second(vec![phase(20, day)]);
        assert!(counts[0] < 16 && counts[5] > 104 && counts[10] < 16, "{counts:?}");
    }
}
