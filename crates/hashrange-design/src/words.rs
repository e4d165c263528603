//! Numbers and values as people read them: `3.5 RCU`, `23.8 KB`, `79 %`, `48,000`.
//!
//! Invariant: KB is 1,024 bytes; a number and its unit are joined by a no-break space; a value is one line.
//!
//! Not here: whole sentences, which stand where they are said.

use hashrange_types::{AttributeValue, CapacityUnits, Item};

/// Between a number and its unit.
pub const GAP: char = '\u{a0}';

/// `102 B`, `2.9 KB`, `1.0 MB`, `3.2 GB`.
pub fn size(bytes: u64) -> String {
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
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// `1 item`, `13 items`, `1,531 entries`.
pub fn counted(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {}", count(n), plural(one)) }
}

/// The plural of a noun: `Employees`, `entries`, `boxes`; a word that ends in a single s stays.
pub fn plural(noun: &str) -> String {
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
pub fn units_number(units: CapacityUnits) -> String {
    grouped(&units.to_string())
}

/// `3.5 RCU`, `6 WCU`.
pub fn units(units: CapacityUnits, is_write: bool) -> String {
    format!("{}{GAP}{}", units_number(units), unit_name(is_write))
}

/// `RCU` or `WCU`.
pub const fn unit_name(is_write: bool) -> &'static str {
    if is_write { "WCU" } else { "RCU" }
}

/// `79 %`; never 0 or 100 unless it is exactly so.
pub fn percent(part: u64, whole: u64) -> String {
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

/// Commas between thousands of the whole part of a number's text.
pub fn grouped(number: &str) -> String {
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

/// `2,400`, `3.52`, `0.016`: a rate or an amount with no more digits than say something.
///
/// ```
/// # use hashrange_design::words::rate;
/// assert_eq!([rate(2_400.4), rate(3.52), rate(0.0158), rate(0.0)], ["2,400", "3.52", "0.016", "0"]);
/// ```
pub fn rate(amount: f64) -> String {
    let places = match amount.abs() {
        it if it >= 100.0 => 0,
        it if it >= 10.0 => 1,
        it if it >= 0.1 => 2,
        it if it >= 0.01 => 3,
        _ => 6,
    };
    let text = format!("{amount:.places$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text.as_str()
    };
    grouped(text)
}

/// A value on one line: text as it is, numbers, bytes as hexadecimal digits, everything else as DynamoDB JSON.
pub fn value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => {
            text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
        }
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => {
            bytes.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}"))
        }
        other => hashrange_wire::value_to_json(other).to_string(),
    }
}

/// `PK = ORG#1234 AND SK = ORG#1234`.
pub fn key(key: &Item) -> String {
    let parts: Vec<String> =
        key.iter().map(|(name, it)| format!("{name} = {}", value(it))).collect();
    parts.join(" AND ")
}

#[cfg(test)]
mod tests {
    use super::*;

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
