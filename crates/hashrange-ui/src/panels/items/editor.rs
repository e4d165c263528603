//! The field in which a value is typed: its type, its text, and why it was refused.
//!
//! Enter keeps, Esc leaves, Tab keeps and moves on; Shift+Enter is a new line.

use leptos::prelude::expect_context;

use crate::browser::dom::ElementRef;
use crate::browser::focus;
use crate::markup::{Element, KeyboardEvent, el};
use crate::state::items::{Edit, EditPlace};
use crate::state::workspace::Workspace;

/// The types with their names.
pub(super) const KINDS: [(&str, &str); 10] = [
    ("S", "S string"),
    ("N", "N number"),
    ("B", "B binary, base64"),
    ("BOOL", "BOOL true or false"),
    ("NULL", "NULL"),
    ("L", "L list"),
    ("M", "M map"),
    ("SS", "SS strings, a line each"),
    ("NS", "NS numbers, a line each"),
    ("BS", "BS binaries, a line each"),
];

/// A choice of the type.
pub(super) fn kinds(
    label: String,
    kind: &str,
    is_fixed: bool,
    choose: impl Fn(String) + 'static,
) -> Element {
    let option = |(name, words): (&'static str, &'static str)| {
        el("option").attr("value", name).attr("selected", name == kind).child(words)
    };
    el("select.select.kind")
        .attr("aria-label", label)
        .attr("disabled", is_fixed)
        .on_value("change", choose)
        .children(KINDS.map(option))
}

/// The field for an edit.
pub(super) fn editor(edit: &Edit) -> Element {
    let workspace = expect_context::<Workspace>();
    let items = workspace.items;
    let field = edit.field.clone();
    let name = edit.has_name.then(|| {
        el("input.field.name")
            .attr("aria-label", "Attribute name")
            .attr("placeholder", "name")
            .attr("spellcheck", "false")
            .value(field.name.clone())
            .on_value("input", move |text| items.type_in(|it| it.name = text))
    });
    let place = ElementRef::new();
    focus::on_mount(place);
    let n_lines = u32::try_from(field.text.lines().count().clamp(1, 6)).unwrap_or(1);
    let spoken = if field.name.is_empty() { "new value" } else { field.name.as_str() };
    let first = if edit.is_new && edit.has_name {
        // What is new begins with its name.
        name.map(|name| name.reference(place))
    } else {
        name
    };
    let text = el("textarea.field.text")
        .attr("aria-label", format!("Value of {spoken}"))
        .attr("aria-describedby", "edit-problem")
        .attr("aria-invalid", move || (!items.problem.get().is_empty()).then_some("true"))
        .attr("rows", n_lines)
        .attr("spellcheck", "false")
        .value(field.text.clone())
        .on_value("input", move |text| items.type_in(|it| it.text = text));
    let text = if edit.is_new && edit.has_name { text } else { text.reference(place) };
    let problem = el("p.problem")
        .attr("id", "edit-problem")
        .attr("role", "alert")
        .child(move || items.problem.get());
    let is_cell = matches!(edit.place, EditPlace::Cell { .. });
    let choose = move |kind: String| items.type_in(|it| it.kind = kind);
    let keep = el("button.button.is-small.is-primary").on_click(move || {
        workspace.keep_edit();
    });
    let leave = el("button.button.is-small").on_click(move || workspace.leave_edit());
    el("div.value-editor")
        .attr("data-place", if is_cell { "cell" } else { "line" })
        .on_key(move |event| press(workspace, is_cell, event))
        .child(
            el("div.fields")
                .child(first)
                .child(kinds(format!("Type of {spoken}"), &field.kind, false, choose))
                .child(text)
                .child(keep.child("Keep"))
                .child(leave.child("Leave")),
        )
        .child(problem)
}

fn press(workspace: Workspace, is_cell: bool, event: &KeyboardEvent) {
    match event.key().as_str() {
        "Enter" if !event.shift_key() && !is_button(event) => {
            workspace.keep_edit();
        }
        "Escape" => workspace.leave_edit(),
        "Tab" if is_cell => workspace.keep_and_move(if event.shift_key() { -1 } else { 1 }),
        _ => {
            event.stop_propagation();
            return;
        }
    }
    event.prevent_default();
    event.stop_propagation();
}

fn is_button(event: &KeyboardEvent) -> bool {
    crate::browser::dom::is_in(event, "button")
}
