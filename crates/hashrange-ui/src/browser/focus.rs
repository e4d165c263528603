//! Where the focus goes when what had it is gone, or something new wants it.

use leptos::prelude::*;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

use super::dom::ElementRef;

/// Focuses an element at once.
pub(crate) fn now(place: ElementRef) {
    if super::IS_BROWSER
        && let Some(element) = place.get::<HtmlElement>()
    {
        // Refused only while it is not in the document.
        let _ = element.focus();
    }
}

/// Focuses an element with its text chosen, as soon as it stands in the page.
pub(crate) fn on_mount(place: ElementRef) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        if let Some(element) = place.get::<Element>() {
            give(&element);
        }
    });
}

/// Focuses the element of that id in the next frame, when it has been drawn.
pub(crate) fn by_id(id: &str) {
    let id = id.to_owned();
    in_next_frame(move |document| document.get_element_by_id(&id));
}

/// Focuses the first field in the element of that id that nothing was typed into, in the next frame.
pub(crate) fn first_field(id: &str) {
    let id = id.to_owned();
    in_next_frame(move |document| {
        let fields = document.get_element_by_id(&id)?.get_elements_by_tag_name("input");
        let all = (0..fields.length()).filter_map(|at| fields.item(at));
        let mut first = None;
        for field in all {
            if field.unchecked_ref::<HtmlInputElement>().value().is_empty() {
                return Some(field);
            }
            first = first.or(Some(field));
        }
        first
    });
}

fn in_next_frame(find: impl Fn(&web_sys::Document) -> Option<Element> + 'static) {
    if !super::IS_BROWSER {
        return;
    }
    request_animation_frame(move || {
        let document = web_sys::window().and_then(|window| window.document());
        if let Some(element) = document.and_then(|document| find(&document)) {
            element.scroll_into_view_with_bool(false);
            give(&element);
        }
    });
}

fn give(element: &Element) {
    let _ = element.unchecked_ref::<HtmlElement>().focus();
    if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
        field.select();
    } else if let Some(field) = element.dyn_ref::<HtmlTextAreaElement>() {
        field.select();
    }
}
