//! `ExpressionAttributes`: the attribute names and values that the expressions of one request stand on.
//!
//! Invariant: every distinct name stands behind one `#`, and every value behind a `:` of its own.
//!
//! Not here: the expressions themselves.

use serde_json::{Map, Value};

use crate::numbered::numbered;

/// `ExpressionAttributeNames` and `ExpressionAttributeValues` of a request being written.
#[derive(Debug, Default)]
pub(crate) struct ExpressionAttributes {
    names: Map<String, Value>,
    values: Map<String, Value>,
}

impl ExpressionAttributes {
    /// Those that a request has already.
    pub(crate) fn of(request: &Map<String, Value>) -> Self {
        let map = |member: &str| request.get(member).and_then(Value::as_object).cloned();
        Self {
            names: map("ExpressionAttributeNames").unwrap_or_default(),
            values: map("ExpressionAttributeValues").unwrap_or_default(),
        }
    }

    /// What stands for an attribute name in an expression: `#n0`, `#n1`, in the order of use.
    pub(crate) fn name(&mut self, name: &str) -> String {
        self.standing_for(name, |names| format!("#n{}", names.len()))
    }

    /// What stands for an attribute name in an expression, called after it: `#status`.
    pub(crate) fn spoken_name(&mut self, name: &str) -> String {
        self.standing_for(name, |names| {
            let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
            let called = format!("#{}{plain}", if plain.is_empty() { "n" } else { "" });
            if names.contains_key(&called) {
                numbered(&called, "_", |it| !names.contains_key(it))
            } else {
                called
            }
        })
    }

    fn standing_for(
        &mut self,
        name: &str,
        called: impl FnOnce(&Map<String, Value>) -> String,
    ) -> String {
        if let Some((known, _)) = self.names.iter().find(|(_, it)| *it == name) {
            return known.clone();
        }
        let called = called(&self.names);
        self.names.insert(called.clone(), name.into());
        called
    }

    /// What stands for a value in an expression: `stem` and a number.
    pub(crate) fn value(&mut self, stem: &str, value: Value) -> String {
        let called = format!(":{stem}{}", self.values.len());
        self.values.insert(called.clone(), value);
        called
    }

    /// Puts them into their request.
    pub(crate) fn write_into(self, request: &mut Map<String, Value>) {
        let maps =
            [("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)];
        for (member, map) in maps {
            if !map.is_empty() {
                request.insert(member.to_owned(), Value::Object(map));
            }
        }
    }
}
