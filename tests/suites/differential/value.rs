//! `Value`: the oracle's own attribute values: equality, order, size, JSON.
//!
//! Invariant: nothing here comes from the engine. Numbers are big decimals, maps and sets are ordered trees.
//!
//! Source: facts 1.1 to 1.3 and 1.6.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bigdecimal::{BigDecimal, Zero};
use serde_json::{Map, Value as Json, json};

pub(crate) type Item = BTreeMap<String, Value>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    S(String),
    N(BigDecimal),
    B(Vec<u8>),
    Bool(bool),
    Null,
    L(Vec<Value>),
    M(Item),
    Ss(BTreeSet<String>),
    Ns(BTreeSet<BigDecimal>),
    Bs(BTreeSet<Vec<u8>>),
}

impl Value {
    /// The number that this text stands for.
    pub(crate) fn number(text: &str) -> Self {
        Self::N(text.parse().expect("a number of the test is one"))
    }

    pub(crate) fn text(text: &str) -> Self {
        Self::S(text.to_owned())
    }

    pub(crate) const fn tag(&self) -> &'static str {
        match self {
            Self::S(_) => "S",
            Self::N(_) => "N",
            Self::B(_) => "B",
            Self::Bool(_) => "BOOL",
            Self::Null => "NULL",
            Self::L(_) => "L",
            Self::M(_) => "M",
            Self::Ss(_) => "SS",
            Self::Ns(_) => "NS",
            Self::Bs(_) => "BS",
        }
    }

    /// The order of two scalars of one type; none of other values.
    pub(crate) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::S(a), Self::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Self::N(a), Self::N(b)) => Some(a.cmp(b)),
            (Self::B(a), Self::B(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }

    /// Bytes as capacity and limits count them.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::S(text) => count(text.len()),
            Self::N(number) => number_size(number),
            Self::B(bytes) => count(bytes.len()),
            Self::Bool(_) | Self::Null => 1,
            Self::L(values) => 3 + values.iter().map(|value| 1 + value.size()).sum::<u64>(),
            Self::M(entries) => {
                3 + entries
                    .iter()
                    .map(|(name, value)| 1 + count(name.len()) + value.size())
                    .sum::<u64>()
            }
            Self::Ss(members) => members.iter().map(|member| count(member.len())).sum(),
            Self::Ns(members) => members.iter().map(number_size).sum(),
            Self::Bs(members) => members.iter().map(|member| count(member.len())).sum(),
        }
    }

    /// As DynamoDB writes it.
    pub(crate) fn json(&self) -> Json {
        self.json_with(plain)
    }

    /// As a client may write it: numbers in one of their many spellings.
    pub(crate) fn spelled(&self) -> Json {
        self.json_with(spelling)
    }

    fn json_with(&self, spell: fn(&BigDecimal) -> String) -> Json {
        let inner = match self {
            Self::S(text) => json!(text),
            Self::N(number) => json!(spell(number)),
            Self::B(bytes) => json!(STANDARD.encode(bytes)),
            Self::Bool(truth) => json!(truth),
            Self::Null => json!(true),
            Self::L(values) => values.iter().map(|value| value.json_with(spell)).collect(),
            Self::M(entries) => Json::Object(item_json_with(entries, spell)),
            Self::Ss(members) => json!(members),
            Self::Ns(members) => members.iter().map(|member| json!(spell(member))).collect(),
            Self::Bs(members) => {
                members.iter().map(|member| json!(STANDARD.encode(member))).collect()
            }
        };
        json!({ self.tag(): inner })
    }
}

pub(crate) fn count(n: usize) -> u64 {
    u64::try_from(n).expect("sizes fit 64 bits")
}

fn item_json_with(item: &Item, spell: fn(&BigDecimal) -> String) -> Map<String, Json> {
    item.iter().map(|(name, value)| (name.clone(), value.json_with(spell))).collect()
}

/// An item as DynamoDB writes it.
pub(crate) fn item_json(item: &Item) -> Json {
    Json::Object(item_json_with(item, plain))
}

/// An item as a client may write it.
pub(crate) fn item_spelled(item: &Item) -> Json {
    Json::Object(item_json_with(item, spelling))
}

/// Bytes of an item.
pub(crate) fn item_size(item: &Item) -> u64 {
    item.iter().map(|(name, value)| count(name.len()) + value.size()).sum()
}

/// Sign, digits and how many of them stand behind the point, without zeros at either end.
pub(crate) fn digits(number: &BigDecimal) -> (bool, String, i64) {
    if number.is_zero() {
        return (false, "0".to_owned(), 0);
    }
    let (whole, scale) = number.normalized().into_bigint_and_exponent();
    let text = whole.to_string();
    match text.strip_prefix('-') {
        Some(digits) => (true, digits.to_owned(), scale),
        None => (false, text, scale),
    }
}

/// What stands before and behind the decimal point.
fn halves(number: &BigDecimal) -> (bool, String, String) {
    let (is_negative, digits, scale) = digits(number);
    let zeros = |n: usize| "0".repeat(n);
    let Ok(behind) = usize::try_from(scale) else {
        let n = usize::try_from(-scale).expect("exponents are small");
        return (is_negative, digits + &zeros(n), String::new());
    };
    if behind >= digits.len() {
        return (is_negative, String::new(), zeros(behind - digits.len()) + &digits);
    }
    let (before, after) = digits.split_at(digits.len() - behind);
    (is_negative, before.to_owned(), after.to_owned())
}

/// A number as DynamoDB returns it: no exponent, no zeros to spare.
pub(crate) fn plain(number: &BigDecimal) -> String {
    let (is_negative, before, after) = halves(number);
    let sign = if is_negative { "-" } else { "" };
    let before = if before.is_empty() { "0" } else { &before };
    if after.is_empty() { format!("{sign}{before}") } else { format!("{sign}{before}.{after}") }
}

/// One of the spellings of a number, always the same for the same number.
pub(crate) fn spelling(number: &BigDecimal) -> String {
    let (is_negative, digits, scale) = digits(number);
    let sign = if is_negative { "-" } else { "" };
    let choice: u32 = digits.bytes().map(u32::from).sum();
    match (choice + u32::from(is_negative)) % 5 {
        0 => format!("{sign}{digits}E{}", -scale),
        1 if scale > 0 => format!("{}00", plain(number)),
        2 if !is_negative => format!("+{}", plain(number)),
        3 if scale <= 0 => format!("{}.0", plain(number)),
        4 => format!("{sign}00{digits}e{:+}", -scale),
        _ => plain(number),
    }
}

/// One byte, one for each pair of digits that is not at the end and zero, one for a sign.
fn number_size(number: &BigDecimal) -> u64 {
    if number.is_zero() {
        return 1;
    }
    let (is_negative, mut before, mut after) = halves(number);
    if before.len() % 2 == 1 {
        before.insert(0, '0');
    }
    if after.len() % 2 == 1 {
        after.push('0');
    }
    let all = before + &after;
    let pairs: Vec<&str> = (0..all.len()).step_by(2).map(|at| &all[at..at + 2]).collect();
    let first = pairs.iter().position(|pair| *pair != "00").expect("zero has been seen to");
    let last = pairs.iter().rposition(|pair| *pair != "00").expect("zero has been seen to");
    1 + count(last - first + 1) + u64::from(is_negative)
}
