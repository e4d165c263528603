//! The designer's forms: of a table, an entity and an access pattern in a dialog, of an index beside the design.

mod fields;

use std::rc::Rc;

use hashrange_playground::view::FormView;
use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::Signal;
use crate::state::forms::Form;
use crate::state::workspace::Workspace;
use crate::widgets::{self, small_icon};

/// The form that is open as a dialog.
pub(crate) fn dialog() -> Option<Element> {
    let workspace = expect_context::<Workspace>();
    if matches!(workspace.forms.open()?, Form::Index { .. }) {
        return None;
    }
    let title = Signal::derive(move || workspace.forms.view().with(|view| view.title.clone()));
    let body = vec![(move || body(workspace.forms.view().get())).into_node()];
    let on_close = Rc::new(move || workspace.forms.close());
    let actions = (move || workspace.forms.view().with(actions)).into_node();
    Some(widgets::dialog("dialog.dialog.forms-panel", title, on_close, body, Some(actions)))
}

/// The form of an index, beside the design it is tried in.
pub(crate) fn aside() -> Option<Element> {
    let workspace = expect_context::<Workspace>();
    if !matches!(workspace.forms.open()?, Form::Index { .. }) {
        return None;
    }
    let close = el("button.icon-button.is-small")
        .attr("aria-label", "Close the form")
        .on_click(move || workspace.forms.close())
        .child(small_icon("close"));
    let header = el("header")
        .child(el("h2").child(move || workspace.forms.view().with(|view| view.title.clone())))
        .child(el("span.pill.is-draft").child("draft"))
        .child(close);
    let aside = el("section.forms-panel.is-aside")
        .attr("aria-label", "Index form")
        .child(header)
        .child(move || body(workspace.forms.view().get()))
        .child(el("footer").child(move || workspace.forms.view().with(actions)));
    Some(aside)
}

/// The button that opens a form; it says so where the form was closed half filled.
pub(crate) fn open_button(words: &'static str, picture: &'static str, form: Form) -> Element {
    let workspace = expect_context::<Workspace>();
    let own = form.clone();
    let label = move || {
        let kept = if workspace.forms.is_kept(&own) { ", go on with the draft" } else { "" };
        format!("{words}{kept}")
    };
    el("button.icon-button.is-small")
        .attr("title", label.clone())
        .attr("aria-label", label)
        .on_click(move || workspace.open_form(form.clone()))
        .child(small_icon(picture))
}

/// What the index on trial would change, above the design, with the buttons that decide.
pub(crate) fn strip() -> Option<Element> {
    let workspace = expect_context::<Workspace>();
    let trial = workspace.forms.trial()?;
    let discard = el("button.button.is-quiet.is-small")
        .on_click(move || workspace.forms.discard())
        .child("Discard");
    let apply = el("button.button.is-primary.is-small")
        .on_click(move || workspace.apply_form())
        .child("Apply index");
    let strip = el("div.strip.is-draft")
        .attr("role", "region")
        .attr("aria-label", "Draft")
        .child(el("span.pill.is-draft").child("draft"))
        .child(
            el("p")
                .child(el("b").child(trial.index))
                .child(" ")
                .child(trial.text)
                .child(trial.lead),
        )
        .child(discard)
        .child(apply);
    Some(strip)
}

/// Tables that have to be made anew for what the design changed, each with the button that does it.
pub(crate) fn rebuilds() -> Node {
    let workspace = expect_context::<Workspace>();
    let rebuilds = workspace.session.rebuilds().into_iter().map(|view| {
        let words = if view.n_lacking > 0 { "Rebuild without them" } else { "Rebuild" };
        let table = view.table.clone();
        let button = el("button.button.is-small")
            .attr("aria-label", format!("{words}: {}", view.table))
            .on_click(move || workspace.rebuild(&table))
            .child(words);
        let note = " Until then the old data stays as it is; undo brings it back afterwards.";
        el("div.strip.is-rebuild").child(el("p").child(view.text).child(note)).child(button)
    });
    rebuilds.collect::<Vec<_>>().into_node()
}

fn body(view: FormView) -> Element {
    let workspace = expect_context::<Workspace>();
    let refusal = workspace.forms.refusal();
    let words = (!view.words.is_empty()).then(|| el("p.lead").child(view.words));
    let mut is_placed = false;
    let fields: Vec<Element> = view
        .fields
        .into_iter()
        .map(|it| fields::field(it, refusal.as_ref(), &mut is_placed))
        .collect();
    let rest = refusal.filter(|_| !is_placed);
    let rest = rest.map(|it| el("p.problem").attr("role", "alert").child(it.message));
    el("div.fields")
        .attr("data-slot", u32::from(view.slot).to_string())
        .child(words)
        .children(fields)
        .child(rest)
}

fn actions(view: &FormView) -> Node {
    let workspace = expect_context::<Workspace>();
    if workspace.forms.is_asking() {
        let words = el("p").attr("role", "alert").child("Discard what was typed?");
        let keep = el("button.button")
            .on_click(move || workspace.forms.keep_editing())
            .child("Go on editing");
        let discard = el("button.button.is-primary")
            .on_click(move || workspace.forms.discard())
            .child("Discard it");
        return vec![words, keep, discard].into_node();
    }
    let remove = view.remove.map(|words| {
        el("button.button.is-quiet").on_click(move || workspace.remove_formed()).child(words)
    });
    let discard = el("button.button").on_click(move || workspace.forms.discard()).child("Discard");
    let apply =
        el("button.button.is-primary").on_click(move || workspace.apply_form()).child(view.apply);
    vec![remove, Some(discard), Some(apply)].into_node()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{html, words};

    fn opened(form: Form) -> impl FnOnce(Workspace) {
        move |workspace| {
            workspace.design.run_all();
            workspace.open_form(form);
        }
    }

    #[test]
    fn the_entity_form_shows_templates_and_the_keys_they_make() {
        let html = html(opened(Form::Entity(Some(1))), dialog);
        let words = words(&html);
        assert!(
            words.contains("Entity Project\n11 items of OrgDirectory are of this shape."),
            "{words}"
        );
        assert!(words.contains("partition key of OrgDirectory, sort key of GSI1"), "{words}");
        assert!(words.contains("Nothing is wrong with these templates."), "{words}");
        assert!(words.contains("PROJECT#\nproject\nPROJECT#p-01"), "{words}");
    }

    #[test]
    fn an_index_is_tried_while_it_is_typed() {
        let draft = |workspace: Workspace| {
            let form = Form::Index { table: "OrgDirectory".to_owned(), name: None };
            opened(form)(workspace);
            for (name, text) in [("name", "nameIndex"), ("partition", "name")] {
                workspace.forms.fill(name, text.to_owned());
            }
            workspace.forms.try_all();
        };
        let strip = words(&html(draft, strip));
        assert!(
            strip.contains("nameIndex\nwould serve pattern 7 with 0.5\u{a0}RCU, not a Scan of 4."),
            "{strip}"
        );
    }

    #[test]
    fn a_refusal_stands_at_its_field_and_what_was_typed_stays() {
        let refused = |workspace: Workspace| {
            opened(Form::Table(None))(workspace);
            workspace.forms.fill("name", "Or".to_owned());
            workspace.apply_form();
            assert_eq!(workspace.forms.typed("name"), "Or");
        };
        let html = html(refused, dialog);
        let field = html.split("id=\"form-name\"").nth(1).unwrap_or_default();
        let field = field.split("</div>").next().unwrap_or_default();
        assert!(field.contains("aria-invalid=\"true\""), "{html}");
        assert!(field.contains("<p class=\"problem\" id=\"form-name-problem\">"), "{field}");
    }

    #[test]
    fn the_pattern_form_has_the_fields_of_its_operation() {
        let drawn = |workspace: Workspace| opened(Form::Pattern(Some(4)))(workspace);
        let words = words(&html(drawn, dialog));
        assert!(words.starts_with("Access pattern 4\n"), "{words}");
        for label in
            ["PK =", "Filter", "Attributes returned", "Strongly consistent", "Items expected"]
        {
            assert!(words.contains(&format!("{label}\n")), "{label}: {words}");
        }
    }

    #[test]
    fn a_form_closed_half_filled_is_there_again_until_it_is_discarded() {
        let half = |workspace: Workspace| {
            opened(Form::Entity(None))(workspace);
            workspace.forms.fill("name", "Half".to_owned());
            workspace.forms.close();
            assert!(workspace.forms.is_kept(&Form::Entity(None)));
            workspace.open_form(Form::Entity(None));
            assert_eq!(workspace.forms.typed("name"), "Half");
            workspace.forms.discard();
            assert!(workspace.forms.is_asking());
            workspace.forms.discard();
            assert!(workspace.forms.open().is_none());
            assert!(!workspace.forms.is_kept(&Form::Entity(None)));
        };
        assert_eq!(html(half, dialog), "");
    }

    #[test]
    fn a_table_whose_key_changed_offers_to_be_made_anew() {
        let changed = |workspace: Workspace| {
            opened(Form::Table(Some("OrgDirectory".to_owned())))(workspace);
            workspace.forms.fill("sort", "name".to_owned());
            workspace.apply_form();
        };
        let strip = words(&html(changed, rebuilds));
        assert!(strip.starts_with("The design gives OrgDirectory another key."), "{strip}");
        assert!(strip.contains("undo brings it back afterwards."), "{strip}");
    }
}
