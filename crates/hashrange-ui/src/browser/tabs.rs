//! Walking along a tab list by keyboard.

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// Moves focus and choice to the tab that the key leads to; false if the key leads nowhere.
pub(crate) fn walk(event: &KeyboardEvent) -> bool {
    step(event).is_some()
}

fn step(event: &KeyboardEvent) -> Option<()> {
    let tab = event.target()?.dyn_into::<Element>().ok()?.closest("[role=tab]").ok()??;
    let tabs = tab.parent_element()?.children();
    let n_tabs = tabs.length();
    let now = (0..n_tabs).find(|index| tabs.item(*index).as_ref() == Some(&tab))?;
    let next = match event.key().as_str() {
        "ArrowRight" => (now + 1) % n_tabs,
        "ArrowLeft" => (now + n_tabs - 1) % n_tabs,
        "Home" => 0,
        "End" => n_tabs - 1,
        _ => return None,
    };
    let next: HtmlElement = tabs.item(next)?.dyn_into().ok()?;
    next.click();
    next.focus().ok()
}
