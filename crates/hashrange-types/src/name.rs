//! Names of tables, indexes and attributes.
//!
//! Invariant: a [`TableName`] or [`IndexName`] satisfies `[a-zA-Z0-9_.-]+`. Length rules differ between
//! operations (1 on the data plane, 3 on the control plane), so they are checked where a request is decoded.

use std::borrow::Borrow;
use std::fmt;

use smol_str::SmolStr;

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(SmolStr);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

name! {
    /// Name of a table, unique in its database. Sorts byte by byte, as ListTables does.
    TableName
}
name! {
    /// Name of a secondary index, unique in its table.
    IndexName
}
name! {
    /// Name of an attribute: any text of 1 to 65,535 bytes.
    AttributeName
}

/// True for the characters that table and index names may hold.
///
/// Source: API reference, CreateTable, pattern `[a-zA-Z0-9_.-]+`.
pub fn has_name_characters(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

impl TableName {
    /// The table name `text`, or none where it holds other characters than `[a-zA-Z0-9_.-]`.
    pub fn new(text: &str) -> Option<Self> {
        has_name_characters(text).then(|| Self(SmolStr::new(text)))
    }
}

impl IndexName {
    /// The index name `text`, or none where it holds other characters than `[a-zA-Z0-9_.-]`.
    pub fn new(text: &str) -> Option<Self> {
        has_name_characters(text).then(|| Self(SmolStr::new(text)))
    }
}

impl AttributeName {
    /// The attribute name `text`. Cheap for up to 23 bytes, and cheap to clone always.
    pub fn new(text: &str) -> Self {
        Self(SmolStr::new(text))
    }
}

impl From<&str> for AttributeName {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for AttributeName {
    fn from(text: String) -> Self {
        Self(SmolStr::from(text))
    }
}

/// How a request named its table: by name or by ARN. Replies echo what was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableReference {
    /// The table meant.
    pub name: TableName,
    /// What the request said, word for word.
    pub given: SmolStr,
}

impl TableReference {
    /// A reference by plain name.
    pub fn by_name(name: TableName) -> Self {
        let given = SmolStr::new(name.as_str());
        Self { name, given }
    }
}
