//! The open access pattern: why it is served as it is, what it costs, and what would serve it better.

use hashrange_playground::view::{PatternRowView, SuggestionView};
use leptos::prelude::expect_context;

use super::patterns::run_button;
use super::status;
use crate::markup::{Element, IntoNode, Node, el};
use crate::state::forms::Form;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The open pattern, or a word on how to open one.
pub(super) fn section() -> Node {
    let design = expect_context::<Workspace>().design;
    let opened = move || {
        let number = design.opened()?;
        design.patterns().with(|patterns| {
            let mut rows = patterns.groups.iter().flat_map(|group| &group.rows);
            rows.find(|row| row.number == number).cloned()
        })
    };
    let drawn = move || match opened() {
        Some(row) => pattern(row).into_node(),
        None => el("section.opened")
            .child(el("p.quiet").child("Choose an access pattern to see what serves it."))
            .into_node(),
    };
    drawn.into_node()
}

fn pattern(row: PatternRowView) -> Element {
    let workspace = expect_context::<Workspace>();
    let number = row.number;
    let close = el("button.icon-button.is-small")
        .attr("aria-label", "Close the access pattern")
        .on_click(move || workspace.design.open_pattern(None))
        .child(small_icon("close"));
    let title = format!("{number}. {}", row.words);
    let figure = |label: &'static str, value: String| {
        (!value.is_empty())
            .then(|| el("div").child(el("dt").child(label)).child(el("dd").child(value)))
    };
    let figures = [
        figure("Operation", format!("{} · {}", row.operation, row.place)),
        figure("Consistency", row.consistency.to_owned()),
        figure("Answer", format!("{} in {}", row.items_text, row.pages_text)),
        figure("Bytes", row.bytes_text),
        figure("Units", row.units_text),
        figure("By target", if row.arms.len() > 1 { row.arms.join(", ") } else { String::new() }),
        figure("Calls a second", row.rate_text),
        figure("Test", row.test_text),
    ];
    let edit = el("button.button.is-small")
        .on_click(move || workspace.open_form(Form::Pattern(Some(number))))
        .child(small_icon("edit"))
        .child("Edit");
    let duplicate = el("button.button.is-quiet.is-small")
        .on_click(move || workspace.duplicate_pattern(number))
        .child("Duplicate");
    let step = |words: &'static str, picture: &'static str, is_up: bool| {
        el("button.icon-button.is-small")
            .attr("aria-label", words)
            .attr("title", words)
            .on_click(move || workspace.move_pattern(number, is_up))
            .child(small_icon(picture))
    };
    let remove = el("button.button.is-quiet.is-small")
        .on_click(move || workspace.remove_pattern(number))
        .child("Remove");
    let suggestions = workspace.design.suggestions(number);
    let suggestions =
        suggestions.into_iter().enumerate().map(|(at, it)| suggestion(number, at, it));
    el("section.opened")
        .attr("aria-label", "Access pattern")
        .child(
            el("header")
                .child(status(row.glyph, row.status))
                .child(el("h2").child(title))
                .child(close),
        )
        .child(el("p").child(row.reason))
        .child(el("dl").children(figures))
        .child(
            el("div.actions")
                .child(run_button(number))
                .child(edit)
                .child(duplicate)
                .child(step("Move up", "up", true))
                .child(step("Move down", "down", false))
                .child(remove),
        )
        .child(el("ul.suggestions").children(suggestions))
}

/// A way to serve the pattern better, with the button that takes it.
fn suggestion(number: u32, at: usize, view: SuggestionView) -> Element {
    let workspace = expect_context::<Workspace>();
    let take = view.fix.map(|label| {
        el("button.button.is-small")
            .on_click(move || workspace.take_suggestion(number, at))
            .child(label)
    });
    el("li").child(el("p").child(view.text)).child(take)
}
