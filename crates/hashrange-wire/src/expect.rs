//! What the tests of this crate share: decoding in one word, and errors as their message.

use hashrange_types::operation::{ConsumedCapacity, ReturnConsumedCapacity};
use hashrange_types::{ApiError, IndexName};
use hashrange_types::{
    AttributeValue, CapacityUnits, Item, Number, Operation, Request, Response, TableName,
};

/// The request, which must be accepted.
pub(crate) fn accepted(operation: Operation, text: &str) -> Request {
    crate::decode(operation, text).unwrap_or_else(|error| panic!("refused: {error}"))
}

/// The message of the ValidationException that refuses the request.
pub(crate) fn refused(operation: Operation, text: &str) -> String {
    match crate::decode(operation, text) {
        Err(ApiError::Validation(error)) => error.to_string(),
        other => panic!("not a ValidationException: {other:?}"),
    }
}

/// The message of the SerializationException and the part of the text it is about.
pub(crate) fn mismatch(operation: Operation, text: &str) -> (String, String) {
    let error = crate::decode(operation, text).expect_err("the request is wrong");
    let ApiError::Serialization { message, place } = &error else { panic!("{error:?}") };
    let place = place.as_ref().expect("the place is known");
    let range = crate::locate(text, place).expect("the place is in the text");
    (message.clone(), text[range].to_owned())
}

/// The response as JSON text.
pub(crate) fn encoded(response: &Response) -> String {
    let text = crate::encode(response);
    serde_json::from_str::<serde_json::Value>(&text).expect("a response is JSON");
    text
}

/// The item of one text attribute and one number.
pub(crate) fn item() -> Item {
    [
        ("pk".into(), AttributeValue::S("a".into())),
        ("n".into(), AttributeValue::N(Number::parse("1.50").expect("a number"))),
    ]
    .into_iter()
    .collect()
}

/// Capacity of one table with one global index.
pub(crate) fn consumed(shown: ReturnConsumedCapacity) -> ConsumedCapacity {
    ConsumedCapacity {
        table_name: "T".into(),
        table: CapacityUnits::whole(1),
        local_indexes: Vec::new(),
        global_indexes: vec![(index("i"), CapacityUnits::halves(1))],
        failed: CapacityUnits::ZERO,
        is_write: false,
        shown,
    }
}

pub(crate) fn index(name: &str) -> IndexName {
    IndexName::new(name).expect("the characters are legal")
}

pub(crate) fn table(name: &str) -> TableName {
    TableName::new(name).expect("the characters are legal")
}
