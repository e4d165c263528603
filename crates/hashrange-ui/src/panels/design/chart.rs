//! The entity chart: what the keys of each entity are made of, in the table and in each index.

use hashrange_playground::view::{ChartCellView, ChartKeyView, ChartRowView};
use leptos::prelude::expect_context;

use super::super::forms;
use super::tag;
use crate::markup::{Element, IntoNode, Node, el};
use crate::state::forms::Form;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The chart of the table in view.
pub(super) fn section() -> Element {
    let workspace = expect_context::<Workspace>();
    let chart = workspace.design.chart();
    let table = move || {
        let rows = chart.get();
        if rows.is_empty() {
            let words = "No entity describes the items of this table.";
            return el("p.none").child(words).into_node();
        }
        let name = workspace.screen.target().get().map(|target| target.table).unwrap_or_default();
        drawn(&name, &rows)
    };
    el("section.chart")
        .attr("aria-label", "Entity chart")
        .child(
            heading(
                "Entity chart",
                "Key templates by entity. A slot takes its value from the item.",
            )
            .child(add("Entity", Form::Entity(None)))
            .child(add_index),
        )
        .child(el("div.scroll").attr("tabindex", "0").child(table))
}

/// The button that drafts an index of the table in view.
fn add_index() -> Option<Element> {
    let workspace = expect_context::<Workspace>();
    let table = workspace.screen.target().get()?.table;
    let form = Form::Index { table, name: None };
    let button = el("button.button.is-small")
        .on_click(move || workspace.open_form(form.clone()))
        .child(small_icon("plus"))
        .child("Index");
    Some(button)
}

/// On a narrow screen, the button that adds what is listed below; a wide one has it above the views.
pub(super) fn add(words: &'static str, form: Form) -> Element {
    let workspace = expect_context::<Workspace>();
    el("button.button.is-small.is-narrow-only")
        .on_click(move || workspace.open_form(form.clone()))
        .child(small_icon("plus"))
        .child(words)
}

/// A title with a few words beside it.
pub(super) fn heading(title: &'static str, words: &'static str) -> Element {
    el("header").child(el("h2").child(title)).child(el("p.quiet").child(words))
}

fn drawn(table: &str, rows: &[ChartRowView]) -> Node {
    let workspace = expect_context::<Workspace>();
    let draft = workspace.forms.trial().map(|trial| trial.index);
    let is_draft =
        |cell: &ChartCellView| !cell.index.is_empty() && draft.as_ref() == Some(&cell.index);
    let place = |cell: &ChartCellView| {
        let (name, note, form) = if cell.index.is_empty() {
            (table.to_owned(), "base table", Form::Table(Some(table.to_owned())))
        } else {
            let form = Form::Index { table: table.to_owned(), name: Some(cell.index.clone()) };
            (cell.index.clone(), if is_draft(cell) { "draft" } else { "index" }, form)
        };
        let edit = (note != "draft").then(|| forms::open_button("Edit", "edit", form));
        // A draft is no index yet, so no entry can be drawn of it.
        let title = if note == "index" {
            let (table, index) = (table.to_owned(), cell.index.clone());
            el("button.open-links")
                .attr("title", "Which items are in it, and with what")
                .on_click(move || workspace.screen.show_links(&table, &index))
                .child(el("code").child(name))
        } else {
            el("code").child(name)
        };
        el(if note == "draft" { "th.is-draft" } else { "th" })
            .attr("scope", "col")
            .child(title)
            .child(" ")
            .child(el("span.quiet").child(note))
            .child(edit)
    };
    let entity = |row: ChartRowView| {
        let name = el("th").attr("scope", "row").child(tag(row.letter, row.slot)).child(
            el("span.name")
                .child(el("b").child(row.name))
                .child(el("span.quiet").child(row.items_text)),
        );
        let name =
            name.child(forms::open_button("Edit entity", "edit", Form::Entity(Some(row.entity))));
        let cells = row.cells.into_iter().map(|it| {
            let is_draft = is_draft(&it);
            cell(it, is_draft)
        });
        el("tr").attr("data-slot", row.slot.to_string()).child(name).children(cells)
    };
    let places: Vec<Element> =
        rows.first().into_iter().flat_map(|row| &row.cells).map(place).collect();
    let titles = el("tr").child(el("th").attr("scope", "col").child("Entity")).children(places);
    el("table.data-table")
        .child(el("caption.visually-hidden").child("Key templates of each entity"))
        .child(el("thead").child(titles))
        .child(el("tbody").children(rows.iter().cloned().map(entity)))
        .child(el("tfoot").child(try_row(rows)))
        .into_node()
}

/// The row in which values are tried: an entity, its slots, and the keys they make in each place.
fn try_row(rows: &[ChartRowView]) -> Node {
    let workspace = expect_context::<Workspace>();
    let Some(row) = workspace.design.tried_row().get() else { return Node::List(Vec::new()) };
    let option = |row: &ChartRowView| {
        el("option").attr("value", row.entity.to_string()).child(row.name.clone())
    };
    let chosen = row.entity.to_string();
    let entity = el("select.select")
        .attr("aria-label", "Entity to try values of")
        .value(move || chosen.clone())
        .on_value("change", move |at| workspace.design.try_entity(at.parse().unwrap_or(0)))
        .children(rows.iter().map(option));
    let slot = |(name, value): (String, String)| {
        let typed = workspace.design.tried(&name);
        let label = format!("Value of {name}, or a whole key");
        el("input.field")
            .attr("aria-label", label)
            .attr("placeholder", value)
            .value(typed)
            .on_value("input", move |text| workspace.design.try_value(&name, text))
    };
    let head = el("th.try")
        .attr("scope", "row")
        .child(el("span.quiet").child("Try values"))
        .child(entity)
        .children(row.slots.into_iter().map(slot));
    let made = |cell: ChartCellView| {
        if !cell.is_member {
            return el("td.quiet").child("—");
        }
        el("td").children(cell.keys.into_iter().map(|key| {
            let made = if key.problem.is_empty() {
                let text =
                    if key.text.is_empty() { "as the item has it".to_owned() } else { key.text };
                el("code").child(text)
            } else {
                el("span.problem").child(key.problem)
            };
            el("div.key-line").child(el("span.attribute").child(key.attribute)).child(made)
        }))
    };
    el("tr").child(head).children(row.cells.into_iter().map(made)).into_node()
}

fn cell(cell: ChartCellView, is_draft: bool) -> Element {
    let element = el(match (cell.is_member, is_draft) {
        (true, false) => "td",
        (true, true) => "td.is-draft",
        (false, false) => "td.quiet",
        (false, true) => "td.quiet.is-draft",
    });
    if !cell.is_member {
        return element.child("— not in this index");
    }
    element.children(cell.keys.into_iter().map(key))
}

fn key(key: ChartKeyView) -> Element {
    let made = match (key.text.is_empty(), key.problem.is_empty()) {
        (false, _) => Some(el("span.made").child(key.text)),
        (true, false) => Some(el("span.problem").child(key.problem)),
        (true, true) => None,
    };
    let template = if key.template.is_empty() {
        el("span.quiet").child("any value")
    } else {
        pills(&key.template)
    };
    el("div.key-line").child(el("span.attribute").child(key.attribute)).child(template).child(made)
}

/// A template with its slots as pills: `ORG#` and `orgId`.
pub(crate) fn pills(template: &str) -> Element {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((literal, after)) = rest.split_once('{') {
        let Some((slot, next)) = after.split_once('}') else { break };
        if !literal.is_empty() {
            parts.push(el("span").child(literal.to_owned()));
        }
        parts.push(el("span.slot").child(slot.to_owned()));
        rest = next;
    }
    if !rest.is_empty() {
        parts.push(el("span").child(rest.to_owned()));
    }
    el("code.template").children(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_chart_names_every_entity_with_its_templates_and_a_sample() {
        let html = html(|workspace| workspace.design.run_all(), section);
        let words = words(&html);
        assert!(words.contains("Organisation\n2 items\nPK\nORG#\n"), "{words}");
        assert!(words.contains("— not in this index"), "{words}");
    }

    #[test]
    fn a_template_is_cut_into_literals_and_slots() {
        let html = html(|_| {}, || pills("ORG#{org}/P#{p:02}x"));
        assert_eq!(words(&html), "ORG#\norg\n/P#\np:02\nx\n");
    }
}
