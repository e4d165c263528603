//! Attribute values as Workbench files hold them: DynamoDB JSON, and much that is almost that.
//!
//! Invariant: every difference from DynamoDB JSON is noted once for an attribute.

use hashrange_types::{AttributeValue, BinarySet, Number, NumberSet, SortedSet, StringSet};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use smol_str::SmolStr;

use super::repair::Repairs;

/// Reads the values of one attribute, which stands at `place`.
pub(super) struct ValueReader<'a> {
    pub(super) place: &'a str,
    pub(super) repairs: &'a mut Repairs,
}

const PLAIN_DONE: &str = "its type was worked out from the value";

impl ValueReader<'_> {
    fn note(&mut self, found: impl Into<String>, done: &str) {
        self.repairs.note(self.place, found, done);
    }

    /// Reads the attribute's value; none where nothing is left of it.
    pub(super) fn attribute(&mut self, value: &Value) -> Option<AttributeValue> {
        if let Some((tag, content)) = typed(value) {
            return self.tagged(tag, content);
        }
        self.note("a plain value without a type", PLAIN_DONE);
        Some(self.plain(value))
    }

    /// Reads a value inside a list or map.
    fn nested(&mut self, value: &Value) -> Option<AttributeValue> {
        if let Some((tag, content)) = typed(value) {
            return self.tagged(tag, content);
        }
        self.note(
            "plain values inside a list or map",
            "their types were worked out from the values",
        );
        Some(self.plain(value))
    }

    fn tagged(&mut self, tag: &str, content: &Value) -> Option<AttributeValue> {
        match tag {
            "S" => Some(AttributeValue::S(self.text(content))),
            "N" => Some(self.number(content)),
            "B" => Some(self.binary(content)),
            "BOOL" => Some(AttributeValue::Bool(self.truth(content))),
            "NULL" => Some(AttributeValue::Null),
            "L" => Some(AttributeValue::L(self.list(content.as_array()?))),
            "M" => Some(self.map(content.as_object()?)),
            _ => self.set(tag, content.as_array()?),
        }
    }

    fn list(&mut self, values: &[Value]) -> Vec<AttributeValue> {
        values.iter().filter_map(|value| self.nested(value)).collect()
    }

    fn map(&mut self, members: &Map<String, Value>) -> AttributeValue {
        let twice_wrapped = members
            .get("M")
            .filter(|inner| members.len() == 1 && typed(inner).is_none())
            .and_then(Value::as_object);
        let members = match twice_wrapped {
            Some(inner) => {
                self.note("a map wrapped twice", "one wrapping was taken off");
                inner
            }
            None => members,
        };
        self.entries(members)
    }

    fn entries(&mut self, members: &Map<String, Value>) -> AttributeValue {
        let mut entries = IndexMap::new();
        for (name, value) in members {
            if let Some(value) = self.nested(value) {
                entries.insert(SmolStr::new(name), value);
            }
        }
        AttributeValue::M(entries)
    }

    /// Works out the type of a value that states none.
    fn plain(&mut self, value: &Value) -> AttributeValue {
        match value {
            Value::Null => AttributeValue::Null,
            Value::Bool(truth) => AttributeValue::Bool(*truth),
            Value::Number(_) => self.number(value),
            Value::String(text) => AttributeValue::S(text.as_str().into()),
            Value::Array(values) => AttributeValue::L(self.list(values)),
            Value::Object(members) => self.entries(members),
        }
    }

    fn text(&mut self, content: &Value) -> SmolStr {
        match content {
            Value::String(text) => text.as_str().into(),
            other => {
                self.note("a text written without quotes", "it was taken as text");
                other.to_string().into()
            }
        }
    }

    fn truth(&mut self, content: &Value) -> bool {
        match content {
            Value::Bool(truth) => *truth,
            other => {
                self.note(
                    "true or false written as a text or number",
                    "it was taken as true or false",
                );
                matches!(other, Value::String(text) if text.eq_ignore_ascii_case("true"))
                    || other.as_i64() == Some(1)
            }
        }
    }

    fn number(&mut self, content: &Value) -> AttributeValue {
        let text = match content {
            Value::String(text) => text.trim().to_owned(),
            other => {
                self.note("a number written without quotes", "it was taken as a number");
                other.to_string()
            }
        };
        if let Ok(number) = Number::parse(&text) {
            return AttributeValue::N(number);
        }
        let shown: String = text.chars().take(40).collect();
        self.note(format!("\"{shown}\" as a number"), "it was kept as a text");
        AttributeValue::S(text.into())
    }

    fn binary(&mut self, content: &Value) -> AttributeValue {
        hashrange_wire::value_from_json(&json!({ "B": content })).unwrap_or_else(|_| {
            self.note("binary data that is not base64", "it was kept as a text");
            AttributeValue::S(content.as_str().unwrap_or_default().into())
        })
    }

    fn set(&mut self, tag: &str, members: &[Value]) -> Option<AttributeValue> {
        if members.is_empty() {
            self.note("an empty set", "it was left out");
            return None;
        }
        let set = match tag {
            "SS" => {
                let texts = members.iter().map(|member| self.text(member)).collect();
                StringSet::new(self.once(texts)).map(AttributeValue::Ss)
            }
            "NS" => {
                let numbers: Option<Vec<Number>> = members
                    .iter()
                    .map(|member| match self.number(member) {
                        AttributeValue::N(number) => Some(number),
                        _ => None,
                    })
                    .collect();
                numbers
                    .and_then(|numbers| NumberSet::new(self.once(numbers)))
                    .map(AttributeValue::Ns)
            }
            _ => {
                let bytes: Option<Vec<_>> = members
                    .iter()
                    .map(|member| match self.binary(member) {
                        AttributeValue::B(bytes) => Some(bytes),
                        _ => None,
                    })
                    .collect();
                bytes.and_then(|bytes| BinarySet::new(self.once(bytes))).map(AttributeValue::Bs)
            }
        };
        Some(set.unwrap_or_else(|| {
            self.note("a set with members of another type", "it was kept as a list");
            AttributeValue::L(self.list(members))
        }))
    }

    /// The members without repetitions.
    fn once<T: Ord + Clone>(&mut self, members: Vec<T>) -> Vec<T> {
        let mut seen = SortedSet::new();
        let n_members = members.len();
        let once: Vec<T> =
            members.into_iter().filter(|member| seen.insert(member.clone())).collect();
        if once.len() < n_members {
            self.note("a set that repeats a member", "it holds the member once");
        }
        once
    }
}

/// The tag and content of `{"S": …}`, if the content has a shape that can be meant by the tag.
fn typed(value: &Value) -> Option<(&str, &Value)> {
    let members = value.as_object()?;
    let (tag, content) = members.iter().next().filter(|_| members.len() == 1)?;
    let is_scalar = content.is_string() || content.is_number() || content.is_boolean();
    let suits = match tag.as_str() {
        "S" | "BOOL" => is_scalar,
        "N" => content.is_string() || content.is_number(),
        "B" => content.is_string(),
        "NULL" => is_scalar || content.is_null(),
        "M" => content.is_object(),
        "L" | "SS" | "NS" | "BS" => content.is_array(),
        _ => false,
    };
    suits.then_some((tag.as_str(), content))
}
