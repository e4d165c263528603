//! Suggestions: which key or index would serve a pattern, what that costs, and from which call rate on it pays.
//!
//! Invariant: a suggestion with a fix was tried: the fixed design's tables accept the Query, and on the sample it
//! returns the same items. Numbers are measured on the sample, never assumed.
//!
//! Not here: doing it ([`crate::fix`]), monthly bills.

mod break_even;
mod candidate;
mod cost;
mod hot;
mod terms;

use hashrange_engine::capacity::read_units;
use hashrange_types::{AttributeName, CapacityUnits, Operation, Request};

pub use break_even::{UnitPrices, break_even};

use crate::document::Design;
use crate::fix::{Fix, IndexPlan};
use crate::pattern::{PatternResult, PatternStatus, PatternSuite, Served};
use crate::words::{self, counted, rate, size};
pub(crate) use candidate::with_index;
use candidate::{Candidate, Sample, candidates, is_accepted};
use cost::{IndexCost, index_cost};
use terms::Terms;

/// What a read asks of each item.
pub(crate) enum Asked {
    /// All attributes.
    All,
    /// These, those of its filter included.
    Names(Vec<AttributeName>),
}

/// What a Query or Scan asks of each item; none for other requests.
pub(crate) fn asked_attributes(request: &Request) -> Option<Asked> {
    let terms = Terms::of(request)?;
    let filtered = terms.all.iter().flat_map(terms::Term::attributes);
    Some(match &terms.projected {
        Some(names) => Asked::Names(names.iter().chain(filtered).cloned().collect()),
        None => Asked::All,
    })
}

/// Suggestions given for one pattern.
const SUGGESTIONS_MAX: usize = 3;

/// One way to serve a pattern better.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The pattern's number, from 1.
    pub pattern: u32,
    /// The index that would serve it; none for the table's own key, or where no index helps.
    pub index: Option<IndexPlan>,
    /// True if the design has that index already.
    pub is_there: bool,
    /// An attribute that items would have to carry first.
    pub needs_attribute: Option<String>,
    /// Units of a call now.
    pub units_now: CapacityUnits,
    /// Units of a call then.
    pub units_then: CapacityUnits,
    /// Write units the index takes: a second if [`Self::is_rated`], else for the life of one item.
    pub write_units: f64,
    /// True if the design states rates of writes, so that break-even is calls a second.
    pub is_rated: bool,
    /// Bytes of storage the index takes on the sample.
    pub storage_bytes: u64,
    /// Calls, a second or per item written, from which on it pays; 0 for what is there already.
    pub pays_from: Option<f64>,
    /// True if it pays at the pattern's stated rate; none where that is not known.
    pub pays_now: Option<bool>,
    /// What it is and what it costs, in one or two sentences.
    pub sentence: String,
    /// The change that does it, if a change of the design alone does.
    pub fix: Option<Fix>,
}

/// What would serve pattern `number` better, best first; nothing for a pattern that is well served.
pub fn suggest(
    design: &Design,
    suite: &PatternSuite,
    number: u32,
    prices: UnitPrices,
) -> Vec<Suggestion> {
    let Some(result) = suite.results().iter().find(|it| it.number == number) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if matches!(result.served, Served::Filtered | Served::Scan) && !result.is_write {
        found = better_reads(design, suite, result, prices).unwrap_or_default();
    }
    if result.status() == PatternStatus::Hot {
        found.extend(hot::suggestions(result));
    }
    found
}

fn better_reads(
    design: &Design,
    suite: &PatternSuite,
    result: &PatternResult,
    prices: UnitPrices,
) -> Option<Vec<Suggestion>> {
    let pattern = design.patterns.get(usize::try_from(result.number).ok()?.checked_sub(1)?)?;
    let operation = Operation::from_name(&pattern.operation)?;
    let request = hashrange_wire::decode(operation, &pattern.request.to_string()).ok()?;
    let terms = Terms::of(&request)?;
    let sample = Sample::of(suite.store(), &terms)?;
    let mut found: Vec<Suggestion> = Vec::new();
    for candidate in candidates(&sample, &terms) {
        let units_then = read_units(candidate.bytes, terms.is_consistent);
        if units_then >= result.total_units() {
            continue;
        }
        let fix = candidate.request(&terms, &pattern.request).and_then(|request| {
            let fix = fix_of(&candidate, result.number, terms.table.as_str(), request.clone())?;
            is_accepted(&fix.apply(design), &request).then_some(fix)
        });
        if fix.is_none() && candidate.needs_attribute.is_none() {
            continue;
        }
        let marks = (sample.n_returned() as u64, sample.n_rows() as u64);
        let marks = candidate.needs_attribute.as_ref().map(|_| marks);
        let cost = match &candidate.index {
            Some(index) if !candidate.is_there => {
                index_cost(suite.store(), sample.table, index, marks, &design.patterns)?
            }
            _ => IndexCost::default(),
        };
        found.push(suggestion(result, candidate, units_then, cost, prices, fix));
    }
    hashrange_types::sorted::sort_by(&mut found, |a, b| {
        let rank = |it: &Suggestion| it.pays_from.unwrap_or(f64::MAX);
        rank(a).total_cmp(&rank(b)).then(a.units_then.cmp(&b.units_then))
    });
    found.truncate(SUGGESTIONS_MAX);
    Some(found)
}

fn fix_of(
    candidate: &Candidate,
    pattern: u32,
    table: &str,
    request: serde_json::Value,
) -> Option<Fix> {
    match &candidate.index {
        _ if candidate.needs_attribute.is_some() => None,
        Some(index) if !candidate.is_there => {
            Some(Fix::AddIndex { table: table.to_owned(), index: index.clone(), pattern, request })
        }
        index => {
            let name = index.as_ref().map_or(table, |index| index.name.as_str());
            let label = format!("Ask {name}");
            Some(Fix::SetRequest { pattern, operation: "Query".to_owned(), request, label })
        }
    }
}

fn suggestion(
    result: &PatternResult,
    candidate: Candidate,
    units_then: CapacityUnits,
    cost: IndexCost,
    prices: UnitPrices,
    fix: Option<Fix>,
) -> Suggestion {
    let units_now = result.total_units();
    let saved = units_now.as_f64() - units_then.as_f64();
    let pays_from = break_even(cost.write_units, saved, prices);
    let pays_now = match (pays_from, result.per_second) {
        (Some(from), Some(now)) if cost.is_rated || from == 0.0 => Some(now >= from),
        _ => None,
    };
    let mut suggestion = Suggestion {
        pattern: result.number,
        is_there: candidate.is_there || candidate.index.is_none(),
        index: candidate.index,
        needs_attribute: candidate.needs_attribute,
        units_now,
        units_then,
        write_units: cost.write_units,
        is_rated: cost.is_rated,
        storage_bytes: cost.storage_bytes,
        pays_from,
        pays_now,
        sentence: String::new(),
        fix,
    };
    suggestion.sentence = suggestion.in_words(result, candidate.is_by_sample, cost.n_entries);
    suggestion
}

impl Suggestion {
    fn in_words(&self, result: &PatternResult, is_by_sample: bool, n_entries: u64) -> String {
        let units = format!(
            "{} instead of {}",
            words::units(self.units_then, false),
            words::units_number(self.units_now)
        );
        let Some(index) = &self.index else {
            let place = result.shape.table.as_ref().map_or("The table", |table| table.as_str());
            return format!("{place}'s own key answers it with a Query: {units}.");
        };
        let mut keys: Vec<&str> = index.partition.iter().map(|(name, _)| name.as_str()).collect();
        keys.extend(index.sort.as_ref().map(|(name, _)| name.as_str()));
        let name = format!("{} ({})", index.name, keys.join(", "));
        let sample =
            if is_by_sample { " On this sample it holds just the items wanted." } else { "" };
        if self.is_there {
            let held = match &index.projection {
                hashrange_types::Projection::All => String::new(),
                _ => " It does not hold all attributes.".to_owned(),
            };
            return format!("The index {name} is there and answers it: {units}.{sample}{held}");
        }
        let first = match (&self.needs_attribute, index.is_local) {
            (Some(attribute), _) => format!(
                "A sparse index {name} would answer it if only the items wanted carried {attribute}: {units}."
            ),
            (None, true) => format!(
                "A local index {name} would answer it, strongly consistent too: {units}. It is made together with \
                 its table."
            ),
            (None, false) => format!("An index {name} would answer it by key: {units}."),
        };
        let span = if self.is_rated { "a second" } else { "for each item written" };
        let stored = format!("{} in {}", size(self.storage_bytes), counted(n_entries, "entry"));
        let pays = match self.pays_from {
            Some(from) if self.is_rated => {
                let now = match (self.pays_now, result.per_second) {
                    (Some(true), Some(now)) => format!("; at {} it does", rate(now)),
                    (Some(false), Some(now)) => {
                        format!("; at {} the filter is cheaper", rate(now))
                    }
                    _ => String::new(),
                };
                format!(" It pays from {} calls a second on{now}.", rate(from))
            }
            Some(from) => format!(" It pays from {} calls for each item written on.", rate(from)),
            None => String::new(),
        };
        format!(
            "{first}{sample} It takes {} WCU {span} and stores {stored}.{pays}",
            rate(self.write_units)
        )
    }
}
