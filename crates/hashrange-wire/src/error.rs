//! `ApiError` to `__type`, message and HTTP status.
//!
//! Source: facts 3.1 and 10.

use hashrange_types::ApiError;

use crate::writer::Writer;

/// An error as it goes over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedError {
    /// HTTP status: 400, or 413 for a request that is too large.
    pub status: u16,
    /// The JSON body.
    pub body: String,
}

/// The error's body and status as DynamoDB sends them.
///
/// ```
/// use hashrange_types::ApiError;
/// let encoded = hashrange_wire::encode_error(&ApiError::ResourceNotFound);
/// assert_eq!(encoded.status, 400);
/// assert_eq!(
///     encoded.body,
///     r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}"#,
/// );
/// ```
pub fn encode_error(error: &ApiError) -> EncodedError {
    let message = error.to_string();
    let mut writer = Writer::with_room(128 + message.len());
    writer.object(|object| {
        object.text("__type", &format!("{}#{}", prefix(error), error.name()));
        if !message.is_empty() {
            let spelling =
                if matches!(error, ApiError::Serialization { .. }) { "Message" } else { "message" };
            object.text(spelling, &message);
        }
        if let ApiError::ConditionalCheckFailed(Some(item)) = error {
            object.item("Item", Some(item));
        }
    });
    let status = if matches!(error, ApiError::RequestTooLarge) { 413 } else { 400 };
    EncodedError { status, body: writer.finish() }
}

/// The part of `__type` before `#`.
const fn prefix(error: &ApiError) -> &'static str {
    match error {
        ApiError::Validation(_) => "com.amazon.coral.validate",
        ApiError::Serialization { .. } | ApiError::UnknownOperation | ApiError::RequestTooLarge => {
            "com.amazon.coral.service"
        }
        _ => "com.amazonaws.dynamodb.v20120810",
    }
}
