//! The stage: tabs of a table and its indexes, the sentence of the open request, the table, the history.

use hashrange_playground::view::{OutlineTable, Target};
use leptos::prelude::expect_context;

use super::{compare, cost, design, guide, history, items, links};
use crate::browser::tabs;
use crate::markup::{Element, IntoNode, Node, aria, el, nodes};
use crate::signal::Memo;
use crate::state::forms::Form;
use crate::state::screen::StageView;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The middle of the page.
pub(crate) fn panel() -> Element {
    let screen = expect_context::<Workspace>().screen;
    el("main.stage-panel")
        .attr("tabindex", "-1")
        .attr("data-view", move || screen.view().word())
        .child(
            el("div.tabs")
                .child(views())
                .child(target_tabs())
                .child(el("div.end").children(undo_redo()).child(additions)),
        )
        .child(el("div.strip").child(strip))
        .child(items::panel())
        .child(history::panel())
        .child(move || match screen.view() {
            StageView::Data => None,
            StageView::Design => Some(design::panel()),
            StageView::Links => Some(links::panel()),
            StageView::Cost => Some(cost::panel()),
            StageView::Guide => Some(guide::panel()),
            StageView::Compare => Some(compare::panel()),
        })
}

/// What the stage can show.
fn views() -> Element {
    let screen = expect_context::<Workspace>().screen;
    let button = |(view, words): (StageView, &'static str)| {
        el("button")
            .attr("aria-pressed", move || aria(screen.view() == view))
            .on_click(move || screen.show_view(view))
            .child(words)
    };
    let views = [
        (StageView::Data, "Data"),
        (StageView::Design, "Design"),
        (StageView::Links, "Index"),
        (StageView::Cost, "Cost"),
        (StageView::Compare, "Compare"),
    ];
    el("span.segment").attr("role", "group").attr("aria-label", "View").children(views.map(button))
}

/// Tabs of the table in view and of each of its indexes.
fn target_tabs() -> Element {
    let workspace = expect_context::<Workspace>();
    let shown = workspace.screen.target();
    let tabs = Memo::new(move |_| {
        let table = shown.get()?.table;
        workspace.session.outline().with(|outline| {
            outline.tables.iter().find(|candidate| candidate.name == table).map(tabs_of)
        })
    });
    let drawn = move || {
        let tabs = tabs.get().unwrap_or_default();
        nodes(tabs.into_iter().map(|(target, note)| target_tab(target, note)))
    };
    el("div.list")
        .attr("role", "tablist")
        .attr("aria-label", "Table and indexes")
        // Arrow keys, Home and End walk from tab to tab and show what they reach.
        .on_key(|event| {
            if tabs::walk(event) {
                event.prevent_default();
            }
        })
        .child(drawn)
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

/// The tab of a target, with a note beside its name.
fn target_tab(target: Target, note: String) -> Element {
    let screen = expect_context::<Workspace>().screen;
    let shown = screen.target();
    let name = target.index.clone().unwrap_or_else(|| target.table.clone());
    let picture = if target.index.is_some() { "index" } else { "table" };
    let own = target.clone();
    let is_shown = Memo::new(move |_| shown.get().as_ref() == Some(&own));
    el("button.tab")
        .attr("role", "tab")
        .attr("aria-selected", move || aria(is_shown.get()))
        .attr("aria-controls", "items")
        .attr("tabindex", move || if is_shown.get() { "0" } else { "-1" })
        .on_click(move || screen.show_target(target.clone()))
        .child(small_icon(picture))
        .child(name)
        .child(el("span.note").child(note))
}

/// Undo and redo of writes.
fn undo_redo() -> [Element; 2] {
    let workspace = expect_context::<Workspace>();
    let label = Memo::new(move |_| workspace.session.undo_label());
    let can_redo = Memo::new(move |_| workspace.session.can_redo());
    let title = move || match label.get() {
        Some(label) => format!("Undo {label} (Ctrl+Z)"),
        None => "Nothing to undo".to_owned(),
    };
    let undo = el("button.icon-button.is-small.undo")
        .attr("aria-label", "Undo")
        .attr("title", title)
        .attr("disabled", move || label.get().is_none())
        .on_click(move || workspace.undo())
        .child(small_icon("undo"));
    let redo = el("button.icon-button.is-small.redo")
        .attr("aria-label", "Redo")
        .attr("title", "Redo (Ctrl+Shift+Z)")
        .attr("disabled", move || !can_redo.get())
        .on_click(move || workspace.redo())
        .child(small_icon("redo"));
    [undo, redo]
}

/// What can be added to what is shown.
fn additions() -> Node {
    let workspace = expect_context::<Workspace>();
    let button =
        |words: &'static str| el("button.button.is-small").child(small_icon("plus")).child(words);
    let form = |words: &'static str, form: Form| {
        button(words).on_click(move || workspace.open_form(form.clone()))
    };
    match workspace.screen.view() {
        StageView::Design => {
            vec![form("Entity", Form::Entity(None)), form("Access pattern", Form::Pattern(None))]
                .into_node()
        }
        StageView::Data => {
            let find = el("button.button.is-small.is-quiet")
                .attr("title", "Find in items (Ctrl+F in the table)")
                .on_click(move || workspace.show_find(true))
                .child("Find");
            let item = button("Item")
                .attr("disabled", move || workspace.screen.target().get().is_none())
                .on_click(move || workspace.begin_draft());
            vec![find, item].into_node()
        }
        _ => Vec::<Element>::new().into_node(),
    }
}

/// The sentence of the open request, marked while it lights the table.
fn strip() -> Node {
    let history = expect_context::<Workspace>().history;
    let Some(entry) = history.entry().get() else {
        let words = "Run a Query or a Scan to see what it reads.";
        return el("p.quiet").child(words).into_node();
    };
    let is_lit = history.lit().is_some() && entry.read_target.is_some();
    let lead = format!("{} {}", entry.operation, entry.number);
    let (lead, rest) = match entry.sentence.strip_prefix(&lead) {
        Some(rest) => (lead, rest.to_owned()),
        None => (String::new(), entry.sentence),
    };
    let swatch = is_lit.then(|| el("span.swatch").attr("aria-hidden", "true"));
    let clear = is_lit.then(|| {
        el("button.button.is-quiet.is-small").on_click(move || history.clear_light()).child("Clear")
    });
    let sentence = el("p").child(el("b").child(lead)).child(rest);
    vec![swatch, Some(sentence), clear].into_node()
}
