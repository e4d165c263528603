//! Numbers and values as people read them: `3.5 RCU`, `23.8 KB`, `79 %`, `48,000`, `{4}`.
//!
//! Invariant: KB is 1,024 bytes; a number and its unit are joined by a no-break space; a value is one line.
//!
//! Not here: sentences ([`crate::sentence`]).

use std::fmt::Write as _;

use hashrange_types::{AttributeValue, CapacityUnits};

/// Between a number and its unit.
pub(crate) const GAP: char = '\u{a0}';

/// Longest cell in characters; what follows becomes `…`.
const CELL_CHARACTERS_MAX: usize = 96;

/// `102 B`, `2.9 KB`, `1.0 MB`, `3.2 GB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1_024 {
        return format!("{bytes}{GAP}B");
    }
    let mut tenths = (u128::from(bytes) * 10 + 512) / 1_024;
    let mut scale: u128 = 1_024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        scale *= 1_024;
        tenths = (u128::from(bytes) * 10 + scale / 2) / scale;
        unit += 1;
    }
    format!("{}.{}{GAP}{}", tenths / 10, tenths % 10, UNITS[unit])
}

/// `1,531`.
pub(crate) fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// `1 item`, `13 items`, `1,531 entries`.
pub(crate) fn counted(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {}", count(n), plural(one)) }
}

/// The plural of a noun: `Employees`, `entries`, `boxes`; a word that ends in a single s stays.
pub(crate) fn plural(noun: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| noun.ends_with(ending));
    // `3 keys left over`: the noun is the first word.
    if let Some((first, rest)) = noun.split_once(' ') {
        return match first {
            "key" => format!("keys {rest}"),
            _ => format!("{first} {}", plural(rest)),
        };
    }
    if noun.is_empty() || (ends(&["s"]) && !ends(&["ss"])) {
        noun.to_owned()
    } else if ends(&["ss", "x", "ch", "sh"]) {
        format!("{noun}es")
    } else if ends(&["y"]) && !ends(&["ay", "ey", "oy", "uy"]) {
        format!("{}ies", &noun[..noun.len() - 1])
    } else {
        format!("{noun}s")
    }
}

/// `3.5`.
pub(crate) fn units_number(units: CapacityUnits) -> String {
    grouped(&units.to_string())
}

/// `3.5 RCU`, `6 WCU`.
pub(crate) fn units(units: CapacityUnits, is_write: bool) -> String {
    format!("{}{GAP}{}", units_number(units), unit_name(is_write))
}

/// `RCU` or `WCU`.
pub(crate) const fn unit_name(is_write: bool) -> &'static str {
    if is_write { "WCU" } else { "RCU" }
}

/// `79 %`; never 0 or 100 unless it is exactly so.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return format!("0{GAP}%");
    }
    if part >= whole {
        return format!("100{GAP}%");
    }
    let rounded = (u128::from(part) * 200 + u128::from(whole)) / (u128::from(whole) * 2);
    match rounded {
        0 => format!("less than 1{GAP}%"),
        100 => format!("more than 99{GAP}%"),
        n => format!("{n}{GAP}%"),
    }
}

/// What a million calls of so many units cost on demand in us-east-1: `$0.44`.
///
/// Source: list prices of November 2026, $0.125 a million read and $0.625 a million write units.
pub(crate) fn million_calls(units: CapacityUnits, is_write: bool) -> String {
    let tenths_of_cent_per_half = if is_write { 3_125 } else { 625 };
    // In units of 1/100 cent: one half unit a million times costs 6.25 or 31.25 cents.
    let hundredths = u128::from(units.as_halves()) * tenths_of_cent_per_half;
    let cents = (hundredths + 50) / 100;
    format!("${}.{:02}", grouped(&(cents / 100).to_string()), cents % 100)
}

/// Commas between thousands of the whole part of a number's text.
fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::with_capacity(number.len() + whole.len() / 3);
    text.push_str(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text.push_str(fraction);
    text
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

    fn plain(text: &str) -> String {
        text.replace(GAP, " ")
    }

    #[test]
    fn sizes_have_one_decimal_from_a_kilobyte_of_1024_bytes_on() {
        assert_eq!(plain(&size(102)), "102 B");
        assert_eq!(plain(&size(1_023)), "1023 B");
        assert_eq!(plain(&size(13_533)), "13.2 KB");
        assert_eq!(plain(&size(24_402)), "23.8 KB");
        assert_eq!(plain(&size(1_048_575)), "1.0 MB");
        assert_eq!(plain(&size(u64::MAX)), "16777216.0 TB");
    }

    #[test]
    fn percentages_never_claim_all_or_nothing_falsely() {
        assert_eq!(plain(&percent(19_275, 24_402)), "79 %");
        assert_eq!(plain(&percent(1, 1_000)), "less than 1 %");
        assert_eq!(plain(&percent(999, 1_000)), "more than 99 %");
        assert_eq!(plain(&percent(5, 5)), "100 %");
        assert_eq!(plain(&percent(0, 0)), "0 %");
    }

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

    #[test]
    fn nouns_get_their_plurals() {
        for (one, many) in [
            ("Employee", "Employees"),
            ("entry", "entries"),
            ("Address", "Addresses"),
            ("Orders", "Orders"),
            ("Survey", "Surveys"),
            ("", ""),
        ] {
            assert_eq!(plural(one), many);
        }
    }
}
