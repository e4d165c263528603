//! A design in the list of those that are kept.

use hashrange_playground::view::ShelfRow;
use leptos::prelude::expect_context;

use super::title;
use crate::markup::{Element, IntoNode, Node, el};
use crate::state::workspace::Workspace;

/// One that can be opened.
pub(super) fn kept(row: ShelfRow) -> Element {
    let workspace = expect_context::<Workspace>();
    let ShelfRow { id, title, about, is_open } = row;
    let deleted = title.clone();
    let actions = [
        button("Rename", &title, move || workspace.shelf.rename(Some(id))),
        button("Duplicate", &title, move || workspace.duplicate_design(id)),
        button("Save to a file", &title, move || workspace.export_design(Some(id))),
        button("Delete", &title, move || workspace.delete_design(id, deleted.clone())),
    ];
    let name = move || name(workspace, id, &title, is_open);
    let place = is_open.then(|| el("span.pill.is-ok").child("in view"));
    el("li")
        .child(el("div.name").child(name).child(place))
        .child(el("p.note").child(about))
        .child(el("div.actions").children(actions))
}

/// One that can be brought back.
pub(super) fn deleted(row: ShelfRow) -> Element {
    let workspace = expect_context::<Workspace>();
    let ShelfRow { id, title, about, .. } = row;
    let actions = [
        button("Bring back", &title, move || workspace.restore_design(id, false)),
        button("Delete for good", &title, move || workspace.remove_design(id)),
    ];
    el("li")
        .child(el("div.name").child(el("span").child(title)))
        .child(el("p.note").child(about))
        .child(el("div.actions").children(actions))
}

/// Its title, to open it by or to be written anew.
fn name(workspace: Workspace, id: u32, title: &str, is_open: bool) -> Node {
    // The title of the one in view may have changed since the list was made.
    let title = if is_open { workspace.session.title().get() } else { title.to_owned() };
    if workspace.shelf.renaming() == Some(id) {
        let done = move |text: Option<String>, _: bool| {
            // A field that goes loses the focus, which is no second answer.
            if workspace.shelf.renaming_now() != Some(id) {
                return;
            }
            workspace.shelf.rename(None);
            if let Some(text) = text {
                workspace.rename_design(id, &text);
            }
        };
        return title::field(title, done).into_node();
    }
    el("button.open")
        .attr("aria-label", format!("Open {title}"))
        .on_click(move || workspace.open_design(id))
        .child(title)
        .into_node()
}

/// A button of the row; its name says of which design.
fn button(word: &'static str, title: &str, action: impl Fn() + 'static) -> Element {
    el("button.button.is-quiet.is-small")
        .attr("aria-label", format!("{word} {title}"))
        .on_click(action)
        .child(word)
}
