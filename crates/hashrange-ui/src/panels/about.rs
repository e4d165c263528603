//! The about box.

use std::rc::Rc;

use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, el};
use crate::signal::Signal;
use crate::state::workspace::Workspace;
use crate::widgets;

const WHAT: &str = "Hashrange is a DynamoDB playground. Tables, indexes, requests and their cost run in this tab, in an engine written for it, so that you see what a request reads and what you would pay for it.";
const PRIVACY: &str = "Nothing leaves the browser: no account, no server, no cookies, no counting. Your work is kept in this browser's own storage. The list of designs, beside the title, erases all of it; so does clearing the site's data.";
const NAMES: &str = "Amazon DynamoDB, DAX, AWS and NoSQL Workbench are trademarks of Amazon.com, Inc. or its affiliates. Hashrange is not affiliated with, endorsed by or sponsored by Amazon.";

/// What this is, what it does with your work, whose names it uses, and its terms.
pub(crate) fn dialog() -> Element {
    let screen = expect_context::<Workspace>().screen;
    let facts = el("dl.facts")
        .child(el("dt").child("Version"))
        .child(el("dd").child(env!("CARGO_PKG_VERSION")))
        .child(el("dt").child("Licence"))
        .child(el("dd").child("MIT or Apache 2.0, as you choose"));
    let body = vec![
        el("p").child(WHAT).into_node(),
        el("h3").child("Privacy").into_node(),
        el("p").child(PRIVACY).into_node(),
        el("h3").child("Names").into_node(),
        el("p").child(NAMES).into_node(),
        facts.into_node(),
    ];
    let title = Signal::stored("About Hashrange".to_owned());
    let on_close = Rc::new(move || screen.show_dialog(None));
    widgets::dialog("dialog.dialog.is-narrow.about-panel", title, on_close, body, None)
}
