//! `Members`: the members of one JSON object, read by name with DynamoDB's complaints about wrong types.
//!
//! Invariant: whatever is read, a `null` member counts as absent and an unknown one is never looked at.
//!
//! Not here: whether a member may be absent and which values are legal ([`crate::constraint`]).

use std::borrow::Cow;

use hashrange_types::{AttributeValue, Deferred, Item};
use smol_str::SmolStr;

use crate::json::Json;
use crate::value;

/// A member holds another kind of JSON value than its type allows (SerializationException). It is one pointer
/// wide, because every `?` on its way up moves it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mismatch(Box<(Cow<'static, str>, Vec<String>)>);

/// What reading yields.
pub(crate) type Read<T> = Result<T, Mismatch>;

impl Mismatch {
    pub(crate) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new((message.into(), Vec::new())))
    }

    /// The same mismatch, found inside the member `name`.
    pub(crate) fn within(mut self, name: &str) -> Self {
        self.0.1.push(name.to_owned());
        self
    }

    /// DynamoDB's text, and the names from the request inward to the offending value.
    pub(crate) fn into_parts(self) -> (String, Vec<String>) {
        let (message, mut path) = *self.0;
        path.reverse();
        (message.into_owned(), path)
    }
}

/// Adds the name of the member being read to a mismatch inside it.
pub(crate) trait Within {
    fn within(self, name: &str) -> Self;
    fn within_element(self, index: usize) -> Self;
}

impl<T> Within for Read<T> {
    fn within(self, name: &str) -> Self {
        self.map_err(|mismatch| mismatch.within(name))
    }
    fn within_element(self, index: usize) -> Self {
        self.map_err(|mismatch| mismatch.within(&index.to_string()))
    }
}

/// What stands where a structure or a map should.
const STRUCTURE: &str = "Start of structure or map found where not expected";

/// Refuses a value where text is expected, and its like for other scalars.
fn not_scalar(json: &Json, java_type: &str, java_class: &str) -> Mismatch {
    let token = match json {
        Json::Bool(true) => "TRUE_VALUE",
        Json::Bool(false) => "FALSE_VALUE",
        Json::Integer(_) => "NUMBER_VALUE",
        Json::Decimal(_) => "DECIMAL_VALUE",
        Json::Text(_) | Json::Null => "STRING_VALUE",
        Json::List(_) => {
            return Mismatch::new(format!("Unrecognized collection type class {java_class}"));
        }
        Json::Object(_) => return Mismatch::new(STRUCTURE),
    };
    Mismatch::new(format!("{token} cannot be converted to {java_type}"))
}

/// Reads text.
pub(crate) fn text(json: Json<'_>) -> Read<Cow<'_, str>> {
    match json {
        Json::Text(text) => Ok(text),
        other => Err(not_scalar(&other, "String", "java.lang.String")),
    }
}

/// Reads true or false.
pub(crate) fn boolean(json: &Json) -> Read<bool> {
    match json {
        Json::Bool(truth) => Ok(*truth),
        Json::Text(_) => Err(Mismatch::new("Unexpected token received from parser")),
        other => Err(not_scalar(other, "Boolean", "java.lang.Boolean")),
    }
}

/// Reads a whole number; a fraction is cut off.
#[expect(clippy::cast_possible_truncation, reason = "cutting off is what is asked for")]
pub(crate) fn whole(json: &Json, java_type: &'static str) -> Read<i64> {
    match json {
        Json::Integer(number) => Ok(*number),
        Json::Decimal(number) => Ok(*number as i64),
        other => Err(not_scalar(other, java_type, &format!("java.lang.{java_type}"))),
    }
}

/// Reads a list.
pub(crate) fn list(json: Json<'_>) -> Read<Vec<Json<'_>>> {
    match json {
        Json::List(values) => Ok(values),
        Json::Object(_) => Err(Mismatch::new(STRUCTURE)),
        _ => Err(Mismatch::new("Unexpected field type")),
    }
}

/// Reads a map of names to values of class `java_class`.
pub(crate) fn map<'a>(json: Json<'a>, java_class: &str) -> Read<Vec<(Cow<'a, str>, Json<'a>)>> {
    match json {
        Json::Object(entries) => Ok(entries),
        Json::List(_) => Err(Mismatch::new(format!(
            "Unrecognized collection type java.util.Map<java.lang.String, {java_class}>"
        ))),
        _ => Err(Mismatch::new("Unexpected field type")),
    }
}

/// The Java class of an attribute value, as DynamoDB names it in these messages.
pub(crate) const ATTRIBUTE_VALUE_CLASS: &str = "com.amazonaws.dynamodb.v20120810.AttributeValue";

/// The members of one structure that are not read yet.
#[derive(Debug)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

impl<'a> Members<'a> {
    /// Reads a structure; `class` is its name in DynamoDB's model.
    pub(crate) fn read(json: Json<'a>, class: &str) -> Read<Self> {
        match json {
            Json::Object(entries) => Ok(Self(entries)),
            Json::List(_) => Err(Mismatch::new(format!(
                "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.{class}"
            ))),
            _ => Err(Mismatch::new("Unexpected value type in payload")),
        }
    }

    /// Takes member `name` out; none where it is absent or `null`. Of two with one name the last counts.
    pub(crate) fn take(&mut self, name: &str) -> Option<Json<'a>> {
        let (_, value) = self.0.iter_mut().rev().find(|(other, _)| other == name)?;
        let value = std::mem::take(value);
        (!value.is_null()).then_some(value)
    }

    /// Member `name` without taking it out; none where it is absent or `null`.
    pub(crate) fn peek(&self, name: &str) -> Option<&Json<'a>> {
        let (_, value) = self.0.iter().rev().find(|(other, _)| other == name)?;
        (!value.is_null()).then_some(value)
    }

    /// True if member `name` is present and not `null`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.peek(name).is_some()
    }

    /// Takes member `name` out and reads it with `read`.
    pub(crate) fn read_with<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Json<'a>) -> Read<T>,
    ) -> Read<Option<T>> {
        self.take(name).map(|json| read(json).within(name)).transpose()
    }

    pub(crate) fn text(&mut self, name: &str) -> Read<Option<Cow<'a, str>>> {
        self.read_with(name, text)
    }

    pub(crate) fn string(&mut self, name: &str) -> Read<Option<String>> {
        Ok(self.text(name)?.map(Cow::into_owned))
    }

    pub(crate) fn boolean(&mut self, name: &str) -> Read<Option<bool>> {
        self.read_with(name, |json| boolean(&json))
    }

    pub(crate) fn integer(&mut self, name: &str) -> Read<Option<i64>> {
        self.read_with(name, |json| whole(&json, "Integer"))
    }

    pub(crate) fn long(&mut self, name: &str) -> Read<Option<i64>> {
        self.read_with(name, |json| whole(&json, "Long"))
    }

    /// A list, each element read with `read`.
    pub(crate) fn list_of<T>(
        &mut self,
        name: &str,
        mut read: impl FnMut(Json<'a>) -> Read<T>,
    ) -> Read<Option<Vec<T>>> {
        let Some(json) = self.take(name) else { return Ok(None) };
        let elements = list(json).within(name)?;
        let mut values = Vec::with_capacity(elements.len());
        for (index, element) in elements.into_iter().enumerate() {
            values.push(read(element).within_element(index).within(name)?);
        }
        Ok(Some(values))
    }

    /// A list of texts.
    pub(crate) fn texts(&mut self, name: &str) -> Read<Option<Vec<SmolStr>>> {
        self.list_of(name, |json| text(json).map(SmolStr::from))
    }

    /// A map of names to attribute values: an item or a key.
    pub(crate) fn item(&mut self, name: &str) -> Read<Option<Deferred<Item>>> {
        let item = self.read_with(name, value::item)?;
        Ok(item.map(|item| value::deferred_within(item, name)))
    }

    /// One attribute value.
    pub(crate) fn value(&mut self, name: &str) -> Read<Option<Deferred<AttributeValue>>> {
        let value = self.read_with(name, value::value)?;
        Ok(value.map(|value| value::deferred_within(value, name)))
    }

    /// A list of attribute values, or of items: each with its own deferred error.
    pub(crate) fn deferred_list<T>(
        &mut self,
        name: &str,
        read: impl FnMut(Json<'a>) -> Read<Deferred<T>>,
    ) -> Read<Option<Vec<Deferred<T>>>> {
        let Some(mut list) = self.list_of(name, read)? else { return Ok(None) };
        for (index, deferred) in list.iter_mut().enumerate() {
            if let Err(error) = deferred {
                value::place_within(error, &index.to_string());
                value::place_within(error, name);
            }
        }
        Ok(Some(list))
    }

    /// A list of attribute values.
    pub(crate) fn values(&mut self, name: &str) -> Read<Option<Vec<Deferred<AttributeValue>>>> {
        self.deferred_list(name, value::value)
    }
}
