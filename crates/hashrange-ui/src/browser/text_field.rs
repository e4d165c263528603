//! Carets and selections of text fields, in UTF-16 code units as browsers count.

use leptos::prelude::Effect;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

use super::dom::ElementRef;

/// Selects a range, focuses the field and scrolls line `line` (from 1) into view.
pub(crate) fn select(field: &HtmlTextAreaElement, start: u32, end: u32, line: u32) {
    // Refused only while the field is not in the document.
    let _ = field.focus();
    let _ = field.set_selection_range(start, end);
    if let Ok(Some(pane)) = field.closest(".text") {
        let style = web_sys::window().and_then(|window| window.get_computed_style(&pane).ok()?);
        let height = style.and_then(|style| style.get_property_value("line-height").ok());
        // Such as `18.4px`. Whole px are enough, and reading a float would cost 11 KB of the download.
        let line_px =
            height.and_then(|height| height.split(['.', 'p']).next()?.parse::<i32>().ok());
        let line_px = line_px.unwrap_or(18);
        let top = i32::try_from(line).unwrap_or(1).saturating_sub(1).saturating_mul(line_px);
        if top < pane.scroll_top() || top + line_px > pane.scroll_top() + pane.client_height() {
            pane.set_scroll_top(top - pane.client_height() / 2);
        }
    }
}

/// Types `text` at the caret of the field, as the keyboard would; returns the field's new text.
pub(crate) fn insert(field: ElementRef, text: &str) -> Option<String> {
    let field = field.get::<HtmlTextAreaElement>()?;
    let _ = field.focus();
    field.set_range_text(text).ok()?;
    let at = field.selection_start().ok()?? + u32::try_from(text.encode_utf16().count()).ok()?;
    let _ = field.set_selection_range(at, at);
    Some(field.value())
}

/// Takes the focus out of the field, so that the page's keys work again.
pub(crate) fn leave(field: ElementRef) {
    if let Some(field) = field.get::<HtmlTextAreaElement>() {
        let _ = field.blur();
    }
}

/// Puts the focus into a field or on a button as soon as it stands in the page, and selects what is in the field.
pub(crate) fn focus_on_mount(place: ElementRef) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        let Some(element) = place.get::<HtmlElement>() else { return };
        let _ = element.focus();
        if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
            field.select();
        }
    });
}

/// True if what has the focus takes text.
pub(crate) fn is_typing() -> bool {
    let active = web_sys::window().and_then(|window| window.document()?.active_element());
    active.is_some_and(|element: Element| {
        element.is_instance_of::<HtmlTextAreaElement>()
            || matches!(element.tag_name().as_str(), "INPUT" | "SELECT")
    })
}
