//! Sample data described entity by entity: how many, of which parent, with which attributes and how large.
//!
//! Invariant: compiled to a [`Recipe`](crate::Recipe), so the same description and seed give the same items
//! everywhere. A relation 1 to n makes its end a child of its beginning; an entity at the end of two is a junction.
//!
//! Not here: following a recipe ([`crate::recipe`]).

mod compile;
mod read;
mod words;

use serde::Serialize;

pub use compile::{SampleError, n_items, n_items_of, recipe_of};
pub(crate) use compile::{is_own, names};
pub(crate) use read::{read_relation, read_sample};

/// Two entities that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Relation {
    /// The entity at its beginning; of one to many, the one.
    pub from: String,
    /// The entity at its end.
    pub to: String,
    /// How many of each.
    pub kind: RelationKind,
}

/// How many of one entity belong to how many of another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub enum RelationKind {
    /// One to many.
    #[default]
    #[serde(rename = "1-n")]
    OneToMany,
    /// Many to many, which no single key can hold.
    #[serde(rename = "n-m")]
    ManyToMany,
}

/// How an entity's sample items are made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EntitySample {
    /// Items of each parent, or in all where the entity has no parent.
    pub count: u32,
    /// True if the first parent has the most: the n-th has `count / n`.
    #[serde(skip_serializing_if = "is_false")]
    pub is_skewed: bool,
    /// Attributes beside the keys, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<SampleAttribute>,
    /// Smallest and largest size in bytes, names included; none where the attributes alone decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<(u32, u32)>,
}

/// An attribute of sample items.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SampleAttribute {
    /// Its name.
    pub name: String,
    /// What is made.
    pub make: Make,
    /// What [`Make::with_means`] says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub with: String,
    /// Only every n-th item has it; none for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
}

/// What an attribute's values are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Make {
    /// What tells the entity's items apart: `p-04`, the parent's in front of it.
    Id,
    /// The same text in every item.
    #[default]
    Text,
    /// One of several texts, in turn.
    Pick,
    /// A person's name.
    Person,
    /// An e-mail address that goes with the person's name.
    Email,
    /// A name for a thing: two words.
    Title,
    /// A whole number by chance.
    Number,
    /// A day, one after the other.
    Date,
    /// A moment in UTC, a minute after the other.
    Time,
    /// Hexadecimal digits by chance.
    Hex,
    /// The numbers 0 and 1, in turn.
    Flag,
    /// Sentences that fill the item up to its size.
    Filler,
}

/// Every kind of value with its word in files.
pub const MAKES: [(Make, &str); 12] = [
    (Make::Id, "id"),
    (Make::Text, "text"),
    (Make::Pick, "pick"),
    (Make::Person, "person"),
    (Make::Email, "email"),
    (Make::Title, "title"),
    (Make::Number, "number"),
    (Make::Date, "date"),
    (Make::Time, "time"),
    (Make::Hex, "hex"),
    (Make::Flag, "flag"),
    (Make::Filler, "filler"),
];

impl Make {
    /// What `with` is for this kind; empty where it means nothing.
    pub const fn with_means(self) -> &'static str {
        match self {
            Self::Text => "the text",
            Self::Pick => "the texts, separated by commas",
            Self::Number => "smallest and largest, such as 1 to 99",
            Self::Date => "the first day, such as 2026-01-01",
            Self::Time => "the first moment, such as 2026-01-01T08:00:00Z",
            Self::Hex => "the number of digits",
            Self::Id | Self::Person | Self::Email | Self::Title | Self::Flag | Self::Filler => "",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_false(truth: &bool) -> bool {
    !truth
}
