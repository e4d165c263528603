//! One line over the page that the person can act on or dismiss.

use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, Node, el};
use crate::state::screen::Notice;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The notice in view, if there is one.
pub(crate) fn panel() -> Node {
    let screen = expect_context::<Workspace>().screen;
    (move || screen.notice().map(line)).into_node()
}

fn line(notice: Notice) -> Element {
    let workspace = expect_context::<Workspace>();
    let (words, action) = match notice {
        Notice::PutAside { title } => {
            let back = el("button.button.is-small")
                .on_click(move || workspace.bring_back())
                .child(format!("Go back to {title}"));
            (format!("{title} was put aside."), Some(back))
        }
        Notice::NotRestored { reason, address } => {
            let link = el("a.button.is-small")
                .attr("href", address)
                .attr("download", "hashrange-session.bin")
                .child("Download it");
            (format!("The last session could not be opened. {reason}"), Some(link))
        }
        Notice::Deleted { id, title, was_open } => {
            let undo = el("button.button.is-small")
                .on_click(move || workspace.restore_design(id, was_open))
                .child("Undo");
            (format!("{title} was deleted."), Some(undo))
        }
        Notice::Said(words) => (words, None),
    };
    let dismiss = el("button.icon-button.is-small")
        .attr("aria-label", "Dismiss")
        .on_click(move || workspace.screen.show_notice(None))
        .child(small_icon("close"));
    el("div.notice-panel")
        .attr("role", "status")
        .child(el("span").child(words))
        .child(action)
        .child(dismiss)
}
