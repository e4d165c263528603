//! Where a design begins: empty, from an example, or from a file.

use leptos::prelude::expect_context;

use crate::markup::{Element, el};
use crate::state::screen::StageView;
use crate::state::session::SessionStore;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The three beginnings, in place of an empty table.
pub(crate) fn panel() -> Option<Element> {
    let workspace = expect_context::<Workspace>();
    let is_empty = workspace.session.outline().with(|it| it.tables.is_empty());
    let examples = SessionStore::examples().into_iter().map(|card| {
        el("li").child(
            el("button.button")
                .on_click(move || workspace.open_example(&card.slug))
                .child(card.title),
        )
    });
    is_empty.then(|| {
        el("section.start-panel")
            .attr("aria-label", "Start")
            .child(el("h2").child("Start empty"))
            .child(el("p").child(
                "Five steps from the names of things to a design that answers its questions.",
            ))
            .child(
                el("button.button.is-primary")
                    .on_click(move || workspace.start_guide())
                    .child(small_icon("right"))
                    .child("Guided, 5 steps"),
            )
            .child(el("h2").child("Start from an example"))
            .child(el("ul").children(examples))
            .child(el("h2").child("Import"))
            .child(el("p").child("A NoSQL Workbench model, a design, or a saved session."))
            .child(
                el("button.button")
                    .on_click(move || workspace.import.begin())
                    .child("Import a file"),
            )
    })
}

/// The way into the guided process, at the foot of the outline.
pub(crate) fn footer() -> Element {
    let screen = expect_context::<Workspace>().screen;
    el("button.notes-button.guide-button")
        .on_click(move || {
            screen.show_view(StageView::Guide);
            screen.show_pane(crate::state::screen::Pane::Data);
        })
        .child(small_icon("right"))
        .child("Guided, 5 steps")
}
