//! The contents of a window of rows.
//!
//! Invariant: costs as much as the window, wherever it is.

use std::ops::{Bound, Range};

use hashrange_storage::{KeyRange, Row};
use hashrange_types::{EncodedKey, KeySchema};

use super::columns::{COLUMNS_MAX, Columns};
use super::{CHECKPOINT_ITEMS, GridShape, Run, Shape, entity_of_row, key_schema, tree};
use crate::format;
use crate::recognition::{EntityFace, key_text, whole};
use crate::view::{GridItem, GridRow, ReadMark};

/// A run's columns are chosen by so many of its first items.
const SAMPLE_ITEMS: usize = 20;

/// A full bar is an item of 4 KB.
const SCALE_BYTES: f32 = 4_096.0;

/// The rows `range` of a layout; what is beyond its end is left out.
pub(crate) fn rows(shape: &GridShape, range: Range<u32>) -> Vec<GridRow> {
    let Some(shape) = shape.0.as_deref() else { return Vec::new() };
    let range = range.start..range.end.min(shape.n_rows);
    if range.is_empty() {
        return Vec::new();
    }
    let mut rows = Vec::with_capacity(range.len());
    let first = shape.runs.partition_point(|run| run.first_row <= range.start).saturating_sub(1);
    for (at, run) in shape.runs.iter().enumerate().skip(first) {
        if run.first_row >= range.end {
            break;
        }
        let end_row = shape.runs.get(at + 1).map_or(shape.n_rows, |next| next.first_row);
        let window = range.start.max(run.first_row)..range.end.min(end_row);
        push_run(shape, run, window, &mut rows);
    }
    rows
}

/// The rows of one run that are in the window.
fn push_run(shape: &Shape, run: &Run, window: Range<u32>, rows: &mut Vec<GridRow>) {
    if window.is_empty() {
        return;
    }
    let index = shape.index.as_deref();
    let Some(key) = key_schema(&shape.table, index) else { return };
    let schema = shape.table.schema();
    let columns = Columns::of(
        items(shape, run, 0).take(SAMPLE_ITEMS.min(n(run.n_items))).map(|(_, row)| &row.item),
        |name| key.contains(name) || schema.key.contains(name) && index.is_none(),
        |name| schema.indexes().any(|index| index.key.contains(name)),
        COLUMNS_MAX,
    );
    let mut breaks =
        shape.breaks.iter().skip(shape.breaks.partition_point(|b| b.row < run.first_row));
    let mut next_break = breaks.next();
    // Items of the run above the window: its rows there, less the heading and the page ends among them.
    let n_rows_above = window.start.saturating_sub(run.first_row + 1);
    let mut n_breaks_above = 0;
    while next_break.is_some_and(|found| found.row < window.start) {
        n_breaks_above += 1;
        next_break = breaks.next();
    }
    let mut items = items(shape, run, n_rows_above.saturating_sub(n_breaks_above));
    let writer = ItemWriter { shape, key, columns: &columns };
    for row in window {
        if row == run.first_row {
            rows.push(GridRow::Heading {
                title: title(shape.recognition.face(run.entity), run.n_items),
                columns: columns.heading.clone(),
            });
        } else if let Some(found) = next_break.filter(|found| found.row == row) {
            rows.push(GridRow::PageBreak { text: found.text.clone() });
            next_break = breaks.next();
        } else if let Some((item_key, item_row)) = items.next() {
            rows.push(GridRow::Item(writer.item(item_key, item_row)));
        }
    }
}

/// The run's items from the one at `skipped` on; goes on beyond the run's end.
pub(super) fn items<'a>(
    shape: &'a Shape,
    run: &Run,
    skipped: u32,
) -> Box<dyn Iterator<Item = (&'a EncodedKey, &'a Row)> + 'a> {
    if shape.filter.is_some() {
        let keys = shape.checkpoints.get(n(run.first_checkpoint) + n(skipped)..);
        let rows = tree(&shape.table, shape.index.as_deref());
        let found = move |key| rows?.range(&KeyRange::only(EncodedKey::clone(key)), true).next();
        return Box::new(keys.unwrap_or_default().iter().filter_map(found));
    }
    let checkpoint = n(run.first_checkpoint) + n(skipped / CHECKPOINT_ITEMS);
    let start = shape.checkpoints.get(checkpoint.min(shape.checkpoints.len().saturating_sub(1)));
    let (Some(start), Some(tree)) = (start, tree(&shape.table, shape.index.as_deref())) else {
        return Box::new(std::iter::empty());
    };
    let range = KeyRange { lower: Bound::Included(start.clone()), upper: Bound::Unbounded };
    Box::new(tree.range(&range, true).skip(n(skipped % CHECKPOINT_ITEMS)))
}

pub(super) fn n(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// `Employees`, or `Organisation` where there is one; empty where items match no entity.
fn title(face: Option<&EntityFace>, n_items: u32) -> String {
    match face {
        None => String::new(),
        Some(face) if n_items == 1 => face.name.clone(),
        Some(face) => format::plural(&face.name),
    }
}

/// What all items of a run share.
struct ItemWriter<'a> {
    shape: &'a Shape,
    key: &'a KeySchema,
    columns: &'a Columns,
}

impl ItemWriter<'_> {
    fn item(&self, row_key: &EncodedKey, row: &Row) -> GridItem {
        let Shape { table, recognition, index, read, .. } = self.shape;
        let item = &row.item;
        let schema = table.schema();
        let entity = entity_of_row(recognition, table, index.is_some(), item);
        let face = recognition.face(entity);
        let mark = read.as_deref().and_then(|read| {
            let at = read.examined.binary_search_by(|(key, _)| key.cmp(row_key)).ok()?;
            Some(if read.examined[at].1 { ReadMark::Returned } else { ReadMark::Filtered })
        });
        let size_text = format::size(u64::from(row.size_bytes));
        let partition = key_text(item, &self.key.partition, face);
        let sort = key_text(item, &self.key.sort, face);
        let is_written = !self.shape.written.is_empty()
            && schema
                .key
                .encode(item)
                .is_some_and(|key| self.shape.written.binary_search(&key).is_ok());
        let spoken = {
            let key = whole(&partition);
            let sort_key = Some(whole(&sort)).filter(|sort| !sort.is_empty());
            let entity = face.map(|face| face.name.as_str());
            let read = mark.map(|mark| match mark {
                ReadMark::Returned => "read and returned",
                ReadMark::Filtered => "read and filtered out",
            });
            let written = is_written.then_some("just written");
            let size = Some(size_text.as_str());
            let parts = [Some(key.as_str()), sort_key.as_deref(), entity, size, read, written];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        GridItem {
            id: crate::request::key_json(&schema.key.key_of(item)),
            letter: face.map(|face| face.letter.clone()).unwrap_or_default(),
            entity: face.map(|face| face.name.clone()).unwrap_or_default(),
            slot: face.map(|face| face.slot),
            partition,
            sort,
            cells: self.columns.cells(item),
            size_text,
            size_share: size_share(row.size_bytes),
            memberships: match index {
                Some(_) => Vec::new(),
                None => schema.indexes().map(|index| index.key.matches(item)).collect(),
            },
            read: mark,
            is_written,
            spoken,
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "items are at most 400 KB")]
fn size_share(bytes: u32) -> f32 {
    (bytes as f32 / SCALE_BYTES).min(1.0)
}
