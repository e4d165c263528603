//! The title of a design, written in place.

use leptos::prelude::expect_context;

use crate::browser::dom::{self, ElementRef};
use crate::browser::text_field;
use crate::markup::{Element, IntoNode, Node, el};
use crate::state::shelf::Naming;
use crate::state::workspace::Workspace;

/// The title of the design in view; pressing it lets it be written.
pub(crate) fn panel() -> Node {
    let workspace = expect_context::<Workspace>();
    let (shelf, title) = (workspace.shelf, workspace.session.title());
    let done = move |text: Option<String>, is_key: bool| {
        // A field that goes loses the focus, which is no second answer.
        if shelf.naming_now() != Naming::Now {
            return;
        }
        // Who typed goes on from the title; who clicked elsewhere is elsewhere.
        shelf.name(if is_key { Naming::Done } else { Naming::No });
        if let Some(text) = text {
            workspace.name_design(&text);
        }
    };
    let name = move || {
        let naming = shelf.naming();
        if naming == Naming::Now {
            return field(title.get_untracked(), done);
        }
        let place = ElementRef::new();
        if naming == Naming::Done {
            text_field::focus_on_mount(place);
        }
        el("button.design")
            .reference(place)
            .attr("aria-label", move || format!("Rename design: {}", title.get()))
            .attr("title", "Rename")
            .on_click(move || shelf.name(Naming::Now))
            .child(move || title.get())
    };
    name.into_node()
}

/// A field for a title. `done` is given what was typed, or nothing where it was given up, and whether a key said so.
pub(super) fn field(
    title: String,
    done: impl Fn(Option<String>, bool) + Copy + 'static,
) -> Element {
    let place = ElementRef::new();
    text_field::focus_on_mount(place);
    el("input.field.design-title")
        .reference(place)
        .attr("aria-label", "Title of the design")
        .attr("maxlength", "120")
        .attr("spellcheck", "false")
        .value(title)
        .on_key(move |event| match event.key().as_str() {
            "Enter" => {
                // It would press the button that takes the field's place and the focus.
                event.prevent_default();
                done(Some(dom::value_of(event)), true);
            }
            "Escape" => {
                // It would close a dialog around the field as well.
                event.prevent_default();
                done(None, true);
            }
            _ => {}
        })
        .on_value("change", move |text| done(Some(text), false))
        .on("blur", move |event| done(Some(dom::value_of(&event)), false))
}
