//! A merged partition cell: beside all rows of its collection, its key in view while they scroll.

use leptos::prelude::*;

use super::px;
use crate::signal::Memo;
use crate::state::grid::PARTITION_COLUMN;
use crate::state::workspace::Workspace;
use crate::widgets::KeyLabel;

/// Below this height, in px, a cell has room for two lines.
const SHORT_PX: u32 = 62;

/// The partition key of a collection, with its item count, size and partition.
#[component]
pub(super) fn PartitionCell(
    /// Number of the collection.
    index: u32,
) -> impl IntoView {
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
    let place = collection.partition_text;
    let class = if height < SHORT_PX { "partition is-short" } else { "partition" };
    Some(view! {
        <div class=class role="row" aria-rowindex=(first + 2).to_string() style:--top=px(top) style:--height=px(height)>
            <div
                role="rowheader"
                id=id
                aria-colindex="1"
                aria-rowspan=collection.n_rows.to_string()
                data-row=first.to_string()
                data-column="1"
            >
                <KeyLabel key=collection.key />
                <span class="meta">{collection.items_text}</span>
                <span class="meta">
                    {collection.size_text}
                    <span class="place" title="Simulated partition">{format!(" · {place}")}</span>
                </span>
            </div>
            {move || is_here.get().then(|| view! { <span class="cursor"></span> }.into_any())}
        </div>
    })
}
