//! From nothing to a page: the panic hook, the saved session or the first visit's, and mounting.

use hashrange_playground::Session;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::app::{self, Start};
use crate::browser::{clock, files, page, recovery, storage};
use crate::markup::IntoNode;
use crate::state::screen::Notice;

/// Starts the page. Called by the module itself when it has loaded.
#[wasm_bindgen(start)]
pub(crate) fn start() {
    recovery::install();
    // Leptos has no executor before the first mount.
    wasm_bindgen_futures::spawn_local(async {
        let kept = if page::wants_fresh_start() { Ok(None) } else { storage::load().await };
        let start = begin(kept);
        if let Some(place) = page::clear_front() {
            leptos::mount::mount_to_renderer(&place, move || app::page(start).into_node()).forget();
        }
    });
}

/// The session to start from, given what was kept.
fn begin(kept: Result<Option<Vec<u8>>, storage::Unavailable>) -> Start {
    let now = clock::now();
    let can_save = kept.is_ok();
    let Some(bytes) = kept.ok().flatten() else {
        return Start { session: Session::first_visit(now), can_save, notice: None };
    };
    recovery::remember(&bytes);
    match Session::restore(&bytes) {
        Ok(session) => Start { session, can_save, notice: None },
        Err(reason) => {
            let address = files::address_of(&bytes).unwrap_or_default();
            let notice = Some(Notice::NotRestored { reason, address });
            Start { session: Session::first_visit(now), can_save, notice }
        }
    }
}
