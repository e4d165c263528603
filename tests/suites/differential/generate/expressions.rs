//! Paths, conditions, projections and updates that break no static rule.

use std::cmp::Ordering;

use super::values::{ATTRIBUTES, attribute_value, list, number, scalar, set, value};
use crate::expression::{Condition, Operand, Path, Sort, Step};
use crate::update::{Action, Set, Term};
use crate::value::Value;
use hashrange_tests::random::Random;

/// Attributes a path may begin with.
#[derive(Debug, Clone)]
pub(crate) struct Heads {
    /// Attributes that are no keys: paths may go into them.
    pub(crate) free: Vec<String>,
    /// Attributes that are keys: only whole.
    pub(crate) keys: Vec<String>,
}

impl Heads {
    /// All attributes, and these keys.
    pub(crate) fn with_keys<'a>(keys: impl Iterator<Item = &'a str>) -> Self {
        let mut keys: Vec<String> = keys.map(str::to_owned).collect();
        keys.sort();
        keys.dedup();
        Self { free: ATTRIBUTES.iter().map(|name| (*name).to_owned()).collect(), keys }
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.free.retain(|name| keep(name));
        self.keys.retain(|name| keep(name));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.free.is_empty() && self.keys.is_empty()
    }
}

fn step(random: &mut Random) -> Step {
    if random.chance(50) {
        Step::Index(random.below(4))
    } else {
        Step::Entry((*random.pick(&["x", "y", "z.q"])).to_owned())
    }
}

pub(crate) fn path(random: &mut Random, heads: &Heads) -> Path {
    if heads.free.is_empty() || (!heads.keys.is_empty() && random.chance(15)) {
        return Path::top(random.pick::<String>(&heads.keys));
    }
    let mut path = Path::top(random.pick::<String>(&heads.free));
    let first = match path.head.as_str() {
        "lst" if random.chance(70) => Some(Step::Index(random.below(4))),
        "obj" if random.chance(70) => {
            Some(Step::Entry((*random.pick(&["x", "y", "z.q"])).to_owned()))
        }
        _ => random.maybe(8, step),
    };
    if let Some(first) = first {
        path.steps.push(first);
        path.steps.extend(random.maybe(25, step));
    }
    path
}

fn operand(random: &mut Random, heads: &Heads) -> Operand {
    if random.chance(18) {
        let sized = *random.pick(&["note", "status", "tags", "lst", "obj"]);
        let is_there = heads.free.iter().any(|name| name == sized);
        let path = if is_there { Path::top(sized) } else { path(random, heads) };
        return Operand::Size(path);
    }
    Operand::Path(path(random, heads))
}

/// What an operand may be compared with: an ordered value if that is needed.
fn other(random: &mut Random, heads: &Heads, left: &Operand, is_ordered: bool) -> Operand {
    if random.chance(15) {
        let right = operand(random, heads);
        if right != *left {
            return right;
        }
    }
    if matches!(left, Operand::Size(_)) && random.chance(80) {
        return Operand::Value(Value::number(&random.below(5).to_string()));
    }
    let name = match left {
        Operand::Path(path) if path.steps.is_empty() => path.head.as_str(),
        _ => "",
    };
    if is_ordered {
        let letter = match name {
            "n" => "N",
            "note" => "S",
            _ => *random.pick(&["S", "N", "B"]),
        };
        return Operand::Value(scalar(random, letter));
    }
    Operand::Value(attribute_value(random, name))
}

const TAGS: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"];

fn leaf(random: &mut Random, heads: &Heads) -> Condition {
    let left = operand(random, heads);
    let here = match &left {
        Operand::Path(path) | Operand::Size(path) => path.clone(),
        Operand::Value(_) => unreachable!("left operands are paths"),
    };
    match random.below(12) {
        0..=3 => {
            let symbol = *random.pick(&["=", "<>", "<", "<=", ">", ">="]);
            let right = other(random, heads, &left, !["=", "<>"].contains(&symbol));
            Condition::Compare(symbol, left, right)
        }
        4 | 5 => {
            let letter = *random.pick(&["S", "N", "N", "B"]);
            let (a, b) = (scalar(random, letter), scalar(random, letter));
            let (low, high) =
                if a.order(&b).is_some_and(Ordering::is_gt) { (b, a) } else { (a, b) };
            Condition::Between(left, Operand::Value(low), Operand::Value(high))
        }
        6 => {
            let candidates = random.several(1, 4, |random| other(random, heads, &left, false));
            Condition::In(left, candidates)
        }
        7 => Condition::Exists(here),
        8 => Condition::Missing(here),
        9 => Condition::Type(here, random.pick::<&str>(&TAGS)),
        10 => {
            let letter = *random.pick(&["S", "S", "B"]);
            Condition::BeginsWith(here, Operand::Value(scalar(random, letter)))
        }
        _ => {
            let member = if random.chance(60) {
                let letter = *random.pick(&["S", "N", "B"]);
                scalar(random, letter)
            } else {
                value(random, 1)
            };
            Condition::Contains(here, Operand::Value(member))
        }
    }
}

pub(crate) fn condition(random: &mut Random, heads: &Heads, depth: usize) -> Condition {
    if depth == 0 || random.chance(55) {
        return leaf(random, heads);
    }
    match random.below(3) {
        0 => Condition::And(random.several(2, 3, |random| condition(random, heads, depth - 1))),
        1 => Condition::Or(random.several(2, 3, |random| condition(random, heads, depth - 1))),
        _ => Condition::Not(Box::new(condition(random, heads, depth - 1))),
    }
}

/// True if neither path leads through the other, and they agree on what their common part is.
fn are_apart(a: &Path, b: &Path) -> bool {
    if a.head != b.head {
        return true;
    }
    for (a, b) in a.steps.iter().zip(&b.steps) {
        match (a, b) {
            (Step::Entry(_), Step::Index(_)) | (Step::Index(_), Step::Entry(_)) => return false,
            _ if a != b => return true,
            _ => {}
        }
    }
    false
}

/// Another element of the same list, if the path leads to one; else the same path.
fn beside(random: &mut Random, path: &Path) -> Path {
    let mut path = path.clone();
    if let Some(Step::Index(index)) = path.steps.last_mut() {
        *index = random.below(5);
    }
    path
}

/// Several paths that do not overlap.
pub(crate) fn paths(random: &mut Random, heads: &Heads, most: usize) -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    for _ in 0..random.between(1, most) {
        let path = match paths.last() {
            Some(last) if random.chance(35) => beside(random, last),
            _ => path(random, heads),
        };
        if paths.iter().all(|other| are_apart(other, &path)) {
            paths.push(path);
        }
    }
    paths
}

fn numeric(random: &mut Random, heads: &Heads) -> Term {
    match random.below(6) {
        0 | 1 => Term::Value(Value::N(number(random))),
        2 | 3 => Term::Path(Path::top("n")),
        4 => Term::IfNotExists(Path::top("n"), Box::new(Term::Value(Value::N(number(random))))),
        _ => Term::Path(path(random, heads)),
    }
}

fn listed(random: &mut Random, heads: &Heads) -> Term {
    match random.below(4) {
        0 => Term::Path(Path::top("lst")),
        1 => Term::IfNotExists(Path::top("lst"), Box::new(Term::Value(Value::L(Vec::new())))),
        2 => Term::Path(path(random, heads)),
        _ => Term::Value(list(random, 1)),
    }
}

/// What is set at a path.
fn set_value(random: &mut Random, heads: &Heads, at: &Path) -> Set {
    match random.below(10) {
        0 | 1 => Set::Plus(numeric(random, heads), numeric(random, heads)),
        2 => Set::Minus(numeric(random, heads), numeric(random, heads)),
        3 | 4 => Set::Term(Term::ListAppend(
            Box::new(listed(random, heads)),
            Box::new(listed(random, heads)),
        )),
        5 => Set::Term(Term::Path(path(random, heads))),
        6 => {
            let (first, second) = (path(random, heads), path(random, heads));
            let otherwise = if first == second || random.chance(60) {
                Term::Value(value(random, 1))
            } else {
                Term::Path(second)
            };
            Set::Term(Term::IfNotExists(first, Box::new(otherwise)))
        }
        _ => Set::Term(Term::Value(attribute_value(random, &at.head))),
    }
}

/// Actions on paths apart. Without `takes_numbers` ADD has sets only, as in PartiQL.
pub(crate) fn actions(random: &mut Random, heads: &Heads, takes_numbers: bool) -> Vec<Action> {
    paths(random, heads, 4)
        .into_iter()
        .map(|path| match random.below(10) {
            0..=4 => {
                let set = set_value(random, heads, &path);
                Action::Set(path, set)
            }
            5 | 6 => Action::Remove(path),
            7 | 8 => {
                let more = if takes_numbers && random.chance(60) {
                    Value::N(number(random))
                } else {
                    set(random)
                };
                Action::Add(path, more)
            }
            _ => Action::Delete(path, set(random)),
        })
        .collect()
}

/// Something asked of a sort key of this type.
pub(crate) fn sort(random: &mut Random, letter: &str) -> Sort {
    match random.below(8) {
        0..=4 => {
            let symbol = *random.pick(&["=", "<", "<=", ">", ">="]);
            Sort::Compare(symbol, scalar(random, letter))
        }
        5 if letter != "N" => Sort::BeginsWith(scalar(random, letter)),
        _ => {
            let (a, b) = (scalar(random, letter), scalar(random, letter));
            if a.order(&b).is_some_and(Ordering::is_gt) {
                Sort::Between(b, a)
            } else {
                Sort::Between(a, b)
            }
        }
    }
}
