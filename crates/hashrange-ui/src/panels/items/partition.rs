//! A merged partition cell: beside all rows of its collection, its key in view while they scroll.

use leptos::prelude::expect_context;

use super::px;
use crate::markup::{Element, el};
use crate::signal::Memo;
use crate::state::grid::PARTITION_COLUMN;
use crate::state::workspace::Workspace;
use crate::widgets::key_label;

/// Below this height, in px, a cell has room for two lines.
const SHORT_PX: u32 = 62;

/// The partition key of the collection of that number, with its item count, size and partition.
pub(super) fn cell(index: u32) -> Option<Element> {
    let grid = expect_context::<Workspace>().grid;
    let collection =
        grid.layout().with_untracked(|layout| layout.collections.get(index as usize).cloned());
    let (top, height) = grid.geometry().with_untracked(|geometry| geometry.collection(index));
    let collection = collection?;
    let first = collection.first_row;
    let rows = first..first + collection.n_rows;
    let is_here = Memo::new(move |_| {
        let cell = grid.cursor();
        cell.column == PARTITION_COLUMN && rows.contains(&cell.row)
    });
    let id =
        move || is_here.get().then(|| format!("cell-{}-{PARTITION_COLUMN}", grid.cursor().row));
    let place = el("span.place")
        .attr("title", "Simulated partition")
        .child(format!(" · {}", collection.partition_text));
    let header = el("div")
        .attr("role", "rowheader")
        .attr("id", id)
        .attr("aria-colindex", PARTITION_COLUMN)
        .attr("aria-rowspan", collection.n_rows)
        .attr("data-row", first)
        .attr("data-column", PARTITION_COLUMN)
        .child(key_label(collection.key))
        .child(el("span.meta").child(collection.items_text))
        .child(el("span.meta").child(collection.size_text).child(place));
    let cell = el(if height < SHORT_PX { "div.partition.is-short" } else { "div.partition" })
        .attr("role", "row")
        .attr("aria-rowindex", first + 2)
        .style("--top", px(top))
        .style("--height", px(height))
        .child(header)
        .child(move || is_here.get().then(|| el("span.cursor")));
    Some(cell)
}
