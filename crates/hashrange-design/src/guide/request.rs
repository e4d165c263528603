//! Requests of derived patterns: conditions to the JSON of an operation.
//!
//! Invariant: every name and value stands behind an expression attribute ([`ExpressionAttributes`]).

use serde_json::{Map, Value, json};

use crate::expression_attributes::ExpressionAttributes;

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

/// A request being written.
pub(super) struct Request {
    members: Map<String, Value>,
    expressions: ExpressionAttributes,
}

impl Request {
    pub(super) fn of(table: &str) -> Self {
        let mut members = Map::new();
        members.insert("TableName".to_owned(), table.into());
        Self { members, expressions: ExpressionAttributes::default() }
    }

    pub(super) fn with(mut self, member: &str, value: Value) -> Self {
        self.members.insert(member.to_owned(), value);
        self
    }

    /// What stands for a value of the attribute that `name` stands for.
    fn value(&mut self, name: &str, value: Value) -> String {
        self.expressions.value(&name[1..], value)
    }

    /// Adds an expression of conditions joined by AND; nothing for none.
    pub(super) fn expression(mut self, member: &str, conditions: &[Condition]) -> Self {
        let mut texts = Vec::new();
        for condition in conditions {
            let name = self.expressions.spoken_name(condition.attribute());
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
        let name = self.expressions.spoken_name(attribute);
        let value = self.value(&name, value);
        self.members.insert("UpdateExpression".to_owned(), format!("SET {name} = {value}").into());
        self
    }

    pub(super) fn finish(mut self) -> Value {
        self.expressions.write_into(&mut self.members);
        Value::Object(self.members)
    }
}
