//! The designs kept in this browser: the dialog with their list, what is said while another tab works on the one in
//! view, and what an empty design offers.

mod elsewhere;
mod row;
mod title;

use std::rc::Rc;

use hashrange_playground::view::ShelfView;
use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, Node, el, nodes};
use crate::panels::guide;
use crate::signal::Signal;
use crate::state::save::SaveState;
use crate::state::session::SessionStore;
use crate::state::workspace::Workspace;
use crate::widgets::{self, small_icon};

pub(crate) use elsewhere::strip;
pub(crate) use title::panel as title;

/// The dialog.
pub(crate) fn dialog() -> Element {
    let workspace = expect_context::<Workspace>();
    let body = vec![
        ways("div.ways").into_node(),
        (move || in_view(workspace)).into_node(),
        (move || designs(workspace.shelf.list())).into_node(),
        (move || deleted(workspace.shelf.list())).into_node(),
        (move || erase(workspace)).into_node(),
    ];
    let title = Signal::stored("Designs in this browser".to_owned());
    let on_close = Rc::new(move || workspace.screen.show_dialog(None));
    widgets::dialog("dialog.dialog.shelf-panel", title, on_close, body, None)
}

/// The ways to begin a design.
fn ways(spec: &'static str) -> Element {
    let workspace = expect_context::<Workspace>();
    let empty = el("button.button")
        .on_click(move || workspace.new_design())
        .child(small_icon("plus"))
        .child("New, empty");
    el(spec).child(empty).child(from_example()).child(from_file())
}

/// The examples; choosing one puts a copy of it in view.
fn from_example() -> Element {
    let workspace = expect_context::<Workspace>();
    let title = el("option").attr("value", "").child("New from an example");
    let cards = SessionStore::examples().into_iter();
    let options = cards.map(|card| el("option").attr("value", card.slug).child(card.title));
    el("select.select")
        .attr("aria-label", "New from an example")
        .on_value("change", move |slug| {
            workspace.screen.show_dialog(None);
            workspace.open_example(&slug);
        })
        .child(title)
        .children(options)
}

fn from_file() -> Element {
    let workspace = expect_context::<Workspace>();
    el("button.button")
        .on_click(move || workspace.import.begin())
        .child(small_icon("import"))
        .child("From a file")
}

/// What is said of the design in view while it is not in the list.
fn in_view(workspace: Workspace) -> Node {
    let words = match (workspace.save.state(), workspace.save.id()) {
        (SaveState::Blocked, _) => "is in view. This browser keeps nothing for this page.",
        (_, Some(_)) => return Node::List(Vec::new()),
        _ => "is in view. It is kept as soon as you change it or run something on it.",
    };
    let export = el("button.button.is-small")
        .on_click(move || workspace.export_design(None))
        .child("Save to a file");
    let title = el("b").child(workspace.session.title().get());
    el("p.in-view").child(title).child(" ").child(words).child(" ").child(export).into_node()
}

/// The designs that can be opened.
fn designs(list: ShelfView) -> Node {
    if list.designs.is_empty() {
        return el("p.quiet").child("No design is kept yet.").into_node();
    }
    el("ul.designs")
        .attr("aria-label", "Kept designs")
        .children(list.designs.into_iter().map(row::kept))
        .into_node()
}

/// Those that can be brought back.
fn deleted(list: ShelfView) -> Option<Node> {
    (!list.deleted.is_empty()).then(|| {
        let title = el("h3").child("Deleted");
        let list = el("ul.designs")
            .attr("aria-label", "Deleted designs")
            .children(list.deleted.into_iter().map(row::deleted));
        nodes([title, list])
    })
}

/// Erasing everything, which is asked once.
fn erase(workspace: Workspace) -> Element {
    let shelf = workspace.shelf;
    let list = shelf.list();
    if !shelf.is_asking() {
        let ask = el("button.button.is-quiet.is-small")
            .on_click(move || shelf.ask(true))
            .child("Erase everything stored …");
        return el("div.erase").child(el("span.note").child(list.summary)).child(ask);
    }
    let erase = el("button.button.is-primary")
        .on_click(move || workspace.erase_everything())
        .child("Erase everything");
    let keep = el("button.button").on_click(move || shelf.ask(false)).child("Keep everything");
    el("div.message.is-bad")
        .attr("role", "alert")
        .child(el("h3").child("Erase everything stored?"))
        .child(el("p").child(list.erase_text))
        .child(el("p.actions").child(erase).child(keep))
}

/// What an empty design offers, in the place of its items.
pub(crate) fn blank() -> Element {
    let workspace = expect_context::<Workspace>();
    let words = "Five steps lead from the names of things to a design that answers its questions. Or begin with a copy \
                 of an example, or with a file: a NoSQL Workbench model, a design, a saved session.";
    let guided = el("button.button.is-primary")
        .on_click(move || workspace.start_guide())
        .child(small_icon("right"))
        .child(guide::WORDS);
    let actions = el("p.actions").child(guided).child(from_example()).child(from_file());
    let cell = el("div.empty")
        .attr("role", "gridcell")
        .child(el("h3").child("An empty design"))
        .child(el("p").child(words))
        .child(actions);
    el("div").attr("role", "row").child(cell)
}

#[cfg(test)]
mod tests {
    use hashrange_playground::view::ShelfRow;

    use super::*;
    use crate::testing::{html, words};

    fn row(id: u32, title: &str, is_open: bool) -> ShelfRow {
        ShelfRow { id, title: title.to_owned(), about: "3 items".to_owned(), is_open }
    }

    fn list() -> ShelfView {
        ShelfView {
            designs: vec![row(2, "Shop", true), row(1, "Chat", false)],
            deleted: vec![row(3, "Old", false)],
            summary: "2 designs".to_owned(),
            erase_text: "This erases 2 designs.".to_owned(),
        }
    }

    #[test]
    fn the_list_says_which_design_is_in_view_and_what_can_be_done_with_each() {
        let html = html(|workspace| workspace.shelf.show(list()), dialog);
        assert_eq!(html.matches("in view</span>").count(), 1, "{html}");
        for label in ["Open Chat", "Rename Shop", "Duplicate Chat", "Delete Shop", "Bring back Old"]
        {
            assert!(html.contains(&format!("aria-label=\"{label}\"")), "{label}: {html}");
        }
        assert!(!html.contains("role=\"alert\""), "nothing is erased unasked");
    }

    #[test]
    fn erasing_everything_says_what_goes_and_asks_once() {
        let ask = |workspace: Workspace| {
            workspace.shelf.show(list());
            workspace.shelf.ask(true);
        };
        let words = words(&html(ask, dialog));
        assert!(
            words.contains("This erases 2 designs.\nErase everything\nKeep everything"),
            "{words}"
        );
    }

    #[test]
    fn an_empty_list_says_so_and_how_the_design_in_view_comes_to_be_kept() {
        let words = words(&html(|_| {}, dialog));
        assert!(words.contains("Factory floor\nis in view. It is kept as soon as"), "{words}");
        assert!(words.contains("No design is kept yet."), "{words}");
    }

    #[test]
    fn an_empty_design_offers_the_ways_on() {
        let empty = |workspace: Workspace| workspace.new_design();
        let words = words(&html(empty, crate::panels::items::panel));
        assert!(words.contains("An empty design"), "{words}");
        for way in ["Guided, 5 steps", "New from an example", "From a file"] {
            assert_eq!(words.matches(way).count(), 1, "{way}: {words}");
        }
    }
}
