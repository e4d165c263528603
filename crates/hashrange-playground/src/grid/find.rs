//! Items by a text they have, by their rows, and as text of their own.
//!
//! Invariant: each is one walk over the rows asked about.

use std::ops::Range;

use hashrange_storage::Row;
use hashrange_types::{AttributeValue, EncodedKey, Item};

use super::rows::{items, n};
use super::{GridShape, Shape};
use crate::edit::cell_text;
use crate::request::key_json;
use crate::view::TextForm;

/// True if the item has this text somewhere in its values, small and capital letters alike.
pub(crate) fn has(item: &Item, text: &str) -> bool {
    item.iter().any(|(_, value)| value_has(value, text))
}

fn value_has(value: &AttributeValue, text: &str) -> bool {
    match value {
        AttributeValue::S(own) => contains(own, text),
        AttributeValue::N(number) => contains(&number.to_string(), text),
        AttributeValue::Bool(truth) => contains(if *truth { "true" } else { "false" }, text),
        AttributeValue::L(values) => values.iter().any(|value| value_has(value, text)),
        AttributeValue::M(entries) => {
            entries.iter().any(|(name, value)| contains(name, text) || value_has(value, text))
        }
        AttributeValue::Ss(set) => set.members().iter().any(|member| contains(member, text)),
        AttributeValue::Ns(set) => {
            set.members().iter().any(|member| contains(&member.to_string(), text))
        }
        AttributeValue::B(_) | AttributeValue::Bs(_) | AttributeValue::Null => false,
    }
}

/// Letters of other alphabets must be the same: their tables are too much to download for this.
fn contains(own: &str, text: &str) -> bool {
    let (own, text) = (own.as_bytes(), text.as_bytes());
    text.is_empty() || own.windows(text.len()).any(|part| part.eq_ignore_ascii_case(text))
}

/// Tells `visit` of the items in a range of rows, with their row, until it says false.
fn walk(shape: &Shape, range: Range<u32>, visit: &mut dyn FnMut(u32, &EncodedKey, &Row) -> bool) {
    let first = shape.runs.partition_point(|run| run.first_row <= range.start).saturating_sub(1);
    let Some(run) = shape.runs.get(first) else { return };
    let is_break = |row: u32| shape.breaks.binary_search_by(|it| it.row.cmp(&row)).is_ok();
    let is_heading = |row: u32| shape.runs.binary_search_by(|it| it.first_row.cmp(&row)).is_ok();
    let is_item = |row: u32| !is_break(row) && !is_heading(row);
    let n_above = (run.first_row..range.start).filter(|row| is_item(*row)).count();
    // One walk: the items of the next run follow those of this one.
    let mut items = items(shape, run, super::layout::position(n_above));
    for row in (range.start..range.end.min(shape.n_rows)).filter(|row| is_item(*row)) {
        let Some((key, found)) = items.next() else { return };
        if !visit(row, key, found) {
            return;
        }
    }
}

/// Tells `visit` of the items in a range of rows until it says false.
pub(super) fn visit(shape: &Shape, range: Range<u32>, visit: &mut dyn FnMut(&Item) -> bool) {
    walk(shape, range, &mut |_, _, row| visit(&row.item));
}

/// Rows of all items that have a text.
pub(crate) fn find(shape: &GridShape, text: &str) -> Vec<u32> {
    let mut rows = Vec::new();
    if let Some(shape) = shape.0.as_deref().filter(|_| !text.is_empty()) {
        walk(shape, 0..shape.n_rows, &mut |row, _, found| {
            if has(&found.item, text) {
                rows.push(row);
            }
            true
        });
    }
    rows
}

/// Keys of the items in some ranges of rows, as the grid has them.
pub(crate) fn ids(shape: &GridShape, ranges: &[Range<u32>]) -> Vec<String> {
    let mut ids = Vec::new();
    each(shape, ranges, &mut |shape, item| {
        ids.push(key_json(&shape.table.schema().key.key_of(item)));
    });
    ids
}

fn each(shape: &GridShape, ranges: &[Range<u32>], visit: &mut dyn FnMut(&Shape, &Item)) {
    let Some(shape) = shape.0.as_deref() else { return };
    for range in ranges {
        walk(shape, range.clone(), &mut |_, _, row| {
            visit(shape, &row.item);
            true
        });
    }
}

/// The items in some ranges of rows as text.
pub(crate) fn copied(shape: &GridShape, ranges: &[Range<u32>], form: TextForm) -> String {
    let mut text = String::new();
    match form {
        TextForm::Json | TextForm::Lines => {
            each(shape, ranges, &mut |_, item| {
                let item = hashrange_wire::item_to_text(item);
                if form == TextForm::Lines {
                    text.extend(["{\"Item\":", &item, "}\n"]);
                } else {
                    text.extend([if text.is_empty() { "[" } else { ",\n" }, &item]);
                }
            });
            if form == TextForm::Json {
                text.push_str(if text.is_empty() { "[]" } else { "]" });
            }
        }
        TextForm::Tabs | TextForm::Commas => {
            let separator = if form == TextForm::Tabs { '\t' } else { ',' };
            let names = names(shape, ranges);
            push_line(&mut text, separator, &mut names.iter().cloned());
            each(shape, ranges, &mut |_, item| {
                let cell = |name: &String| item.get(name).map(cell_text).unwrap_or_default();
                push_line(&mut text, separator, &mut names.iter().map(cell));
            });
        }
    }
    text
}

/// Attributes of these items: the table's key first, then in the order in which they are met.
fn names(shape: &GridShape, ranges: &[Range<u32>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    each(shape, ranges, &mut |shape, item| {
        if names.is_empty() {
            names.extend(shape.table.schema().key.attributes().map(|it| it.name.to_string()));
        }
        for (name, _) in item {
            if !names.iter().any(|known| known == name.as_str()) {
                names.push(name.to_string());
            }
        }
    });
    names
}

fn push_line(text: &mut String, separator: char, cells: &mut dyn Iterator<Item = String>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            text.push(separator);
        }
        if cell.contains([separator, '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}

/// The row of the item with this key, if it is among the rows.
pub(crate) fn row_of(shape: &GridShape, id: &str) -> Option<u32> {
    let shape = shape.0.as_deref()?;
    let key = hashrange_wire::item_from_json(&serde_json::from_str(id).ok()?).ok()?;
    let schema = shape.table.schema();
    let wanted = schema.key.encode(&key)?;
    // An index has the item elsewhere, and its own key says where.
    let item = &shape.table.get(&wanted)?.item;
    let key = match shape.index.as_deref() {
        None => wanted,
        Some(name) => schema.index(name)?.key.encode(item)?.followed_by(&wanted),
    };
    let every = if shape.filter.is_some() { 1 } else { super::CHECKPOINT_ITEMS };
    let at = shape.checkpoints.partition_point(|known| *known <= key).checked_sub(1)?;
    let run = shape.runs.partition_point(|run| n(run.first_checkpoint) <= at).checked_sub(1)?;
    let run = &shape.runs[run];
    // The checkpoint's own row is as many items down its run; page ends among them only push it on.
    let start = run.first_row + (super::layout::position(at) - run.first_checkpoint) * every;
    let mut found = None;
    walk(shape, start..shape.n_rows, &mut |row, met, _| {
        if *met == key {
            found = Some(row);
        }
        *met < key
    });
    found
}
