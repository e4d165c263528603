//! Evaluating a condition or filter on an item.
//!
//! Invariant: every condition is true or false on every item; evaluation has no errors.
//!
//! Source: facts 4.5.

use std::borrow::Cow;
use std::cmp::Ordering;

use hashrange_types::{AttributeValue, DocumentPath, Item, Number};

use crate::syntax::{Comparator, Condition, Operand};

/// What an operand is on an item.
pub(crate) enum Found<'a> {
    Value(Cow<'a, AttributeValue>),
    /// The path leads nowhere.
    Missing,
    /// The value is there, and has no size.
    Unsized,
}

impl Found<'_> {
    pub(crate) fn value(&self) -> Option<&AttributeValue> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing | Self::Unsized => None,
        }
    }
}

impl Condition {
    /// True if the condition holds on `item`. An item that does not exist is an empty one.
    pub fn holds(&self, item: &Item) -> bool {
        match self {
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(item)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.holds(item)),
            Self::Not(condition) => !condition.holds(item),
            Self::Compare { comparator, left, right } => {
                compare(*comparator, &left.find(item), &right.find(item))
            }
            Self::Between { operand, lower, upper } => {
                let operand = operand.find(item);
                compare(Comparator::GreaterOrEqual, &operand, &lower.find(item))
                    && compare(Comparator::LessOrEqual, &operand, &upper.find(item))
            }
            Self::In { operand, candidates } => {
                let operand = operand.find(item);
                candidates
                    .iter()
                    .any(|candidate| compare(Comparator::Equal, &operand, &candidate.find(item)))
            }
            Self::AttributeExists(path) => path.get(item).is_some(),
            Self::AttributeNotExists(path) => path.get(item).is_none(),
            Self::AttributeType { path, tag } => {
                path.get(item).is_some_and(|value| value.tag() == tag.as_str())
            }
            Self::BeginsWith { operand, prefix } => {
                let (operand, prefix) = (operand.find(item), prefix.find(item));
                operand
                    .value()
                    .zip(prefix.value())
                    .is_some_and(|(value, prefix)| begins_with(value, prefix))
            }
            Self::Contains { operand, member } => {
                let (operand, member) = (operand.find(item), member.find(item));
                operand
                    .value()
                    .zip(member.value())
                    .is_some_and(|(value, member)| contains(value, member))
            }
        }
    }

    /// Every path the condition names, in the order written.
    pub fn attributes(&self) -> impl Iterator<Item = &DocumentPath> {
        let mut paths = Vec::new();
        self.push_paths(&mut paths);
        paths.into_iter()
    }

    fn push_paths<'a>(&'a self, paths: &mut Vec<&'a DocumentPath>) {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                for condition in conditions {
                    condition.push_paths(paths);
                }
            }
            Self::Not(condition) => condition.push_paths(paths),
            Self::AttributeExists(path)
            | Self::AttributeNotExists(path)
            | Self::AttributeType { path, .. } => paths.push(path),
            _ => paths.extend(self.operands().into_iter().filter_map(Operand::path)),
        }
    }

    /// The operands of a condition that has operands.
    pub(crate) fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::Compare { left, right, .. } => vec![left, right],
            Self::Between { operand, lower, upper } => vec![operand, lower, upper],
            Self::In { operand, candidates } => {
                std::iter::once(operand).chain(candidates).collect()
            }
            Self::BeginsWith { operand, prefix: other }
            | Self::Contains { operand, member: other } => vec![operand, other],
            _ => Vec::new(),
        }
    }
}

impl Operand {
    /// The path in the operand, if there is one.
    pub fn path(&self) -> Option<&DocumentPath> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) => None,
            Self::Size(operand) => operand.path(),
        }
    }

    pub(crate) fn find<'a>(&'a self, item: &'a Item) -> Found<'a> {
        match self {
            Self::Path(path) => {
                path.get(item).map_or(Found::Missing, |value| Found::Value(Cow::Borrowed(value)))
            }
            Self::Value(value) => Found::Value(Cow::Borrowed(value)),
            Self::Size(operand) => match operand.find(item) {
                Found::Value(value) => size(&value).map_or(Found::Unsized, |size| {
                    Found::Value(Cow::Owned(AttributeValue::N(count(size))))
                }),
                none => none,
            },
        }
    }
}

fn compare(comparator: Comparator, left: &Found, right: &Found) -> bool {
    if matches!(left, Found::Unsized) || matches!(right, Found::Unsized) {
        return false;
    }
    let (Some(left), Some(right)) = (left.value(), right.value()) else {
        return comparator == Comparator::NotEqual;
    };
    match comparator {
        Comparator::Equal => left == right,
        Comparator::NotEqual => left != right,
        ordered => left.scalar_cmp(right).is_some_and(|order| ordered.accepts(order)),
    }
}

impl Comparator {
    /// True if two values in this order satisfy the comparator.
    pub(crate) const fn accepts(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// What `size` gives: UTF-16 units of text, bytes, members or entries.
fn size(value: &AttributeValue) -> Option<usize> {
    match value {
        AttributeValue::S(text) => Some(text.encode_utf16().count()),
        AttributeValue::B(bytes) => Some(bytes.len()),
        AttributeValue::L(values) => Some(values.len()),
        AttributeValue::M(entries) => Some(entries.len()),
        AttributeValue::Ss(set) => Some(set.members().len()),
        AttributeValue::Ns(set) => Some(set.members().len()),
        AttributeValue::Bs(set) => Some(set.members().len()),
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => None,
    }
}

fn count(n: usize) -> Number {
    Number::parse(&n.to_string()).expect("a count is a number of few digits")
}

/// True if `value` starts with `prefix`; both text or both bytes.
pub(crate) fn begins_with(value: &AttributeValue, prefix: &AttributeValue) -> bool {
    match (value, prefix) {
        (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
        _ => false,
    }
}

fn contains(value: &AttributeValue, member: &AttributeValue) -> bool {
    match (value, member) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (AttributeValue::Ss(set), AttributeValue::S(member)) => set.contains(member),
        (AttributeValue::Ns(set), AttributeValue::N(member)) => set.contains(member),
        (AttributeValue::Bs(set), AttributeValue::B(member)) => set.contains(member),
        (AttributeValue::L(values), member) => values.contains(member),
        _ => false,
    }
}
