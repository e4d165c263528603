//! Copying text.

/// Copies a text; silently does nothing where the browser forbids it.
pub(crate) fn copy(text: &str) {
    if let Some(window) = web_sys::window() {
        // The promise's refusal has nobody to tell but the person, who sees that nothing was copied.
        let _ = window.navigator().clipboard().write_text(text);
    }
}
