//! The guided process: five steps from names to a design that answers its questions.

mod aside;
mod diagram;
mod entities;
mod field;
mod keys;
mod questions;
mod relations;

use leptos::prelude::expect_context;

use crate::markup::{Element, el, nodes};
use crate::state::screen::{Pane, StageView};
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// What its buttons say.
pub(crate) const WORDS: &str = "Guided, 5 steps";

pub(crate) use aside::panel as aside;

/// The way into the guided process, at the foot of the outline.
pub(crate) fn footer() -> Element {
    let screen = expect_context::<Workspace>().screen;
    el("button.notes-button.guide-button")
        .on_click(move || {
            screen.show_view(StageView::Guide);
            screen.show_pane(Pane::Data);
            screen.open_outline(false);
        })
        .child(small_icon("right"))
        .child(WORDS)
}

/// The process, in the middle of the page.
pub(crate) fn panel() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let view = guide.view();
    let steps = move || {
        let steps = view.with(|view| view.steps.clone());
        nodes(steps.into_iter().enumerate().map(|(at, step)| {
            let sign = if step.state == "done" { "✓".to_owned() } else { (at + 1).to_string() };
            el("li").child(
                el("button.step")
                    .attr("data-state", step.state)
                    .attr("aria-current", move || (guide.step.get() == at).then_some("step"))
                    .on_click(move || guide.step.set(at))
                    .child(el("span.sign").attr("aria-hidden", "true").child(sign))
                    .child(el("span.title").child(step.title))
                    .child(el("span.note").child(step.note)),
            )
        }))
    };
    let said = move || {
        let step = view.with(|view| view.steps.get(guide.step.get()).cloned().unwrap_or_default());
        nodes([el("b").child(step.lead), el("span").child(format!(" {}", step.text))])
    };
    let next = move || {
        let next = view.with(|view| view.steps.get(guide.step.get() + 1).map(|it| it.title));
        next.map(|title| format!("Next: {}", title.to_ascii_lowercase()))
    };
    let strip = el("div.strip").child(el("p").attr("role", "status").child(said)).child(
        // One button for all steps, which keeps the focus while they change.
        el("button.button.is-primary")
            .attr("hidden", move || next().is_none().then_some(""))
            .on_click(move || guide.step.set(guide.step.get_untracked() + 1))
            .child(small_icon("right"))
            .child(next),
    );
    let body = move || match guide.step.get() {
        0 => entities::step(),
        1 => relations::step(),
        2 => questions::step(),
        3 => keys::step(),
        _ => keys::indexes(),
    };
    el("section.guide-panel")
        .attr("aria-label", "Guided design")
        .child(el("nav").attr("aria-label", "Steps").child(el("ol").child(steps)))
        .child(strip)
        .child(el("div.body").attr("tabindex", "0").child(body))
}
