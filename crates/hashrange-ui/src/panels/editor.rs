//! The request: operation, target, DynamoDB JSON with its errors marked, and Run.

use hashrange_playground::OPERATIONS;
use hashrange_playground::view::{ErrorView, Target};
use leptos::prelude::expect_context;

use crate::browser::dom::ElementRef;
use crate::browser::{clipboard, text_field};
use crate::markup::{Element, KeyboardEvent, aria, el, nodes};
use crate::signal::{Memo, Signal};
use crate::state::workspace::Workspace;
use crate::widgets::{inked_text, small_icon};

/// Characters that a phone's keyboard hides.
const PHONE_KEYS: [&str; 6] = ["\"", ":", "#", "{}", "[]", ","];

/// The console's upper part.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let editor = workspace.editor;
    let field = ElementRef::new();
    let template = el("button.button.is-quiet.is-small")
        .attr("title", "Put the template of this operation in place of the text")
        .on_click(move || editor.reset())
        .child("Template");
    let copy = el("button.icon-button.is-small")
        .attr("aria-label", "Copy the request")
        .attr("title", "Copy the request")
        .on_click(move || clipboard::copy(&editor.text().get_untracked()))
        .child(small_icon("copy"));
    let bar = el("div.bar").child(el("h2").child("DynamoDB JSON")).child(template).child(copy);
    let run = el("button.button.is-primary")
        .on_click(move || workspace.run())
        .child(small_icon("run"))
        .child("Run")
        .child(el("kbd").child("Ctrl ↵"));
    el("section.editor-panel")
        .attr("aria-label", "Request")
        .child(el("div.choice").child(operation_picker()).child(target_picker()))
        .child(bar)
        .child(text_pane(field))
        .child(problem_line(field))
        .child(el("div.run").child(run))
        .child(phone_keys(field))
}

/// The operations, by what they do.
fn operation_picker() -> Element {
    let editor = expect_context::<Workspace>().editor;
    let operation = editor.operation();
    let option = |name: &&'static str| el("option").attr("value", *name).child(*name);
    let group = |(label, names): (&'static str, &'static [&'static str])| {
        el("optgroup").attr("label", label).children(names.iter().map(option))
    };
    el("select.select.operation")
        .attr("aria-label", "Operation")
        .value(move || operation.get())
        .on_value("change", move |name| editor.choose_operation(&name))
        .children(OPERATIONS.map(group))
}

/// The tables and indexes that a template can be for.
fn target_picker() -> Element {
    let workspace = expect_context::<Workspace>();
    let targets = workspace.session.targets();
    let chosen = workspace.editor.target();
    let position = move || {
        let place =
            targets.with(|targets| targets.iter().position(|target| *target == chosen.get()));
        place.map(|place| place.to_string())
    };
    let option = move |(position, target): (usize, Target)| {
        let is_chosen = chosen.get_untracked() == target;
        let words = match target.index {
            Some(index) => format!("{}, {index}", target.table),
            None => format!("{}, base table", target.table),
        };
        el("option").attr("value", position.to_string()).attr("selected", is_chosen).child(words)
    };
    let choose = move |position: String| {
        let place = position.parse::<usize>().ok();
        let target =
            place.and_then(|place| targets.with_untracked(|targets| targets.get(place).cloned()));
        if let Some(target) = target {
            workspace.editor.choose_target(target);
        }
    };
    el("select.select.target")
        .attr("aria-label", "Table or index")
        .value(position)
        .on_value("change", choose)
        .child(move || nodes(targets.get().into_iter().enumerate().map(option)))
}

/// The text: a plain text field over its own text in inks.
fn text_pane(field: ElementRef) -> Element {
    let editor = expect_context::<Workspace>().editor;
    let (text, problem) = (editor.text(), editor.problem());
    let bad = Signal::derive(move || {
        problem.with(|problem| problem.as_ref().and_then(|problem| problem.place))
    });
    let press = move |event: &KeyboardEvent| {
        if event.key() == "F8" {
            event.prevent_default();
            go_to_problem(field, problem);
        } else if event.key() == "Escape" {
            text_field::leave(field);
        }
    };
    let input = el("textarea")
        .reference(field)
        .attr("aria-label", "Request, DynamoDB JSON")
        .attr("aria-describedby", "request-problem")
        .attr("aria-invalid", move || aria(problem.with(Option::is_some)))
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr("autocomplete", "off")
        .attr("wrap", "off")
        .value(move || text.get())
        .on_value("input", move |text| editor.type_text(text))
        .on_key(press);
    let lines = move || line_numbers(text.with(|text| text.split('\n').count()));
    let inked = el("pre").attr("aria-hidden", "true").child(inked_text(text, bad)).child("\n");
    el("div")
        .attr("class", move || if bad.get().is_some() { "text is-bad" } else { "text" })
        .child(el("pre.lines").attr("aria-hidden", "true").child(lines))
        .child(el("div.sheet").child(inked).child(input))
}

fn line_numbers(n_lines: usize) -> String {
    (1..=n_lines).map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
}

fn go_to_problem(field: ElementRef, problem: Memo<Option<ErrorView>>) {
    let place =
        problem.with_untracked(|problem| problem.as_ref().and_then(|problem| problem.place));
    if let (Some(field), Some(place)) = (field.get(), place) {
        text_field::select(&field, place.start, place.end, place.line);
    }
}

/// What is wrong with the text, and where.
fn problem_line(field: ElementRef) -> Element {
    let problem = expect_context::<Workspace>().editor.problem();
    let line = move |error: ErrorView| {
        let place =
            error.place.map(|place| format!(" Line {}, column {}.", place.line, place.column));
        let go = place.is_some().then(|| {
            el("button.button.is-quiet.is-small")
                .attr("title", "Go to the error (F8)")
                .on_click(move || go_to_problem(field, problem))
                .child("Show")
        });
        let words = el("span").child(error.message).child(el("span.place").child(place));
        vec![Some(small_icon("scan")), Some(words), go]
    };
    el("p.problem")
        .attr("id", "request-problem")
        .attr("hidden", move || problem.with(Option::is_none))
        .child(move || problem.get().map(line))
}

/// Keys that a phone's keyboard hides.
fn phone_keys(field: ElementRef) -> Element {
    let editor = expect_context::<Workspace>().editor;
    let key = |text: &'static str| {
        let insert = move || {
            if let Some(text) = text_field::insert(field, text) {
                editor.type_text(text);
            }
        };
        el("button").on_click(insert).child(text)
    };
    el("div.keys").attr("role", "group").attr("aria-label", "Insert").children(PHONE_KEYS.map(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::html;

    #[test]
    fn the_exact_place_of_an_error_is_underlined_and_named() {
        let write = |workspace: Workspace| {
            workspace.editor.fill("GetItem", None, "{\n  \"TableName\": oops\n}".to_owned());
        };
        let html = html(write, panel);
        assert!(html.contains("ink-bad"), "{html}");
        assert!(html.contains("Line 2, column"), "{html}");
        assert!(html.contains("aria-invalid=\"true\""), "{html}");
    }

    #[test]
    fn a_template_has_nothing_to_mend() {
        for operation in OPERATIONS.iter().flat_map(|(_, names)| *names) {
            let write = |workspace: Workspace| workspace.editor.choose_operation(operation);
            let html = html(write, panel);
            assert!(!html.contains("ink-bad"), "{operation}: {html}");
        }
    }
}
