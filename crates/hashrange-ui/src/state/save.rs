//! The save store: which kept design is in view, whether it is kept as it is, and the effect that keeps it.
//!
//! Invariant: what was saved is what the session was a rest after its last change, under its own number; a design
//! that another tab works on is never written. While the browser allows no storage, the page works all the same
//! and says so, once.
//!
//! Not here: the list of designs ([`super::shelf`]).

use std::cell::RefCell;
use std::rc::Rc;

use hashrange_playground::ShelfRecord;
use leptos::prelude::*;

use super::editor::EditorStore;
use super::screen::{Notice, ScreenStore};
use super::session::SessionStore;
use crate::browser::hold::Hold;
use crate::browser::storage::{self, Failure};
use crate::browser::timer::{self, Timer};
use crate::browser::{clock, hold, recovery, settings, task};
use crate::signal::RwSignal;

/// How long a session rests at least before it is saved, in ms.
const REST_MS: u32 = 500;
/// Bytes of the last save that make the next rest 1 ms longer: a large session takes long to save, so it is
/// saved less often.
const BYTES_PER_MS: usize = 100;
/// How often a design is asked for that another tab seems to work on, and the rest between, in ms.
const CLAIMS_MAX: u32 = 3;
const CLAIM_REST_MS: u32 = 150;

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
    Blocked,
    /// There is no room for it.
    Full,
    /// Another tab works on the design, or erased it: here it is only looked at.
    Elsewhere,
}

/// Where the session came from that is put in view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is kept under this number; the revision is that which was read.
    Kept(u32, u32),
    /// The example of this name, which is kept as soon as it is changed.
    Example(String),
    /// It is new, and kept as soon as there is something in it.
    New,
    /// It is new and worth keeping as it is.
    Work,
}

/// Where a design is kept.
#[derive(Debug, Default)]
struct Place {
    /// Its number; none as long as it is not kept.
    id: Option<u32>,
    /// The revision last kept or read.
    revision: u32,
    /// The right to write it; none while another tab has it.
    hold: Option<Hold>,
    is_saving: bool,
    /// What is to be saved after what is being saved.
    next: Option<(ShelfRecord, Vec<u8>)>,
}

type Shared = Rc<RefCell<Place>>;

/// Whether the work is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SaveStore {
    session: SessionStore,
    screen: ScreenStore,
    state: RwSignal<SaveState>,
    id: RwSignal<Option<u32>>,
    place: StoredValue<Shared, LocalStorage>,
    aside: StoredValue<Option<Shared>, LocalStorage>,
    /// The session's version that need not be saved.
    clean: StoredValue<u64>,
    has_told: StoredValue<bool>,
    timer: StoredValue<Option<Timer>, LocalStorage>,
    rest_ms: StoredValue<u32>,
}

impl SaveStore {
    /// Nothing saved yet.
    pub(crate) fn new(session: SessionStore, screen: ScreenStore) -> Self {
        Self {
            session,
            screen,
            state: RwSignal::new(SaveState::Untouched),
            id: RwSignal::new(None),
            place: StoredValue::new_local(Shared::default()),
            aside: StoredValue::new_local(None),
            clean: StoredValue::new(0),
            has_told: StoredValue::new(false),
            timer: StoredValue::new_local(None),
            rest_ms: StoredValue::new(REST_MS),
        }
    }

    /// Whether the work is kept. Tracks it.
    pub(crate) fn state(self) -> SaveState {
        self.state.get()
    }

    /// The number of the design in view, once it is kept. Tracks it.
    pub(crate) fn id(self) -> Option<u32> {
        self.id.get()
    }

    /// The number of the design in view, once it is kept. Tracks nothing.
    pub(crate) fn id_now(self) -> Option<u32> {
        self.id.try_get_untracked().flatten()
    }

    /// True while another tab has the right to work on this design. Tracks nothing.
    pub(crate) fn is_elsewhere(self) -> bool {
        self.state.get_untracked() == SaveState::Elsewhere
    }

    /// Takes note that the browser allows no storage.
    pub(crate) fn give_up(self) {
        self.fail(Failure::Blocked);
    }

    /// Saves the session whenever it changed and then rested, for as long as the owner lives.
    pub(crate) fn watch(self) {
        Effect::new(move |_| {
            self.session.track();
            let state = self.state.get_untracked();
            if self.session.version() != self.clean.get_value()
                && !matches!(state, SaveState::Blocked | SaveState::Elsewhere)
            {
                self.state.set(SaveState::Pending);
                let timer = Timer::new(self.rest_ms.get_value(), move || self.save_now());
                self.timer.set_value(Some(timer));
            }
        });
    }

    /// Keeps the typed request from visit to visit, each design's its own, for as long as the owner lives.
    pub(crate) fn keep_draft(self, editor: &EditorStore) {
        self.take_up_draft(editor);
        let editor = *editor;
        Effect::new(move |before: Option<Option<u32>>| {
            let id = self.id.get();
            if before == Some(None) && id.is_some() {
                settings::forget(&draft_name(None));
            }
            match editor.draft() {
                Some((operation, text)) => {
                    settings::write(&draft_name(id), &format!("{operation}\n{text}"));
                }
                None => settings::forget(&draft_name(id)),
            }
            id
        });
    }

    /// Brings the request back that was typed for this design and not run.
    pub(crate) fn take_up_draft(self, editor: &EditorStore) {
        let kept = settings::read(&draft_name(self.id.get_untracked()));
        // Up to version 1 there was one design and one draft.
        let kept = kept.or_else(|| settings::read(&draft_name(None)));
        if let Some((operation, text)) = kept.as_deref().and_then(|kept| kept.split_once('\n')) {
            editor.take_up(operation, text.to_owned());
        }
    }

    /// Saves at once what has not been saved, as when the page is about to go.
    pub(crate) fn flush(self) {
        if self.state.try_get_untracked() == Some(SaveState::Pending) {
            self.save_now();
        }
    }

    /// Ends work on the design in view, which is saved. Its place is kept aside for [`Self::come_back`].
    pub(crate) fn leave(self) {
        self.flush();
        let place = self.place.get_value();
        if !place.borrow().is_saving {
            place.borrow_mut().hold = None;
        }
        self.aside.set_value(Some(place));
    }

    /// Begins work on the session that was just put in view.
    pub(crate) fn enter(self, origin: Origin) {
        let place = match origin {
            Origin::Kept(id, revision) => Place { id: Some(id), revision, ..Place::default() },
            _ => Place::default(),
        };
        self.go_to(Rc::new(RefCell::new(place)));
        match origin {
            Origin::Example(slug) => settings::remember_in_tab(Some(&slug)),
            Origin::Work => self.clean.set_value(u64::MAX),
            Origin::Kept(..) | Origin::New => {}
        }
    }

    /// Goes back to the design that was left last.
    pub(crate) fn come_back(self) {
        if let Some(place) = self.aside.try_update_value(Option::take).flatten() {
            self.go_to(place);
        }
    }

    fn go_to(self, place: Shared) {
        self.timer.set_value(None);
        let id = place.borrow().id;
        remember_place(id);
        self.place.set_value(Rc::clone(&place));
        self.id.set(id);
        self.clean.set_value(self.session.version());
        if self.state.get_untracked() != SaveState::Blocked {
            self.set_state(if id.is_some() { SaveState::Saved } else { SaveState::Untouched });
        }
        if id.is_some() {
            task::spawn(async move { self.claim(&place).await });
        }
    }

    /// Asks for the right to write a design; without it, the design is only looked at.
    async fn claim(self, place: &Shared) {
        let Some(id) = place.borrow().id else { return };
        for _ in 0..CLAIMS_MAX {
            let hold = hold::claim(id, false, move || self.lose(id)).await;
            if !self.is_here(place) {
                return;
            }
            if hold.is_some() {
                place.borrow_mut().hold = hold;
                return;
            }
            // The page that was here before a reload may still be about to let go.
            timer::pause(CLAIM_REST_MS).await;
        }
        if self.is_here(place) {
            self.set_state(SaveState::Elsewhere);
        }
    }

    /// Takes the right to write the design in view from the tab that has it.
    pub(crate) async fn seize(self) -> Option<u32> {
        let id = self.id.get_untracked()?;
        let hold = hold::claim(id, true, move || self.lose(id)).await;
        self.place.with_value(|place| place.borrow_mut().hold = hold);
        Some(id)
    }

    /// Takes note that another tab took the right to write a design, which may be the one in view.
    pub(crate) fn lose(self, id: u32) {
        if self.id.try_get_untracked().flatten() == Some(id) {
            self.timer.set_value(None);
            self.place.with_value(|place| place.borrow_mut().hold = None);
            settings::remember_in_tab(None);
            self.set_state(SaveState::Elsewhere);
        }
    }

    /// Works on the design that was just seized and read again.
    pub(crate) fn enter_seized(self, revision: u32) {
        self.place.with_value(|place| place.borrow_mut().revision = revision);
        self.clean.set_value(self.session.version());
        self.set_state(SaveState::Saved);
    }

    /// Lets the work become a new design, kept from now on, after `rename` gave it its title.
    pub(crate) fn work_on_copy(self, rename: impl FnOnce()) {
        self.go_to(Shared::default());
        rename();
        if self.state.get_untracked() != SaveState::Blocked {
            self.state.set(SaveState::Pending);
            self.save_now();
        }
    }

    /// What was erased need not be saved.
    pub(crate) fn forget(self) {
        self.timer.set_value(None);
        self.place.set_value(Shared::default());
        self.set_state(SaveState::Blocked);
    }

    fn set_state(self, state: SaveState) {
        self.state.try_set(state);
        self.session.set_read_only(state == SaveState::Elsewhere);
    }

    fn is_here(self, place: &Shared) -> bool {
        self.place.try_with_value(|here| Rc::ptr_eq(here, place)) == Some(true)
    }

    fn save_now(self) {
        let bytes = self.session.save();
        let longer_ms = u32::try_from(bytes.len() / BYTES_PER_MS).unwrap_or(u32::MAX - REST_MS);
        self.rest_ms.set_value(REST_MS.saturating_add(longer_ms));
        recovery::remember(&bytes);
        let record = self.session.read(|it| it.shelf_record(bytes.len(), clock::now()));
        self.clean.set_value(self.session.version());
        let place = self.place.get_value();
        let mut there = place.borrow_mut();
        if there.is_saving {
            there.next = Some((record, bytes));
            return;
        }
        there.is_saving = true;
        drop(there);
        task::spawn(self.save_all(place, record, bytes));
    }

    /// Saves, and then what came to be saved meanwhile.
    async fn save_all(self, place: Shared, record: ShelfRecord, bytes: Vec<u8>) {
        let mut next = Some((record, bytes));
        while let Some((mut record, bytes)) = next.take() {
            let id = place.borrow().id;
            record.revision = place.borrow().revision + 1;
            match storage::save(id, &record, &bytes).await {
                Ok(kept) => {
                    place.borrow_mut().id = Some(kept);
                    place.borrow_mut().revision = record.revision;
                    next = place.borrow_mut().next.take();
                    if id.is_none() && self.is_here(&place) {
                        remember_place(Some(kept));
                        self.id.set(Some(kept));
                        self.claim(&place).await;
                    }
                }
                Err(failure) => {
                    place.borrow_mut().next = None;
                    if self.is_here(&place) {
                        self.fail(failure);
                    }
                }
            }
        }
        place.borrow_mut().is_saving = false;
        if !self.is_here(&place) {
            place.borrow_mut().hold = None;
        } else if self.is_all_kept(&place) {
            self.set_state(SaveState::Saved);
            self.has_told.set_value(false);
        }
    }

    /// True if nothing was changed while it was being saved, nor anything refused.
    fn is_all_kept(self, place: &Shared) -> bool {
        let is_pending = self.state.get_untracked() == SaveState::Pending;
        is_pending
            && place.borrow().id.is_some()
            && self.session.version() == self.clean.get_value()
    }

    /// Says, once, why the work is not kept.
    fn fail(self, failure: Failure) {
        let (state, words) = match failure {
            Failure::Blocked => (SaveState::Blocked, BLOCKED),
            Failure::Full => (SaveState::Full, FULL),
            Failure::Changed => (SaveState::Elsewhere, ""),
        };
        self.set_state(state);
        if !words.is_empty() && self.has_told.try_get_value() == Some(false) {
            self.has_told.set_value(true);
            self.screen.announce(words);
            self.screen.show_notice(Some(Notice::Said(words.to_owned())));
        }
    }
}

const BLOCKED: &str = "This browser keeps nothing for this page, so your work lasts as long as the tab. Save a design to a file to keep it.";
const FULL: &str = "This browser has no room left for this design, so your work lasts as long as the tab. Delete a design you no longer need, or save this one to a file.";

/// Under which name the typed request of a design is kept.
pub(crate) fn draft_name(id: Option<u32>) -> String {
    id.map_or("draft".to_owned(), |id| format!("draft.{id}"))
}

/// Notes which design this tab shows, for its reload and for the next visit.
fn remember_place(id: Option<u32>) {
    let Some(id) = id else { return settings::remember_in_tab(None) };
    let id = id.to_string();
    settings::remember_in_tab(Some(&id));
    settings::write("design", &id);
}
