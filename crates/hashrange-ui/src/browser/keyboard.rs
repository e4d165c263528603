//! Keys to verbs, as values, so that the map is tested without a browser.

use crate::state::grid::Move;

/// What a key does anywhere on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shortcut {
    /// Run the request.
    Run,
    /// Take the last write back.
    Undo,
    /// Do it again.
    Redo,
    /// Help and the keyboard.
    Help,
    /// Close what lies over the page.
    Close,
}

/// The shortcut of a key, `is_command` being Ctrl or ⌘.
pub(crate) fn shortcut(key: &str, is_command: bool, is_shift: bool) -> Option<Shortcut> {
    match (key, is_command, is_shift) {
        ("Enter", true, _) => Some(Shortcut::Run),
        ("z" | "Z", true, false) => Some(Shortcut::Undo),
        ("z" | "Z", true, true) | ("y", true, false) => Some(Shortcut::Redo),
        ("?", false, _) => Some(Shortcut::Help),
        ("Escape", false, _) => Some(Shortcut::Close),
        _ => None,
    }
}

/// Where a key moves the grid's cursor; `page` is the number of rows in view.
pub(crate) fn grid_move(key: &str, is_command: bool, page: i32) -> Option<Move> {
    match key {
        "ArrowDown" => Some(Move::Rows(1)),
        "ArrowUp" => Some(Move::Rows(-1)),
        "ArrowRight" => Some(Move::Columns(1)),
        "ArrowLeft" => Some(Move::Columns(-1)),
        "PageDown" => Some(Move::Rows(page)),
        "PageUp" => Some(Move::Rows(-page)),
        "Home" => Some(Move::Start(is_command)),
        "End" => Some(Move::End(is_command)),
        "]" => Some(Move::Collections(1)),
        "[" => Some(Move::Collections(-1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_enter_runs_and_enter_alone_does_nothing() {
        assert_eq!(shortcut("Enter", true, false), Some(Shortcut::Run));
        assert_eq!(shortcut("Enter", false, false), None);
    }

    #[test]
    fn redo_has_the_keys_of_both_systems() {
        assert_eq!(shortcut("Z", true, true), Some(Shortcut::Redo));
        assert_eq!(shortcut("y", true, false), Some(Shortcut::Redo));
        assert_eq!(shortcut("z", true, false), Some(Shortcut::Undo));
    }

    #[test]
    fn home_and_end_stay_in_the_row_without_ctrl() {
        assert_eq!(grid_move("Home", false, 10), Some(Move::Start(false)));
        assert_eq!(grid_move("End", true, 10), Some(Move::End(true)));
        assert_eq!(grid_move("PageUp", false, 10), Some(Move::Rows(-10)));
    }
}
