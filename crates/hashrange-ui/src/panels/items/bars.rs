//! What stands above the picture while it is needed: the field of what is looked for, and what to do with chosen items.

use hashrange_playground::view::TextForm;
use leptos::prelude::expect_context;

use crate::browser::clipboard;
use crate::markup::{Element, IntoNode, KeyboardEvent, Node, aria, el};
use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The bars.
pub(super) fn bars() -> Element {
    let workspace = expect_context::<Workspace>();
    let items = workspace.items;
    el("div.items-bars")
        .child(move || items.is_finding.get().then(|| find(workspace)))
        .child(chosen())
}

fn find(workspace: Workspace) -> Element {
    let (items, grid) = (workspace.items, workspace.grid);
    let text = el("input.field")
        .attr("id", "find-text")
        .attr("type", "search")
        .attr("aria-label", "Find in items")
        .attr("placeholder", "Find in values")
        .attr("spellcheck", "false")
        .value(items.find.get_untracked())
        .on_value("input", move |text| items.find.set(text));
    let count = move || {
        if items.find.with(String::is_empty) {
            return String::new();
        }
        let row = grid.cursor().row;
        let n_all = grid.layout().with(|layout| layout.n_items);
        grid.found().with(|rows| {
            let at = rows.binary_search(&row).map(|at| at + 1);
            match (at, rows.len()) {
                (_, 0) => format!("Nothing in {n_all} items"),
                (Ok(at), n) => format!("{at} of {n}, in {n_all} items"),
                (Err(_), n) => format!("{n} of {n_all} items"),
            }
        })
    };
    let step = |label: &'static str, picture: &'static str, is_back: bool| {
        el("button.icon-button.is-small")
            .attr("aria-label", label)
            .on_click(move || workspace.find_next(is_back))
            .child(small_icon(picture))
    };
    let hide = el("button.button.is-small")
        .attr("aria-pressed", move || aria(items.is_filtering.get()))
        .on_click(move || items.is_filtering.set(!items.is_filtering.get_untracked()))
        .child("Hide the rest");
    let close = el("button.icon-button.is-small")
        .attr("aria-label", "Close find")
        .on_click(move || workspace.show_find(false))
        .child(small_icon("close"));
    el("div.items-bar")
        .attr("role", "search")
        .on_key(move |event| press(workspace, event))
        .child(text)
        .child(el("span.count").attr("role", "status").child(count))
        .child(step("Previous match", "up", true))
        .child(step("Next match", "down", false))
        .child(hide)
        .child(close)
}

fn press(workspace: Workspace, event: &KeyboardEvent) {
    match event.key().as_str() {
        "Enter" if !crate::browser::dom::is_in(event, "button") => {
            workspace.find_next(event.shift_key());
        }
        "Escape" => workspace.show_find(false),
        _ => return,
    }
    event.prevent_default();
}

/// What to do with chosen items.
fn chosen() -> Node {
    let workspace = expect_context::<Workspace>();
    let (items, grid) = (workspace.items, workspace.grid);
    let n_chosen = Memo::new(move |_| {
        grid.geometry().with(|geometry| {
            items.selected.with(|rows| {
                let rows = rows.ranges().iter().cloned().flatten();
                rows.filter(|row| geometry.is_item(*row)).count()
            })
        })
    });
    let button = move |words: &'static str, act: fn(Workspace)| {
        el("button.button.is-small").on_click(move || act(workspace)).child(words)
    };
    let bar = move || {
        let n = n_chosen.get();
        (n > 0).then(|| {
            let words =
                if n == 1 { "1 item chosen".to_owned() } else { format!("{n} items chosen") };
            el("div.items-bar")
                .attr("role", "group")
                .attr("aria-label", "Chosen items")
                .child(el("b").attr("role", "status").child(words))
                .child(button("Duplicate", crate::state::workspace::Workspace::duplicate))
                .child(button("Delete", |it| it.remove(false)))
                .child(button("Copy for a spreadsheet", |it| {
                    clipboard::copy(&it.chosen_text(TextForm::Tabs));
                }))
                .child(button("Copy as JSON", |it| {
                    clipboard::copy(&it.chosen_text(TextForm::Json));
                }))
                .child(button("Save as CSV", |it| it.save_chosen(TextForm::Commas)))
                .child(button("Save as JSON lines", |it| it.save_chosen(TextForm::Lines)))
                .child(button("Choose all", |it| it.select_all(true)))
                .child(button("None", |it| it.items.select_none()))
        })
    };
    bar.into_node()
}
