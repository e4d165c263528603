//! The single-table picture: an ARIA grid of which only the rows in view exist.
//!
//! Not here: where rows are and where the cursor goes (`state::grid`, `state::geometry`), what is done with items
//! (`state::items_acts`).

mod bars;
mod card;
mod draft;
mod editor;
mod keys;
mod partition;
mod row;

use std::sync::Arc;

use hashrange_playground::view::{Target, TextForm};
use leptos::prelude::expect_context;

use crate::browser::{clipboard, dom, scroll, when_changed};
use crate::markup::{self, Element, Event, IntoNode, Node, el, keyed};
use crate::panels::shelf;
use crate::signal::Memo;
use crate::state::geometry::Geometry;
use crate::state::grid::{LAST_COLUMN, ShownRow};
use crate::state::items::EditPlace;
use crate::state::workspace::Workspace;

/// The table or index in view, with what is done with its items.
pub(crate) fn panel() -> Element {
    let items = expect_context::<Workspace>().items;
    when_changed(expect_context::<Workspace>().grid.layout(), move || items.select_none());
    el("div.items-area").child(bars::bars()).child(grid())
}

fn grid() -> Element {
    let workspace = expect_context::<Workspace>();
    let (grid, place) = (workspace.grid, workspace.items.place);
    scroll::watch_height(place, move |height| grid.resize(height));
    scroll::follow(place, Memo::new(move |_| grid.first_lit()));
    let label = move || {
        grid.layout().with(|layout| {
            let name = layout.target.index.as_ref().unwrap_or(&layout.target.table);
            let n_keys = layout.collections.len();
            match layout.n_shown {
                Some(n) => format!("{name}, {n} of {} items shown", layout.n_items),
                None => format!("{name}, {} items in {n_keys} partition keys", layout.n_items),
            }
        })
    };
    let chips_width = move || {
        grid.layout().with(|layout| match layout.chips.len() {
            0 => "0px".to_owned(),
            n_chips => format!("calc({n_chips} * var(--chip-width) + 12px)"),
        })
    };
    let active =
        move || grid.drawn_cursor().map(|cell| format!("cell-{}-{}", cell.row, cell.column));
    let element = el("div.items-panel")
        .reference(place)
        .attr("id", "items")
        .attr("role", "grid")
        .attr("tabindex", "0")
        .attr("aria-label", label)
        .attr("aria-multiselectable", "true")
        .attr("aria-rowcount", move || grid.geometry().with(Geometry::n_rows) + 1)
        .attr("aria-colcount", LAST_COLUMN)
        .attr("aria-activedescendant", active)
        .style("--chips-width", chips_width)
        .style("--partition-chars", move || grid.key_chars().0.to_string())
        .style("--sort-chars", move || grid.key_chars().1.to_string())
        .on("scroll", scroll::listener(move |top| grid.scroll_to(top)));
    listened(workspace, element).child(head()).child(canvas()).child(empty())
}

/// The grid with its keys, clicks, copies and pastes.
fn listened(workspace: Workspace, element: Element) -> Element {
    element
        .on_key(move |event| keys::press(workspace, event))
        .on("click", move |event| keys::click(workspace, &event))
        .on("dblclick", move |event| {
            if scroll::cell_of(&event).is_some() {
                workspace.edit_cell();
            }
        })
        .on("copy", move |event| {
            if dom::is_own(&event) {
                clipboard::copy_by(&event, &workspace.chosen_text(TextForm::Tabs));
            }
        })
        .on("paste", move |event: Event| {
            if dom::is_own(&event)
                && let Some(text) = clipboard::pasted(&event)
            {
                event.prevent_default();
                workspace.paste(&text);
            }
        })
}

/// All rows, and over them what is being edited.
fn canvas() -> Element {
    let grid = expect_context::<Workspace>().grid;
    el("div.canvas")
        .attr("role", "presentation")
        .style("--height", move || px(grid.geometry().with(Geometry::height)))
        .child(partitions())
        .child(rows())
        .child(cell_editor())
        .child(card_place(0, card::card()))
        .child(card_place(1, draft::card()))
}

/// Where the open item or the draft stands: as high as it is, below its row.
fn card_place(at: usize, card: Node) -> Element {
    let workspace = expect_context::<Workspace>();
    let (grid, heights) = (workspace.grid, workspace.items.heights);
    let place = dom::ElementRef::new();
    let height = heights[at];
    scroll::watch_height(place, move |px| height.set(px));
    let top = move || {
        let row = grid.places().get()[at].unwrap_or(0);
        px(grid.geometry().with(|geometry| geometry.gap_top(row, at == 1)))
    };
    let cell = el("div").attr("role", "gridcell").child(card);
    el("div.card-place").reference(place).attr("role", "row").style("--top", top).child(cell)
}

/// The field over the cell that is being typed over.
fn cell_editor() -> Element {
    let workspace = expect_context::<Workspace>();
    let (grid, edit) = (workspace.grid, workspace.items.edit);
    let drawn = move || {
        let now = edit.get().filter(|edit| matches!(edit.place, EditPlace::Cell { .. }));
        let Some(now) = now else { return Vec::new() };
        vec![markup::row(now.number.to_string(), move || {
            let EditPlace::Cell { column } = now.place else { return None };
            let id = now.id.clone();
            let top = move || {
                let row = grid.layout().with(|it| workspace.session.ask(|ask| ask.row_of(it, &id)));
                px(grid.geometry().with(|geometry| geometry.row(row.unwrap_or(0)).0))
            };
            let cell = el("div").attr("role", "gridcell").child(editor::editor(&now));
            Some(
                el("div.cell-editor")
                    .attr("role", "row")
                    .attr("data-column", column)
                    .style("--top", top)
                    .child(cell),
            )
        })]
    };
    el("div.editors").attr("role", "presentation").child(keyed(drawn))
}

fn px(length: u32) -> String {
    format!("{length}px")
}

/// The row of column titles.
fn head() -> Element {
    let layout = expect_context::<Workspace>().grid.layout();
    let partition = move || layout.with(|layout| layout.partition_key.clone());
    let sort =
        move || layout.with(|layout| layout.sort_key.as_ref().map(|name| format!("{name} ↑")));
    let order = move || {
        let text = layout.with(|layout| layout.order_text);
        (!text.is_empty())
            .then(|| format!("Ordered {text}; open an item to see why it stands where it does"))
    };
    let chips = move || layout.with(|layout| !layout.chips.is_empty()).then_some("In index");
    let title = |spec: &'static str, column: &'static str| {
        el(spec).attr("role", "columnheader").attr("aria-colindex", column)
    };
    el("div.head")
        .attr("role", "row")
        .attr("aria-rowindex", "1")
        .child(title("span", "1").child("Partition key ").child(el("small").child(partition)))
        .child(
            title("span", "2")
                .attr("title", order)
                .child("Sort key ")
                .child(el("small").child(sort)),
        )
        .child(title("span.attributes", "3").attr("aria-colspan", "5").child("Attributes"))
        .child(title("span.number", "8").child("Size ").child(el("small").child("of 4 KB")))
        .child(title("span", "9").child(chips))
}

/// The merged partition cells in view.
fn partitions() -> Element {
    let grid = expect_context::<Workspace>().grid;
    let cells = move || {
        let generation = grid.generation().get();
        let cell =
            |index| markup::row(format!("{index} {generation}"), move || partition::cell(index));
        grid.collections().map(cell).collect()
    };
    el("div.partitions").attr("role", "rowgroup").child(keyed(cells))
}

/// The rows in view.
fn rows() -> Element {
    let grid = expect_context::<Workspace>().grid;
    let rows = move || {
        let rows = grid.rows().get();
        let generation = grid.generation().get_untracked();
        let drawn = |row: Arc<ShownRow>| {
            markup::row(format!("{} {generation}", row.index), move || row::row(&row))
        };
        rows.into_iter().map(drawn).collect()
    };
    el("div.rows").attr("role", "rowgroup").child(keyed(rows))
}

/// What stands there while there are no items.
fn empty() -> Node {
    let workspace = expect_context::<Workspace>();
    let (layout, items) = (workspace.grid.layout(), workspace.items);
    let target = workspace.screen.target();
    let state = Memo::new(move |_| match target.get() {
        Some(_) if layout.with(|layout| layout.n_shown == Some(0) && layout.n_items > 0) => {
            Some((None, "Nothing found", "No item has this text; the others are hidden."))
        }
        Some(target) if layout.with(|layout| layout.n_items) == 0 => match target.index {
            Some(_) => Some((
                None,
                "No entries",
                "Items appear here when they have the index's key attributes.",
            )),
            // A draft stands in its place.
            None if items.draft.with(Option::is_some) => None,
            None => Some((
                Some(target),
                "No items yet",
                "Add one, paste rows of a spreadsheet, import a file, or write a PutItem request.",
            )),
        },
        _ => None,
    });
    let content = move |(target, title, words): (Option<Target>, &'static str, &'static str)| {
        let action = target.map(|target| {
            let write = el("button.button.is-small")
                .on_click(move || workspace.write("PutItem", target.clone()))
                .child("Write a PutItem");
            let add = el("button.button.is-primary.is-small")
                .on_click(move || workspace.begin_draft())
                .child("Add an item");
            el("p.actions").child(add).child(write)
        });
        let cell = el("div.empty")
            .attr("role", "gridcell")
            .child(el("h3").child(title))
            .child(el("p").child(words))
            .child(action);
        el("div").attr("role", "row").child(cell)
    };
    let blank = move || target.get().is_none().then(shelf::blank);
    vec![blank.into_node(), (move || state.get().map(content)).into_node()].into_node()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::html;

    #[test]
    fn the_grid_draws_items_with_what_the_read_did_with_them() {
        let html = html(|_| {}, panel);
        assert_eq!(html.matches("data-read=\"returned\"").count(), 2);
        assert_eq!(html.matches("data-read=\"filtered\"").count(), 7);
        assert_eq!(html.matches("is-page-break").count(), 1);
        assert!(html.contains("aria-label=\"ORG#1234, PROJECT#p-02, Project, 2.6"), "{html}");
    }

    #[test]
    fn an_empty_table_says_what_adds_the_first_item() {
        let create = |workspace: Workspace| {
            let text = r#"{"TableName": "Empty", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}"#;
            workspace.editor.fill("CreateTable", None, text.to_owned());
            workspace.run();
            let target =
                hashrange_playground::view::Target { table: "Empty".to_owned(), index: None };
            workspace.screen.show_target(target);
        };
        let html = html(create, panel);
        assert!(html.contains("No items yet"), "{html}");
    }
}
