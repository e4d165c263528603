//! The compare store: which design stands beside this one, and how far it is made ready.
//!
//! Invariant: B is made ready in short steps between frames, and only while the comparison is in view; a scan-based
//! copy is made anew after every change of the design.
//!
//! Not here: what a comparison says (`hashrange_playground::compare`), drawing (`panels::compare`).

use hashrange_playground::Session;
use hashrange_playground::compare::{CompareView, Rival};
use leptos::prelude::*;

use super::screen::{ScreenStore, StageView};
use super::session::SessionStore;
use crate::browser::clock;
use crate::browser::timer::Timer;
use crate::signal::{Memo, RwSignal};

/// How long design and items rest before B is made, in ms.
const REST_MS: u32 = 80;
/// Steps between two frames, of a few milliseconds each.
const STEPS: u32 = 2;

/// What the design is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The same items and questions without indexes and composite keys.
    ScanBased,
    /// A table for each entity.
    Relational,
    /// A copy that was kept, by its place.
    Copy(usize),
    /// An example, by its slug.
    Example(String),
}

/// How far B is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// Being made ready, and how far.
    Running(String),
    /// Stopped by the person.
    Stopped,
    /// It cannot be made, and why.
    Refused(String),
    /// Ready.
    Ready,
}

/// The comparison as its panel shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompareStore {
    session: SessionStore,
    screen: ScreenStore,
    choice: RwSignal<Choice>,
    copies: RwSignal<Vec<Rival>>,
    /// True once the design was compared.
    has_opened: StoredValue<bool>,
    rival: StoredValue<Option<Rival>>,
    readiness: RwSignal<Readiness>,
    timer: StoredValue<Option<Timer>, LocalStorage>,
    view: Memo<Option<CompareView>>,
}

impl CompareStore {
    /// Nothing made yet; the first thing to compare with is the scan-based copy.
    pub(crate) fn new(session: SessionStore, screen: ScreenStore) -> Self {
        let rival = StoredValue::new(None::<Rival>);
        let readiness = RwSignal::new(Readiness::Running(String::new()));
        let view = move |_: Option<&Option<CompareView>>| {
            if readiness.get() != Readiness::Ready {
                return None;
            }
            let compare = |session: &Session| {
                rival.with_value(|rival| rival.as_ref().map(|rival| session.compare(rival)))
            };
            session.checked(compare)
        };
        Self {
            session,
            screen,
            choice: RwSignal::new(Choice::ScanBased),
            copies: RwSignal::new(Vec::new()),
            has_opened: StoredValue::new(false),
            rival,
            readiness,
            timer: StoredValue::new_local(None),
            view: Memo::new(view),
        }
    }

    /// Makes B ready whenever the comparison comes into view or something of it changes, for as long as the owner
    /// lives.
    pub(crate) fn watch(self) {
        Effect::new(move |_| {
            if self.screen.view() != StageView::Compare {
                self.timer.set_value(None);
                return;
            }
            self.session.track_work();
            self.choice.track();
            // One copy is kept when a design is compared first; thrown away, it stays away.
            if !self.has_opened.get_value() {
                self.has_opened.set_value(true);
                self.keep_copy();
            }
            // What was chosen before is not gone on with.
            self.rival.set_value(None);
            self.readiness.set(Readiness::Running(String::new()));
            self.timer.set_value(Some(Timer::new(REST_MS, move || self.begin())));
        });
    }

    fn begin(self) {
        match self.made() {
            Ok(rival) => {
                self.rival.set_value(Some(rival));
                self.go_on();
            }
            Err(reason) => self.readiness.set(Readiness::Refused(reason)),
        }
    }

    fn made(self) -> Result<Rival, String> {
        let now = clock::now();
        match self.choice.get_untracked() {
            Choice::Relational => Ok(Rival::relational()),
            Choice::Copy(at) => self
                .copies
                .with_untracked(|copies| copies.get(at).cloned())
                .ok_or_else(|| "This copy is not there any more.".to_owned()),
            Choice::Example(slug) => Session::open_example(&slug, now).map(|it| Rival::other(&it)),
            Choice::ScanBased => {
                untrack(|| self.session.checked(|session| Rival::scan_based(session, now)))
                    .map_err(|refusal| refusal.message)
            }
        }
    }

    /// Makes B ready from where it is.
    pub(crate) fn go_on(self) {
        let step = |rival: &mut Option<Rival>| rival.as_mut().map(|rival| rival.step(STEPS));
        match self.rival.try_update_value(step).flatten() {
            // Stopped before it was begun.
            None => self.begin(),
            Some(Err(reason)) => self.readiness.set(Readiness::Refused(reason)),
            Some(Ok(progress)) if progress.is_done => self.readiness.set(Readiness::Ready),
            Some(Ok(progress)) => {
                self.readiness.set(Readiness::Running(progress.text));
                self.timer.set_value(Some(Timer::new(0, move || self.go_on())));
            }
        }
    }

    /// Makes B ready at once; for tests without a browser.
    #[cfg(test)]
    pub(crate) fn run_all(self) {
        self.rival.set_value(self.made().ok());
        let step = |rival: &mut Option<Rival>| rival.as_mut().map(|rival| rival.step(STEPS));
        while let Some(Ok(progress)) = self.rival.try_update_value(step).flatten() {
            if progress.is_done {
                break;
            }
        }
        self.readiness.set(Readiness::Ready);
    }

    /// Stops making B ready.
    pub(crate) fn stop(self) {
        self.timer.set_value(None);
        self.readiness.set(Readiness::Stopped);
    }

    /// How far B is. Tracks it.
    pub(crate) fn readiness(self) -> Readiness {
        self.readiness.get()
    }

    /// The comparison, once B is ready.
    pub(crate) fn view(self) -> Memo<Option<CompareView>> {
        self.view
    }

    /// What the design is compared with. Tracks it.
    pub(crate) fn choice(self) -> Choice {
        self.choice.get()
    }

    /// Compares with something else.
    pub(crate) fn choose(self, choice: Choice) {
        self.choice.set(choice);
    }

    /// What the kept copies are called. Tracks them.
    pub(crate) fn copies(self) -> Vec<String> {
        self.copies.with(|copies| copies.iter().map(|copy| copy.title().to_owned()).collect())
    }

    /// Keeps a copy of the design as it is now.
    pub(crate) fn keep_copy(self) {
        untrack(|| {
            let mut copies = self.copies.get();
            let title = format!("Copy {} of {}", copies.len() + 1, self.session.title().get());
            copies.push(self.session.checked(|session| Rival::version(session, title)));
            self.copies.set(copies);
        });
    }

    /// True if B can take the design's place. Tracks B.
    pub(crate) fn can_be_kept(self) -> bool {
        self.readiness.track();
        self.rival.with_value(|rival| rival.as_ref().is_some_and(Rival::can_be_kept))
    }

    /// B, as far as it is ready.
    pub(crate) fn rival(self) -> Option<Rival> {
        self.rival.get_value()
    }

    /// Throws the copy away that the design is compared with.
    pub(crate) fn discard(self) {
        if let Choice::Copy(at) = self.choice.get_untracked() {
            let mut copies = self.copies.get_untracked();
            if at < copies.len() {
                copies.remove(at);
            }
            self.copies.set(copies);
            self.choice.set(Choice::ScanBased);
        }
    }

    /// Forgets all copies: another design is in place.
    pub(crate) fn forget(self) {
        self.has_opened.set_value(false);
        self.copies.set(Vec::new());
        self.choice.set(Choice::ScanBased);
    }
}
