//! `Text`: expressions as they are written, with names and values behind placeholders.
//!
//! Invariant: the same tree always gives the same text, so that a case can be cut down and tried again.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use crate::expression::{Condition, Operand, Path, Sort, Step};
use crate::update::{Action, Set, Term};
use crate::value::Value;

/// Names that may stand in an expression as they are.
const PLAIN_NAMES: [&str; 18] = [
    "pk", "sk", "a", "b", "e", "flag", "n", "note", "tags", "lst", "obj", "x", "y", "g1", "g2",
    "g3", "l1", "bin",
];

#[derive(Default)]
pub(crate) struct Text {
    names: Map<String, Json>,
    values: Map<String, Json>,
    n_written: usize,
}

impl Text {
    /// Adds the placeholders to the request.
    pub(crate) fn finish(self, request: &mut Map<String, Json>) {
        for (member, placeholders) in
            [("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)]
        {
            if !placeholders.is_empty() {
                request.insert(member.to_owned(), Json::Object(placeholders));
            }
        }
    }

    fn name(&mut self, name: &str) -> String {
        self.n_written += 1;
        if PLAIN_NAMES.contains(&name) && !self.n_written.is_multiple_of(3) {
            return name.to_owned();
        }
        let token = format!("#n{}", self.n_written);
        self.names.insert(token.clone(), json!(name));
        token
    }

    pub(crate) fn value(&mut self, value: &Value) -> String {
        self.n_written += 1;
        let token = format!(":v{}", self.n_written);
        self.values.insert(token.clone(), value.spelled());
        token
    }

    pub(crate) fn path(&mut self, path: &Path) -> String {
        let mut text = self.name(&path.head);
        for step in &path.steps {
            match step {
                Step::Entry(name) => {
                    text.push('.');
                    text.push_str(&self.name(name));
                }
                Step::Index(index) => write!(text, "[{index}]").expect("strings take all text"),
            }
        }
        text
    }

    fn operand(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(path) => format!("size({})", self.path(path)),
        }
    }

    fn joined(&mut self, parts: &[Condition], word: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
        parts.join(word)
    }

    /// A condition inside another: in parentheses where it is more than one.
    fn part(&mut self, condition: &Condition) -> String {
        let text = self.condition(condition);
        match condition {
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => format!("({text})"),
            _ => text,
        }
    }

    pub(crate) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::And(parts) => self.joined(parts, " AND "),
            Condition::Or(parts) => self.joined(parts, " or "),
            Condition::Not(part) => format!("NOT {}", self.part(part)),
            Condition::Compare(symbol, left, right) => {
                format!("{} {symbol} {}", self.operand(left), self.operand(right))
            }
            Condition::Between(operand, low, high) => format!(
                "{} BETWEEN {} and {}",
                self.operand(operand),
                self.operand(low),
                self.operand(high)
            ),
            Condition::In(operand, candidates) => {
                let operand = self.operand(operand);
                let candidates: Vec<String> =
                    candidates.iter().map(|candidate| self.operand(candidate)).collect();
                format!("{operand} IN ({})", candidates.join(","))
            }
            Condition::Exists(path) => format!("attribute_exists({})", self.path(path)),
            Condition::Missing(path) => format!("attribute_not_exists ( {} )", self.path(path)),
            Condition::Type(path, tag) => {
                format!("attribute_type({}, {})", self.path(path), self.value(&Value::text(tag)))
            }
            Condition::BeginsWith(path, prefix) => {
                format!("begins_with({}, {})", self.path(path), self.operand(prefix))
            }
            Condition::Contains(path, member) => {
                format!("contains({}, {})", self.path(path), self.operand(member))
            }
        }
    }

    pub(crate) fn projection(&mut self, paths: &[Path]) -> String {
        paths.iter().map(|path| self.path(path)).collect::<Vec<_>>().join(", ")
    }

    /// Conditions on keys: what the partition key equals, and what is asked of sort keys.
    pub(crate) fn key_condition(
        &mut self,
        partition: &[(String, Value)],
        sorts: &[(String, Sort)],
    ) -> String {
        let mut parts = Vec::new();
        for (name, value) in partition {
            parts.push(format!("{} = {}", self.name(name), self.value(value)));
        }
        for (name, sort) in sorts {
            let name = self.name(name);
            parts.push(match sort {
                Sort::Compare(symbol, value) => format!("{name} {symbol} {}", self.value(value)),
                Sort::Between(low, high) => {
                    format!("{name} BETWEEN {} AND {}", self.value(low), self.value(high))
                }
                Sort::BeginsWith(prefix) => format!("begins_with({name}, {})", self.value(prefix)),
            });
        }
        parts.join(" AND ")
    }

    pub(crate) fn update(&mut self, actions: &[Action]) -> String {
        let mut sections: [Vec<String>; 4] = Default::default();
        for action in actions {
            let path = self.path(action.path());
            match action {
                Action::Set(_, set) => sections[0].push(format!("{path} = {}", self.set(set))),
                Action::Remove(_) => sections[1].push(path),
                Action::Add(_, value) => {
                    sections[2].push(format!("{path} {}", self.value(value)));
                }
                Action::Delete(_, value) => {
                    sections[3].push(format!("{path} {}", self.value(value)));
                }
            }
        }
        let words = ["SET", "remove", "ADD", "DELETE"];
        let written = words.iter().zip(&sections).filter(|(_, actions)| !actions.is_empty());
        let written: Vec<String> =
            written.map(|(word, actions)| format!("{word} {}", actions.join(", "))).collect();
        written.join(" ")
    }

    fn set(&mut self, set: &Set) -> String {
        match set {
            Set::Term(term) => self.term(term),
            Set::Plus(a, b) => format!("{} + {}", self.term(a), self.term(b)),
            Set::Minus(a, b) => format!("{} - {}", self.term(a), self.term(b)),
        }
    }

    fn term(&mut self, term: &Term) -> String {
        match term {
            Term::Path(path) => self.path(path),
            Term::Value(value) => self.value(value),
            Term::IfNotExists(path, otherwise) => {
                format!("if_not_exists({}, {})", self.path(path), self.term(otherwise))
            }
            Term::ListAppend(first, second) => {
                format!("list_append({}, {})", self.term(first), self.term(second))
            }
        }
    }
}
