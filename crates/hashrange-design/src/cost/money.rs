//! `Money` and `Rate`: amounts that add up exactly.
//!
//! Invariant: money is whole picodollars and a rate whole thousandths of a call a month; nothing here rounds
//! twice, overflows or goes below nothing.
//!
//! Not here: how an amount reads (`hashrange-playground`), what things cost ([`super::prices`]).

use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// Hours of a month, as AWS bills count them.
pub const MONTH_HOURS: u64 = 730;
/// Seconds of such a month.
pub const MONTH_SECONDS: u64 = MONTH_HOURS * 3_600;

const PICO_PER_DOLLAR: u128 = 1_000_000_000_000;
/// Digits after the point a price may have.
const DECIMALS_MAX: usize = 12;
/// Dearest price anyone may enter, in dollars.
const PRICE_MAX: u128 = 1_000_000;

/// An amount of US dollars, in whole picodollars, never negative.
///
/// ```
/// # use hashrange_design::cost::Money;
/// let price = Money::parse("0.625").unwrap();
/// assert_eq!(price.share(20_000_000, 1_000_000).cents(), 1_250);
/// assert_eq!(price.decimal(), "0.625");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u128);

/// Why a text is not a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// Not digits with at most one point.
    #[error("a price is a number of dollars such as 0.625, without a sign or a currency")]
    NotANumber,
    /// More digits after the point than a picodollar has.
    #[error("a price has at most 12 digits after the point")]
    TooFine,
    /// More than a million dollars.
    #[error("a price is at most 1000000 dollars")]
    TooDear,
}

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// `n` billionths of a dollar.
    pub const fn from_nanodollars(n: u64) -> Self {
        Self(n as u128 * 1_000)
    }

    /// Reads a price such as `0.00065`.
    ///
    /// # Errors
    /// The text is not a plain decimal number of dollars, or out of range.
    pub fn parse(text: &str) -> Result<Self, PriceError> {
        let text = text.trim();
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
            return Err(PriceError::NotANumber);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > DECIMALS_MAX {
            return Err(PriceError::TooFine);
        }
        let mut pico: u128 = 0;
        for digit in whole.bytes() {
            pico = pico * 10 + u128::from(digit - b'0');
            if pico > PRICE_MAX {
                return Err(PriceError::TooDear);
            }
        }
        for at in 0..DECIMALS_MAX {
            let digit = fraction.as_bytes().get(at).map_or(0, |digit| digit - b'0');
            pico = pico * 10 + u128::from(digit);
        }
        if pico > PRICE_MAX * PICO_PER_DOLLAR {
            return Err(PriceError::TooDear);
        }
        Ok(Self(pico))
    }

    /// The amount as digits without trailing zeros: `0.00013`.
    pub fn decimal(self) -> String {
        let (whole, fraction) = (self.0 / PICO_PER_DOLLAR, self.0 % PICO_PER_DOLLAR);
        let text = format!("{whole}.{fraction:012}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// The amount in whole picodollars.
    pub const fn picodollars(self) -> u128 {
        self.0
    }

    /// The amount in dollars, for estimates; bills are never added up of these.
    #[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / PICO_PER_DOLLAR as f64
    }

    /// The amount in whole cents, halves upwards.
    pub const fn cents(self) -> u128 {
        self.0.saturating_add(PICO_PER_DOLLAR / 200) / (PICO_PER_DOLLAR / 100)
    }

    /// True for nothing at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// This amount `n` times.
    #[must_use]
    pub const fn times(self, n: u128) -> Self {
        Self(self.0.saturating_mul(n))
    }

    /// `part` of `whole` parts of this amount, to the nearest picodollar; nothing of no parts.
    #[must_use]
    pub const fn share(self, part: u128, whole: u128) -> Self {
        if whole == 0 {
            return Self::ZERO;
        }
        match self.0.checked_mul(part) {
            Some(product) => Self(product.saturating_add(whole / 2) / whole),
            // Beyond any bill: exact enough, and an amount all the same.
            None => Self((self.0 / whole).saturating_mul(part)),
        }
    }

    /// What is left after `other`; nothing if that is more.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// How often something is asked, in thousandths of a call a month of 730 hours.
///
/// ```
/// # use hashrange_design::cost::Rate;
/// assert_eq!(Rate::per_second(0.05).thousandths_a_month(), 131_400_000);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// So many calls a second, to a thousandth of a call a month; less than nothing is nothing.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a cast of a float ends at the ends of the integer, which is what is wanted"
    )]
    pub fn per_second(calls: f64) -> Self {
        Self((calls * (MONTH_SECONDS * 1_000) as f64).round() as u64)
    }

    /// So many calls a month.
    pub const fn per_month(calls: u64) -> Self {
        Self(calls.saturating_mul(1_000))
    }

    /// Thousandths of a call a month.
    pub const fn thousandths_a_month(self) -> u64 {
        self.0
    }

    /// Thousandths of a call a second, rounded.
    pub const fn thousandths_a_second(self) -> u64 {
        self.0.saturating_add(MONTH_SECONDS / 2) / MONTH_SECONDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prices_are_read_digit_by_digit() {
        for (text, decimal) in [
            ("0.625", "0.625"),
            (" 12 ", "12"),
            (".5", "0.5"),
            ("3.", "3"),
            ("0.000000000001", "0.000000000001"),
            ("0.1000000000000000", "0.1"),
            ("1000000", "1000000"),
        ] {
            assert_eq!(Money::parse(text).map(Money::decimal).as_deref(), Ok(decimal), "{text}");
        }
    }

    #[test]
    fn what_is_no_price_is_refused_with_its_reason() {
        for text in ["", ".", "-1", "+1", "1e3", "$1", "0,5", "1.2.3", "NaN", "١"] {
            assert_eq!(Money::parse(text), Err(PriceError::NotANumber), "{text}");
        }
        assert_eq!(Money::parse("0.0000000000001"), Err(PriceError::TooFine));
        for text in ["1000000.01", "1000001", "99999999999999999999999999999999999999999999"] {
            assert_eq!(Money::parse(text), Err(PriceError::TooDear), "{text}");
        }
    }

    #[test]
    fn cents_round_halves_upwards() {
        let cents = |text: &str| Money::parse(text).unwrap().cents();
        assert_eq!((cents("0.004"), cents("0.005"), cents("20.625")), (0, 1, 2_063));
    }

    #[test]
    fn amounts_beyond_any_bill_end_at_the_largest() {
        let most = Money::from_nanodollars(u64::MAX).times(u128::MAX);
        assert_eq!(most + most, most);
        assert_eq!(most.cents(), (u128::MAX) / 10_000_000_000);
        assert!(most.share(u128::MAX, 3) <= most);
        assert_eq!(most.share(1, 0), Money::ZERO);
    }

    #[test]
    fn a_rate_of_nonsense_is_none() {
        for calls in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(Rate::per_second(calls), Rate::default());
        }
        assert_eq!(Rate::per_second(f64::INFINITY).thousandths_a_month(), u64::MAX);
        assert_eq!(Rate::per_second(310.0).thousandths_a_second(), 310_000);
    }

    proptest! {
        #[test]
        fn a_price_survives_being_written(nanodollars in any::<u64>()) {
            let price = Money::from_nanodollars(nanodollars % 1_000_000_000_000_000);
            prop_assert_eq!(Money::parse(&price.decimal()), Ok(price));
        }
    }
}
