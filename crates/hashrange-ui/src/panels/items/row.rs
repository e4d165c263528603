//! One row of the picture: attribute names of a run, an item, or the end of a page.

use hashrange_playground::view::{GridColumn, GridItem, GridRow, ReadMark};
use leptos::prelude::*;

use super::px;
use crate::signal::Memo;
use crate::state::grid::{ATTRIBUTE_COLUMNS, LAST_COLUMN, SORT_COLUMN, ShownRow};
use crate::state::workspace::Workspace;
use crate::widgets::{KeyLabel, Views};

/// A row of any kind.
pub(super) fn row_view(row: &ShownRow) -> AnyView {
    match &row.row {
        GridRow::Heading { title, columns } => heading(row, title.clone(), columns.clone()),
        GridRow::Item(item) => item_row(row, item),
        GridRow::PageBreak { text } => page_break(row, text.clone()),
    }
}

fn heading(row: &ShownRow, title: String, columns: Vec<GridColumn>) -> AnyView {
    let class =
        if row.starts_collection { "row is-heading starts-collection" } else { "row is-heading" };
    let n_columns = columns.len().min(ATTRIBUTE_COLUMNS).to_string();
    let name = |(place, column): (usize, GridColumn)| {
        let class = value_class(place, column.is_number);
        view! { <span class=class role="columnheader">{column.name}</span> }
    };
    view! {
        <div class=class role="row" aria-rowindex=(row.index + 2).to_string() data-columns=n_columns style:--top=px(row.top) style:--height=px(row.height)>
            <span class="title" role="columnheader">{title}</span>
            {columns.into_iter().take(ATTRIBUTE_COLUMNS).enumerate().map(name).views()}
        </div>
    }
    .into_any()
}

fn page_break(row: &ShownRow, text: String) -> AnyView {
    view! {
        <div class="row is-page-break" role="row" aria-rowindex=(row.index + 2).to_string() style:--top=px(row.top) style:--height=px(row.height)>
            <span class="band" aria-hidden="true"></span>
            <span class="text" role="gridcell">{text}</span>
        </div>
    }
    .into_any()
}

fn item_row(row: &ShownRow, item: &GridItem) -> AnyView {
    let index = row.index;
    let read = item.read.map(|read| match read {
        ReadMark::Returned => "returned",
        ReadMark::Filtered => "filtered",
    });
    let class = if row.starts_collection { "row is-item starts-collection" } else { "row is-item" };
    let band = row.band;
    let grid = expect_context::<Workspace>().grid;
    let column = Memo::new(move |_| {
        let cell = grid.cursor();
        (cell.row == index && cell.column >= SORT_COLUMN).then_some(cell.column)
    });
    let cursor = move || {
        column.get().map(|column| {
            let place = (column - 1).to_string();
            view! { <span class="cursor" style:grid-column=place></span> }
        })
    };
    let band = read.map(|_| {
        view! { <span class="band" class:is-first=band.0 class:is-last=band.1 aria-hidden="true"></span> }
    });
    view! {
        <div
            class=class
            role="row"
            aria-rowindex=(index + 2).to_string()
            data-columns=row.are_numbers.len().min(ATTRIBUTE_COLUMNS).to_string()
            data-slot=item.slot.map(|slot| slot.to_string())
            data-read=read
            style:--top=px(row.top)
            style:--height=px(row.height)
        >
            {band}
            {sort_cell(index, item)}
            {values(index, &item.cells, &row.are_numbers)}
            {size_cell(index, item)}
            {chips_cell(index, item)}
            {cursor}
        </div>
    }
    .into_any()
}

/// Columns from the fourth on give way where the stage is narrow.
fn value_class(place: usize, is_number: bool) -> &'static str {
    match (place > 2, is_number) {
        (false, false) => "value",
        (false, true) => "value number",
        (true, false) => "value is-late",
        (true, true) => "value number is-late",
    }
}

fn cell_id(row: u32, column: u32) -> String {
    format!("cell-{row}-{column}")
}

fn sort_cell(row: u32, item: &GridItem) -> AnyView {
    let letter = item.letter.clone();
    let tag = (!letter.is_empty())
        .then(|| view! { <span class="tag" aria-hidden="true">{letter}</span> }.into_any());
    view! {
        <span
            class="sort"
            role="rowheader"
            id=cell_id(row, SORT_COLUMN)
            aria-colindex=SORT_COLUMN.to_string()
            aria-label=item.spoken.clone()
            data-row=row.to_string()
            data-column=SORT_COLUMN.to_string()
        >
            {tag}
            <KeyLabel key=item.sort.clone() />
        </span>
    }
    .into_any()
}

fn values(row: u32, cells: &[String], are_numbers: &[bool]) -> Vec<AnyView> {
    let shown = cells.iter().take(ATTRIBUTE_COLUMNS).zip(SORT_COLUMN + 1..);
    let value = |(place, (text, column)): (usize, (&String, u32))| {
        let is_number = are_numbers.get(place).copied().unwrap_or(false);
        view! {
            <span
                class=value_class(place, is_number)
                role="gridcell"
                id=cell_id(row, column)
                aria-colindex=column.to_string()
                data-row=row.to_string()
                data-column=column.to_string()
            >
                {text.clone()}
            </span>
        }
        .into_any()
    };
    shown.enumerate().map(value).collect()
}

fn size_cell(row: u32, item: &GridItem) -> AnyView {
    let column = LAST_COLUMN - 1;
    view! {
        <span
            class="size"
            role="gridcell"
            id=cell_id(row, column)
            aria-colindex=column.to_string()
            data-row=row.to_string()
            data-column=column.to_string()
        >
            {item.size_text.clone()}
            <i style:--share=item.size_share.to_string() aria-hidden="true"></i>
        </span>
    }
    .into_any()
}

fn chips_cell(row: u32, item: &GridItem) -> AnyView {
    let chips =
        expect_context::<Workspace>().grid.layout().with_untracked(|layout| layout.chips.clone());
    let chip = |(label, is_member): (String, &bool)| {
        if *is_member {
            view! { <span class="index-chip">{label}</span> }.into_any()
        } else {
            let absence = format!("not in {label}");
            view! { <span class="index-chip is-out" role="img" aria-label=absence>"–"</span> }
                .into_any()
        }
    };
    let chips: Vec<AnyView> = chips.into_iter().zip(&item.memberships).map(chip).collect();
    view! {
        <span
            class="chips"
            role="gridcell"
            id=cell_id(row, LAST_COLUMN)
            aria-colindex=LAST_COLUMN.to_string()
            data-row=row.to_string()
            data-column=LAST_COLUMN.to_string()
        >
            {chips}
        </span>
    }
    .into_any()
}
