//! Undo and redo of writes and table changes, by snapshots that share structure.
//!
//! Invariant: undo and then redo leaves the data as it was; a new change forgets what could be redone.

use std::collections::VecDeque;

use crate::session::Tables;

/// Steps that can be taken back.
const STEPS_MAX: usize = 100;

/// What can be taken back and made again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Undo {
    past: VecDeque<Step>,
    future: Vec<Step>,
}

/// A change: the data on its other side, and its name.
#[derive(Debug, Clone)]
struct Step {
    tables: Tables,
    label: String,
}

impl Undo {
    /// Notes a change that was just made.
    pub(crate) fn push(&mut self, before: Tables, label: String) {
        self.future.clear();
        self.past.push_back(Step { tables: before, label });
        if self.past.len() > STEPS_MAX {
            self.past.pop_front();
        }
    }

    /// Takes the latest change back.
    pub(crate) fn undo(&mut self, tables: &mut Tables) -> bool {
        let Some(mut step) = self.past.pop_back() else { return false };
        std::mem::swap(tables, &mut step.tables);
        self.future.push(step);
        true
    }

    /// Makes the change that was taken back last again.
    pub(crate) fn redo(&mut self, tables: &mut Tables) -> bool {
        let Some(mut step) = self.future.pop() else { return false };
        std::mem::swap(tables, &mut step.tables);
        self.past.push_back(step);
        true
    }

    /// The name of the latest change.
    pub(crate) fn undo_label(&self) -> Option<&str> {
        self.past.back().map(|step| step.label.as_str())
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}
