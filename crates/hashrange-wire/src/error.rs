//! `ApiError` to `__type`, message and HTTP status.
//!
//! Source: facts 3.1 and 10.

use hashrange_types::{ApiError, CancellationReason, ThrottlingReason, Voice};

use crate::writer::Writer;

/// An error as it goes over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedError {
    /// HTTP status: 400, 413 for a request that is too large, or 500 where the request is not to blame.
    pub status: u16,
    /// The JSON body.
    pub body: String,
}

/// The error's body and status as DynamoDB sends them, from a database with this voice.
///
/// ```
/// use hashrange_types::{ApiError, Voice};
/// let encoded = hashrange_wire::encode_error(&ApiError::ResourceNotFound, &Voice::default());
/// assert_eq!(encoded.status, 400);
/// assert_eq!(
///     encoded.body,
///     r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}"#,
/// );
/// ```
pub fn encode_error(error: &ApiError, voice: &Voice) -> EncodedError {
    let message = error.message(voice);
    let mut writer = Writer::with_room(128 + message.len()).in_voice(voice);
    writer.object(|object| {
        object.text("__type", &format!("{}#{}", prefix(error), error.name()));
        if !message.is_empty() {
            object.text(spelling(error), &message);
        }
        if let ApiError::ConditionalCheckFailed(Some(item)) = error {
            object.item("Item", Some(item));
        }
        if let ApiError::TransactionCanceled(reasons) = error {
            object.member("CancellationReasons").list(reasons, cancellation_reason);
        }
        if let ApiError::Throttled(throttling) = error {
            // ThrottlingException spells it with a small letter (facts 6.6).
            let is_small = throttling.exception == "ThrottlingException";
            let name = if is_small { "throttlingReasons" } else { "ThrottlingReasons" };
            object.member(name).list(&throttling.reasons, throttling_reason);
        }
    });
    let status = match error {
        ApiError::RequestTooLarge => 413,
        _ if error.name() == "InternalServerError" => 500,
        _ => 400,
    };
    EncodedError { status, body: writer.finish() }
}

/// The body for what an HTTP door refuses before the request is looked at: credentials that are missing or
/// not in form, and the fault that is the server's own. `name` is the exception's.
///
/// ```
/// assert_eq!(
///     hashrange_wire::encode_front_end_error("MissingAuthenticationTokenException", "m"),
///     r#"{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"m"}"#,
/// );
/// ```
pub fn encode_front_end_error(name: &str, message: &str) -> String {
    let mut writer = Writer::with_room(128 + message.len());
    writer.object(|object| {
        object.text("__type", &format!("com.amazon.coral.service#{name}"));
        object.text("message", message);
    });
    writer.finish()
}

/// How the member that holds the message is spelled.
const fn spelling(error: &ApiError) -> &'static str {
    match error {
        ApiError::Serialization { .. } | ApiError::TransactionCanceled(_) => "Message",
        _ => "message",
    }
}

fn cancellation_reason(writer: &mut Writer, reason: &CancellationReason) {
    writer.object(|object| {
        object.item("Item", reason.item());
        object.text("Code", reason.code());
        if let Some(message) = reason.message(object.voice().wording) {
            object.text("Message", &message);
        }
    });
}

fn throttling_reason(writer: &mut Writer, reason: &ThrottlingReason) {
    writer.object(|object| {
        object.text("reason", &reason.reason);
        object.arn("resource", &reason.resource);
    });
}

/// The part of `__type` before `#`.
fn prefix(error: &ApiError) -> &'static str {
    match error {
        ApiError::Validation(_) => "com.amazon.coral.validate",
        ApiError::Serialization { .. }
        | ApiError::UnknownOperation
        | ApiError::RequestTooLarge
        | ApiError::Exception { name: "AccessDeniedException", .. } => "com.amazon.coral.service",
        ApiError::Exception { name: "ThrottlingException", .. } => "com.amazon.coral.availability",
        ApiError::Throttled(throttling) if throttling.exception == "ThrottlingException" => {
            "com.amazon.coral.availability"
        }
        _ => "com.amazonaws.dynamodb.v20120810",
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::ValidationError;

    use super::*;
    use crate::expect::item;

    fn body(error: &ApiError) -> String {
        encode_error(error, &Voice::default()).body
    }

    #[test]
    fn a_validation_error_has_the_prefix_of_the_front_end() {
        assert_eq!(
            body(&ValidationError::new("no \"x\"").into()),
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"no \"x\""}"#
        );
    }

    #[test]
    fn a_fault_of_the_server_has_a_status_that_clients_try_again_on() {
        let fault = ApiError::exception("InternalServerError", "m");
        assert_eq!(encode_error(&fault, &Voice::default()).status, 500);
        assert_eq!(encode_error(&ApiError::ResourceNotFound, &Voice::default()).status, 400);
    }

    #[test]
    fn a_serialization_error_spells_message_with_a_capital() {
        let error = ApiError::Serialization { message: "m".to_owned(), place: None };
        assert_eq!(
            body(&error),
            r#"{"__type":"com.amazon.coral.service#SerializationException","Message":"m"}"#
        );
    }

    #[test]
    fn an_error_without_a_message_is_its_type_alone() {
        let broken = ApiError::Serialization { message: String::new(), place: None };
        assert_eq!(
            body(&broken),
            r#"{"__type":"com.amazon.coral.service#SerializationException"}"#
        );
        assert_eq!(
            body(&ApiError::UnknownOperation),
            r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#
        );
    }

    #[test]
    fn a_false_condition_carries_the_item_where_it_was_asked_for() {
        let error = ApiError::ConditionalCheckFailed(Some(Box::new(item())));
        assert_eq!(
            body(&error),
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"pk":{"S":"a"},"n":{"N":"1.5"}}}"#
        );
        assert!(!body(&ApiError::ConditionalCheckFailed(None)).contains("Item"));
    }

    #[test]
    fn a_cancelled_transaction_lists_a_reason_for_each_element_and_spells_message_with_a_capital() {
        let error = ApiError::TransactionCanceled(vec![
            CancellationReason::None,
            CancellationReason::ConditionalCheckFailed(Some(Box::new(item()))),
            CancellationReason::ConditionalCheckFailed(None),
            CancellationReason::ValidationError(ValidationError::new("wrong")),
        ]);
        assert_eq!(
            body(&error),
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed, ValidationError]","CancellationReasons":[{"Code":"None"},{"Item":{"pk":{"S":"a"},"n":{"N":"1.5"}},"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},{"Code":"ValidationError","Message":"wrong"}]}"#
        );
    }

    #[test]
    fn only_a_request_that_is_too_large_has_another_status() {
        let status = |error| encode_error(&error, &Voice::default()).status;
        assert_eq!(status(ApiError::RequestTooLarge), 413);
        assert_eq!(status(ApiError::UnknownOperation), 400);
    }
}
