//! The list of patterns sorted, grouped and filtered.
//!
//! Invariant: every result that passes the filter is in exactly one group; equal ones keep the design's order.

use std::cmp::Ordering;

use hashrange_types::letter_case::lowercase;
use hashrange_types::sorted;

use super::expect::TestResult;
use super::result::{PatternResult, PatternStatus};
use crate::cost::Money;
use crate::document::Entity;

/// What the list is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PatternColumn {
    /// Its number, the design's order.
    #[default]
    Number,
    /// Its words.
    Words,
    /// Its operation.
    Operation,
    /// Table and index.
    Place,
    /// Items returned or written.
    Items,
    /// Units of a call.
    Units,
    /// Bytes read and thrown away.
    Waste,
    /// Calls a second.
    Rate,
    /// The load of its hottest key.
    Heat,
    /// Status, best first.
    Status,
    /// What it costs a month, which the caller knows.
    Cost,
}

/// What the list is grouped by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PatternGrouping {
    /// Not at all.
    #[default]
    None,
    /// The entity it is about.
    Entity,
    /// Table and index.
    Place,
    /// Operation.
    Operation,
    /// Status.
    Status,
    /// Passed, failed, nothing stated.
    Test,
}

/// Which patterns are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatternFilter {
    /// Those of this status.
    pub status: Option<PatternStatus>,
    /// Those whose words, operation, table or conditions hold this text, whatever the case; empty for all.
    pub text: String,
    /// Only those that are not green.
    pub is_failing_only: bool,
}

/// How the list is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Sorted by this.
    pub column: PatternColumn,
    /// Largest first.
    pub is_descending: bool,
    /// Grouped by this.
    pub grouping: PatternGrouping,
    /// Those listed.
    pub filter: PatternFilter,
}

/// A group of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternGroup {
    /// What the group has in common; empty where nothing is grouped.
    pub title: String,
    /// Indexes into the results.
    pub rows: Vec<usize>,
}

/// Sorts, groups and filters `results`. `cost` gives what it costs a month, by which [`PatternColumn::Cost`] sorts.
pub fn arrange(
    results: &[PatternResult],
    entities: &[Entity],
    arrangement: &Arrangement,
    cost: &dyn Fn(&PatternResult) -> Money,
) -> Vec<PatternGroup> {
    let mut rows: Vec<usize> =
        (0..results.len()).filter(|at| is_listed(&results[*at], &arrangement.filter)).collect();
    sorted::sort_by(&mut rows, |a, b| {
        let order = compare(&results[*a], &results[*b], arrangement.column, cost);
        // Sorting downwards must not turn the order of equal ones.
        let order = if arrangement.is_descending { order.reverse() } else { order };
        order.then(a.cmp(b))
    });
    let mut groups: Vec<PatternGroup> = Vec::new();
    for at in rows {
        let title = title(&results[at], entities, arrangement.grouping);
        match groups.iter_mut().find(|group| group.title == title) {
            Some(group) => group.rows.push(at),
            None => groups.push(PatternGroup { title, rows: vec![at] }),
        }
    }
    groups
}

fn is_listed(result: &PatternResult, filter: &PatternFilter) -> bool {
    let wanted = lowercase(filter.text.trim());
    let shape = &result.shape;
    let texts =
        [&result.words, &result.operation, &shape.place(), &shape.key_condition, &shape.filter];
    filter.status.is_none_or(|status| status == result.status())
        && !(filter.is_failing_only && result.is_green())
        && texts.iter().any(|text| lowercase(text).contains(&wanted))
}

fn compare(
    a: &PatternResult,
    b: &PatternResult,
    column: PatternColumn,
    cost: &dyn Fn(&PatternResult) -> Money,
) -> Ordering {
    let load = |it: &PatternResult| it.hottest().map_or(0.0, super::Heat::load);
    match column {
        PatternColumn::Number => a.number.cmp(&b.number),
        PatternColumn::Words => lowercase(&a.words).cmp(&lowercase(&b.words)),
        PatternColumn::Operation => a.operation.cmp(&b.operation),
        PatternColumn::Place => a.shape.place().cmp(&b.shape.place()),
        PatternColumn::Items => a.n_items().cmp(&b.n_items()),
        PatternColumn::Units => a.total_units().cmp(&b.total_units()),
        PatternColumn::Waste => a.waste_bytes().cmp(&b.waste_bytes()),
        PatternColumn::Rate => a.per_second.unwrap_or(0.0).total_cmp(&b.per_second.unwrap_or(0.0)),
        PatternColumn::Heat => load(a).total_cmp(&load(b)),
        PatternColumn::Status => a.status().cmp(&b.status()),
        PatternColumn::Cost => cost(a).cmp(&cost(b)),
    }
}

fn title(result: &PatternResult, entities: &[Entity], grouping: PatternGrouping) -> String {
    match grouping {
        PatternGrouping::None => String::new(),
        PatternGrouping::Entity => match result.entity.and_then(|at| entities.get(at)) {
            Some(entity) => entity.name.clone(),
            None => "No entity".to_owned(),
        },
        PatternGrouping::Place => result.shape.place(),
        PatternGrouping::Operation => result.operation.clone(),
        PatternGrouping::Status => result.status().words().to_owned(),
        PatternGrouping::Test => match &result.test {
            TestResult::NotStated => "Nothing expected".to_owned(),
            TestResult::Passed => "Passed".to_owned(),
            TestResult::Failed(_) => "Failed".to_owned(),
        },
    }
}
