//! One row of the picture: attribute names of a run, an item, or the end of a page.

use hashrange_playground::view::{GridColumn, GridItem, GridRow, ReadMark};
use leptos::prelude::expect_context;

use super::px;
use crate::markup::{Element, aria, el};
use crate::signal::Memo;
use crate::state::grid::{ATTRIBUTE_COLUMNS, LAST_COLUMN, SORT_COLUMN, ShownRow};
use crate::state::workspace::Workspace;
use crate::widgets::key_label;

/// A row of any kind.
pub(super) fn row(row: &ShownRow) -> Element {
    match &row.row {
        GridRow::Heading { title, columns } => heading(row, title, columns),
        GridRow::Item(item) => item_row(row, item),
        GridRow::PageBreak { text } => page_break(row, text),
    }
}

/// What rows have in common: what they are to a screen reader, and where they stand.
fn placed(spec: &'static str, row: &ShownRow) -> Element {
    el(spec)
        .attr("role", "row")
        .attr("aria-rowindex", row.index + 2)
        .style("--top", px(row.top))
        .style("--height", px(row.height))
}

fn heading(row: &ShownRow, title: &str, columns: &[GridColumn]) -> Element {
    let spec = if row.starts_collection {
        "div.row.is-heading.starts-collection"
    } else {
        "div.row.is-heading"
    };
    let n_columns = columns.len().min(ATTRIBUTE_COLUMNS);
    let name = |(place, column): (usize, &GridColumn)| {
        el(value_spec(place, column.is_number))
            .attr("role", "columnheader")
            .child(column.name.clone())
    };
    placed(spec, row)
        .attr("data-columns", n_columns.to_string())
        .child(el("span.title").attr("role", "columnheader").child(title.to_owned()))
        .children(columns[..n_columns].iter().enumerate().map(name))
}

fn page_break(row: &ShownRow, text: &str) -> Element {
    placed("div.row.is-page-break", row)
        .child(el("span.band").attr("aria-hidden", "true"))
        .child(el("span.text").attr("role", "gridcell").child(text.to_owned()))
}

fn item_row(row: &ShownRow, item: &GridItem) -> Element {
    let index = row.index;
    let read = item.read.map(|read| match read {
        ReadMark::Returned => "returned",
        ReadMark::Filtered => "filtered",
    });
    let spec =
        if row.starts_collection { "div.row.is-item.starts-collection" } else { "div.row.is-item" };
    let grid = expect_context::<Workspace>().grid;
    let column = Memo::new(move |_| {
        let cell = grid.cursor();
        (cell.row == index && cell.column >= SORT_COLUMN).then_some(cell.column)
    });
    let cursor =
        move || column.get().map(|column| el("span.cursor").style("grid-column", column - 1));
    let band = match row.band {
        (false, false) => "span.band",
        (true, false) => "span.band.is-first",
        (false, true) => "span.band.is-last",
        (true, true) => "span.band.is-first.is-last",
    };
    let items = expect_context::<Workspace>().items;
    let is_chosen = Memo::new(move |_| items.selected.with(|rows| rows.contains(index)));
    placed(spec, row)
        .attr("aria-selected", move || aria(is_chosen.get()))
        .attr("data-written", item.is_written)
        .attr("data-columns", row.columns.len().min(ATTRIBUTE_COLUMNS).to_string())
        .attr("data-slot", item.slot.map(|slot| slot.to_string()))
        .attr("data-read", read)
        .child(read.map(|_| el(band).attr("aria-hidden", "true")))
        .child(sort_cell(index, item))
        .children(values(index, &item.cells, &row.columns))
        .child(size_cell(index, item))
        .child(chips_cell(index, item))
        .child(cursor)
}

/// Columns from the fourth on give way where the stage is narrow.
fn value_spec(place: usize, is_number: bool) -> &'static str {
    match (place > 2, is_number) {
        (false, false) => "span.value",
        (false, true) => "span.value.number",
        (true, false) => "span.value.is-late",
        (true, true) => "span.value.number.is-late",
    }
}

/// A cell of a row and column, which is how the cursor and the pointer know it.
fn cell(spec: &'static str, role: &'static str, row: u32, column: u32) -> Element {
    el(spec)
        .attr("role", role)
        .attr("id", format!("cell-{row}-{column}"))
        .attr("aria-colindex", column)
        .attr("data-row", row)
        .attr("data-column", column)
}

fn sort_cell(row: u32, item: &GridItem) -> Element {
    let letter = (!item.letter.is_empty())
        .then(|| el("span.tag").attr("aria-hidden", "true").child(item.letter.clone()));
    cell("span.sort", "rowheader", row, SORT_COLUMN)
        .attr("aria-label", item.spoken.clone())
        .child(letter)
        .child(key_label(item.sort.clone()))
}

fn values(row: u32, cells: &[String], columns: &[GridColumn]) -> impl Iterator<Item = Element> {
    let shown = cells.iter().take(ATTRIBUTE_COLUMNS).zip(SORT_COLUMN + 1..);
    let value = move |(place, (text, column)): (usize, (&String, u32))| {
        let is_number = columns.get(place).is_some_and(|column| column.is_number);
        cell(value_spec(place, is_number), "gridcell", row, column).child(text.clone())
    };
    shown.enumerate().map(value)
}

fn size_cell(row: u32, item: &GridItem) -> Element {
    let bar = el("i").style("--share", item.size_share).attr("aria-hidden", "true");
    cell("span.size", "gridcell", row, LAST_COLUMN - 1).child(item.size_text.clone()).child(bar)
}

fn chips_cell(row: u32, item: &GridItem) -> Element {
    let layout = expect_context::<Workspace>().grid.layout();
    let chips = layout.with_untracked(|layout| layout.chips.clone());
    let chip = |(label, is_member): (String, &bool)| {
        if *is_member {
            el("span.index-chip").child(label)
        } else {
            el("span.index-chip.is-out")
                .attr("role", "img")
                .attr("aria-label", format!("not in {label}"))
                .child("–")
        }
    };
    cell("span.chips", "gridcell", row, LAST_COLUMN)
        .children(chips.into_iter().zip(&item.memberships).map(chip))
}
