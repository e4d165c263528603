//! Values, items and keys.

use std::collections::{BTreeMap, BTreeSet};

use bigdecimal::BigDecimal;

use crate::table::{Attribute, Definition, Keys};
use crate::value::{Item, Value};
use hashrange_tests::random::Random;

/// Text for keys, in an order that UTF-16 would not give.
const TEXTS: [&str; 9] =
    ["a", "b", "ab", "A", "a\u{0}b", "é", "\u{FFFD}y", "\u{10000}x", "it's \"q\""];

const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "10",
    "9",
    "1.5",
    "0.1",
    "0.2",
    "-0.001",
    "100",
    "-42",
    "120",
    "0.012",
    "1E20",
    "1234567",
    "0.0000001",
    "12345678901234567890123456789012345678",
    "-0.12345678901234567890123456789012345678",
    "1E-130",
    "9.9999999999999999999999999999999999999E125",
    "-1E125",
];

const BYTES: [&[u8]; 7] = [&[0], &[0, 255], &[255], &[127, 1], &[128], &[1, 0, 1], b"ab"];

/// A scalar that may be a key: never empty.
pub(crate) fn scalar(random: &mut Random, letter: &str) -> Value {
    match letter {
        "S" => Value::text(random.pick::<&str>(&TEXTS)),
        "N" => Value::N(number(random)),
        _ => Value::B(random.pick(&BYTES).to_vec()),
    }
}

pub(crate) fn number(random: &mut Random) -> BigDecimal {
    let text =
        if random.chance(70) { *random.pick(&NUMBERS[..12]) } else { *random.pick(&NUMBERS) };
    text.parse().expect("the numbers above are numbers")
}

/// One of a few values for the key attribute, so that items are met again.
pub(crate) fn key_value(random: &mut Random, attribute: &Attribute) -> Value {
    let n = if attribute.name == "pk" { 3 } else { 7 };
    match attribute.letter {
        "S" => Value::text(TEXTS[random.below(n)]),
        "N" => Value::number(NUMBERS[random.below(n)]),
        _ => Value::B(BYTES[random.below(n)].to_vec()),
    }
}

pub(crate) fn key(random: &mut Random, keys: &Keys) -> Item {
    keys.attributes()
        .map(|attribute| (attribute.name.clone(), key_value(random, attribute)))
        .collect()
}

pub(crate) fn text(random: &mut Random) -> String {
    match random.below(20) {
        0 => String::new(),
        1 => "x".repeat(random.between(200, 5_000)),
        2 => "long é ".repeat(random.between(10, 200)),
        _ => random.several(1, 2, |random| *random.pick(&TEXTS)).concat(),
    }
}

pub(crate) fn set(random: &mut Random) -> Value {
    match random.below(3) {
        0 => {
            Value::Ss(random.several(1, 3, |r| (*r.pick(&TEXTS)).to_owned()).into_iter().collect())
        }
        1 => Value::Ns(random.several(1, 3, number).into_iter().collect()),
        _ => {
            let members: BTreeSet<Vec<u8>> =
                random.several(1, 3, |r| r.pick(&BYTES).to_vec()).into_iter().collect();
            Value::Bs(members)
        }
    }
}

/// Any value, nested at most this deep.
pub(crate) fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 9 } else { 13 }) {
        0..=2 => Value::S(text(random)),
        3 | 4 => Value::N(number(random)),
        5 => Value::B(if random.chance(20) { Vec::new() } else { random.pick(&BYTES).to_vec() }),
        6 => Value::Bool(random.chance(50)),
        7 => Value::Null,
        8 => set(random),
        9 | 10 => list(random, depth),
        _ => map(random, depth),
    }
}

pub(crate) fn list(random: &mut Random, depth: usize) -> Value {
    Value::L(random.several(0, 3, |random| value(random, depth.saturating_sub(1))))
}

fn map(random: &mut Random, depth: usize) -> Value {
    let mut entries = BTreeMap::new();
    for name in ["x", "y", "z.q"] {
        if random.chance(60) {
            entries.insert(name.to_owned(), value(random, depth.saturating_sub(1)));
        }
    }
    Value::M(entries)
}

/// Attributes that are no keys, with a type they have most of the time.
pub(crate) const ATTRIBUTES: [&str; 11] =
    ["a", "b", "e", "flag", "n", "note", "tags", "lst", "obj", "status", "x.y é"];

pub(crate) fn attribute_value(random: &mut Random, name: &str) -> Value {
    if random.chance(10) {
        return value(random, 2);
    }
    match name {
        "n" => Value::N(number(random)),
        "note" | "status" => Value::S(text(random)),
        "flag" => Value::Bool(random.chance(50)),
        "tags" => set(random),
        "lst" => list(random, 2),
        "obj" => map(random, 2),
        _ => value(random, 1),
    }
}

/// An item with its key; index keys are there often, right mostly.
pub(crate) fn item(random: &mut Random, definition: &Definition) -> Item {
    let mut item = key(random, &definition.keys);
    for name in ATTRIBUTES {
        if random.chance(30) {
            item.insert(name.to_owned(), attribute_value(random, name));
        }
    }
    for index in &definition.indexes {
        for attribute in index.keys.attributes() {
            if !item.contains_key(&attribute.name) && random.chance(65) {
                item.insert(attribute.name.clone(), index_key_value(random, attribute));
            }
        }
    }
    item
}

/// A value for an index key: seldom of a wrong type or empty.
pub(crate) fn index_key_value(random: &mut Random, attribute: &Attribute) -> Value {
    match random.below(50) {
        0 => value(random, 1),
        1 if attribute.letter == "S" => Value::S(String::new()),
        1 if attribute.letter == "B" => Value::B(Vec::new()),
        _ => key_value(random, attribute),
    }
}
