//! Numbers and values as people read them: `3.5 RCU`, `23.8 KB`, `79 %`, `48,000`, `{4}`.
//!
//! Invariant: KB is 1,024 bytes; a number and its unit are joined by a no-break space; a value is one line.
//!
//! Not here: sentences ([`crate::sentence`]).

use std::fmt::Write as _;

use hashrange_design::cost::{Price, PriceList};
use hashrange_types::{AttributeValue, CapacityUnits};

pub(crate) use hashrange_design::words::{
    GAP, count, counted, grouped, percent, plural, size, unit_name, units, units_number,
};

/// Longest cell in characters; what follows becomes `…`.
const CELL_CHARACTERS_MAX: usize = 96;

/// What a million calls of so many units cost on demand in us-east-1: `$0.44`.
pub(crate) fn million_calls(units: CapacityUnits, is_write: bool) -> String {
    let price = if is_write { Price::Write } else { Price::Read };
    let million = PriceList::default().of(price);
    crate::cost::text::dollars(million.share(units.as_halves().into(), 2))
}

/// An attribute's value in a cell of the grid.
pub(crate) fn cell(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => one_line(text, CELL_CHARACTERS_MAX),
        AttributeValue::N(number) => number_cell(&number.to_string()),
        AttributeValue::B(bytes) => size(bytes.len() as u64),
        AttributeValue::Bool(truth) => truth.to_string(),
        AttributeValue::Null => "null".to_owned(),
        AttributeValue::L(values) => format!("[{}]", values.len()),
        AttributeValue::M(entries) => format!("{{{}}}", entries.len()),
        AttributeValue::Ss(set) => members(set.members().iter().map(ToString::to_string)),
        AttributeValue::Ns(set) => members(set.members().iter().map(ToString::to_string)),
        AttributeValue::Bs(set) => counted(set.members().len() as u64, "binary value"),
    }
}

/// Thousands are grouped, except in what may be a year or a time in seconds: those are names, not amounts.
fn number_cell(text: &str) -> String {
    let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = is_whole && text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    let n_whole = text.trim_start_matches('-').split('.').next().map_or(0, str::len);
    if is_year || n_whole > 9 { one_line(text, CELL_CHARACTERS_MAX) } else { grouped(text) }
}

fn members(members: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for member in members {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&member);
        if text.len() > CELL_CHARACTERS_MAX * 4 {
            break;
        }
    }
    one_line(&text, CELL_CHARACTERS_MAX)
}

/// A key attribute's value, complete and on one line; bytes as hexadecimal digits.
pub(crate) fn key_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => one_line(text, usize::MAX),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => {
            let mut text = "0x".to_owned();
            for byte in bytes {
                // Writing to a String cannot fail.
                let _ = write!(text, "{byte:02x}");
            }
            text
        }
        other => cell(other),
    }
}

/// Control characters become spaces, and what is beyond `characters_max` becomes `…`.
pub(crate) fn one_line(text: &str, characters_max: usize) -> String {
    let mut line = String::with_capacity(text.len().min(characters_max.saturating_mul(4)));
    for (at, character) in text.chars().enumerate() {
        if at == characters_max {
            line.push('…');
            break;
        }
        line.push(if character.is_control() { ' ' } else { character });
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashrange_types::Number;

    #[test]
    fn a_million_calls_cost_list_prices() {
        assert_eq!(million_calls(CapacityUnits::halves(7), false), "$0.44");
        assert_eq!(million_calls(CapacityUnits::halves(1), false), "$0.06");
        assert_eq!(million_calls(CapacityUnits::whole(6), true), "$3.75");
        assert_eq!(million_calls(CapacityUnits::whole(10_000), false), "$1,250.00");
    }

    #[test]
    fn numbers_in_cells_are_grouped_unless_they_look_like_years_or_times() {
        let cell = |text: &str| cell(&AttributeValue::N(Number::parse(text).unwrap()));
        assert_eq!(cell("48000"), "48,000");
        assert_eq!(cell("-1234.5"), "-1,234.5");
        assert_eq!(cell("2026"), "2026");
        assert_eq!(cell("3900"), "3,900");
        assert_eq!(cell("1767225800"), "1767225800");
    }

    #[test]
    fn long_and_broken_texts_become_one_line() {
        assert_eq!(one_line("a\nb\tc", 9), "a b c");
        assert_eq!(one_line("éèêë", 2), "éè…");
    }
}
