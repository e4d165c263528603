//! The trees of expressions, bound: names are resolved and values in place.
//!
//! Invariant: a tree made by a parser obeys every rule that needs no item. [`crate::legacy`] makes the same trees
//! out of the parameters from before expressions.
//!
//! Not here: evaluating them ([`crate::condition`], [`crate::update`]).

use hashrange_types::{AttributeValue, DocumentPath};
use smol_str::SmolStr;

/// How two operands are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparator {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparator {
    /// As it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// True if the operands need an order.
    pub const fn needs_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }

    /// The comparator that says the same with its operands swapped.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }
}

/// What a condition compares.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The value at a path of the item.
    Path(DocumentPath),
    /// A given value.
    Value(AttributeValue),
    /// `size(...)` of another operand.
    Size(Box<Operand>),
}

/// A condition or filter.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Conditions joined by `AND`; true if there are none.
    All(Vec<Condition>),
    /// Conditions joined by `OR`.
    Any(Vec<Condition>),
    /// `NOT`
    Not(Box<Condition>),
    /// A comparison.
    Compare {
        /// How.
        comparator: Comparator,
        /// What stands on the left.
        left: Operand,
        /// What stands on the right.
        right: Operand,
    },
    /// `operand BETWEEN lower AND upper`, both included.
    Between {
        /// What is compared.
        operand: Operand,
        /// The smallest value that matches.
        lower: Operand,
        /// The largest value that matches.
        upper: Operand,
    },
    /// `operand IN (...)`
    In {
        /// What is compared.
        operand: Operand,
        /// What it may equal.
        candidates: Vec<Operand>,
    },
    /// `attribute_exists(path)`
    AttributeExists(DocumentPath),
    /// `attribute_not_exists(path)`
    AttributeNotExists(DocumentPath),
    /// `attribute_type(operand, tag)`
    AttributeType {
        /// What the type of is asked for; DynamoDB takes given values too.
        operand: Operand,
        /// One of DynamoDB's ten tags, such as `SS`.
        tag: SmolStr,
    },
    /// `begins_with(operand, prefix)`
    BeginsWith {
        /// Text or bytes.
        operand: Operand,
        /// How it should start.
        prefix: Operand,
    },
    /// `contains(operand, member)`
    Contains {
        /// Text, bytes, a set or a list.
        operand: Operand,
        /// What should be in it.
        member: Operand,
    },
}

/// What `SET` stores.
#[derive(Debug, Clone, PartialEq)]
pub enum SetValue {
    /// One operand as it is.
    Operand(UpdateOperand),
    /// `a + b`
    Sum(UpdateOperand, UpdateOperand),
    /// `a - b`
    Difference(UpdateOperand, UpdateOperand),
}

/// A part of what `SET` stores.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateOperand {
    /// The value at a path of the item before the update.
    Path(DocumentPath),
    /// A given value.
    Value(AttributeValue),
    /// `if_not_exists(path, otherwise)`
    IfNotExists {
        /// The value preferred.
        path: DocumentPath,
        /// The value where there is none.
        otherwise: Box<UpdateOperand>,
    },
    /// `list_append(first, second)`
    ListAppend(Box<UpdateOperand>, Box<UpdateOperand>),
}

/// One change an update makes.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateAction {
    /// Stores a value.
    Set {
        /// Where.
        path: DocumentPath,
        /// What.
        value: SetValue,
    },
    /// Removes an attribute, map entry or list element.
    Remove {
        /// Which.
        path: DocumentPath,
    },
    /// Adds a number, or members to a set; from legacy parameters also elements to a list.
    Add {
        /// To what.
        path: DocumentPath,
        /// How much, or which.
        value: AttributeValue,
    },
    /// Removes members of a set.
    Delete {
        /// Of which set.
        path: DocumentPath,
        /// Which members.
        value: AttributeValue,
    },
}

impl UpdateAction {
    /// The path the action changes.
    pub const fn path(&self) -> &DocumentPath {
        match self {
            Self::Set { path, .. }
            | Self::Remove { path }
            | Self::Add { path, .. }
            | Self::Delete { path, .. } => path,
        }
    }
}
