//! What a pattern expects of its answer: then it is a test.
//!
//! Invariant: every member of `expect` is checked or said not to be known; nothing passes unread. `units_max` is a
//! budget, every other number is exact.
//!
//! Source: `playground-examples/README.md`, members of `expect`.

use hashrange_types::{CapacityUnits, Item};
use serde_json::{Map, Value};

use super::result::{PatternPage, PatternResult};
use crate::words::{count, rate};

/// What comes of a pattern's expectations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TestResult {
    /// None are stated.
    #[default]
    NotStated,
    /// All hold.
    Passed,
    /// Some do not; one sentence each.
    Failed(Vec<String>),
}

impl TestResult {
    /// `passed`, `failed`, or nothing where nothing is stated.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::NotStated => "",
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
        }
    }

    /// One sentence: the first expectation that does not hold.
    pub fn sentence(&self) -> &str {
        match self {
            Self::NotStated => "No expectation is stated.",
            Self::Passed => "All that is expected holds.",
            Self::Failed(sentences) => sentences.first().map_or("", String::as_str),
        }
    }
}

/// Compares a result with `expect`; `items` are those returned, where `order` asks for them.
pub(super) fn test(
    result: &PatternResult,
    items: &[Item],
    expect: &Map<String, Value>,
) -> TestResult {
    if expect.is_empty() {
        return TestResult::NotStated;
    }
    let mut failed = Vec::new();
    if let Some(refusal) = &result.refusal {
        failed.push(refusal.clone());
    } else {
        for (name, expected) in expect {
            failed.extend(check(result, items, name, expected));
        }
    }
    if failed.is_empty() { TestResult::Passed } else { TestResult::Failed(failed) }
}

/// The sentence of one expectation that does not hold.
fn check(result: &PatternResult, items: &[Item], name: &str, expected: &Value) -> Option<String> {
    let units = result.total_units().as_f64();
    let noun = if result.is_write { "WCU" } else { "RCU" };
    #[expect(clippy::cast_precision_loss, reason = "counts and sizes fit 53 bits")]
    let number = |found: u64, noun: &str| differs(found as f64, expected, noun);
    let each = |of: fn(&PatternPage) -> f64| each_differs(&result.pages, of, name, expected);
    #[expect(clippy::cast_precision_loss, reason = "counts and sizes fit 53 bits")]
    match name {
        "Count" => number(result.n_items(), "items"),
        "ScannedCount" => number(result.n_examined(), "items read"),
        "bytes" => number(result.bytes_read(), "bytes read"),
        "pages" => number(result.pages.len() as u64, "pages"),
        "units" => differs(units, expected, noun),
        "units_max" => match expected.as_f64() {
            Some(most) if units <= most => None,
            Some(most) => Some(format!(
                "It takes {} {noun}, more than the {} it may take.",
                rate(units),
                rate(most)
            )),
            None => Some(format!("units_max must be a number, not {expected}.")),
        },
        "pageCount" => each(|page| page.n_returned as f64),
        "pageScannedCount" => each(|page| page.n_examined as f64),
        "pageBytes" => each(|page| page.bytes_examined as f64),
        "pageUnits" => each(|page| page.units.as_f64()),
        "arms" => check_arms(result, expected),
        "order" => check_order(items, expected),
        other => Some(format!("This version does not know how to check {other}.")),
    }
}

fn differs(found: f64, expected: &Value, noun: &str) -> Option<String> {
    match expected.as_f64() {
        Some(wanted) if is_same(found, wanted) => None,
        Some(wanted) => Some(format!("{} {noun}, not the {} expected.", rate(found), rate(wanted))),
        None => Some(format!("The number of {noun} expected is {expected}, which is no number.")),
    }
}

/// Units are halves and counts are whole, so equal numbers are equal to the last bit but one.
fn is_same(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-6
}

fn each_differs(
    pages: &[PatternPage],
    of: fn(&PatternPage) -> f64,
    name: &str,
    expected: &Value,
) -> Option<String> {
    let found: Vec<f64> = pages.iter().map(of).collect();
    let wanted: Vec<f64> =
        expected.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let is_equal = found.len() == wanted.len()
        && found.iter().zip(&wanted).all(|(found, wanted)| is_same(*found, *wanted));
    let list = |numbers: &[f64]| numbers.iter().map(|it| rate(*it)).collect::<Vec<_>>().join(", ");
    (!is_equal).then(|| format!("{name} is {}, not the {} expected.", list(&found), list(&wanted)))
}

/// Units of `table` and of each index by name; `null` means it must not be charged.
fn check_arms(result: &PatternResult, expected: &Value) -> Option<String> {
    for (arm, wanted) in expected.as_object()? {
        let of_arm = |name: Option<&str>| match name {
            Some(name) => name == arm,
            None => arm == "table",
        };
        let found: CapacityUnits = result
            .units
            .iter()
            .filter(|it| of_arm(it.index.as_ref().map(hashrange_types::IndexName::as_str)))
            .map(|it| it.units)
            .sum();
        let wanted = wanted.as_f64().unwrap_or(0.0);
        if !is_same(found.as_f64(), wanted) {
            return Some(format!("{arm} takes {found} units, not the {} expected.", rate(wanted)));
        }
    }
    None
}

/// Values of an attribute in the order returned.
fn check_order(items: &[Item], expected: &Value) -> Option<String> {
    for (attribute, wanted) in expected.as_object()? {
        let found: Vec<Value> = items
            .iter()
            .filter_map(|item| item.get(attribute))
            .filter_map(|value| {
                hashrange_wire::value_to_json(value).as_object()?.values().next().cloned()
            })
            .collect();
        let wanted = wanted.as_array().map_or(&[][..], Vec::as_slice);
        if let Some(at) =
            (0..found.len().max(wanted.len())).find(|at| found.get(*at) != wanted.get(*at))
        {
            let shown =
                |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            return Some(format!(
                "{attribute} of item {} is {}, not the {} expected.",
                count(at as u64 + 1),
                shown(found.get(at)),
                shown(wanted.get(at))
            ));
        }
    }
    None
}
