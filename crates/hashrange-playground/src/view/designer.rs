//! What the designer's panels draw: patterns with their status, suggestions, findings, the entity chart.

/// How far the run of the patterns is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatternRunView {
    /// Patterns that are done.
    pub n_done: usize,
    /// Patterns.
    pub n_all: usize,
    /// True when everything shown is up to date.
    pub is_done: bool,
}

/// The list of access patterns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternTableView {
    /// `7 of 9 served well.`, and how many tests pass where there are any.
    pub summary: String,
    /// The patterns, in groups; one group without a title where nothing is grouped.
    pub groups: Vec<PatternGroupView>,
    /// What the latest change made different, one sentence each.
    pub changes: Vec<String>,
}

/// A group of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternGroupView {
    /// What they have in common.
    pub title: String,
    /// Its patterns.
    pub rows: Vec<PatternRowView>,
}

/// One access pattern in the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternRowView {
    /// Its number, from 1.
    pub number: u32,
    /// `✓`, `◑`, `⚠` or `✗`.
    pub glyph: &'static str,
    /// What the sign says, such as `needs a Scan`.
    pub status: &'static str,
    /// Why, as one sentence.
    pub reason: String,
    /// The question in words.
    pub words: String,
    /// The letter of the entity it is about; empty where it is not known.
    pub letter: String,
    /// The entity's colour slot.
    pub slot: Option<u8>,
    /// The operation.
    pub operation: String,
    /// Table and index.
    pub place: String,
    /// Its key condition.
    pub key_condition: String,
    /// Its filter.
    pub filter: String,
    /// `strong`, `eventual`, or nothing for writes.
    pub consistency: &'static str,
    /// Items returned or written: `9 items`.
    pub items_text: String,
    /// Pages read: `2 pages`.
    pub pages_text: String,
    /// `3.5 RCU`.
    pub units_text: String,
    /// Units by table and index: `GSI1 3 WCU`.
    pub arms: Vec<String>,
    /// `23.8 KB read, 5.0 KB returned`.
    pub bytes_text: String,
    /// The part of what was read that the filter threw away: `79 %`; empty for none.
    pub waste_text: String,
    /// Calls a second; empty where not stated.
    pub rate_text: String,
    /// `$27.59`: what it costs a month; empty where no rate is stated.
    pub month_text: String,
    /// `passed`, `failed`, or nothing.
    pub test: &'static str,
    /// What its test says.
    pub test_text: String,
    /// True if it is served by key, cool, and passes its test.
    pub is_green: bool,
    /// What it is without the index on trial, where that differs.
    pub was: Option<Box<PatternRowView>>,
}

/// An index on trial.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrialView {
    /// Its name.
    pub index: String,
    /// What is under way; empty when nothing is.
    pub lead: String,
    /// What it would change, to follow its name.
    pub text: String,
    /// True when all patterns have run with it.
    pub is_done: bool,
}

/// A way to serve a pattern better.
#[derive(Debug, Clone, PartialEq)]
pub struct SuggestionView {
    /// What it is, what it costs and when it pays.
    pub text: String,
    /// What the button says; none where no change of the design alone does it.
    pub fix: Option<String>,
}

/// Something lint found.
#[derive(Debug, Clone, PartialEq)]
pub struct FindingView {
    /// A few words: the rule.
    pub title: &'static str,
    /// `serious`, `warning` or `note`.
    pub seriousness: &'static str,
    /// What it is about, such as `pattern Find a project by name`.
    pub subject: String,
    /// What is wrong and why it hurts.
    pub text: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// What the button says.
    pub fix: Option<String>,
    /// Why it is fine as it is, if somebody said so.
    pub silenced: Option<String>,
}

/// One entity of the entity chart: its keys in its table and each index.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartRowView {
    /// The entity's index in the design.
    pub entity: usize,
    /// Its name.
    pub name: String,
    /// Its letter.
    pub letter: String,
    /// Its colour slot.
    pub slot: u8,
    /// Items of the sample.
    pub items_text: String,
    /// Slots to give values to, in order, each with a value of the sample.
    pub slots: Vec<(String, String)>,
    /// The table, then its indexes.
    pub cells: Vec<ChartCellView>,
}

/// An entity's keys in a table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartCellView {
    /// The index's name; empty for the table.
    pub index: String,
    /// True if its items are in it.
    pub is_member: bool,
    /// Each key attribute with its template and what the values make of it.
    pub keys: Vec<ChartKeyView>,
}

/// A key attribute in the entity chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartKeyView {
    /// The attribute.
    pub attribute: String,
    /// Its template; empty where items carry the attribute as they like.
    pub template: String,
    /// The key the values give; empty where they give none.
    pub text: String,
    /// Why they give none.
    pub problem: String,
}
