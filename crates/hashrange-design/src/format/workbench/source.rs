//! The bytes of a file to the JSON of a model, or the one sentence that says why not.
//!
//! Invariant: size is checked before anything is read; foreign files are named where they can be recognised.

use serde_json::{Map, Value};

use crate::document::reason;

/// Largest file read, in bytes.
pub const BYTES_MAX: usize = 100 * 1_024 * 1_024;

/// Why a file is not a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Larger than [`BYTES_MAX`].
    #[error("This file has {megabytes} MB; a model may have up to 100 MB. Nothing was changed.")]
    TooLarge {
        /// Its size in MB, rounded up.
        megabytes: usize,
    },
    /// Nothing but white space.
    #[error("This file is empty.")]
    Empty,
    /// Not UTF-8.
    #[error("This file is not text in UTF-8{}. A NoSQL Workbench model is a JSON file.", hint(*.is_utf16))]
    NotText {
        /// True if it starts like UTF-16.
        is_utf16: bool,
    },
    /// JSON that stops in the middle.
    #[error("This file ends too early, at line {line}, column {column}: it was probably cut off.")]
    Truncated {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Lists and objects in each other beyond reason.
    #[error("This file is nested too deeply, at line {line}, column {column}.")]
    TooDeep {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Not JSON.
    #[error("This file is not JSON: {reason}, at line {line}, column {column}.")]
    NotJson {
        /// What the parser says.
        reason: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// JSON, but something else.
    #[error("This is not a NoSQL Workbench model: it looks like {0}.")]
    Foreign(&'static str),
    /// No table of the model can be used.
    #[error("This model has no table with a partition key, so there is nothing to show.")]
    NoTables,
}

const fn hint(is_utf16: bool) -> &'static str {
    if is_utf16 { " (it looks like UTF-16; save it as UTF-8)" } else { "" }
}

/// Reads the model's object.
pub(super) fn read(bytes: &[u8]) -> Result<Map<String, Value>, ImportError> {
    if bytes.len() > BYTES_MAX {
        return Err(ImportError::TooLarge { megabytes: bytes.len().div_ceil(1_024 * 1_024) });
    }
    let is_utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| ImportError::NotText { is_utf16 })?;
    if text.trim().is_empty() {
        return Err(ImportError::Empty);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    match value {
        Value::Object(model) if model.contains_key("DataModel") => Ok(model),
        Value::Object(model) if model.contains_key("KeyAttributes") => {
            Ok(Map::from_iter([("DataModel".to_owned(), Value::Array(vec![Value::Object(model)]))]))
        }
        other => Err(ImportError::Foreign(kind(&other))),
    }
}

/// The model's tables.
pub(super) fn tables(model: &Map<String, Value>) -> Result<&[Value], ImportError> {
    match model.get("DataModel") {
        Some(Value::Array(tables)) => Ok(tables),
        Some(table @ Value::Object(_)) => Ok(std::slice::from_ref(table)),
        _ => Err(ImportError::NoTables),
    }
}

fn unreadable(error: &serde_json::Error) -> ImportError {
    let (line, column) = (error.line(), error.column());
    let reason = reason(error);
    if error.is_eof() {
        ImportError::Truncated { line, column }
    } else if reason.starts_with("recursion limit") {
        ImportError::TooDeep { line, column }
    } else {
        ImportError::NotJson { reason, line, column }
    }
}

/// What a file that is not a model looks like.
fn kind(value: &Value) -> &'static str {
    let Value::Object(map) = value else {
        return match value {
            Value::Array(_) => "a list of values",
            _ => "a single value",
        };
    };
    let has = |name: &str| map.contains_key(name);
    if has("format") && has("tables") {
        "a Hashrange design; open it as one"
    } else if has("KeySchema") && has("TableName") {
        "a CreateTable request"
    } else if has("Resources") {
        "a CloudFormation template"
    } else if has("tables") {
        "a data model of another tool"
    } else if has("models") && has("indexes") {
        "a OneTable schema"
    } else if has("Items") || has("Item") {
        "a reply of DynamoDB"
    } else if has("dependencies") || has("devDependencies") {
        "an npm package file"
    } else {
        "other JSON, without a member called DataModel"
    }
}
