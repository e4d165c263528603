//! A choice among a few words, side by side.

use leptos::prelude::*;

use super::Views;
use crate::signal::Signal;

/// Buttons of which one is pressed.
#[component]
pub(crate) fn Segment(
    /// What is chosen here, for screen readers.
    label: &'static str,
    /// The words, in order.
    words: &'static [&'static str],
    /// The one that is pressed.
    #[prop(into)]
    chosen: Signal<&'static str>,
    /// Called with the word that was pressed.
    #[prop(into)]
    on_choose: Callback<&'static str>,
) -> impl IntoView {
    let button = move |word: &'static str| {
        view! {
            <button
                type="button"
                aria-pressed=move || if chosen.get() == word { "true" } else { "false" }
                on:click=move |_| on_choose.run(word)
            >
                {word}
            </button>
        }
    };
    view! {
        <span class="segment" role="group" aria-label=label>
            {words.iter().map(|word| button(word)).views()}
        </span>
    }
    .into_any()
}
