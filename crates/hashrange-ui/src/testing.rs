//! What tests of panels share: a workspace over the first visit's session, without a browser.

use hashrange_playground::Session;
use leptos::prelude::Owner;

use crate::markup::IntoNode;
use crate::state::workspace::Workspace;

/// The markup of what `view` draws in a workspace that `prepare` has worked in.
pub(crate) fn html<N: IntoNode>(
    prepare: impl FnOnce(Workspace),
    view: impl FnOnce() -> N,
) -> String {
    // Reading signals outside effects is what drawing once to text is.
    let _zone = leptos::reactive::diagnostics::SpecialNonReactiveZone::enter();
    Owner::new().with(|| {
        prepare(Workspace::provide(Session::first_visit(0)));
        view().into_node().into_html()
    })
}

/// The words of a markup, tags left out, so that a test reads as the page does.
pub(crate) fn words(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        let words = piece.split_once('>').map_or(piece, |(_, words)| words).trim();
        if !words.is_empty() {
            text.push_str(words);
            text.push('\n');
        }
    }
    text
}
