//! The guided process: five steps from names to a design that answers its questions.

mod aside;
mod diagram;
mod entities;
mod field;
mod keys;
mod questions;
mod relations;
mod start;

use leptos::prelude::expect_context;

use crate::markup::{Element, el, nodes};
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

pub(crate) use aside::panel as aside;
pub(crate) use start::{footer, panel as start};

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
    let strip = move || {
        let at = guide.step.get();
        view.with(|view| {
            let step = view.steps.get(at).cloned().unwrap_or_default();
            let next = view.steps.get(at + 1).map(|next| {
                el("button.button.is-primary")
                    .on_click(move || guide.step.set(at + 1))
                    .child(small_icon("right"))
                    .child(format!("Next: {}", next.title.to_lowercase()))
            });
            el("div.strip")
                .attr("role", "status")
                .child(el("p").child(el("b").child(step.lead)).child(" ").child(step.text))
                .child(next)
        })
    };
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
