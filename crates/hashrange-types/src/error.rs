//! Why a request was refused.
//!
//! Invariant: the `Display` text of an error is the message that goes on the wire, word for word.
//!
//! Source: facts 4.10 and 10.

use std::fmt;

use crate::cancellation::CancellationReason;
use crate::item::Item;
use crate::name::TableName;

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

/// The request breaks a rule that DynamoDB reports as ValidationException.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ValidationError {
    /// The message, as DynamoDB words it.
    pub message: String,
    /// Where it is, if a single place is to blame.
    pub place: Option<ErrorPlace>,
}

impl ValidationError {
    /// An error with DynamoDB's message and no single place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
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

    /// The same error in the envelope that PutItem and UpdateItem put around some families since July 2026
    /// (facts 4.10.2).
    #[must_use]
    pub fn enveloped(mut self) -> Self {
        self.message = format!("1 validation error detected: {}", self.message);
        self
    }
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
            Self::LimitExceeded(_) => "LimitExceededException",
            Self::ConditionalCheckFailed(_) => "ConditionalCheckFailedException",
            Self::DuplicateItem => "DuplicateItemException",
            Self::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceededException",
            Self::Exception { name, .. } => name,
            Self::TransactionCanceled(_) => "TransactionCanceledException",
            Self::IdempotentParameterMismatch => "IdempotentParameterMismatchException",
            Self::RequestTooLarge => "RequestEntityTooLarge",
        }
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
