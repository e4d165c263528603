//! Facets to access patterns: what a model shows together is what somebody reads together.
//!
//! Invariant: a pattern made here runs and finds items of its facet. It is a suggestion, and the report says so.
//!
//! Not here: the entities that facets are as well ([`super::entities`]).

use hashrange_types::{AttributeName, AttributeValue, Item, KeySchema};
use serde_json::{Map, Value, json};

use super::entities::common_prefix;
use super::repair::Repairs;
use super::{Table, list, text};
use crate::document::AccessPattern;
use crate::words::counted;

/// Calls a second of a suggested pattern, until somebody says how often it is asked.
const PER_SECOND: f64 = 1.0;

/// Patterns for the facets of all tables.
pub(super) fn suggest(tables: &[Table<'_>], repairs: &mut Repairs) -> Vec<AccessPattern> {
    let mut patterns = Vec::new();
    for table in tables {
        let n_before = patterns.len();
        let facets = list(table.source, "TableFacets");
        for (at, facet) in facets.iter().enumerate() {
            let facet = facet.as_object();
            let name = facet.and_then(|facet| text(facet, "FacetName"));
            let items = table.items.iter().filter(|it| it.facet == Some(at)).map(|it| &it.item);
            let items: Vec<&Item> = items.collect();
            if let (Some(name), false) = (name, items.is_empty()) {
                of_facet(table, name, &items, &mut patterns);
            }
        }
        let n_suggested = (patterns.len() - n_before) as u64;
        if n_suggested > 0 {
            let n_facets = counted(facets.len() as u64, "facet");
            repairs.note(
                &format!("{}.TableFacets", table.schema.name),
                format!("{n_facets}: items that are read together"),
                format!(
                    "{} suggested and named after them, each asked once a second until you say how often",
                    match n_suggested {
                        1 => "1 access pattern is".to_owned(),
                        n => format!("{n} access patterns are"),
                    }
                ),
            );
        }
    }
    patterns
}

/// One item by its key, the facet's items of one partition, and those under one key of each index they are in.
fn of_facet(table: &Table<'_>, facet: &str, items: &[&Item], patterns: &mut Vec<AccessPattern>) {
    let schema = &table.schema;
    let mut push = |words: String, operation: &str, mut request: Value| {
        request["TableName"] = json!(schema.name.as_str());
        patterns.push(AccessPattern {
            words,
            operation: operation.to_owned(),
            request,
            per_second: Some(PER_SECOND),
            ..AccessPattern::default()
        });
    };
    let key = schema.key.key_of(items[0]);
    let request = json!({"Key": hashrange_wire::item_to_json(&key)});
    push(format!("{facet}: one by its key"), "GetItem", request);
    if is_collection(&schema.key, items)
        && let Some(request) = query(&schema.key, items)
    {
        push(format!("{facet}: all of one {}", partition(&schema.key)), "Query", request);
    }
    for index in schema.indexes() {
        if let Some(mut request) = query(index.key, items) {
            request["IndexName"] = json!(index.name.as_str());
            push(
                format!("{facet}: by {} in {}", partition(index.key), index.name),
                "Query",
                request,
            );
        }
    }
}

fn partition(key: &KeySchema) -> &str {
    key.partition.first().map_or("", |attribute| attribute.name.as_str())
}

/// True if a partition can hold several of these items: what sorts them is not the partition's own value.
fn is_collection(key: &KeySchema, items: &[&Item]) -> bool {
    let (Some(partition), Some(sort)) = (key.partition.first(), key.sort.first()) else {
        return false;
    };
    let sorts = |item: &&Item| item.get(sort.name.as_str()).cloned();
    let is_constant = items.len() > 1 && items.iter().all(|item| sorts(item) == sorts(&items[0]));
    let is_own = items.iter().all(|item| sorts(item) == item.get(partition.name.as_str()).cloned());
    !is_constant && !is_own
}

/// A Query for the partition that most of these items are in; none where no item has the key.
fn query(key: &KeySchema, items: &[&Item]) -> Option<Value> {
    let partition = key.partition.first()?;
    let has_key = |item: &&&Item| {
        key.attributes().all(|attribute| {
            let value = item.get(attribute.name.as_str());
            value.and_then(AttributeValue::scalar_type) == Some(attribute.scalar)
        })
    };
    let members: Vec<&Item> = items.iter().filter(has_key).copied().collect();
    let value = |item: &Item, name: &AttributeName| item.get(name.as_str()).cloned();
    let n_with = |item: &Item| {
        let own = value(item, &partition.name);
        members.iter().filter(|other| value(other, &partition.name) == own).count()
    };
    let most = members.iter().map(|item| n_with(item)).max()?;
    let chosen = members.iter().find(|item| n_with(item) == most)?;
    let mut names = Map::from_iter([("#pk".to_owned(), json!(partition.name.as_str()))]);
    let of_partition = hashrange_wire::value_to_json(chosen.get(partition.name.as_str())?);
    let mut values = Map::from_iter([(":pk".to_owned(), of_partition)]);
    let mut condition = "#pk = :pk".to_owned();
    if let Some(sort) = key.sort.first() {
        let texts = members.iter().filter_map(|item| match item.get(sort.name.as_str()) {
            Some(AttributeValue::S(text)) => Some(text.to_string()),
            _ => None,
        });
        let texts: Vec<String> = texts.collect();
        if let Some(prefix) = common_prefix(&texts) {
            condition.push_str(" AND begins_with(#sk, :sk)");
            names.insert("#sk".to_owned(), json!(sort.name.as_str()));
            values.insert(":sk".to_owned(), json!({"S": prefix}));
        }
    }
    Some(json!({
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
    }))
}
