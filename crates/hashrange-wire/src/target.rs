//! `DynamoDB_20120810.GetItem` to `Operation`.

use hashrange_types::{ApiError, Operation};

/// What the header starts with.
const PREFIX: &str = "DynamoDB_20120810.";

/// The operation that an `X-Amz-Target` header names.
///
/// # Errors
/// [`ApiError::UnknownOperation`] for any other text and for operations this build does not answer.
///
/// ```
/// use hashrange_types::Operation;
/// assert_eq!(hashrange_wire::target("DynamoDB_20120810.GetItem"), Ok(Operation::GetItem));
/// assert!(hashrange_wire::target("GetItem").is_err());
/// ```
pub fn target(header: &str) -> Result<Operation, ApiError> {
    header.strip_prefix(PREFIX).and_then(Operation::from_name).ok_or(ApiError::UnknownOperation)
}
