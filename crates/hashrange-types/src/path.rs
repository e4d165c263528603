//! `DocumentPath`: `a.b[0]`, and reading an item through one.
//!
//! Invariant: a path starts with an attribute name. Names are resolved: `#n` no longer occurs.
//!
//! Not here: changing an item through a path (`hashrange-expressions`, `update`).

use std::fmt;

use smol_str::SmolStr;

use crate::item::Item;
use crate::name::AttributeName;
use crate::value::AttributeValue;

/// One step below the attribute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathElement {
    /// `.name`: an entry of a map.
    Entry(SmolStr),
    /// `[n]`: an element of a list.
    Index(u32),
}

/// Where in an item: an attribute and steps below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPath {
    /// The attribute the path starts at.
    pub attribute: AttributeName,
    /// The steps below it; empty for a top-level attribute.
    pub elements: Vec<PathElement>,
}

impl DocumentPath {
    /// The path of a top-level attribute.
    pub fn top(attribute: AttributeName) -> Self {
        Self { attribute, elements: Vec::new() }
    }

    /// The value at the path, or none where any step is missing or of the wrong kind.
    pub fn get<'a>(&self, item: &'a Item) -> Option<&'a AttributeValue> {
        let mut value = item.get(self.attribute.as_str())?;
        for element in &self.elements {
            value = match (element, value) {
                (PathElement::Entry(name), AttributeValue::M(entries)) => entries.get(name)?,
                (PathElement::Index(index), AttributeValue::L(values)) => {
                    values.get(usize::try_from(*index).ok()?)?
                }
                _ => return None,
            };
        }
        Some(value)
    }

    /// True for a path of one name.
    pub fn is_top_level(&self) -> bool {
        self.elements.is_empty()
    }
}

impl fmt::Display for DocumentPath {
    /// As DynamoDB quotes paths in messages: `[a, b, [0]]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}", self.attribute)?;
        for element in &self.elements {
            match element {
                PathElement::Entry(name) => write!(f, ", {name}")?,
                PathElement::Index(index) => write!(f, ", [{index}]")?,
            }
        }
        f.write_str("]")
    }
}
