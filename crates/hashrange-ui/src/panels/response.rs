//! The result of the open request: pages, items or JSON, or why it was refused.

use hashrange_playground::view::{
    EntryView, ErrorView, GridColumn, ItemsTable, PageView, ReasonView, ResultView,
};
use leptos::prelude::expect_context;

use crate::browser::clipboard;
use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::{Memo, RwSignal, Signal};
use crate::state::workspace::Workspace;
use crate::widgets::{icon, inked_text, segment, small_icon};

/// The console's middle part.
pub(crate) fn panel() -> Element {
    let entry = expect_context::<Workspace>().history.entry();
    let format = RwSignal::new("Table");
    let has_table = Memo::new(move |_| entry.with(|entry| table_of(entry.as_ref()).is_some()));
    let summary = move || {
        entry.with(|entry| match entry.as_ref().map(|entry| &entry.outcome) {
            Some(Ok(result)) => result.summary.clone(),
            Some(Err(error)) if error.is_refusal => "refused".to_owned(),
            Some(Err(_)) => "not kept".to_owned(),
            None => String::new(),
        })
    };
    let choice =
        move || has_table.get().then(|| segment("Result format", &["Table", "JSON"], format));
    let body = move || match entry.get().map(|entry| entry.outcome) {
        Some(Ok(result)) => reply(result, format),
        Some(Err(error)) => refusal(error).into_node(),
        None => el("div.empty")
            .child(el("h3").child("Nothing has run yet"))
            .child(el("p").child("The result of a request appears here, with what it cost."))
            .into_node(),
    };
    let kept = move || {
        let number = entry.with(|entry| {
            let ran = entry.as_ref().filter(|entry| entry.outcome.is_ok());
            ran.map(|entry| entry.number)
        });
        number.map(keep_button)
    };
    let header = el("header")
        .child(el("h2").child("Result"))
        .child(el("span.summary").child(summary))
        .child(el("span.end").child(kept).child(choice));
    el("section.response-panel").attr("aria-label", "Result").child(header).child(body)
}

/// The button that keeps a request as an access pattern.
fn keep_button(number: u32) -> Element {
    let workspace = expect_context::<Workspace>();
    el("button.button.is-quiet.is-small")
        .attr("aria-label", "Keep as access pattern")
        .attr("title", "Keep this request as an access pattern of the design")
        .on_click(move || workspace.keep_as_pattern(number))
        .child("Keep")
}

fn table_of(entry: Option<&EntryView>) -> Option<&ItemsTable> {
    entry?.outcome.as_ref().ok()?.table.as_ref()
}

/// A successful reply, its items as the `format` says: `Table` or `JSON`.
fn reply(result: ResultView, format: RwSignal<&'static str>) -> Node {
    let workspace = expect_context::<Workspace>();
    let has_more = result.next_page_request.is_some();
    let followed = (result.pages.len() > 1 || has_more).then(|| pages(result.pages));
    let next = has_more.then(|| {
        let note = el("span.note").child(result.next_member).child(" says there may be more.");
        let button = el("button.button").on_click(move || workspace.next_page()).child("Next page");
        el("p.more").child(button).child(note)
    });
    let content = move || match &result.table {
        Some(table) if format.get() == "Table" => items(table.clone()),
        _ => json(result.json.clone()),
    };
    vec![followed.into_node(), content.into_node(), next.into_node()].into_node()
}

/// The pages followed so far, in order.
fn pages(pages: Vec<PageView>) -> Element {
    let page = |(number, page): (u32, PageView)| {
        el("li")
            .child(el("b").child(format!("Page {number}")))
            .child(" · ")
            .child(page.text)
            .child(el("span").child(page.end_text))
    };
    el("ol.pages").attr("aria-label", "Pages").children((1..).zip(pages).map(page))
}

/// The items as a table.
fn items(table: ItemsTable) -> Node {
    let are_numbers: Vec<bool> = table.columns.iter().map(|column| column.is_number).collect();
    let name = |column: GridColumn| {
        el(if column.is_number { "th.number" } else { "th" })
            .attr("scope", "col")
            .child(column.name)
    };
    let cell = |(text, is_number): (String, &bool)| {
        el(if *is_number { "td.number" } else { "td" }).attr("title", text.clone()).child(text)
    };
    let row = |(cells, size): (Vec<String>, String)| {
        let cells = el("tr").children(cells.into_iter().zip(&are_numbers).map(cell));
        cells.child(el("td.number").child(size))
    };
    let titles = el("tr")
        .children(table.columns.into_iter().map(name))
        .child(el("th.number").attr("scope", "col").child("Size"));
    let shown = el("table.data-table")
        .child(el("thead").child(titles))
        .child(el("tbody").children(table.rows.into_iter().map(row)));
    let left_out = (table.n_left_out > 0).then(|| {
        el("p.note").child(format!(
            "{} more items are not listed here; JSON and the table above have them.",
            table.n_left_out
        ))
    });
    let region = el("div.table")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", "Items returned")
        .child(shown);
    vec![Some(region), left_out].into_node()
}

/// The reply as DynamoDB JSON.
fn json(json: String) -> Node {
    let text = json.clone();
    let copy = el("button.button.is-small")
        .on_click(move || clipboard::copy(&text))
        .child(small_icon("copy"))
        .child("Copy");
    let code = el("pre.code")
        .attr("tabindex", "0")
        .attr("aria-label", "Reply, DynamoDB JSON")
        .child(inked_text(Signal::stored(json), Signal::default()));
    vec![code, el("p.more").child(copy)].into_node()
}

/// Why a request was refused.
fn refusal(error: ErrorView) -> Element {
    let is_condition = error.name.contains("Condition");
    let (spec, picture) =
        if is_condition { ("div.message.is-part", "part") } else { ("div.message.is-bad", "scan") };
    let explanation =
        (!error.explanation.is_empty()).then(|| el("p.plain").child(error.explanation));
    let reason = |reason: ReasonView| {
        el(if reason.is_to_blame { "p.reason.is-to-blame" } else { "p.reason" }).child(reason.text)
    };
    let item = error
        .item_json
        .map(|json| el("pre.code").child(inked_text(Signal::stored(json), Signal::default())));
    el(spec)
        .child(el("h3").child(icon(picture)).child(error.name))
        .child(el("p").child(error.message))
        .child(explanation)
        .children(error.reasons.into_iter().map(reason))
        .child(item)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_first_visit_shows_both_pages_and_what_they_returned() {
        let html = html(|_| {}, panel);
        expect![[r"
            Result
            2 items in 2 pages
            Keep
            Table
            JSON
            Page 1
            ·
            5 read, 1 returned
            ended at PROJECT#p-05
            Page 2
            ·
            4 read, 1 returned
            no more pages
            SK
            name
            status
            isOnHold
            budget +3
            Size
            PROJECT#p-02
            Cold-room sensors
            ON_HOLD
            2026-02-11
            12,500
            2.6 KB
            PROJECT#p-07
            Dock scheduling
            ON_HOLD
            2026-03-02
            19,800
            2.4 KB
        "]]
        .assert_eq(&words(&html));
    }

    #[test]
    fn a_refusal_shows_its_name_its_message_and_what_to_do() {
        let run = |workspace: Workspace| {
            workspace.editor.fill(
                "GetItem",
                None,
                r#"{"TableName": "Nowhere", "Key": {}}"#.to_owned(),
            );
            workspace.run();
        };
        let html = html(run, panel);
        expect![[r"
            Result
            refused
            ResourceNotFoundException
            Requested resource not found
            There is no table or index of this name. Names are case-sensitive; ListTables shows what there is.
        "]].assert_eq(&words(&html));
    }

    #[test]
    fn what_was_typed_stays_text() {
        let run = |workspace: Workspace| {
            workspace.editor.fill("Query", None, "<img src=x onerror=alert(1)>".to_owned());
            workspace.run();
        };
        let html = html(run, panel);
        assert!(!html.contains("<img"), "{html}");
    }
}
