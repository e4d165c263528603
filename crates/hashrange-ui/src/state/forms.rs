//! The forms store: which form of the designer is open, what was typed into it, and an index on trial.
//!
//! Invariant: what was typed stays until it is applied or discarded; a form that is closed half filled is there again
//! when it is opened again.
//!
//! Not here: what a form holds and what it comes to (`hashrange_playground`).

use hashrange_playground::view::{FormRefusal, FormView, TrialView};
use hashrange_playground::{FormDraft, Trial};
use leptos::prelude::*;

pub(crate) use hashrange_playground::Form;

use super::session::SessionStore;
use crate::browser::clock;
use crate::browser::timer::Timer;
use crate::signal::{Memo, RwSignal};

/// How long typing rests before an index is tried, in ms.
const REST_MS: u32 = 150;
/// Steps between two frames, of a few milliseconds each.
const STEPS: u32 = 2;

/// A form with what was typed into it.
type Kept = (Form, FormDraft);

/// The forms of the designer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormsStore {
    session: SessionStore,
    open: RwSignal<Option<Form>>,
    draft: RwSignal<FormDraft>,
    refusal: RwSignal<Option<FormRefusal>>,
    is_asking: RwSignal<bool>,
    kept: RwSignal<Vec<Kept>>,
    view: Memo<FormView>,
    trial: StoredValue<Option<Trial>>,
    tried: Trigger,
    timer: StoredValue<Option<Timer>, LocalStorage>,
}

impl FormsStore {
    /// No form open, nothing half filled.
    pub(crate) fn new(session: SessionStore) -> Self {
        let open = RwSignal::new(None::<Form>);
        let draft = RwSignal::new(FormDraft::default());
        let view = move |_: Option<&FormView>| {
            let Some(form) = open.get() else { return FormView::default() };
            session.checked(|session| draft.with(|draft| session.form_view(&form, draft)))
        };
        Self {
            session,
            open,
            draft,
            refusal: RwSignal::new(None),
            is_asking: RwSignal::new(false),
            kept: RwSignal::new(Vec::new()),
            view: Memo::new(view),
            trial: StoredValue::new(None),
            tried: Trigger::new(),
            timer: StoredValue::new_local(None),
        }
    }

    /// The open form. Tracks it.
    pub(crate) fn open(self) -> Option<Form> {
        self.open.get()
    }

    /// The open form as it is drawn.
    pub(crate) fn view(self) -> Memo<FormView> {
        self.view
    }

    /// Why the form was not taken, at one of its fields. Tracks it.
    pub(crate) fn refusal(self) -> Option<FormRefusal> {
        self.refusal.get()
    }

    /// True while the form asks whether to discard what was typed. Tracks it.
    pub(crate) fn is_asking(self) -> bool {
        self.is_asking.get()
    }

    /// True if this form was closed half filled. Tracks it.
    pub(crate) fn is_kept(self, form: &Form) -> bool {
        self.kept.with(|kept| kept.iter().any(|(known, _)| known == form))
    }

    /// Opens a form, with what was typed into it before, if it was closed half filled.
    pub(crate) fn show(self, form: Form) {
        self.close();
        let kept = self.kept.with_untracked(|kept| {
            kept.iter().find(|(known, _)| *known == form).map(|(_, draft)| draft.clone())
        });
        self.draft.set(kept.unwrap_or_else(|| self.fresh(&form)));
        self.refusal.set(None);
        self.is_asking.set(false);
        self.open.set(Some(form));
        self.try_later();
    }

    /// Opens the form of something new, filled in as `like` is.
    pub(crate) fn show_copy(self, form: Form, like: &Form) {
        self.show(form);
        self.draft.set(self.fresh(like));
        self.try_later();
    }

    /// The form as it was opened, before anything was typed.
    fn fresh(self, form: &Form) -> FormDraft {
        self.session.read(|session| session.form_draft(form))
    }

    /// What stands in a field. Tracks nothing.
    pub(crate) fn typed(self, name: &str) -> String {
        self.draft.with_untracked(|draft| draft.get(name).to_owned())
    }

    /// True if something was typed that is not in the design.
    pub(crate) fn is_changed(self) -> bool {
        let Some(form) = self.open.get_untracked() else { return false };
        let fresh = self.fresh(&form);
        self.draft.with_untracked(|draft| *draft != fresh)
    }

    /// Closes the form; what was typed is kept.
    pub(crate) fn close(self) {
        let Some(form) = self.open.get_untracked() else { return };
        let mut kept = self.kept.get_untracked();
        kept.retain(|(known, _)| *known != form);
        if self.is_changed() {
            kept.push((form, self.draft.get_untracked()));
        }
        self.kept.set(kept);
        self.leave();
    }

    /// Throws away what was typed and closes; asks first if that is something.
    pub(crate) fn discard(self) {
        if self.is_changed() && !self.is_asking.get_untracked() {
            self.is_asking.set(true);
            return;
        }
        self.forget_open();
    }

    /// Goes on typing after all.
    pub(crate) fn keep_editing(self) {
        self.is_asking.set(false);
    }

    /// Closes the form without keeping what was typed, since what it is of is gone.
    pub(crate) fn forget_open(self) {
        let Some(form) = self.open.get_untracked() else { return };
        let mut kept = self.kept.get_untracked();
        kept.retain(|(known, _)| *known != form);
        self.kept.set(kept);
        self.leave();
    }

    /// Forgets all that was half filled, as when another design is opened.
    pub(crate) fn forget(self) {
        self.leave();
        self.kept.set(Vec::new());
    }

    fn leave(self) {
        self.is_asking.set(false);
        self.refusal.set(None);
        self.open.set(None);
        self.timer.set_value(None);
        self.set_trial(None);
    }

    /// Takes note of what stands in a field now.
    pub(crate) fn fill(self, name: &str, text: String) {
        let mut draft = self.draft.get_untracked();
        draft.set(name, text);
        self.draft.set(draft);
        if self.refusal.with_untracked(|it| it.as_ref().is_some_and(|it| it.field == name)) {
            self.refusal.set(None);
        }
        self.try_later();
    }

    /// Takes note of the field that has the focus.
    pub(crate) fn focus(self, name: &str) {
        if self.draft.with_untracked(|draft| draft.get("at") != name) {
            let mut draft = self.draft.get_untracked();
            draft.set("at", name);
            self.draft.set(draft);
        }
    }

    /// Does what a button inside the form says.
    pub(crate) fn press(self, verb: &str) {
        let Some(form) = self.open.get_untracked() else { return };
        let draft = self.draft.get_untracked();
        let next = self.session.read(|session| session.press_in_form(&form, &draft, verb));
        self.draft.set(next);
        self.refusal.set(None);
        self.try_later();
    }

    /// Does what the form says; true if it was done and the form is closed.
    pub(crate) fn apply(self) -> bool {
        let Some(form) = self.open.get_untracked() else { return false };
        let draft = self.draft.get_untracked();
        match self.session.edit(|session, now| session.apply_form(&form, &draft, now)) {
            Ok(()) => {
                self.forget_open();
                true
            }
            Err(refusal) => {
                self.refusal.set(Some(refusal));
                false
            }
        }
    }

    /// Tries the index as typed once typing rests, if the form is one of an index.
    fn try_later(self) {
        if matches!(self.open.get_untracked(), Some(Form::Index { .. })) {
            self.timer.set_value(Some(Timer::new(REST_MS, move || self.try_now())));
        }
    }

    fn try_now(self) {
        let Some(Form::Index { table, name }) = self.open.get_untracked() else { return };
        let draft = self.draft.get_untracked();
        let trial = self
            .session
            .read(|session| session.try_index(&table, name.as_deref(), &draft, clock::now()));
        self.set_trial(trial.ok());
        self.step();
    }

    fn step(self) {
        let is_done =
            self.trial.try_update_value(|trial| trial.as_mut().is_none_or(|it| it.step(STEPS)));
        if is_done == Some(false) {
            self.timer.set_value(Some(Timer::new(0, move || self.step())));
        } else {
            self.tried.notify();
        }
    }

    /// Tries the index as typed and runs the patterns to the end, at once; for tests without a browser.
    #[cfg(test)]
    pub(crate) fn try_all(self) {
        self.try_now();
        while self.trial.try_update_value(|it| it.as_mut().is_none_or(|it| it.step(STEPS)))
            == Some(false)
        {}
        self.tried.notify();
    }

    fn set_trial(self, trial: Option<Trial>) {
        let is_change = trial.is_some() || self.trial.with_value(Option::is_some);
        self.trial.set_value(trial);
        if is_change {
            self.tried.notify();
        }
    }

    /// What the index on trial would change. Tracks the trial.
    pub(crate) fn trial(self) -> Option<TrialView> {
        self.with_trial(|trial| self.session.read(|session| trial.view(session)))
    }

    /// Reads the index on trial. Tracks it.
    pub(crate) fn with_trial<T>(self, read: impl FnOnce(&Trial) -> T) -> Option<T> {
        self.tried.track();
        self.trial.with_value(|trial| trial.as_ref().map(read))
    }
}
