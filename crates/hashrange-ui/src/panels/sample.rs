//! Sample data: seed, counts, ratios, sizes and what is made; made in steps that can be stopped.

use hashrange_playground::guide::SampleRow;
use leptos::prelude::expect_context;

use crate::markup::{Element, el, nodes};
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The sample data of the design; nothing where no entity describes any.
pub(crate) fn panel() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let rows = move || nodes(guide.sample().rows.into_iter().map(row));
    let seed = el("input.field")
        .attr("aria-label", "Seed")
        .attr("inputmode", "numeric")
        .value(move || guide.sample().seed.to_string())
        .on_value("change", move |text| guide.make_sample(text.trim().parse().unwrap_or(0)));
    let progress = move || {
        let words = guide.progress.get();
        if words.is_empty() {
            let again = el("button.button.is-small")
                .on_click(move || {
                    guide.make_sample(leptos::prelude::untrack(|| guide.sample().seed));
                })
                .child(small_icon("run"))
                .child("Make it again");
            return el("p").child(again);
        }
        el("p").attr("role", "status").child(words).child(
            el("button.button.is-small").on_click(move || guide.cancel_sample()).child("Cancel"),
        )
    };
    let problem = move || {
        let (place, words) = guide.refusal.get();
        if place == "sample" { words } else { String::new() }
    };
    el("section.sample-panel")
        .attr("aria-label", "Sample data")
        .attr("hidden", move || guide.sample().rows.is_empty().then_some(""))
        .child(
            el("header")
                .child(el("h2").child("Sample data"))
                .child(el("span.quiet").child(move || guide.sample().total_text)),
        )
        .child(el("ul").child(rows))
        .child(el("label.seed").child("Seed").child(seed))
        .child(progress)
        .child(el("p.problem").attr("role", "alert").child(problem))
}

fn row(row: SampleRow) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let name = row.name.clone();
    let count = el("input.field")
        .attr("aria-label", format!("{} {}", row.name, row.of))
        .attr("inputmode", "numeric")
        .value(row.each.to_string())
        .on_value("change", move |text| {
            let each = text.trim().parse().unwrap_or(1);
            guide.edit("sample", |session, now| session.guide_ratio(&name, each, now));
        });
    let tag = el("span.tag")
        .attr("data-slot", row.slot.to_string())
        .attr("aria-hidden", "true")
        .child(row.letter);
    el("li")
        .child(tag)
        .child(el("b").child(row.name))
        .child(count)
        .child(el("span.quiet").child(format!("{} · {}", row.of, row.total_text)))
        .child(el("span.makes.quiet").child(row.makes))
}
