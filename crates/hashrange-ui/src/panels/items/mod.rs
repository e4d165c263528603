//! The single-table picture: an ARIA grid of which only the rows in view exist.
//!
//! Not here: where rows are and where the cursor goes (`state::grid`, `state::geometry`).

mod partition;
mod row;

use std::sync::Arc;

use hashrange_playground::view::Target;
use leptos::prelude::{expect_context, untrack};

use crate::browser::dom::ElementRef;
use crate::browser::{keyboard, scroll};
use crate::markup::{self, Element, IntoNode, KeyboardEvent, Node, el, keyed};
use crate::panels::shelf;
use crate::signal::Memo;
use crate::state::geometry::Geometry;
use crate::state::grid::{Cell, LAST_COLUMN, Move, ShownRow};
use crate::state::workspace::Workspace;

/// Height of an item's row, in px, to turn a page into rows.
const ROW_PX: u32 = 24;

/// The table or index in view.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let grid = workspace.grid;
    let layout = grid.layout();
    let place = ElementRef::new();
    scroll::watch_height(place, move |height| grid.resize(height));
    scroll::follow(place, Memo::new(move |_| grid.first_lit()));
    let label = move || {
        layout.with(|layout| {
            let name = layout.target.index.as_ref().unwrap_or(&layout.target.table);
            let n_keys = layout.collections.len();
            format!("{name}, {} items in {n_keys} partition keys", layout.n_items)
        })
    };
    let chips_width = move || {
        layout.with(|layout| match layout.chips.len() {
            0 => "0px".to_owned(),
            n_chips => format!("calc({n_chips} * var(--chip-width) + 12px)"),
        })
    };
    let active =
        move || grid.drawn_cursor().map(|cell| format!("cell-{}-{}", cell.row, cell.column));
    let canvas = el("div.canvas")
        .attr("role", "presentation")
        .style("--height", move || px(grid.geometry().with(Geometry::height)))
        .child(partitions())
        .child(rows());
    el("div.items-panel")
        .reference(place)
        .attr("id", "items")
        .attr("role", "grid")
        .attr("tabindex", "0")
        .attr("aria-label", label)
        .attr("aria-readonly", "true")
        .attr("aria-rowcount", move || grid.geometry().with(Geometry::n_rows) + 1)
        .attr("aria-colcount", LAST_COLUMN)
        .attr("aria-activedescendant", active)
        .style("--chips-width", chips_width)
        .style("--partition-chars", move || grid.key_chars().0.to_string())
        .style("--sort-chars", move || grid.key_chars().1.to_string())
        .on("scroll", scroll::listener(move |top| grid.scroll_to(top)))
        .on_key(move |event| press(workspace, place, event))
        .on("click", move |event| {
            if let Some((row, column)) = scroll::cell_of(&event) {
                workspace.grid.put_cursor(Cell { row, column });
            }
        })
        .on("dblclick", move |_| open_at_cursor(workspace))
        .child(head())
        .child(canvas)
        .child(empty())
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
    let chips = move || layout.with(|layout| !layout.chips.is_empty()).then_some("In index");
    let title = |spec: &'static str, column: &'static str| {
        el(spec).attr("role", "columnheader").attr("aria-colindex", column)
    };
    el("div.head")
        .attr("role", "row")
        .attr("aria-rowindex", "1")
        .child(title("span", "1").child("Partition key ").child(el("small").child(partition)))
        .child(title("span", "2").child("Sort key ").child(el("small").child(sort)))
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
    let layout = workspace.grid.layout();
    let target = workspace.screen.target();
    let state = Memo::new(move |_| match target.get() {
        Some(target) if layout.with(|layout| layout.n_items) == 0 => match target.index {
            Some(_) => Some((
                None,
                "No entries",
                "Items appear here when they have the index's key attributes.",
            )),
            None => Some((Some(target), "No items yet", "A PutItem request adds the first one.")),
        },
        _ => None,
    });
    let content = move |(target, title, words): (Option<Target>, &'static str, &'static str)| {
        let action = target.map(|target| {
            let write = el("button.button.is-primary.is-small")
                .on_click(move || workspace.write("PutItem", target.clone()))
                .child("Write a PutItem");
            el("p.actions").child(write)
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

fn press(workspace: Workspace, place: ElementRef, event: &KeyboardEvent) {
    let is_command = event.ctrl_key() || event.meta_key();
    if event.key() == "Enter" && !is_command {
        open_at_cursor(workspace);
        event.prevent_default();
        return;
    }
    let page = i32::try_from(untrack(|| workspace.screen.height()) / ROW_PX / 2).unwrap_or(10);
    let letters = untrack(|| workspace.settings.has_letter_keys());
    let step = keyboard::grid_move(&event.key(), is_command, page);
    let Some(step) = step.filter(|step| letters || !matches!(step, Move::Collections(_))) else {
        return;
    };
    event.prevent_default();
    let (top, height) = workspace.grid.move_cursor(step);
    scroll::bring_into_view(place, top, height);
}

fn open_at_cursor(workspace: Workspace) {
    let target = workspace.screen.target().get_untracked();
    if let (Some(target), Some(item)) = (target, workspace.grid.item_at_cursor()) {
        workspace.open_item(&target, &item.id);
    }
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
