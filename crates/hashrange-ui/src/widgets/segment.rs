//! A choice among a few words, side by side.

use crate::markup::{Element, aria, el};
use crate::signal::RwSignal;

/// Buttons, one for each word, of which the `chosen` one is pressed; `label` says what is chosen here.
pub(crate) fn segment(
    label: &'static str,
    words: &'static [&'static str],
    chosen: RwSignal<&'static str>,
) -> Element {
    let button = move |word: &&'static str| {
        let word = *word;
        el("button")
            .attr("aria-pressed", move || aria(chosen.get() == word))
            .on_click(move || chosen.set(word))
            .child(word)
    };
    let buttons = words.iter().map(button);
    el("span.segment").attr("role", "group").attr("aria-label", label).children(buttons)
}
