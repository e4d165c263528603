//! `Json`: a parsed JSON text that borrows from it, the form every request is decoded from.
//!
//! Objects are lists of entries: a request's objects are small and most are read once, so hashing their
//! names would cost more than it saves. Strings without escapes are not copied.
//!
//! Invariant: nesting is at most serde_json's 128 levels, so recursion over a tree is safe.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// One JSON value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Json<'a> {
    #[default]
    Null,
    Bool(bool),
    /// A number written without point and exponent; those outside 64 bits end at its limits.
    Integer(i64),
    Decimal(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    /// Entries in the order written; a name may stand twice.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// True for `null`, which DynamoDB treats as absent.
    pub(crate) const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The same tree, borrowed from a serde_json value.
    pub(crate) fn from_value(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => number
                .as_i64()
                .or_else(|| number.as_u64().map(|_| i64::MAX))
                .map_or_else(|| Self::Decimal(number.as_f64().unwrap_or(0.0)), Self::Integer),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(values) => Self::List(values.iter().map(Self::from_value).collect()),
            Value::Object(entries) => Self::Object(
                entries
                    .iter()
                    .map(|(name, value)| (Cow::Borrowed(name.as_str()), Self::from_value(value)))
                    .collect(),
            ),
        }
    }
}

/// A string that borrows where the text holds it without escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, truth: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(truth))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Json::Integer(number))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Json::Integer(i64::try_from(number).unwrap_or(i64::MAX)))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Json::Decimal(number))
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text)))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let Some((Text(name), value)) = access.next_entry()? else {
            return Ok(Json::Object(Vec::new()));
        };
        // Most objects of a request are attribute values: exactly one entry.
        let mut entries = Vec::with_capacity(1);
        entries.push((name, value));
        while let Some((Text(name), value)) = access.next_entry()? {
            entries.push((name, value));
        }
        Ok(Json::Object(entries))
    }
}
