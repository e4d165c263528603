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
