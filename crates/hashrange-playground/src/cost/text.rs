//! Amounts as people read them: `$1,198.45`, `$0.00013`, `310/s`, `28.9 %`.
//!
//! Invariant: an amount that is not nothing never reads as nothing.

use hashrange_design::cost::{Money, Rate};

use crate::format::{self, GAP};

/// Digits after the point of an amount below a cent.
const FINE_DIGITS: usize = 2;
/// From here on cents say nothing in a sentence.
const WHOLE_FROM: Money = Money::from_nanodollars(100_000_000_000);

/// `$1,198.45`; below a cent two digits that tell: `$0.0009`.
pub(crate) fn dollars(money: Money) -> String {
    let cents = money.cents();
    if cents > 0 || money.is_zero() {
        return format!("${}.{:02}", grouped(cents / 100), cents % 100);
    }
    let text = money.decimal();
    let fraction = text.strip_prefix("0.").unwrap_or_default();
    let zeros = fraction.len() - fraction.trim_start_matches('0').len();
    let shown = fraction.get(..zeros + FINE_DIGITS).unwrap_or(fraction);
    format!("$0.{shown}").trim_end_matches('0').to_owned()
}

/// `$1,198`; cents below a hundred dollars.
pub(crate) fn about(money: Money) -> String {
    if money < WHOLE_FROM {
        dollars(money)
    } else {
        format!("${}", grouped((money.cents() + 50) / 100))
    }
}

/// A price in full, with cents at least: `$0.00013`, `$0.10`, `$150.00`.
pub(crate) fn price(money: Money) -> String {
    let text = money.decimal();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole: u128 = whole.parse().unwrap_or(u128::MAX);
    format!("${}.{fraction:0<2}", grouped(whole))
}

/// A price worked out, to a tenth of a cent: `$1.631`.
pub(crate) fn price_of_million(money: Money) -> String {
    let mills = money.times(10).cents();
    price(Money::from_nanodollars(
        u64::try_from(mills).unwrap_or(u64::MAX).saturating_mul(1_000_000),
    ))
}

/// `−$66.43`, `+$3.00`, `±$0`: what `to` is more than `from`.
pub(crate) fn change(from: Money, to: Money) -> String {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => format!("−{}", dollars(from.minus(to))),
        std::cmp::Ordering::Greater => format!("+{}", dollars(to.minus(from))),
        std::cmp::Ordering::Equal => "±$0".to_owned(),
    }
}

/// `11.3` of two amounts; the second is not nothing.
pub(crate) fn times(part: Money, whole: Money) -> String {
    let tenths = Money::from_nanodollars(1_000).share(part.picodollars(), whole.picodollars());
    number(tenths.picodollars() / 1_000, 1)
}

/// `1,198` of any whole number.
pub(crate) fn grouped(n: u128) -> String {
    // No bill and no quantity here is beyond this.
    format::count(u64::try_from(n).unwrap_or(u64::MAX))
}

/// A number of thousandths with at most `digits` (1 to 3) digits after the point, rounded: `0.5`, `2,628,000`.
pub(crate) fn number(thousandths: u128, digits: u32) -> String {
    let step = 10_u128.pow(3 - digits.min(3));
    let rounded = thousandths.saturating_add(step / 2) / step * step;
    let whole = grouped(rounded / 1_000);
    let fraction = format!("{:03}", rounded % 1_000);
    match fraction.trim_end_matches('0') {
        "" => whole,
        fraction => format!("{whole}.{fraction}"),
    }
}

/// `310/s`, `3/min`, `1/h`, `2 a month`; nothing where a pattern states no rate.
pub(crate) fn rate(rate: Rate) -> String {
    const MONTH_SECONDS: u128 = hashrange_design::cost::MONTH_SECONDS as u128;
    let month = u128::from(rate.thousandths_a_month());
    if month == 0 {
        return String::new();
    }
    for (seconds, unit) in [(1, "/s"), (60, "/min"), (3_600, "/h")] {
        let calls = (month * seconds + MONTH_SECONDS / 2) / MONTH_SECONDS;
        if calls >= 1_000 {
            return format!("{}{unit}", number(calls, 2));
        }
    }
    format!("{} a month", number(month, 2))
}

/// `28.9 %` of hundredths of a percent.
pub(crate) fn percent(hundredths: u128) -> String {
    format!("{}{GAP}%", number(hundredths.saturating_mul(10), 1))
}

/// `85 %` of an amount.
pub(crate) fn part(part: Money, whole: Money) -> String {
    let fits = |money: Money| u64::try_from(money.picodollars() >> 40).unwrap_or(u64::MAX);
    // Shares of small bills need the low digits, those of large ones do not fit 64 bits.
    match (u64::try_from(part.picodollars()), u64::try_from(whole.picodollars())) {
        (Ok(part), Ok(whole)) => format::percent(part, whole),
        _ => format::percent(fits(part), fits(whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str) -> Money {
        Money::parse(text).unwrap()
    }

    #[test]
    fn amounts_read_to_the_cent_and_below_a_cent_as_far_as_they_tell() {
        for (amount, text) in [
            ("0", "$0.00"),
            ("1198.449", "$1,198.45"),
            ("0.0009125", "$0.00091"),
            ("0.000000000001", "$0.000000000001"),
            ("0.0045", "$0.0045"),
            ("0.005", "$0.01"),
        ] {
            assert_eq!(dollars(money(amount)), text);
        }
        assert_eq!(about(money("1198.45")), "$1,198");
        assert_eq!(about(money("19.714")), "$19.71");
    }

    #[test]
    fn prices_keep_every_digit() {
        for (amount, text) in
            [("0.00013", "$0.00013"), ("0.1", "$0.10"), ("150", "$150.00"), ("0.625", "$0.625")]
        {
            assert_eq!(price(money(amount)), text);
        }
    }

    #[test]
    fn a_change_has_its_sign() {
        assert_eq!(change(money("1198.45"), money("1132.02")), "−$66.43");
        assert_eq!(change(money("1"), money("1.5")), "+$0.50");
        assert_eq!(change(money("1"), money("1")), "±$0");
    }

    #[test]
    fn rates_choose_the_unit_that_reads_best() {
        for (per_second, text) in [
            (310.0, "310/s"),
            (0.05, "3/min"),
            (24.0 / 86_400.0, "1/h"),
            (1.5, "1.5/s"),
            (12_345.678, "12,345.68/s"),
            (0.000_001, "2.63 a month"),
            (0.0, ""),
        ] {
            assert_eq!(rate(Rate::per_second(per_second)), text);
        }
    }

    #[test]
    fn percentages_have_one_digit() {
        assert_eq!(percent(2_889).replace(GAP, " "), "28.9 %");
        assert_eq!(percent(10_000).replace(GAP, " "), "100 %");
    }

    #[test]
    fn a_share_of_a_bill_of_any_size_is_a_percentage() {
        let share = |a: Money, b: Money| part(a, b).replace(GAP, " ");
        assert_eq!(share(money("1018.35"), money("1198.45")), "85 %");
        assert_eq!(
            share(money("850000").times(1_000_000), money("1000000").times(1_000_000)),
            "85 %"
        );
        assert_eq!(share(money("0.0085"), money("0.01")), "85 %");
    }
}
