//! The grid store: what of the picture is in view, and where its cursor is.
//!
//! Invariant: only the rows in view exist as values; the cursor stands on an item whenever there is one.

use std::ops::Range;
use std::sync::Arc;

use hashrange_playground::view::{GridColumn, GridItem, GridLayout, GridRow, KeyText, Target};
use leptos::prelude::*;

use super::geometry::{Gap, Geometry};
use super::history::HistoryStore;
use super::items::ItemsStore;
use super::screen::ScreenStore;
use super::session::SessionStore;
use crate::signal::{Memo, RwSignal};

/// Columns of attribute values.
pub(crate) const ATTRIBUTE_COLUMNS: usize = 5;
/// Columns by number: the partition key, the sort key, then attributes, the size and the indexes.
pub(crate) const PARTITION_COLUMN: u32 = 1;
/// The sort key's column.
pub(crate) const SORT_COLUMN: u32 = 2;
/// The last column.
pub(crate) const LAST_COLUMN: u32 = 9;

/// How many rows are drawn anew at a time: after a long jump the others follow in the next frames, so that no
/// frame takes long.
const NEW_ROWS_MAX: u32 = 10;
/// All rows of the window may be drawn.
const ALL_ROWS: Range<u32> = 0..u32::MAX;

/// How much of a lit row's collection is kept in view above it, in px.
const CONTEXT_PX: u32 = 240;
/// How many rows are searched for the first lit one, and how many at a time.
const SEARCHED_ROWS_MAX: u32 = 8_192;
const SEARCHED_ROWS_STEP: u32 = 256;

/// A row in view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShownRow {
    /// Its number, from the top.
    pub(crate) index: u32,
    /// Top in px.
    pub(crate) top: u32,
    /// Height in px.
    pub(crate) height: u32,
    /// Its contents.
    pub(crate) row: GridRow,
    /// The attribute columns above it.
    pub(crate) columns: Arc<[GridColumn]>,
    /// True for the first row of a collection.
    pub(crate) starts_collection: bool,
    /// True where the band of the read begins and ends.
    pub(crate) band: (bool, bool),
}

/// A cell of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The row.
    pub(crate) row: u32,
    /// The column, from 1.
    pub(crate) column: u32,
}

/// Where the cursor goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// Rows down, or up if negative.
    Rows(i32),
    /// Columns right, or left if negative.
    Columns(i32),
    /// Partition keys down, or up if negative.
    Collections(i32),
    /// To the first column, and the first row too if true.
    Start(bool),
    /// To the last column, and the last row too if true.
    End(bool),
}

/// The picture of the table in view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridStore {
    session: SessionStore,
    layout: Memo<GridLayout>,
    /// Rows of the open item and of the draft, below which they stand.
    places: Memo<[Option<u32>; 2]>,
    /// Rows that have what is looked for.
    found: Memo<Vec<u32>>,
    geometry: Memo<Geometry>,
    /// Counts changes of contents, so that rows in view are drawn anew after one.
    generation: Memo<u32>,
    scroll_top: RwSignal<u32>,
    /// Height of what the grid shows at a time, in px, once the browser told it.
    height: RwSignal<Option<u32>>,
    window: Memo<Range<u32>>,
    /// The part of the window that may be drawn now.
    drawable: RwSignal<Range<u32>>,
    rows: Memo<Vec<Arc<ShownRow>>>,
    key_chars: Memo<(Target, usize, usize)>,
    cursor: RwSignal<Cell>,
}

impl GridStore {
    /// The picture of the screen's target, lit by the open entry.
    pub(crate) fn new(
        session: SessionStore,
        history: HistoryStore,
        screen: ScreenStore,
        items: ItemsStore,
    ) -> Self {
        let target = screen.target();
        let layout = Memo::new(move |_| match target.get() {
            Some(target) => session.layout(&target, history.lit(), &items.filter()),
            None => GridLayout::default(),
        });
        let places = Memo::new(move |_| layout.with(|layout| places(session, items, layout)));
        let geometry = Memo::new(move |_| {
            let gaps = gaps(items, places.get());
            layout.with(|layout| Geometry::new(layout, screen.is_narrow(), gaps))
        });
        let found = Memo::new(move |_| {
            let text = if items.is_finding.get() { items.find.get() } else { String::new() };
            layout.with(|layout| session.ask(|session| session.find(layout, &text)))
        });
        let generation = Memo::new(move |last: Option<&u32>| {
            session.track();
            history.lit();
            geometry.track();
            layout.track();
            last.map_or(0, |last| last.wrapping_add(1))
        });
        let (scroll_top, height) = (RwSignal::new(0), RwSignal::new(None));
        let window = Memo::new(move |_| {
            let height = height.get().unwrap_or_else(|| screen.height());
            geometry.with(|geometry| geometry.window(scroll_top.get(), height))
        });
        let drawable = RwSignal::new(ALL_ROWS);
        let rows = Memo::new(move |_| {
            generation.track();
            let window = overlap(&window.get(), &drawable.get());
            layout.with_untracked(|layout| {
                geometry.with_untracked(|geometry| shown_rows(session, layout, geometry, window))
            })
        });
        let key_chars = Memo::new(move |last: Option<&(Target, usize, usize)>| {
            let (target, partition) = layout.with(|layout| {
                let lengths = layout.collections.iter().map(|collection| n_chars(&collection.key));
                (layout.target.clone(), lengths.max().unwrap_or(0))
            });
            let sort =
                rows.with(|rows| rows.iter().map(|row| sort_chars(&row.row)).max().unwrap_or(0));
            let seen = last.filter(|last| last.0 == target).map_or(0, |last| last.2);
            (target, partition, sort.max(seen))
        });
        let cursor = RwSignal::new(Cell { row: 0, column: SORT_COLUMN });
        Self {
            session,
            layout,
            places,
            found,
            geometry,
            generation,
            scroll_top,
            height,
            window,
            drawable,
            rows,
            key_chars,
            cursor,
        }
    }

    /// The layout.
    pub(crate) fn layout(self) -> Memo<GridLayout> {
        self.layout
    }

    /// Rows that have what is looked for.
    pub(crate) fn found(self) -> Memo<Vec<u32>> {
        self.found
    }

    /// Rows of the open item and of the draft, below which they stand; none where they are not in the picture.
    pub(crate) fn places(self) -> Memo<[Option<u32>; 2]> {
        self.places
    }

    /// The attribute in a cell, and whether it is a number in others of its run; none where a cell has no one value.
    pub(crate) fn attribute_at(self, cell: Cell) -> Option<(String, bool)> {
        let only = |names: &[String]| match names {
            [name] => Some((name.clone(), false)),
            _ => None,
        };
        self.layout.with_untracked(|layout| match cell.column {
            PARTITION_COLUMN => only(&layout.key_names.0),
            SORT_COLUMN if layout.key_names.1.is_empty() => only(&layout.key_names.0),
            SORT_COLUMN => only(&layout.key_names.1),
            column => {
                let columns = self.geometry.with_untracked(|geometry| {
                    columns_above(self.session, layout, geometry, cell.row + 1)
                });
                let at = (column - SORT_COLUMN - 1) as usize;
                let column = columns.get(at).filter(|_| at < ATTRIBUTE_COLUMNS)?;
                Some((column.attribute.clone(), column.is_number))
            }
        })
    }

    /// Where its rows are.
    pub(crate) fn geometry(self) -> Memo<Geometry> {
        self.geometry
    }

    /// A number that changes whenever rows in view have to be drawn anew.
    pub(crate) fn generation(self) -> Memo<u32> {
        self.generation
    }

    /// The rows in view.
    pub(crate) fn rows(self) -> Memo<Vec<Arc<ShownRow>>> {
        self.rows
    }

    /// Numbers of the collections in view. Tracks them.
    pub(crate) fn collections(self) -> Range<u32> {
        let window = self.window.get();
        self.geometry.with(|geometry| {
            let first = geometry.collection_of(window.start);
            let last = geometry.collection_of(window.end.saturating_sub(1));
            if window.is_empty() { 0..0 } else { first..last + 1 }
        })
    }

    /// Takes note of where the picture is scrolled to, in px.
    pub(crate) fn scroll_to(self, top: u32) {
        if self.scroll_top.try_get_untracked().is_some_and(|now| now != top) {
            let drawn = overlap(&self.window.get_untracked(), &self.drawable.get_untracked());
            self.scroll_top.try_set(top);
            self.draw_from(&drawn);
        }
    }

    /// Draws a few rows of the window beyond those that are drawn, and the others in the frames that follow.
    fn draw_from(self, drawn: &Range<u32>) {
        let Some(window) = self.window.try_get_untracked() else { return };
        let next = grown(drawn, &window);
        if next == window {
            self.drawable.try_set(ALL_ROWS);
        } else {
            self.drawable.try_set(next.clone());
            request_animation_frame(move || {
                // A scroll in between has drawn its own rows and asked for its own frame.
                if self.drawable.try_get_untracked().is_some_and(|now| now == next) {
                    self.draw_from(&next);
                }
            });
        }
    }

    /// Takes note of how much of the picture is in view, in px.
    pub(crate) fn resize(self, height: u32) {
        if self.height.try_get_untracked().is_some_and(|now| now != Some(height)) {
            self.height.try_set(Some(height));
        }
    }

    /// Characters of the longest partition key, and of the longest sort key seen so far. Tracks them.
    pub(crate) fn key_chars(self) -> (usize, usize) {
        self.key_chars.with(|(_, partition, sort)| (*partition, *sort))
    }

    /// Top and height in px of what should be in view of the shown read: its first row, with the start of its
    /// collection where that is near. None if it is too far down to be found. Tracks the picture.
    pub(crate) fn first_lit(self) -> Option<(u32, u32)> {
        self.generation.track();
        self.layout.with_untracked(|layout| {
            let row = first_read_row(self.session, layout)?;
            self.geometry.with_untracked(|geometry| {
                let (top, height) = geometry.row(row);
                let (start, _) = geometry.collection(geometry.collection_of(row));
                let from = start.max(top.saturating_sub(CONTEXT_PX));
                Some((from, top + height - from))
            })
        })
    }

    /// The cursor's cell: on an item, if there is one. Tracks it.
    pub(crate) fn cursor(self) -> Cell {
        let cell = self.cursor.get();
        let row = self.geometry.with(|geometry| nearest_item(geometry, cell.row, true));
        Cell { row: row.unwrap_or(cell.row), ..cell }
    }

    /// The cursor's cell if it is drawn. Tracks both.
    pub(crate) fn drawn_cursor(self) -> Option<Cell> {
        let cell = self.cursor();
        let is_drawn =
            |row: &Arc<ShownRow>| row.index == cell.row && matches!(row.row, GridRow::Item(_));
        self.rows.with(|rows| rows.iter().any(is_drawn)).then_some(cell)
    }

    /// Puts the cursor on a cell.
    pub(crate) fn put_cursor(self, cell: Cell) {
        self.cursor.set(cell);
    }

    /// Moves the cursor; returns top and height of what has to come into view.
    pub(crate) fn move_cursor(self, step: Move) -> (u32, u32) {
        let from = untrack(|| self.cursor());
        // Without indexes there are no chips, and the size is the last thing to see.
        let has_chips = self.layout.with_untracked(|layout| !layout.chips.is_empty());
        let last_column = if has_chips { LAST_COLUMN } else { LAST_COLUMN - 1 };
        let (cell, place) = self.geometry.with_untracked(|geometry| {
            let cell = moved(geometry, from, step, last_column);
            (cell, geometry.row(cell.row))
        });
        self.cursor.set(cell);
        place
    }

    /// The item under the cursor.
    pub(crate) fn item_at_cursor(self) -> Option<GridItem> {
        let row = untrack(|| self.cursor()).row;
        let rows = self.layout.with_untracked(|layout| self.session.rows(layout, row..row + 1));
        match rows.into_iter().next() {
            Some(GridRow::Item(item)) => Some(item),
            _ => None,
        }
    }
}

/// Where the open item and the draft stand: under its row, and at the end of its collection or of the table.
fn places(session: SessionStore, items: ItemsStore, layout: &GridLayout) -> [Option<u32>; 2] {
    let row_of = |id: &str| session.ask(|session| session.row_of(layout, id));
    let opened = items.opened.with(|id| id.as_deref().and_then(row_of));
    let draft = items.draft.with(|draft| {
        let (draft, beside) = draft.as_ref()?;
        let is_here = layout.target.index.is_none() && draft.table == layout.target.table;
        let row = beside.as_deref().and_then(row_of);
        let of_row = |row: u32| {
            let at = layout.collections.partition_point(|it| it.first_row <= row).checked_sub(1)?;
            let collection = &layout.collections[at];
            Some(collection.first_row + collection.n_rows - 1)
        };
        let last = || u32::try_from(layout.tops.len()).ok()?.checked_sub(2);
        // An empty table has no row: there it stands on its own.
        is_here.then(|| row.and_then(of_row).or_else(last).unwrap_or(0))
    });
    [opened, draft]
}

/// Room below the rows of the open item and of the draft.
fn gaps(items: ItemsStore, [opened, draft]: [Option<u32>; 2]) -> [Gap; 2] {
    let gap = |row: Option<u32>, at: usize| {
        (row.unwrap_or(0), row.map_or(0, |_| items.heights[at].get()))
    };
    [gap(opened, 0), gap(draft, 1)]
}

/// What is in both ranges; empty, at the start of the first, if nothing is.
fn overlap(window: &Range<u32>, part: &Range<u32>) -> Range<u32> {
    let (start, end) = (window.start.max(part.start), window.end.min(part.end));
    if start < end { start..end } else { window.start..window.start }
}

/// What is drawn next of a window: what is drawn of it already, and a few rows more.
fn grown(drawn: &Range<u32>, window: &Range<u32>) -> Range<u32> {
    let kept = overlap(window, drawn);
    let end = window.end.min(kept.end + NEW_ROWS_MAX);
    let left = NEW_ROWS_MAX - (end - kept.end);
    window.start.max(kept.start.saturating_sub(left))..end
}

/// Looks through the first rows for one that was read.
fn first_read_row(session: SessionStore, layout: &GridLayout) -> Option<u32> {
    let n_rows = u32::try_from(layout.tops.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let is_read = |row: &GridRow| matches!(row, GridRow::Item(item) if item.read.is_some());
    let starts = (0..n_rows.min(SEARCHED_ROWS_MAX)).step_by(SEARCHED_ROWS_STEP as usize);
    for start in starts {
        let rows = session.rows(layout, start..(start + SEARCHED_ROWS_STEP).min(n_rows));
        if let Some(place) = (start..).zip(&rows).find(|(_, row)| is_read(row)) {
            return Some(place.0);
        }
    }
    None
}

fn n_chars(key: &KeyText) -> usize {
    key.prefix.chars().count() + key.rest.chars().count()
}

fn sort_chars(row: &GridRow) -> usize {
    match row {
        GridRow::Item(item) => n_chars(&item.sort),
        GridRow::Heading { .. } | GridRow::PageBreak { .. } => 0,
    }
}

/// The row itself if it is an item's, else the nearest one that way, else the nearest the other way.
fn nearest_item(geometry: &Geometry, row: u32, is_down: bool) -> Option<u32> {
    geometry.nearest_item(row, is_down).or_else(|| geometry.nearest_item(row, !is_down))
}

/// Where a step leads from a cell.
fn moved(geometry: &Geometry, from: Cell, step: Move, last_column: u32) -> Cell {
    let last_row = geometry.n_rows().saturating_sub(1);
    let item = |row: u32, is_down: bool| nearest_item(geometry, row, is_down).unwrap_or(from.row);
    match step {
        Move::Rows(n) if from.column == PARTITION_COLUMN => {
            moved(geometry, from, Move::Collections(n.signum()), last_column)
        }
        Move::Rows(n) => {
            let row = from.row.saturating_add_signed(n).min(last_row);
            Cell { row: item(row, n > 0), ..from }
        }
        Move::Columns(n) => {
            let column = from.column.saturating_add_signed(n).clamp(PARTITION_COLUMN, last_column);
            Cell { row: item(from.row, true), column }
        }
        Move::Collections(n) => {
            let collection = geometry.collection_of(from.row).saturating_add_signed(n);
            let row = geometry.first_row(collection);
            Cell { row: row.map_or(from.row, |row| item(row, true)), ..from }
        }
        Move::Start(is_all) => {
            let row = if is_all { 0 } else { from.row };
            Cell { row: item(row, true), column: SORT_COLUMN }
        }
        Move::End(is_all) => {
            let row = if is_all { last_row } else { from.row };
            Cell { row: item(row, false), column: last_column }
        }
    }
}

fn shown_rows(
    session: SessionStore,
    layout: &GridLayout,
    geometry: &Geometry,
    window: Range<u32>,
) -> Vec<Arc<ShownRow>> {
    let mut columns = columns_above(session, layout, geometry, window.start);
    let rows = session.rows(layout, window.clone());
    let is_read = |row: &GridRow| match row {
        GridRow::Item(item) => item.read.is_some(),
        GridRow::PageBreak { .. } => true,
        GridRow::Heading { .. } => false,
    };
    let reads: Vec<bool> = rows.iter().map(is_read).collect();
    let mut shown = Vec::with_capacity(rows.len());
    for (place, (index, row)) in window.zip(rows).enumerate() {
        if let GridRow::Heading { columns: own, .. } = &row {
            columns = own.as_slice().into();
        }
        let (top, height) = geometry.row(index);
        let first_of_collection = geometry.first_row(geometry.collection_of(index));
        // At the edges of the window the band goes on as far as is known.
        let band = (
            place.checked_sub(1).is_some_and(|before| !reads[before]),
            reads.get(place + 1).is_some_and(|next| !next),
        );
        shown.push(Arc::new(ShownRow {
            index,
            top,
            height,
            row,
            columns: Arc::clone(&columns),
            starts_collection: first_of_collection == Some(index),
            band,
        }));
    }
    shown
}

/// The columns of the run that row `index` belongs to: its heading may be out of view.
fn columns_above(
    session: SessionStore,
    layout: &GridLayout,
    geometry: &Geometry,
    index: u32,
) -> Arc<[GridColumn]> {
    let headings = (0..index).rev().filter(|row| !geometry.is_item(*row));
    for row in headings {
        if let Some(GridRow::Heading { columns, .. }) = session.rows(layout, row..row + 1).pop() {
            return columns.into();
        }
    }
    Arc::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_jump_draws_a_few_rows_at_a_time_until_the_window_is_full() {
        let window = 1_000..1_032;
        let mut drawn = overlap(&window, &(0..32));
        let mut steps = Vec::new();
        while drawn != window {
            drawn = grown(&drawn, &window);
            steps.push(drawn.clone());
        }
        assert_eq!(steps, [1_000..1_010, 1_000..1_020, 1_000..1_030, 1_000..1_032]);
    }

    #[test]
    fn a_short_scroll_keeps_what_is_drawn_and_adds_what_comes_into_view() {
        assert_eq!(grown(&(10..40), &(15..45)), 15..45);
        assert_eq!(grown(&(10..40), &(4..34)), 4..34);
    }
}
