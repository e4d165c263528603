//! The save store: whether the work is kept, and the effect that keeps it.
//!
//! Invariant: what was saved is what the session was a rest after its last change; while the browser
//! allows no storage, the page works all the same and says so.

use leptos::prelude::*;

use super::editor::EditorStore;
use super::session::SessionStore;
use crate::browser::{recovery, settings, storage, timer::Timer};
use crate::signal::RwSignal;

/// How long a session rests at least before it is saved, in ms.
const REST_MS: u32 = 500;
/// Bytes of the last save that make the next rest 1 ms longer: a large session takes long to save, so it is
/// saved less often.
const BYTES_PER_MS: usize = 100;

/// Whether the work is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SaveState {
    /// Nothing to save yet.
    Untouched,
    /// Changed since it was saved.
    Pending,
    /// Saved.
    Saved,
    /// The browser keeps nothing for this page.
    Unavailable,
}

/// Whether the work is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SaveStore {
    state: RwSignal<SaveState>,
    timer: StoredValue<Option<Timer>, LocalStorage>,
    rest_ms: StoredValue<u32>,
}

impl SaveStore {
    /// Nothing saved yet.
    pub(crate) fn new() -> Self {
        Self {
            state: RwSignal::new(SaveState::Untouched),
            timer: StoredValue::new_local(None),
            rest_ms: StoredValue::new(REST_MS),
        }
    }

    /// Whether the work is kept. Tracks it.
    pub(crate) fn state(self) -> SaveState {
        self.state.get()
    }

    /// Takes note that the browser allows no storage.
    pub(crate) fn give_up(self) {
        self.state.try_set(SaveState::Unavailable);
    }

    /// Saves `session` whenever it changed and then rested, for as long as the owner lives.
    pub(crate) fn watch(self, session: SessionStore) {
        Effect::new(move |runs: Option<u32>| {
            session.track();
            let runs = runs.unwrap_or(0);
            if runs > 0 && self.state.get_untracked() != SaveState::Unavailable {
                self.state.set(SaveState::Pending);
                let timer = Timer::new(self.rest_ms.get_value(), move || self.save_now(session));
                self.timer.set_value(Some(timer));
            }
            runs + 1
        });
    }

    /// Keeps the typed request from visit to visit, for as long as the owner lives, after bringing back the last.
    pub(crate) fn keep_draft(editor: EditorStore) {
        let kept = settings::read("draft");
        if let Some((operation, text)) = kept.as_deref().and_then(|kept| kept.split_once('\n')) {
            editor.take_up(operation, text.to_owned());
        }
        Effect::new(move |_| match editor.draft() {
            Some((operation, text)) => settings::write("draft", &format!("{operation}\n{text}")),
            None => settings::forget("draft"),
        });
    }

    /// Saves at once what has not been saved, as when the page is about to go.
    pub(crate) fn flush(self, session: SessionStore) {
        if self.state.try_get_untracked() == Some(SaveState::Pending) {
            self.save_now(session);
        }
    }

    fn save_now(self, session: SessionStore) {
        let bytes = session.save();
        let longer_ms = u32::try_from(bytes.len() / BYTES_PER_MS).unwrap_or(u32::MAX - REST_MS);
        self.rest_ms.set_value(REST_MS + longer_ms);
        recovery::remember(&bytes);
        leptos::task::spawn_local(async move {
            let state = match storage::save(&bytes).await {
                Ok(()) => SaveState::Saved,
                Err(storage::Unavailable) => SaveState::Unavailable,
            };
            self.state.try_set(state);
        });
    }
}
