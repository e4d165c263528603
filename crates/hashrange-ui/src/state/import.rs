//! The import store: from a chosen file or a pasted text to its report, and from the report to a session, to items of
//! the running one, or to nothing.
//!
//! Invariant: nothing of the running session changes before [`ImportStore::open`].

use hashrange_playground::view::ImportReport;
use hashrange_playground::{PendingImport, PendingItems, Session};
use leptos::prelude::*;

use super::import_items::ItemsImportStore;
use super::screen::{DialogKind, ScreenStore};
use super::workspace::Workspace;
use crate::browser::clock;
use crate::browser::files::{self, File};
use crate::signal::RwSignal;

/// Bytes of the largest file that is read at all.
const FILE_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Where an import stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ImportStage {
    /// No file yet.
    Choosing,
    /// The file is being read.
    Reading {
        /// The file's name.
        name: String,
        /// How much has been read, 0 to 1.
        share: f64,
    },
    /// The file was understood; nothing has changed yet.
    Reported {
        /// The file's name.
        name: String,
        /// What was found and repaired.
        report: ImportReport,
    },
    /// Items were read: they can go into the running session.
    Items {
        /// The file's name, or what else they came from.
        name: String,
    },
    /// The file was not understood.
    Refused {
        /// The file's name.
        name: String,
        /// Why, in one sentence.
        reason: String,
    },
}

/// An import under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportStore {
    stage: RwSignal<ImportStage>,
    pending: StoredValue<Option<PendingImport>>,
    /// Counts files, so that a file chosen later wins over one still being read.
    attempt: StoredValue<u32>,
    is_dragging: RwSignal<bool>,
    /// What was read, if it was items.
    pub(crate) items: ItemsImportStore,
    screen: ScreenStore,
}

impl ImportStore {
    /// No import yet.
    pub(crate) fn new(screen: ScreenStore) -> Self {
        Self {
            stage: RwSignal::new(ImportStage::Choosing),
            pending: StoredValue::new(None),
            attempt: StoredValue::new(0),
            is_dragging: RwSignal::new(false),
            items: ItemsImportStore::new(),
            screen,
        }
    }

    /// Where the import stands. Tracks it.
    pub(crate) fn stage(self) -> ImportStage {
        self.stage.get()
    }

    /// True while a file hovers over the page. Tracks it.
    pub(crate) fn is_dragging(self) -> bool {
        self.is_dragging.get()
    }

    /// Takes note that a file came over the page, or left it.
    pub(crate) fn drag(self, is_over: bool) {
        if self.is_dragging.try_get_untracked() != Some(is_over) {
            self.is_dragging.try_set(is_over);
        }
    }

    /// Opens the dialog and asks for a file.
    pub(crate) fn begin(self) {
        self.forget();
        self.screen.show_dialog(Some(DialogKind::Import));
    }

    /// Drops what was read and closes the dialog; the running session is as it was.
    pub(crate) fn cancel(self) {
        self.forget();
        self.screen.show_dialog(None);
    }

    /// Reads a file and shows its report.
    pub(crate) fn read(self, workspace: Workspace, file: File) {
        self.forget();
        self.screen.show_dialog(Some(DialogKind::Import));
        let name = file.name();
        if file.n_bytes() > FILE_BYTES_MAX {
            let reason = format!(
                "The file has {} MB; up to {} MB can be imported, so it was not read.",
                file.n_bytes() / (1024 * 1024),
                FILE_BYTES_MAX / (1024 * 1024)
            );
            self.stage.set(ImportStage::Refused { name, reason });
            return;
        }
        let attempt = self.attempt.with_value(|attempt| *attempt);
        self.stage.set(ImportStage::Reading { name: name.clone(), share: 0.0 });
        files::read(file, move |step| {
            // The dialog was closed or another file was chosen meanwhile.
            if self.attempt.try_with_value(|now| *now) != Some(attempt) {
                return;
            }
            self.take_step(workspace, &name, step);
        });
    }

    /// Reads items from the clipboard and shows what would become of them.
    pub(crate) fn paste(self, workspace: Workspace, text: &str) {
        self.forget();
        self.screen.show_dialog(Some(DialogKind::Import));
        let name = "what was pasted".to_owned();
        self.stage.set(match Session::read_pasted(text) {
            Ok(items) => self.show_items(workspace, name, items),
            Err(reason) => ImportStage::Refused { name, reason },
        });
    }

    fn show_items(self, workspace: Workspace, name: String, items: PendingItems) -> ImportStage {
        self.items.begin(workspace, items);
        ImportStage::Items { name }
    }

    /// Puts the imported design in place of the running session, which is kept aside.
    pub(crate) fn open(self, workspace: Workspace) {
        if matches!(self.stage.get_untracked(), ImportStage::Items { .. }) {
            if self.items.take(workspace) {
                self.cancel();
            }
            return;
        }
        let pending = self.pending.try_update_value(Option::take).flatten();
        if let Some(pending) = pending {
            workspace.replace_session(pending.into_session(clock::now()));
        }
        self.cancel();
    }

    fn forget(self) {
        self.attempt.update_value(|attempt| *attempt += 1);
        self.pending.set_value(None);
        self.items.forget();
        self.stage.set(ImportStage::Choosing);
    }

    fn take_step(self, workspace: Workspace, name: &str, step: files::Step) {
        let name = name.to_owned();
        let stage = match step {
            files::Step::Read(share) => ImportStage::Reading { name, share },
            files::Step::Failed => {
                let reason = "The browser could not read the file.".to_owned();
                ImportStage::Refused { name, reason }
            }
            files::Step::Whole(bytes) => match Session::read_items(&name, &bytes) {
                Some(Ok(items)) => self.show_items(workspace, name, items),
                Some(Err(reason)) => ImportStage::Refused { name, reason },
                None => match Session::read_import(&name, &bytes) {
                    Ok(pending) => {
                        let report = pending.report().clone();
                        self.pending.set_value(Some(pending));
                        ImportStage::Reported { name, report }
                    }
                    Err(reason) => ImportStage::Refused { name, reason },
                },
            },
        };
        self.stage.try_set(stage);
    }
}
