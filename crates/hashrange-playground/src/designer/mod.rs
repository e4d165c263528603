//! The designer's half of a session: patterns that test themselves, suggestions, lint, the entity chart.
//!
//! Invariant: views are of the latest finished run; a fix is an edit like any other, one step that undo takes back.
//!
//! Not here: how a pattern is judged and what lint looks for (`hashrange-design`).

mod chart;
pub(crate) mod forms;
mod trial;

use std::sync::Arc;

pub use forms::{Form, FormDraft};
pub use trial::Trial;

use hashrange_design::Design;
use hashrange_design::cost::Money;
use hashrange_design::lint::{Finding, lint, silence, speak};
use hashrange_design::pattern::arrange::{Arrangement, arrange};
use hashrange_design::pattern::{
    PatternForm, PatternResult, PatternStatus, PatternSuite, TestResult, keep_as_pattern,
    to_markdown,
};
use hashrange_design::suggest::{Suggestion, UnitPrices, suggest};

use crate::cost::text;
use crate::edit::Edited;
use crate::format::{counted, percent, size, units};
use crate::recognition::EntityIndex;
use crate::session::Session;
use crate::view::{
    FindingView, PatternGroupView, PatternRowView, PatternRunView, PatternTableView, Refusal,
    SuggestionView,
};

/// The patterns' suite as it runs, and as it was when it was last done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Checked {
    running: PatternSuite,
    /// Design and data the running suite was given.
    given: Option<Given>,
    /// What views show: they stay as they were while a change is being run.
    shown: PatternSuite,
    shown_of: Option<Given>,
}

/// A design, and the version of the data it was run on.
#[derive(Debug, Clone)]
struct Given(Arc<Design>, u64);

impl Given {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

impl Session {
    /// Runs the patterns on in `n` small steps, a few milliseconds each, after any change of design or data. Call it
    /// until it is done; what the change does not touch is not run again.
    pub fn check_patterns(&mut self, n: u32) -> PatternRunView {
        let now = self.given();
        let is_now = |given: &Option<Given>| given.as_ref().is_some_and(|given| given.is(&now));
        if !is_now(&self.checked.given) {
            self.checked.running.change(&self.work.design, &self.work.data.store);
            self.checked.given = Some(now.clone());
        }
        let progress = self.checked.running.step(n);
        if progress.is_done && !is_now(&self.checked.shown_of) {
            self.checked.shown = self.checked.running.clone();
            self.checked.shown_of = Some(now);
        }
        let (n_done, n_all) = (progress.n_done, progress.n_all);
        PatternRunView { n_done, n_all, is_done: progress.is_done }
    }

    fn given(&self) -> Given {
        Given(Arc::clone(&self.work.design), self.data_version)
    }

    /// What was counted of a table, for views of its entities.
    pub(crate) fn survey(&self, table: &str) -> Option<&hashrange_design::survey::Survey> {
        self.checked.shown.survey(table)
    }

    /// The design that what is shown was found in; none before the first run is done.
    pub(crate) fn shown_design(&self) -> Option<&Design> {
        self.checked.shown_of.as_ref().map(|given| &*given.0)
    }

    /// The latest finished run of the patterns.
    pub(crate) fn suite(&self) -> &PatternSuite {
        &self.checked.shown
    }

    /// What the patterns' latest finished run found, for whoever counts on.
    pub fn pattern_results(&self) -> &[PatternResult] {
        self.checked.shown.results()
    }

    /// The list of patterns.
    pub fn pattern_table(&self, arrangement: &Arrangement) -> PatternTableView {
        let results = self.pattern_results();
        let entities = self.shown_design().map_or(&[][..], |design| &design.entities);
        let costs = self.pattern_costs();
        let groups = arrange(results, entities, arrangement, &|result| cost_of(&costs, result));
        let changes = self.checked.shown.changes();
        PatternTableView {
            summary: summary(results),
            groups: groups
                .into_iter()
                .map(|group| PatternGroupView {
                    title: group.title,
                    rows: group.rows.iter().map(|at| self.row(&results[*at], costs[*at])).collect(),
                })
                .collect(),
            changes: changes.into_iter().map(|change| change.sentence).collect(),
        }
    }

    /// The patterns as a Markdown table.
    pub fn patterns_as_markdown(&self) -> String {
        let costs = self.pattern_costs();
        let month = |result: &PatternResult| month(result, cost_of(&costs, result));
        to_markdown(self.pattern_results(), Some(&month))
    }

    fn row(&self, result: &PatternResult, cost: Money) -> PatternRowView {
        let entity = result.entity.and_then(|at| EntityIndex::try_from(at).ok());
        let face = self.work.recognition.face(entity);
        let status = result.status();
        let (read, waste) = (result.bytes_read(), result.waste_bytes());
        let arm = |it: &hashrange_design::pattern::UnitsOf| {
            let name = it.index.as_ref().map_or(it.table.as_str(), |index| index.as_str());
            format!("{name} {}", units(it.units, it.is_write))
        };
        let more = if result.has_more { ", and there are more" } else { "" };
        PatternRowView {
            number: result.number,
            glyph: status.glyph(),
            status: status.words(),
            reason: result.reason(),
            words: result.words.clone(),
            letter: face.map(|face| face.letter.clone()).unwrap_or_default(),
            slot: face.map(|face| face.slot),
            operation: result.operation.clone(),
            place: result.shape.place(),
            key_condition: result.shape.key_condition.clone(),
            filter: result.shape.filter.clone(),
            consistency: match (result.is_write, result.shape.is_consistent) {
                (true, _) => "",
                (false, true) => "strong",
                (false, false) => "eventual",
            },
            items_text: counted(result.n_items(), "item"),
            pages_text: format!("{}{more}", counted(result.pages.len() as u64, "page")),
            units_text: result.units_text(),
            arms: result.units.iter().map(arm).collect(),
            bytes_text: if result.is_write {
                format!("{} written", size(result.bytes_returned))
            } else {
                format!("{} read, {} returned", size(read), size(result.bytes_returned))
            },
            waste_text: if waste == 0 { String::new() } else { percent(waste, read) },
            rate_text: result.per_second.map(hashrange_design::words::rate).unwrap_or_default(),
            month_text: month(result, cost),
            test: result.test.words(),
            test_text: match &result.test {
                TestResult::Failed(sentences) => sentences.join(" "),
                other => other.sentence().to_owned(),
            },
            is_green: result.is_green(),
            was: None,
        }
    }

    fn suggestions_of(&self, number: u32) -> Vec<Suggestion> {
        let Some(design) = self.shown_design() else { return Vec::new() };
        suggest(design, &self.checked.shown, number, UnitPrices::from(&design.cost))
    }

    /// What would serve a pattern better, best first.
    pub fn suggestions(&self, number: u32) -> Vec<SuggestionView> {
        self.suggestions_of(number)
            .into_iter()
            .map(|it| SuggestionView { text: it.sentence, fix: it.fix.map(|fix| fix.label()) })
            .collect()
    }

    /// Does what suggestion `at`, from 0, of a pattern proposes.
    ///
    /// # Errors
    /// DynamoDB's refusal, or one sentence if there is nothing to do.
    pub fn take_suggestion(&mut self, number: u32, at: usize, now: i64) -> Edited {
        let found = self.suggestions_of(number).into_iter().nth(at);
        self.take(found.and_then(|suggestion| suggestion.fix), now)
    }

    fn take(&mut self, fix: Option<hashrange_design::Fix>, now: i64) -> Edited {
        // What was found in another version of the design may not fit this one.
        let is_fresh = self.checked.shown_of.as_ref().is_some_and(|it| it.is(&self.given()));
        let fix = fix.filter(|_| is_fresh).ok_or_else(gone)?;
        let changed = fix.apply(self.design());
        self.adopt(changed, fix.label(), now)
    }

    /// What lint finds in the design that is shown.
    pub(crate) fn lint(&self) -> Vec<Finding> {
        let Some(design) = self.shown_design() else { return Vec::new() };
        lint(design, &self.checked.shown)
    }

    /// What lint finds, most serious first, silenced findings last.
    pub fn findings(&self) -> Vec<FindingView> {
        let view = |finding: Finding| FindingView {
            title: finding.rule.title(),
            seriousness: finding.seriousness.words(),
            subject: finding.subject.key(self.shown_design().unwrap_or(self.design())),
            text: finding.sentence,
            evidence: finding.evidence,
            fix: finding.fix.map(|fix| fix.label()),
            silenced: finding.silenced,
        };
        self.lint().into_iter().map(view).collect()
    }

    /// Does what mends finding `at`, from 0.
    ///
    /// # Errors
    /// DynamoDB's refusal, or one sentence if there is nothing to do.
    pub fn take_fix(&mut self, at: usize, now: i64) -> Edited {
        let found = self.lint().into_iter().nth(at);
        self.take(found.and_then(|finding| finding.fix), now)
    }

    /// Silences finding `at`, from 0, for a reason that is kept with the design.
    ///
    /// # Errors
    /// One sentence if there is no reason or no such finding.
    pub fn silence(&mut self, at: usize, reason: &str) -> Edited {
        let finding = self.lint().into_iter().nth(at).ok_or_else(gone)?;
        let design = silence(self.design(), &finding, reason).map_err(Refusal::ours)?;
        self.describe(design, format!("silencing {}", finding.rule.title()));
        Ok(())
    }

    /// Lets finding `at`, from 0, be heard again.
    pub fn speak(&mut self, at: usize) {
        if let Some(finding) = self.lint().into_iter().nth(at) {
            let design = speak(self.design(), &finding);
            self.describe(design, format!("hearing {}", finding.rule.title()));
        }
    }

    /// Keeps a request of the history as an access pattern; without words it is named after what it asks.
    ///
    /// # Errors
    /// One sentence if there is no such entry, or it is no request.
    pub fn keep_as_pattern(&mut self, entry: u32, words: &str) -> Edited {
        let found = self.history.get(entry).ok_or_else(gone)?;
        let pattern =
            keep_as_pattern(words, &found.operation, &found.request).map_err(Refusal::ours)?;
        self.put_pattern(None, pattern)
    }

    /// Adds the pattern a form makes of a table, or puts it in place of the one at `at`, from 0.
    ///
    /// # Errors
    /// One sentence: the first field that is missing or does not fit.
    pub fn put_pattern_form(
        &mut self,
        at: Option<usize>,
        table: &str,
        form: &PatternForm,
    ) -> Edited {
        let schema = self.data().store.table(table).map(|table| table.schema().clone());
        let schema =
            schema.ok_or_else(|| Refusal::ours(format!("There is no table called {table}.")))?;
        let pattern = form.build(&schema).map_err(Refusal::ours)?;
        self.put_pattern(at, pattern)
    }
}

/// Of a cost for each result, the one of this.
fn cost_of(costs: &[Money], result: &PatternResult) -> Money {
    costs.get((result.number as usize).saturating_sub(1)).copied().unwrap_or_default()
}

/// `$27.59`; nothing where no rate is stated.
fn month(result: &PatternResult, cost: Money) -> String {
    result.per_second.map(|_| text::dollars(cost)).unwrap_or_default()
}

/// Patterns that are served well.
fn n_served(results: &[PatternResult]) -> usize {
    results.iter().filter(|it| it.status() == PatternStatus::ByKey).count()
}

fn gone() -> Refusal {
    Refusal::ours("This is not there any more; nothing was changed.".to_owned())
}

/// `7 of 9 served well; 8 tests passed, 1 failed.`
fn summary(results: &[PatternResult]) -> String {
    let well = n_served(results);
    let is = |test: &TestResult, passed: bool| match test {
        TestResult::NotStated => false,
        TestResult::Passed => passed,
        TestResult::Failed(_) => !passed,
    };
    let count = |passed: bool| results.iter().filter(|it| is(&it.test, passed)).count();
    let (passed, failed) = (count(true), count(false));
    let tests = if passed + failed == 0 {
        String::new()
    } else {
        format!("; {} passed, {failed} failed", counted(passed as u64, "test"))
    };
    format!("{well} of {} served well{tests}.", results.len())
}
