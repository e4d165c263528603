//! Capacity units and time.
//!
//! Invariant: units are whole halves; time is microseconds since the Unix epoch and never read from a clock.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// Capacity units of either kind (read or write), kept as whole halves.
///
/// An eventually consistent read costs half a unit, so halves are the smallest thing DynamoDB charges.
///
/// ```
/// # use hashrange_types::CapacityUnits;
/// assert_eq!(CapacityUnits::halves(7).as_f64(), 3.5);
/// assert_eq!((CapacityUnits::whole(1) + CapacityUnits::halves(1)).to_string(), "1.5");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CapacityUnits(u64);

impl CapacityUnits {
    /// No units.
    pub const ZERO: Self = Self(0);

    /// `n` whole units.
    pub const fn whole(n: u64) -> Self {
        Self(n * 2)
    }

    /// `n` half units.
    pub const fn halves(n: u64) -> Self {
        Self(n)
    }

    /// The number of half units.
    pub const fn as_halves(self) -> u64 {
        self.0
    }

    /// The value as DynamoDB prints it. Exact up to 2^52 units.
    #[expect(
        clippy::cast_precision_loss,
        reason = "exact far beyond what a database here can charge"
    )]
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / 2.0
    }

    /// True for no units at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// These units `n` times.
    #[must_use]
    pub const fn times(self, n: u64) -> Self {
        Self(self.0 * n)
    }
}

impl Add for CapacityUnits {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for CapacityUnits {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for CapacityUnits {
    fn sum<I: Iterator<Item = Self>>(units: I) -> Self {
        units.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for CapacityUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.0 % 2 == 1 { ".5" } else { "" };
        write!(f, "{}{half}", self.0 / 2)
    }
}

/// A moment, in microseconds since the Unix epoch. Handed in by drivers; the engine has no clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment `ms` milliseconds after the epoch. Moments after the year 9999, or as far before the epoch,
    /// are taken for its end: no clock shows them, and sums with a few centuries still fit.
    pub const fn from_millis(ms: i64) -> Self {
        const END_MS: i64 = 253_402_300_799_999;
        let ms = if ms > END_MS {
            END_MS
        } else if ms < -END_MS {
            -END_MS
        } else {
            ms
        };
        Self(ms * 1_000)
    }

    /// The moment `ms` milliseconds later.
    #[must_use]
    pub const fn plus_millis(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms.saturating_mul(1_000)))
    }

    /// Whole seconds since the epoch.
    pub const fn whole_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Days since the epoch, in UTC.
    pub const fn day(self) -> i64 {
        self.whole_seconds().div_euclid(86_400)
    }

    /// The moment as `2026-01-31T12:00:00.000`, in UTC.
    ///
    /// ```
    /// # use hashrange_types::Timestamp;
    /// assert_eq!(Timestamp::from_millis(1_769_860_800_007).to_iso(), "2026-01-31T12:00:00.007");
    /// assert_eq!(Timestamp(-1).to_iso(), "1969-12-31T23:59:59.999");
    /// ```
    pub fn to_iso(self) -> String {
        let (year, month, day) = civil(self.day());
        let seconds = self.whole_seconds().rem_euclid(86_400);
        let ms = self.0.div_euclid(1_000).rem_euclid(1_000);
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}")
    }

    /// Seconds since the epoch with a fraction, as DynamoDB writes times.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of this era fit 53 bits")]
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1_000_000.0
    }
}

/// Year, month and day of a day since the epoch: the days of 400 years repeat, counted from March so that a
/// leap day comes last.
const fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}
