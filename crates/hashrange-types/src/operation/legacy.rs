//! Parameters from before expressions: Expected, KeyConditions, QueryFilter, ScanFilter, AttributeUpdates.
//!
//! Source: facts 4.11.

use smol_str::SmolStr;

use crate::{AttributeValue, Deferred};

/// How a legacy condition compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the operator of that name")]
pub enum ComparisonOperator {
    Eq,
    Ne,
    In,
    Le,
    Lt,
    Ge,
    Gt,
    Between,
    NotNull,
    Null,
    Contains,
    NotContains,
    BeginsWith,
}

impl ComparisonOperator {
    /// All operators with their names on the wire, in DynamoDB's own order.
    pub const ALL: &[(Self, &'static str)] = &[
        (Self::Eq, "EQ"),
        (Self::Ne, "NE"),
        (Self::In, "IN"),
        (Self::Le, "LE"),
        (Self::Lt, "LT"),
        (Self::Ge, "GE"),
        (Self::Gt, "GT"),
        (Self::Between, "BETWEEN"),
        (Self::NotNull, "NOT_NULL"),
        (Self::Null, "NULL"),
        (Self::Contains, "CONTAINS"),
        (Self::NotContains, "NOT_CONTAINS"),
        (Self::BeginsWith, "BEGINS_WITH"),
    ];

    /// The operator's name on the wire.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(operator, _)| *operator == self).map_or("", |(_, name)| name)
    }
}

/// How several legacy conditions combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionalOperator {
    /// All must hold (the default).
    And,
    /// One must hold.
    Or,
}

/// One entry of KeyConditions, QueryFilter or ScanFilter.
#[derive(Debug, Clone, PartialEq)]
pub struct LegacyCondition {
    /// The attribute compared.
    pub attribute: SmolStr,
    /// How.
    pub operator: ComparisonOperator,
    /// With what; the number of values depends on the operator.
    pub values: Vec<Deferred<AttributeValue>>,
}

/// One entry of Expected.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedAttribute {
    /// The attribute compared.
    pub attribute: SmolStr,
    /// `Value`, the oldest form.
    pub value: Option<Deferred<AttributeValue>>,
    /// `Exists`.
    pub exists: Option<bool>,
    /// `ComparisonOperator`.
    pub operator: Option<ComparisonOperator>,
    /// `AttributeValueList`.
    pub values: Option<Vec<Deferred<AttributeValue>>>,
}

/// What an entry of AttributeUpdates does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AttributeAction {
    /// Set the attribute (the default).
    #[default]
    Put,
    /// Add a number, or members to a set or list.
    Add,
    /// Remove the attribute, or members of a set.
    Delete,
}

/// One entry of AttributeUpdates.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeUpdate {
    /// The attribute changed.
    pub attribute: SmolStr,
    /// How.
    pub action: AttributeAction,
    /// With what; DELETE may go without.
    pub value: Option<Deferred<AttributeValue>>,
}
