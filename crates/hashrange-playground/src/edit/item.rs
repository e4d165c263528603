//! An item as fields: what a person types becomes DynamoDB JSON, and an item becomes text to type over.
//!
//! Invariant: fields made of an item and read back give the item.

use hashrange_types::{AttributeValue, Item};
use serde_json::{Map, Value, json};

use super::Edited;
use crate::view::{AttributeField, Refusal};

/// The ten types.
pub(crate) const KINDS: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"];

/// An item's attributes as fields, in its order.
pub(super) fn fields(item: &Item) -> Vec<AttributeField> {
    item.iter()
        .map(|(name, value)| {
            let (kind, text) = field_of(value);
            AttributeField { name: name.to_string(), kind: kind.to_owned(), text }
        })
        .collect()
}

/// A value in a line of a text table: plain where the type can be told by looking, else in DynamoDB JSON.
pub(crate) fn cell_text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.to_string(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::Bool(truth) => truth.to_string(),
        other => hashrange_wire::value_to_json(other).to_string(),
    }
}

/// Type and text of a value.
pub(super) fn field_of(value: &AttributeValue) -> (&'static str, String) {
    let json = hashrange_wire::value_to_json(value);
    let members = json.as_object().and_then(|members| members.iter().next());
    let Some((name, inner)) = members else { return ("NULL", String::new()) };
    let kind = KINDS.iter().find(|kind| **kind == name.as_str()).copied().unwrap_or("S");
    let text = match inner {
        Value::String(text) => text.clone(),
        Value::Bool(truth) if kind == "BOOL" => truth.to_string(),
        Value::Bool(_) => String::new(),
        Value::Array(members) if kind.ends_with('S') => {
            members.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        other => crate::request::pretty(&other.to_string()),
    };
    (kind, text)
}

/// Fields as an item in DynamoDB JSON.
///
/// # Errors
/// One sentence on the first field that cannot be read.
pub(super) fn item_json(fields: &[AttributeField]) -> Edited<Value> {
    let mut item = Map::new();
    for field in fields {
        if field.name.is_empty() {
            return Err(Refusal::ours("An attribute needs a name.".to_owned()));
        }
        if item.insert(field.name.clone(), value_json(field)?).is_some() {
            let name = &field.name;
            return Err(Refusal::ours(format!("The attribute {name} is there twice.")));
        }
    }
    Ok(Value::Object(item))
}

/// One field as DynamoDB JSON.
pub(crate) fn value_json(field: &AttributeField) -> Edited<Value> {
    let text = field.text.as_str();
    let refuse = |expected: &str| {
        Err(Refusal::ours(format!("{} must be {expected}, not {text}.", field.name)))
    };
    Ok(match field.kind.as_str() {
        "S" => json!({"S": text}),
        // The wire says what is wrong with a number and with bytes, in DynamoDB's words.
        kind @ ("N" | "B") => json!({kind: text.trim()}),
        "NULL" => json!({"NULL": true}),
        "BOOL" => match text.trim() {
            "true" => json!({"BOOL": true}),
            "false" => json!({"BOOL": false}),
            _ => return refuse("true or false"),
        },
        kind @ ("SS" | "NS" | "BS") => {
            let members: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
            json!({kind: members})
        }
        kind @ ("L" | "M") => match serde_json::from_str::<Value>(text) {
            Ok(value) if value.is_array() == (kind == "L") => json!({kind: value}),
            _ if kind == "L" => {
                return refuse("a list in DynamoDB JSON, such as [{\"S\": \"a\"}]");
            }
            _ => return refuse("a map in DynamoDB JSON, such as {\"a\": {\"S\": \"b\"}}"),
        },
        other => {
            let known = KINDS.join(", ");
            return Err(Refusal::ours(format!("There is no type {other}; the types are {known}.")));
        }
    })
}
