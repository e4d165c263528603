//! Requests of derived patterns: conditions to the JSON of an operation.
//!
//! Invariant: every name stands behind a `#` and every value behind a `:`, each distinct one once.

use serde_json::{Map, Value, json};

/// A condition on one attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// It has this value.
    Equal(String, Value),
    /// It begins with this text.
    Begins(String, String),
    /// It is there.
    Exists(String),
}

impl Condition {
    pub(super) fn attribute(&self) -> &str {
        match self {
            Self::Equal(name, _) | Self::Begins(name, _) | Self::Exists(name) => name,
        }
    }
}

/// A request with its placeholders.
pub(super) struct Request {
    members: Map<String, Value>,
    names: Map<String, Value>,
    values: Map<String, Value>,
}

impl Request {
    pub(super) fn of(table: &str) -> Self {
        let mut members = Map::new();
        members.insert("TableName".to_owned(), table.into());
        Self { members, names: Map::new(), values: Map::new() }
    }

    pub(super) fn with(mut self, member: &str, value: Value) -> Self {
        self.members.insert(member.to_owned(), value);
        self
    }

    fn name(&mut self, name: &str) -> String {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let placeholder = format!("#{}{plain}", if plain.is_empty() { "n" } else { "" });
        let known = self.names.get(&placeholder).is_none_or(|it| it == name);
        let placeholder =
            if known { placeholder } else { format!("{placeholder}{}", self.names.len()) };
        self.names.insert(placeholder.clone(), name.into());
        placeholder
    }

    /// A placeholder for a value, called after its attribute.
    fn value(&mut self, name: &str, value: Value) -> String {
        let placeholder = format!(":{}{}", &name[1..], self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// Adds an expression of conditions joined by AND; nothing for none.
    pub(super) fn expression(mut self, member: &str, conditions: &[Condition]) -> Self {
        let mut texts = Vec::new();
        for condition in conditions {
            let name = self.name(condition.attribute());
            texts.push(match condition {
                Condition::Equal(_, value) => {
                    let value = self.value(&name, value.clone());
                    format!("{name} = {value}")
                }
                Condition::Begins(_, text) => {
                    let value = self.value(&name, json!({"S": text}));
                    format!("begins_with({name}, {value})")
                }
                Condition::Exists(_) => format!("attribute_exists({name})"),
            });
        }
        if !texts.is_empty() {
            self.members.insert(member.to_owned(), texts.join(" AND ").into());
        }
        self
    }

    /// Sets one attribute.
    pub(super) fn update(mut self, attribute: &str, value: Value) -> Self {
        let name = self.name(attribute);
        let value = self.value(&name, value);
        self.members.insert("UpdateExpression".to_owned(), format!("SET {name} = {value}").into());
        self
    }

    pub(super) fn finish(mut self) -> Value {
        for (member, map) in
            [("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)]
        {
            if !map.is_empty() {
                self.members.insert(member.to_owned(), Value::Object(map));
            }
        }
        Value::Object(self.members)
    }
}
