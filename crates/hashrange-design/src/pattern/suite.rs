//! `PatternSuite`: all access patterns of a design, run again in steps where a change may have touched them.
//!
//! Invariant: when nothing is left to do, every result equals that of a suite made anew from the same design and
//! snapshot. A pattern runs again only if it changed itself or a table it names is another one; the counts behind
//! its heat are made again only if the table or the entities changed.
//!
//! Not here: how a pattern runs ([`super::run`]), arranging results ([`super::arrange`]).

use std::sync::Arc;

use hashrange_storage::{Store, Table};
use hashrange_types::letter_case::lowercase;
use hashrange_types::{IndexName, SortedMap, TableName};

use super::change::{PatternChange, changes};
use super::expect;
use super::heat::Heat;
use super::result::{PatternResult, Served, UnitsOf};
use super::run::PatternRun;
use crate::document::{AccessPattern, Design, Entity};
use crate::survey::Survey;

/// Rows counted for heat that take about as long as one page of a pattern.
const ROWS_PER_STEP: usize = 1_000;

/// How far a suite is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatternProgress {
    /// Patterns whose results are those of the present design and data.
    pub n_done: usize,
    /// Patterns.
    pub n_all: usize,
    /// True when nothing is left to do, the counts behind heat included.
    pub is_done: bool,
}

/// The patterns of a design with their results. Cheap to clone as a store is.
///
/// ```
/// # use hashrange_design::{Design, pattern::PatternSuite};
/// # use hashrange_storage::Store;
/// let mut suite = PatternSuite::default();
/// suite.change(&Design::default(), &Store::default());
/// while !suite.step(10).is_done {}
/// assert!(suite.results().is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct PatternSuite {
    entities: Arc<Vec<Entity>>,
    store: Store,
    slots: Vec<Slot>,
    results: Vec<PatternResult>,
    surveys: SortedMap<TableName, Survey>,
    /// Results of the design and data before the latest change.
    before: Vec<PatternResult>,
    is_finished: bool,
}

/// One pattern.
#[derive(Debug, Clone)]
struct Slot {
    pattern: AccessPattern,
    run: PatternRun,
    is_done: bool,
}

impl Slot {
    fn new(pattern: &AccessPattern, number: u32) -> Self {
        Self { pattern: pattern.clone(), run: PatternRun::new(pattern, number), is_done: false }
    }

    /// True if the result stands as long as the store's tables are these.
    fn holds_in(&self, store: &Store) -> bool {
        let is_there = |table: &Arc<Table>| is_current(table, store);
        self.is_done && self.run.tables.as_ref().is_some_and(|tables| tables.iter().all(is_there))
    }
}

fn is_current(table: &Arc<Table>, store: &Store) -> bool {
    let now = store.shared_table(table.schema().name.as_str());
    now.is_some_and(|now| Arc::ptr_eq(&now, table))
}

impl PatternSuite {
    /// Takes a changed design or changed data, and forgets what was being done. Nothing runs yet.
    pub fn change(&mut self, design: &Design, store: &Store) {
        if self.is_finished {
            self.before = std::mem::take(&mut self.results);
        }
        self.is_finished = false;
        self.store = store.clone();
        let mut old: Vec<Slot> = std::mem::take(&mut self.slots);
        self.slots = (1..)
            .zip(&design.patterns)
            .map(|(number, pattern)| {
                let known = old.iter().position(|it| it.pattern == *pattern && it.holds_in(store));
                let Some(at) = known else { return Slot::new(pattern, number) };
                let mut slot = old.swap_remove(at);
                slot.run.result.number = number;
                slot
            })
            .collect();
        if *self.entities != design.entities {
            self.entities = Arc::new(design.entities.clone());
            self.surveys = SortedMap::new();
        }
        self.surveys.retain(|_, survey| is_current(survey.table(), store));
        for table in store.tables() {
            let name = &table.schema().name;
            if !self.surveys.contains_key(name)
                && let Some(table) = store.shared_table(name.as_str())
            {
                self.surveys.insert(name.clone(), Survey::new(table, &self.entities));
            }
        }
    }

    /// Does `n` pieces of work, each a page of a pattern or the like: a few milliseconds at most.
    pub fn step(&mut self, n: u32) -> PatternProgress {
        for _ in 0..n {
            if self.is_finished {
                break;
            }
            self.step_once();
        }
        let n_done = self.slots.iter().filter(|slot| slot.is_done).count();
        PatternProgress { n_done, n_all: self.slots.len(), is_done: self.is_finished }
    }

    fn step_once(&mut self) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| !slot.is_done) {
            slot.is_done = slot.run.page(&self.store);
            return;
        }
        if let Some(survey) = self.surveys.values_mut().find(|survey| !survey.is_done()) {
            survey.step(ROWS_PER_STEP);
            return;
        }
        self.results = self.slots.iter().map(|slot| self.result(slot)).collect();
        self.is_finished = true;
    }

    /// The results of the latest finished run, in the design's order. While a changed design is being run these are
    /// still empty: [`PatternSuite::before`] has those of the design before.
    pub fn results(&self) -> &[PatternResult] {
        &self.results
    }

    /// The results before the latest change.
    pub fn before(&self) -> &[PatternResult] {
        &self.before
    }

    /// What the latest change made different, pattern by pattern.
    pub fn changes(&self) -> Vec<PatternChange> {
        if self.before.is_empty() { Vec::new() } else { changes(&self.before, &self.results) }
    }

    /// What was counted of a table.
    pub fn survey(&self, table: &str) -> Option<&Survey> {
        self.surveys.get(table)
    }

    /// What was counted of every table.
    pub fn surveys(&self) -> impl Iterator<Item = &Survey> {
        self.surveys.values()
    }

    /// The snapshot the patterns run on.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Number, from 1, of the pattern that is running.
    pub fn running(&self) -> Option<u32> {
        self.slots.iter().find(|slot| !slot.is_done).map(|slot| slot.run.result.number)
    }

    /// The finished result of a slot: what its run found, with entity, heat and test.
    fn result(&self, slot: &Slot) -> PatternResult {
        let mut result = slot.run.result.clone();
        result.entity = slot
            .run
            .subject
            .as_ref()
            .and_then(|(table, item)| self.surveys.get(table)?.entity_of(item));
        result.heat = self.heat(&result);
        result.test = expect::test(&result, &slot.run.items, &slot.pattern.expect);
        result
    }

    fn heat(&self, result: &PatternResult) -> Vec<Heat> {
        let Some(rate) = result.per_second else { return Vec::new() };
        if matches!(result.served, Served::Scan | Served::Refused) {
            return Vec::new();
        }
        let mut loads: Vec<(&TableName, Option<&IndexName>, bool, f64)> = Vec::new();
        for UnitsOf { table, index, is_local, is_write, units } in &result.units {
            let index = index.as_ref().filter(|_| !is_local);
            let load = units.as_f64() * rate;
            let known = loads.iter_mut().find(|it| (it.0, it.1, it.2) == (table, index, *is_write));
            match known {
                Some(known) => known.3 += load,
                None => loads.push((table, index, *is_write, load)),
            }
        }
        let noun = result.entity.and_then(|entity| self.entities.get(entity));
        let noun = noun.map_or_else(|| "item".to_owned(), |entity| lowercase(&entity.name));
        loads
            .into_iter()
            .filter_map(|(table, index, is_write, load)| {
                let survey = self.surveys.get(table)?;
                let keys = survey.keys(index.map(IndexName::as_str), result.entity)?;
                Heat::of((table, index), is_write, load, keys, &noun)
            })
            .collect()
    }
}
