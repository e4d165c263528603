//! The history store: which entry is open and whether the table is lit by it.

use hashrange_playground::view::EntryView;

use super::session::SessionStore;
use crate::signal::{Memo, RwSignal};

/// Which request the console and the picture show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryStore {
    open: RwSignal<Option<u32>>,
    is_lit: RwSignal<bool>,
    entry: Memo<Option<EntryView>>,
}

impl HistoryStore {
    /// Opens the newest entry of the session.
    pub(crate) fn new(session: SessionStore) -> Self {
        let open = RwSignal::new(session.newest());
        let entry = Memo::new(move |_| open.get().and_then(|number| session.entry(number)));
        Self { open, is_lit: RwSignal::new(true), entry }
    }

    /// The open entry.
    pub(crate) fn entry(self) -> Memo<Option<EntryView>> {
        self.entry
    }

    /// Number of the open entry. Tracks it.
    pub(crate) fn number(self) -> Option<u32> {
        self.open.get()
    }

    /// Number of the entry that lights the table up. Tracks it.
    pub(crate) fn lit(self) -> Option<u32> {
        self.open.get().filter(|_| self.is_lit.get())
    }

    /// Opens an entry and lights the table up by it.
    pub(crate) fn open(self, number: u32) {
        self.is_lit.set(true);
        self.open.set(Some(number));
    }

    /// Opens nothing, as in a session without history.
    pub(crate) fn close(self) {
        self.open.set(None);
    }

    /// Switches the light in the table off; the result stays.
    pub(crate) fn clear_light(self) {
        self.is_lit.set(false);
    }
}
