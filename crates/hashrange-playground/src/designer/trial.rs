//! `Trial`: an index tried on a draft of the session before anybody decides on it.
//!
//! Invariant: the session is as it was until the trial is kept, and then has exactly what was tried, as one step of
//! undo. Patterns that the index serves ask it in the trial.

use hashrange_design::pattern::PatternResult;
use hashrange_design::pattern::arrange::Arrangement;
use hashrange_design::template::Slots;
use hashrange_types::letter_case::lowercase;

use super::forms::FormDraft;
use super::forms::index;
use crate::edit::listed;
use crate::format::{counted, units, units_number};
use crate::session::Session;
use crate::view::{ChartRowView, FormRefusal, PatternTableView, TrialView};

/// Rounds of asking the index instead: each pattern is asked at most once.
const ROUNDS: u32 = 2;

/// An index on trial.
#[derive(Debug, Clone)]
pub struct Trial {
    session: Session,
    table: String,
    index: String,
    n_rounds: u32,
    is_done: bool,
}

impl Session {
    /// Tries an index as typed on a draft of this session.
    ///
    /// # Errors
    /// DynamoDB's refusal or one sentence, and the field it belongs to.
    pub fn try_index(
        &self,
        table: &str,
        name: Option<&str>,
        draft: &FormDraft,
        now: i64,
    ) -> Result<Trial, FormRefusal> {
        let mut session = self.draft();
        // What was found already need not be run again.
        session.checked = self.checked.clone();
        session.data_version = self.data_version;
        let index = index::put(&mut session, table, name, draft, now)?;
        let table = table.to_owned();
        Ok(Trial { session, table, index, n_rounds: 0, is_done: false })
    }
}

impl Session {
    /// What became of an index that was just added: its states and how many items it was filled with.
    pub fn backfilled(&self, table: &str, index: &str) -> Option<String> {
        let table = self.data().store.table(table)?;
        let n = table.index(index)?.n_rows();
        Some(format!(
            "UpdateTable added {index}: it was CREATING while {n} of {} were filled into it, and is ACTIVE now. Undo \
             takes it back.",
            counted(table.items().n_rows(), "item")
        ))
    }
}

impl Trial {
    /// Runs the patterns on in `n` small steps; true when nothing is left to do.
    pub fn step(&mut self, n: u32) -> bool {
        if !self.is_done && self.session.check_patterns(n).is_done {
            self.is_done = self.n_rounds >= ROUNDS || !self.ask_index();
            self.n_rounds += 1;
        }
        self.is_done
    }

    /// Lets patterns ask the index where that serves them better; false if none does.
    fn ask_index(&mut self) -> bool {
        let mut design = self.session.design().clone();
        let failing: Vec<u32> = self.session.pattern_results().iter().map(|it| it.number).collect();
        for number in failing {
            let suggestions = self.session.suggestions_of(number);
            let own = suggestions.into_iter().find(|it| {
                it.is_there && it.index.as_ref().is_some_and(|index| index.name == self.index)
            });
            if let Some(fix) = own.and_then(|it| it.fix) {
                design = fix.apply(&design);
            }
        }
        let is_other = design != *self.session.design();
        self.session.describe(design, String::new());
        is_other
    }

    /// Takes what was tried over into `session`, as one step that undo takes back.
    pub fn keep(mut self, session: &mut Session) {
        while !self.step(100) {}
        if self.session.design() == session.design() {
            return;
        }
        session.keep(&self.session, &format!("the index {}", self.index));
    }

    /// What the trial shows beside `session` as it is.
    pub fn view(&self, session: &Session) -> TrialView {
        TrialView {
            index: self.index.clone(),
            lead: if self.is_done { String::new() } else { "Trying it…".to_owned() },
            text: if self.is_done { self.sentence(session) } else { String::new() },
            is_done: self.is_done,
        }
    }

    /// The entity chart with the index, which stands beside the table.
    pub fn chart(&self) -> Vec<ChartRowView> {
        let rows = self.session.entity_chart(&self.table, None).into_iter();
        rows.map(|row| self.beside_table(row)).collect()
    }

    fn beside_table(&self, mut row: ChartRowView) -> ChartRowView {
        if let Some(at) = row.cells.iter().position(|cell| cell.index == self.index) {
            row.cells[1..=at].rotate_right(1);
        }
        row
    }

    /// As [`Session::tried_row`], with the index.
    pub fn tried_row(&self, entity: usize, given: &Slots) -> Option<ChartRowView> {
        self.session.tried_row(&self.table, entity, given).map(|row| self.beside_table(row))
    }

    /// The patterns with the index, each with what it was without.
    pub fn patterns(&self, session: &Session, arrangement: &Arrangement) -> PatternTableView {
        let mut table = self.session.pattern_table(arrangement);
        let (now, before) = (self.session.pattern_results(), session.pattern_results());
        table.summary = format!(
            "{} of {} served well with the draft, {} without.",
            super::n_served(now),
            now.len(),
            super::n_served(before)
        );
        let costs = session.pattern_costs();
        table.changes.clear();
        for row in table.groups.iter_mut().flat_map(|group| &mut group.rows) {
            let was = before.iter().find(|it| it.number == row.number);
            let Some(was) = was.map(|was| session.row(was, super::cost_of(&costs, was))) else {
                continue;
            };
            if was.units_text != row.units_text
                || was.place != row.place
                || was.status != row.status
            {
                row.was = Some(Box::new(was));
            }
        }
        table
    }

    /// `would serve pattern 7 with 0.5 RCU, not a Scan of 4. New projects cost 1 WCU more.`
    fn sentence(&self, session: &Session) -> String {
        let before = session.pattern_results();
        let mut sentences = Vec::new();
        for now in self.session.pattern_results() {
            let was = before.iter().find(|it| it.number == now.number);
            let is_new = |was: &&PatternResult| was.shape.index != now.shape.index;
            let asks = now.shape.index.as_ref().is_some_and(|it| it.as_str() == self.index);
            if let Some(was) = was.filter(|was| asks && is_new(was)) {
                sentences.push(format!(
                    "serves pattern {} with {}, not a {} of {}.",
                    now.number,
                    now.units_text(),
                    was.operation,
                    units_number(was.total_units())
                ));
            }
        }
        if sentences.is_empty() {
            sentences.push("would serve no pattern better as they are asked now.".to_owned());
        } else {
            let first = sentences[0].replacen("serves", "would serve", 1);
            sentences[0] = first;
        }
        sentences.extend(self.writes());
        sentences.join(" ")
    }

    /// What a new item of each entity costs more.
    fn writes(&self) -> Option<String> {
        let table = self.session.data().store.table(&self.table)?;
        let tree = table.index(&self.index)?;
        let mut nouns: Vec<String> = Vec::new();
        let mut most = 0;
        for (_, row) in tree.range(&hashrange_storage::KeyRange::all(), true).take(1_000) {
            most = most.max(row.size_bytes);
            let base = table.schema().key.encode(&row.item).and_then(|key| table.get(&key));
            let item = base.map_or(&row.item, |row| &row.item);
            let entity = self.session.work.recognition.entity_of(&self.table, item);
            let face = self.session.work.recognition.face(entity);
            let noun = lowercase(face.map_or("item", |face| face.name.as_str()));
            let noun = hashrange_design::words::plural(&noun);
            if !nouns.contains(&noun) {
                nouns.push(noun);
            }
        }
        if nouns.is_empty() {
            return Some("No item has its key yet, so it is empty and costs nothing.".to_owned());
        }
        let cost = units(hashrange_engine::capacity::write_units(most), true);
        let held = counted(tree.n_rows(), "item");
        Some(format!("It holds {held}. New {} cost up to {cost} more.", listed(&nouns)))
    }
}
