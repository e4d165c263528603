//! Fields of the short forms: a label with what is typed or chosen below it.

use leptos::prelude::expect_context;

use crate::markup::{Element, el};
use crate::signal::RwSignal;
use crate::state::workspace::Workspace;

/// A text field over a signal.
pub(super) fn text(label: &'static str, hint: &'static str, held: RwSignal<String>) -> Element {
    labelled(
        label,
        el("input.field")
            .attr("placeholder", hint)
            .value(move || held.get())
            .on_value("input", move |text| held.set(text)),
    )
}

/// A label over a control. The label does not hold the control: the choices of a list are no part of its name.
pub(super) fn labelled(label: &'static str, control: Element) -> Element {
    let id = format!("guide-{}", label.replace(' ', "-"));
    el("div.labelled")
        .child(el("label").attr("for", id.clone()).child(label))
        .child(control.attr("id", id))
}

/// A list of names to choose from; the first is nothing, and says `none`.
pub(super) fn select(
    [label, none]: [&'static str; 2],
    choices: impl Fn() -> Vec<String> + 'static,
    chosen: impl Fn() -> String + Clone + 'static,
    choose: impl Fn(String) + 'static,
) -> Element {
    let now = chosen.clone();
    let options = move || {
        let now = now();
        let mut options = vec![option(String::new(), none, now.is_empty())];
        for choice in choices() {
            let is_now = choice == now;
            options.push(option(choice.clone(), &choice, is_now));
        }
        options
    };
    labelled(label, el("select.select").value(chosen).on_value("change", choose).child(options))
}

fn option(value: String, words: &str, is_chosen: bool) -> Element {
    el("option")
        .attr("value", value)
        .attr("selected", is_chosen.then_some("selected"))
        .child(words.to_owned())
}

/// What refuses the form called `place`, if anything does.
pub(super) fn refusal(place: &'static str) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let words = move || {
        let (at, words) = guide.refusal.get();
        if at == place { words } else { String::new() }
    };
    el("p.problem").attr("role", "alert").child(words)
}

/// The letter of an entity in its colour.
pub(super) fn tag(letter: String, slot: u8) -> Element {
    el("span.tag").attr("data-slot", slot.to_string()).attr("aria-hidden", "true").child(letter)
}

/// A form that Enter in any of its fields submits.
pub(super) fn form(
    label: &'static str,
    submit: impl Fn() + 'static,
    fields: Vec<Element>,
    button: Element,
) -> Element {
    el("form.short-form")
        .attr("aria-label", label)
        .on("submit", move |event| {
            event.prevent_default();
            submit();
        })
        .children(fields)
        .child(button.attr("type", "submit"))
}
