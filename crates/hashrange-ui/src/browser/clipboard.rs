//! Copying and pasting text.

use web_sys::wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Event};

/// Copies a text; silently does nothing where the browser forbids it.
pub(crate) fn copy(text: &str) {
    if let Some(window) = web_sys::window() {
        // The promise's refusal has nobody to tell but the person, who sees that nothing was copied.
        let _ = window.navigator().clipboard().write_text(text);
    }
}

/// The text that an event pastes.
pub(crate) fn pasted(event: &Event) -> Option<String> {
    let held = event.unchecked_ref::<ClipboardEvent>().clipboard_data()?;
    held.get_data("text/plain").ok().filter(|text| !text.is_empty())
}

/// Makes an event copy this text.
pub(crate) fn copy_by(event: &Event, text: &str) {
    if let Some(held) = event.unchecked_ref::<ClipboardEvent>().clipboard_data()
        && held.set_data("text/plain", text).is_ok()
    {
        event.prevent_default();
    }
}
