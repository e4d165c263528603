//! The open item under its row: all attributes as a tree, each value to type over, and why it stands where it does.

use hashrange_playground::view::{ItemLine, TextForm};
use leptos::prelude::expect_context;

use super::editor;
use crate::browser::clipboard;
use crate::markup::{Element, IntoNode, Node, aria, el, keyed, nodes, row};
use crate::signal::Memo;
use crate::state::items::EditPlace;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The open item, if its row is in the picture.
pub(super) fn card() -> Node {
    let workspace = expect_context::<Workspace>();
    let (items, grid) = (workspace.items, workspace.grid);
    let opened = Memo::new(move |_| grid.places().get()[0].and_then(|_| items.opened.get()));
    (move || opened.get().map(|id| open_item(workspace, &id))).into_node()
}

fn open_item(workspace: Workspace, id: &str) -> Element {
    let (items, grid) = (workspace.items, workspace.grid);
    let own = id.to_owned();
    let lines = Memo::new(move |_| {
        let open = items.open_paths.get();
        grid.layout().with(|layout| {
            let lines =
                workspace.session.ask(|it| it.item_lines(&layout.target.table, &own, &open));
            lines.unwrap_or_default()
        })
    });
    let order = move || {
        let row = grid.places().get()[0]?;
        grid.layout().with(|layout| workspace.session.ask(|it| it.order_words(layout, row)))
    };
    let own = id.to_owned();
    let drawn = move || nodes(lines.get().into_iter().map(|it| line(workspace, &own, it)));
    let own = id.to_owned();
    let new_value = move || {
        let edit = items.edit.get()?;
        let is_here = edit.is_new && edit.place == EditPlace::Line && edit.id == own;
        is_here.then(|| {
            keyed(move || {
                let edit = edit.clone();
                vec![row(edit.number.to_string(), move || editor::editor(&edit))]
            })
        })
    };
    el("section.item-card")
        .attr("id", "item-card")
        .attr("tabindex", "-1")
        .attr("aria-label", "Item")
        .on_key(move |event| {
            if event.key() == "Escape" {
                workspace.close_item_card();
                event.prevent_default();
            }
        })
        .child(actions(workspace, id))
        .child(el("p.order").child(el("b").child("Order ")).child(order))
        .child(el("ul.lines").child(drawn))
        .child(el("div.new").child(new_value))
}

fn actions(workspace: Workspace, id: &str) -> Element {
    let button = |words: &'static str| el("button.button.is-small").child(words);
    let of = |act: fn(Workspace, &str)| {
        let id = id.to_owned();
        move || act(workspace, &id)
    };
    let close = el("button.icon-button.is-small")
        .attr("aria-label", "Close the item")
        .on_click(move || workspace.close_item_card())
        .child(small_icon("close"));
    let add = button("Add attribute")
        .attr("id", "item-add")
        .on_click(of(|workspace, id| workspace.edit_line(id, "", true, true)));
    el("header")
        .child(add)
        .child(button("Duplicate").on_click(of(|it, id| it.duplicate_ids(&[id.to_owned()]))))
        .child(
            button("Copy as JSON")
                .on_click(of(|it, _| clipboard::copy(&it.chosen_text(TextForm::Json)))),
        )
        .child(button("Write a GetItem").on_click(of(|workspace, id| {
            if let Some(target) = workspace.screen.target().get_untracked() {
                workspace.open_item(&target, id);
            }
        })))
        .child(button("Delete item").on_click(of(|it, id| it.remove_ids(&[id.to_owned()]))))
        .child(close)
}

/// A line: what it is called, its type, its value, and what can be done with it.
fn line(workspace: Workspace, id: &str, line: ItemLine) -> Element {
    let items = workspace.items;
    let (own, path) = (id.to_owned(), line.path.clone());
    let edit = items.edit;
    let editing = move || {
        let now = edit.get()?;
        let is_here =
            !now.is_new && now.place == EditPlace::Line && now.path == path && now.id == own;
        is_here.then(|| {
            keyed(move || {
                let now = now.clone();
                vec![row(now.number.to_string(), move || editor::editor(&now))]
            })
        })
    };
    let spec = if line.is_key { "li.line.is-key" } else { "li.line" };
    let is_member = line.name.starts_with('[') && line.depth > 0;
    let (own, path) = (id.to_owned(), line.path.clone());
    let toggle = line.is_open.map(|is_open| {
        let path = line.path.clone();
        el("button.toggle")
            .attr("aria-expanded", aria(is_open))
            .attr("aria-label", line.spoken.clone())
            .on_click(move || items.toggle_path(&path))
            .child(if is_open { "▾" } else { "▸" })
    });
    let adds = line.is_open.map(|_| {
        let (own, path, is_map) = (id.to_owned(), line.path.clone(), line.kind == "M");
        el("button.icon-button.is-small")
            .attr("aria-label", format!("Add to {}", line.name))
            .on_click(move || workspace.edit_line(&own, &path, true, is_map))
            .child(small_icon("plus"))
    });
    let value = el("button.value")
        .attr("id", format!("line-{}", line.path))
        .attr("title", "Edit")
        .attr("aria-label", format!("Edit {}", line.spoken))
        .on_click(move || workspace.edit_line(&own, &path, false, !is_member))
        .child(line.text.clone());
    let (own, path) = (id.to_owned(), line.path.clone());
    let remove = (!line.is_key).then(|| {
        el("button.icon-button.is-small")
            .attr("aria-label", format!("Delete {}", line.name))
            .on_click(move || workspace.remove_line(&own, &path))
            .child(small_icon("close"))
    });
    el(spec)
        .style("--depth", line.depth.to_string())
        .child(el("span.name").child(toggle).child(line.name))
        .child(el("span.kind").child(line.kind))
        .child(value)
        .child(adds)
        .child(remove)
        .child(editing)
}
