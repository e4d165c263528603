//! Fields of a form, each with its label, what is wrong with it and what to know about it.
//!
//! Invariant: a refusal stands at the field it names, which says so to those who do not see it.

use hashrange_playground::view::{FactView, FieldKind, FieldView, FormRefusal};
use leptos::prelude::expect_context;

use super::super::design::{pills, tag};
use crate::browser::dom;
use crate::markup::{Element, IntoNode, Node, aria, el};
use crate::state::workspace::Workspace;

/// A field; `is_placed` becomes true where the refusal stands at it.
pub(super) fn field(
    view: FieldView,
    refusal: Option<&FormRefusal>,
    is_placed: &mut bool,
) -> Element {
    let refused = refusal.filter(|it| !view.name.is_empty() && it.field == view.name);
    *is_placed |= refused.is_some();
    let problem = refused.map_or_else(|| view.problem.clone(), |it| it.message.clone());
    match view.kind {
        FieldKind::Heading => {
            let note = el("p.note").child(view.note);
            return el("div.heading").child(el("h3").child(view.label)).child(note);
        }
        FieldKind::Words => {
            let label = (!view.label.is_empty()).then(|| el("b").child(view.label).child(". "));
            return el("p.words").child(label).child(view.note);
        }
        FieldKind::Row(fields) => {
            let fields: Vec<Element> =
                fields.into_iter().map(|it| field(it, refusal, is_placed)).collect();
            return el("div.row").children(fields);
        }
        FieldKind::Actions(actions) => return buttons(view.label, view.note, actions),
        FieldKind::Facts(facts) => return fact_list(view.label, facts),
        _ => {}
    }
    let id = format!("form-{}", view.name);
    let described = format!("{id}-problem {id}-note");
    let (control, is_group) = control(&view, &id, &described, !problem.is_empty());
    let label = if is_group {
        el("span.label").child(view.label.clone())
    } else {
        el("label.label").attr("for", id.clone()).child(view.label.clone())
    };
    let problem = (!problem.is_empty())
        .then(|| el("p.problem").attr("id", format!("{id}-problem")).child(problem));
    let note = (!view.note.is_empty())
        .then(|| el("p.note").attr("id", format!("{id}-note")).child(view.note));
    let spec = if matches!(view.kind, FieldKind::Check) {
        "div.form-field.is-check"
    } else {
        "div.form-field"
    };
    el(spec).child(label).child(control).child(problem).child(note)
}

/// What is typed into or chosen from; true if it has a name of its own.
fn control(view: &FieldView, id: &str, described: &str, is_wrong: bool) -> (Node, bool) {
    match &view.kind {
        FieldKind::Choice(choices) => {
            (choice(view, id, described, is_wrong, choices).into_node(), false)
        }
        FieldKind::Segment(choices) => (segment(view, described, choices).into_node(), true),
        FieldKind::Options(options) => (option_list(view, described, options).into_node(), true),
        FieldKind::Check => (check(view, id).into_node(), false),
        FieldKind::Share(share) => {
            let bar = el("div.share").child(el("i").style("--share", share.to_string()));
            (bar.into_node(), true)
        }
        FieldKind::Lines => {
            (text(view, "textarea.field.code", id, described, is_wrong).into_node(), false)
        }
        FieldKind::Template(made) => {
            let input = text(view, "input.field.mono", id, described, is_wrong);
            let drawn = (!view.value.is_empty()).then(|| {
                let made = (!made.is_empty()).then(|| el("span.made").child(made.clone()));
                el("div.drawn").child(pills(&view.value)).child(made)
            });
            (vec![Some(input), drawn].into_node(), false)
        }
        FieldKind::Text => (text(view, "input.field", id, described, is_wrong).into_node(), false),
        FieldKind::Number => {
            (text(view, "input.field.is-number", id, described, is_wrong).into_node(), false)
        }
        _ => (text(view, "input.field.mono", id, described, is_wrong).into_node(), false),
    }
}

fn text(
    view: &FieldView,
    spec: &'static str,
    id: &str,
    described: &str,
    is_wrong: bool,
) -> Element {
    let workspace = expect_context::<Workspace>();
    let (name, focused) = (view.name.clone(), view.name.clone());
    let mode = matches!(view.kind, FieldKind::Number).then_some("decimal");
    let is_key = matches!(view.kind, FieldKind::Template(_));
    el(spec)
        .attr("id", id.to_owned())
        .attr("inputmode", mode)
        .attr("placeholder", view.hint.clone())
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autofocus", matches!(view.name.as_str(), "name" | "words"))
        .attr("disabled", view.is_fixed)
        .attr("aria-invalid", is_wrong.then_some("true"))
        .attr("aria-describedby", described.to_owned())
        .value(view.value.clone())
        .on_value("input", move |text| workspace.forms.fill(&name, text))
        .on("focus", move |_| {
            if is_key {
                workspace.forms.focus(&focused);
            }
        })
}

fn choice(
    view: &FieldView,
    id: &str,
    described: &str,
    is_wrong: bool,
    choices: &[(String, String)],
) -> Element {
    let workspace = expect_context::<Workspace>();
    let name = view.name.clone();
    let option = |(value, words): &(String, String)| {
        el("option").attr("value", value.clone()).child(words.clone())
    };
    let value = view.value.clone();
    el("select.select")
        .attr("id", id.to_owned())
        .attr("disabled", view.is_fixed)
        .attr("aria-invalid", is_wrong.then_some("true"))
        .attr("aria-describedby", described.to_owned())
        // Live, so that it is set again when the options are others.
        .value(move || value.clone())
        .on_value("change", move |value| workspace.forms.fill(&name, value))
        .children(choices.iter().map(option))
}

fn segment(view: &FieldView, described: &str, choices: &[(String, String)]) -> Element {
    let workspace = expect_context::<Workspace>();
    let button = |(value, words): &(String, String)| {
        let (name, next) = (view.name.clone(), value.clone());
        el("button")
            .attr("aria-pressed", aria(view.value == *value))
            .attr("disabled", view.is_fixed && view.value != *value)
            .on_click(move || workspace.forms.fill(&name, next.clone()))
            .child(words.clone())
    };
    el("span.segment")
        .attr("role", "group")
        .attr("aria-label", view.label.clone())
        .attr("aria-describedby", described.to_owned())
        .children(choices.iter().map(button))
}

fn option_list(view: &FieldView, described: &str, options: &[(String, String, String)]) -> Element {
    let workspace = expect_context::<Workspace>();
    let option = |(value, words, detail): &(String, String, String)| {
        let (name, next) = (view.name.clone(), value.clone());
        let radio = el("input")
            .attr("type", "radio")
            .attr("name", format!("form-{}", view.name))
            .checked(view.value == *value)
            .on("change", move |_| workspace.forms.fill(&name, next.clone()));
        el("label.option")
            .child(radio)
            .child(el("span").child(words.clone()))
            .child(el("span.detail").child(detail.clone()))
    };
    el("div.options")
        .attr("role", "radiogroup")
        .attr("aria-label", view.label.clone())
        .attr("aria-describedby", described.to_owned())
        .children(options.iter().map(option))
}

fn check(view: &FieldView, id: &str) -> Element {
    let workspace = expect_context::<Workspace>();
    let name = view.name.clone();
    el("input").attr("id", id.to_owned()).attr("type", "checkbox").checked(view.value == "true").on(
        "change",
        move |event| {
            let is_on = dom::is_checked(&event);
            workspace.forms.fill(&name, if is_on { "true".to_owned() } else { String::new() });
        },
    )
}

fn buttons(label: String, note: String, actions: Vec<(String, String)>) -> Element {
    let workspace = expect_context::<Workspace>();
    let is_alone = label.is_empty();
    let button = |(verb, words): (String, String)| {
        let is_removal = verb.starts_with("remove ");
        let spec =
            if is_removal { "button.icon-button.is-small" } else { "button.button.is-small" };
        let name = is_removal.then(|| words.clone());
        let sign = if is_removal {
            crate::widgets::small_icon("close").into_node()
        } else if verb.starts_with("add ") {
            vec![crate::widgets::small_icon("plus").into_node(), words.into_node()].into_node()
        } else {
            words.into_node()
        };
        el(spec).attr("aria-label", name).on_click(move || workspace.forms.press(&verb)).child(sign)
    };
    let label = (!is_alone).then(|| el("span.label").child(label));
    let note = (!note.is_empty()).then(|| el("p.note").child(note));
    el("div.actions").child(label).children(actions.into_iter().map(button)).child(note)
}

fn fact_list(label: String, facts: Vec<FactView>) -> Element {
    let fact = |fact: FactView| {
        let letter = (!fact.letter.is_empty()).then(|| tag(fact.letter, fact.slot));
        let template = (!fact.template.is_empty()).then(|| pills(&fact.template));
        let name = (!fact.name.is_empty()).then(|| el("b").child(fact.name));
        let spec = if fact.is_problem { "li.is-problem" } else { "li" };
        el(spec)
            .attr("data-slot", u32::from(fact.slot).to_string())
            .child(letter)
            .child(name)
            .child(template)
            .child(el("span").child(fact.text))
    };
    let label = (!label.is_empty()).then(|| el("span.label").child(label));
    let list = el("ul").attr("aria-live", "polite").children(facts.into_iter().map(fact));
    el("div.facts").child(label).child(list)
}
