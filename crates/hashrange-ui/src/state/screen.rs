//! The screen store: what of the page is in view, and what a screen reader was told last.
//!
//! Invariant: the target shown always exists; where the chosen one is gone, it is the first there is.

use hashrange_playground::view::Target;

use super::session::SessionStore;
use crate::signal::{Memo, RwSignal};

/// Widest window that shows one pane at a time, in px.
const NARROW_PX: u32 = 639;
/// Widest window that has the console under the stage, in px.
const COMPACT_PX: u32 = 899;

/// The pane that a phone shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The table.
    Data,
    /// The request.
    Run,
    /// The result and what it cost.
    Result,
}

impl Pane {
    /// Its word in attributes.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Run => "run",
            Self::Result => "result",
        }
    }
}

/// What the middle of the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StageView {
    /// A table's items, with the console beside it.
    Data,
    /// The design: key templates and access patterns, with what is wrong beside it.
    Design,
    /// An index and its table, with what goes from one to the other.
    Links,
    /// What a month costs, with what is counted beside it.
    Cost,
    /// The guided process, with its reasons beside it.
    Guide,
    /// The design beside another, over the whole page.
    Compare,
}

impl StageView {
    /// Its word in attributes.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Design => "design",
            Self::Links => "links",
            Self::Cost => "cost",
            Self::Guide => "guide",
            Self::Compare => "compare",
        }
    }
}

/// The dialog that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DialogKind {
    /// Import a file.
    Import,
    /// The designs kept in this browser.
    Designs,
    /// What this is.
    About,
    /// Help and the keyboard.
    Shortcuts,
}

/// A line the person can act on or dismiss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Another session took the place of the one of this title, which can come back.
    PutAside {
        /// Its title.
        title: String,
    },
    /// The saved session could not be read; what was saved is offered as a file.
    NotRestored {
        /// Why, in a sentence.
        reason: String,
        /// Address of the file.
        address: String,
    },
    /// A kept design was deleted, which can be taken back.
    Deleted {
        /// Its number.
        id: u32,
        /// Its title.
        title: String,
        /// True if it was the one in view.
        was_open: bool,
    },
    /// Something worth a sentence.
    Said(String),
}

/// What of the page is in view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScreenStore {
    chosen: RwSignal<Option<Target>>,
    target: Memo<Option<Target>>,
    pane: RwSignal<Pane>,
    view: RwSignal<StageView>,
    is_outline_open: RwSignal<bool>,
    dialog: RwSignal<Option<DialogKind>>,
    notice: RwSignal<Option<Notice>>,
    announcement: RwSignal<String>,
    is_narrow: RwSignal<bool>,
    is_compact: RwSignal<bool>,
    height: RwSignal<u32>,
}

impl ScreenStore {
    /// A screen that shows the first table; the browser tells its size later.
    pub(crate) fn new(session: SessionStore) -> Self {
        let chosen = RwSignal::new(None::<Target>);
        let targets = session.targets();
        let target = Memo::new(move |_| {
            targets.with(|targets| {
                let kept = chosen.get().filter(|target| targets.contains(target));
                kept.or_else(|| targets.first().cloned())
            })
        });
        Self {
            chosen,
            target,
            pane: RwSignal::new(Pane::Data),
            view: RwSignal::new(StageView::Data),
            is_outline_open: RwSignal::new(false),
            dialog: RwSignal::new(None),
            notice: RwSignal::new(None),
            announcement: RwSignal::new(String::new()),
            is_narrow: RwSignal::new(false),
            is_compact: RwSignal::new(false),
            height: RwSignal::new(900),
        }
    }

    /// The table or index in view, if there is any.
    pub(crate) fn target(self) -> Memo<Option<Target>> {
        self.target
    }

    /// Shows a table or index.
    pub(crate) fn show_target(self, target: Target) {
        self.chosen.set(Some(target));
    }

    /// The phone's pane. Tracks it.
    pub(crate) fn pane(self) -> Pane {
        self.pane.get()
    }

    /// Shows a pane, on a phone.
    pub(crate) fn show_pane(self, pane: Pane) {
        self.pane.set(pane);
        self.is_outline_open.set(false);
    }

    /// What the stage shows. Tracks it.
    pub(crate) fn view(self) -> StageView {
        self.view.get()
    }

    /// Shows the items or the design.
    pub(crate) fn show_view(self, view: StageView) {
        set_if_other(self.view, view);
    }

    /// Shows what of a table is in an index, and with what.
    pub(crate) fn show_links(self, table: &str, index: &str) {
        self.show_target(Target { table: table.to_owned(), index: Some(index.to_owned()) });
        self.show_view(StageView::Links);
        self.show_pane(Pane::Data);
    }

    /// True if the outline was opened over the stage. Tracks it.
    pub(crate) fn is_outline_open(self) -> bool {
        self.is_outline_open.get()
    }

    /// Opens or closes the outline over the stage.
    pub(crate) fn open_outline(self, is_open: bool) {
        self.is_outline_open.set(is_open);
    }

    /// The open dialog. Tracks it.
    pub(crate) fn dialog(self) -> Option<DialogKind> {
        self.dialog.get()
    }

    /// Opens a dialog, or closes the one that is open.
    pub(crate) fn show_dialog(self, dialog: Option<DialogKind>) {
        self.dialog.set(dialog);
    }

    /// The notice in view. Tracks it.
    pub(crate) fn notice(self) -> Option<Notice> {
        self.notice.get()
    }

    /// The notice in view. Tracks nothing.
    pub(crate) fn notice_now(self) -> Option<Notice> {
        self.notice.get_untracked()
    }

    /// Shows a notice, or takes it away.
    pub(crate) fn show_notice(self, notice: Option<Notice>) {
        self.notice.set(notice);
    }

    /// What the live region says. Tracks it.
    pub(crate) fn announcement(self) -> String {
        self.announcement.get()
    }

    /// Says a sentence to screen readers, once.
    pub(crate) fn announce(self, sentence: impl Into<String>) {
        self.announcement.set(sentence.into());
    }

    /// True on a phone's width. Tracks it.
    pub(crate) fn is_narrow(self) -> bool {
        self.is_narrow.get()
    }

    /// The window's height in px. Tracks it.
    pub(crate) fn height(self) -> u32 {
        self.height.get()
    }

    /// True where the console is under the stage, or narrower. Tracks it.
    pub(crate) fn is_compact(self) -> bool {
        self.is_compact.get()
    }

    /// Takes note of the window's size, in px.
    pub(crate) fn resize(self, width: u32, height: u32) {
        set_if_other(self.is_narrow, width <= NARROW_PX);
        set_if_other(self.is_compact, width <= COMPACT_PX);
        set_if_other(self.height, height);
    }
}

fn set_if_other<T: PartialEq + Clone + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.try_get_untracked().is_some_and(|now| now != value) {
        signal.set(value);
    }
}
