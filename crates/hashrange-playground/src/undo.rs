//! Undo and redo of writes, table changes and edits of the design, by snapshots that share structure.
//!
//! Invariant: undo and then redo leaves the work as it was; a new change forgets what could be redone.

use std::collections::VecDeque;

use crate::session::Work;

/// Steps that can be taken back.
const STEPS_MAX: usize = 100;

/// What can be taken back and made again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Undo {
    past: VecDeque<Step>,
    future: Vec<Step>,
}

/// A change: the work on its other side, and its name.
#[derive(Debug, Clone)]
struct Step {
    work: Work,
    label: String,
}

impl Undo {
    /// Notes a change that was just made.
    pub(crate) fn push(&mut self, before: Work, label: String) {
        self.future.clear();
        self.past.push_back(Step { work: before, label });
        if self.past.len() > STEPS_MAX {
            self.past.pop_front();
        }
    }

    /// Takes the latest change back.
    pub(crate) fn undo(&mut self, work: &mut Work) -> bool {
        let Some(mut step) = self.past.pop_back() else { return false };
        std::mem::swap(work, &mut step.work);
        self.future.push(step);
        true
    }

    /// Makes the change that was taken back last again.
    pub(crate) fn redo(&mut self, work: &mut Work) -> bool {
        let Some(mut step) = self.future.pop() else { return false };
        std::mem::swap(work, &mut step.work);
        self.past.push_back(step);
        true
    }

    /// The name of the latest change.
    pub(crate) fn undo_label(&self) -> Option<&str> {
        self.past.back().map(|step| step.label.as_str())
    }

    /// The name of the change that was taken back last.
    pub(crate) fn redo_label(&self) -> Option<&str> {
        self.future.last().map(|step| step.label.as_str())
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}
