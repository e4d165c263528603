//! The stage: tabs of a table and its indexes, the sentence of the open request, the table, the history.

use hashrange_playground::view::{OutlineTable, Target};
use leptos::prelude::*;

use super::history::HistoryDrawer;
use super::items::ItemsGrid;
use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::{Icon, Views};

/// The middle of the page.
#[component]
pub(crate) fn Stage() -> impl IntoView {
    view! {
        <main class="stage-panel" tabindex="-1">
            <div class="tabs">
                <TargetTabs />
                <div class="end"><UndoRedo /></div>
            </div>
            <Strip />
            <ItemsGrid />
            <HistoryDrawer />
        </main>
    }
    .into_any()
}

/// Tabs of the table in view and of each of its indexes.
#[component]
fn TargetTabs() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let shown = workspace.screen.target();
    let tabs = Memo::new(move |_| {
        let table = shown.get()?.table;
        workspace.session.outline().with(|outline| {
            outline.tables.iter().find(|candidate| candidate.name == table).map(tabs_of)
        })
    });
    view! {
        <div class="list" role="tablist" aria-label="Table and indexes" on:keydown=move |event| walk_tabs(&event)>
            {move || {
                let tabs = tabs.get().unwrap_or_default();
                tabs.into_iter().map(|(target, note)| view! { <TargetTab target note /> }).views()
            }}
        </div>
    }
}

/// Targets of a table with what their tabs note.
fn tabs_of(table: &OutlineTable) -> Vec<(Target, String)> {
    let own = (Target { table: table.name.clone(), index: None }, String::new());
    let indexes = table.indexes.iter().map(|index| {
        let note = if index.n_entries == table.n_items {
            format!("{} · {}", index.kind, index.n_entries)
        } else {
            format!("{} · {} of {}", index.kind, index.n_entries, table.n_items)
        };
        (Target { table: table.name.clone(), index: Some(index.name.clone()) }, note)
    });
    std::iter::once(own).chain(indexes).collect()
}

/// One tab.
#[component]
fn TargetTab(
    /// What it shows.
    target: Target,
    /// What it notes beside the name.
    note: String,
) -> impl IntoView {
    let screen = expect_context::<Workspace>().screen;
    let shown = screen.target();
    let name = target.index.clone().unwrap_or_else(|| target.table.clone());
    let icon = if target.index.is_some() { "index" } else { "table" };
    let own = target.clone();
    let is_shown = Memo::new(move |_| shown.get().as_ref() == Some(&own));
    view! {
        <button
            class="tab"
            role="tab"
            type="button"
            aria-selected=move || if is_shown.get() { "true" } else { "false" }
            aria-controls="items"
            tabindex=move || if is_shown.get() { "0" } else { "-1" }
            on:click=move |_| screen.show_target(target.clone())
        >
            <Icon name=icon is_small=true />
            {name}
            <span class="note">{note}</span>
        </button>
    }
    .into_any()
}

/// Arrow keys, Home and End walk from tab to tab and show what they reach.
fn walk_tabs(event: &leptos::ev::KeyboardEvent) {
    if crate::browser::tabs::walk(event) {
        event.prevent_default();
    }
}

/// Undo and redo of writes.
#[component]
fn UndoRedo() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let label = Memo::new(move |_| workspace.session.undo_label());
    let can_redo = Memo::new(move |_| workspace.session.can_redo());
    let title = move || {
        label
            .get()
            .map_or_else(|| "Nothing to undo".to_owned(), |label| format!("Undo {label} (Ctrl+Z)"))
    };
    view! {
        <button class="icon-button is-small undo" type="button" aria-label="Undo" title=title
            disabled=move || label.get().is_none() on:click=move |_| workspace.undo()>
            <Icon name="undo" is_small=true />
        </button>
        <button class="icon-button is-small redo" type="button" aria-label="Redo" title="Redo (Ctrl+Shift+Z)"
            disabled=move || !can_redo.get() on:click=move |_| workspace.redo()>
            <Icon name="redo" is_small=true />
        </button>
        <button class="button is-small" type="button" disabled=move || workspace.screen.target().get().is_none()
            on:click=move |_| write_item(workspace)>
            <Icon name="plus" is_small=true />
            "Item"
        </button>
    }
    .into_any()
}

fn write_item(workspace: Workspace) {
    if let Some(target) = workspace.screen.target().get_untracked() {
        workspace.write("PutItem", Target { index: None, ..target });
    }
}

/// The sentence of the open request, marked while it lights the table.
#[component]
fn Strip() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let history = workspace.history;
    let sentence = move || {
        let is_lit = history.lit().is_some();
        history.entry().get().map(|entry| {
            let lead = format!("{} {}", entry.operation, entry.number);
            let is_lit = is_lit && entry.read_target.is_some();
            match entry.sentence.strip_prefix(&lead) {
                Some(rest) => (is_lit, lead, rest.to_owned()),
                None => (is_lit, String::new(), entry.sentence),
            }
        })
    };
    let said = move |(is_lit, lead, rest): (bool, String, String)| {
        let swatch =
            is_lit.then(|| view! { <span class="swatch" aria-hidden="true"></span> }.into_any());
        let clear = is_lit.then(|| view! {
            <button class="button is-quiet is-small" type="button" on:click=move |_| history.clear_light()>"Clear"</button>
        }.into_any());
        view! { {swatch}<p><b>{lead}</b>{rest}</p>{clear} }.into_any()
    };
    let nothing =
        || view! { <p class="quiet">"Run a Query or a Scan to see what it reads."</p> }.into_any();
    view! { <div class="strip">{move || sentence().map_or_else(nothing, said)}</div> }.into_any()
}
