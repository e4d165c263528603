//! The guide store: which of the five steps is open and what is being typed in its short forms.
//!
//! Invariant: what a step has said is in the design; here are drafts alone, so that leaving a step loses nothing.
//!
//! Not here: what a step shows (`hashrange_playground::guide`), drawing (`panels::guide`).

use hashrange_playground::guide::{GuideEntity, GuideView, Question, SampleView};
use hashrange_playground::view::Refusal;
use hashrange_playground::{RelationKind, Sampling, Session};
use leptos::prelude::*;

use super::session::SessionStore;
use crate::browser::dialog;
use crate::browser::timer::Timer;
use crate::signal::{Memo, RwSignal};

/// How many there are of a new entity, until somebody says.
const TOTAL: &str = "10";
/// How long a key rests before the questions run with it, in ms.
const REST_MS: u32 = 350;
/// Combinations of a recipe tried between two frames.
const COMBINATIONS: usize = 1_500;

/// The guided process as its panels show it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GuideStore {
    session: SessionStore,
    /// The open step, from 0.
    pub(crate) step: RwSignal<usize>,
    /// The entity whose form is open; a new one if none.
    pub(crate) entity: RwSignal<Option<usize>>,
    /// What its form says.
    pub(crate) form: RwSignal<GuideEntity>,
    /// How many there are of it, as typed.
    pub(crate) total: RwSignal<String>,
    /// Both ends of a new relation.
    pub(crate) ends: [RwSignal<String>; 2],
    /// True for many to many.
    pub(crate) is_many: RwSignal<bool>,
    /// The question being put together.
    pub(crate) question: RwSignal<Question>,
    /// Its words, expected items and rate, as typed.
    pub(crate) asked: [RwSignal<String>; 3],
    /// What refuses the latest edit, and the form it belongs to.
    pub(crate) refusal: RwSignal<(&'static str, String)>,
    /// How far sample data is; empty while none is made.
    pub(crate) progress: RwSignal<String>,
    held: StoredValue<String>,
    sampling: StoredValue<Option<Sampling>>,
    timer: StoredValue<Option<Timer>, LocalStorage>,
    view: Memo<GuideView>,
}

impl GuideStore {
    /// The first step, nothing typed.
    pub(crate) fn new(session: SessionStore) -> Self {
        let text = || RwSignal::new(String::new());
        Self {
            session,
            step: RwSignal::new(0),
            entity: RwSignal::new(None),
            form: RwSignal::new(GuideEntity::default()),
            total: RwSignal::new(TOTAL.to_owned()),
            ends: [text(), text()],
            is_many: RwSignal::new(false),
            question: RwSignal::new(Question::default()),
            asked: [text(), text(), text()],
            refusal: RwSignal::new(("", String::new())),
            progress: text(),
            held: StoredValue::new(String::new()),
            sampling: StoredValue::new(None),
            timer: StoredValue::new_local(None),
            view: Memo::new(move |_| session.checked(Session::guide)),
        }
    }

    /// Everything the five steps show.
    pub(crate) fn view(self) -> Memo<GuideView> {
        self.view
    }

    /// The sample data as described. Tracks the design.
    pub(crate) fn sample(self) -> SampleView {
        self.session.checked(Session::sample_view)
    }

    /// Makes an edit; what refuses it is said at the form called `place`.
    pub(crate) fn edit(
        self,
        place: &'static str,
        verb: impl FnOnce(&mut Session, i64) -> Result<(), Refusal>,
    ) -> bool {
        let result = self.session.edit(verb);
        let is_done = result.is_ok();
        let words = result.err().map_or_else(String::new, |refusal| refusal.words());
        self.refusal.set((place, words));
        is_done
    }

    /// Opens the form of an entity, or of a new one.
    pub(crate) fn open_entity(self, at: Option<usize>) {
        let form = self.view.with_untracked(|view| {
            let found = at.and_then(|at| view.entities.iter().find(|it| it.at == at));
            found.map_or_else(GuideEntity::default, |it| GuideEntity {
                name: it.name.clone(),
                line: it.line.clone(),
                id: it.id.clone(),
                total: u32::try_from(it.total).unwrap_or(u32::MAX),
            })
        });
        self.total.set(if at.is_some() { form.total.to_string() } else { TOTAL.to_owned() });
        self.entity.set(at);
        self.form.set(form);
        self.refusal.set(("", String::new()));
    }

    /// Takes what the entity's form says.
    pub(crate) fn put_entity(self) {
        let (at, mut form) = (self.entity.get_untracked(), self.form.get_untracked());
        let total = self.total.get_untracked();
        let Some(total) = total.trim().parse().ok().filter(|n| *n > 0) else {
            let words = "How many there are is a whole number, such as 36.";
            return self.refusal.set(("entity", words.to_owned()));
        };
        form.total = total;
        if self.edit("entity", |session, now| session.guide_entity(at, &form, now)) {
            self.open_entity(None);
            // The next one is typed without reaching for the mouse.
            dialog::focus("guide-Name");
        }
    }

    /// Relates two entities.
    pub(crate) fn relate(self, from: &str, to: &str) {
        let kind = if self.is_many.get_untracked() {
            RelationKind::ManyToMany
        } else {
            RelationKind::OneToMany
        };
        self.edit("relation", |session, now| session.guide_relate(from, to, kind, now));
        self.is_many.set(false);
    }

    /// The pointer goes down on a card of the diagram, or is on none where `name` is empty.
    pub(crate) fn hold(self, name: &str) {
        self.held.set_value(name.to_owned());
    }

    /// The pointer goes up on a card. From another card that relates the two; on the same one it is a press: the first
    /// card pressed is where a line begins, the second where it ends, and the same one again takes that back.
    pub(crate) fn let_go(self, name: &str) {
        let held = self.held.get_value();
        self.hold("");
        let begun = self.ends[0].get_untracked();
        let from = if held == name { begun } else { held.clone() };
        if held.is_empty() {
            return;
        }
        let is_line = !from.is_empty() && from != name;
        if is_line {
            self.relate(&from, name);
        }
        let begins = if is_line || from == name { "" } else { name };
        self.ends[0].set(begins.to_owned());
    }

    /// Asks the question that was put together.
    pub(crate) fn ask(self) {
        let question = self.question.get_untracked();
        let [words, expected, rate] = self.asked.map(RwSignal::get_untracked);
        // Read as whole thousandths: floats out of texts are long to download.
        let (rate, n) = (rate.trim(), expected.trim());
        let (per_second, expected) = (thousandths(rate), n.parse::<u32>().ok());
        if (expected.is_none() && !n.is_empty()) || (per_second.is_none() && !rate.is_empty()) {
            let words = "Items expected is a whole number, such as 12; calls a second a number, such as 2.5.";
            return self.refusal.set(("question", words.to_owned()));
        }
        if self.edit("question", |session, _| {
            session.guide_ask(&question, &words, per_second, expected)
        }) {
            for field in self.asked {
                field.set(String::new());
            }
        }
    }

    /// Types a key template; it is taken when it rests.
    pub(crate) fn type_key(self, entity: usize, attribute: String, text: String) {
        let take = move || {
            self.edit("keys", |session, now| session.guide_key(entity, &attribute, &text, now));
        };
        self.timer.set_value(Some(Timer::new(REST_MS, take)));
    }

    /// Makes the sample data from a seed, step by step.
    pub(crate) fn make_sample(self, seed: u32) {
        let mut begun = None;
        let is_begun = self.edit("sample", |session, now| {
            begun = Some(session.sampling(u64::from(seed), now)?);
            Ok(())
        });
        if is_begun {
            self.sampling.set_value(begun);
            self.progress.set("Making items …".to_owned());
            self.sample_on();
        }
    }

    /// Stops making sample data; nothing was changed.
    pub(crate) fn cancel_sample(self) {
        self.sampling.set_value(None);
        self.progress.set(String::new());
    }

    fn sample_on(self) {
        let Some(mut sampling) = self.sampling.try_update_value(Option::take).flatten() else {
            return;
        };
        match sampling.step(COMBINATIONS) {
            Ok(true) => {
                self.progress.set(String::new());
                self.edit("sample", |session, _| session.take_sample(sampling));
            }
            Ok(false) => {
                self.progress.set(format!("{} so far", sampling.text()));
                self.sampling.set_value(Some(sampling));
                self.timer.set_value(Some(Timer::new(0, move || self.sample_on())));
            }
            Err(refusal) => {
                self.progress.set(String::new());
                self.refusal.set(("sample", refusal.message));
            }
        }
    }
}

/// `2.5` as a number; none for anything else.
fn thousandths(text: &str) -> Option<f64> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let whole: u32 = whole.parse().ok()?;
    let part: u32 = format!("{part:0<3}").get(..3)?.parse().ok()?;
    Some(f64::from(whole) + f64::from(part) / 1_000.0)
}
