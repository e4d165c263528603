//! The store of an import of items: what was read, how it is mapped, and a trial of it in small steps.
//!
//! Invariant: nothing of the running session changes before [`ItemsImportStore::take`], which takes what was tried.

use hashrange_playground::{
    ColumnPlan, ImportPlan, ItemsTrial, PendingItems, RowLeftOut, SourceColumn,
};
use leptos::prelude::*;

use super::workspace::Workspace;
use crate::browser::clock;
use crate::signal::RwSignal;

/// Rows that are tried in one frame.
const ROWS_PER_FRAME: usize = 400;

/// What is shown of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TrialView {
    /// How much has been tried, 0 to 1.
    pub(crate) share: f32,
    /// True when all of it has been.
    pub(crate) is_done: bool,
    /// What the plan lacks; empty if it lacks nothing.
    pub(crate) problem: String,
    /// `98 items to add, 3 left out`.
    pub(crate) summary: String,
    /// Items that would be put.
    pub(crate) n_ready: u64,
    /// Rows that are left out, and why.
    pub(crate) left_out: Vec<RowLeftOut>,
    /// How many more there are.
    pub(crate) n_not_listed: u64,
}

/// An import of items under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemsImportStore {
    items: StoredValue<PendingItems>,
    trial: StoredValue<Option<ItemsTrial>>,
    /// Counts trials, so that one begun later wins over one still running.
    attempt: StoredValue<u32>,
    plan: RwSignal<ImportPlan>,
    view: RwSignal<TrialView>,
}

impl ItemsImportStore {
    /// No import yet.
    pub(crate) fn new() -> Self {
        Self {
            items: StoredValue::new(PendingItems::default()),
            trial: StoredValue::new(None),
            attempt: StoredValue::new(0),
            plan: RwSignal::new(ImportPlan::default()),
            view: RwSignal::new(TrialView::default()),
        }
    }

    /// Takes what was read and tries it as planned to begin with.
    pub(crate) fn begin(self, workspace: Workspace, items: PendingItems) {
        let table =
            workspace.screen.target().with_untracked(|it| it.as_ref().map(|it| it.table.clone()));
        let table = table.unwrap_or_default();
        let plan = workspace.session.ask(|session| session.plan_import(&items, &table));
        self.items.set_value(items);
        self.change(workspace, plan);
    }

    /// `CSV, 3 rows, 4 columns`.
    pub(crate) fn summary(self) -> String {
        self.items.with_value(|items| items.summary.clone())
    }

    /// The columns with what becomes of them. Tracks the plan.
    pub(crate) fn columns(self) -> Vec<(SourceColumn, ColumnPlan)> {
        let columns = self.items.with_value(|items| items.columns.clone());
        self.plan.with(|plan| columns.into_iter().zip(plan.columns.iter().cloned()).collect())
    }

    /// The plan. Tracks it.
    pub(crate) fn plan(self) -> ImportPlan {
        self.plan.get()
    }

    /// The trial. Tracks it.
    pub(crate) fn view(self) -> TrialView {
        self.view.get()
    }

    /// Plans anew for another table.
    pub(crate) fn choose_table(self, workspace: Workspace, table: &str) {
        let plan = self
            .items
            .with_value(|items| workspace.session.ask(|session| session.plan_import(items, table)));
        self.change(workspace, plan);
    }

    /// Changes a part of the plan and tries it.
    pub(crate) fn change_plan(self, workspace: Workspace, change: impl FnOnce(&mut ImportPlan)) {
        let mut plan = self.plan.get_untracked();
        change(&mut plan);
        self.change(workspace, plan);
    }

    fn change(self, workspace: Workspace, plan: ImportPlan) {
        self.forget();
        let trial = self.items.with_value(|items| {
            workspace.session.ask(|session| session.try_import(items, &plan, clock::now()))
        });
        self.plan.set(plan);
        match trial {
            Ok(trial) => {
                self.trial.set_value(Some(trial));
                self.step(self.attempt.get_value());
            }
            Err(refusal) => {
                self.view.set(TrialView { problem: refusal.message, ..TrialView::default() });
            }
        }
    }

    /// Tries some rows, and the others in the frames that follow.
    fn step(self, attempt: u32) {
        if self.attempt.try_get_value() != Some(attempt) {
            return;
        }
        let view = self.trial.try_update_value(|trial| {
            let trial = trial.as_mut()?;
            let is_done = trial.step(ROWS_PER_FRAME);
            Some(TrialView {
                share: trial.share(),
                is_done,
                problem: String::new(),
                summary: trial.summary(),
                n_ready: trial.n_ready(),
                left_out: trial.left_out().to_vec(),
                n_not_listed: trial.n_not_listed(),
            })
        });
        let Some(view) = view.flatten() else { return };
        let is_done = view.is_done;
        self.view.set(view);
        if !is_done {
            request_animation_frame(move || self.step(attempt));
        }
    }

    /// Stops trying and forgets what was tried.
    pub(crate) fn forget(self) {
        self.attempt.update_value(|attempt| *attempt = attempt.wrapping_add(1));
        self.trial.set_value(None);
        self.view.set(TrialView::default());
    }

    /// Takes what was tried over; true unless it is refused.
    pub(crate) fn take(self, workspace: Workspace) -> bool {
        let Some(trial) = self.trial.try_update_value(Option::take).flatten() else { return false };
        let summary = trial.summary();
        let is_done = workspace.edit(|session, _| session.take_import(trial));
        if is_done {
            workspace.screen.announce(format!("Imported: {summary}. Ctrl+Z takes it back."));
        }
        is_done
    }
}
