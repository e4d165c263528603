//! The single-table picture: the shape of all rows at once, their contents by window.
//!
//! Invariant: a layout belongs to one version of its table. Two layouts are equal only if they show the same
//! version, so a view that compares them misses no change.
//!
//! Not here: what a request read ([`crate::history`]); it arrives as [`ReadShown`].

pub(crate) mod columns;
mod find;
mod layout;
mod order;
mod rows;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use hashrange_storage::{Table, TreeRef};
use hashrange_types::{EncodedKey, KeySchema};

use crate::recognition::{EntityIndex, Recognition};

pub(crate) use find::{copied, find, ids, row_of};
pub(crate) use layout::{Shown, layout};
pub(crate) use order::order_words;
pub(crate) use rows::rows;

/// Every so many items of a run the layout keeps a key to start reading from.
const CHECKPOINT_ITEMS: u32 = 128;

/// Heights in px at the default density.
const ITEM_HEIGHT: u32 = 24;
const HEADING_HEIGHT: u32 = 20;
const BREAK_HEIGHT: u32 = 20;

/// What a layout knows beyond what a panel draws. Opaque: hand it back to [`crate::Session::rows`].
#[derive(Debug, Clone, Default)]
pub struct GridShape(Option<Arc<Shape>>);

impl PartialEq for GridShape {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                Arc::ptr_eq(a, b)
                    || (Arc::ptr_eq(&a.table, &b.table)
                        && Arc::ptr_eq(&a.recognition, &b.recognition)
                        && a.index == b.index
                        && a.read == b.read
                        && a.filter == b.filter
                        && a.written == b.written)
            }
            _ => false,
        }
    }
}

/// The rows of one target, compactly.
#[derive(Debug)]
struct Shape {
    table: Arc<Table>,
    recognition: Arc<Recognition>,
    index: Option<String>,
    n_rows: u32,
    runs: Vec<Run>,
    /// Where reading may start: of each run its items 0, 128, 256 and so on; every one where others are hidden.
    checkpoints: Vec<EncodedKey>,
    breaks: Vec<Break>,
    read: Option<Arc<ReadShown>>,
    /// The text that every item shown has somewhere.
    filter: Option<String>,
    /// Keys of the items that the latest write put, ascending.
    written: Arc<Vec<EncodedKey>>,
}

/// Neighbours of one entity under one heading.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Row of the heading; the items follow it.
    first_row: u32,
    n_items: u32,
    entity: Option<EntityIndex>,
    first_checkpoint: u32,
}

/// A row that marks the end of a page.
#[derive(Debug, Clone)]
struct Break {
    row: u32,
    text: String,
}

/// What a request read of one target, for the lit band.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReadShown {
    /// Keys examined in the target's own tree, ascending, and whether each was returned.
    pub(crate) examined: Vec<(EncodedKey, bool)>,
    /// Ends of pages.
    pub(crate) page_ends: Vec<PageEndShown>,
}

/// Where a page ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageEndShown {
    /// The last key examined.
    pub(crate) key: EncodedKey,
    /// True if reading went upwards, so that the mark belongs below the key.
    pub(crate) is_forward: bool,
    /// The mark's words.
    pub(crate) text: String,
}

/// The tree of the table or of the index called `index`.
fn tree<'a>(table: &'a Table, index: Option<&str>) -> Option<TreeRef<'a>> {
    match index {
        None => Some(table.items()),
        Some(name) => table.index(name),
    }
}

/// The key schema of the table or of the index called `index`.
fn key_schema<'a>(table: &'a Table, index: Option<&str>) -> Option<&'a KeySchema> {
    match index {
        None => Some(&table.schema().key),
        Some(name) => table.schema().index(name).map(|index| index.key),
    }
}

/// The entity of a row of the table or an index. An entry that lacks the attributes its entity is known by is
/// recognised by its item.
fn entity_of_row(
    recognition: &Recognition,
    table: &Table,
    is_index: bool,
    item: &hashrange_types::Item,
) -> Option<EntityIndex> {
    let name = table.schema().name.as_str();
    recognition.entity_of(name, item).or_else(|| {
        if !is_index {
            return None;
        }
        let key = table.schema().key.encode(item)?;
        recognition.entity_of(name, &table.get(&key)?.item)
    })
}
