//! The access patterns as rows: what each asks, what serves it and what a call costs.

use hashrange_playground::PatternColumn;
use hashrange_playground::view::{PatternGroupView, PatternRowView};
use leptos::prelude::expect_context;

use super::super::forms;
use super::chart::{add, heading};
use super::{status, tag};
use crate::browser::clipboard;
use crate::markup::{Element, aria, el};
use crate::state::forms::Form;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// Columns that the list can be sorted by.
const COLUMNS: [(&str, PatternColumn, &str); 8] = [
    ("th.number", PatternColumn::Number, "#"),
    ("th", PatternColumn::Status, "Status"),
    ("th", PatternColumn::Words, "In words"),
    ("th", PatternColumn::Operation, "Operation"),
    ("th", PatternColumn::Place, "Key condition and filter"),
    ("th.number", PatternColumn::Units, "Units"),
    ("th.number", PatternColumn::Waste, "Not returned"),
    ("th.number", PatternColumn::Cost, "$/month"),
];

/// The list of patterns with its controls.
pub(super) fn section() -> Element {
    let design = expect_context::<Workspace>().design;
    let is_empty = move || {
        design.patterns().with(|patterns| patterns.groups.iter().all(|it| it.rows.is_empty()))
    };
    let none = move || {
        let words = "No access patterns. Run a request and keep it as a pattern.";
        is_empty().then(|| el("p.none").child(words))
    };
    let changes = move || {
        let changes = design.patterns().with(|patterns| patterns.changes.clone());
        (!changes.is_empty()).then(|| {
            el("ul.changes")
                .attr("aria-label", "What the latest change made different")
                .children(changes.into_iter().map(|change| el("li").child(change)))
        })
    };
    let group = el("label.check")
        .child(el("input").attr("type", "checkbox").checked(move || design.is_by_entity()).on(
            "change",
            move |_| {
                design.group_by_entity(!leptos::prelude::untrack(|| design.is_by_entity()));
            },
        ))
        .child("By entity");
    el("section.patterns")
        .attr("aria-label", "Access patterns")
        .child(
            heading("Access patterns", "Run again after every change.")
                .child(group)
                .child(add("Access pattern", Form::Pattern(None)))
                .child(copy()),
        )
        .child(changes)
        .child(none)
        .child(el("div.scroll").attr("tabindex", "0").child(table()))
}

fn copy() -> Element {
    let workspace = expect_context::<Workspace>();
    let copy = move || {
        clipboard::copy(
            &workspace.session.checked(hashrange_playground::Session::patterns_as_markdown),
        );
        workspace.screen.announce("The access patterns were copied as Markdown.");
    };
    el("button.button.is-small").on_click(copy).child(small_icon("copy")).child("Copy as Markdown")
}

fn table() -> Element {
    let design = expect_context::<Workspace>().design;
    let title = move |(spec, column, words): (&'static str, PatternColumn, &'static str)| {
        let button = el("button.sort").on_click(move || design.sort_by(column)).child(words);
        el(spec).attr("scope", "col").attr("aria-sort", move || design.sorted(column)).child(button)
    };
    let groups = move || {
        let groups = design.patterns().with(|patterns| patterns.groups.clone());
        groups.into_iter().map(group).collect::<Vec<_>>()
    };
    el("table.data-table")
        .child(el("caption.visually-hidden").child("Access patterns and what serves them"))
        .child(el("thead").child(el("tr").children(COLUMNS.map(title))))
        .child(groups)
}

fn group(group: PatternGroupView) -> Element {
    let title = (!group.title.is_empty()).then(|| {
        let title = el("th").attr("scope", "rowgroup").attr("colspan", "8").child(group.title);
        el("tr.group").child(title)
    });
    el("tbody").child(title).children(group.rows.into_iter().map(pattern))
}

/// One pattern; pressing it opens what is known of it.
fn pattern(row: PatternRowView) -> Element {
    let workspace = expect_context::<Workspace>();
    let number = row.number;
    let is_open = move || (workspace.design.opened() == Some(number)).then_some("true");
    let open = el("button.open")
        .attr("aria-expanded", move || aria(is_open().is_some()))
        .on_click(move || workspace.show_pattern(number))
        .child(row.slot.map(|slot| tag(row.letter, slot)))
        .child(row.words);
    let filter = (!row.filter.is_empty())
        .then(|| el("div.filter").child("then filter ").child(el("code").child(row.filter)));
    let key = if row.key_condition.is_empty() {
        el("span.quiet").child("no key condition")
    } else {
        el("code").child(row.key_condition)
    };
    let test = (row.test == "failed")
        .then(|| el("span.pill.is-bad").attr("title", row.test_text).child("test failed"));
    let was = row.was.map(|it| *it).unwrap_or_default();
    let before = |text: String| (!text.is_empty()).then(|| el("div.was").child("was ").child(text));
    let was_place = match was.operation.as_str() {
        "" => String::new(),
        operation => format!("{operation} · {}", was.place),
    };
    el(if was.operation.is_empty() { "tr" } else { "tr.is-draft" })
        .attr("aria-current", is_open)
        .child(el("td.number.quiet").child(number))
        .child(el("td").child(status(row.glyph, row.status)))
        .child(el("th").attr("scope", "row").child(open).child(test).child(forms::open_button(
            "Edit this pattern",
            "edit",
            Form::Pattern(Some(number)),
        )))
        .child(
            el("td")
                .child(before(was_place))
                .child(row.operation)
                .child(el("span.quiet").child(format!(" · {}", row.place))),
        )
        .child(el("td.condition").child(key).child(filter))
        .child(el("td.number.units").child(before(was.units_text)).child(row.units_text))
        .child(el("td.number").child(or_dash(row.waste_text)))
        .child(el("td.number").child(or_dash(row.month_text)))
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "–".to_owned() } else { text }
}

/// The button that runs a pattern and lights what it reads.
pub(super) fn run_button(number: u32) -> Element {
    let workspace = expect_context::<Workspace>();
    el("button.button.is-primary.is-small")
        .on_click(move || workspace.run_pattern(number))
        .child(small_icon("run"))
        .child("Run it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{html, words};

    fn drawn() -> String {
        html(|workspace| workspace.design.run_all(), section)
    }

    #[test]
    fn each_pattern_says_what_serves_it_and_what_a_call_costs() {
        let words = words(&drawn());
        assert!(words.contains("Projects on hold\nQuery\n· OrgDirectory"), "{words}");
        assert!(words.contains("then filter"), "{words}");
        assert!(words.contains("needs a Scan"), "{words}");
        assert!(words.contains("$/month") && words.contains("$1,018.35"), "{words}");
    }

    #[test]
    fn the_list_is_in_the_order_of_its_numbers_at_first() {
        let html = drawn();
        assert_eq!(html.matches("aria-sort=\"ascending\"").count(), 1);
        assert_eq!(html.matches("<tr").count(), 10);
    }
}
