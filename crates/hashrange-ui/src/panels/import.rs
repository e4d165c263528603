//! The import dialog: choose a file, read its report, open it or leave everything as it is.

use hashrange_playground::view::{ImportRepair, ImportReport};
use leptos::prelude::*;

use crate::browser::files;
use crate::signal::{Memo, Signal};
use crate::state::import::ImportStage;
use crate::state::workspace::Workspace;
use crate::widgets::{Dialog, Icon, Views};

/// The dialog.
#[component]
pub(crate) fn ImportDialog() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let import = workspace.import;
    let title = Signal::derive(move || match import.stage() {
        ImportStage::Choosing => "Import a design".to_owned(),
        ImportStage::Reading { name, .. }
        | ImportStage::Reported { name, .. }
        | ImportStage::Refused { name, .. } => {
            format!("Import {name}")
        }
    });
    let body = move || match import.stage() {
        ImportStage::Choosing => view! { <Choose /> }.into_any(),
        ImportStage::Reading { share, .. } => view! {
            <p>"Reading the file in this tab. Nothing is sent anywhere."</p>
            <progress max="1" value=share.to_string() aria-label="Read so far"></progress>
        }
        .into_any(),
        ImportStage::Reported { report, .. } => view! { <Report report /> }.into_any(),
        ImportStage::Refused { reason, .. } => view! { <Refusal reason /> }.into_any(),
    };
    let can_open = Memo::new(move |_| matches!(import.stage(), ImportStage::Reported { .. }));
    let actions = move || {
        view! {
            <button class="button" type="button" on:click=move |_| import.cancel()>"Cancel"</button>
            <Show when=move || can_open.get()>
                <button class="button is-primary" type="button" on:click=move |_| import.open(workspace)>"Open"</button>
            </Show>
        }
    };
    view! {
        <Dialog class="dialog import-panel" title on_close=move |()| import.cancel() actions=actions>
            {body}
        </Dialog>
    }
    .into_any()
}

/// A place to drop a file, and a button to choose one.
#[component]
fn Choose() -> impl IntoView {
    view! {
        <div class="choose">
            <h3>"Drop a file anywhere on the page"</h3>
            <p>"A NoSQL Workbench model or a Hashrange design. It is read in this tab; you see a report before anything changes."</p>
            <FilePicker />
        </div>
    }
    .into_any()
}

/// The button that opens the system's file picker.
#[component]
fn FilePicker() -> impl IntoView {
    let import = expect_context::<Workspace>().import;
    let input = NodeRef::<leptos::html::Input>::new();
    let open = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let choose = move |event: leptos::ev::Event| {
        if let Some(file) = files::chosen(&event) {
            import.read(file);
        }
    };
    view! {
        <button class="button is-primary" type="button" on:click=open>"Choose a file"</button>
        <input node_ref=input type="file" accept=".json,application/json" hidden aria-label="File to import" on:change=choose />
    }
    .into_any()
}

/// What was found, and each repair: found, done, where.
#[component]
fn Report(
    /// The report.
    report: ImportReport,
) -> impl IntoView {
    let repairs = match report.repairs.len() {
        0 => "Nothing had to be repaired.".to_owned(),
        1 => "One place was repaired on the way in; the file itself is not changed.".to_owned(),
        n => format!("{n} places were repaired on the way in; the file itself is not changed."),
    };
    let table = (!report.repairs.is_empty()).then(|| view! { <Repairs repairs=report.repairs /> });
    view! {
        <p class="summary"><b>{report.title}</b>{report.summary}". "{repairs}</p>
        {table}
    }
    .into_any()
}

/// The table of repairs.
#[component]
fn Repairs(
    /// The repairs.
    repairs: Vec<ImportRepair>,
) -> impl IntoView {
    let row = |repair: ImportRepair| {
        view! { <tr><th scope="row">{repair.found}</th><td>{repair.done}</td><td>{repair.place}</td></tr> }
    };
    view! {
        <table class="data-table">
            <caption class="visually-hidden">"Repair report"</caption>
            <thead><tr><th scope="col">"Found"</th><th scope="col">"Done"</th><th scope="col">"Where"</th></tr></thead>
            <tbody>{repairs.into_iter().map(row).views()}</tbody>
        </table>
    }
    .into_any()
}

/// Why the file was not understood.
#[component]
fn Refusal(
    /// The reason, a sentence.
    reason: String,
) -> impl IntoView {
    view! {
        <div class="message is-bad" role="alert">
            <h3><Icon name="scan" />"This file cannot be imported"</h3>
            <p>{reason}</p>
            <p class="plain">"Nothing was changed."</p>
            <p class="actions"><FilePicker /></p>
        </div>
    }
    .into_any()
}

/// Shown while a file hovers over the page.
#[component]
pub(crate) fn DropScrim() -> impl IntoView {
    let import = expect_context::<Workspace>().import;
    view! {
        <Show when=move || import.is_dragging()>
            <div class="drop-scrim"><p>"Drop the file to see what is in it"</p></div>
        </Show>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::html;

    #[test]
    fn before_a_file_is_chosen_there_is_nothing_to_open() {
        let html = html(|workspace| workspace.import.begin(), || view! { <ImportDialog /> });
        assert!(html.contains("Drop a file anywhere"), "{html}");
        assert!(!html.contains(">Open<"), "{html}");
    }
}
