//! From nothing to a page: the panic hook, the kept design or the first visit's, and mounting.

use hashrange_playground::{Session, ShelfRecord};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::app::{self, Start};
use crate::browser::storage::{self, Failure};
use crate::browser::{clock, files, page, recovery, settings};
use crate::markup::IntoNode;
use crate::state::save::Origin;
use crate::state::screen::Notice;
use crate::state::shelf;

/// Starts the page. Called by the module itself when it has loaded.
#[wasm_bindgen(start)]
pub(crate) fn start() {
    recovery::install();
    // Leptos has no executor before the first mount.
    wasm_bindgen_futures::spawn_local(async {
        let start = match found().await {
            Ok(Some((id, record, bytes))) => begin(id, &record, &bytes),
            found => Start { can_save: found.is_ok(), ..first_visit() },
        };
        if let Some(place) = page::clear_front() {
            leptos::mount::mount_to_renderer(&place, move || app::page(start).into_node()).forget();
        }
    });
}

/// The design this tab showed, else the one shown last in any tab, else the one changed last; none where there is
/// none or a fresh start is asked for.
async fn found() -> Result<Option<(u32, ShelfRecord, Vec<u8>)>, Failure> {
    if page::wants_fresh_start() {
        return Ok(None);
    }
    let records = storage::list(shelf::describe).await?;
    let shown = settings::shown_in_tab();
    let is_example = shown.as_ref().is_some_and(|shown| shown.parse::<u32>().is_err());
    if is_example {
        return Ok(None);
    }
    let kept = records.iter().filter(|(_, record)| record.deleted_at.is_none());
    let number = |name: Option<String>| {
        let id: u32 = name?.parse().ok()?;
        kept.clone().any(|(known, _)| *known == id).then_some(id)
    };
    let latest = || kept.clone().max_by_key(|(_, it)| it.changed_at).map(|(id, _)| *id);
    let id = number(shown).or_else(|| number(settings::read("design"))).or_else(latest);
    let Some(id) = id else { return Ok(None) };
    Ok(storage::load(id).await?.map(|(record, bytes)| (id, record, bytes)))
}

/// The start from a kept design.
fn begin(id: u32, record: &ShelfRecord, bytes: &[u8]) -> Start {
    recovery::remember(bytes);
    match Session::restore(bytes) {
        Ok(session) => Start {
            session,
            origin: Origin::Kept(id, record.revision),
            can_save: true,
            notice: None,
        },
        Err(reason) => {
            let address = files::address_of(bytes).unwrap_or_default();
            let notice = Some(Notice::NotRestored { reason, address });
            Start { notice, ..first_visit() }
        }
    }
}

/// The start with an example: the one this tab showed, else the first.
fn first_visit() -> Start {
    let now = clock::now();
    let shown = settings::shown_in_tab().filter(|_| !page::wants_fresh_start());
    let opened = shown.and_then(|slug| Some((Session::open_example(&slug, now).ok()?, slug)));
    let (session, origin) = match opened {
        Some((session, slug)) => (session, Origin::Example(slug)),
        None => (Session::first_visit(now), Origin::New),
    };
    Start { session, origin, can_save: true, notice: None }
}
