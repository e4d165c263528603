//! The shelf store: the list of kept designs, and the verbs on them.
//!
//! Invariant: a design goes for good only when a person says so or its days to come back have passed; one that
//! another tab works on is neither renamed nor deleted from here.
//!
//! Not here: keeping the design in view ([`super::save`]), how the list is worded (`hashrange-playground`).

use std::future::Future;

use hashrange_playground::view::ShelfView;
use hashrange_playground::{Session, ShelfRecord, copy_title, shelf};
use leptos::prelude::{Effect, untrack};

use super::save::{Origin, SaveState, draft_name};
use super::screen::{DialogKind, Notice};
use super::workspace::Workspace;
use crate::browser::storage::{self, Failure};
use crate::browser::{clock, files, hold, page, settings, task};
use crate::signal::RwSignal;

/// Whether the title in the top bar is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It is only shown.
    No,
    /// It is being written.
    Now,
    /// It was just written by keyboard, which goes on from there.
    Done,
}

type Records = Vec<(u32, ShelfRecord)>;

/// The kept designs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShelfStore {
    list: RwSignal<ShelfView>,
    renaming: RwSignal<Option<u32>>,
    is_asking: RwSignal<bool>,
    naming: RwSignal<Naming>,
}

impl ShelfStore {
    /// An empty list.
    pub(crate) fn new() -> Self {
        Self {
            list: RwSignal::new(ShelfView::default()),
            renaming: RwSignal::new(None),
            is_asking: RwSignal::new(false),
            naming: RwSignal::new(Naming::No),
        }
    }

    /// The kept designs. Tracks them.
    pub(crate) fn list(self) -> ShelfView {
        self.list.get()
    }

    /// Shows these designs.
    pub(crate) fn show(self, list: ShelfView) {
        self.list.set(list);
    }

    /// The design of the list whose title is being written. Tracks it.
    pub(crate) fn renaming(self) -> Option<u32> {
        self.renaming.get()
    }

    /// The design of the list whose title is being written. Tracks nothing.
    pub(crate) fn renaming_now(self) -> Option<u32> {
        self.renaming.get_untracked()
    }

    /// Lets the title of a design of the list be written, or of none.
    pub(crate) fn rename(self, id: Option<u32>) {
        self.renaming.set(id);
    }

    /// True if erasing everything waits for a yes. Tracks it.
    pub(crate) fn is_asking(self) -> bool {
        self.is_asking.get()
    }

    /// Asks whether everything is to be erased, or no longer.
    pub(crate) fn ask(self, is_asking: bool) {
        self.is_asking.set(is_asking);
    }

    /// Whether the title in the top bar is being written. Tracks it.
    pub(crate) fn naming(self) -> Naming {
        self.naming.get()
    }

    /// Whether the title in the top bar is being written. Tracks nothing.
    pub(crate) fn naming_now(self) -> Naming {
        self.naming.get_untracked()
    }

    /// Lets the title in the top bar be written, or no longer.
    pub(crate) fn name(self, naming: Naming) {
        self.naming.set(naming);
    }
}

/// What a record is of contents that an earlier version kept.
pub(crate) fn describe(bytes: &[u8]) -> ShelfRecord {
    match Session::restore(bytes) {
        Ok(session) => session.shelf_record(bytes.len(), clock::now()),
        Err(_) => ShelfRecord {
            title: "Last session".to_owned(),
            changed_at: clock::now(),
            n_bytes: bytes.len() as u64,
            ..ShelfRecord::default()
        },
    }
}

/// What is said of a design that another tab works on.
fn open_elsewhere(title: &str) -> String {
    format!("{title} is open in another tab. Close it there first.")
}

impl Workspace {
    /// Opens the list of designs.
    pub(crate) fn show_shelf(self) {
        self.save.flush();
        self.shelf.ask(false);
        self.shelf.rename(None);
        self.screen.show_dialog(Some(DialogKind::Designs));
        self.spawn(async move { self.list_designs().await.map(drop) });
    }

    /// Lists the designs anew whenever the one in view was saved while they are shown, for as long as the owner lives.
    pub(crate) fn watch_shelf(self) {
        Effect::new(move |_| {
            let is_saved = self.save.state() == SaveState::Saved;
            if is_saved && untrack(|| self.screen.dialog()) == Some(DialogKind::Designs) {
                self.spawn(async move { self.list_designs().await.map(drop) });
            }
        });
    }

    /// Puts a kept design in view.
    pub(crate) fn open_design(self, id: u32) {
        self.screen.show_dialog(None);
        if self.save.id_now() != Some(id) {
            self.spawn(async move { self.load_design(id).await });
        }
    }

    /// Puts a new design in view that has nothing in it.
    pub(crate) fn new_design(self) {
        self.screen.show_dialog(None);
        self.put_in_view(Session::empty(), Origin::New);
    }

    /// Gives a kept design another title.
    pub(crate) fn rename_design(self, id: u32, title: &str) {
        let title = title.trim().to_owned();
        if self.save.id_now() == Some(id) {
            self.name_design(&title);
            return;
        }
        self.spawn(async move {
            let Some((record, mut session)) = self.read_design(id).await? else { return Ok(()) };
            let Some(_hold) = hold::claim(id, false, || {}).await else {
                self.say(open_elsewhere(&record.title));
                return Ok(());
            };
            session.rename(&title);
            let bytes = session.save();
            let renamed = session.shelf_record(bytes.len(), record.changed_at);
            let revision = record.revision + 1;
            storage::save(Some(id), &ShelfRecord { revision, ..renamed }, &bytes).await?;
            self.list_designs().await.map(drop)
        });
    }

    /// Gives the design in view another title.
    pub(crate) fn name_design(self, title: &str) {
        if title.trim() != self.session.title().get_untracked() {
            self.edit(|session, _| {
                session.rename(title);
                Ok(())
            });
        }
    }

    /// Keeps a copy of a kept design under a title of its own.
    pub(crate) fn duplicate_design(self, id: u32) {
        self.save.flush();
        self.spawn(async move {
            let records = self.list_designs().await?;
            let Some((record, mut session)) = self.read_design(id).await? else { return Ok(()) };
            session.rename(&copy_title(&record.title, &records));
            let bytes = session.save();
            let copy = session.shelf_record(bytes.len(), clock::now());
            let title = copy.title.clone();
            storage::save(None, &copy, &bytes).await?;
            self.list_designs().await?;
            self.screen.announce(format!("{title} is a copy of {}.", record.title));
            Ok(())
        });
    }

    /// Saves a kept design, or the one in view, to a file.
    pub(crate) fn export_design(self, id: Option<u32>) {
        if id.is_none() || self.save.id_now() == id {
            self.session.read(save_to_file);
            return;
        }
        let Some(id) = id else { return };
        self.spawn(async move {
            if let Some((_, session)) = self.read_design(id).await? {
                save_to_file(&session);
            }
            Ok(())
        });
    }

    /// Deletes a kept design, which can be brought back for some days.
    pub(crate) fn delete_design(self, id: u32, title: String) {
        let was_open = self.save.id_now() == Some(id);
        if was_open && self.save.is_elsewhere() {
            return self.say(open_elsewhere(&title));
        }
        self.spawn(async move {
            if was_open {
                // What was changed last is in it when it comes back.
                self.save.flush();
            } else if hold::claim(id, false, || {}).await.is_none() {
                self.say(open_elsewhere(&title));
                return Ok(());
            }
            storage::note(id, |record| record.deleted_at = Some(clock::now())).await?;
            let records = self.list_designs().await?;
            if was_open {
                self.screen.show_dialog(None);
                self.open_another(&records).await?;
                self.list_designs().await?;
            }
            self.screen.announce(format!("{title} was deleted."));
            self.screen.show_notice(Some(Notice::Deleted { id, title, was_open }));
            Ok(())
        });
    }

    /// Brings a deleted design back; `is_shown` puts it in view.
    pub(crate) fn restore_design(self, id: u32, is_shown: bool) {
        self.screen.show_notice(None);
        self.spawn(async move {
            storage::note(id, |record| record.deleted_at = None).await?;
            self.list_designs().await?;
            if is_shown { self.load_design(id).await } else { Ok(()) }
        });
    }

    /// Removes a deleted design for good.
    pub(crate) fn remove_design(self, id: u32) {
        if matches!(self.screen.notice_now(), Some(Notice::Deleted { id: shown, .. }) if shown == id)
        {
            self.screen.show_notice(None);
        }
        self.spawn(async move {
            remove(id).await?;
            self.list_designs().await.map(drop)
        });
    }

    /// Takes the design in view over from the tab that works on it, as it was kept last.
    pub(crate) fn take_over(self) {
        self.spawn(async move {
            let Some(id) = self.save.seize().await else { return Ok(()) };
            let Some((record, session)) = self.read_design(id).await? else { return Ok(()) };
            if record.deleted_at.is_some() {
                self.say(GONE.to_owned());
                return Ok(());
            }
            self.session.set(session);
            self.save.enter_seized(record.revision);
            self.screen.announce(format!("{} is open here now.", record.title));
            Ok(())
        });
    }

    /// Goes on with a copy of the design that another tab works on.
    pub(crate) fn work_on_copy(self) {
        self.spawn(async move {
            let records = self.list_designs().await?;
            let title = copy_title(&self.session.title().get_untracked(), &records);
            self.save.work_on_copy(|| {
                self.edit(|session, _| {
                    session.rename(&title);
                    Ok(())
                });
            });
            self.screen.announce(format!("This is {title} now, a copy."));
            Ok(())
        });
    }

    /// Erases all that is kept in this browser, and begins as on a first visit.
    pub(crate) fn erase_everything(self) {
        self.save.forget();
        self.spawn(async move {
            for (id, _) in storage::list(describe).await? {
                // Other tabs must not keep theirs again.
                drop(hold::claim(id, true, || {}).await);
            }
            storage::erase().await?;
            settings::forget_all();
            page::start_over();
            Ok(())
        });
    }

    /// Lists the designs anew; those that were deleted long ago go.
    async fn list_designs(self) -> Result<Records, Failure> {
        let now = clock::now();
        let mut records = storage::list(describe).await?;
        for (id, _) in records.iter().filter(|(_, record)| record.is_over(now)) {
            remove(*id).await?;
        }
        records.retain(|(_, record)| !record.is_over(now));
        self.shelf.show(shelf(&records, self.save.id_now(), now));
        Ok(records)
    }

    async fn load_design(self, id: u32) -> Result<(), Failure> {
        if let Some((record, session)) = self.read_design(id).await? {
            self.put_in_view(session, Origin::Kept(id, record.revision));
        }
        Ok(())
    }

    /// Puts the design in view that was changed last; a new one if there is none.
    async fn open_another(self, records: &Records) -> Result<(), Failure> {
        let kept = records.iter().filter(|(_, record)| record.deleted_at.is_none());
        if let Some((id, _)) = kept.max_by_key(|(_, record)| record.changed_at) {
            return self.load_design(*id).await;
        }
        self.put_in_view(Session::empty(), Origin::New);
        Ok(())
    }

    /// A kept design; says so where it is gone or cannot be read.
    async fn read_design(self, id: u32) -> Result<Option<(ShelfRecord, Session)>, Failure> {
        let Some((record, bytes)) = storage::load(id).await? else {
            self.say(GONE.to_owned());
            return Ok(None);
        };
        match Session::restore(&bytes) {
            Ok(session) => Ok(Some((record, session))),
            Err(reason) => {
                let address = files::address_of(&bytes).unwrap_or_default();
                self.screen.show_notice(Some(Notice::NotRestored { reason, address }));
                Ok(None)
            }
        }
    }

    /// Does something that may find the browser's storage forbidden or full, and says so.
    fn spawn(self, verb: impl Future<Output = Result<(), Failure>> + 'static) {
        task::spawn(async move {
            if let Err(failure) = verb.await {
                let words = match failure {
                    Failure::Blocked => "This browser keeps nothing for this page.",
                    Failure::Full => {
                        "This browser has no room left. Delete a design you no longer need."
                    }
                    Failure::Changed => GONE,
                };
                self.say(words.to_owned());
            }
        });
    }

    fn say(self, words: String) {
        self.screen.announce(words.clone());
        self.screen.show_notice(Some(Notice::Said(words)));
    }
}

const GONE: &str = "Another tab erased or changed this design meanwhile. What you see here is kept when you work on a copy.";

async fn remove(id: u32) -> Result<(), Failure> {
    settings::forget(&draft_name(Some(id)));
    storage::remove(id).await
}

fn save_to_file(session: &Session) {
    files::save_as(&session.export_name(), &session.export_file());
}
