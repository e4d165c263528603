//! The design store: access patterns that run again after every change, and what of the design is open.
//!
//! Invariant: runs happen in short steps between frames, so that typing and scrolling never wait for them.
//!
//! Not here: how a pattern is judged (`hashrange-design`), drawing (`panels::design`).

use hashrange_playground::cost::CostView;
use hashrange_playground::view::{ChartRowView, FindingView, PatternTableView, SuggestionView};
use hashrange_playground::{Arrangement, PatternColumn, PatternGrouping};
use leptos::prelude::*;

use super::forms::FormsStore;
use super::screen::ScreenStore;
use super::session::SessionStore;
use crate::browser::timer::Timer;
use crate::signal::{Memo, RwSignal};

/// How long design and items rest before the patterns run, in ms.
const REST_MS: u32 = 80;
/// Steps between two frames, of a few milliseconds each.
const STEPS: u32 = 2;

/// Values tried in the slots of key templates, by slot.
type Tried = Vec<(String, String)>;

/// The design as its panels show it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DesignStore {
    session: SessionStore,
    opened: RwSignal<Option<u32>>,
    by_entity: RwSignal<bool>,
    column: RwSignal<PatternColumn>,
    is_descending: RwSignal<bool>,
    is_running: RwSignal<bool>,
    timer: StoredValue<Option<Timer>, LocalStorage>,
    patterns: Memo<PatternTableView>,
    findings: Memo<Vec<FindingView>>,
    chart: Memo<Vec<ChartRowView>>,
    tried: RwSignal<(usize, Tried)>,
    tried_row: Memo<Option<ChartRowView>>,
    traffic: RwSignal<Option<usize>>,
    cost: Memo<CostView>,
}

impl DesignStore {
    /// Nothing open, patterns in the design's order.
    pub(crate) fn new(session: SessionStore, screen: ScreenStore, forms: &FormsStore) -> Self {
        let forms = *forms;
        let by_entity = RwSignal::new(false);
        let column = RwSignal::new(PatternColumn::Number);
        let is_descending = RwSignal::new(false);
        let target = screen.target();
        let patterns = move |_: Option<&PatternTableView>| {
            let arrangement = Arrangement {
                grouping: if by_entity.get() {
                    PatternGrouping::Entity
                } else {
                    PatternGrouping::None
                },
                column: column.get(),
                is_descending: is_descending.get(),
                ..Arrangement::default()
            };
            session.checked(|session| {
                let tried = forms.with_trial(|trial| trial.patterns(session, &arrangement));
                tried.unwrap_or_else(|| session.pattern_table(&arrangement))
            })
        };
        let chart = move |_: Option<&Vec<ChartRowView>>| {
            let table = target.get().map(|target| target.table).unwrap_or_default();
            session.checked(|session| {
                let tried = forms.with_trial(hashrange_playground::Trial::chart);
                tried.unwrap_or_else(|| session.entity_chart(&table, None))
            })
        };
        let tried = RwSignal::new((0, Tried::new()));
        let tried_row = move |_: Option<&Option<ChartRowView>>| {
            let table = target.get()?.table;
            tried.with(|(entity, values)| {
                session.checked(|session| {
                    let row = forms.with_trial(|trial| trial.tried_row(*entity, values));
                    row.unwrap_or_else(|| session.tried_row(&table, *entity, values))
                })
            })
        };
        let traffic = RwSignal::new(None);
        let cost =
            move |_: Option<&CostView>| session.checked(|session| session.cost(traffic.get()));
        Self {
            session,
            tried,
            tried_row: Memo::new(tried_row),
            traffic,
            cost: Memo::new(cost),
            opened: RwSignal::new(None),
            by_entity,
            column,
            is_descending,
            is_running: RwSignal::new(false),
            timer: StoredValue::new_local(None),
            patterns: Memo::new(patterns),
            findings: Memo::new(move |_| session.checked(hashrange_playground::Session::findings)),
            chart: Memo::new(chart),
        }
    }

    /// Runs the patterns after every change that has rested, for as long as the owner lives.
    pub(crate) fn watch(self) {
        Effect::new(move |_| {
            self.session.track_work();
            self.is_running.set(true);
            self.timer.set_value(Some(Timer::new(REST_MS, move || self.run_on())));
        });
    }

    fn run_on(self) {
        if self.session.check_patterns(STEPS) {
            self.is_running.try_set(false);
        } else {
            self.timer.set_value(Some(Timer::new(0, move || self.run_on())));
        }
    }

    /// Runs all patterns to the end, at once; for tests without a browser.
    #[cfg(test)]
    pub(crate) fn run_all(self) {
        while !self.session.check_patterns(STEPS) {}
        self.is_running.set(false);
    }

    /// True while the patterns shown are those before the latest change. Tracks it.
    pub(crate) fn is_running(self) -> bool {
        self.is_running.get()
    }

    /// The list of patterns.
    pub(crate) fn patterns(self) -> Memo<PatternTableView> {
        self.patterns
    }

    /// What lint finds.
    pub(crate) fn findings(self) -> Memo<Vec<FindingView>> {
        self.findings
    }

    /// The entity chart of the table in view.
    pub(crate) fn chart(self) -> Memo<Vec<ChartRowView>> {
        self.chart
    }

    /// The row of the chart in which values are tried; none where the entity is of another table.
    pub(crate) fn tried_row(self) -> Memo<Option<ChartRowView>> {
        self.tried_row
    }

    /// Tries the values of this entity, by its place in the design.
    pub(crate) fn try_entity(self, entity: usize) {
        self.tried.set((entity, Tried::new()));
    }

    /// What was typed to be tried in a slot. Tracks it.
    pub(crate) fn tried(self, slot: &str) -> String {
        self.tried.with(|(_, values)| {
            let found = values.iter().find(|(known, _)| known == slot);
            found.map(|(_, text)| text.clone()).unwrap_or_default()
        })
    }

    /// Tries a value in a slot.
    pub(crate) fn try_value(self, slot: &str, text: String) {
        let (entity, mut values) = self.tried.get_untracked();
        values.retain(|(known, _)| known != slot);
        values.push((slot.to_owned(), text));
        self.tried.set((entity, values));
    }

    /// What a month costs.
    pub(crate) fn cost(self) -> Memo<CostView> {
        self.cost
    }

    /// Chooses whose traffic the charts of the bill show; the dearest if none.
    pub(crate) fn choose_traffic(self, at: Option<usize>) {
        self.traffic.set(at);
    }

    /// What would serve a pattern better. Tracks the patterns.
    pub(crate) fn suggestions(self, number: u32) -> Vec<SuggestionView> {
        self.session.checked(|session| session.suggestions(number))
    }

    /// The open pattern's number. Tracks it.
    pub(crate) fn opened(self) -> Option<u32> {
        self.opened.get()
    }

    /// Opens a pattern, or none.
    pub(crate) fn open_pattern(self, number: Option<u32>) {
        self.opened.set(number);
    }

    /// True while the list is grouped by entity. Tracks it.
    pub(crate) fn is_by_entity(self) -> bool {
        self.by_entity.get()
    }

    /// Groups the list by entity, or not.
    pub(crate) fn group_by_entity(self, is_so: bool) {
        self.by_entity.set(is_so);
    }

    /// `ascending` or `descending` where the list is sorted by this column. Tracks it.
    pub(crate) fn sorted(self, column: PatternColumn) -> Option<&'static str> {
        let is_this = self.column.get() == column;
        is_this.then(|| if self.is_descending.get() { "descending" } else { "ascending" })
    }

    /// Sorts by a column; by the same one again, the other way round.
    pub(crate) fn sort_by(self, column: PatternColumn) {
        let is_again = self.column.get_untracked() == column;
        self.is_descending.set(is_again && !self.is_descending.get_untracked());
        self.column.set(column);
    }
}
