//! From which call rate on an index pays: the line between a filter and an index.
//!
//! Invariant: both sides are counted in the same span, a second or the life of one item.
//!
//! Not here: storage of the index, which is told beside the line.
//!
//! Source: shared lessons 3.6: an index costs on every write, a filter on every read.

use crate::cost::{CostSettings, Money, Price};

/// Dollars for a million units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitPrices {
    /// Read units.
    pub read: f64,
    /// Write units.
    pub write: f64,
}

impl Default for UnitPrices {
    /// On demand in us-east-1, list price.
    fn default() -> Self {
        Self::from(&CostSettings::default())
    }
}

impl From<&CostSettings> for UnitPrices {
    /// What a design says: its Region, its table class, its own prices.
    fn from(settings: &CostSettings) -> Self {
        let [read, write] = if settings.is_infrequent_access {
            [Price::ReadIa, Price::WriteIa]
        } else {
            [Price::Read, Price::Write]
        };
        let dollars = |price| Money::dollars(settings.prices.of(price));
        Self { read: dollars(read), write: dollars(write) }
    }
}

/// Calls, in the span that `index_write_units` are counted in, from which on an index is cheaper than the read
/// without it; none if the index saves nothing.
///
/// An order with three changes of status writes 7 units into an index by status; a filter reads 10 units where the
/// index reads half a unit. So the index pays from 3.68 queries per order on, and a sparse index that 3 % of the
/// orders ever enter from 0.016 on.
///
/// ```
/// # use hashrange_design::suggest::{UnitPrices, break_even};
/// let prices = UnitPrices::default();
/// let by_status = break_even(7.0, 10.0 - 0.5, prices).unwrap();
/// assert!((by_status - 3.684).abs() < 0.001);
/// let sparse = break_even(0.03 * 1.0, 10.0 - 0.5, prices).unwrap();
/// assert!((sparse - 0.0158).abs() < 0.0001);
/// assert_eq!(break_even(1.0, 0.0, prices), None);
/// ```
pub fn break_even(
    index_write_units: f64,
    saved_read_units: f64,
    prices: UnitPrices,
) -> Option<f64> {
    let saved = saved_read_units * prices.read;
    (saved > 0.0).then(|| index_write_units * prices.write / saved)
}
