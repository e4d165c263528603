//! `Recipe`: sample data from a few lines and a seed, and its file `data.json`.
//!
//! Invariant: the same recipe gives the same items everywhere, byte for byte; an item does not change when a
//! group is appended. Two additions to the language of the shared lessons: `filler` (a list of sentences that
//! replaces the fixed one) and a `pad` attribute that is already there, whose text the filler then continues.
//!
//! Not here: putting the items into a table.
//!
//! Source: shared lessons, part 4.2.

mod arithmetic;
mod calendar;
mod chance;
mod generate;
mod read;
mod text;

use std::sync::Arc;

use serde_json::Value;

pub use generate::{Budget, Generator, Progress};

use arithmetic::Arithmetic;
use text::Text;

/// What pads items where a recipe brings no sentences of its own.
const FILLER: &str = "the quick brown fox jumps over the lazy dog and ";

/// Why a recipe cannot be read or followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// The text is not JSON.
    #[error("This is not JSON: {reason}, at line {line}, column {column}.")]
    NotJson {
        /// What the parser says.
        reason: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// A member is absent or has another kind of value.
    #[error("{place}: {reason}.")]
    Wrong {
        /// Path of member names.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A calculation cannot be read.
    #[error("The calculation \"{text}\" cannot be read: {reason}.")]
    Expression {
        /// The calculation.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// A slot cannot be read.
    #[error("The slot {{{text}}} cannot be read: {reason}.")]
    Slot {
        /// What stands in the braces.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// An item cannot be made.
    #[error("{item}: {reason}.")]
    Item {
        /// Table, entity and the values of `for`.
        item: String,
        /// What is wrong.
        reason: String,
    },
    /// Two items have one key.
    #[error("{item} has the same key as an earlier item of the table.")]
    DuplicateKey {
        /// Table, entity and the values of `for`.
        item: String,
    },
    /// More data than a folder may hold.
    #[error("The recipe makes more than {limit}; nothing of it was loaded.")]
    OverBudget {
        /// The limit, in words.
        limit: String,
    },
}

/// A recipe that was read and is ready to be followed. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Recipe(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    seed: u64,
    lists: Vec<(String, Vec<String>)>,
    /// The filler's text, and where in it a text may start.
    filler: Filler,
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Filler {
    text: String,
    /// Starts of sentences; empty for the fixed filler, which may start anywhere.
    starts: Vec<usize>,
}

/// Items made alike.
#[derive(Debug)]
struct Group {
    table: String,
    /// `table/entity/index`, which seeds every item.
    label: String,
    ranges: Vec<(i64, i64)>,
    conditions: Vec<Condition>,
    item: Vec<(String, Node)>,
    size: Option<Size>,
}

#[derive(Debug)]
struct Size {
    bytes: Arithmetic,
    pad: String,
}

/// One member of `where`.
#[derive(Debug)]
struct Condition {
    number: Arithmetic,
    rules: Vec<Rule>,
}

#[derive(Debug)]
enum Rule {
    In(Vec<i64>),
    Every(i64),
    NotEvery(i64),
    From(i64),
    To(i64),
}

/// A value of an item, its texts taken apart.
#[derive(Debug)]
enum Node {
    Text(Text),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
    Plain(Value),
}

impl Rule {
    fn keeps(&self, number: i64) -> bool {
        match self {
            Self::In(numbers) => numbers.contains(&number),
            Self::Every(n) => arithmetic::remainder_down(number, *n) == Some(0),
            Self::NotEvery(n) => arithmetic::remainder_down(number, *n) != Some(0),
            Self::From(n) => number >= *n,
            Self::To(n) => number <= *n,
        }
    }
}
