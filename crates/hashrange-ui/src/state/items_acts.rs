//! What is done with the items of the picture: typed over, added, copied, removed, found.
//!
//! Invariant: each act is one step of undo. What refuses it is said where it was typed, and stays there with the text.

use hashrange_playground::view::{AttributeField, Target, TextForm};
use leptos::prelude::*;

use super::grid::{Cell, SORT_COLUMN};
use super::items::{Edit, EditPlace};
use super::selection::SelectedRows;
use super::workspace::Workspace;
use crate::browser::{files, focus, scroll};

/// The name of an attribute as a path.
fn path_of(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl Workspace {
    fn table(self) -> Option<String> {
        self.screen.target().with_untracked(|target| target.as_ref().map(|it| it.table.clone()))
    }

    /// Types over the cell under the cursor, or opens its item where there is no one value to type.
    pub(crate) fn edit_cell(self) {
        let (Some(table), Some(item)) = (self.table(), self.grid.item_at_cursor()) else { return };
        let cell = untrack(|| self.grid.cursor());
        let Some((name, is_number)) = self.grid.attribute_at(cell) else {
            return self.open_item_card(&item.id, None);
        };
        let path = path_of(&name);
        let found = self.session.ask(|session| session.field_at(&table, &item.id, &path));
        let place = EditPlace::Cell { column: cell.column };
        let (is_new, path, field) = match found {
            Some(field) if matches!(field.kind.as_str(), "L" | "M") => {
                return self.open_item_card(&item.id, Some(path));
            }
            Some(field) => (false, path, field),
            None => {
                let kind = if is_number { "N" } else { "S" }.to_owned();
                (true, String::new(), AttributeField { name, kind, text: String::new() })
            }
        };
        let edit = Edit { number: 0, id: item.id, path, is_new, has_name: false, place, field };
        self.items.begin(edit);
    }

    /// Keeps what was typed; true unless it is refused, which is then said beside it.
    pub(crate) fn keep_edit(self) -> bool {
        let (Some(table), Some(edit)) = (self.table(), self.items.edit.get_untracked()) else {
            return true;
        };
        let field = self.items.typed.get_value();
        let is_nothing = edit.is_new
            && !edit.has_name
            && edit.field == field
            && field.text.is_empty()
            && matches!(edit.place, EditPlace::Cell { .. });
        let result = if is_nothing {
            Ok(())
        } else if edit.is_new {
            self.session.edit(|it, now| it.add_value(&table, &edit.id, &edit.path, &field, now))
        } else {
            self.session.edit(|it, now| it.set_value(&table, &edit.id, &edit.path, &field, now))
        };
        if let Err(refusal) = result {
            let words = refusal.words();
            self.screen.announce(words.clone());
            self.items.problem.set(words);
            return false;
        }
        // A changed key moves the item: what was open stays open, and the cursor goes along.
        let id = self.moved_from(&table, &edit.id);
        if self.items.opened.get_untracked().as_deref() == Some(edit.id.as_str()) && id != edit.id {
            self.items.opened.set(Some(id.clone()));
        }
        self.items.leave();
        match edit.place {
            EditPlace::Cell { column } => {
                self.put_cursor_on(&id, column);
                focus::now(self.items.place);
            }
            EditPlace::Line if edit.is_new => focus::by_id("item-add"),
            EditPlace::Line => focus::by_id(&format!("line-{}", edit.path)),
        }
        true
    }

    /// The key an item has now that had this one before the latest write.
    fn moved_from(self, table: &str, id: &str) -> String {
        let is_there = self.session.ask(|session| session.item_fields(table, id).is_some());
        let written = if is_there {
            None
        } else {
            self.session.ask(hashrange_playground::Session::latest_written)
        };
        written.unwrap_or_else(|| id.to_owned())
    }

    /// Leaves what was typed and goes back to where it stood.
    pub(crate) fn leave_edit(self) {
        let edit = self.items.edit.get_untracked();
        self.items.leave();
        match edit.map(|edit| (edit.place, edit.is_new, edit.path)) {
            Some((EditPlace::Line, true, _)) => focus::by_id("item-add"),
            Some((EditPlace::Line, false, path)) => focus::by_id(&format!("line-{path}")),
            _ => focus::now(self.items.place),
        }
    }

    /// Keeps what was typed and goes on to the next cell, or the one before.
    pub(crate) fn keep_and_move(self, columns: i32) {
        let is_cell = self.items.edit.with_untracked(|edit| {
            matches!(edit, Some(Edit { place: EditPlace::Cell { .. }, .. }))
        });
        if self.keep_edit() && is_cell {
            let cell = untrack(|| self.grid.cursor());
            let next = Cell { column: cell.column.saturating_add_signed(columns), ..cell };
            if next.column >= SORT_COLUMN && self.grid.attribute_at(next).is_some() {
                self.grid.put_cursor(next);
                self.edit_cell();
            }
        }
    }

    /// Puts the cursor on an item and brings it into view.
    fn put_cursor_on(self, id: &str, column: u32) {
        let row = untrack(|| {
            self.grid.layout().with(|layout| self.session.ask(|session| session.row_of(layout, id)))
        });
        if let Some(row) = row {
            self.go_to(Cell { row, column });
        }
    }

    /// Puts the cursor on a cell and brings it into view.
    fn go_to(self, cell: Cell) {
        self.grid.put_cursor(cell);
        let (top, height) = self.grid.geometry().with_untracked(|it| it.row(cell.row));
        scroll::bring_into_view(self.items.place, top, height);
    }

    /// Opens an item under its row, with a list or map in it; closes it if it is open already.
    pub(crate) fn open_item_card(self, id: &str, path: Option<String>) {
        let is_open = self.items.opened.get_untracked().as_deref() == Some(id);
        if is_open && path.is_none() {
            return self.close_item_card();
        }
        self.items.leave();
        self.items.open_paths.set(path.into_iter().collect());
        self.items.opened.set(Some(id.to_owned()));
        focus::by_id("item-card");
    }

    /// Closes the open item.
    pub(crate) fn close_item_card(self) {
        self.items.leave();
        self.items.opened.set(None);
        focus::now(self.items.place);
    }

    /// Types over a line of the open item, or over something new in the list or map at `path`.
    pub(crate) fn edit_line(self, id: &str, path: &str, is_new: bool, has_name: bool) {
        let Some(table) = self.table() else { return };
        let field = if is_new {
            AttributeField { kind: "S".to_owned(), ..AttributeField::default() }
        } else {
            let found = self.session.ask(|session| session.field_at(&table, id, path));
            found.unwrap_or_default()
        };
        let (id, path, place) = (id.to_owned(), path.to_owned(), EditPlace::Line);
        self.items.begin(Edit { number: 0, id, path, is_new, has_name, place, field });
    }

    /// Takes a value out of an item.
    pub(crate) fn remove_line(self, id: &str, path: &str) {
        let Some(table) = self.table() else { return };
        if self.edit(|session, now| session.remove_value(&table, id, path, now)) {
            self.say_done();
        }
    }

    /// Says what was done and how to take it back.
    fn say_done(self) {
        let label = untrack(|| self.session.undo_label()).unwrap_or_default();
        self.screen.announce(format!("Done: {label}. Ctrl+Z takes it back."));
    }

    /// Chosen rows; without any, the row under the cursor.
    pub(crate) fn acted_rows(self) -> SelectedRows {
        let selected = self.items.selected.get_untracked();
        if !selected.is_empty() {
            return selected;
        }
        let row = untrack(|| self.grid.cursor()).row;
        SelectedRows::of(row..row.saturating_add(1))
    }

    fn acted_ids(self) -> Vec<String> {
        let rows = self.acted_rows();
        self.grid
            .layout()
            .with_untracked(|layout| self.session.ask(|session| session.ids(layout, rows.ranges())))
    }

    /// Removes the chosen items, or the value under the cursor.
    pub(crate) fn remove(self, is_value: bool) {
        let cell = untrack(|| self.grid.cursor());
        let attribute =
            self.grid.attribute_at(cell).filter(|_| is_value && cell.column > SORT_COLUMN);
        if let Some((name, _)) = attribute
            && self.items.selected.with_untracked(SelectedRows::is_empty)
        {
            if let Some(item) = self.grid.item_at_cursor() {
                self.remove_line(&item.id, &path_of(&name));
            }
            return;
        }
        let ids = self.acted_ids();
        self.remove_ids(&ids);
    }

    /// Removes these items.
    pub(crate) fn remove_ids(self, ids: &[String]) {
        let Some(table) = self.table() else { return };
        if !ids.is_empty() && self.edit(|session, now| session.delete_items(&table, ids, now)) {
            self.items.opened.set(None);
            self.say_done();
            focus::now(self.items.place);
        }
    }

    /// Copies the chosen items under new keys.
    pub(crate) fn duplicate(self) {
        let ids = self.acted_ids();
        self.duplicate_ids(&ids);
    }

    /// Copies these items under new keys.
    pub(crate) fn duplicate_ids(self, ids: &[String]) {
        let Some(table) = self.table() else { return };
        if self.edit(|session, now| session.duplicate_items(&table, ids, now)) {
            if let Some(id) = self.session.ask(hashrange_playground::Session::latest_written) {
                self.put_cursor_on(&id, SORT_COLUMN);
            }
            self.say_done();
            focus::now(self.items.place);
        }
    }

    /// The chosen items as text.
    pub(crate) fn chosen_text(self, form: TextForm) -> String {
        let rows = self.acted_rows();
        self.grid.layout().with_untracked(|layout| {
            self.session.ask(|session| session.copied(layout, rows.ranges(), form))
        })
    }

    /// Hands the chosen items out as a file.
    pub(crate) fn save_chosen(self, form: TextForm) {
        let ending = if form == TextForm::Commas { "csv" } else { "json" };
        let name = format!("{}.{ending}", self.table().unwrap_or_default());
        files::save_as(&name, &self.chosen_text(form));
    }

    /// Chooses all items of the cursor's collection, or of the table.
    pub(crate) fn select_all(self, is_table: bool) {
        let row = untrack(|| self.grid.cursor()).row;
        let rows = self.grid.geometry().with_untracked(|geometry| {
            let collection = geometry.collection_of(row);
            let first = geometry.first_row(collection).filter(|_| !is_table).unwrap_or(0);
            let next = geometry.first_row(collection + 1).filter(|_| !is_table);
            first..next.unwrap_or(geometry.n_rows())
        });
        self.items.selected.set(SelectedRows::of(rows));
    }

    /// Chooses the rows from where the choice began to the cursor.
    pub(crate) fn select_to(self, from: u32, to: u32) {
        let anchor = self.items.anchor.get_value().unwrap_or(from);
        self.items.anchor.set_value(Some(anchor));
        self.items.selected.set(SelectedRows::between(anchor, to));
    }

    /// Chooses a row, or no longer.
    pub(crate) fn toggle_row(self, row: u32) {
        let mut rows = self.items.selected.get_untracked();
        rows.toggle(row);
        self.items.anchor.set_value(Some(row));
        self.items.selected.set(rows);
    }

    /// Begins a new item in the cursor's collection, as its entity has them.
    pub(crate) fn begin_draft(self) {
        let Some(target) = self.screen.target().get_untracked() else { return };
        if self.items.draft.with_untracked(Option::is_none) {
            let beside = self.grid.item_at_cursor();
            let entity =
                beside.as_ref().map(|item| item.entity.clone()).filter(|it| !it.is_empty());
            let beside = beside.map(|item| item.id);
            self.set_draft(&target, entity.as_deref(), beside);
        }
        self.screen.show_target(Target { index: None, ..target });
        focus::first_field("draft-card");
    }

    /// Makes the draft anew for another entity.
    pub(crate) fn draft_as(self, entity: &str) {
        let Some(target) = self.screen.target().get_untracked() else { return };
        let beside =
            self.items.draft.with_untracked(|draft| draft.as_ref().and_then(|it| it.1.clone()));
        self.set_draft(&target, Some(entity).filter(|name| !name.is_empty()), beside);
    }

    fn set_draft(self, target: &Target, entity: Option<&str>, beside: Option<String>) {
        let draft = self
            .session
            .ask(|session| session.draft_item(&target.table, entity, beside.as_deref()));
        self.items.draft_problem.set(String::new());
        self.items.draft.set(Some((draft, beside)));
    }

    /// Keeps the draft as an item; what refuses it is said in it.
    pub(crate) fn keep_draft(self) {
        let Some((draft, _)) = self.items.draft.get_untracked() else { return };
        match self.session.edit(|session, now| session.put_draft(&draft, now)) {
            Ok(()) => {
                self.items.draft.set(None);
                if let Some(id) = self.session.ask(hashrange_playground::Session::latest_written) {
                    self.put_cursor_on(&id, SORT_COLUMN);
                }
                self.say_done();
                focus::now(self.items.place);
            }
            Err(refusal) => {
                let words = refusal.words();
                self.screen.announce(words.clone());
                self.items.draft_problem.set(words);
            }
        }
    }

    /// Throws the draft away.
    pub(crate) fn drop_draft(self) {
        self.items.draft.set(None);
        focus::now(self.items.place);
    }

    /// Shows the field of what is looked for, or takes it away.
    pub(crate) fn show_find(self, is_shown: bool) {
        self.items.is_finding.set(is_shown);
        if is_shown {
            focus::by_id("find-text");
        } else {
            focus::now(self.items.place);
        }
    }

    /// Goes to the next item that has what is looked for, or the one before.
    pub(crate) fn find_next(self, is_back: bool) {
        let now = untrack(|| self.grid.cursor()).row;
        let row = self.grid.found().with_untracked(|rows| {
            let after = rows.partition_point(|row| *row <= now);
            let before = rows.partition_point(|row| *row < now);
            let at = if is_back {
                before.checked_sub(1).unwrap_or(rows.len().saturating_sub(1))
            } else if after < rows.len() {
                after
            } else {
                0
            };
            rows.get(at).copied()
        });
        if let Some(row) = row {
            self.go_to(Cell { row, ..untrack(|| self.grid.cursor()) });
        }
    }

    /// Reads what was pasted and shows what would become of it.
    pub(crate) fn paste(self, text: &str) {
        self.import.paste(self, text);
    }
}
