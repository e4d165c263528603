//! Help: how to begin, and the keyboard map.

use leptos::prelude::*;

use crate::state::screen::DialogKind;
use crate::state::workspace::Workspace;
use crate::widgets::{Dialog, Views};

/// Keys and what they do.
const KEYS: [(&[&str], &str); 11] = [
    (&["Ctrl", "↵"], "run the request, from anywhere"),
    (&["Ctrl", "Z"], "undo the last write, outside text fields"),
    (&["Ctrl", "Shift", "Z"], "redo it"),
    (&["F8"], "go to the error in the request"),
    (&["Esc"], "leave the request; close what lies over the page"),
    (&["←", "→", "↑", "↓"], "move in the table and its tabs"),
    (&["[", "]"], "previous or next partition key in the table"),
    (&["Home", "End"], "first or last cell; with Ctrl, first or last item"),
    (&["Page ↑", "Page ↓"], "a page up or down in the table"),
    (&["↵"], "write a GetItem for the item in the table"),
    (&["?"], "this list"),
];

/// The dialog.
#[component]
pub(crate) fn Shortcuts() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let (screen, settings) = (workspace.screen, workspace.settings);
    let key = |(names, words): (&'static [&'static str], &'static str)| {
        let names = names.iter().map(|name| view! { <kbd>{*name}</kbd>" " }).views();
        view! { <div><dt>{names}</dt><dd>{words}</dd></div> }
    };
    view! {
        <Dialog class="dialog is-narrow shortcuts-panel" title="Help".to_owned() on_close=move |()| screen.show_dialog(None)>
            <p>"Choose an access pattern on the left: its request runs, and the table lights up what it read. Struck-through items were read and paid for, then filtered out. Change the request and run it again; every write can be undone."</p>
            <dl class="keys">{KEYS.map(key).views()}</dl>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || settings.has_letter_keys()
                    on:change=move |event| settings.set_letter_keys(event_target_checked(&event))
                />
                "Single keys such as ? and [ act outside text fields"
            </label>
            <p>
                <button class="button" type="button" on:click=move |_| screen.show_dialog(Some(DialogKind::About))>
                    "About Hashrange"
                </button>
            </p>
        </Dialog>
    }
    .into_any()
}
