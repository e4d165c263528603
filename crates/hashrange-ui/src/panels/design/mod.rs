//! The design: key templates of each entity, access patterns with what serves them, and what is wrong with it.

mod chart;
mod notes;
mod opened;
mod patterns;

use leptos::prelude::expect_context;

use super::forms;
use crate::markup::Element;
use crate::markup::el;
use crate::state::workspace::Workspace;

pub(crate) use chart::pills;
pub(crate) use notes::{n_heard, panel as notes};

/// The design, in the middle of the page.
pub(crate) fn panel() -> Element {
    let design = expect_context::<Workspace>().design;
    let summary = move || design.patterns().with(|patterns| patterns.summary.clone());
    let running = move || design.is_running().then(|| el("span.quiet").child("Running again…"));
    el("section.design-panel")
        .attr("aria-label", "Design")
        .child(
            el("div.strips")
                .child(forms::rebuilds)
                .child(forms::strip)
                .child(el("div.strip").child(el("p").child(el("b").child(summary))).child(running)),
        )
        .child(el("div.body").child(chart::section()).child(patterns::section()))
}

/// `✓` in its colour, with what it says for those who do not see it.
pub(crate) fn status(glyph: &'static str, words: &'static str) -> Element {
    let spec = match glyph {
        "✓" => "span.status.is-ok",
        "◑" => "span.status.is-part",
        _ => "span.status.is-bad",
    };
    let sign = el("span").attr("aria-hidden", "true").child(glyph);
    el(spec).attr("title", words).child(sign).child(el("span.visually-hidden").child(words))
}

/// The letter of an entity in its colour.
pub(crate) fn tag(letter: String, slot: u8) -> Element {
    el("span.tag").attr("data-slot", slot.to_string()).attr("aria-hidden", "true").child(letter)
}
