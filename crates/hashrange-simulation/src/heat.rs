//! `Heat`: how a partition was used, second by second, and by which keys.
//!
//! Invariant: memory is bounded: seconds are kept for [`MINUTES_BY_SECOND`] minutes, minutes for a day, and a
//! fixed number of keys. Cloning shares everything but the second at hand.
//!
//! Not here: what follows from heat (`cluster::grow`).
//!
//! Source: facts 6.2.

use std::collections::VecDeque;
use std::sync::Arc;

use hashrange_types::{CapacityUnits, EncodedKey, Timestamp};

use crate::admission::Use;
use crate::samples::Samples;
use crate::settings::Settings;
use crate::top_keys::{TopKey, TopKeys};

/// Minutes that are kept second by second.
pub(crate) const MINUTES_BY_SECOND: usize = 15;
/// Minutes that are kept before those.
pub(crate) const MINUTES_KEPT: i64 = 1_440;
/// Hundredths of its ceiling from which a partition counts as near it (facts 6.2: 80 to 90).
const NEAR_PERCENT: u64 = 90;

/// What a partition did in one second, or in one minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Read units consumed.
    pub read: CapacityUnits,
    /// Write units consumed.
    pub write: CapacityUnits,
    /// Reads throttled.
    pub n_read_throttles: u32,
    /// Writes throttled.
    pub n_write_throttles: u32,
}

impl Usage {
    fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.write += other.write;
        self.n_read_throttles += other.n_read_throttles;
        self.n_write_throttles += other.n_write_throttles;
    }
}

/// The key that a use is counted for, and keys along what was read if there were more.
pub(crate) type Used<'a> = (Option<&'a EncodedKey>, &'a [EncodedKey]);

#[derive(Debug, Clone)]
struct Minute {
    number: i64,
    seconds: [Usage; 60],
}

/// What keys a partition is used by.
#[derive(Debug, Clone, Default)]
struct Keys {
    minute: i64,
    top: TopKeys,
    top_before: TopKeys,
    /// Since the partition came near its ceiling.
    samples: Samples,
}

/// How a partition was used.
#[derive(Debug, Clone)]
pub struct Heat {
    /// The second at hand and what it has seen.
    second: i64,
    usage: Usage,
    leader_read: CapacityUnits,
    is_at_ceiling: bool,
    /// Seconds near the ceiling without a break before the one at hand.
    n_hot: u32,
    by_second: VecDeque<Arc<Minute>>,
    by_minute: Arc<VecDeque<(i64, Usage)>>,
    keys: Arc<Keys>,
    /// True for the upper part of a partition that was divided while its keys only rose.
    pub(crate) is_behind: bool,
}

impl Heat {
    pub(crate) fn new(now: Timestamp) -> Self {
        Self {
            second: now.whole_seconds(),
            usage: Usage::default(),
            leader_read: CapacityUnits::ZERO,
            is_at_ceiling: false,
            n_hot: 0,
            by_second: VecDeque::new(),
            by_minute: Arc::default(),
            keys: Arc::default(),
            is_behind: false,
        }
    }

    /// Counts units that were consumed.
    pub(crate) fn count(
        &mut self,
        what: Use,
        units: CapacityUnits,
        keys: Used<'_>,
        settings: &Settings,
        now: Timestamp,
    ) {
        self.see(units, keys, settings, now);
        match what {
            Use::Write => self.usage.write += units,
            Use::LeaderRead => {
                self.usage.read += units;
                self.leader_read += units;
            }
            Use::EventualRead => self.usage.read += units,
        }
    }

    /// Counts a throttled use; `is_at_ceiling` if this partition throttled it.
    pub(crate) fn count_throttle(
        &mut self,
        what: Use,
        units: CapacityUnits,
        keys: Used<'_>,
        is_at_ceiling: bool,
        settings: &Settings,
        now: Timestamp,
    ) {
        self.see(units, keys, settings, now);
        self.is_at_ceiling |= is_at_ceiling;
        if what.is_write() {
            self.usage.n_write_throttles += 1;
        } else {
            self.usage.n_read_throttles += 1;
        }
    }

    fn see(
        &mut self,
        units: CapacityUnits,
        (key, along): Used<'_>,
        settings: &Settings,
        now: Timestamp,
    ) {
        if now.whole_seconds() != self.second {
            self.end_second(settings, now.whole_seconds());
        }
        let Some(key) = key else { return };
        let minute = self.second.div_euclid(60);
        let keys = Arc::make_mut(&mut self.keys);
        if keys.minute != minute {
            let before = std::mem::take(&mut keys.top);
            keys.top_before = if keys.minute + 1 == minute { before } else { TopKeys::default() };
            keys.minute = minute;
        }
        keys.top.count(key, units);
        if along.is_empty() {
            keys.samples.pass(key, units);
        }
        let (halves, n) = (units.as_halves(), along.len() as u64);
        for (position, key) in (0..n).zip(along) {
            let part = halves * (position + 1) / n - halves * position / n;
            keys.samples.pass(key, CapacityUnits::halves(part));
        }
    }

    /// Files the second at hand and begins the one at `second`.
    fn end_second(&mut self, settings: &Settings, second: i64) {
        let near = |used: CapacityUnits, ceiling: u64| {
            used.as_halves() * 100 >= ceiling.saturating_mul(2 * NEAR_PERCENT)
        };
        let read_ceiling = settings.partition_read_units;
        let is_hot = self.is_at_ceiling
            || near(self.usage.write, settings.partition_write_units)
            || near(self.leader_read, read_ceiling)
            || near(self.usage.read, read_ceiling * settings.eventual_read_percent / 100);
        if is_hot && second == self.second + 1 {
            self.n_hot += 1;
        } else {
            self.restart();
        }
        self.file();
        self.second = second;
        self.usage = Usage::default();
        self.leader_read = CapacityUnits::ZERO;
        self.is_at_ceiling = false;
    }

    fn file(&mut self) {
        let number = self.second.div_euclid(60);
        let at = usize::try_from(self.second.rem_euclid(60)).expect("below 60");
        if self.by_second.back().is_none_or(|newest| newest.number != number) {
            let minute = Minute { number, seconds: [Usage::default(); 60] };
            self.by_second.push_back(Arc::new(minute));
        }
        if let Some(newest) = self.by_second.back_mut() {
            Arc::make_mut(newest).seconds[at] = self.usage;
        }
        let oldest_kept = number - i64::try_from(MINUTES_BY_SECOND).expect("fifteen");
        while self.by_second.front().is_some_and(|oldest| oldest.number < oldest_kept) {
            let Some(oldest) = self.by_second.pop_front() else { break };
            let mut sum = Usage::default();
            oldest.seconds.iter().for_each(|second| sum.add(second));
            let by_minute = Arc::make_mut(&mut self.by_minute);
            let kept_from = oldest.number - MINUTES_KEPT;
            while by_minute.front().is_some_and(|(number, _)| *number <= kept_from) {
                by_minute.pop_front();
            }
            by_minute.push_back((oldest.number, sum));
        }
    }

    /// Looks for heat from now on only.
    pub(crate) fn restart(&mut self) {
        self.n_hot = 0;
        Arc::make_mut(&mut self.keys).samples = Samples::default();
    }

    /// Seconds near the ceiling without a break, the one at hand not counted.
    pub(crate) const fn n_hot(&self) -> u32 {
        self.n_hot
    }

    /// Keys of the traffic since the partition came near its ceiling.
    pub(crate) fn samples(&self) -> &Samples {
        &self.keys.samples
    }

    /// What was used second by second, oldest first, without idle minutes; the second at hand is the last. At
    /// most the newest fifteen minutes.
    pub fn seconds(&self) -> impl Iterator<Item = (Timestamp, Usage)> {
        let filed = self.by_second.iter().flat_map(|minute| {
            let seconds = (minute.number * 60..).zip(minute.seconds);
            seconds.map(|(second, usage)| (at_second(second), usage))
        });
        let before = self.second;
        filed
            .filter(move |(at, _)| at.whole_seconds() < before)
            .chain([(at_second(self.second), self.usage)])
    }

    /// What was used minute by minute before that, oldest first, for a day.
    pub fn minutes(&self) -> impl Iterator<Item = (Timestamp, Usage)> {
        self.by_minute.iter().map(|(number, usage)| (at_second(number * 60), *usage))
    }

    /// The keys most used since the beginning of the minute before.
    pub fn top_keys(&self) -> Vec<TopKey> {
        self.keys.top.with(&self.keys.top_before)
    }
}

const fn at_second(second: i64) -> Timestamp {
    Timestamp(second * 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_run_is_kept_by_the_second_then_by_the_minute_and_then_not_at_all() {
        let settings = Settings::default();
        let mut heat = Heat::new(Timestamp(0));
        let days_2 = 2 * 86_400;
        for second in 0..days_2 {
            let now = at_second(second);
            heat.count(Use::Write, CapacityUnits::whole(3), (None, &[]), &settings, now);
        }
        let seconds: Vec<_> = heat.seconds().collect();
        assert!((15 * 60..=16 * 60).contains(&seconds.len()), "{}", seconds.len());
        assert_eq!(seconds.last().unwrap().0, at_second(days_2 - 1));
        assert!(seconds.iter().all(|(_, usage)| usage.write == CapacityUnits::whole(3)));
        let minutes: Vec<_> = heat.minutes().collect();
        assert_eq!(minutes.len(), 1_440);
        assert!(minutes.iter().all(|(_, usage)| usage.write == CapacityUnits::whole(180)));
        assert_eq!(minutes.last().unwrap().0.0 + 60_000_000, seconds[0].0.0);
    }
}
