//! Why one row comes before the next: what DynamoDB compares, and where two keys differ.
//!
//! Invariant: what is said follows from the two values; strings are compared by the bytes of their UTF-8.

use std::cmp::Ordering;
use std::ops::Range;

use hashrange_types::{AttributeValue, Item, KeyAttribute, Number, ScalarType};

use super::{GridShape, key_schema};
use crate::format::{key_value, one_line};

/// A key longer than this is cut in a sentence.
const KEY_CHARACTERS_MAX: usize = 48;

/// How values of a sort key are ordered.
pub(super) fn order_text(sort: &[KeyAttribute]) -> &'static str {
    match sort.first().map(|attribute| attribute.scalar) {
        Some(ScalarType::S) => "by the bytes of the text",
        Some(ScalarType::N) => "by number",
        Some(ScalarType::B) => "by bytes",
        None => "",
    }
}

/// Why an item comes before the next of its collection.
pub(crate) fn order_words(shape: &GridShape, row: u32) -> Option<String> {
    let inner = shape.0.as_deref()?;
    let key = key_schema(&inner.table, inner.index.as_deref())?;
    let mut items: Vec<Item> = Vec::new();
    let range: Range<u32> = row..row.saturating_add(6);
    super::find::visit(inner, range, &mut |item| {
        items.push(item.clone());
        items.len() < 2
    });
    let first = items.first()?;
    if key.sort.is_empty() {
        return Some(
            "Partition keys stand in the order of their hash, so neighbours have nothing in common. Without a sort \
             key there is no other order."
                .to_owned(),
        );
    }
    let next =
        items.get(1).filter(|next| key.encode_partition(next) == key.encode_partition(first));
    let Some(next) = next else {
        return Some("The last of its item collection.".to_owned());
    };
    let differs = key.sort.iter().find(|attribute| {
        let name = attribute.name.as_str();
        first.get(name) != next.get(name)
    });
    let Some(attribute) = differs else {
        return Some(
            "It has the same sort key as the next entry: an index keeps both, ordered by the table's key.".to_owned(),
        );
    };
    let name = attribute.name.as_str();
    Some(words(first.get(name)?, next.get(name)?))
}

/// Why `a` comes before `b`.
fn words(a: &AttributeValue, b: &AttributeValue) -> String {
    let shown = |value: &AttributeValue| one_line(&key_value(value), KEY_CHARACTERS_MAX);
    let lead = format!("{} comes before {}: ", shown(a), shown(b));
    let reason = match (a, b) {
        (AttributeValue::N(_), AttributeValue::N(_)) => {
            "numbers are compared as numbers, whatever their length.".to_owned()
        }
        (AttributeValue::S(a), AttributeValue::S(b)) => texts(a, b),
        _ => "bytes are compared one by one, as numbers from 0 to 255.".to_owned(),
    };
    lead + &reason
}

fn texts(a: &str, b: &str) -> String {
    let mut same = 0;
    let mut at = 0;
    let mut pairs = a.chars().zip(b.chars());
    let differ = pairs.find(|(a, b)| {
        if a == b {
            same += a.len_utf8();
            at += 1;
        }
        a != b
    });
    let Some((x, y)) = differ else {
        return "it is how the other begins, and the shorter comes first.".to_owned();
    };
    let sign = |character: char| {
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).bytes();
        let bytes: Vec<String> = bytes.map(|byte| format!("{byte:02X}")).collect();
        let shown = if character == ' ' {
            "a space".to_owned()
        } else {
            one_line(&character.to_string(), 1)
        };
        format!("{shown} (byte {})", bytes.join(" "))
    };
    let place = at + 1;
    let mut text = format!(
        "texts are compared byte by byte, and at character {place} {} comes before {}.",
        sign(x),
        sign(y)
    );
    if let Some(hint) = padding(a, b, same) {
        text.push_str(&hint);
    } else if x.is_ascii_uppercase() && y.is_ascii_lowercase() {
        text.push_str(" All capital letters come before all small ones.");
    }
    text
}

/// What to do where the digits around byte `at` would be the other way round as numbers.
fn padding(first: &str, second: &str, at: usize) -> Option<String> {
    let digits = |text: &str| {
        let bytes = text.as_bytes();
        let mut start = at;
        while start > 0 && bytes[start - 1].is_ascii_digit() {
            start -= 1;
        }
        let mut end = at;
        while end < bytes.len() && bytes[end].is_ascii_digit() {
            end += 1;
        }
        text[start..end].to_owned()
    };
    let (left, right) = (digits(first), digits(second));
    if left.is_empty() || right.is_empty() {
        return None;
    }
    if Number::parse(&left).ok()?.cmp(&Number::parse(&right).ok()?) != Ordering::Greater {
        return None;
    }
    let width = left.len().max(right.len());
    Some(format!(
        " As numbers they would be the other way round: write them with the same number of digits, {right:0>width$} and \
         {left:0>width$}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(text: &str) -> AttributeValue {
        AttributeValue::S(text.into())
    }

    #[test]
    fn ten_before_nine_is_explained_with_what_to_do() {
        assert_eq!(
            words(&s("ORDER#10"), &s("ORDER#9")),
            "ORDER#10 comes before ORDER#9: texts are compared byte by byte, and at character 7 1 (byte 31) comes \
             before 9 (byte 39). As numbers they would be the other way round: write them with the same number of \
             digits, 09 and 10."
        );
    }

    #[test]
    fn a_text_comes_before_those_it_begins() {
        assert_eq!(
            words(&s("A"), &s("A#1")),
            "A comes before A#1: it is how the other begins, and the shorter comes first."
        );
    }

    #[test]
    fn capital_letters_and_other_alphabets_go_by_their_bytes() {
        assert!(
            words(&s("Zoe"), &s("anna"))
                .ends_with("All capital letters come before all small ones.")
        );
        assert!(words(&s("a"), &s("é")).contains("a (byte 61) comes before é (byte C3 A9)"));
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let n = |text| AttributeValue::N(Number::parse(text).unwrap());
        assert_eq!(
            words(&n("9"), &n("10")),
            "9 comes before 10: numbers are compared as numbers, whatever their length."
        );
    }

    #[test]
    fn padded_digits_need_no_advice() {
        assert!(!words(&s("O#09"), &s("O#10")).contains("As numbers"));
    }
}
