//! Starter requests: one for each operation, made of what the table holds now, so that it runs as it stands.
//!
//! Invariant: a template decodes and plans against the store it was made from, as long as its table exists.

use std::borrow::Cow;

use hashrange_expressions::is_reserved;
use hashrange_storage::{KeyRange, Store, Table};
use hashrange_types::{AttributeValue, Item, KeyAttribute, KeySchema, Operation, ScalarType};
use serde_json::{Map, Value, json};

use crate::recognition::{Recognition, key_text};
use crate::request::{is_transaction, pretty};
use crate::starter;
use crate::view::Target;

/// Attributes copied into a new item beside its key.
const COPIED_ATTRIBUTES_MAX: usize = 4;

/// A starter request for an operation on a target; `{}` for an operation there is not.
pub(crate) fn template(
    store: &Store,
    recognition: &Recognition,
    operation: &str,
    target: &Target,
    now_ms: i64,
) -> String {
    let Some(operation) = Operation::from_name(operation) else { return "{}".to_owned() };
    if let Some(request) = starter::request(store, operation, &target.table, now_ms) {
        return pretty(&request);
    }
    let request = match (operation, store.table(&target.table)) {
        (_, None) => json!({"TableName": target.table}),
        (operation, Some(table)) => {
            let starter = Starter { table, recognition, index: target.index.as_deref() };
            if operation.name().contains("Execute") {
                starter.statements(operation)
            } else {
                starter.request(operation)
            }
        }
    };
    pretty(&request.to_string())
}

/// A table, or one of its indexes, to ask something of.
pub(crate) struct Starter<'a> {
    pub(crate) table: &'a Table,
    recognition: &'a Recognition,
    pub(crate) index: Option<&'a str>,
}

impl Starter<'_> {
    fn request(&self, operation: Operation) -> Value {
        let key = &self.table.schema().key;
        let first = self.first_items(1).pop();
        let first_key = first.as_ref().map_or_else(|| sample_key(key), |item| key.key_of(item));
        let mut request = Map::new();
        let name = self.table.schema().name.as_str();
        if !matches!(operation, Operation::BatchGetItem | Operation::BatchWriteItem)
            && !is_transaction(operation)
        {
            request.insert("TableName".to_owned(), name.into());
        }
        let mut add = |name: &str, value: Value| request.insert(name.to_owned(), value);
        match operation {
            _ if is_transaction(operation) => {
                add("TransactItems", self.transaction(operation, &first_key));
            }
            Operation::GetItem => {
                add("Key", item(&first_key));
            }
            Operation::DeleteItem => {
                add("Key", item(&first_key));
                add("ReturnValues", "ALL_OLD".into());
            }
            Operation::PutItem => {
                let new = self.new_items(first.as_ref(), 1).pop().unwrap_or(first_key);
                add("Item", item(&new));
            }
            Operation::UpdateItem => {
                add("Key", item(&first_key));
                let (attribute, value) = self.changed_attribute(first.as_ref());
                let mut names = Map::new();
                let attribute = placed(&mut names, &attribute, "#attribute");
                add("UpdateExpression", format!("SET {attribute} = :value").into());
                if !names.is_empty() {
                    add("ExpressionAttributeNames", names.into());
                }
                add("ExpressionAttributeValues", json!({":value": value}));
                add("ReturnValues", "UPDATED_NEW".into());
            }
            Operation::BatchGetItem => {
                let items = self.first_items(2);
                let keys: Vec<Value> = if items.is_empty() {
                    vec![item(&first_key)]
                } else {
                    items.iter().map(|found| item(&key.key_of(found))).collect()
                };
                add("RequestItems", json!({name: {"Keys": keys}}));
            }
            Operation::BatchWriteItem => {
                let puts: Vec<Value> = self
                    .new_items(first.as_ref(), 2)
                    .iter()
                    .map(|new| json!({"PutRequest": {"Item": item(new)}}))
                    .collect();
                add("RequestItems", json!({name: puts}));
            }
            Operation::Scan => {
                if let Some(index) = self.index {
                    add("IndexName", index.into());
                }
            }
            Operation::Query => self.query(&mut request),
            _ => {}
        }
        Value::Object(request)
    }

    /// Two reads, or a new item and the check that another is there.
    fn transaction(&self, operation: Operation, first_key: &Item) -> Value {
        let table = self.table.schema().name.as_str();
        let key = &self.table.schema().key;
        let on = |action: &str, member: &str, content: &Item| json!({action: {"TableName": table, member: item(content)}});
        if operation.name() == "TransactGetItems" {
            let keys = self.first_items(2).into_iter().map(|found| key.key_of(&found));
            let gets: Vec<Value> = keys.map(|found| on("Get", "Key", &found)).collect();
            return if gets.is_empty() {
                json!([on("Get", "Key", first_key)])
            } else {
                gets.into()
            };
        }
        let like = self.first_items(1).pop();
        self.new_items(like.as_ref(), 2).iter().map(|new| on("Put", "Item", new)).collect()
    }

    /// The first collection's key, narrowed by the prefix of its first sort key.
    fn query(&self, request: &mut Map<String, Value>) {
        let schema = self.table.schema();
        let index = self.index.and_then(|name| schema.index(name));
        let key = index.map_or(&schema.key, |index| index.key);
        let sample = self.first_entry(key);
        let (mut names, mut values) = (Map::new(), Map::new());
        let mut conditions = Vec::new();
        for (attribute, at) in key.partition.iter().zip(1..) {
            let suffix = if key.partition.len() > 1 { at.to_string() } else { String::new() };
            let name = placed(&mut names, attribute.name.as_str(), &format!("#pk{suffix}"));
            conditions.push(format!("{name} = :pk{suffix}"));
            values.insert(format!(":pk{suffix}"), value_of(&sample, attribute));
        }
        if let ([attribute], Some(prefix)) = (key.sort.as_slice(), self.sort_prefix(&sample, key)) {
            let name = placed(&mut names, attribute.name.as_str(), "#sk");
            conditions.push(format!("begins_with({name}, :sk)"));
            values.insert(":sk".to_owned(), json!({"S": prefix}));
        }
        if let Some(index) = index {
            request.insert("IndexName".to_owned(), index.name.as_str().into());
        }
        request.insert("KeyConditionExpression".to_owned(), conditions.join(" AND ").into());
        if !names.is_empty() {
            request.insert("ExpressionAttributeNames".to_owned(), names.into());
        }
        request.insert("ExpressionAttributeValues".to_owned(), values.into());
    }

    /// The first item or index entry, or a key made up where there is none.
    pub(crate) fn first_entry(&self, key: &KeySchema) -> Item {
        let tree = self.index.and_then(|index| self.table.index(index));
        let rows = tree.unwrap_or_else(|| self.table.items());
        let first = rows.range(&KeyRange::all(), true).next();
        first.map_or_else(|| sample_key(key), |(_, row)| row.item.clone())
    }

    /// What the sort key of `sample` starts with, where it is a text with a prefix.
    pub(crate) fn sort_prefix(&self, sample: &Item, key: &KeySchema) -> Option<String> {
        let [KeyAttribute { scalar: ScalarType::S, .. }] = key.sort.as_slice() else { return None };
        let table = self.table.schema().name.as_str();
        let face = self.recognition.face(self.recognition.entity_of(table, sample));
        Some(key_text(sample, &key.sort, face).prefix).filter(|prefix| !prefix.is_empty())
    }

    pub(crate) fn first_items(&self, n: usize) -> Vec<Item> {
        let rows = self.table.items().range(&KeyRange::all(), true);
        rows.take(n).map(|(_, row)| row.item.clone()).collect()
    }

    /// `n` items like `like` under keys that are free.
    pub(crate) fn new_items(&self, like: Option<&Item>, n: usize) -> Vec<Item> {
        let schema = self.table.schema();
        let like = like.map_or_else(|| Cow::Owned(sample_key(&schema.key)), Cow::Borrowed);
        let Some(fresh) = schema.key.sort.last().or(schema.key.partition.last()) else {
            return Vec::new();
        };
        (1_u32..1_000)
            .map(|attempt| self.new_item(&like, fresh, attempt))
            .filter(|item| {
                schema.key.encode(item).is_some_and(|key| self.table.get(&key).is_none())
            })
            .take(n)
            .collect()
    }

    fn new_item(&self, like: &Item, fresh: &KeyAttribute, attempt: u32) -> Item {
        let key = &self.table.schema().key;
        let mut new = key.key_of(like);
        new.insert(fresh.name.clone(), self.fresh_value(like, fresh, attempt));
        let is_short = |value: &AttributeValue| match value {
            AttributeValue::S(text) => text.len() <= 64,
            AttributeValue::N(_) | AttributeValue::Bool(_) => true,
            _ => false,
        };
        let copied =
            like.iter().filter(|(name, value)| !key.contains(name.as_str()) && is_short(value));
        for (name, value) in copied.take(COPIED_ATTRIBUTES_MAX) {
            new.insert(name.clone(), value.clone());
        }
        new
    }

    /// A value for the key that no item is likely to have yet.
    fn fresh_value(&self, like: &Item, attribute: &KeyAttribute, attempt: u32) -> AttributeValue {
        match like.get(attribute.name.as_str()) {
            Some(AttributeValue::N(number)) => {
                let step = hashrange_types::Number::parse(&attempt.to_string());
                let next = step.ok().and_then(|step| number.checked_add(step).ok());
                AttributeValue::N(next.unwrap_or(*number))
            }
            Some(AttributeValue::B(bytes)) => {
                let mut longer = bytes.to_vec();
                longer.extend_from_slice(&attempt.to_be_bytes());
                AttributeValue::B(longer.into())
            }
            _ => {
                let table = self.table.schema().name.as_str();
                let face = self.recognition.face(self.recognition.entity_of(table, like));
                let prefix = key_text(like, std::slice::from_ref(attribute), face).prefix;
                let suffix = if attempt == 1 { String::new() } else { format!("-{attempt}") };
                AttributeValue::S(format!("{prefix}new{suffix}").into())
            }
        }
    }

    /// An attribute to set, and what to.
    pub(crate) fn changed_attribute(&self, first: Option<&Item>) -> (String, Value) {
        let schema = self.table.schema();
        let is_key = |name: &str| {
            schema.key.contains(name) || schema.indexes().any(|index| index.key.contains(name))
        };
        let text = first.and_then(|item| {
            item.iter().find(|(name, value)| {
                matches!(value, AttributeValue::S(_)) && !is_key(name.as_str())
            })
        });
        let name = text.map_or_else(|| "note".to_owned(), |(name, _)| name.to_string());
        (name, json!({"S": "changed"}))
    }
}

fn item(item: &Item) -> Value {
    hashrange_wire::item_to_json(item)
}

pub(crate) fn value_of(item: &Item, attribute: &KeyAttribute) -> Value {
    item.get(attribute.name.as_str()).map_or(Value::Null, hashrange_wire::value_to_json)
}

/// A name as it may stand in an expression: itself, or a placeholder that `names` explains.
fn placed(names: &mut Map<String, Value>, name: &str, placeholder: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !is_reserved(name);
    if is_plain {
        return name.to_owned();
    }
    names.insert(placeholder.to_owned(), name.into());
    placeholder.to_owned()
}

/// A key of the right types for a table that is empty.
pub(crate) fn sample_key(key: &KeySchema) -> Item {
    key.attributes()
        .map(|attribute| {
            let value = match attribute.scalar {
                ScalarType::S => AttributeValue::S("example".into()),
                ScalarType::N => {
                    AttributeValue::N(hashrange_types::Number::parse("1").expect("1 is a number"))
                }
                ScalarType::B => AttributeValue::B(b"example".to_vec().into()),
            };
            (attribute.name.clone(), value)
        })
        .collect()
}
