//! The history of requests, in the drawer under the table.

use hashrange_playground::view::HistoryRow;
use leptos::prelude::*;

use crate::browser::scroll;
use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::{Icon, SegmentBar};

/// Requests of this session, newest first.
#[component]
pub(crate) fn HistoryDrawer() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let settings = workspace.settings;
    let history = workspace.session.history();
    let list = NodeRef::new();
    let newest =
        move |_: Option<&Option<u32>>| history.with(|rows| rows.first().map(|row| row.number));
    scroll::show_newest(list, Memo::new(newest));
    let n_requests = move || history.with(Vec::len);
    let is_closed = move || match settings.drawer() {
        "auto" => workspace.screen.is_compact(),
        drawer => drawer == "closed",
    };
    let toggle = move |_| settings.open_drawer(untrack(is_closed));
    view! {
        <section class="history-panel" aria-label="History" data-drawer=move || settings.drawer()>
            <header>
                <h2>"History"</h2>
                <span class="quiet">{move || match n_requests() {
                    0 => "no requests yet".to_owned(),
                    1 => "1 request".to_owned(),
                    n => format!("{n} requests"),
                }}</span>
                <button class="icon-button is-small" type="button" aria-label="Show or hide the history"
                    aria-expanded=move || if is_closed() { "false" } else { "true" } on:click=toggle>
                    {move || if is_closed() { view! { <Icon name="up" is_small=true /> } } else { view! { <Icon name="down" is_small=true /> } }}
                </button>
            </header>
            <div class="list" node_ref=list><Requests /></div>
        </section>
    }
    .into_any()
}

/// The table of requests.
#[component]
fn Requests() -> impl IntoView {
    let history = expect_context::<Workspace>().session.history();
    view! {
        <table class="data-table">
            <caption class="visually-hidden">"Requests in this session"</caption>
            <thead>
                <tr>
                    <th scope="col" class="number">"#"</th>
                    <th scope="col">"Request"</th>
                    <th scope="col" class="number">"Read → returned"</th>
                    <th scope="col" class="number size">"Size"</th>
                    <th scope="col" class="picture"><span class="visually-hidden">"Bar"</span></th>
                    <th scope="col" class="number">"Units"</th>
                    <th scope="col"><span class="visually-hidden">"Run again"</span></th>
                </tr>
            </thead>
            <tbody>
                <For each=move || history.get() key=row_key let:row><Request row /></For>
            </tbody>
        </table>
    }
    .into_any()
}

/// What makes a row another one: a next page changes an entry under its number.
fn row_key(row: &HistoryRow) -> (u32, String, String) {
    (row.number, row.outcome_text.clone(), row.units_text.clone())
}

/// One request; pressing it opens it again.
#[component]
fn Request(
    /// The request.
    row: HistoryRow,
) -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let number = row.number;
    view! {
        <tr
            class:is-error=row.is_error
            aria-current=move || (workspace.history.number() == Some(number)).then_some("true")
            on:click=move |_| workspace.reopen(number)
        >
            <td class="number quiet">{number}</td>
            <th scope="row">
                <button class="open" type="button">
                    <span class="operation">{row.operation}</span>
                    <span class="label">{row.label}</span>
                </button>
            </th>
            <td class="number outcome">{row.outcome_text}</td>
            <td class="number size">{row.size_text}</td>
            <td class="picture"><SegmentBar segments=row.bar /></td>
            <td class="number units">{row.units_text}</td>
            <td class="number">
                <button class="icon-button is-small" type="button" aria-label=format!("Run request {number} again") title="Run again"
                    on:click=move |event| {
                        event.stop_propagation();
                        workspace.run_again(number);
                    }>
                    <Icon name="run" is_small=true />
                </button>
            </td>
        </tr>
    }
    .into_any()
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
        let html = html(run, || view! { <HistoryDrawer /> });
        let rows: Vec<&str> = html.split("<tr").skip(2).collect();
        assert_eq!(rows.len(), 2);
        assert!(
            rows[0].contains("aria-current=\"true\"") && rows[0].contains("Run request 2 again")
        );
        assert!(!rows[1].contains("aria-current"));
    }
}
