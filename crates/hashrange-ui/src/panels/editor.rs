//! The request: operation, target, DynamoDB JSON with its errors marked, and Run.

use hashrange_playground::OPERATIONS;
use hashrange_playground::view::{ErrorView, Target};
use leptos::html::Textarea;
use leptos::prelude::*;

use crate::browser::{clipboard, text_field};
use crate::signal::{Memo, Signal};
use crate::state::workspace::Workspace;
use crate::widgets::{Icon, InkedText, Views};

/// Characters that a phone's keyboard hides.
const PHONE_KEYS: [&str; 6] = ["\"", ":", "#", "{}", "[]", ","];

/// The console's upper part.
#[component]
pub(crate) fn RequestEditor() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let editor = workspace.editor;
    let field = NodeRef::<Textarea>::new();
    view! {
        <section class="editor-panel" aria-label="Request">
            <div class="choice"><OperationPicker /><TargetPicker /></div>
            <div class="bar">
                <h2>"DynamoDB JSON"</h2>
                <button class="button is-quiet is-small" type="button" title="Put the template of this operation in place of the text"
                    on:click=move |_| editor.reset()>
                    "Template"
                </button>
                <button class="icon-button is-small" type="button" aria-label="Copy the request" title="Copy the request"
                    on:click=move |_| clipboard::copy(&editor.text().get_untracked())>
                    <Icon name="copy" is_small=true />
                </button>
            </div>
            <TextPane field />
            <Problem field />
            <div class="run">
                <button class="button is-primary" type="button" on:click=move |_| workspace.run()>
                    <Icon name="run" is_small=true />
                    "Run"
                    <kbd>"Ctrl ↵"</kbd>
                </button>
            </div>
            <PhoneKeys field />
        </section>
    }
    .into_any()
}

/// The operations, by what they do.
#[component]
fn OperationPicker() -> impl IntoView {
    let editor = expect_context::<Workspace>().editor;
    let operation = editor.operation();
    let options = |names: &'static [&'static str]| {
        names.iter().map(|name| view! { <option value=*name>{*name}</option> }).views()
    };
    let groups = OPERATIONS.map(|(label, names)| {
        view! { <optgroup label=label>{options(names)}</optgroup> }
    });
    view! {
        <select
            class="select operation"
            aria-label="Operation"
            prop:value=move || operation.get()
            on:change=move |event| editor.choose_operation(&event_target_value(&event))
        >
            {groups.views()}
        </select>
    }
    .into_any()
}

/// The tables and indexes that a template can be for.
#[component]
fn TargetPicker() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let targets = workspace.session.targets();
    let chosen = workspace.editor.target();
    let position = move || {
        targets.with(|targets| {
            targets
                .iter()
                .position(|target| *target == chosen.get())
                .map(|position| position.to_string())
        })
    };
    let options = move || {
        let targets = targets.get();
        let option = |(position, target): (usize, Target)| {
            let is_chosen = chosen.get_untracked() == target;
            let words = match target.index {
                Some(index) => format!("{}, {index}", target.table),
                None => format!("{}, base table", target.table),
            };
            view! { <option value=position.to_string() selected=is_chosen>{words}</option> }
        };
        targets.into_iter().enumerate().map(option).views()
    };
    let choose = move |event: leptos::ev::Event| {
        let position = event_target_value(&event).parse::<usize>().ok();
        let target = position
            .and_then(|position| targets.with_untracked(|targets| targets.get(position).cloned()));
        if let Some(target) = target {
            workspace.editor.choose_target(target);
        }
    };
    view! {
        <select class="select target" aria-label="Table or index" prop:value=move || position().unwrap_or_default() on:change=choose>
            {options}
        </select>
    }
    .into_any()
}

/// The text: a plain text field over its own text in inks.
#[component]
fn TextPane(
    /// The text field.
    field: NodeRef<Textarea>,
) -> impl IntoView {
    let editor = expect_context::<Workspace>().editor;
    let (text, problem) = (editor.text(), editor.problem());
    let bad = Signal::derive(move || {
        problem.with(|problem| problem.as_ref().and_then(|problem| problem.place))
    });
    let press = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "F8" {
            event.prevent_default();
            go_to_problem(field, problem);
        } else if event.key() == "Escape" {
            text_field::leave(field);
        }
    };
    view! {
        <div class="text" class:is-bad=move || bad.get().is_some()>
            <pre class="lines" aria-hidden="true">{move || line_numbers(text.with(|text| text.split('\n').count()))}</pre>
            <div class="sheet">
                <pre aria-hidden="true"><InkedText text bad />"\n"</pre>
                <textarea
                    node_ref=field
                    aria-label="Request, DynamoDB JSON"
                    aria-describedby="request-problem"
                    aria-invalid=move || if problem.with(Option::is_some) { "true" } else { "false" }
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    wrap="off"
                    prop:value=move || text.get()
                    on:input=move |event| editor.type_text(event_target_value(&event))
                    on:keydown=press
                ></textarea>
            </div>
        </div>
    }
    .into_any()
}

fn line_numbers(n_lines: usize) -> String {
    (1..=n_lines).map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
}

fn go_to_problem(field: NodeRef<Textarea>, problem: Memo<Option<ErrorView>>) {
    let place =
        problem.with_untracked(|problem| problem.as_ref().and_then(|problem| problem.place));
    if let (Some(field), Some(place)) = (field.get_untracked(), place) {
        text_field::select(&field, place.start, place.end, place.line);
    }
}

/// What is wrong with the text, and where.
#[component]
fn Problem(
    /// The text field.
    field: NodeRef<Textarea>,
) -> impl IntoView {
    let problem = expect_context::<Workspace>().editor.problem();
    let line = move |error: ErrorView| {
        let place =
            error.place.map(|place| format!(" Line {}, column {}.", place.line, place.column));
        let has_place = place.is_some();
        let go = has_place.then(|| view! {
            <button class="button is-quiet is-small" type="button" title="Go to the error (F8)" on:click=move |_| go_to_problem(field, problem)>
                "Show"
            </button>
        }.into_any());
        view! {
            <Icon name="scan" is_small=true />
            <span>{error.message}<span class="place">{place}</span></span>
            {go}
        }
        .into_any()
    };
    view! {
        <p class="problem" id="request-problem" hidden=move || problem.with(Option::is_none)>
            {move || problem.get().map(line)}
        </p>
    }
    .into_any()
}

/// Keys that a phone's keyboard hides.
#[component]
fn PhoneKeys(
    /// The text field.
    field: NodeRef<Textarea>,
) -> impl IntoView {
    let editor = expect_context::<Workspace>().editor;
    let key = |text: &'static str| {
        let insert = move |_| {
            if let Some(text) = text_field::insert(field, text) {
                editor.type_text(text);
            }
        };
        view! { <button type="button" on:click=insert>{text}</button> }
    };
    view! { <div class="keys" role="group" aria-label="Insert">{PHONE_KEYS.map(key).views()}</div> }
        .into_any()
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
        let html = html(write, || view! { <RequestEditor /> });
        assert!(html.contains("ink-bad"), "{html}");
        assert!(html.contains("Line 2, column"), "{html}");
        assert!(html.contains("aria-invalid=\"true\""), "{html}");
    }

    #[test]
    fn a_template_has_nothing_to_mend() {
        for operation in OPERATIONS.iter().flat_map(|(_, names)| *names) {
            let write = |workspace: Workspace| workspace.editor.choose_operation(operation);
            let html = html(write, || view! { <RequestEditor /> });
            assert!(!html.contains("ink-bad"), "{operation}: {html}");
        }
    }
}
