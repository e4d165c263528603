//! Settings in local storage, which may be forbidden: then nothing is kept and nothing fails.

use web_sys::Storage;

const PREFIX: &str = "hashrange.";

/// A setting as it was kept.
pub(crate) fn read(name: &str) -> Option<String> {
    storage()?.get_item(&format!("{PREFIX}{name}")).ok()?
}

/// Keeps a setting.
pub(crate) fn write(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // A full or forbidden store loses a setting, which is no reason to stop.
        let _ = storage.set_item(&format!("{PREFIX}{name}"), value);
    }
}

/// Keeps a setting no longer.
pub(crate) fn forget(name: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{PREFIX}{name}"));
    }
}

/// Makes the page wear a theme: `light`, `dark` or the system's.
pub(crate) fn wear(theme: &str) {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    if let Some(root) = root {
        let _ = match theme {
            "light" | "dark" => root.set_attribute("data-theme", theme),
            _ => root.remove_attribute("data-theme"),
        };
    }
}

/// gloo-storage panics where the browser forbids storage, as in a sandboxed frame, so it is asked directly.
fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}
