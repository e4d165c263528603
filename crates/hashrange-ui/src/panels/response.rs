//! The result of the open request: pages, items or JSON, or why it was refused.

use hashrange_playground::view::{
    EntryView, ErrorView, ItemsTable, PageView, ReasonView, ResultView,
};
use leptos::prelude::*;

use crate::browser::clipboard;
use crate::signal::{Memo, RwSignal, Signal};
use crate::state::workspace::Workspace;
use crate::widgets::{Icon, InkedText, Segment, Views};

/// The console's middle part.
#[component]
pub(crate) fn Response() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let entry = workspace.history.entry();
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
    let body = move || {
        match entry.get().map(|entry| entry.outcome) {
        Some(Ok(result)) => view! { <Reply result format /> }.into_any(),
        Some(Err(error)) => view! { <Refusal error /> }.into_any(),
        None => view! {
            <div class="empty"><h3>"Nothing has run yet"</h3><p>"The result of a request appears here, with what it cost."</p></div>
        }
        .into_any(),
    }
    };
    view! {
        <section class="response-panel" aria-label="Result">
            <header>
                <h2>"Result"</h2>
                <span class="summary">{summary}</span>
                <span class="end">
                    <Show when=move || has_table.get()>
                        <Segment label="Result format" words=&["Table", "JSON"] chosen=format on_choose=move |word| format.set(word) />
                    </Show>
                </span>
            </header>
            {body}
        </section>
    }
    .into_any()
}

fn table_of(entry: Option<&EntryView>) -> Option<&ItemsTable> {
    entry?.outcome.as_ref().ok()?.table.as_ref()
}

/// A successful reply.
#[component]
fn Reply(
    /// The reply.
    result: ResultView,
    /// `Table` or `JSON`.
    format: RwSignal<&'static str>,
) -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let pages =
        (result.pages.len() > 1 || result.next_page_request.is_some()).then_some(result.pages);
    let next = result.next_page_request.map(|_| view! {
        <p class="more">
            <button class="button" type="button" on:click=move |_| workspace.next_page()>"Next page"</button>
            <span class="note">{result.next_member}" says there may be more."</span>
        </p>
    }.into_any());
    let (table, json) = (StoredValue::new(result.table), StoredValue::new(result.json));
    let content = move || match table.get_value() {
        Some(table) if format.get() == "Table" => view! { <Items table /> }.into_any(),
        _ => view! { <Json json=json.get_value() /> }.into_any(),
    };
    view! {
        {pages.map(|pages| view! { <Pages pages /> })}
        {content}
        {next}
    }
    .into_any()
}

/// The pages followed so far.
#[component]
fn Pages(
    /// The pages, in order.
    pages: Vec<PageView>,
) -> impl IntoView {
    let page = |(number, page): (usize, PageView)| {
        let title = format!("Page {}", number + 1);
        view! { <li><b>{title}</b>" · "{page.text}<span>{page.end_text}</span></li> }
    };
    view! { <ol class="pages" aria-label="Pages">{pages.into_iter().enumerate().map(page).views()}</ol> }.into_any()
}

/// The items as a table.
#[component]
fn Items(
    /// The items.
    table: ItemsTable,
) -> impl IntoView {
    let are_numbers: Vec<bool> = table.columns.iter().map(|column| column.is_number).collect();
    let class = |is_number: bool| if is_number { "number" } else { "" };
    let name = |column: hashrange_playground::view::GridColumn| {
        view! { <th scope="col" class=class(column.is_number)>{column.name}</th> }
    };
    let row = |(cells, size): (Vec<String>, String)| {
        let cell = |(text, is_number): (String, &bool)| {
            view! { <td class=class(*is_number) title=text.clone()>{text.clone()}</td> }
        };
        let cells: Vec<_> = cells.into_iter().zip(&are_numbers).map(cell).collect();
        view! { <tr>{cells}<td class="number">{size}</td></tr> }
    };
    let left_out = (table.n_left_out > 0).then(|| view! {
        <p class="note">{format!("{} more items are not listed here; JSON and the table above have them.", table.n_left_out)}</p>
    }.into_any());
    view! {
        <div class="table" tabindex="0" role="region" aria-label="Items returned">
            <table class="data-table">
                <thead><tr>{table.columns.into_iter().map(name).views()}<th scope="col" class="number">"Size"</th></tr></thead>
                <tbody>{table.rows.into_iter().map(row).views()}</tbody>
            </table>
        </div>
        {left_out}
    }
    .into_any()
}

/// The reply as DynamoDB JSON.
#[component]
fn Json(
    /// The text.
    json: String,
) -> impl IntoView {
    let text = StoredValue::new(json.clone());
    view! {
        <pre class="code" tabindex="0" aria-label="Reply, DynamoDB JSON"><InkedText text=Signal::stored(json) /></pre>
        <p class="more">
            <button class="button is-small" type="button" on:click=move |_| clipboard::copy(&text.get_value())>
                <Icon name="copy" is_small=true />
                "Copy"
            </button>
        </p>
    }
    .into_any()
}

/// Why a request was refused.
#[component]
fn Refusal(
    /// The refusal.
    error: ErrorView,
) -> impl IntoView {
    let is_condition = error.name.contains("Condition");
    let class = if is_condition { "message is-part" } else { "message is-bad" };
    let icon = if is_condition { "part" } else { "scan" };
    let explanation = (!error.explanation.is_empty())
        .then(|| view! { <p class="plain">{error.explanation}</p> }.into_any());
    let reason = |reason: ReasonView| {
        let class = if reason.is_to_blame { "reason is-to-blame" } else { "reason" };
        view! { <p class=class>{reason.text}</p> }
    };
    let reasons = error.reasons.into_iter().map(reason).views();
    let item = error.item_json.map(|json| {
        view! { <pre class="code"><InkedText text=Signal::stored(json) /></pre> }.into_any()
    });
    view! {
        <div class=class>
            <h3><Icon name=icon />{error.name}</h3>
            <p>{error.message}</p>
            {explanation}
            {reasons}
            {item}
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_first_visit_shows_both_pages_and_what_they_returned() {
        let html = html(|_| {}, || view! { <Response /> });
        expect![[r"
            Result
            2 items in 2 pages
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
        let html = html(run, || view! { <Response /> });
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
        let html = html(run, || view! { <Response /> });
        assert!(!html.contains("<img"), "{html}");
    }
}
