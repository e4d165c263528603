//! Trees of expressions as the oracle keeps them, and what they come to on an item: paths, conditions, projections.
//!
//! Not here: their text ([`crate::text`], [`crate::statement`]), updates ([`crate::update`]).
//!
//! Source: facts 4.5 and 4.8.

use std::cmp::Ordering;

use bigdecimal::BigDecimal;

use crate::value::{Item, Value};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Entry(String),
    Index(usize),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path {
    pub(crate) head: String,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand {
    Path(Path),
    Value(Value),
    Size(Path),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    Compare(&'static str, Operand, Operand),
    Between(Operand, Operand, Operand),
    In(Operand, Vec<Operand>),
    Exists(Path),
    Missing(Path),
    Type(Path, &'static str),
    BeginsWith(Path, Operand),
    Contains(Path, Operand),
}

/// What is asked of a sort key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sort {
    Compare(&'static str, Value),
    Between(Value, Value),
    BeginsWith(Value),
}

impl Path {
    pub(crate) fn top(head: &str) -> Self {
        Self { head: head.to_owned(), steps: Vec::new() }
    }

    pub(crate) fn get<'a>(&self, item: &'a Item) -> Option<&'a Value> {
        let mut value = item.get(&self.head)?;
        for step in &self.steps {
            value = match (step, value) {
                (Step::Entry(name), Value::M(entries)) => entries.get(name)?,
                (Step::Index(index), Value::L(values)) => values.get(*index)?,
                _ => return None,
            };
        }
        Some(value)
    }
}

impl Operand {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) | Self::Size(path) => Some(path),
            Self::Value(_) => None,
        }
    }

    /// The operand's value; `Err` for the size of something that has none, which no comparison is true of.
    fn on(&self, item: &Item) -> Result<Option<Value>, ()> {
        match self {
            Self::Path(path) => Ok(path.get(item).cloned()),
            Self::Value(value) => Ok(Some(value.clone())),
            Self::Size(path) => match path.get(item) {
                None => Ok(None),
                Some(value) => size_of(value).map(Some),
            },
        }
    }
}

fn size_of(value: &Value) -> Result<Value, ()> {
    let n = match value {
        Value::S(text) => text.chars().map(char::len_utf16).sum(),
        Value::B(bytes) => bytes.len(),
        Value::L(values) => values.len(),
        Value::M(entries) => entries.len(),
        Value::Ss(members) => members.len(),
        Value::Ns(members) => members.len(),
        Value::Bs(members) => members.len(),
        Value::N(_) | Value::Bool(_) | Value::Null => return Err(()),
    };
    Ok(Value::N(BigDecimal::from(crate::value::count(n))))
}

impl Condition {
    pub(crate) fn holds(&self, item: &Item) -> bool {
        match self {
            Self::And(parts) => parts.iter().all(|part| part.holds(item)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(item)),
            Self::Not(part) => !part.holds(item),
            Self::Compare(symbol, left, right) => compare(symbol, left, right, item),
            Self::Between(operand, low, high) => {
                compare(">=", operand, low, item) && compare("<=", operand, high, item)
            }
            Self::In(operand, candidates) => {
                candidates.iter().any(|candidate| compare("=", operand, candidate, item))
            }
            Self::Exists(path) => path.get(item).is_some(),
            Self::Missing(path) => path.get(item).is_none(),
            Self::Type(path, tag) => path.get(item).is_some_and(|value| value.tag() == *tag),
            Self::BeginsWith(path, prefix) => {
                let (Some(value), Ok(Some(prefix))) = (path.get(item), prefix.on(item)) else {
                    return false;
                };
                begins_with(value, &prefix)
            }
            Self::Contains(path, member) => {
                let (Some(value), Ok(Some(member))) = (path.get(item), member.on(item)) else {
                    return false;
                };
                contains(value, &member)
            }
        }
    }

    /// Names of the attributes the condition looks at.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::names).collect(),
            Self::Not(part) => part.names(),
            Self::Compare(_, left, right) => paths(&[left, right]),
            Self::Between(operand, low, high) => paths(&[operand, low, high]),
            Self::In(operand, candidates) => {
                let mut names = paths(&[operand]);
                names.extend(paths(&candidates.iter().collect::<Vec<_>>()));
                names
            }
            Self::Exists(path) | Self::Missing(path) | Self::Type(path, _) => vec![&path.head],
            Self::BeginsWith(path, other) | Self::Contains(path, other) => {
                let mut names = paths(&[other]);
                names.push(&path.head);
                names
            }
        }
    }
}

fn paths<'a>(operands: &[&'a Operand]) -> Vec<&'a str> {
    operands.iter().filter_map(|operand| Some(operand.path()?.head.as_str())).collect()
}

fn compare(symbol: &str, left: &Operand, right: &Operand, item: &Item) -> bool {
    match (left.on(item), right.on(item)) {
        (Ok(Some(left)), Ok(Some(right))) => match symbol {
            "=" => left == right,
            "<>" => left != right,
            _ => left.order(&right).is_some_and(|order| accepts(symbol, order)),
        },
        (Ok(_), Ok(_)) => symbol == "<>",
        _ => false,
    }
}

fn accepts(symbol: &str, order: Ordering) -> bool {
    match symbol {
        "=" => order == Ordering::Equal,
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }
}

fn begins_with(value: &Value, prefix: &Value) -> bool {
    match (value, prefix) {
        (Value::S(value), Value::S(prefix)) => value.starts_with(prefix.as_str()),
        (Value::B(value), Value::B(prefix)) => value.starts_with(prefix),
        _ => false,
    }
}

fn contains(value: &Value, member: &Value) -> bool {
    match (value, member) {
        (Value::S(value), Value::S(member)) => value.contains(member.as_str()),
        (Value::B(value), Value::B(member)) => {
            (0..=value.len()).any(|at| value[at..].starts_with(member))
        }
        (Value::Ss(members), Value::S(member)) => members.contains(member),
        (Value::Ns(members), Value::N(member)) => members.contains(member),
        (Value::Bs(members), Value::B(member)) => members.contains(member),
        (Value::L(values), member) => values.contains(member),
        _ => false,
    }
}

impl Sort {
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        let is = |symbol: &str, bound: &Value| {
            value.order(bound).is_some_and(|order| accepts(symbol, order))
        };
        match self {
            Self::Compare(symbol, bound) => is(symbol, bound),
            Self::Between(low, high) => is(">=", low) && is("<=", high),
            Self::BeginsWith(prefix) => begins_with(value, prefix),
        }
    }
}

/// The parts of the item that the paths lead to, nested as they are in the item, lists made dense.
pub(crate) fn project(paths: &[Path], item: &Item) -> Item {
    let mut kept = Item::new();
    for (name, value) in item {
        let inner: Vec<&[Step]> = paths
            .iter()
            .filter(|path| path.head == *name)
            .map(|path| path.steps.as_slice())
            .collect();
        if let Some(value) = part(value, &inner) {
            kept.insert(name.clone(), value);
        }
    }
    kept
}

fn part(value: &Value, wanted: &[&[Step]]) -> Option<Value> {
    if wanted.is_empty() {
        return None;
    }
    if wanted.iter().any(|steps| steps.is_empty()) {
        return Some(value.clone());
    }
    let below = |step: &Step| -> Vec<&[Step]> {
        wanted.iter().filter(|steps| steps[0] == *step).map(|steps| &steps[1..]).collect()
    };
    match value {
        Value::M(entries) => {
            let kept: Item = entries
                .iter()
                .filter_map(|(name, value)| {
                    Some((name.clone(), part(value, &below(&Step::Entry(name.clone())))?))
                })
                .collect();
            (!kept.is_empty()).then_some(Value::M(kept))
        }
        Value::L(values) => {
            let kept: Vec<Value> = values
                .iter()
                .enumerate()
                .filter_map(|(index, value)| part(value, &below(&Step::Index(index))))
                .collect();
            (!kept.is_empty()).then_some(Value::L(kept))
        }
        _ => None,
    }
}
