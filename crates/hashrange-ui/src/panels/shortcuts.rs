//! Help: how to begin, and the keyboard map.

use std::rc::Rc;

use leptos::prelude::expect_context;

use crate::browser::dom;
use crate::markup::{Element, IntoNode, el};
use crate::signal::Signal;
use crate::state::screen::DialogKind;
use crate::state::workspace::Workspace;
use crate::widgets;

/// Keys and what they do.
const KEYS: [(&[&str], &str); 15] = [
    (&["Ctrl", "↵"], "run the request, from anywhere"),
    (&["Ctrl", "Z"], "undo the last write, outside text fields"),
    (&["Ctrl", "Shift", "Z"], "redo it"),
    (&["F8"], "go to the error in the request"),
    (&["Esc"], "leave the request; close what lies over the page"),
    (&["←", "→", "↑", "↓"], "move in the table and its tabs"),
    (&["[", "]"], "previous or next partition key in the table"),
    (&["Home", "End"], "first or last cell; with Ctrl, first or last item"),
    (&["Page ↑", "Page ↓"], "a page up or down in the table"),
    (&["↵"], "type over the cell in the table; Tab keeps it and goes on, Esc leaves it"),
    (&["Shift", "↵"], "open the item in the table with all that is in it"),
    (&["Shift", "↑", "↓"], "choose items; with Ctrl A all of the partition key"),
    (&["Del"], "delete the value, or the items that are chosen"),
    (&["Ctrl", "F"], "find in the table"),
    (&["?"], "this list"),
];
const BEGIN: &str = "Choose an access pattern on the left: its request runs, and the table lights up what it read. Struck-through items were read and paid for, then filtered out. Change the request and run it again; every write can be undone.";
const KEEP: &str = "Your designs are kept in this browser. The arrow beside the title lists them: each can be opened, renamed, duplicated, saved to a file and deleted; a deleted one can be brought back for seven days. One tab at a time changes a design; another that shows it can take it over, or go on with a copy.";

/// The dialog.
pub(crate) fn dialog() -> Element {
    let workspace = expect_context::<Workspace>();
    let (screen, settings) = (workspace.screen, workspace.settings);
    let key = |(names, words): (&'static [&'static str], &'static str)| {
        let names =
            names.iter().fold(el("dt"), |term, name| term.child(el("kbd").child(*name)).child(" "));
        el("div").child(names).child(el("dd").child(words))
    };
    let letter_keys = el("input")
        .attr("type", "checkbox")
        .checked(move || settings.has_letter_keys())
        .on("change", move |event| settings.set_letter_keys(dom::is_checked(&event)));
    let letter_keys = el("label.check")
        .child(letter_keys)
        .child("Single keys such as ? and [ act outside text fields");
    let about = el("button.button")
        .on_click(move || screen.show_dialog(Some(DialogKind::About)))
        .child("About Hashrange");
    let body = vec![
        el("p").child(BEGIN).into_node(),
        el("p").child(KEEP).into_node(),
        el("dl.keys").children(KEYS.map(key)).into_node(),
        letter_keys.into_node(),
        el("p").child(about).into_node(),
    ];
    let title = Signal::stored("Help".to_owned());
    let on_close = Rc::new(move || screen.show_dialog(None));
    widgets::dialog("dialog.dialog.is-narrow.shortcuts-panel", title, on_close, body, None)
}
