//! Why a request was refused.
//!
//! Invariant: the `Display` text of an error is the message that goes on the wire, word for word, from a database
//! with the default [`Voice`].
//!
//! Not here: what stands around a message in which edition of the wording ([`crate::wording`]).
//!
//! Source: facts 4.10 and 10.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::cancellation::CancellationReason;
use crate::item::Item;
use crate::limits::TABLE_CAPACITY_UNITS_MAX;
use crate::name::TableName;
use crate::operation::Operation;
use crate::voice::{DEFAULT_REGION, Voice};
use crate::wording::{self, Envelope, Rule, Wording};

/// Which expression of a request an error is about; its name is part of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpressionParameter {
    /// UpdateExpression.
    Update,
    /// ConditionExpression.
    Condition,
    /// KeyConditionExpression.
    KeyCondition,
    /// FilterExpression.
    Filter,
    /// ProjectionExpression.
    Projection,
    /// A PartiQL statement, whose messages do not name it.
    Statement,
}

impl ExpressionParameter {
    /// The parameter's name in a request.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Update => "UpdateExpression",
            Self::Condition => "ConditionExpression",
            Self::KeyCondition => "KeyConditionExpression",
            Self::Filter => "FilterExpression",
            Self::Projection => "ProjectionExpression",
            Self::Statement => "Statement",
        }
    }
}

impl fmt::Display for ExpressionParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where in the request an error is, for the editor's underline. Never part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorPlace {
    /// Bytes `start..end` of the request's own JSON text.
    Text {
        /// First byte.
        start: u32,
        /// One past the last byte.
        end: u32,
    },
    /// Bytes `start..end` of the text of an expression parameter, before JSON escaping.
    Expression {
        /// Which expression.
        parameter: ExpressionParameter,
        /// First byte.
        start: u32,
        /// One past the last byte.
        end: u32,
    },
    /// A member of the request by its path of member names, such as `["Key", "pk"]`.
    Member(Vec<String>),
}

/// The request breaks a rule that DynamoDB reports as ValidationException. It is one pointer wide, because
/// every `?` on its way up moves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError(Box<BrokenRule>);

/// What a [`ValidationError`] says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// The message, as DynamoDB words it, without what an edition of its wording puts around it.
    pub message: String,
    /// What else was found broken, for [`Rule::Shape`] alone.
    pub others: Vec<String>,
    /// The family of the rule.
    pub rule: Rule,
    /// The operation that found it; none while that is not known.
    pub operation: Option<Operation>,
    /// Where it is, if a single place is to blame.
    pub place: Option<ErrorPlace>,
}

impl Deref for ValidationError {
    type Target = BrokenRule;
    fn deref(&self) -> &BrokenRule {
        &self.0
    }
}

impl DerefMut for ValidationError {
    fn deref_mut(&mut self) -> &mut BrokenRule {
        &mut self.0
    }
}

impl ValidationError {
    /// An error with DynamoDB's message and no single place.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Box::new(BrokenRule {
            message: message.into(),
            others: Vec::new(),
            rule: Rule::Other,
            operation: None,
            place: None,
        }))
    }

    /// The same error as one of a family of rules.
    #[must_use]
    pub fn of(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// The same error without a place.
    #[must_use]
    pub fn unplaced(mut self) -> Self {
        self.place = None;
        self
    }

    /// The message alone.
    pub fn into_message(self) -> String {
        self.0.message
    }

    /// The same error, found at `place`.
    #[must_use]
    pub fn at(mut self, place: ErrorPlace) -> Self {
        self.place = Some(place);
        self
    }

    /// The same error, found at the member of the request with this path.
    #[must_use]
    pub fn at_member(self, path: &[&str]) -> Self {
        self.at(ErrorPlace::Member(path.iter().map(|name| (*name).to_owned()).collect()))
    }

    /// The message in an edition of the wording, as the client reads it.
    pub fn worded(&self, wording: Wording) -> String {
        let envelope = wording::envelope(self.operation, self.rule, wording);
        if envelope == Envelope::Bare {
            return self.message.clone();
        }
        let others = if envelope == Envelope::All { self.others.as_slice() } else { &[] };
        let plural = if others.is_empty() { "" } else { "s" };
        let n = others.len() + 1;
        let mut text = format!("{n} validation error{plural} detected: {}", self.message);
        for other in others {
            text.push_str("; ");
            text.push_str(other);
        }
        text
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(Wording::default()))
    }
}

impl std::error::Error for ValidationError {}

/// Throughput was asked for that no table or index may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacityQuota {
    /// `table` or `index`.
    pub resource: &'static str,
    /// `ReadCapacityUnits` or `WriteCapacityUnits`.
    pub member: &'static str,
    /// What was asked for.
    pub units: u64,
}

impl CapacityQuota {
    /// The message of a database in `region`.
    pub fn message(self, region: &str) -> String {
        let Self { resource, member, units } = self;
        format!(
            "The requested {member}, {units}, is above the per {resource} maximum for the account in \
             {region}. Per {resource} maximum: {TABLE_CAPACITY_UNITS_MAX}. Refer to the Amazon \
             DynamoDB Developer Guide for current limits and how to request higher limits."
        )
    }
}

/// More was asked than is served at once: which exception says so, and which limits were met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throttling {
    /// `ProvisionedThroughputExceededException`, `ThrottlingException` or `RequestLimitExceeded`.
    pub exception: &'static str,
    /// DynamoDB's text.
    pub message: &'static str,
    /// The limits met.
    pub reasons: Vec<ThrottlingReason>,
}

impl Throttling {
    /// How an element of a transaction or of a batch of statements names the exception.
    pub fn reason_code(&self) -> &'static str {
        match self.exception {
            "ThrottlingException" => "ThrottlingError",
            other => other.trim_end_matches("Exception"),
        }
    }
}

/// A limit that was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrottlingReason {
    /// Such as `TableWriteProvisionedThroughputExceeded`.
    pub reason: String,
    /// The part of the resource's ARN after the account, such as `table/Orders`.
    pub resource: String,
}

/// Why a request was refused, one variant per exception a client can tell apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The request's text is not JSON of the right shape (SerializationException).
    #[error("{message}")]
    Serialization {
        /// DynamoDB's text, such as `NUMBER_VALUE cannot be converted to String`; empty for broken JSON.
        message: String,
        /// Where in the request's text.
        place: Option<ErrorPlace>,
    },
    /// The operation does not exist (UnknownOperationException).
    #[error("")]
    UnknownOperation,
    /// The request breaks a rule (ValidationException).
    #[error(transparent)]
    Validation(#[from] ValidationError),
    /// No such table, on the data plane (ResourceNotFoundException).
    #[error("Requested resource not found")]
    ResourceNotFound,
    /// No such table, on the control plane (ResourceNotFoundException).
    #[error("Requested resource not found: Table: {0} not found")]
    TableNotFound(TableName),
    /// The table exists already, or its state forbids the call (ResourceInUseException).
    #[error("{0}")]
    ResourceInUse(String),
    /// A quota of the control plane is used up (LimitExceededException).
    #[error("{0}")]
    LimitExceeded(String),
    /// More throughput than a table or index may have (LimitExceededException).
    #[error("{}", .0.message(&DEFAULT_REGION))]
    CapacityQuota(CapacityQuota),
    /// The condition was false. Carries the item when the caller asked for `ALL_OLD`.
    #[error("The conditional request failed")]
    ConditionalCheckFailed(Option<Box<Item>>),
    /// A PartiQL INSERT names the key of an item that is there (DuplicateItemException).
    #[error("Duplicate primary key exists in table")]
    DuplicateItem,
    /// An item collection of a table with local indexes would pass 10 GB.
    #[error("Collection size exceeded.")]
    ItemCollectionSizeLimitExceeded,
    /// An exception of operations on tables, streams, backups and the like.
    #[error("{message}")]
    Exception {
        /// The exception's name as clients match it.
        name: &'static str,
        /// DynamoDB's text.
        message: String,
    },
    /// More was asked than is served at once.
    #[error("{}", .0.message)]
    Throttled(Box<Throttling>),
    /// A transaction was not carried out, with one reason for each of its elements.
    #[error(
        "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
        codes(.0)
    )]
    TransactionCanceled(Vec<CancellationReason>),
    /// A ClientRequestToken came again within ten minutes, with another transaction. AWS publishes no text for
    /// it; this one is ours.
    #[error(
        "The ClientRequestToken was used within the last 10 minutes for a transaction with other parameters"
    )]
    IdempotentParameterMismatch,
    /// The request's body is larger than 16 MB (HTTP 413).
    #[error("Request size exceeds the limit of 16777216 bytes")]
    RequestTooLarge,
}

impl ApiError {
    /// An exception called `name`.
    pub fn exception(name: &'static str, message: impl Into<String>) -> Self {
        Self::Exception { name, message: message.into() }
    }

    /// The exception's name as clients match it: the part of `__type` after `#`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Serialization { .. } => "SerializationException",
            Self::UnknownOperation => "UnknownOperationException",
            Self::Validation(_) => "ValidationException",
            Self::ResourceNotFound | Self::TableNotFound(_) => "ResourceNotFoundException",
            Self::ResourceInUse(_) => "ResourceInUseException",
            Self::LimitExceeded(_) | Self::CapacityQuota(_) => "LimitExceededException",
            Self::ConditionalCheckFailed(_) => "ConditionalCheckFailedException",
            Self::DuplicateItem => "DuplicateItemException",
            Self::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceededException",
            Self::Exception { name, .. } => name,
            Self::Throttled(throttling) => throttling.exception,
            Self::TransactionCanceled(_) => "TransactionCanceledException",
            Self::IdempotentParameterMismatch => "IdempotentParameterMismatchException",
            Self::RequestTooLarge => "RequestEntityTooLarge",
        }
    }

    /// The message as a database with this voice gives it.
    pub fn message(&self, voice: &Voice) -> String {
        match self {
            Self::Validation(error) => error.worded(voice.wording),
            Self::CapacityQuota(quota) => quota.message(&voice.region),
            _ => self.to_string(),
        }
    }

    /// The same error, found by `operation`. One that was found within another operation keeps it.
    #[must_use]
    pub fn within(mut self, operation: Operation) -> Self {
        match &mut self {
            Self::Validation(error) => {
                error.operation.get_or_insert(operation);
            }
            Self::TransactionCanceled(reasons) => {
                for reason in reasons {
                    if let CancellationReason::ValidationError(error) = reason {
                        error.operation.get_or_insert(operation);
                    }
                }
            }
            _ => {}
        }
        self
    }

    /// Where in the request the error is, if a single place is to blame.
    pub fn place(&self) -> Option<&ErrorPlace> {
        match self {
            Self::Serialization { place, .. } => place.as_ref(),
            Self::Validation(error) => error.place.as_ref(),
            Self::TransactionCanceled(reasons) => reasons.iter().find_map(|reason| match reason {
                CancellationReason::ValidationError(error) => error.place.as_ref(),
                _ => None,
            }),
            _ => None,
        }
    }
}

/// The codes of the reasons, as the exception's message lists them.
fn codes(reasons: &[CancellationReason]) -> String {
    reasons.iter().map(CancellationReason::code).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLDER: Wording = Wording::May2026;

    fn broken(operation: Operation, rule: Rule) -> ValidationError {
        let mut error = ValidationError::new("a").of(rule);
        error.operation = Some(operation);
        error
    }

    #[test]
    fn since_july_put_and_update_put_some_families_in_an_envelope() {
        let families = [Rule::Set, Rule::Null, Rule::Expression, Rule::Styles, Rule::ReturnValues];
        for rule in families {
            for operation in [Operation::PutItem, Operation::UpdateItem] {
                let error = broken(operation, rule);
                assert_eq!(error.to_string(), "1 validation error detected: a", "{rule:?}");
                assert_eq!(error.worded(OLDER), "a", "{rule:?}");
            }
            for operation in [Operation::DeleteItem, Operation::Query, Operation::BatchWriteItem] {
                assert_eq!(broken(operation, rule).to_string(), "a", "{rule:?} {operation:?}");
            }
        }
    }

    #[test]
    fn several_broken_shapes_are_counted_but_update_item_has_named_only_the_first_since_july() {
        let of = |operation| {
            let mut error = broken(operation, Rule::Shape);
            error.others = vec!["b".to_owned(), "c".to_owned()];
            (error.worded(OLDER), error.to_string())
        };
        let all = "3 validation errors detected: a; b; c".to_owned();
        let first = "1 validation error detected: a".to_owned();
        assert_eq!(of(Operation::PutItem), (all.clone(), all.clone()));
        assert_eq!(of(Operation::UpdateItem), (all, first));
    }

    #[test]
    fn an_error_keeps_the_operation_it_was_found_in_first() {
        let error = ApiError::from(broken(Operation::PutItem, Rule::Set));
        assert_eq!(error.clone().within(Operation::ExecuteStatement), error);
    }

    #[test]
    fn a_quota_names_the_region_of_the_database() {
        let quota = CapacityQuota { resource: "table", member: "ReadCapacityUnits", units: 40_001 };
        let error = ApiError::CapacityQuota(quota);
        assert!(error.to_string().contains("for the account in us-east-1. Per table"), "{error}");
        let voice = Voice { region: "eu-west-2".into(), ..Voice::default() };
        let message = error.message(&voice);
        assert!(message.contains("for the account in eu-west-2. Per table"), "{message}");
    }
}
