//! What an update makes of an item, and why it may be refused.
//!
//! Every right-hand side is worked out on the item as it was; then values are put in place, elements beyond a list's
//! end behind it, and what is removed is left out of a copy. No order between the actions is needed.
//!
//! Source: facts 4.7.

use std::collections::BTreeSet;

use bigdecimal::{BigDecimal, Zero};

use crate::expression::{Path, Step};
use crate::value::{Item, Value, digits};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    Path(Path),
    Value(Value),
    IfNotExists(Path, Box<Term>),
    ListAppend(Box<Term>, Box<Term>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Set {
    Term(Term),
    Plus(Term, Term),
    Minus(Term, Term),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    Set(Path, Set),
    Remove(Path),
    Add(Path, Value),
    Delete(Path, Value),
}

pub(crate) const INVALID_PATH: &str =
    "The document path provided in the update expression is invalid for update";
pub(crate) const WRONG_TYPE: &str =
    "An operand in the update expression has an incorrect data type";
const NO_ATTRIBUTE: &str =
    "The provided expression refers to an attribute that does not exist in the item";
const TOO_PRECISE: &str = "Attempting to store more than 38 significant digits in a Number";
const OVERFLOW: &str =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const UNDERFLOW: &str =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";

impl Action {
    pub(crate) const fn path(&self) -> &Path {
        match self {
            Self::Set(path, _)
            | Self::Remove(path)
            | Self::Add(path, _)
            | Self::Delete(path, _) => path,
        }
    }

    const fn only_takes_away(&self) -> bool {
        matches!(self, Self::Remove(_) | Self::Delete(..))
    }
}

/// True if the update brings a missing item into being.
pub(crate) fn creates(actions: &[Action]) -> bool {
    actions.is_empty() || !actions.iter().all(Action::only_takes_away)
}

/// The item after the update; an empty item stands for a missing one.
///
/// Errors: the messages of everything wrong. Which of several DynamoDB gives is not known.
pub(crate) fn apply(actions: &[Action], before: &Item) -> Result<Item, Vec<&'static str>> {
    let mut faults = Vec::new();
    let mut puts: Vec<(&Path, Value)> = Vec::new();
    let mut removed: BTreeSet<Path> = BTreeSet::new();
    for action in actions {
        let path = action.path();
        if before.is_empty() && action.only_takes_away() {
            continue;
        }
        if !has_place(path, before) {
            faults.push(INVALID_PATH);
        }
        match outcome(action, before) {
            Ok(Some(value)) => puts.push((path, value)),
            Ok(None) if path.get(before).is_some() => {
                removed.insert(path.clone());
            }
            Ok(None) => {}
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    // Elements beyond the end of a list go behind it, lowest index first.
    puts.sort_by_key(|(path, _)| match path.steps.last() {
        Some(Step::Index(index)) => *index,
        _ => 0,
    });
    let mut item = before.clone();
    for (path, value) in puts {
        put(&mut item, path, value);
    }
    Ok(without(&item, &removed))
}

/// What stands at the path afterwards; nothing if that is removed or was not there.
fn outcome(action: &Action, before: &Item) -> Result<Option<Value>, &'static str> {
    match action {
        Action::Set(_, set) => set_value(set, before).map(Some),
        Action::Remove(_) => Ok(None),
        Action::Add(path, more) => match (path.get(before), more) {
            (None, more) => Ok(Some(more.clone())),
            (Some(Value::N(old)), Value::N(more)) => checked(old + more).map(Some),
            (Some(Value::Ss(old)), Value::Ss(more)) => Ok(Some(Value::Ss(old | more))),
            (Some(Value::Ns(old)), Value::Ns(more)) => Ok(Some(Value::Ns(old | more))),
            (Some(Value::Bs(old)), Value::Bs(more)) => Ok(Some(Value::Bs(old | more))),
            _ => Err(WRONG_TYPE),
        },
        Action::Delete(path, less) => Ok(match (path.get(before), less) {
            (None, _) => None,
            (Some(Value::Ss(old)), Value::Ss(less)) => {
                Some(old - less).filter(|left| !left.is_empty()).map(Value::Ss)
            }
            (Some(Value::Ns(old)), Value::Ns(less)) => {
                Some(old - less).filter(|left| !left.is_empty()).map(Value::Ns)
            }
            (Some(Value::Bs(old)), Value::Bs(less)) => {
                Some(old - less).filter(|left| !left.is_empty()).map(Value::Bs)
            }
            _ => return Err(WRONG_TYPE),
        }),
    }
}

fn set_value(set: &Set, before: &Item) -> Result<Value, &'static str> {
    let numbers = |a: &Term, b: &Term| match (term(a, before)?, term(b, before)?) {
        (Value::N(a), Value::N(b)) => Ok((a, b)),
        _ => Err(WRONG_TYPE),
    };
    match set {
        Set::Term(value) => term(value, before),
        Set::Plus(a, b) => numbers(a, b).and_then(|(a, b)| checked(a + b)),
        Set::Minus(a, b) => numbers(a, b).and_then(|(a, b)| checked(a - b)),
    }
}

fn term(value: &Term, before: &Item) -> Result<Value, &'static str> {
    match value {
        Term::Path(path) => path.get(before).cloned().ok_or(NO_ATTRIBUTE),
        Term::Value(value) => Ok(value.clone()),
        Term::IfNotExists(path, otherwise) => match path.get(before) {
            Some(value) => Ok(value.clone()),
            None => term(otherwise, before),
        },
        Term::ListAppend(first, second) => match (term(first, before)?, term(second, before)?) {
            (Value::L(first), Value::L(second)) => Ok(Value::L([first, second].concat())),
            _ => Err(WRONG_TYPE),
        },
    }
}

/// The number if it can be stored.
fn checked(number: BigDecimal) -> Result<Value, &'static str> {
    if number.is_zero() {
        return Ok(Value::N(number));
    }
    let (_, digits, _) = digits(&number);
    let limit = |text: &str| text.parse::<BigDecimal>().expect("a limit is a number");
    if number.abs() >= limit("1E126") {
        return Err(OVERFLOW);
    }
    if number.abs() < limit("1E-130") {
        return Err(UNDERFLOW);
    }
    if digits.len() > 38 { Err(TOO_PRECISE) } else { Ok(Value::N(number)) }
}

/// True if what the path's last step is looked up in is there and has the right type.
fn has_place(path: &Path, item: &Item) -> bool {
    let Some((last, before)) = path.steps.split_last() else { return true };
    let parent = Path { head: path.head.clone(), steps: before.to_vec() };
    matches!(
        (last, parent.get(item)),
        (Step::Entry(_), Some(Value::M(_))) | (Step::Index(_), Some(Value::L(_)))
    )
}

fn put(item: &mut Item, path: &Path, value: Value) {
    let Some((last, before)) = path.steps.split_last() else {
        item.insert(path.head.clone(), value);
        return;
    };
    let mut parent = item.get_mut(&path.head).expect("the path has a place");
    for step in before {
        parent = match (step, parent) {
            (Step::Entry(name), Value::M(entries)) => entries.get_mut(name),
            (Step::Index(index), Value::L(values)) => values.get_mut(*index),
            _ => None,
        }
        .expect("the path has a place");
    }
    match (last, parent) {
        (Step::Entry(name), Value::M(entries)) => {
            entries.insert(name.clone(), value);
        }
        (Step::Index(index), Value::L(values)) if *index < values.len() => values[*index] = value,
        (Step::Index(_), Value::L(values)) => values.push(value),
        _ => panic!("the path has a place"),
    }
}

/// A copy without what stands at these paths; positions in lists are those of the item given.
fn without(item: &Item, removed: &BTreeSet<Path>) -> Item {
    item.iter()
        .filter_map(|(name, value)| Some((name.clone(), kept(value, &Path::top(name), removed)?)))
        .collect()
}

fn kept(value: &Value, path: &Path, removed: &BTreeSet<Path>) -> Option<Value> {
    if removed.contains(path) {
        return None;
    }
    let below = |step: Step| {
        let mut path = path.clone();
        path.steps.push(step);
        path
    };
    Some(match value {
        Value::M(entries) => Value::M(
            entries
                .iter()
                .filter_map(|(name, value)| {
                    Some((name.clone(), kept(value, &below(Step::Entry(name.clone())), removed)?))
                })
                .collect(),
        ),
        Value::L(values) => Value::L(
            values
                .iter()
                .enumerate()
                .filter_map(|(index, value)| kept(value, &below(Step::Index(index)), removed))
                .collect(),
        ),
        other => other.clone(),
    })
}
