//! Admission: what a partition, and what a table or index, serves a second.
//!
//! Invariant: nothing is taken from one bucket of a request unless all its buckets admit it.
//!
//! Source: facts 6.2 to 6.4.

use std::collections::VecDeque;

use hashrange_types::limits::TABLE_CAPACITY_UNITS_MAX;
use hashrange_types::{CapacityUnits, ProvisionedThroughput, Timestamp};

use crate::bucket::TokenBucket;
use crate::settings::Settings;
use crate::throttle::Limit;

/// Write units a second a new on-demand table serves.
const ON_DEMAND_WRITE: u64 = 4_000;
/// Read units a second a new on-demand table serves.
const ON_DEMAND_READ: u64 = 12_000;
/// Minutes after which a peak counts as the one before.
const PEAK_MINUTES: i64 = 30;

/// What is asked of a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Writes, at the leader.
    Write,
    /// Strongly consistent reads, at the leader.
    LeaderRead,
    /// Eventually consistent reads, at any replica.
    EventualRead,
}

impl Use {
    pub(crate) const fn is_write(self) -> bool {
        matches!(self, Self::Write)
    }
}

/// What one partition serves a second.
#[derive(Debug, Clone)]
pub(crate) struct Ceilings {
    write: TokenBucket,
    leader_read: TokenBucket,
    read: TokenBucket,
}

impl Ceilings {
    pub(crate) fn new(settings: &Settings, now: Timestamp) -> Self {
        let bucket = |units| paced(TokenBucket::new(units, 1, 1, now), settings);
        let read = settings.partition_read_units;
        Self {
            write: bucket(settings.partition_write_units),
            leader_read: bucket(read),
            read: bucket(read * settings.eventual_read_percent / 100),
        }
    }

    /// True if the partition has room for a request.
    pub(crate) fn admits(&mut self, what: Use, units: CapacityUnits, now: Timestamp) -> bool {
        match what {
            Use::Write => self.write.admits(units, now),
            Use::LeaderRead => self.leader_read.admits(units, now) && self.read.admits(units, now),
            Use::EventualRead => self.read.admits(units, now),
        }
    }

    /// Takes what a request cost.
    pub(crate) fn take(&mut self, what: Use, units: CapacityUnits, now: Timestamp) {
        match what {
            Use::Write => self.write.take(units, now),
            Use::LeaderRead => {
                self.leader_read.take(units, now);
                self.read.take(units, now);
            }
            Use::EventualRead => self.read.take(units, now),
        }
    }
}

fn paced(bucket: TokenBucket, settings: &Settings) -> TokenBucket {
    if settings.is_by_the_second { bucket.by_the_second() } else { bucket }
}

/// What a table or index serves a second, of reads and of writes.
#[derive(Debug, Clone)]
pub(crate) struct Capacity {
    read: Throughput,
    write: Throughput,
    units: Option<ProvisionedThroughput>,
}

impl Capacity {
    pub(crate) fn new(
        units: Option<ProvisionedThroughput>,
        settings: &Settings,
        now: Timestamp,
    ) -> Self {
        let one = |provisioned: Option<u64>, initial| match provisioned {
            Some(units) => Throughput::provisioned(units, settings, now),
            None => Throughput::on_demand(initial, settings, now),
        };
        Self {
            read: one(units.map(|units| units.read), ON_DEMAND_READ),
            write: one(units.map(|units| units.write), ON_DEMAND_WRITE),
            units,
        }
    }

    /// Takes over another capacity.
    pub(crate) fn follow(
        &mut self,
        units: Option<ProvisionedThroughput>,
        settings: &Settings,
        now: Timestamp,
    ) {
        if self.units == units {
            return;
        }
        match (self.units, units) {
            (Some(_), Some(units)) => {
                self.read.bucket.set_rate(units.read, settings.burst_seconds, now);
                self.write.bucket.set_rate(units.write, settings.burst_seconds, now);
            }
            // What was provisioned stays warm.
            (Some(old), None) => {
                self.read = Throughput::on_demand(old.read.max(ON_DEMAND_READ), settings, now);
                self.write = Throughput::on_demand(old.write.max(ON_DEMAND_WRITE), settings, now);
            }
            (None, _) => *self = Self::new(units, settings, now),
        }
        self.units = units;
    }

    /// True without provisioned capacity.
    pub(crate) const fn is_on_demand(&self) -> bool {
        self.units.is_none()
    }

    /// The limit that a request meets, if it meets one.
    pub(crate) fn refusal(
        &mut self,
        what: Use,
        units: CapacityUnits,
        now: Timestamp,
    ) -> Option<Limit> {
        self.of(what).refusal(units, now)
    }

    /// Takes what a request cost.
    pub(crate) fn take(&mut self, what: Use, units: CapacityUnits, now: Timestamp) {
        self.of(what).take(units, now);
    }

    const fn of(&mut self, what: Use) -> &mut Throughput {
        match what {
            Use::Write => &mut self.write,
            Use::LeaderRead | Use::EventualRead => &mut self.read,
        }
    }
}

#[derive(Debug, Clone)]
struct Throughput {
    bucket: TokenBucket,
    peaks: Option<Peaks>,
}

impl Throughput {
    fn provisioned(units: u64, settings: &Settings, now: Timestamp) -> Self {
        let bucket = TokenBucket::new(
            units,
            settings.burst_seconds,
            settings.burst_seconds_saved.max(1),
            now,
        );
        Self { bucket: paced(bucket, settings), peaks: None }
    }

    fn on_demand(units: u64, settings: &Settings, now: Timestamp) -> Self {
        let bucket = paced(TokenBucket::new(units, 1, 1, now), settings);
        Self { bucket, peaks: Some(Peaks::new(units)) }
    }

    fn refusal(&mut self, units: CapacityUnits, now: Timestamp) -> Option<Limit> {
        if let Some(peaks) = &mut self.peaks
            && let Some(rate) = peaks.grown(now)
        {
            self.bucket.set_rate(rate, 1, now);
        }
        let limit = if self.peaks.is_some() { Limit::KeyRange } else { Limit::Provisioned };
        (!self.bucket.admits(units, now)).then_some(limit)
    }

    fn take(&mut self, units: CapacityUnits, now: Timestamp) {
        self.bucket.take(units, now);
        if let Some(peaks) = &mut self.peaks {
            peaks.count(units, now);
        }
    }
}

/// The peaks of an on-demand table: it serves twice the peak before, which is one that was reached half an hour
/// ago or earlier.
#[derive(Debug, Clone)]
struct Peaks {
    /// Units a second that are served now.
    served: u64,
    second: i64,
    in_second: CapacityUnits,
    /// Highest use of each minute that does not count yet, in units a second, oldest first.
    minutes: VecDeque<(i64, u64)>,
}

impl Peaks {
    const fn new(served: u64) -> Self {
        Self { served, second: 0, in_second: CapacityUnits::ZERO, minutes: VecDeque::new() }
    }

    fn count(&mut self, units: CapacityUnits, now: Timestamp) {
        if now.whole_seconds() != self.second {
            self.second = now.whole_seconds();
            self.in_second = CapacityUnits::ZERO;
        }
        self.in_second += units;
        let (minute, used) = (self.second.div_euclid(60), self.in_second.as_halves() / 2);
        match self.minutes.back_mut() {
            Some((newest, peak)) if *newest == minute => *peak = used.max(*peak),
            _ => self.minutes.push_back((minute, used)),
        }
    }

    /// What is served from now on, if it is more than before.
    fn grown(&mut self, now: Timestamp) -> Option<u64> {
        let minute = now.whole_seconds().div_euclid(60);
        let mut peak = 0;
        while self.minutes.front().is_some_and(|(at, _)| minute - at >= PEAK_MINUTES) {
            peak = self.minutes.pop_front().map_or(0, |(_, used)| used).max(peak);
        }
        let served = (peak * 2).min(TABLE_CAPACITY_UNITS_MAX);
        (served > self.served).then(|| {
            self.served = served;
            served
        })
    }
}
