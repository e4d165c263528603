//! The items store: what of the picture is being edited, chosen or looked for.
//!
//! Invariant: what was typed stays until it is kept or left, whatever refuses it.
//!
//! Not here: what is done with it (`items_acts`), where it stands (`grid`).

use hashrange_playground::view::{AttributeField, ItemDraft};
use leptos::prelude::*;

use super::selection::SelectedRows;
use crate::browser::dom::ElementRef;
use crate::signal::RwSignal;

/// Where a value is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditPlace {
    /// Over a cell of the picture.
    Cell {
        /// Its column.
        column: u32,
    },
    /// In the open item.
    Line,
}

/// A value being typed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// Counts edits, so that each has a field of its own.
    pub(crate) number: u32,
    /// The item's key.
    pub(crate) id: String,
    /// Where in the item; of a new value, what it goes into.
    pub(crate) path: String,
    /// True for a value that is not there yet.
    pub(crate) is_new: bool,
    /// True if its name can be typed too.
    pub(crate) has_name: bool,
    /// Where it is typed.
    pub(crate) place: EditPlace,
    /// What it was to begin with.
    pub(crate) field: AttributeField,
}

/// What is done with items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemsStore {
    /// The grid, which gets the focus back.
    pub(crate) place: ElementRef,
    /// The value being typed.
    pub(crate) edit: RwSignal<Option<Edit>>,
    n_edits: StoredValue<u32>,
    /// What has been typed of it.
    pub(crate) typed: StoredValue<AttributeField>,
    /// Why it was refused.
    pub(crate) problem: RwSignal<String>,
    /// The item that is open, by its key.
    pub(crate) opened: RwSignal<Option<String>>,
    /// Lists and maps of it that are open, by their paths.
    pub(crate) open_paths: RwSignal<Vec<String>>,
    /// A new item on its way, and the item beside whose collection it stands.
    pub(crate) draft: RwSignal<Option<(ItemDraft, Option<String>)>>,
    /// Why it was refused.
    pub(crate) draft_problem: RwSignal<String>,
    /// Heights of the open item and of the draft, in px.
    pub(crate) heights: [RwSignal<u32>; 2],
    /// Chosen rows.
    pub(crate) selected: RwSignal<SelectedRows>,
    /// Where the choice began.
    pub(crate) anchor: StoredValue<Option<u32>>,
    /// True while the field of what is looked for is there.
    pub(crate) is_finding: RwSignal<bool>,
    /// What is looked for.
    pub(crate) find: RwSignal<String>,
    /// True if items without it are hidden.
    pub(crate) is_filtering: RwSignal<bool>,
}

impl ItemsStore {
    /// Nothing is being done.
    pub(crate) fn new() -> Self {
        Self {
            place: ElementRef::new(),
            edit: RwSignal::new(None),
            n_edits: StoredValue::new(0),
            typed: StoredValue::new(AttributeField::default()),
            problem: RwSignal::new(String::new()),
            opened: RwSignal::new(None),
            open_paths: RwSignal::new(Vec::new()),
            draft: RwSignal::new(None),
            draft_problem: RwSignal::new(String::new()),
            heights: [RwSignal::new(0), RwSignal::new(0)],
            selected: RwSignal::new(SelectedRows::default()),
            anchor: StoredValue::new(None),
            is_finding: RwSignal::new(false),
            find: RwSignal::new(String::new()),
            is_filtering: RwSignal::new(false),
        }
    }

    /// The text that every item shown has; empty if all are shown. Tracks it.
    pub(crate) fn filter(self) -> String {
        if self.is_finding.get() && self.is_filtering.get() {
            self.find.get()
        } else {
            String::new()
        }
    }

    /// Begins to type over a value.
    pub(crate) fn begin(self, edit: Edit) {
        // Counted on even where the last edit is gone: kept and begun at once, its field would stay otherwise.
        let number = self.n_edits.get_value().wrapping_add(1);
        self.n_edits.set_value(number);
        self.typed.set_value(edit.field.clone());
        self.problem.set(String::new());
        self.edit.set(Some(Edit { number, ..edit }));
    }

    /// Takes note of what has been typed.
    pub(crate) fn type_in(self, change: impl FnOnce(&mut AttributeField)) {
        self.typed.update_value(change);
    }

    /// Leaves the value as it is.
    pub(crate) fn leave(self) {
        self.edit.set(None);
        self.problem.set(String::new());
    }

    /// Opens or closes a list or map of the open item.
    pub(crate) fn toggle_path(self, path: &str) {
        let mut paths = self.open_paths.get_untracked();
        match paths.iter().position(|known| known == path) {
            Some(at) => {
                paths.remove(at);
            }
            None => paths.push(path.to_owned()),
        }
        self.open_paths.set(paths);
    }

    /// Changes the draft.
    pub(crate) fn change_draft(self, change: impl FnOnce(&mut ItemDraft)) {
        let Some((mut draft, beside)) = self.draft.get_untracked() else { return };
        change(&mut draft);
        self.draft_problem.set(String::new());
        self.draft.set(Some((draft, beside)));
    }

    /// No row is chosen any more.
    pub(crate) fn select_none(self) {
        self.anchor.set_value(None);
        if !self.selected.with_untracked(SelectedRows::is_empty) {
            self.selected.set(SelectedRows::default());
        }
    }
}
