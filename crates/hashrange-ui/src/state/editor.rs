//! The editor store: operation, target and text of the request being written, and what is wrong with it.
//!
//! Invariant: the target is one there is, if there is any. Typed text is never thrown away. What was typed for one operation and target waits as a draft
//! while another is looked at.

use hashrange_playground::view::{EntryView, ErrorView, Target};
use leptos::prelude::*;

use super::history::HistoryStore;
use super::session::SessionStore;
use crate::signal::{Memo, RwSignal, Signal};

/// Longer texts are checked when they run, not with every key.
const LIVE_CHECK_BYTES_MAX: usize = 200_000;
/// Longer drafts are not kept from visit to visit: local storage is small.
const KEPT_BYTES_MAX: usize = 100_000;

/// The request being written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EditorStore {
    session: SessionStore,
    operation: RwSignal<String>,
    chosen: RwSignal<Target>,
    target: Memo<Target>,
    text: RwSignal<String>,
    is_typed: RwSignal<bool>,
    drafts: StoredValue<Vec<((String, Target), String)>>,
    problem: Memo<Option<ErrorView>>,
}

impl EditorStore {
    /// An editor with a Query's template on the first target there is.
    pub(crate) fn new(session: SessionStore, history: HistoryStore) -> Self {
        let chosen = RwSignal::new(Target::default());
        let targets = session.targets();
        // One that is gone, as after DeleteTable, may come back by undo.
        let target = Memo::new(move |_| {
            let chosen = chosen.get();
            targets.with(|targets| {
                let found = targets.iter().find(|target| **target == chosen);
                found.or(targets.first()).cloned().unwrap_or_default()
            })
        });
        let operation = RwSignal::new("Query".to_owned());
        let text = RwSignal::new(session.template("Query", &target.get_untracked()));
        let live = Memo::new(move |_| {
            let operation = operation.get();
            text.with(|text| {
                (text.len() <= LIVE_CHECK_BYTES_MAX)
                    .then(|| session.check(&operation, text))
                    .flatten()
            })
        });
        let entry = history.entry();
        let problem = Memo::new(move |_| match entry_as_typed(entry, operation, text) {
            // What has just run well may well be refused the next time, which is no problem of the text.
            Some(Ok(())) => None,
            Some(Err(refused)) => live.get().or(refused),
            None => live.get(),
        });
        Self {
            session,
            operation,
            chosen,
            target,
            text,
            is_typed: RwSignal::new(false),
            drafts: StoredValue::new(Vec::new()),
            problem,
        }
    }

    /// The operation chosen.
    pub(crate) fn operation(self) -> Signal<String> {
        self.operation.into()
    }

    /// The table or index the template is for: the one chosen, or the first where that is gone.
    pub(crate) fn target(self) -> Memo<Target> {
        self.target
    }

    /// The request's text.
    pub(crate) fn text(self) -> Signal<String> {
        self.text.into()
    }

    /// What is wrong with the text as it stands, live or as the last run said.
    pub(crate) fn problem(self) -> Memo<Option<ErrorView>> {
        self.problem
    }

    /// The operation and text that were typed and not filled in, if they are short enough to keep. Tracks them.
    pub(crate) fn draft(self) -> Option<(String, String)> {
        let text = self.text.get();
        let is_kept = self.is_typed.get() && text.len() <= KEPT_BYTES_MAX;
        is_kept.then(|| (self.operation.get(), text))
    }

    /// Brings a draft of an earlier visit back.
    pub(crate) fn take_up(self, operation: &str, text: String) {
        self.operation.set(operation.to_owned());
        self.type_text(text);
    }

    /// Takes over what was typed.
    pub(crate) fn type_text(self, text: String) {
        self.is_typed.set(true);
        self.text.set(text);
    }

    /// Chooses an operation; its draft or template comes up.
    pub(crate) fn choose_operation(self, operation: &str) {
        self.keep_draft();
        self.operation.set(operation.to_owned());
        self.take_draft();
    }

    /// Chooses a target; its draft or template comes up.
    pub(crate) fn choose_target(self, target: Target) {
        self.keep_draft();
        self.chosen.set(target);
        self.take_draft();
    }

    /// Puts the template of the chosen operation and target in place of the text.
    pub(crate) fn reset(self) {
        self.is_typed.set(false);
        self.text.set(
            self.session.template(&self.operation.get_untracked(), &self.target.get_untracked()),
        );
    }

    /// Puts a finished request in, such as a pattern's or one of the history.
    pub(crate) fn fill(self, operation: &str, target: Option<Target>, text: String) {
        self.keep_draft();
        self.is_typed.set(false);
        self.operation.set(operation.to_owned());
        if let Some(target) = target {
            self.chosen.set(target);
        }
        self.text.set(text);
    }

    fn keep_draft(self) {
        if self.is_typed.get_untracked() {
            let place = (self.operation.get_untracked(), self.target.get_untracked());
            self.drafts.update_value(|drafts| {
                drafts.retain(|(other, _)| *other != place);
                drafts.push((place, self.text.get_untracked()));
            });
        }
    }

    fn take_draft(self) {
        let place = (self.operation.get_untracked(), self.target.get_untracked());
        let draft = self.drafts.try_update_value(|drafts| {
            let at = drafts.iter().position(|(other, _)| *other == place)?;
            Some(drafts.swap_remove(at))
        });
        match draft.flatten() {
            Some((_, text)) => self.type_text(text),
            None => self.reset(),
        }
    }
}

/// How the open entry ended, while its request stands unchanged in the editor: well, or with an error, which
/// is given where it has a place in the text.
fn entry_as_typed(
    entry: Memo<Option<EntryView>>,
    operation: RwSignal<String>,
    text: RwSignal<String>,
) -> Option<Result<(), Option<ErrorView>>> {
    entry.with(|entry| {
        let entry = entry.as_ref()?;
        let is_same = operation.with(|operation| *operation == entry.operation)
            && text.with(|text| *text == entry.request);
        is_same.then(|| match &entry.outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(error.place.is_some().then(|| error.clone())),
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::html;

    #[test]
    fn the_target_is_one_there_is_after_its_table_was_deleted_and_comes_back_by_undo() {
        let delete = |workspace: crate::state::workspace::Workspace| {
            let target = workspace.editor.target();
            let seen = || target.get_untracked().table;
            assert_eq!(seen(), "OrgDirectory");
            let text = r#"{"TableName":"OrgDirectory"}"#.to_owned();
            workspace.editor.fill("DeleteTable", None, text);
            workspace.run();
            assert_eq!(seen(), "SensorEvents");
            workspace.undo();
            assert_eq!(seen(), "OrgDirectory");
        };
        html(delete, crate::panels::editor::panel);
    }
}
