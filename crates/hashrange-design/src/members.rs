//! `Members`: the members of a JSON object taken one by one, each complaint naming its place.
//!
//! Invariant: a member is given out once; what nobody asked for is what `rest` returns.

use serde_json::{Map, Value};

use crate::document::DesignError;

/// The members of one object and where the object stands in its document.
pub(crate) struct Members {
    map: Map<String, Value>,
    place: String,
}

impl Members {
    /// The members of `value`, which stands at `place` (empty for the document itself).
    pub(crate) fn of(value: Value, place: &str) -> Result<Self, DesignError> {
        match value {
            Value::Object(map) => Ok(Self { map, place: place.to_owned() }),
            other => Err(wrong(place, "an object", &other)),
        }
    }

    /// The full place of member `name`.
    pub(crate) fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.map.shift_remove(name).filter(|value| !value.is_null())
    }

    /// A text; empty where absent.
    pub(crate) fn text(&mut self, name: &str) -> Result<String, DesignError> {
        match self.take(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(wrong(&self.place_of(name), "a text", &other)),
        }
    }

    /// A text that must be there and not be empty.
    pub(crate) fn needed_text(&mut self, name: &str) -> Result<String, DesignError> {
        let text = self.text(name)?;
        if text.is_empty() {
            return Err(DesignError::Missing { place: self.place_of(name) });
        }
        Ok(text)
    }

    /// A whole number of 0 or more.
    pub(crate) fn whole(&mut self, name: &str) -> Result<Option<u32>, DesignError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => Err(wrong(&self.place_of(name), "a whole number", &value)),
        }
    }

    /// A number of 0 or more.
    pub(crate) fn rate(&mut self, name: &str) -> Result<Option<f64>, DesignError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_f64() {
            Some(rate) if rate >= 0.0 => Ok(Some(rate)),
            _ => Err(wrong(&self.place_of(name), "a number of 0 or more", &value)),
        }
    }

    /// A list; empty where absent.
    pub(crate) fn list(&mut self, name: &str) -> Result<Vec<Value>, DesignError> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => Ok(values),
            Some(other) => Err(wrong(&self.place_of(name), "a list", &other)),
        }
    }

    /// An object; empty where absent.
    pub(crate) fn object(&mut self, name: &str) -> Result<Map<String, Value>, DesignError> {
        match self.take(name) {
            None => Ok(Map::new()),
            Some(Value::Object(map)) => Ok(map),
            Some(other) => Err(wrong(&self.place_of(name), "an object", &other)),
        }
    }

    /// The members nobody took.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.map
    }
}

/// The error that something else was expected at `place`.
pub(crate) fn wrong(place: &str, expected: &'static str, found: &Value) -> DesignError {
    DesignError::Wrong { place: place.to_owned(), expected, found: kind(found) }
}

/// What a JSON value is, in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
