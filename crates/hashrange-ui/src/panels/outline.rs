//! The left column: tables with their indexes, entities, access patterns.

use hashrange_playground::view::{
    OutlineEntity, OutlineIndex, OutlinePattern, OutlineTable, Target,
};
use leptos::prelude::*;

use crate::signal::Memo;
use crate::state::screen::Pane;
use crate::state::workspace::Workspace;
use crate::widgets::{Icon, Views};

/// Tables with their indexes, entities, and the questions the design answers.
#[component]
pub(crate) fn OutlineColumn() -> impl IntoView {
    let outline = expect_context::<Workspace>().session.outline();
    view! {
        <nav class="outline-panel" aria-label="Design">
            <section aria-label="Tables">
                <header><h2>"Tables"</h2></header>
                <Show when=move || outline.with(|outline| outline.tables.is_empty())>
                    <p class="none">"No tables. A CreateTable request makes one."</p>
                </Show>
                <ul>{move || outline.get().tables.into_iter().map(|table| view! { <Table table /> }).views()}</ul>
            </section>
            <section aria-label="Entities">
                <header><h2>"Entities"</h2></header>
                <Show when=move || outline.with(|outline| outline.entities.is_empty())>
                    <p class="none">"None described."</p>
                </Show>
                <ul>{move || outline.get().entities.into_iter().map(|entity| view! { <Entity entity /> }).views()}</ul>
            </section>
            <section aria-label="Access patterns">
                <header><h2>"Access patterns"</h2></header>
                <Show when=move || outline.with(|outline| outline.patterns.is_empty())>
                    <p class="none">"None described."</p>
                </Show>
                <ol>{move || outline.get().patterns.into_iter().map(|pattern| view! { <Pattern pattern /> }).views()}</ol>
            </section>
        </nav>
    }
    .into_any()
}

/// A table and, below it, its indexes.
#[component]
fn Table(
    /// The table.
    table: OutlineTable,
) -> impl IntoView {
    let target = Target { table: table.name.clone(), index: None };
    let indexes = table.indexes.into_iter().map(|index| {
        let target = Target { table: table.name.clone(), index: Some(index.name.clone()) };
        view! { <Index index target /> }
    });
    let indexes = indexes.views();
    view! {
        <li>
            <TargetButton target class="entry">
                <Icon name="table" is_small=true />
                <span class="name">{table.name.clone()}</span>
                <span class="count">{table.n_items}<span class="visually-hidden">" items"</span></span>
            </TargetButton>
        </li>
        {indexes}
    }
    .into_any()
}

/// An index of a table.
#[component]
fn Index(
    /// The index.
    index: OutlineIndex,
    /// Where it is.
    target: Target,
) -> impl IntoView {
    view! {
        <li>
            <TargetButton target class="entry is-index">
                <Icon name="index" is_small=true />
                <span class="name">{index.name}</span>
                <span class="detail">{index.kind}</span>
                <span class="count">{index.n_entries}<span class="visually-hidden">" entries"</span></span>
            </TargetButton>
        </li>
    }
    .into_any()
}

/// A button that shows a table or index.
#[component]
fn TargetButton(
    /// What it shows.
    target: Target,
    /// Its classes.
    class: &'static str,
    /// What it says.
    children: Children,
) -> impl IntoView {
    let screen = expect_context::<Workspace>().screen;
    let shown = screen.target();
    let own = target.clone();
    view! {
        <button
            class=class
            type="button"
            aria-current=move || (shown.get().as_ref() == Some(&own)).then_some("true")
            on:click=move |_| {
                screen.show_target(target.clone());
                screen.show_pane(Pane::Data);
            }
        >
            {children()}
        </button>
    }
}

/// An entity and how many items are one.
#[component]
fn Entity(
    /// The entity.
    entity: OutlineEntity,
) -> impl IntoView {
    view! {
        <li class="entry">
            <span class="tag" data-slot=entity.slot.to_string() aria-hidden="true">{entity.letter}</span>
            <span class="name">{entity.name}</span>
            <span class="prefix">{entity.prefix}</span>
            <span class="count">{entity.n_items}<span class="visually-hidden">" items"</span></span>
        </li>
    }
    .into_any()
}

/// A question the design answers; pressing it runs its request and lights what that read.
#[component]
fn Pattern(
    /// The pattern.
    pattern: OutlinePattern,
) -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let title = format!("{}: {}", pattern.operation, pattern.words);
    let number = pattern.number;
    let words = pattern.words.clone();
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
    view! {
        <li>
            <button
                class="entry is-pattern"
                type="button"
                title=title
                aria-current=move || is_open.get().then_some("true")
                on:click=move |_| workspace.run_pattern(number)
            >
                <span class="ordinal">{number}</span>
                <span class="name">{words}</span>
                <span class="count">{pattern.units_text}</span>
            </button>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_outline_lists_tables_entities_and_the_pattern_that_ran() {
        let html = html(|_| {}, || view! { <OutlineColumn /> });
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
        "]]
        .assert_eq(&words(&html));
        assert_eq!(html.matches("aria-current=\"true\"").count(), 2, "{html}");
    }
}
