//! The page as it stands before the engine runs.

use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;

/// True if the address asks for a start without the saved session, as the recovery page offers.
pub(crate) fn wants_fresh_start() -> bool {
    let search = web_sys::window().and_then(|window| window.location().search().ok());
    search.is_some_and(|search| search.contains("start=fresh"))
}

/// Takes the static front away and returns the place for the app.
pub(crate) fn clear_front() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    if let Ok(Some(front)) = document.query_selector(".front") {
        front.remove();
    }
    document.query_selector(".app-root").ok()??.dyn_into().ok()
}

/// Loads the page anew, as on a first visit.
pub(crate) fn start_over() {
    if let Some(window) = web_sys::window() {
        let location = window.location();
        // Without its query, which may ask for something.
        let path = location.pathname().unwrap_or_default();
        let _ = location.replace(&path);
    }
}
