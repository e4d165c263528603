//! The single-table picture: an ARIA grid of which only the rows in view exist.
//!
//! Not here: where rows are and where the cursor goes (`state::grid`, `state::geometry`).

mod partition;
mod row;

use leptos::html::Div;
use leptos::prelude::*;
use partition::PartitionCell;
use row::row_view;

use crate::browser::{keyboard, scroll};
use crate::signal::Memo;
use crate::state::geometry::Geometry;
use crate::state::grid::{Cell, LAST_COLUMN, Move};
use crate::state::workspace::Workspace;

/// Height of an item's row, in px, to turn a page into rows.
const ROW_PX: u32 = 24;

/// The table or index in view.
#[component]
pub(crate) fn ItemsGrid() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let grid = workspace.grid;
    let layout = grid.layout();
    let node = NodeRef::<Div>::new();
    scroll::watch_height(node, move |height| grid.resize(height));
    scroll::follow(node, Memo::new(move |_| grid.first_lit()));
    let label = move || {
        layout.with(|layout| {
            let name = layout.target.index.clone().unwrap_or_else(|| layout.target.table.clone());
            format!(
                "{name}, {} items in {} partition keys",
                layout.n_items,
                layout.collections.len()
            )
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
    view! {
        <div
            class="items-panel"
            id="items"
            role="grid"
            tabindex="0"
            node_ref=node
            aria-label=label
            aria-readonly="true"
            aria-rowcount=move || grid.geometry().with(|geometry| geometry.n_rows() + 1).to_string()
            aria-colcount=LAST_COLUMN.to_string()
            aria-activedescendant=active
            style:--chips-width=chips_width
            style:--partition-chars=move || grid.key_chars().0.to_string()
            style:--sort-chars=move || grid.key_chars().1.to_string()
            on:scroll=scroll::listener(move |top| grid.scroll_to(top))
            on:keydown=move |event| press(workspace, node, &event)
            on:click=move |event| point(workspace, &event)
            on:dblclick=move |_| open_at_cursor(workspace)
        >
            <Head />
            <div class="canvas" role="presentation" style:--height=move || px(grid.geometry().with(Geometry::height))>
                <Partitions />
                <Rows />
            </div>
            <Empty />
        </div>
    }
    .into_any()
}

fn px(length: u32) -> String {
    format!("{length}px")
}

/// The row of column titles.
#[component]
fn Head() -> impl IntoView {
    let layout = expect_context::<Workspace>().grid.layout();
    let partition = move || layout.with(|layout| layout.partition_key.clone());
    let sort =
        move || layout.with(|layout| layout.sort_key.as_ref().map(|name| format!("{name} ↑")));
    let has_chips = move || layout.with(|layout| !layout.chips.is_empty());
    view! {
        <div class="head" role="row" aria-rowindex="1">
            <span role="columnheader" aria-colindex="1">"Partition key "<small>{partition}</small></span>
            <span role="columnheader" aria-colindex="2">"Sort key "<small>{sort}</small></span>
            <span class="attributes" role="columnheader" aria-colindex="3" aria-colspan="5">"Attributes"</span>
            <span class="number" role="columnheader" aria-colindex="8">"Size "<small>"of 4 KB"</small></span>
            <span role="columnheader" aria-colindex="9">{move || has_chips().then_some("In index")}</span>
        </div>
    }
    .into_any()
}

/// The merged partition cells in view.
#[component]
fn Partitions() -> impl IntoView {
    let grid = expect_context::<Workspace>().grid;
    let keys = move || {
        let generation = grid.generation().get();
        grid.collections().map(|index| (index, generation)).collect::<Vec<_>>()
    };
    view! {
        <div class="partitions" role="rowgroup">
            <For each=keys key=|key| *key let:key><PartitionCell index=key.0 /></For>
        </div>
    }
    .into_any()
}

/// The rows in view.
#[component]
fn Rows() -> impl IntoView {
    let grid = expect_context::<Workspace>().grid;
    let rows = move || {
        let rows = grid.rows().get();
        let generation = grid.generation().get_untracked();
        rows.into_iter().map(|row| (generation, row)).collect::<Vec<_>>()
    };
    view! {
        <div class="rows" role="rowgroup">
            <For each=rows key=|(generation, row)| (row.index, *generation) let:row>
                {row_view(&row.1)}
            </For>
        </div>
    }
    .into_any()
}

/// What stands there while there are no items.
#[component]
fn Empty() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let layout = workspace.grid.layout();
    let target = workspace.screen.target();
    let state = Memo::new(move |_| match target.get() {
        None => Some((
            None,
            "No table yet",
            "A CreateTable request makes one; an example or an import brings several.",
        )),
        Some(target) if layout.with(|layout| layout.n_items) == 0 => match target.index {
            Some(_) => Some((
                None,
                "No entries",
                "Items appear here when they have the index's key attributes.",
            )),
            None => Some((Some(target), "No items yet", "A PutItem request adds the first one.")),
        },
        Some(_) => None,
    });
    let content = move |(target, title, words): (
        Option<hashrange_playground::view::Target>,
        &'static str,
        &'static str,
    )| {
        let action = target.map(|target| view! {
            <p class="actions">
                <button class="button is-primary is-small" type="button" on:click=move |_| workspace.write("PutItem", target.clone())>
                    "Write a PutItem"
                </button>
            </p>
        }.into_any());
        view! {
            <div role="row"><div class="empty" role="gridcell"><h3>{title}</h3><p>{words}</p>{action}</div></div>
        }
        .into_any()
    };
    move || state.get().map(content)
}

fn press(workspace: Workspace, node: NodeRef<Div>, event: &leptos::ev::KeyboardEvent) {
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
    if let Some(node) = node.get_untracked() {
        scroll::bring_into_view(&node, top, height);
    }
}

fn point(workspace: Workspace, event: &leptos::ev::MouseEvent) {
    if let Some((row, column)) = scroll::cell_of(event) {
        workspace.grid.put_cursor(Cell { row, column });
    }
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
        let html = html(|_| {}, || view! { <ItemsGrid /> });
        assert_eq!(html.matches("data-read=\"returned\"").count(), 2);
        assert_eq!(html.matches("data-read=\"filtered\"").count(), 7);
        assert_eq!(html.matches("is-page-break").count(), 1);
        assert!(html.contains("aria-label=\"PROJECT#p-02, Project, 2.6"), "{html}");
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
        let html = html(create, || view! { <ItemsGrid /> });
        assert!(html.contains("No items yet"), "{html}");
    }
}
