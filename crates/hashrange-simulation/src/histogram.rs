//! `Histogram`: how long things took.
//!
//! Invariant: its memory is bounded whatever is recorded; a percentile is at most a sixteenth above the truth.

/// Steps that each doubling is divided into.
const STEPS: u64 = 16;

/// Durations counted in steps that grow with them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    n: u64,
    total_us: u64,
    max_us: u64,
}

impl Histogram {
    /// Counts a duration in microseconds; a negative one counts as 0.
    pub fn record(&mut self, us: i64) {
        let us = u64::try_from(us).unwrap_or(0);
        let step = step_of(us);
        if step >= self.counts.len() {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += 1;
        self.n += 1;
        self.total_us = self.total_us.saturating_add(us);
        self.max_us = self.max_us.max(us);
    }

    /// How many were recorded.
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// The longest, in microseconds; 0 for none.
    pub const fn max_us(&self) -> u64 {
        self.max_us
    }

    /// The mean, in whole microseconds; 0 for none.
    pub fn mean_us(&self) -> u64 {
        self.total_us.checked_div(self.n).unwrap_or(0)
    }

    /// What `thousandths` of all durations do not exceed, in microseconds: 500 for the median, 990 for p99.
    pub fn percentile_us(&self, thousandths: u64) -> u64 {
        let wanted = (self.n * thousandths.min(1_000)).div_ceil(1_000).max(1);
        let mut seen = 0;
        for (step, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return (first_of(step + 1) - 1).min(self.max_us);
            }
        }
        0
    }
}

/// The step that a duration lies in.
fn step_of(us: u64) -> usize {
    let doublings = us.max(STEPS).ilog2() - STEPS.ilog2();
    let step = u64::from(doublings) * STEPS + (us >> doublings);
    usize::try_from(step).expect("there are 61 doublings of 16 steps at most")
}

/// The shortest duration of a step.
const fn first_of(step: usize) -> u64 {
    let step = step as u64;
    if step < 2 * STEPS {
        return step;
    }
    let doublings = step / STEPS - 1;
    (step - doublings * STEPS) << doublings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_each_other_without_a_gap() {
        for step in 0..700 {
            assert_eq!(step_of(first_of(step)), step);
            assert_eq!(step_of(first_of(step + 1) - 1), step);
        }
    }

    #[test]
    fn percentiles_are_at_most_a_sixteenth_too_long() {
        let mut histogram = Histogram::default();
        (1..=10_000).for_each(|us| histogram.record(us));
        for thousandths in [10, 500, 900, 990, 999] {
            let (truth, found) = (thousandths * 10, histogram.percentile_us(thousandths));
            assert!((truth..=truth + truth / 16 + 1).contains(&found), "{truth} {found}");
        }
        assert_eq!(histogram.percentile_us(1_000), 10_000);
        assert_eq!((histogram.mean_us(), Histogram::default().percentile_us(500)), (5_000, 0));
    }
}
