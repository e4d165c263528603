//! Text in inks, as text nodes: nothing typed ever becomes markup.

use hashrange_playground::view::TextRange;

use super::ink;
use crate::markup::{IntoNode, Node, el, nodes};
use crate::signal::Signal;

/// A JSON text in its inks, with what is wrong underlined.
pub(crate) fn inked_text(text: Signal<String>, bad: Signal<Option<TextRange>>) -> Node {
    let span = |run: ink::Run| {
        let class = match (run.is_bad, run.class) {
            (true, class) => format!("{class} ink-bad"),
            (false, class) => class.to_owned(),
        };
        el("span").attr("class", class).child(run.text)
    };
    let view = move || nodes(text.with(|text| ink::runs(text, bad.get())).into_iter().map(span));
    view.into_node()
}
