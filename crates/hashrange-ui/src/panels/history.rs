//! The history of requests, in the drawer under the table.

use hashrange_playground::view::HistoryRow;
use leptos::prelude::{expect_context, untrack};

use crate::browser::dom::ElementRef;
use crate::browser::scroll;
use crate::markup::{Element, Row, aria, el, keyed, row};
use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::{segment_bar, small_icon};

/// Requests of this session, newest first.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let settings = workspace.settings;
    let history = workspace.session.history();
    let list = ElementRef::new();
    let newest =
        move |_: Option<&Option<u32>>| history.with(|rows| rows.first().map(|row| row.number));
    scroll::show_newest(list, Memo::new(newest));
    let is_closed = move || match settings.drawer() {
        "auto" => workspace.screen.is_compact(),
        drawer => drawer == "closed",
    };
    let n_requests = move || match history.with(Vec::len) {
        0 => "no requests yet".to_owned(),
        1 => "1 request".to_owned(),
        n => format!("{n} requests"),
    };
    let toggle = el("button.icon-button.is-small")
        .attr("aria-label", "Show or hide the history")
        .attr("aria-expanded", move || aria(!is_closed()))
        .on_click(move || settings.open_drawer(untrack(is_closed)))
        .child(move || small_icon(if is_closed() { "up" } else { "down" }));
    let header = el("header")
        .child(el("h2").child("History"))
        .child(el("span.quiet").child(n_requests))
        .child(toggle);
    el("section.history-panel")
        .attr("aria-label", "History")
        .attr("data-drawer", move || settings.drawer())
        .child(header)
        .child(el("div.list").reference(list).child(requests()))
}

/// The table of requests.
fn requests() -> Element {
    let history = expect_context::<Workspace>().session.history();
    let title = |spec: &'static str| el(spec).attr("scope", "col");
    let unseen = |words: &'static str| el("span.visually-hidden").child(words);
    let titles = el("tr")
        .child(title("th.number").child("#"))
        .child(title("th").child("Request"))
        .child(title("th.number").child("Read → returned"))
        .child(title("th.number.size").child("Size"))
        .child(title("th.picture").child(unseen("Bar")))
        .child(title("th.number").child("Units"))
        .child(title("th").child(unseen("Run again")));
    let rows = move || history.get().into_iter().map(keyed_request).collect();
    el("table.data-table")
        .child(el("caption.visually-hidden").child("Requests in this session"))
        .child(el("thead").child(titles))
        .child(el("tbody").child(keyed(rows)))
}

/// A row is another one when its outcome is: a next page changes an entry under its number.
fn keyed_request(entry: HistoryRow) -> Row {
    let key = format!("{} {} {}", entry.number, entry.outcome_text, entry.units_text);
    row(key, move || request(entry))
}

/// One request; pressing it opens it again.
fn request(row: HistoryRow) -> Element {
    let workspace = expect_context::<Workspace>();
    let number = row.number;
    let is_open = move || (workspace.history.number() == Some(number)).then_some("true");
    let open = el("button.open")
        .child(el("span.operation").child(row.operation))
        .child(el("span.label").child(row.label));
    let again = el("button.icon-button.is-small")
        .attr("aria-label", format!("Run request {number} again"))
        .attr("title", "Run again")
        .on("click", move |event| {
            event.stop_propagation();
            workspace.run_again(number);
        })
        .child(small_icon("run"));
    el(if row.is_error { "tr.is-error" } else { "tr" })
        .attr("aria-current", is_open)
        .on_click(move || workspace.reopen(number))
        .child(el("td.number.quiet").child(number))
        .child(el("th").attr("scope", "row").child(open))
        .child(el("td.number.outcome").child(row.outcome_text))
        .child(el("td.number.size").child(row.size_text))
        .child(el("td.picture").child(segment_bar(row.bar)))
        .child(el("td.number.units").child(row.units_text))
        .child(el("td.number").child(again))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::html;

    #[test]
    fn the_newest_request_is_first_and_open() {
        let run = |workspace: Workspace| {
            workspace.run();
        };
        let html = html(run, panel);
        let rows: Vec<&str> = html.split("<tr").skip(2).collect();
        assert_eq!(rows.len(), 2);
        assert!(
            rows[0].contains("aria-current=\"true\"") && rows[0].contains("Run request 2 again")
        );
        assert!(!rows[1].contains("aria-current"));
    }
}
