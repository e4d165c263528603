//! Values and items as serde_json trees, for documents that carry them: designs, exports, seeds.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hashrange_types::{AttributeValue, Deferred, ErrorPlace, Item, ValidationError};
use serde_json::{Map, Value};
use smol_str::SmolStr;

use crate::json::Json;
use crate::members::Read;
use crate::value;
use crate::writer::Writer;

/// Reads an item from `{"pk": {"S": "a"}}`.
///
/// # Errors
/// DynamoDB's message for a value that breaks a rule or has the wrong JSON type, with its path.
pub fn item_from_json(json: &Value) -> Deferred<Item> {
    flatten(value::item(Json::from_value(json)))
}

/// Reads one value from `{"S": "a"}`.
///
/// # Errors
/// As [`item_from_json`].
///
/// ```
/// use hashrange_types::AttributeValue;
/// let value = hashrange_wire::value_from_json(&serde_json::json!({"S": "a"}));
/// assert_eq!(value, Ok(AttributeValue::S("a".into())));
/// ```
pub fn value_from_json(json: &Value) -> Deferred<AttributeValue> {
    flatten(value::value(Json::from_value(json)))
}

/// The item as `{"pk": {"S": "a"}}`.
pub fn item_to_json(item: &Item) -> Value {
    item.iter()
        .map(|(name, value)| (name.as_str().to_owned(), value_to_json(value)))
        .collect::<Map<_, _>>()
        .into()
}

/// The item as compact JSON text, without a tree in between.
///
/// ```
/// use hashrange_types::{AttributeValue, Item};
/// let item: Item = [("pk".into(), AttributeValue::S("a".into()))].into_iter().collect();
/// assert_eq!(hashrange_wire::item_to_text(&item), r#"{"pk":{"S":"a"}}"#);
/// ```
pub fn item_to_text(item: &Item) -> String {
    let mut writer = Writer::default();
    writer.item(item);
    writer.finish()
}

/// The value as `{"S": "a"}`.
pub fn value_to_json(value: &AttributeValue) -> Value {
    let content = match value {
        AttributeValue::S(text) => text.as_str().into(),
        AttributeValue::N(number) => number.to_string().into(),
        AttributeValue::B(bytes) => STANDARD.encode(bytes).into(),
        AttributeValue::Bool(truth) => (*truth).into(),
        AttributeValue::Null => true.into(),
        AttributeValue::L(values) => values.iter().map(value_to_json).collect(),
        AttributeValue::M(entries) => entries
            .iter()
            .map(|(name, value)| (name.to_string(), value_to_json(value)))
            .collect::<Map<_, _>>()
            .into(),
        AttributeValue::Ss(set) => set.members().iter().map(SmolStr::as_str).collect(),
        AttributeValue::Ns(set) => set.members().iter().map(ToString::to_string).collect(),
        AttributeValue::Bs(set) => set.members().iter().map(|b| STANDARD.encode(b)).collect(),
    };
    Value::Object(Map::from_iter([(value.tag().to_owned(), content)]))
}

/// In a document a wrong JSON type is one more rule that is broken.
pub(crate) fn flatten<T>(read: Read<Deferred<T>>) -> Deferred<T> {
    read.unwrap_or_else(|mismatch| {
        let (message, path) = mismatch.into_parts();
        Err(ValidationError::new(message).at(ErrorPlace::Member(path)))
    })
}
