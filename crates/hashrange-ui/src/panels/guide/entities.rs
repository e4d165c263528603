//! Step 1: names, attributes and how many there are.

use hashrange_playground::guide::{GuideEntity, GuideEntityView};
use leptos::prelude::expect_context;

use super::field::{form, labelled, refusal, select, tag};
use crate::markup::{Element, el, nodes};
use crate::state::forms::Form;
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

/// The step.
pub(super) fn step() -> Element {
    let guide = expect_context::<Workspace>().guide;
    let rows = move || nodes(guide.view().with(|view| view.entities.clone()).into_iter().map(row));
    let title = move || match guide.entity.get() {
        Some(_) => "Change the entity",
        None => "Add an entity",
    };
    let put = move |change: fn(&mut GuideEntity, String)| {
        move |text: String| {
            let mut form = guide.form.get_untracked();
            change(&mut form, text);
            guide.form.set(form);
        }
    };
    let name = el("input.field")
        .attr("placeholder", "Project")
        .attr("aria-describedby", "guide-entity-problem")
        .value(move || guide.form.get().name)
        .on_value("input", put(|form, text| form.name = text));
    let line = el("input.field")
        .attr("placeholder", "project, name, isOnHold")
        .value(move || guide.form.get().line)
        .on_value("input", put(|form, text| form.line = text));
    let total = el("input.field")
        .attr("inputmode", "numeric")
        .value(move || guide.total.get())
        .on_value("input", move |text| guide.total.set(text));
    let ids = move || {
        let line = guide.form.get().line;
        line.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
    };
    let id = select(
        ["Told apart by", "Its id"],
        ids,
        move || guide.form.get().id,
        put(|form, text| form.id = text),
    );
    let button = el("button.button.is-primary").child(small_icon("plus")).child(title);
    let fields =
        vec![labelled("Name", name), labelled("Attributes", line), id, labelled("How many", total)];
    let workspace = expect_context::<Workspace>();
    let empty = el("button.button.is-quiet")
        .on_click(move || workspace.start_guide())
        .child("Begin an empty design");
    let heading = el("header").child(el("h2").child("Entities")).child(empty);
    el("div.step-body")
        .child(heading)
        .child(form("Entity", move || guide.put_entity(), fields, button))
        .child(refusal("entity").attr("id", "guide-entity-problem"))
        .child(el("ul.entity-list").attr("aria-label", "Entities").child(rows))
}

fn row(entity: GuideEntityView) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let at = entity.at;
    let remove = el("button.icon-button.is-small")
        .attr("aria-label", format!("Remove {}", entity.name))
        .on_click(move || {
            guide.edit("entity", |session, _| {
                session.remove_entity(at);
                Ok(())
            });
            guide.open_entity(None);
        })
        .child(small_icon("close"));
    let workspace = expect_context::<Workspace>();
    let open = el("button.icon-button.is-small")
        .attr("aria-label", format!("All fields of {}", entity.name))
        .attr("title", "All fields")
        .on_click(move || workspace.open_form(Form::Entity(Some(at))))
        .child(small_icon("edit"));
    let id = if entity.id.is_empty() { String::new() } else { format!("by {}", entity.id) };
    el("li")
        .attr("data-slot", entity.slot.to_string())
        .child(tag(entity.letter, entity.slot))
        .child(
            el("button.open")
                .attr("aria-label", format!("Change {}", entity.name))
                .on_click(move || guide.open_entity(Some(at)))
                .child(el("b").child(entity.name)),
        )
        .child(el("code").child(entity.line))
        .child(el("span.quiet").child(id))
        .child(el("span.count").child(entity.count_text))
        .child(open)
        .child(remove)
}
