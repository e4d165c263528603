//! Text in inks, as text nodes: nothing typed ever becomes markup.

use hashrange_playground::view::TextRange;
use leptos::prelude::*;

use super::{Views, ink};
use crate::signal::Signal;

/// A JSON text in its inks, with what is wrong underlined.
#[component]
pub(crate) fn InkedText(
    /// The text.
    #[prop(into)]
    text: Signal<String>,
    /// The part to underline.
    #[prop(optional, into)]
    bad: Signal<Option<TextRange>>,
) -> impl IntoView {
    let span = |run: ink::Run| {
        let class = match (run.is_bad, run.class) {
            (true, class) => format!("{class} ink-bad"),
            (false, class) => class.to_owned(),
        };
        view! { <span class=class>{run.text}</span> }
    };
    move || text.with(|text| ink::runs(text, bad.get())).into_iter().map(span).views()
}
