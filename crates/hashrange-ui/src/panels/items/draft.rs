//! A new item on its way, dashed until it has its keys: an entity's slots, or the keys themselves, then the rest.

use hashrange_playground::view::{AttributeField, DraftField, ItemDraft};
use leptos::prelude::expect_context;

use super::editor;
use crate::markup::{Element, IntoNode, Node, el, nodes};
use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// What of a draft changes which fields there are.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    table: String,
    entity: Option<String>,
    slots: Vec<String>,
    n_fields: usize,
}

/// The draft, if it belongs to the table in view.
pub(super) fn card() -> Node {
    let workspace = expect_context::<Workspace>();
    let (items, grid) = (workspace.items, workspace.grid);
    let shape = Memo::new(move |_| {
        grid.places().get()[1]?;
        items.draft.with(|draft| {
            let draft = &draft.as_ref()?.0;
            Some(Shape {
                table: draft.table.clone(),
                entity: draft.entity.clone(),
                slots: draft.slots.iter().map(|(name, _)| name.clone()).collect(),
                n_fields: draft.fields.len(),
            })
        })
    });
    (move || shape.get().map(|shape| drawn(workspace, &shape))).into_node()
}

fn drawn(workspace: Workspace, shape: &Shape) -> Element {
    let items = workspace.items;
    let draft = items.draft.get_untracked().map(|draft| draft.0).unwrap_or_default();
    let view = Memo::new(move |_| {
        let draft = items.draft.get().map(|draft| draft.0).unwrap_or_default();
        workspace.session.ask(|session| session.draft_view(&draft))
    });
    let entities = workspace.session.ask(|session| session.entities_of(&shape.table));
    let known = view.get_untracked().fields;
    let field = |(at, field): (usize, &AttributeField)| {
        let known = known.get(at).cloned().unwrap_or_default();
        let made =
            move || view.with(|view| view.fields.get(at).and_then(|field| field.made.clone()));
        draft_field(workspace, at, field, &known, made)
    };
    let missing = move || view.with(|view| view.missing.clone());
    let is_ready = move || view.with(|view| view.missing.is_empty());
    let keep = el("button.button.is-small.is-primary")
        .attr("disabled", move || !is_ready())
        .on_click(move || workspace.keep_draft());
    let add = el("button.button.is-small").on_click(move || {
        items.change_draft(|draft| {
            let kind = "S".to_owned();
            draft.fields.push(AttributeField { kind, ..AttributeField::default() });
        });
    });
    let drop = el("button.button.is-small.is-quiet").on_click(move || workspace.drop_draft());
    el("section.draft-card")
        .attr("id", "draft-card")
        .attr("aria-label", "New item, not kept yet")
        .on_key(move |event| match event.key().as_str() {
            "Escape" => crate::browser::focus::now(items.place),
            "Enter" if is_ready() && !crate::browser::dom::is_in(event, "button") => {
                workspace.keep_draft();
                event.prevent_default();
            }
            _ => {}
        })
        .child(
            el("header")
                .child(el("span.pill").child("draft"))
                .child((!entities.is_empty()).then(|| entity_choice(workspace, &draft, entities)))
                .child(keep.child("Keep item"))
                .child(add.child(small_icon("plus")).child("Attribute"))
                .child(drop.child("Discard")),
        )
        .child(
            el("div.fields").children(
                (0..).zip(&draft.slots).map(|(at, slot)| slot_field(workspace, at, slot)),
            ),
        )
        .child(el("div.fields").children(draft.fields.iter().enumerate().map(field)))
        .child(el("p.missing").child(missing))
        .child(el("p.problem").attr("role", "alert").child(move || items.draft_problem.get()))
}

fn entity_choice(workspace: Workspace, draft: &ItemDraft, entities: Vec<String>) -> Element {
    let chosen = draft.entity.clone();
    let option = |name: String| {
        let is_chosen = chosen.as_deref().unwrap_or_default() == name;
        let words = if name.is_empty() { "no entity".to_owned() } else { name.clone() };
        el("option").attr("value", name).attr("selected", is_chosen).child(words)
    };
    let all = std::iter::once(String::new()).chain(entities);
    el("select.select")
        .attr("aria-label", "Entity of the new item")
        .on_value("change", move |name| workspace.draft_as(&name))
        .child(nodes(all.map(option)))
}

fn slot_field(workspace: Workspace, at: usize, slot: &(String, String)) -> Element {
    let items = workspace.items;
    let input = el("input.field").attr("spellcheck", "false").value(slot.1.clone()).on_value(
        "input",
        move |text| {
            items.change_draft(|draft| {
                if let Some(slot) = draft.slots.get_mut(at) {
                    slot.1 = text;
                }
            });
        },
    );
    el("label.slot").child(el("span").child(format!("{{{}}}", slot.0))).child(input)
}

fn draft_field(
    workspace: Workspace,
    at: usize,
    field: &AttributeField,
    known: &DraftField,
    made: impl Fn() -> Option<String> + 'static,
) -> Element {
    let items = workspace.items;
    let change = move |change: &dyn Fn(&mut AttributeField)| {
        items.change_draft(|draft| {
            if let Some(field) = draft.fields.get_mut(at) {
                change(field);
            }
        });
    };
    let name = if field.name.is_empty() {
        el("input.field.name")
            .attr("aria-label", "Attribute name")
            .attr("placeholder", "name")
            .on_value("input", move |text| change(&|field| field.name.clone_from(&text)))
    } else {
        el("span.name").child(field.name.clone())
    };
    let spec = if known.is_key { "div.draft-field.is-key" } else { "div.draft-field" };
    if known.made.is_some() {
        return el(spec).child(name).child(el("output").child(made));
    }
    let kind =
        editor::kinds(format!("Type of {}", field.name), &field.kind, known.is_key, move |kind| {
            change(&|field| field.kind.clone_from(&kind));
        });
    let text = el("input.field")
        .attr("aria-label", format!("Value of {}", field.name))
        .attr("spellcheck", "false")
        .value(field.text.clone())
        .on_value("input", move |text| change(&|field| field.text.clone_from(&text)));
    el(spec).child(name).child(kind).child(text)
}
