//! Keys and clicks of the picture, as verbs.

use leptos::prelude::{SetValue, untrack};

use crate::browser::{dom, keyboard, scroll};
use crate::markup::{Event, KeyboardEvent};
use crate::state::grid::{Cell, Move};
use crate::state::workspace::Workspace;

/// Height of an item's row, in px, to turn a page into rows.
const ROW_PX: u32 = 24;

/// A key that goes down on the picture itself.
pub(super) fn press(workspace: Workspace, event: &KeyboardEvent) {
    if !dom::is_own(event) {
        return;
    }
    let is_command = event.ctrl_key() || event.meta_key();
    if act(workspace, event, is_command) {
        event.prevent_default();
        event.stop_propagation();
        return;
    }
    let page = i32::try_from(untrack(|| workspace.screen.height()) / ROW_PX / 2).unwrap_or(10);
    let letters = untrack(|| workspace.settings.has_letter_keys());
    let step = keyboard::grid_move(&event.key(), is_command, page);
    let Some(step) = step.filter(|step| letters || !matches!(step, Move::Collections(_))) else {
        return;
    };
    event.prevent_default();
    let from = untrack(|| workspace.grid.cursor()).row;
    let (top, height) = workspace.grid.move_cursor(step);
    let to = untrack(|| workspace.grid.cursor()).row;
    if event.shift_key() && !matches!(step, Move::Columns(_)) {
        workspace.select_to(from, to);
    } else {
        workspace.items.anchor.set_value(None);
    }
    scroll::bring_into_view(workspace.items.place, top, height);
}

/// Does what a key stands for, moves apart; false if it stands for nothing.
fn act(workspace: Workspace, event: &KeyboardEvent, is_command: bool) -> bool {
    match (event.key().as_str(), is_command) {
        ("Enter" | "F2", false) if event.shift_key() => {
            if let Some(item) = workspace.grid.item_at_cursor() {
                workspace.open_item_card(&item.id, None);
            }
        }
        ("Enter" | "F2", false) => workspace.edit_cell(),
        ("Delete" | "Backspace", _) => workspace.remove(!is_command),
        ("a" | "A", true) => workspace.select_all(event.shift_key()),
        ("d" | "D", true) => workspace.duplicate(),
        ("f" | "F", true) => workspace.show_find(true),
        (" ", _) => workspace.toggle_row(untrack(|| workspace.grid.cursor()).row),
        ("Insert", false) => workspace.begin_draft(),
        ("Escape", false)
            if !workspace
                .items
                .selected
                .with_untracked(crate::state::selection::SelectedRows::is_empty) =>
        {
            workspace.items.select_none();
        }
        ("Escape", false) if workspace.items.opened.get_untracked().is_some() => {
            workspace.close_item_card();
        }
        _ => return false,
    }
    true
}

/// A click on a cell: puts the cursor there; with Shift it chooses up to there, with Ctrl the row as well.
pub(super) fn click(workspace: Workspace, event: &Event) {
    let Some((row, column)) = scroll::cell_of(event) else { return };
    let from = untrack(|| workspace.grid.cursor()).row;
    let (is_shift, is_command) = dom::keys_held(event);
    if is_shift {
        workspace.select_to(from, row);
    } else if is_command {
        workspace.toggle_row(row);
    } else {
        workspace.items.select_none();
    }
    workspace.grid.put_cursor(Cell { row, column });
}
