//! The import dialog: choose a file, read its report, open it or leave everything as it is.

mod items;

use std::rc::Rc;

use hashrange_playground::view::{ImportRepair, ImportReport};
use leptos::prelude::{GetValue, SetValue, StoredValue, expect_context};

use crate::browser::dom::ElementRef;
use crate::browser::files;
use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::{Memo, Signal};
use crate::state::import::ImportStage;
use crate::state::workspace::Workspace;
use crate::widgets::{self, icon};

/// The dialog.
pub(crate) fn dialog() -> Element {
    let workspace = expect_context::<Workspace>();
    let import = workspace.import;
    let title = Signal::derive(move || match import.stage() {
        ImportStage::Choosing => "Import a design".to_owned(),
        ImportStage::Reading { name, .. }
        | ImportStage::Reported { name, .. }
        | ImportStage::Items { name }
        | ImportStage::Refused { name, .. } => format!("Import {name}"),
    });
    let body = move || match import.stage() {
        ImportStage::Choosing => choose().into_node(),
        ImportStage::Reading { share, .. } => reading(share).into_node(),
        ImportStage::Reported { report: found, .. } => report(found).into_node(),
        ImportStage::Items { .. } => items::body(),
        ImportStage::Refused { reason, .. } => refusal(reason).into_node(),
    };
    let act = Memo::new(move |_| match import.stage() {
        ImportStage::Reported { .. } => Some("Open".to_owned()),
        ImportStage::Items { .. } => {
            let view = import.items.view();
            let noun = if view.n_ready == 1 { "item" } else { "items" };
            (view.is_done && view.n_ready > 0).then(|| format!("Import {} {noun}", view.n_ready))
        }
        _ => None,
    });
    let open = move || {
        act.get().map(|words| {
            el("button.button.is-primary").on_click(move || import.open(workspace)).child(words)
        })
    };
    let cancel = el("button.button").on_click(move || import.cancel()).child("Cancel");
    let actions = vec![cancel.into_node(), open.into_node()].into_node();
    let on_close = Rc::new(move || import.cancel());
    let body = vec![body.into_node()];
    widgets::dialog("dialog.dialog.import-panel", title, on_close, body, Some(actions))
}

/// A place to drop a file, and a button to choose one.
fn choose() -> Element {
    el("div.choose")
        .child(el("h3").child("Drop a file anywhere on the page"))
        .child(el("p").child("A NoSQL Workbench model, a Hashrange design, or items for a table: CSV, DynamoDB JSON, a BatchWriteItem request. It is read in this tab; you see a report before anything changes."))
        .child(file_picker())
        .child(paste_field())
}

/// A field to paste rows or items into.
fn paste_field() -> Element {
    let workspace = expect_context::<Workspace>();
    let text = StoredValue::new(String::new());
    let field = el("textarea.field")
        .attr("aria-label", "CSV or DynamoDB JSON")
        .attr("placeholder", "or paste rows of a spreadsheet, CSV or DynamoDB JSON")
        .attr("rows", "4")
        .attr("spellcheck", "false")
        .on_value("input", move |typed| text.set_value(typed));
    let read = el("button.button")
        .on_click(move || workspace.import.paste(workspace, &text.get_value()))
        .child("Read what is pasted");
    el("div.paste").child(field).child(read)
}

/// How much of the file has been read.
fn reading(share: f64) -> Node {
    let progress = el("progress")
        .attr("max", "1")
        .attr("value", share.to_string())
        .attr("aria-label", "Read so far");
    let words = el("p").child("Reading the file in this tab. Nothing is sent anywhere.");
    vec![words, progress].into_node()
}

/// The button that opens the system's file picker.
fn file_picker() -> Node {
    let workspace = expect_context::<Workspace>();
    let input = ElementRef::new();
    let button =
        el("button.button.is-primary").on_click(move || input.click()).child("Choose a file");
    let field = el("input")
        .reference(input)
        .attr("type", "file")
        .attr("accept", ".json,.csv,.tsv,.txt,.jsonl,application/json,text/csv")
        .attr("hidden", true)
        .attr("aria-label", "File to import")
        .on("change", move |event| {
            if let Some(file) = files::chosen(&event) {
                workspace.import.read(workspace, file);
            }
        });
    vec![button, field].into_node()
}

/// What was found, and each repair: found, done, where.
fn report(report: ImportReport) -> Node {
    let repaired = match report.repairs.len() {
        0 => "Nothing had to be repaired.".to_owned(),
        1 => "One place was repaired on the way in; the file itself is not changed.".to_owned(),
        n => format!("{n} places were repaired on the way in; the file itself is not changed."),
    };
    let summary = el("p.summary")
        .child(el("b").child(report.title))
        .child(report.summary)
        .child(". ")
        .child(repaired);
    let table = (!report.repairs.is_empty()).then(|| repairs(report.repairs));
    vec![Some(summary), table].into_node()
}

/// The table of repairs.
fn repairs(repairs: Vec<ImportRepair>) -> Element {
    let title = |words: &'static str| el("th").attr("scope", "col").child(words);
    let repair = |repair: ImportRepair| {
        el("tr")
            .child(el("th").attr("scope", "row").child(repair.found))
            .child(el("td").child(repair.done))
            .child(el("td").child(repair.place))
    };
    let titles = el("tr").children(["Found", "Done", "Where"].map(title));
    el("table.data-table")
        .child(el("caption.visually-hidden").child("Repair report"))
        .child(el("thead").child(titles))
        .child(el("tbody").children(repairs.into_iter().map(repair)))
}

/// Why the file was not understood: the reason is a sentence.
fn refusal(reason: String) -> Element {
    el("div.message.is-bad")
        .attr("role", "alert")
        .child(el("h3").child(icon("scan")).child("This file cannot be imported"))
        .child(el("p").child(reason))
        .child(el("p.plain").child("Nothing was changed."))
        .child(el("p.actions").child(file_picker()))
}

/// Shown while a file hovers over the page.
pub(crate) fn drop_scrim() -> Node {
    let import = expect_context::<Workspace>().import;
    let scrim = || el("div.drop-scrim").child(el("p").child("Drop the file to see what is in it"));
    (move || import.is_dragging().then(scrim)).into_node()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::html;

    #[test]
    fn before_a_file_is_chosen_there_is_nothing_to_open() {
        let html = html(|workspace| workspace.import.begin(), dialog);
        assert!(html.contains("Drop a file anywhere"), "{html}");
        assert!(!html.contains(">Open<"), "{html}");
    }
}
