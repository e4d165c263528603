//! Admission: what a partition, and what a table or index, serves a second.
//!
//! Invariant: nothing is taken from one bucket of a request unless all its buckets admit it.
//!
//! Source: facts 6.2 to 6.4.

use std::collections::VecDeque;

use hashrange_types::table_state::{ON_DEMAND_WARM, OnDemandThroughput};
use hashrange_types::{CapacityUnits, ProvisionedThroughput, Timestamp};

use crate::bucket::TokenBucket;
use crate::settings::Settings;
use crate::throttle::Limit;

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
    /// Its part of the table's write and read units, where these are not adaptive.
    share: Option<[TokenBucket; 2]>,
}

impl Ceilings {
    pub(crate) fn new(settings: &Settings, now: Timestamp) -> Self {
        let bucket = |units| paced(TokenBucket::new(units, 1, 1, now), settings);
        let read = settings.partition_read_units;
        Self {
            write: bucket(settings.partition_write_units),
            leader_read: bucket(read),
            read: bucket(read * settings.eventual_read_percent / 100),
            share: None,
        }
    }

    /// Gives the partition one of `n` equal parts of these units, rounded down but to at least one unit.
    pub(crate) fn set_share(
        &mut self,
        units: Option<ProvisionedThroughput>,
        n: u64,
        settings: &Settings,
        now: Timestamp,
    ) {
        let Some(units) = units else {
            self.share = None;
            return;
        };
        let parts = [units.write, units.read].map(|units| (units / n.max(1)).max(1));
        match &mut self.share {
            Some(buckets) => {
                for (bucket, units) in buckets.iter_mut().zip(parts) {
                    bucket.set_rate(units, settings.burst_seconds, now);
                }
            }
            None => self.share = Some(parts.map(|units| saving(units, settings, now))),
        }
    }

    /// The limit that a request meets here, if it meets one.
    pub(crate) fn refusal(
        &mut self,
        what: Use,
        units: CapacityUnits,
        now: Timestamp,
    ) -> Option<Limit> {
        let has_share = match &mut self.share {
            Some([write, read]) => {
                let share = if what.is_write() { write } else { read };
                share.admits(units, now)
            }
            None => true,
        };
        let has_room = match what {
            Use::Write => self.write.admits(units, now),
            Use::LeaderRead => self.leader_read.admits(units, now) && self.read.admits(units, now),
            Use::EventualRead => self.read.admits(units, now),
        };
        match (has_share, has_room) {
            (false, _) => Some(Limit::Provisioned),
            (true, false) => Some(Limit::KeyRange),
            (true, true) => None,
        }
    }

    /// Takes what a request cost.
    pub(crate) fn take(&mut self, what: Use, units: CapacityUnits, now: Timestamp) {
        if let Some([write, read]) = &mut self.share {
            let share = if what.is_write() { write } else { read };
            share.take(units, now);
        }
        match what {
            Use::Write => self.write.take(units, now),
            Use::LeaderRead => {
                self.leader_read.take(units, now);
                self.read.take(units, now);
            }
            Use::EventualRead => self.read.take(units, now),
        }
    }

    /// What is left of writes, strong reads, and all reads.
    pub(crate) fn levels(&self, now: Timestamp) -> [CapacityUnits; 3] {
        [&self.write, &self.leader_read, &self.read].map(|bucket| bucket.clone().level(now))
    }
}

fn paced(bucket: TokenBucket, settings: &Settings) -> TokenBucket {
    if settings.is_by_the_second { bucket.by_the_second() } else { bucket }
}

/// A bucket that keeps what was not used for a while.
fn saving(units: u64, settings: &Settings, now: Timestamp) -> TokenBucket {
    let saved = settings.burst_seconds_saved.max(1);
    paced(TokenBucket::new(units, settings.burst_seconds, saved, now), settings)
}

/// What a table or index may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Provisioned capacity; none on demand.
    pub(crate) units: Option<ProvisionedThroughput>,
    /// Warm throughput: what it serves at once on demand.
    pub(crate) warm: ProvisionedThroughput,
    /// The most it may use on demand.
    pub(crate) maximum: OnDemandThroughput,
}

/// What a table or index serves a second, of reads and of writes.
#[derive(Debug, Clone)]
pub(crate) struct Capacity {
    read: Throughput,
    write: Throughput,
    allowance: Allowance,
    is_grown: bool,
}

impl Capacity {
    pub(crate) fn new(allowance: Allowance, settings: &Settings, now: Timestamp) -> Self {
        let Allowance { units, warm, maximum } = allowance;
        let one = |provisioned: Option<u64>, warm, maximum| match provisioned {
            Some(units) => Throughput::provisioned(units, settings, now),
            None => Throughput::on_demand(warm, maximum, settings, now),
        };
        let is_warmer = warm.read > ON_DEMAND_WARM.read || warm.write > ON_DEMAND_WARM.write;
        Self {
            read: one(units.map(|units| units.read), warm.read, maximum.read),
            write: one(units.map(|units| units.write), warm.write, maximum.write),
            allowance,
            is_grown: units.is_none() && is_warmer,
        }
    }

    /// Takes over another allowance. What was served before stays warm.
    pub(crate) fn follow(&mut self, allowance: Allowance, settings: &Settings, now: Timestamp) {
        if self.allowance == allowance {
            return;
        }
        match (self.allowance.units, allowance.units) {
            (Some(before), Some(units)) => {
                if before != units {
                    self.read.bucket.set_rate(units.read, settings.burst_seconds, now);
                    self.write.bucket.set_rate(units.write, settings.burst_seconds, now);
                }
            }
            (None, None) => {
                let Allowance { warm, maximum, .. } = allowance;
                let is_read_grown = self.read.follow(warm.read, maximum.read, settings, now);
                let is_write_grown = self.write.follow(warm.write, maximum.write, settings, now);
                self.is_grown |= is_read_grown || is_write_grown;
            }
            _ => *self = Self::new(allowance, settings, now),
        }
        self.allowance = allowance;
    }

    /// True without provisioned capacity.
    pub(crate) const fn is_on_demand(&self) -> bool {
        self.allowance.units.is_none()
    }

    /// Provisioned capacity; none on demand.
    pub(crate) const fn provisioned(&self) -> Option<ProvisionedThroughput> {
        self.allowance.units
    }

    /// True if more is served than before, and nobody asked yet.
    pub(crate) const fn is_grown(&self) -> bool {
        self.is_grown
    }

    /// What an on-demand table or index serves, if that grew since it was asked last.
    pub(crate) fn take_growth(&mut self) -> Option<ProvisionedThroughput> {
        let is_grown = std::mem::take(&mut self.is_grown);
        let read = self.read.served().filter(|_| is_grown)?;
        Some(ProvisionedThroughput { read, write: self.write.served()? })
    }

    /// The limit that a request meets, if it meets one.
    pub(crate) fn refusal(
        &mut self,
        what: Use,
        units: CapacityUnits,
        now: Timestamp,
    ) -> Option<Limit> {
        let one = self.of(what);
        let is_grown = one.grow(now);
        let refusal = one.refusal(units, now);
        self.is_grown |= is_grown;
        refusal
    }

    /// Takes what a request cost.
    pub(crate) fn take(&mut self, what: Use, units: CapacityUnits, now: Timestamp) {
        self.of(what).take(units, now);
    }

    /// What is left of writes and of reads.
    pub(crate) fn levels(&self, now: Timestamp) -> [CapacityUnits; 2] {
        [&self.write, &self.read].map(|one| one.bucket.clone().level(now))
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
    /// The most that was set for on-demand requests.
    maximum: Option<TokenBucket>,
}

impl Throughput {
    fn provisioned(units: u64, settings: &Settings, now: Timestamp) -> Self {
        Self { bucket: saving(units, settings, now), peaks: None, maximum: None }
    }

    fn on_demand(warm: u64, maximum: Option<i64>, settings: &Settings, now: Timestamp) -> Self {
        let served = warm.min(settings.table_units_max);
        let bucket = paced(TokenBucket::new(served, 1, 1, now), settings);
        let peaks = Peaks::new(served, settings.table_units_max);
        Self { bucket, peaks: Some(peaks), maximum: maximum_of(maximum, settings, now) }
    }

    /// Takes over warm throughput and maximum of an on-demand table. True if it serves more than before.
    fn follow(
        &mut self,
        warm: u64,
        maximum: Option<i64>,
        settings: &Settings,
        now: Timestamp,
    ) -> bool {
        self.maximum = maximum_of(maximum, settings, now);
        let Some(peaks) = &mut self.peaks else { return false };
        let is_warmer = peaks.serve(warm);
        if is_warmer {
            self.bucket.set_rate(peaks.served, 1, now);
        }
        is_warmer
    }

    /// What is served a second on demand.
    fn served(&self) -> Option<u64> {
        self.peaks.as_ref().map(|peaks| peaks.served)
    }

    /// Follows an on-demand table's peaks. True if it serves more than before.
    fn grow(&mut self, now: Timestamp) -> bool {
        let Some(peaks) = &mut self.peaks else { return false };
        let is_grown = peaks.grow(now);
        if is_grown {
            self.bucket.set_rate(peaks.served, 1, now);
        }
        is_grown
    }

    fn refusal(&mut self, units: CapacityUnits, now: Timestamp) -> Option<Limit> {
        if self.maximum.as_mut().is_some_and(|bucket| !bucket.admits(units, now)) {
            return Some(Limit::MaxOnDemand);
        }
        if self.bucket.admits(units, now) {
            return None;
        }
        Some(match &self.peaks {
            None => Limit::Provisioned,
            Some(peaks) if peaks.served >= peaks.quota => Limit::Account,
            Some(_) => Limit::KeyRange,
        })
    }

    fn take(&mut self, units: CapacityUnits, now: Timestamp) {
        self.bucket.take(units, now);
        if let Some(maximum) = &mut self.maximum {
            maximum.take(units, now);
        }
        if let Some(peaks) = &mut self.peaks {
            peaks.count(units, now);
        }
    }
}

/// The bucket of an on-demand maximum; -1 stands for none.
fn maximum_of(units: Option<i64>, settings: &Settings, now: Timestamp) -> Option<TokenBucket> {
    let units = u64::try_from(units?).ok()?;
    Some(paced(TokenBucket::new(units, 1, 1, now), settings))
}

/// The peaks of an on-demand table: it serves twice the peak before, which is one that was reached half an hour
/// ago or earlier.
#[derive(Debug, Clone)]
struct Peaks {
    /// Units a second that are served now.
    served: u64,
    /// The most that the account's quota lets one table use.
    quota: u64,
    second: i64,
    in_second: CapacityUnits,
    /// Highest use of each minute that does not count yet, in units a second, oldest first.
    minutes: VecDeque<(i64, u64)>,
}

impl Peaks {
    const fn new(served: u64, quota: u64) -> Self {
        Self { served, quota, second: 0, in_second: CapacityUnits::ZERO, minutes: VecDeque::new() }
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

    /// Serves twice what was reached half an hour ago or earlier. True if that is more than before.
    fn grow(&mut self, now: Timestamp) -> bool {
        let minute = now.whole_seconds().div_euclid(60);
        let mut peak = 0;
        while self.minutes.front().is_some_and(|(at, _)| minute - at >= PEAK_MINUTES) {
            peak = self.minutes.pop_front().map_or(0, |(_, used)| used).max(peak);
        }
        self.serve(peak * 2)
    }

    /// Serves so many units a second, as far as the quota goes. True if that is more than before.
    fn serve(&mut self, units: u64) -> bool {
        let before = self.served;
        self.served = units.min(self.quota).max(before);
        self.served > before
    }
}
