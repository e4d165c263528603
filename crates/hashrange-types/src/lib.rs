//! The vocabulary of Hashrange: values, keys, schemas, units, limits, requests, responses and errors.
//!
//! Invariant: no serde and no I/O; a value that exists is valid. What a client sent but is not valid yet
//! stays a [`Deferred`] until the plan reaches the step at which DynamoDB would complain about it.
//!
//! Not here: DynamoDB's JSON (`hashrange-wire`), expressions (`hashrange-expressions`), what an operation
//! does (`hashrange-engine`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod arn;
pub mod cancellation;
pub mod error;
pub mod item;
pub mod key;
pub mod letter_case;
pub mod limits;
pub mod name;
pub mod number;
pub mod operation;
pub mod path;
pub mod schema;
pub mod snapshot;
pub mod sorted;
pub mod table_state;
pub mod units;
pub mod value;
pub mod voice;
pub mod wording;

pub use cancellation::CancellationReason;
pub use error::{
    ApiError, CapacityQuota, ErrorPlace, ExpressionParameter, Throttling, ThrottlingReason,
    ValidationError,
};
pub use item::Item;
pub use key::{EncodedKey, KeyAttribute, KeySchema, ScalarType};
pub use name::{AttributeName, IndexName, TableName, TableReference};
pub use number::{Number, NumberError};
pub use operation::{Operation, Request, Response};
pub use path::{DocumentPath, PathElement};
pub use schema::{
    BillingMode, GlobalSecondaryIndex, LocalSecondaryIndex, Projection, ProvisionedThroughput,
    TableSchema,
};
pub use sorted::{SortedMap, SortedSet};
pub use table_state::{TableState, TableStatus};
pub use units::{CapacityUnits, Timestamp};
pub use value::{AttributeValue, BinarySet, NumberSet, StringSet};
pub use voice::{DEFAULT_REGION, Voice};
pub use wording::{Rule, UnknownWording, Wording};

/// A part of a request that was read but may be wrong: the error waits for its turn.
///
/// DynamoDB checks a request in a fixed order, and an attribute value is looked at after the table name and
/// the enumerations (facts 4.10.3). Decoding meets everything at once, so it stores the error here and the
/// plan raises it at its step.
pub type Deferred<T> = Result<T, ValidationError>;
