//! Work that waits for the browser.

use std::future::Future;

/// Begins it, and goes on meanwhile. Native tests of panels have nothing to wait for.
pub(crate) fn spawn(work: impl Future<Output = ()> + 'static) {
    if super::IS_BROWSER {
        leptos::task::spawn_local(work);
    }
}
