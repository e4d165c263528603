//! The about box.

use leptos::prelude::*;

use crate::state::workspace::Workspace;
use crate::widgets::Dialog;

/// What this is, what it does with your work, whose names it uses, and its terms.
#[component]
pub(crate) fn About() -> impl IntoView {
    let screen = expect_context::<Workspace>().screen;
    view! {
        <Dialog class="dialog is-narrow about-panel" title="About Hashrange".to_owned() on_close=move |()| screen.show_dialog(None)>
            <p>"Hashrange is a DynamoDB playground. Tables, indexes, requests and their cost run in this tab, in an engine written for it, so that you see what a request reads and what you would pay for it."</p>
            <h3>"Privacy"</h3>
            <p>"Nothing leaves the browser: no account, no server, no cookies, no counting. Your work is kept in this browser's own storage, and clearing the site's data removes it."</p>
            <h3>"Names"</h3>
            <p>"Amazon DynamoDB, DAX, AWS and NoSQL Workbench are trademarks of Amazon.com, Inc. or its affiliates. Hashrange is not affiliated with, endorsed by or sponsored by Amazon."</p>
            <dl class="facts">
                <dt>"Version"</dt>
                <dd>{env!("CARGO_PKG_VERSION")}</dd>
                <dt>"Licence"</dt>
                <dd>"MIT or Apache 2.0, as you choose"</dd>
            </dl>
        </Dialog>
    }
    .into_any()
}
