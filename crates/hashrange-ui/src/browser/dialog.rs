//! Modal dialogs: the browser's own, which hold the focus and close on Esc.

use leptos::prelude::Effect;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

use super::dom::ElementRef;

/// Opens the dialog modally as soon as it stands in the page.
pub(crate) fn show_on_mount(dialog: ElementRef) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get::<HtmlDialogElement>()
            && !dialog.open()
        {
            // Refused only when it is not in the document any more, and then there is nothing to show.
            let _ = dialog.show_modal();
        }
    });
}

/// Puts the focus into the element with this `id`, if there is one.
pub(crate) fn focus(id: &str) {
    if !super::IS_BROWSER {
        return;
    }
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        // Refused only by an element that takes no focus.
        let _ = element.focus();
    }
}
