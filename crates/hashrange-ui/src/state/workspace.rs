//! The workspace: all stores together, and the verbs that touch more than one.
//!
//! Invariant: whatever runs a request also opens its entry, shows the target it read and says its sentence.

use std::ops::Deref;

use hashrange_playground::Session;
use hashrange_playground::view::{Refusal, Target};
use leptos::prelude::*;

use super::compare::CompareStore;
use super::design::DesignStore;
use super::editor::EditorStore;
use super::forms::{Form, FormsStore};
use super::grid::GridStore;
use super::guide::GuideStore;
use super::history::HistoryStore;
use super::import::ImportStore;
use super::items::ItemsStore;
use super::save::{Origin, SaveStore};
use super::screen::{Notice, Pane, ScreenStore, StageView};
use super::session::{IN_ANOTHER_TAB, SessionStore};
use super::settings::SettingsStore;
use super::shelf::ShelfStore;
use crate::browser::{clock, dialog};

/// A handle on every store of the page.
///
/// The stores are leaked once for each page, which lives as long as its tab: closures then hold a pointer
/// instead of a kilobyte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workspace(&'static Stores);

/// Every store of the page.
#[derive(Debug)]
pub(crate) struct Stores {
    /// The running playground.
    pub(crate) session: SessionStore,
    /// Which entry is open.
    pub(crate) history: HistoryStore,
    /// What is in view.
    pub(crate) screen: ScreenStore,
    /// The request being written.
    pub(crate) editor: EditorStore,
    /// The design as its panels show it.
    pub(crate) design: DesignStore,
    /// The designer's forms.
    pub(crate) forms: FormsStore,
    /// The design beside another.
    pub(crate) compare: CompareStore,
    /// The picture of the table.
    pub(crate) grid: GridStore,
    /// The guided process.
    pub(crate) guide: GuideStore,
    /// What of the picture is being edited.
    pub(crate) items: ItemsStore,
    /// An import under way.
    pub(crate) import: ImportStore,
    /// Whether the work is kept.
    pub(crate) save: SaveStore,
    /// The designs that are kept.
    pub(crate) shelf: ShelfStore,
    /// What a person set.
    pub(crate) settings: SettingsStore,
}

impl Deref for Workspace {
    type Target = Stores;

    fn deref(&self) -> &Stores {
        self.0
    }
}

impl Workspace {
    /// Makes the stores for a session and provides them as context.
    pub(crate) fn provide(session: Session) -> Self {
        let session = SessionStore::new(session);
        let history = HistoryStore::new(session);
        let screen = ScreenStore::new(session);
        let forms = FormsStore::new(session);
        let items = ItemsStore::new();
        let stores = Stores {
            session,
            history,
            screen,
            editor: EditorStore::new(session, history),
            design: DesignStore::new(session, screen, &forms),
            forms,
            compare: CompareStore::new(session, screen),
            grid: GridStore::new(session, history, screen, items),
            guide: GuideStore::new(session),
            items,
            import: ImportStore::new(screen),
            save: SaveStore::new(session, screen),
            shelf: ShelfStore::new(),
            settings: SettingsStore::new(),
        };
        let workspace = Self(Box::leak(Box::new(stores)));
        workspace.show_newest();
        provide_context(workspace);
        workspace
    }

    /// Runs what stands in the editor.
    pub(crate) fn run(self) {
        let operation = self.editor.operation().get_untracked();
        let text = self.editor.text().get_untracked();
        if !self.is_refused_here(|session| session.would_change(&operation, &text, clock::now())) {
            let number = self.session.run(&operation, &text);
            self.show(number);
        }
    }

    /// Fills the editor with an access pattern and runs it.
    pub(crate) fn run_pattern(self, number: u32) {
        if let Some((operation, text)) = self.session.pattern_request(number) {
            let now = clock::now();
            if self.is_refused_here(|session| session.would_change(&operation, &text, now)) {
                return;
            }
            self.editor.fill(&operation, None, text);
        }
        let entry = self.session.run_pattern(number);
        self.show(entry);
        self.follow_target(entry);
    }

    /// Opens an entry of the history and puts its request back into the editor.
    pub(crate) fn reopen(self, number: u32) {
        let entry = untrack(|| self.session.entry(number));
        let Some(entry) = entry else { return };
        self.editor.fill(&entry.operation, entry.read_target.clone(), entry.request.clone());
        self.show(number);
    }

    /// Runs an entry of the history once more, as a new entry.
    pub(crate) fn run_again(self, number: u32) {
        self.reopen(number);
        self.run();
    }

    /// Reads the next page of the open entry.
    pub(crate) fn next_page(self) {
        let number = untrack(|| self.history.number());
        if let Some(number) = number
            && self.session.next_page(number)
        {
            self.show(number);
        }
    }

    /// Takes the last write back.
    pub(crate) fn undo(self) {
        let label = untrack(|| self.session.undo_label());
        if !self.is_refused_here(|_| true) && self.session.undo() {
            self.screen.announce(format!("Undone: {}.", label.unwrap_or_default()));
        }
    }

    /// Does again what was taken back.
    pub(crate) fn redo(self) {
        if !self.is_refused_here(|_| true) && self.session.redo() {
            self.screen.announce("Done again.");
        }
    }

    /// Begins an empty design, if this is none, and opens the guided process.
    pub(crate) fn start_guide(self) {
        if !self.session.checked(Session::is_blank) {
            self.replace_session(Session::empty());
        }
        self.guide.step.set(0);
        self.guide.open_entity(None);
        self.screen.show_view(StageView::Guide);
        self.screen.show_pane(Pane::Data);
    }

    /// Puts an example in place of the session, which is kept aside.
    pub(crate) fn open_example(self, slug: &str) {
        match Session::open_example(slug, clock::now()) {
            Ok(session) => self.put_in_view(session, Origin::Example(slug.to_owned())),
            Err(reason) => self.screen.show_notice(Some(Notice::Said(reason))),
        }
    }

    /// Puts another session in place of this one, which is kept aside. The other is worth keeping.
    pub(crate) fn replace_session(self, session: Session) {
        self.put_in_view(session, Origin::Work);
    }

    /// Puts another session in place of this one, which is kept aside.
    pub(crate) fn put_in_view(self, session: Session, origin: Origin) {
        self.design.open_pattern(None);
        self.forms.forget();
        self.compare.forget();
        let title = self.session.title().get_untracked();
        let is_kept = matches!(origin, Origin::Kept(..));
        self.save.leave();
        self.session.replace(session);
        self.save.enter(origin);
        self.show_newest();
        if is_kept {
            self.save.take_up_draft(&self.editor);
        }
        self.screen.show_pane(Pane::Data);
        self.screen.show_notice(Some(Notice::PutAside { title }));
        self.screen.announce(format!("{} is open.", self.session.title().get_untracked()));
    }

    /// Brings back the session that was put aside.
    pub(crate) fn bring_back(self) {
        self.screen.show_notice(None);
        self.forms.forget();
        self.save.flush();
        if self.session.bring_back() {
            self.compare.forget();
            self.save.come_back();
            self.show_newest();
        }
    }

    /// Writes a request of `operation` for `target` into the editor, without running it.
    pub(crate) fn write(self, operation: &str, target: Target) {
        self.editor.choose_operation(operation);
        self.editor.choose_target(target);
        self.screen.show_view(StageView::Data);
        self.screen.show_pane(Pane::Run);
    }

    /// Writes and runs a GetItem for an item of the picture.
    pub(crate) fn open_item(self, target: &Target, id: &str) {
        if let Some(text) = SessionStore::item_request(target, id) {
            let table = Target { table: target.table.clone(), index: None };
            self.editor.fill("GetItem", Some(table), text);
            self.screen.show_pane(Pane::Run);
            self.screen.announce("The request for this item is in the console.");
        }
    }

    /// Shows the design, with one access pattern open in it.
    pub(crate) fn show_pattern(self, number: u32) {
        self.design.open_pattern(Some(number));
        self.screen.show_view(StageView::Design);
        self.screen.show_pane(Pane::Result);
    }

    /// Makes an edit, and says what refuses it.
    pub(crate) fn edit(self, verb: impl FnOnce(&mut Session, i64) -> Result<(), Refusal>) -> bool {
        let result = self.session.edit(verb);
        let is_done = result.is_ok();
        match result {
            Ok(()) => self.screen.show_notice(None),
            Err(refusal) => {
                let words = refusal.words();
                self.screen.announce(words.clone());
                self.screen.show_notice(Some(Notice::Said(words)));
            }
        }
        is_done
    }

    /// Opens a form of the designer: of something there is, or of something new.
    pub(crate) fn open_form(self, form: Form) {
        if let Form::Index { table, .. } = &form {
            // An index is tried in the picture of the design, beside its form.
            self.screen.show_view(StageView::Design);
            self.screen.show_target(Target { table: table.clone(), index: None });
            self.screen.show_pane(Pane::Result);
        }
        self.screen.open_outline(false);
        self.forms.show(form);
    }

    /// Opens the form of a new access pattern that is as another one.
    pub(crate) fn duplicate_pattern(self, number: u32) {
        self.forms.show_copy(Form::Pattern(None), &Form::Pattern(Some(number)));
    }

    /// Moves an access pattern up or down in the list, by its number from 1, and keeps it open.
    pub(crate) fn move_pattern(self, number: u32, is_up: bool) {
        let to = if is_up { number.saturating_sub(1) } else { number + 1 };
        let place = |number: u32| usize::try_from(number).map_or(0, |it| it.saturating_sub(1));
        let n = untrack(|| self.session.outline().with(|it| it.patterns.len()));
        if to == 0 || place(to) >= n {
            return;
        }
        self.edit(|session, _| {
            session.move_pattern(place(number), place(to));
            Ok(())
        });
        self.design.open_pattern(Some(to));
    }

    /// Does what the open form says; where that is refused, the field says why.
    pub(crate) fn apply_form(self) {
        let form = untrack(|| self.forms.open());
        let title = self.forms.view().with_untracked(|view| view.title.clone());
        let index = self.forms.typed("name");
        if self.forms.apply() {
            let mut said = format!("{title}: done. Undo takes it back.");
            let mut notice = None;
            match form {
                Some(Form::Index { table, .. }) => {
                    let filled = self.session.read(|it| it.backfilled(&table, index.trim()));
                    said = filled.unwrap_or(said);
                    notice = Some(Notice::Said(said.clone()));
                }
                Some(Form::Table(None)) => {}
                _ => self.screen.show_view(StageView::Design),
            }
            self.screen.show_notice(notice);
            self.screen.announce(said);
        } else if let Some(refusal) = untrack(|| self.forms.refusal()) {
            dialog::focus(&format!("form-{}", refusal.field));
            self.screen.announce(refusal.message);
        }
    }

    /// Removes what the open form is of.
    pub(crate) fn remove_formed(self) {
        let Some(form) = untrack(|| self.forms.open()) else { return };
        if self.edit(|session, now| session.remove_formed(&form, now)) {
            self.design.open_pattern(None);
            self.forms.forget_open();
            self.screen.announce("Removed. Undo takes it back.");
        }
    }

    /// Makes a table anew as the design has it.
    pub(crate) fn rebuild(self, table: &str) {
        if self.edit(|session, now| session.rebuild(table, now)) {
            self.screen.announce(format!("{table} was made anew. Undo brings the old data back."));
        }
    }

    /// Takes what would serve a pattern better.
    pub(crate) fn take_suggestion(self, number: u32, at: usize) {
        if self.edit(|session, now| session.take_suggestion(number, at, now)) {
            self.screen.announce("The design was changed. Undo takes it back.");
        }
    }

    /// Puts what the design is compared with in its place.
    pub(crate) fn keep_rival(self) {
        let Some(rival) = self.compare.rival() else { return };
        if self.edit(|session, _| session.keep_rival(&rival)) {
            self.screen.announce("B took the design's place. Undo brings it back.");
        }
    }

    /// Mends what a design note says.
    pub(crate) fn take_fix(self, at: usize) {
        if self.edit(|session, now| session.take_fix(at, now)) {
            self.screen.announce("The design was changed. Undo takes it back.");
        }
    }

    /// Silences a design note, for a reason.
    pub(crate) fn silence(self, at: usize, reason: &str) {
        self.edit(|session, _| session.silence(at, reason));
    }

    /// Lets a design note be heard again.
    pub(crate) fn hear(self, at: usize) {
        self.edit(|session, _| {
            session.speak(at);
            Ok(())
        });
    }

    /// Removes an access pattern, by its number from 1.
    pub(crate) fn remove_pattern(self, number: u32) {
        let at = usize::try_from(number).map_or(0, |number| number.saturating_sub(1));
        self.design.open_pattern(None);
        self.edit(|session, _| {
            session.remove_pattern(at);
            Ok(())
        });
    }

    /// Keeps an entry of the history as an access pattern, and opens it.
    pub(crate) fn keep_as_pattern(self, entry: u32) {
        if self.edit(|session, _| session.keep_as_pattern(entry, "")) {
            let number = untrack(|| self.session.outline().with(|it| it.patterns.len()));
            self.show_pattern(u32::try_from(number).unwrap_or(u32::MAX));
        }
    }

    /// Refuses, and says so, what `is_change` says would change a design that another tab works on.
    fn is_refused_here(self, is_change: impl FnOnce(&Session) -> bool) -> bool {
        let is_refused = self.save.is_elsewhere() && self.session.read(is_change);
        if is_refused {
            self.screen.announce(IN_ANOTHER_TAB);
            self.screen.show_notice(Some(Notice::Said(IN_ANOTHER_TAB.to_owned())));
        }
        is_refused
    }

    fn show(self, number: u32) {
        self.screen.show_view(StageView::Data);
        self.history.open(number);
        self.screen.show_pane(Pane::Result);
        let entry = untrack(|| self.session.entry(number));
        let Some(entry) = entry else { return };
        if let Some(target) = entry.read_target {
            self.screen.show_target(target);
        }
        self.screen.announce(match &entry.outcome {
            Ok(_) => entry.sentence,
            Err(error) => format!("{}: {}", error.name, error.message),
        });
    }

    /// Makes the editor's target the one an entry read.
    fn follow_target(self, number: u32) {
        let entry = untrack(|| self.session.entry(number));
        if let Some(entry) = entry
            && let Some(target) = entry.read_target
        {
            self.editor.fill(&entry.operation, Some(target), entry.request);
        }
    }

    /// Opens the newest entry with its request, as after a reload.
    fn show_newest(self) {
        let entry = self.session.newest().and_then(|number| untrack(|| self.session.entry(number)));
        let Some(entry) = entry else {
            self.history.close();
            let target =
                self.session.targets().get_untracked().into_iter().next().unwrap_or_default();
            self.editor.fill("Query", Some(target), String::new());
            self.editor.reset();
            return;
        };
        self.history.open(entry.number);
        if let Some(target) = entry.read_target.clone() {
            self.screen.show_target(target);
        }
        self.editor.fill(&entry.operation, entry.read_target, entry.request);
    }
}
