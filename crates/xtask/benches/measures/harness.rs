//! Timing in turns: subject, yardstick, subject, yardstick, then medians.
//!
//! Invariant: the ratio is the median of the ratios of neighbouring runs, so that slow drift of
//! the machine cancels out.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;

/// How many times each side is timed.
const ROUNDS: usize = 41;
/// How long one timed run lasts at least; far above the clock's resolution.
const RUN_MIN: Duration = Duration::from_millis(5);

/// What one benchmark found.
pub(crate) struct Row {
    name: String,
    /// What the subject took.
    value: f64,
    /// The unit of `value`.
    unit: &'static str,
    yardstick: String,
    /// Subject's time over the yardstick's; with rates, the yardstick's rate over the subject's.
    ratio: f64,
    /// Most that the ratio may be, where there is a target.
    limit: Option<f64>,
    /// Why nothing was measured, if nothing was: then `value` and `ratio` mean nothing.
    unmeasured: Option<String>,
}

impl Row {
    /// A subject that took `value` of `unit`, against a budget in the same unit called `yardstick`.
    pub(crate) fn of_budget(
        name: &str,
        value: f64,
        unit: &'static str,
        yardstick: &str,
        budget: f64,
    ) -> Self {
        Self {
            name: name.to_owned(),
            value,
            unit,
            yardstick: yardstick.to_owned(),
            ratio: value / budget,
            limit: None,
            unmeasured: None,
        }
    }

    /// A subject that answered `rate` times a second, and the yardstick's rate in it.
    pub(crate) fn of_rate(name: &str, rate: f64, yardstick: String, ratio: f64) -> Self {
        Self { yardstick, ratio, ..Self::of_budget(name, rate, "/s", "", 1.0) }
    }

    /// A row that says in one sentence what the measure lacks; it is over no limit.
    pub(crate) fn unmeasured(name: &str, why: String) -> Self {
        Self { unmeasured: Some(why), ..Self::of_budget(name, 0.0, "", "", 1.0) }
    }

    /// Fails the run when the ratio is above `limit`.
    #[must_use]
    pub(crate) fn at_most(self, limit: f64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Whether the ratio keeps to its limit.
    pub(crate) fn is_within_limit(&self) -> bool {
        self.limit.is_none_or(|limit| self.ratio <= limit)
    }

    /// The names of the columns of [`Row::table_line`].
    pub(crate) fn table_head() -> String {
        format!("{:<50} {:>12} {:<6} {:<40} {:>6}", "name", "value", "unit", "yardstick", "ratio")
    }

    /// The row for a person.
    pub(crate) fn table_line(&self) -> String {
        if let Some(why) = &self.unmeasured {
            return format!("{:<50} not measured: {why}", self.name);
        }
        let verdict = match self.limit {
            Some(limit) if self.is_within_limit() => {
                format!("  (at most {})", round(limit, 100.0))
            }
            Some(limit) => format!("  OVER ITS LIMIT of {}", round(limit, 100.0)),
            None => String::new(),
        };
        format!(
            "{:<50} {:>12.1} {:<6} {:<40} {:>6.2}{verdict}",
            self.name, self.value, self.unit, self.yardstick, self.ratio
        )
    }

    /// The row for a program.
    pub(crate) fn json(&self) -> String {
        if let Some(why) = &self.unmeasured {
            return json!({"name": self.name, "value": null, "ratio": null, "unmeasured": why})
                .to_string();
        }
        json!({
            "name": self.name,
            "value": round(self.value, 10.0),
            "unit": self.unit,
            "yardstick": self.yardstick,
            "ratio": round(self.ratio, 1000.0),
        })
        .to_string()
    }
}

/// Times one call of `subject` against one call of `yardstick`, which is called `yardstick_name`.
///
/// What the closures return is kept from the optimiser.
pub(crate) fn compare<S, Y>(
    name: &str,
    mut subject: impl FnMut() -> S,
    yardstick_name: &str,
    mut yardstick: impl FnMut() -> Y,
) -> Row {
    let subject_calls = calls_per_run(&mut subject);
    let yardstick_calls = calls_per_run(&mut yardstick);
    let mut subject_ns = Vec::with_capacity(ROUNDS);
    let mut ratios = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let ours = nanoseconds(&mut subject, subject_calls);
        let theirs = nanoseconds(&mut yardstick, yardstick_calls);
        subject_ns.push(ours);
        ratios.push(ours / theirs);
    }
    Row {
        name: name.to_owned(),
        value: median(subject_ns),
        unit: "ns",
        yardstick: yardstick_name.to_owned(),
        ratio: median(ratios),
        limit: None,
        unmeasured: None,
    }
}

/// How many calls fill a run; doubling warms caches up on the way.
fn calls_per_run<T>(call: &mut impl FnMut() -> T) -> u32 {
    let mut n_calls = 1_u32;
    loop {
        let started = Instant::now();
        for _ in 0..n_calls {
            black_box(call());
        }
        if started.elapsed() >= RUN_MIN || n_calls > u32::MAX / 2 {
            return n_calls;
        }
        n_calls *= 2;
    }
}

fn nanoseconds<T>(call: &mut impl FnMut() -> T, n_calls: u32) -> f64 {
    let started = Instant::now();
    for _ in 0..n_calls {
        black_box(call());
    }
    started.elapsed().as_secs_f64() * 1e9 / f64::from(n_calls)
}

/// The middle one of some values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn round(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}
