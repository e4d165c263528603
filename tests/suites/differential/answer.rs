//! Answers as JSON: consumed capacity, errors, and when two answers are the same.
//!
//! Source: facts 2.1, 2.5, 3.1.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

/// How much of the consumed capacity a request asks to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    None,
    Total,
    Indexes,
}

impl Shown {
    pub(crate) fn ask(self, request: &mut Map<String, Json>) {
        let word = match self {
            Self::None => return,
            Self::Total => "TOTAL",
            Self::Indexes => "INDEXES",
        };
        request.insert("ReturnConsumedCapacity".to_owned(), json!(word));
    }
}

/// What one table consumed, its indexes by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Consumed {
    pub(crate) table: f64,
    pub(crate) local: BTreeMap<String, f64>,
    pub(crate) global: BTreeMap<String, f64>,
    /// `Read` or `Write` of a transaction, which names its units.
    pub(crate) transaction: Option<&'static str>,
}

impl Consumed {
    pub(crate) fn of_table(table: f64) -> Self {
        Self { table, ..Self::default() }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.table += other.table;
        for (name, units) in &other.local {
            *self.local.entry(name.clone()).or_default() += units;
        }
        for (name, units) in &other.global {
            *self.global.entry(name.clone()).or_default() += units;
        }
    }

    pub(crate) fn json(&self, table: &str, shown: Shown) -> Option<Json> {
        if shown == Shown::None {
            return None;
        }
        let total =
            self.table + self.local.values().sum::<f64>() + self.global.values().sum::<f64>();
        let mut block = self.arm(total);
        block.insert("TableName".to_owned(), json!(table));
        if shown == Shown::Indexes {
            block.insert("Table".to_owned(), Json::Object(self.arm(self.table)));
            for (member, arms) in
                [("LocalSecondaryIndexes", &self.local), ("GlobalSecondaryIndexes", &self.global)]
            {
                if !arms.is_empty() {
                    let arms = arms
                        .iter()
                        .map(|(name, units)| (name.clone(), Json::Object(self.arm(*units))));
                    block.insert(member.to_owned(), Json::Object(arms.collect()));
                }
            }
        }
        Some(Json::Object(block))
    }

    fn arm(&self, units: f64) -> Map<String, Json> {
        let mut arm = Map::new();
        arm.insert("CapacityUnits".to_owned(), json!(units));
        if let Some(kind) = self.transaction {
            arm.insert(format!("{kind}CapacityUnits"), json!(units));
        }
        arm
    }
}

#[expect(clippy::cast_precision_loss, reason = "units are far below 2^52")]
fn rounded(bytes: u64, unit: u64) -> f64 {
    bytes.div_ceil(unit).max(1) as f64
}

pub(crate) fn read_units(bytes: u64, is_consistent: bool) -> f64 {
    rounded(bytes, 4_096) * if is_consistent { 1.0 } else { 0.5 }
}

pub(crate) fn write_units(bytes: u64) -> f64 {
    rounded(bytes, 1_024)
}

/// The capacities of several tables, as batches and transactions list them.
pub(crate) fn list(consumed: &[(String, Consumed)], shown: Shown) -> Option<Json> {
    let blocks: Vec<Json> =
        consumed.iter().filter_map(|(table, consumed)| consumed.json(table, shown)).collect();
    (!blocks.is_empty()).then_some(Json::Array(blocks))
}

/// Adds to what a table consumed, in a list by table.
pub(crate) fn share<'a>(
    consumed: &'a mut Vec<(String, Consumed)>,
    table: &str,
    transaction: Option<&'static str>,
) -> &'a mut Consumed {
    let at = consumed.iter().position(|(name, _)| name == table).unwrap_or_else(|| {
        consumed.push((table.to_owned(), Consumed { transaction, ..Consumed::default() }));
        consumed.len() - 1
    });
    &mut consumed[at].1
}

/// Inserts a member if there is something to insert.
pub(crate) fn insert(answer: &mut Map<String, Json>, member: &str, value: Option<Json>) {
    if let Some(value) = value {
        answer.insert(member.to_owned(), value);
    }
}

pub(crate) fn validation(message: &str) -> Json {
    json!({"__type": "com.amazon.coral.validate#ValidationException", "message": message})
}

/// An exception of DynamoDB's own.
pub(crate) fn exception(name: &str, message: &str) -> Json {
    json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{name}"), "message": message})
}

pub(crate) fn not_found() -> Json {
    exception("ResourceNotFoundException", "Requested resource not found")
}

/// True if the answers are the same: sets have no order, lists by table and found items of a batch neither.
pub(crate) fn same(found: &Json, expected: &Json) -> bool {
    sorted(found) == sorted(expected)
}

/// The answer with everything that has no order in one order, and numbers as floats.
fn sorted(answer: &Json) -> Json {
    match answer {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(values) => values.iter().map(sorted).collect(),
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| {
                // A token is the engine's own; that there is one is all that can be expected.
                let value = if name == "NextToken" { json!("any") } else { sorted(value) };
                let is_unordered = match name.as_str() {
                    "SS" | "NS" | "BS" => true,
                    "ConsumedCapacity" => value.is_array(),
                    _ => false,
                };
                let value = match value {
                    Json::Array(values) if is_unordered => Json::Array(in_order(values)),
                    Json::Object(tables) if name == "Responses" => tables
                        .into_iter()
                        .map(|(table, items)| match items {
                            Json::Array(items) => (table, Json::Array(in_order(items))),
                            other => (table, other),
                        })
                        .collect(),
                    other => other,
                };
                (name.clone(), value)
            })
            .collect(),
        other => other.clone(),
    }
}

/// In the order of their text, members of objects sorted.
fn in_order(mut values: Vec<Json>) -> Vec<Json> {
    values.sort_by_cached_key(canonical);
    values
}

fn canonical(value: &Json) -> String {
    match value {
        Json::Array(values) => {
            format!("[{}]", values.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        Json::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{name:?}:{}", canonical(value)))
                .collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}
