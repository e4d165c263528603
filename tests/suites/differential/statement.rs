//! `Sql`: the same trees as PartiQL writes them, with literals or question marks for values.
//!
//! Source: facts 3.7.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

use crate::expression::{Condition, Operand, Path, Sort, Step};
use crate::update::{Action, Set, Term};
use crate::value::{Item, Value, plain};

/// Longer values are parameters: a statement has at most 8,192 characters.
const LITERAL_BYTES_MAX: u64 = 200;

#[derive(Default)]
pub(crate) struct Sql {
    parameters: Vec<Json>,
    n_written: usize,
}

pub(crate) fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A value as a literal; none of one that has no literal.
fn literal(value: &Value) -> Option<String> {
    let all = |values: &[Value]| -> Option<Vec<String>> { values.iter().map(literal).collect() };
    Some(match value {
        Value::S(text) => quoted(text),
        Value::N(number) => plain(number),
        Value::B(_) | Value::Bs(_) => return None,
        Value::Bool(truth) => truth.to_string(),
        Value::Null => "NULL".to_owned(),
        Value::L(values) => format!("[{}]", all(values)?.join(", ")),
        Value::M(entries) => tuple(entries)?,
        Value::Ss(members) => {
            format!("<<{}>>", members.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(","))
        }
        Value::Ns(members) => {
            format!("<<{}>>", members.iter().map(plain).collect::<Vec<_>>().join(", "))
        }
    })
}

fn tuple(entries: &Item) -> Option<String> {
    let entries: Option<Vec<String>> = entries
        .iter()
        .map(|(name, value)| Some(format!("{}: {}", quoted(name), literal(value)?)))
        .collect();
    Some(format!("{{{}}}", entries?.join(", ")))
}

impl Sql {
    /// Adds the parameters to the request.
    pub(crate) fn finish(self, request: &mut Map<String, Json>) {
        if !self.parameters.is_empty() {
            request.insert("Parameters".to_owned(), Json::Array(self.parameters));
        }
    }

    pub(crate) fn value(&mut self, value: &Value) -> String {
        self.n_written += 1;
        let is_long = value.size() > LITERAL_BYTES_MAX;
        let literal = literal(value).filter(|_| !is_long && !self.n_written.is_multiple_of(3));
        literal.unwrap_or_else(|| {
            self.parameters.push(value.spelled());
            "?".to_owned()
        })
    }

    /// A tuple whose values are literals or question marks.
    pub(crate) fn item(&mut self, item: &Item) -> String {
        let entries: Vec<String> = item
            .iter()
            .map(|(name, value)| format!("{}: {}", quoted(name), self.value(value)))
            .collect();
        format!("{{{}}}", entries.join(", "))
    }

    pub(crate) fn path(path: &Path) -> String {
        let mut text = name(&path.head);
        for step in &path.steps {
            match step {
                Step::Entry(entry) => write!(text, ".{}", name(entry)),
                Step::Index(index) => write!(text, "[{index}]"),
            }
            .expect("strings take all text");
        }
        text
    }

    fn operand(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Path(path) => Self::path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(path) => format!("size({})", Self::path(path)),
        }
    }

    fn joined(&mut self, parts: &[Condition], word: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
        parts.join(word)
    }

    /// A condition inside another: in parentheses where it is more than one.
    pub(crate) fn part(&mut self, condition: &Condition) -> String {
        let text = self.condition(condition);
        match condition {
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => format!("({text})"),
            _ => text,
        }
    }

    pub(crate) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::And(parts) => self.joined(parts, " AND "),
            Condition::Or(parts) => self.joined(parts, " OR "),
            Condition::Not(part) => format!("NOT {}", self.part(part)),
            Condition::Compare(symbol, left, right) => {
                format!("{} {symbol} {}", self.operand(left), self.operand(right))
            }
            Condition::Between(operand, low, high) => format!(
                "{} BETWEEN {} AND {}",
                self.operand(operand),
                self.operand(low),
                self.operand(high)
            ),
            Condition::In(operand, candidates) => {
                let operand = self.operand(operand);
                let candidates: Vec<String> =
                    candidates.iter().map(|candidate| self.operand(candidate)).collect();
                format!("{operand} IN [{}]", candidates.join(", "))
            }
            Condition::Exists(path) => format!("{} IS NOT MISSING", Self::path(path)),
            Condition::Missing(path) => format!("{} IS MISSING", Self::path(path)),
            Condition::Type(path, tag) => format!("attribute_type({}, '{tag}')", Self::path(path)),
            Condition::BeginsWith(path, prefix) => {
                format!("begins_with({}, {})", Self::path(path), self.operand(prefix))
            }
            Condition::Contains(path, member) => {
                format!("contains({}, {})", Self::path(path), self.operand(member))
            }
        }
    }

    /// `WHERE` with conditions on keys and what else is asked; empty if that is nothing.
    pub(crate) fn filter(
        &mut self,
        partition: &[(String, Value)],
        sorts: &[(String, Sort)],
        rest: Option<&Condition>,
    ) -> String {
        let mut parts = Vec::new();
        for (key, value) in partition {
            parts.push(format!("{} = {}", name(key), self.value(value)));
        }
        for (key, sort) in sorts {
            let key = name(key);
            parts.push(match sort {
                Sort::Compare(symbol, value) => format!("{key} {symbol} {}", self.value(value)),
                Sort::Between(low, high) => {
                    format!("{key} BETWEEN {} AND {}", self.value(low), self.value(high))
                }
                Sort::BeginsWith(prefix) => format!("begins_with({key}, {})", self.value(prefix)),
            });
        }
        if let Some(rest) = rest {
            parts.push(if parts.is_empty() { self.condition(rest) } else { self.part(rest) });
        }
        if parts.is_empty() { String::new() } else { format!(" WHERE {}", parts.join(" AND ")) }
    }

    /// The SET and REMOVE clauses of an update. ADD and DELETE have functions for sets only.
    pub(crate) fn update(&mut self, actions: &[Action]) -> String {
        let mut text = String::new();
        for action in actions {
            let path = Self::path(action.path());
            let clause = match action {
                Action::Set(_, set) => format!(" SET {path} = {}", self.set(set)),
                Action::Remove(_) => format!(" REMOVE {path}"),
                Action::Add(_, value) => {
                    format!(" SET {path} = set_add({path}, {})", self.value(value))
                }
                Action::Delete(_, value) => {
                    format!(" SET {path} = set_delete({path}, {})", self.value(value))
                }
            };
            text.push_str(&clause);
        }
        text
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
            Term::Path(path) => Self::path(path),
            Term::Value(value) => self.value(value),
            Term::IfNotExists(path, otherwise) => {
                format!("if_not_exists({}, {})", Self::path(path), self.term(otherwise))
            }
            Term::ListAppend(first, second) => {
                format!("list_append({}, {})", self.term(first), self.term(second))
            }
        }
    }
}
