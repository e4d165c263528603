//! `AttributeValue`: the ten kinds of value, their equality, order and size.
//!
//! Invariant: sets are not empty, hold no member twice and one type only; nesting is not limited here but
//! measured ([`AttributeValue::depth`]), because DynamoDB refuses it at a later step.
//!
//! Source: facts 1.1, 1.3 and 1.6.

use std::cmp::Ordering;

use bytes::Bytes;
use indexmap::IndexMap;
use smol_str::SmolStr;

use crate::key::ScalarType;
use crate::number::Number;
use crate::sorted;

/// A set of strings: never empty, no member twice. Keeps the order it was given, which means nothing.
#[derive(Debug, Clone)]
pub struct StringSet(Vec<SmolStr>);
/// A set of numbers, distinct by value.
#[derive(Debug, Clone)]
pub struct NumberSet(Vec<Number>);
/// A set of binary values.
#[derive(Debug, Clone)]
pub struct BinarySet(Vec<Bytes>);

macro_rules! set {
    ($name:ident, $member:ty) => {
        impl $name {
            /// The set of these members, or none where there are none or one stands twice.
            pub fn new(members: Vec<$member>) -> Option<Self> {
                if members.is_empty() || has_duplicates(&members) {
                    None
                } else {
                    Some(Self(members))
                }
            }
            /// The members, in no meaningful order.
            pub fn members(&self) -> &[$member] {
                &self.0
            }
            /// True if `member` is in the set.
            pub fn contains(&self, member: &$member) -> bool {
                self.0.contains(member)
            }
            /// The members of both, those of `self` first.
            #[must_use]
            pub fn union(&self, other: &Self) -> Self {
                let mut members = self.0.clone();
                members.extend(other.0.iter().filter(|member| !self.0.contains(member)).cloned());
                Self(members)
            }
            /// The members that are not in `other`, or none where nothing is left.
            pub fn difference(&self, other: &Self) -> Option<Self> {
                Self::new(
                    self.0.iter().filter(|member| !other.0.contains(member)).cloned().collect(),
                )
            }
        }
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.len() == other.0.len() && {
                    let (mut a, mut b): (Vec<_>, Vec<_>) =
                        (self.0.iter().collect(), other.0.iter().collect());
                    sorted::sort(&mut a);
                    sorted::sort(&mut b);
                    a == b
                }
            }
        }
        impl Eq for $name {}
    };
}
set!(StringSet, SmolStr);
set!(NumberSet, Number);
set!(BinarySet, Bytes);

fn has_duplicates<T: Ord>(members: &[T]) -> bool {
    let mut sorted: Vec<&T> = members.iter().collect();
    sorted::sort(&mut sorted);
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// One value of an attribute. Equality is DynamoDB's: sets and maps ignore order, numbers compare by value,
/// and values of different kinds are never equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeValue {
    /// Text, ordered by its UTF-8 bytes.
    S(SmolStr),
    /// A number of up to 38 digits.
    N(Number),
    /// Bytes, ordered unsigned.
    B(Bytes),
    /// True or false.
    Bool(bool),
    /// The null value. A value all the same: an attribute that holds it exists.
    Null,
    /// A list of any values.
    L(Vec<AttributeValue>),
    /// A map of names to any values.
    M(IndexMap<SmolStr, AttributeValue>),
    /// A set of strings.
    Ss(StringSet),
    /// A set of numbers.
    Ns(NumberSet),
    /// A set of binary values.
    Bs(BinarySet),
}

impl AttributeValue {
    /// DynamoDB's tag for the kind: `S`, `N`, `B`, `BOOL`, `NULL`, `L`, `M`, `SS`, `NS` or `BS`.
    pub const fn tag(&self) -> &'static str {
        match self {
            Self::S(_) => "S",
            Self::N(_) => "N",
            Self::B(_) => "B",
            Self::Bool(_) => "BOOL",
            Self::Null => "NULL",
            Self::L(_) => "L",
            Self::M(_) => "M",
            Self::Ss(_) => "SS",
            Self::Ns(_) => "NS",
            Self::Bs(_) => "BS",
        }
    }

    /// The scalar type, for the three kinds that may be keys.
    pub const fn scalar_type(&self) -> Option<ScalarType> {
        match self {
            Self::S(_) => Some(ScalarType::S),
            Self::N(_) => Some(ScalarType::N),
            Self::B(_) => Some(ScalarType::B),
            _ => None,
        }
    }

    /// Bytes the value counts in an item, its attribute's name not included.
    ///
    /// Source: Developer Guide, "DynamoDB item sizes and formats"; numbers as facts 1.3.
    pub fn size_bytes(&self) -> u32 {
        match self {
            Self::S(text) => length(text.len()),
            Self::N(number) => number.size_bytes(),
            Self::B(bytes) => length(bytes.len()),
            Self::Bool(_) | Self::Null => 1,
            Self::L(values) => 3 + values.iter().map(|value| 1 + value.size_bytes()).sum::<u32>(),
            Self::M(entries) => {
                3 + entries
                    .iter()
                    .map(|(name, value)| 1 + length(name.len()) + value.size_bytes())
                    .sum::<u32>()
            }
            Self::Ss(set) => set.members().iter().map(|member| length(member.len())).sum(),
            Self::Ns(set) => set.members().iter().map(|member| member.size_bytes()).sum(),
            Self::Bs(set) => set.members().iter().map(|member| length(member.len())).sum(),
        }
    }

    /// Levels of nesting, this value being the first.
    pub fn depth(&self) -> usize {
        1 + match self {
            Self::L(values) => values.iter().map(Self::depth).max().unwrap_or(0),
            Self::M(entries) => entries.values().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The order of two values of the same scalar type; none for other pairs.
    pub fn scalar_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::S(a), Self::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Self::N(a), Self::N(b)) => Some(a.cmp(b)),
            (Self::B(a), Self::B(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// A length in bytes. Requests are at most 16 MB, so every length fits.
pub(crate) fn length(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
