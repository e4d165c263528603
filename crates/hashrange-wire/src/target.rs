//! `DynamoDB_20120810.GetItem` to `Operation`.

use hashrange_types::{ApiError, Operation};

/// What the header starts with.
const PREFIX: &str = "DynamoDB_20120810.";
/// What it starts with for the operations of DynamoDB Streams, which is an API of its own.
const STREAMS_PREFIX: &str = "DynamoDBStreams_20120810.";
/// The operations of DynamoDB Streams.
const STREAMS: [&str; 4] = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];

/// The operation that an `X-Amz-Target` header names.
///
/// # Errors
/// [`ApiError::UnknownOperation`] for any other text and for operations this build does not answer.
///
/// ```
/// use hashrange_types::Operation;
/// assert_eq!(hashrange_wire::target("DynamoDB_20120810.GetItem"), Ok(Operation::GetItem));
/// assert!(hashrange_wire::target("GetItem").is_err());
/// assert!(hashrange_wire::target("DynamoDBStreams_20120810.GetItem").is_err());
/// ```
pub fn target(header: &str) -> Result<Operation, ApiError> {
    let name = match header.strip_prefix(STREAMS_PREFIX) {
        Some(name) => Some(name).filter(|name| STREAMS.contains(name)),
        None => header.strip_prefix(PREFIX).filter(|name| !STREAMS.contains(name)),
    };
    name.and_then(Operation::from_name).ok_or(ApiError::UnknownOperation)
}
