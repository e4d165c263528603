//! The left column: tables with their indexes, entities, access patterns.

use hashrange_playground::view::{
    OutlineEntity, OutlineIndex, OutlinePattern, OutlineTable, Target,
};
use leptos::prelude::expect_context;

use super::{design, forms, guide};
use crate::markup::{Element, IntoNode, el, nodes};
use crate::signal::Memo;
use crate::state::forms::Form;
use crate::state::screen::{Pane, StageView};
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// Tables with their indexes, entities, and the questions the design answers.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let outline = workspace.session.outline();
    let tables = move || nodes(outline.get().tables.into_iter().map(table));
    let entities = move || nodes(outline.get().entities.into_iter().enumerate().map(entity));
    let patterns = move || nodes(outline.get().patterns.into_iter().map(pattern));
    let no_tables = move || {
        let is_empty = outline.with(|outline| outline.tables.is_empty());
        is_empty.then_some("No tables yet.")
    };
    let no_entities =
        move || outline.with(|outline| outline.entities.is_empty()).then_some("None described.");
    let no_patterns =
        move || outline.with(|outline| outline.patterns.is_empty()).then_some("None described.");
    el("nav.outline-panel")
        .attr("aria-label", "Design")
        .child(section(
            "Tables",
            no_tables,
            el("ul").child(tables),
            ("Add a table", Form::Table(None)),
        ))
        .child(section(
            "Entities",
            no_entities,
            el("ul").child(entities),
            ("Add an entity", Form::Entity(None)),
        ))
        .child(section(
            "Access patterns",
            no_patterns,
            el("ol").child(patterns),
            ("Add an access pattern", Form::Pattern(None)),
        ))
        .child(guide::footer())
        .child(move || notes_button(workspace.design.findings().with(|all| design::n_heard(all))))
}

/// How many design notes there are; pressing it shows them.
fn notes_button(n: usize) -> Option<Element> {
    let screen = expect_context::<Workspace>().screen;
    let words = match n {
        0 => return None,
        1 => "1 design note".to_owned(),
        n => format!("{n} design notes"),
    };
    let show = move || {
        screen.show_view(StageView::Design);
        screen.show_pane(Pane::Result);
    };
    Some(el("button.notes-button").on_click(show).child(small_icon("about")).child(words))
}

/// A titled list; `none` says that it is empty, if it is; `add` is the form of something new in it.
fn section(
    title: &'static str,
    none: impl Fn() -> Option<&'static str> + 'static,
    list: Element,
    (words, add): (&'static str, Form),
) -> Element {
    el("section")
        .attr("aria-label", title)
        .child(
            el("header").child(el("h2").child(title)).child(forms::open_button(words, "plus", add)),
        )
        .child(move || none().map(|words| el("p.none").child(words)))
        .child(list)
}

/// How many there are of what `unit` says.
fn count(n: impl IntoNode, unit: &'static str) -> Element {
    el("span.count").child(n).child(el("span.visually-hidden").child(unit))
}

/// A table and, below it, its indexes.
fn table(table: OutlineTable) -> Vec<Element> {
    let target = Target { table: table.name.clone(), index: None };
    let button = target_button("button.entry", target)
        .child(small_icon("table"))
        .child(el("span.name").child(table.name.clone()))
        .child(count(table.n_items, " items"));
    let mut entries = vec![el("li").child(button)];
    entries.extend(table.indexes.into_iter().map(|own| index(own, table.name.clone())));
    entries
}

/// An index of a table.
fn index(index: OutlineIndex, table: String) -> Element {
    let screen = expect_context::<Workspace>().screen;
    let (of, name) = (table.clone(), index.name.clone());
    let links = el("button.icon-button.is-small")
        .attr("aria-label", format!("Picture of {name}"))
        .attr("title", "Which items are in it, and with what")
        .on_click(move || screen.show_links(&of, &name))
        .child(small_icon("link"));
    let target = Target { table, index: Some(index.name.clone()) };
    let button = target_button("button.entry.is-index", target)
        .child(small_icon("index"))
        .child(el("span.name").child(index.name))
        .child(el("span.detail").child(index.kind))
        .child(count(index.n_entries, " entries"));
    el("li.with-more").child(button).child(links)
}

/// A button that shows a table or index.
fn target_button(spec: &'static str, target: Target) -> Element {
    let screen = expect_context::<Workspace>().screen;
    let shown = screen.target();
    let own = target.clone();
    el(spec)
        .attr("aria-current", move || (shown.get().as_ref() == Some(&own)).then_some("true"))
        .on_click(move || {
            screen.show_target(target.clone());
            screen.show_pane(Pane::Data);
        })
}

/// An entity and how many items are one; pressing it opens its form.
fn entity((at, entity): (usize, OutlineEntity)) -> Element {
    let tag = el("span.tag")
        .attr("data-slot", entity.slot.to_string())
        .attr("aria-hidden", "true")
        .child(entity.letter);
    let workspace = expect_context::<Workspace>();
    let button = el("button.entry")
        .attr("title", format!("Edit {}", entity.name))
        .on_click(move || workspace.open_form(Form::Entity(Some(at))))
        .child(tag)
        .child(el("span.name").child(entity.name))
        .child(el("span.prefix").child(entity.prefix))
        .child(count(entity.n_items, " items"));
    el("li").child(button)
}

/// A question the design answers; pressing it runs its request and lights what that read.
fn pattern(pattern: OutlinePattern) -> Element {
    let workspace = expect_context::<Workspace>();
    let number = pattern.number;
    let request = workspace.session.pattern_request(number);
    let entry = workspace.history.entry();
    let is_open = Memo::new(move |_| {
        entry.with(|entry| match (entry, &request) {
            (Some(entry), Some((operation, text))) => {
                entry.operation == *operation && entry.request == *text
            }
            _ => false,
        })
    });
    let sign = (!pattern.glyph.is_empty()).then(|| design::status(pattern.glyph, pattern.status));
    let button = el("button.entry.is-pattern")
        .attr("title", format!("{}: {}", pattern.operation, pattern.words))
        .attr("aria-current", move || is_open.get().then_some("true"))
        .on_click(move || workspace.run_pattern(number))
        .child(el("span.ordinal").child(number))
        .child(sign)
        .child(el("span.name").child(pattern.words))
        .child(el("span.count").child(pattern.units_text));
    el("li").child(button)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_outline_lists_tables_entities_and_the_pattern_that_ran() {
        let html = html(|_| {}, panel);
        expect![[r"
            Tables
            OrgDirectory
            24
            items
            GSI1
            inverted
            24
            entries
            isOnHold
            sparse
            3
            entries
            SensorEvents
            40
            items
            bySensor
            global
            40
            entries
            Entities
            O
            Organisation
            ORG#
            2
            items
            P
            Project
            PROJECT#
            11
            items
            E
            Employee
            EMPLOYEE#
            5
            items
            A
            Assignment
            EMPLOYEE#
            6
            items
            S
            Sensor event
            ORG#
            40
            items
            Access patterns
            1
            Get an organisation
            2
            Organisation's projects
            3
            All of an organisation
            4
            Projects on hold
            3.5 RCU
            5
            Project's employees
            6
            Employee's projects
            7
            Find a project by name
            8
            Update a project
            9
            Record a sensor event
            Guided, 5 steps
        "]]
        .assert_eq(&words(&html));
        assert_eq!(html.matches("aria-current=\"true\"").count(), 2, "{html}");
    }
}
