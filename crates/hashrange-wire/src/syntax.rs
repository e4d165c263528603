//! The first step: is the text JSON at all, and where does it stop being so.

use std::ops::Range;

use hashrange_types::{ApiError, ErrorPlace, ValidationError};

use crate::json::Json;
use crate::locate::whole_characters;

/// Parses a request's text.
///
/// # Errors
/// [`ApiError::Serialization`] without a message, as DynamoDB answers, at the byte where the text is broken;
/// [`ApiError::Validation`] for JSON that nests deeper than 128 levels.
pub(crate) fn parse(text: &str) -> Result<Json<'_>, ApiError> {
    serde_json::from_str(text).map_err(|error| {
        if is_only_too_deep(text) {
            return ValidationError::new(
                "Nesting Levels have exceeded supported limits: Attributes in the item have \
                 nested levels beyond supported limit",
            )
            .into();
        }
        let at = offset(text, error.line(), error.column());
        let place = text_place(whole_characters(text, at, at));
        ApiError::Serialization { message: String::new(), place: Some(place) }
    })
}

/// True if the text is JSON after all: skipping a value, unlike building one, has no limit of depth.
fn is_only_too_deep(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        && serde_json::from_str::<Json>(text)
            .is_err_and(|error| error.to_string().starts_with("recursion limit exceeded"))
}

/// The byte at line `line` and column `column`, both from 1, columns in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .nth(line - 2)
            .map_or(text.len(), |(at, _)| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}

/// A range as the place of an error. A text has at most 16 MB, so its offsets fit.
pub(crate) fn text_place(range: Range<usize>) -> ErrorPlace {
    let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    ErrorPlace::Text { start: short(range.start), end: short(range.end) }
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::{ListTables, PutItem};
    use proptest::prelude::*;

    use super::*;
    use crate::expect::{mismatch, refused};

    #[test]
    fn broken_json_is_a_serialization_error_at_the_byte_where_it_breaks() {
        for (text, part) in [
            ("{not json", "n"),
            ("{\"a\": 1 \"b\": 2}", "\""),
            ("{\"a\": 1,}", "}"),
            ("{\"a\":\n  tru, \"é\": 1}", ","),
            ("{\"é\": x}", "x"),
            ("{} x", "x"),
            ("{\"a\": \"b", "b"),
            ("{", "{"),
        ] {
            assert_eq!(mismatch(ListTables, text), (String::new(), part.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_empty_text_is_a_serialization_error() {
        assert_eq!(mismatch(ListTables, ""), (String::new(), String::new()));
    }

    #[test]
    fn a_request_must_be_an_object() {
        assert_eq!(mismatch(ListTables, "1").0, "Unexpected value type in payload");
        assert!(mismatch(ListTables, "[]").0.starts_with("Unrecognized collection type class"));
    }

    #[test]
    fn nesting_beyond_what_is_parsed_is_dynamodbs_error_about_nesting() {
        let n = 100_000;
        let text = format!("{{\"Item\": {}{}}}", "[".repeat(n), "]".repeat(n));
        assert!(refused(PutItem, &text).starts_with("Nesting Levels have exceeded"));
        assert_eq!(mismatch(PutItem, &text[..n]).0, "");
    }

    #[test]
    fn a_request_of_more_than_16_megabytes_is_too_large() {
        let text = " ".repeat(hashrange_types::limits::REQUEST_BYTES_MAX + 1);
        assert_eq!(crate::decode(ListTables, &text), Err(ApiError::RequestTooLarge));
    }

    /// Members that several operations read, so that arbitrary JSON meets every reader.
    const NAMES: [&str; 24] = [
        "TableName",
        "Key",
        "Item",
        "RequestItems",
        "Keys",
        "PutRequest",
        "Expected",
        "Value",
        "KeyConditions",
        "AttributeUpdates",
        "Limit",
        "Segment",
        "KeySchema",
        "AttributeName",
        "LocalSecondaryIndexes",
        "GlobalSecondaryIndexes",
        "Projection",
        "ProvisionedThroughput",
        "ExpressionAttributeValues",
        "S",
        "N",
        "M",
        "L",
        "NS",
    ];

    fn documents() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            "[a-z!]{0,4}".prop_map(Into::into),
        ];
        leaf.prop_recursive(6, 40, 4, |inner| {
            let entry = (prop::sample::select(&NAMES[..]).prop_map(str::to_owned), inner.clone());
            prop_oneof![
                prop::collection::vec(inner, 0..3).prop_map(Into::into),
                prop::collection::vec(entry, 0..4)
                    .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_json_makes_decoding_panic_and_every_place_is_in_the_text(json in documents()) {
            let text = json.to_string();
            for operation in hashrange_types::Operation::ALL {
                if let Err(error) = crate::decode(*operation, &text) {
                    crate::encode_error(&error, &hashrange_types::Voice::default());
                    if let ApiError::Serialization { place, .. } = &error {
                        let range = place.as_ref().and_then(|place| crate::locate(&text, place));
                        prop_assert!(text.get(range.expect("a wrong type is somewhere")).is_some());
                    }
                }
            }
        }

        #[test]
        fn no_text_makes_decoding_panic(text in "[\\[\\]{}:,\"\\\\a-zé0-9.\\-\\n ]{0,40}") {
            for operation in hashrange_types::Operation::ALL {
                if let Err(error) = crate::decode(*operation, &text)
                    && let Some(place) = error.place()
                    && let Some(range) = crate::locate(&text, place)
                {
                    prop_assert!(text.get(range).is_some());
                }
            }
        }
    }
}
