//! Settings in local storage, and what a tab shows in its own: either may be forbidden, and then nothing is kept and
//! nothing fails.

use web_sys::Storage;

const PREFIX: &str = "hashrange.";
const IN_TAB: &str = "hashrange.shown";

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

/// What this tab showed before it was reloaded: a design's number, or an example's name.
pub(crate) fn shown_in_tab() -> Option<String> {
    tab_storage()?.get_item(IN_TAB).ok()?
}

/// Notes what this tab shows, if that can be found again.
pub(crate) fn remember_in_tab(shown: Option<&str>) {
    let Some(storage) = tab_storage() else { return };
    let _ = match shown {
        Some(shown) => storage.set_item(IN_TAB, shown),
        None => storage.remove_item(IN_TAB),
    };
}

/// Forgets all settings, and what this tab shows.
pub(crate) fn forget_all() {
    remember_in_tab(None);
    let Some(storage) = storage() else { return };
    let n_kept = storage.length().unwrap_or(0);
    let names: Vec<String> =
        (0..n_kept).filter_map(|index| storage.key(index).ok().flatten()).collect();
    for name in names.iter().filter(|name| name.starts_with(PREFIX)) {
        let _ = storage.remove_item(name);
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
    if !super::IS_BROWSER {
        return None;
    }
    web_sys::window()?.local_storage().ok()?
}

fn tab_storage() -> Option<Storage> {
    if !super::IS_BROWSER {
        return None;
    }
    web_sys::window()?.session_storage().ok()?
}
