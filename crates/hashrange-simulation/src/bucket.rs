//! `TokenBucket`: how much may be used at once, and how fast that comes back.
//!
//! Invariant: the level is never below zero and never above the capacity. One request may take more than there
//! is, since its cost is known only when it was done; what it took too much is owed, and nothing is admitted
//! until it is paid back.
//!
//! Source: facts 6.2, "Burst" and "Adaptive capacity".

use hashrange_types::{CapacityUnits, Timestamp};

/// Parts of a half unit that a level counts in, so that filling by the microsecond loses nothing.
const PARTS: i64 = 1_000_000;

/// A bucket of capacity units that fills with time.
#[derive(Debug, Clone)]
pub struct TokenBucket {
    /// Half units that come back each second.
    rate: i64,
    /// Most parts it holds.
    capacity: i64,
    /// Parts it holds.
    level: i64,
    /// Parts taken beyond the level.
    owed: i64,
    filled_at: Timestamp,
    /// True if it fills at whole seconds only.
    is_by_the_second: bool,
}

impl TokenBucket {
    /// A bucket for `units_per_second` that keeps what `seconds_kept` seconds bring, at least one second's, and
    /// holds `seconds_saved` of them at `now`.
    pub fn new(
        units_per_second: u64,
        seconds_kept: u32,
        seconds_saved: u32,
        now: Timestamp,
    ) -> Self {
        let rate = i64::try_from(units_per_second.saturating_mul(2).min(1 << 40))
            .expect("held below 2^40");
        let capacity = rate * PARTS.saturating_mul(i64::from(seconds_kept.max(1)));
        let level = rate.saturating_mul(PARTS).saturating_mul(i64::from(seconds_saved));
        Self {
            rate,
            capacity,
            level: level.clamp(0, capacity),
            owed: 0,
            filled_at: now,
            is_by_the_second: false,
        }
    }

    /// The same bucket, filled once at the beginning of each second with all that the second brings.
    #[must_use]
    pub const fn by_the_second(self) -> Self {
        Self { is_by_the_second: true, ..self }
    }

    /// Another rate from now on; what it holds stays, as far as there is room, and what a second brings more is
    /// there at once.
    pub fn set_rate(&mut self, units_per_second: u64, seconds_kept: u32, now: Timestamp) {
        self.fill(now);
        let other = Self::new(units_per_second, seconds_kept, 0, now);
        let more = other.rate.saturating_sub(self.rate).max(0).saturating_mul(PARTS);
        (self.rate, self.capacity) = (other.rate, other.capacity);
        self.level = self.level.saturating_add(more).min(self.capacity);
    }

    /// Lets time pass.
    fn fill(&mut self, now: Timestamp) {
        let (from, to) = if self.is_by_the_second {
            (whole_second(self.filled_at), whole_second(now))
        } else {
            (self.filled_at.0, now.0)
        };
        let elapsed_us = to - from;
        if elapsed_us > 0 {
            let parts = i128::from(self.rate) * i128::from(elapsed_us);
            let parts = i64::try_from(parts).unwrap_or(i64::MAX);
            let paid = parts.min(self.owed);
            self.owed -= paid;
            self.level = self.level.saturating_add(parts - paid).min(self.capacity);
        }
        self.filled_at = self.filled_at.max(now);
    }

    /// True if a request may be done now: something is there, and nothing is owed.
    pub fn admits(&mut self, units: CapacityUnits, now: Timestamp) -> bool {
        self.fill(now);
        // A request that costs more than the bucket ever holds goes when the bucket is full.
        let needed = parts(units).min(self.capacity);
        self.owed == 0 && self.level >= needed
    }

    /// Takes what a request cost.
    pub fn take(&mut self, units: CapacityUnits, now: Timestamp) {
        self.fill(now);
        let parts = parts(units);
        let taken = parts.min(self.level);
        self.level -= taken;
        self.owed += parts - taken;
    }

    /// The units it holds, rounded down to halves.
    pub fn level(&mut self, now: Timestamp) -> CapacityUnits {
        self.fill(now);
        units(self.level)
    }

    /// The units it can hold.
    pub fn capacity(&self) -> CapacityUnits {
        units(self.capacity)
    }
}

fn parts(units: CapacityUnits) -> i64 {
    i64::try_from(units.as_halves()).unwrap_or(i64::MAX).saturating_mul(PARTS)
}

fn units(parts: i64) -> CapacityUnits {
    CapacityUnits::halves(u64::try_from(parts / PARTS).unwrap_or(0))
}

const fn whole_second(at: Timestamp) -> i64 {
    at.0.div_euclid(1_000_000) * 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: i64) -> Timestamp {
        Timestamp(n * 1_000_000)
    }

    #[test]
    fn unused_units_of_300_seconds_can_be_spent_at_once() {
        // Facts 6.2: 150 unused read units a second make 45,000 units to burn.
        let mut bucket = TokenBucket::new(150, 300, 0, seconds(0));
        assert_eq!(bucket.level(seconds(300)), CapacityUnits::whole(45_000));
        assert_eq!(bucket.level(seconds(3_000)), CapacityUnits::whole(45_000));
        bucket.take(CapacityUnits::whole(45_000), seconds(3_000));
        assert!(!bucket.admits(CapacityUnits::whole(1), seconds(3_000)));
        assert!(bucket.admits(CapacityUnits::whole(150), seconds(3_001)));
    }

    #[test]
    fn what_a_request_took_too_much_is_paid_back_first() {
        let mut bucket = TokenBucket::new(10, 1, 1, seconds(0));
        assert!(bucket.admits(CapacityUnits::whole(25), seconds(0)));
        bucket.take(CapacityUnits::whole(25), seconds(0));
        assert!(!bucket.admits(CapacityUnits::halves(1), seconds(1)));
        assert_eq!(bucket.level(seconds(2)), CapacityUnits::whole(5));
    }

    #[test]
    fn a_bucket_by_the_second_has_its_units_at_the_beginning_of_each() {
        let mut bucket = TokenBucket::new(10, 1, 1, seconds(0)).by_the_second();
        bucket.take(CapacityUnits::whole(10), Timestamp(10));
        assert_eq!(bucket.level(Timestamp(999_999)), CapacityUnits::ZERO);
        assert_eq!(bucket.level(seconds(1)), CapacityUnits::whole(10));
    }
}
