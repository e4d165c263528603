//! `Expectation`: what must have happened, as the `expect simulation` blocks of lessons say it.
//!
//! Invariant: a document gives an expectation or one sentence that names the place; an expectation that does not
//! hold gives one sentence for each member, with what was expected and what happened.
//!
//! Not here: how events are counted (`observed`). The members: `playground-examples/README.md`.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use smol_str::SmolStr;

use crate::document::{Node, ScenarioError};
use crate::event::Place;
use crate::observed::{self, Found, ONE, Observed, spelled};

/// Members that say where partitions are, beside those of `observed`.
const OF_PARTITIONS: [&str; 3] = ["partitions", "per_partition", "throttled_per_partition"];
/// Says how much of each source of a load was throttled.
const OF_SOURCES: &str = "throttled_by_source";
/// Says that a figure depends on the reference hash; for readers.
const HASH: &str = "hash";

/// What must have happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    document: Value,
    members: Vec<(String, Wanted)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Wanted {
    /// It must not have happened.
    None,
    /// In millionths, within as many on both sides.
    Number {
        is: i64,
        within: i64,
        percent: Option<i64>,
    },
    Text(SmolStr),
    List {
        items: Vec<Wanted>,
        is_beginning: bool,
    },
    /// By word; others than these may have happened.
    Words(Vec<(SmolStr, Wanted)>),
}

impl Expectation {
    /// Reads an expectation, such as `{"throttled": {"value": 15000, "within": "2%"}, "splits_at_s": [60, 120]}`.
    ///
    /// # Errors
    /// A member does not exist, or can't be what is expected of it.
    pub fn from_json(value: &Value) -> Result<Self, ScenarioError> {
        Self::read(&Node { path: "expect".to_owned(), value })
    }

    pub(crate) fn read(node: &Node<'_>) -> Result<Self, ScenarioError> {
        let mut members = Vec::new();
        for (name, node) in node.members()? {
            if name == HASH {
                node.truth()?;
                continue;
            }
            let others = || OF_PARTITIONS.into_iter().chain([OF_SOURCES]);
            if observed::member(name).is_none() && !others().any(|other| other == name) {
                let names: Vec<&str> = observed::names().chain(others()).collect();
                return Err(node.unknown("member", &names));
            }
            members.push((name.to_owned(), wanted(&node)?));
        }
        Ok(Self { document: node.value.clone(), members })
    }

    /// The expectation as it was read.
    pub fn to_json(&self) -> Value {
        self.document.clone()
    }

    /// One sentence for each member that does not hold, beginning with `path`. `partitions` are all there are, in
    /// the order of their keys; `throttled` counts answers by the source of the load.
    pub fn failures(
        &self,
        path: &str,
        observed: &Observed,
        partitions: &[Place],
        throttled: &BTreeMap<SmolStr, u64>,
    ) -> Vec<String> {
        let mut sentences = Vec::new();
        for (name, wanted) in &self.members {
            match observed::member(name) {
                None if name == OF_SOURCES => {
                    let of = |(name, n): (&SmolStr, &u64)| (name.clone(), observed::whole(*n));
                    let found = Found::Words(throttled.iter().map(of).collect());
                    compare(&mut sentences, &format!("{path}.{name}"), wanted, &found);
                }
                Some(member) => {
                    let found = match wanted {
                        Wanted::List { .. } => observed.in_order(member),
                        Wanted::Words(_) => observed.by_word(member),
                        _ => observed.number(member),
                    };
                    compare(&mut sentences, &format!("{path}.{name}"), wanted, &found);
                }
                None => of_partitions(
                    &mut sentences,
                    &format!("{path}.{name}"),
                    (name, wanted),
                    observed,
                    partitions,
                ),
            }
        }
        sentences
    }
}

fn compare(sentences: &mut Vec<String>, path: &str, wanted: &Wanted, found: &Found) {
    if !wanted.is_met(found) {
        sentences.push(format!("{path} must be {wanted}, and was {found}"));
    }
}

/// Compares what is said of partitions: of the one table that was asked for something, or of each by its name.
fn of_partitions(
    sentences: &mut Vec<String>,
    path: &str,
    (name, wanted): (&str, &Wanted),
    observed: &Observed,
    partitions: &[Place],
) {
    let found = |of: &[Place]| match name {
        "partitions" => Found::Number(i64::try_from(of.len()).unwrap_or(i64::MAX) * ONE),
        _ => observed.by_partition(of, name == "throttled_per_partition"),
    };
    if let Wanted::Words(words) = wanted {
        for (tree, wanted) in words {
            let of: Vec<Place> =
                partitions.iter().filter(|place| called(place) == *tree).cloned().collect();
            compare(sentences, &format!("{path}.{tree}"), wanted, &found(&of));
        }
        return;
    }
    let is_meant = |place: &&Place| place.index.is_none() && observed.is_asked(place);
    let of: Vec<Place> = partitions.iter().filter(is_meant).cloned().collect();
    match of.iter().find(|place| place.table != of[0].table) {
        None => compare(sentences, path, wanted, &found(&of)),
        Some(other) => sentences.push(format!(
            "{path} must name its table, since {} and {} were both asked",
            of[0].table, other.table
        )),
    }
}

/// `table`, or `table/index`.
fn called(place: &Place) -> SmolStr {
    match &place.index {
        None => place.table.as_str().into(),
        Some(index) => format!("{}/{index}", place.table).into(),
    }
}

fn wanted(node: &Node<'_>) -> Result<Wanted, ScenarioError> {
    let value = node.value;
    if value.is_null() {
        return Ok(Wanted::None);
    }
    if let Some(text) = value.as_str() {
        return Ok(Wanted::Text(text.into()));
    }
    if value.is_array() {
        let items = node.items()?.iter().map(wanted).collect::<Result<_, _>>()?;
        return Ok(Wanted::List { items, is_beginning: false });
    }
    if !value.is_object() {
        return Ok(Wanted::Number { is: number(node)?, within: 0, percent: None });
    }
    let members = node.members()?;
    let member = |name: &str| members.iter().find(|(other, _)| *other == name).map(|(_, it)| it);
    if let (1, Some(begins)) = (members.len(), member("begins")) {
        let items = begins.items()?.iter().map(wanted).collect::<Result<_, _>>()?;
        return Ok(Wanted::List { items, is_beginning: true });
    }
    if let Some(is) = member("value") {
        let is = number(is)?;
        let within = member("within").ok_or_else(|| node.lacks("within"))?;
        let (within, percent) = room(within, is)?;
        return Ok(Wanted::Number { is, within, percent });
    }
    let words = members.iter().map(|(name, node)| Ok((SmolStr::new(name), wanted(node)?)));
    Ok(Wanted::Words(words.collect::<Result<_, _>>()?))
}

/// A number in millionths.
#[expect(clippy::cast_possible_truncation, reason = "held within 53 bits before")]
#[expect(clippy::cast_precision_loss, reason = "a million is exact")]
fn number(node: &Node<'_>) -> Result<i64, ScenarioError> {
    let number = node.value.as_f64().filter(|number| number.abs() < 9e9);
    let number = number.ok_or_else(|| {
        node.not("a number, null, a list, {\"value\", \"within\"}, {\"begins\"} or numbers by word")
    })?;
    Ok((number * ONE as f64).round() as i64)
}

/// How far a number may be off: `60`, or `"2%"` of it.
fn room(node: &Node<'_>, of: i64) -> Result<(i64, Option<i64>), ScenarioError> {
    let Some(text) = node.value.as_str() else { return Ok((number(node)?.abs(), None)) };
    let percent = text.strip_suffix('%').and_then(|digits| digits.trim().parse::<u8>().ok());
    let percent =
        percent.ok_or_else(|| node.not("a number, or a whole percentage such as \"2%\""))?;
    let percent = i64::from(percent);
    Ok((of.abs() / 100 * percent, Some(percent)))
}

impl Wanted {
    fn is_met(&self, found: &Found) -> bool {
        match (self, found) {
            (Self::None, Found::None) => true,
            (Self::None, Found::Number(found)) => *found == 0,
            (Self::Number { is, within, .. }, Found::Number(found)) => {
                found.abs_diff(*is) <= within.unsigned_abs()
            }
            (Self::Text(is), Found::Text(found)) => is == found,
            (Self::List { items, is_beginning }, Found::List(found)) => {
                (items.len() == found.len() || *is_beginning && items.len() < found.len())
                    && items.iter().zip(found).all(|(item, found)| item.is_met(found))
            }
            (Self::Words(words), Found::Words(found)) => words.iter().all(|(word, wanted)| {
                wanted.is_met(&Found::Number(found.get(word).copied().unwrap_or(0)))
            }),
            _ => false,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |items: &[Self]| {
            let items: Vec<String> = items.iter().map(ToString::to_string).collect();
            items.join(", ")
        };
        match self {
            Self::None => f.write_str("none"),
            Self::Number { is, within: 0, .. } => f.write_str(&spelled(*is)),
            Self::Number { is, percent: Some(percent), .. } => {
                write!(f, "{} within {percent}%", spelled(*is))
            }
            Self::Number { is, within, .. } => {
                write!(f, "{} within {}", spelled(*is), spelled(*within))
            }
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List { items, is_beginning: false } => write!(f, "[{}]", joined(items)),
            Self::List { items, .. } => write!(f, "[{}, …]", joined(items)),
            Self::Words(words) => {
                let words: Vec<String> =
                    words.iter().map(|(word, wanted)| format!("{word} {wanted}")).collect();
                f.write_str(&words.join(", "))
            }
        }
    }
}
