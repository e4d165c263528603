//! What is left when the engine panics: a page with its last saved state, built without the engine.
//!
//! A panic ends the module for good, so the page that follows is plain markup with plain links.

use std::cell::RefCell;
use std::panic::PanicHookInfo;

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Document, HtmlTemplateElement};

use super::files;

thread_local! {
    static LAST_SAVED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Keeps a copy of what was saved last, to offer it after a panic.
pub(crate) fn remember(bytes: &[u8]) {
    LAST_SAVED.with_borrow_mut(|saved| {
        saved.clear();
        saved.extend_from_slice(bytes);
    });
}

/// From now on a panic shows the recovery page.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        // Whatever is missing for the page, the console has the panic.
        let _ = show(panic);
    }));
}

fn show(panic: &PanicHookInfo<'_>) -> Option<()> {
    let document = web_sys::window()?.document()?;
    let template: HtmlTemplateElement =
        document.query_selector("template.recovery-page").ok()??.dyn_into().ok()?;
    let page = template.content().clone_node_with_deep(true).ok()?;
    let body = document.body()?;
    // Dialogs and the app would lie over the page.
    body.set_text_content(None);
    body.append_child(&page).ok()?;
    if let Some(place) = panic.location() {
        fill(&document, ".recovery-place", &format!("{}:{}", place.file(), place.line()));
    }
    let saved = LAST_SAVED.try_with(|saved| saved.try_borrow().map(|saved| saved.clone()));
    let saved = saved.ok().and_then(Result::ok).filter(|saved| !saved.is_empty());
    let link = document.query_selector(".recovery-download").ok()??;
    let Some(address) = saved.and_then(|saved| files::address_of(&saved)) else {
        link.remove();
        return None;
    };
    link.set_attribute("href", &address).ok()
}

fn fill(document: &Document, selector: &str, text: &str) {
    if let Ok(Some(element)) = document.query_selector(selector) {
        element.set_text_content(Some(text));
    }
}
