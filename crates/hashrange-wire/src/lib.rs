//! DynamoDB JSON to typed requests, and typed responses back to DynamoDB JSON.
//!
//! Decoding does the first steps of DynamoDB's own order of checks (facts 4.10.3): JSON syntax, JSON types,
//! then the shape constraints of each member. Attribute values that break a rule stay deferred for the plan.
//!
//! Invariant: the only crate that spells a DynamoDB JSON field name. Nothing here panics on any text.
//!
//! Not here: what a request means (`hashrange-engine`), expressions (`hashrange-expressions`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod constraint;
mod document;
mod error;
#[cfg(test)]
mod expect;
mod fields;
mod front_end;
mod json;
mod locate;
mod members;
mod operation;
mod pretty;
mod scan;
mod snapshot;
mod syntax;
mod target;
mod value;
mod writer;

use hashrange_types::limits::REQUEST_BYTES_MAX;
use hashrange_types::{ApiError, ErrorPlace, Operation, Request, Response, Voice};

pub use document::{item_from_json, item_to_json, item_to_text, value_from_json, value_to_json};
pub use error::{EncodedError, encode_error, encode_front_end_error};
pub use front_end::{CredentialError, Credentials, protocol};
pub use locate::locate;
pub use operation::create_table_to_json;
pub use pretty::pretty;
pub use snapshot::{
    SNAPSHOT_FORMAT, snapshot_format, snapshot_head, snapshot_line_from_text, snapshot_line_to_text,
};
pub use target::target;

use constraint::Refusal;
use members::Mismatch;
use writer::Writer;

/// Reads a request of `operation` from its JSON text.
///
/// ```
/// use hashrange_types::{Operation, Request};
/// let text = r#"{"TableName": "Orders", "Key": {"pk": {"S": "order#1"}}}"#;
/// let Ok(Request::GetItem(request)) = hashrange_wire::decode(Operation::GetItem, text) else { panic!() };
/// assert_eq!(request.table.name.as_str(), "Orders");
/// ```
///
/// # Errors
/// - [`ApiError::RequestTooLarge`]: more than 16 MB.
/// - [`ApiError::Serialization`]: not JSON, or a member of the wrong JSON type.
/// - [`ApiError::Validation`]: a member breaks a constraint of its shape, or values nest beyond what JSON
///   parsing allows (128 levels, far above DynamoDB's 32 levels of values).
pub fn decode(operation: Operation, text: &str) -> Result<Request, ApiError> {
    if text.len() > REQUEST_BYTES_MAX {
        return Err(ApiError::RequestTooLarge);
    }
    let json = syntax::parse(text)?;
    operation::decode(operation, json).map_err(|refusal| match refusal {
        Refusal::Api(error) => error.within(operation),
        Refusal::Mismatch(mismatch) => serialization(text, mismatch),
    })
}

/// The response as DynamoDB writes it: compact JSON.
pub fn encode(response: &Response) -> String {
    let mut writer = Writer::with_room(RESPONSE_ROOM);
    operation::encode(response, &mut writer);
    writer.finish()
}

/// The response of a database with this voice: its ARNs name the Region. [`encode`] takes the default.
pub fn encode_in(response: &Response, voice: &Voice) -> String {
    let mut writer = Writer::with_room(RESPONSE_ROOM).in_voice(voice);
    operation::encode(response, &mut writer);
    writer.finish()
}

/// Bytes set aside for a response before it is written; most fit.
const RESPONSE_ROOM: usize = 2_048;

/// The error for a wrong JSON type, with its place in the text.
fn serialization(text: &str, mismatch: Mismatch) -> ApiError {
    let (message, path) = mismatch.into_parts();
    let place = locate(text, &ErrorPlace::Member(path)).map(syntax::text_place);
    ApiError::Serialization { message, place }
}
