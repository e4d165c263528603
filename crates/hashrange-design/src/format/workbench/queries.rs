//! Saved queries of the labs visualizer to access patterns.
//!
//! Invariant: a pattern made here is a Query its table or index can answer.

use hashrange_types::{KeyAttribute, ScalarType};
use serde_json::{Map, Value, json};

use super::Table;
use super::repair::Repairs;
use super::text;
use crate::document::AccessPattern;

/// The saved queries of all tables.
pub(super) fn read(tables: &[Table<'_>], repairs: &mut Repairs) -> Vec<AccessPattern> {
    let mut patterns = Vec::new();
    for table in tables {
        let Some(saved) = table.source.get("SavedQuery").and_then(Value::as_object) else {
            continue;
        };
        for (name, query) in saved {
            let place = format!("{}.SavedQuery.{name}", table.schema.name);
            let request =
                query.as_object().and_then(|query| request(table, query, &place, repairs));
            match request {
                Some(request) => patterns.push(AccessPattern {
                    words: name.clone(),
                    operation: "Query".to_owned(),
                    request,
                    ..AccessPattern::default()
                }),
                None => {
                    repairs.note(
                        &place,
                        "a saved query without a partition key",
                        "it was left out",
                    );
                }
            }
        }
    }
    patterns
}

fn request(
    table: &Table<'_>,
    query: &Map<String, Value>,
    place: &str,
    repairs: &mut Repairs,
) -> Option<Value> {
    let view = text(query, "view").unwrap_or_default();
    let index = table.schema.index(view);
    let key = index.map_or(&table.schema.key, |index| index.key);
    let partition = key.partition.first()?;
    let mut names = Map::from_iter([("#pk".to_owned(), json!(partition.name.as_str()))]);
    let mut values = Map::from_iter([(":pk".to_owned(), typed(query.get("PK")?, partition)?)]);
    let mut condition = "#pk = :pk".to_owned();
    if let (Some(sort), Some(wanted)) =
        (key.sort.first(), query.get("SK").and_then(Value::as_object))
    {
        if let Some(sort_condition) = sort_condition(sort, wanted, &mut values) {
            condition.push_str(" AND ");
            condition.push_str(&sort_condition);
            names.insert("#sk".to_owned(), json!(sort.name.as_str()));
        } else if text(wanted, "condition").is_some() {
            repairs.note(place, "a condition on the sort key that is not known", "it was left out");
        }
    }
    if query.get("filter").is_some_and(|filter| !is_empty(filter)) {
        repairs.note(place, "a filter", "it was left out of the access pattern");
    }
    let mut request = json!({
        "TableName": table.schema.name.as_str(),
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
    });
    if let Some(index) = index {
        request["IndexName"] = json!(index.name.as_str());
    }
    Some(request)
}

fn is_empty(filter: &Value) -> bool {
    match filter {
        Value::Array(filters) => filters.is_empty(),
        Value::Object(filters) => filters.is_empty(),
        other => other.is_null(),
    }
}

/// The condition on the sort key; adds its values.
fn sort_condition(
    sort: &KeyAttribute,
    wanted: &Map<String, Value>,
    values: &mut Map<String, Value>,
) -> Option<String> {
    let given = wanted.get("values").and_then(Value::as_array)?;
    let first = typed(given.first()?, sort)?;
    let name = text(wanted, "condition")?.to_ascii_lowercase().replace([' ', '-', '_'], "");
    let condition = match name.as_str() {
        "between" => {
            values.insert(":to".to_owned(), typed(given.get(1)?, sort)?);
            "#sk BETWEEN :sk AND :to".to_owned()
        }
        "beginswith" if sort.scalar != ScalarType::N => "begins_with(#sk, :sk)".to_owned(),
        "=" | "==" | "eq" => "#sk = :sk".to_owned(),
        "<" | "lt" => "#sk < :sk".to_owned(),
        "<=" | "le" | "lte" => "#sk <= :sk".to_owned(),
        ">" | "gt" => "#sk > :sk".to_owned(),
        ">=" | "ge" | "gte" => "#sk >= :sk".to_owned(),
        _ => return None,
    };
    values.insert(":sk".to_owned(), first);
    Some(condition)
}

/// A plain value with the type of a key attribute.
fn typed(value: &Value, attribute: &KeyAttribute) -> Option<Value> {
    let text = match value {
        Value::String(text) if !text.is_empty() => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let mut typed = Map::new();
    typed.insert(attribute.scalar.letter().to_owned(), Value::String(text));
    Some(Value::Object(typed))
}
