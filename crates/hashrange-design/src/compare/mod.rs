//! Two designs side by side: what differs in them, and what it makes of patterns, sizes, heat and the bill.
//!
//! Invariant: both sides are asked the same questions at the same rates; what differs comes first.
//!
//! Not here: words and pictures (`hashrange-playground`), simulated heat (`hashrange-simulation`).

mod difference;
mod relational;
mod scan_based;
mod side;

pub use difference::{Difference, Touches, differences};
pub use relational::relational;
pub use scan_based::ScanBased;
pub use side::{Side, SidePattern};

use hashrange_types::CapacityUnits;

use crate::cost::{Bill, CostSettings, Money, PatternUse, Stored, Usage, bill};
use crate::pattern::{Heat, PatternStatus};

/// A pattern on one of the sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSide {
    /// Its number there, from 1.
    pub number: u32,
    /// How it is served.
    pub status: PatternStatus,
    /// `Query · base table`.
    pub how: String,
    /// Items returned or written.
    pub n_items: u64,
    /// Requests it takes.
    pub n_requests: u64,
    /// Units of reads, of writes to tables, of writes to indexes.
    pub units: [CapacityUnits; 3],
    /// What it costs a month.
    pub cost: Money,
}

/// A pattern on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternPair {
    /// The question.
    pub words: String,
    /// A, then B; none where that side does not ask it.
    pub sides: [Option<PairSide>; 2],
}

impl PatternPair {
    /// True if neither units, nor status, nor requests differ.
    pub fn is_same(&self) -> bool {
        match &self.sides {
            [Some(a), Some(b)] => {
                (a.status, a.units, a.n_items, a.n_requests, a.cost)
                    == (b.status, b.units, b.n_items, b.n_requests, b.cost)
            }
            _ => false,
        }
    }
}

/// A table or index on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizePair {
    /// The table.
    pub table: String,
    /// The index; empty for the base table.
    pub index: String,
    /// What lies there; none where that side does not have it.
    pub sides: [Option<Stored>; 2],
}

/// The hottest key of a table or index on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatPair {
    /// The table or index.
    pub place: String,
    /// True for write units.
    pub is_write: bool,
    /// The key and the load that all patterns together bring to it.
    pub sides: [Option<Heat>; 2],
}

/// Two designs under the same questions and rates.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The bills.
    pub bills: [Bill; 2],
    /// The patterns, those that differ first.
    pub patterns: Vec<PatternPair>,
    /// Tables and indexes, those that differ first.
    pub sizes: Vec<SizePair>,
    /// Hottest keys, the hottest first.
    pub heat: Vec<HeatPair>,
}

impl Comparison {
    /// Compares B with A. A pattern that both have is asked as often as A says.
    pub fn of(a: &Side, b: &Side, settings: [&CostSettings; 2]) -> Self {
        let mut usages = [a, b].map(Side::usage);
        let [of_a, of_b] = &mut usages;
        for pattern in &mut of_b.patterns {
            if let Some(same) = of_a.patterns.iter().find(|it| it.name == pattern.name) {
                pattern.rate = same.rate;
            }
        }
        let bills = [bill(&usages[0], settings[0]), bill(&usages[1], settings[1])];
        Self {
            patterns: pattern_pairs([a, b], &usages, &bills),
            sizes: size_pairs(a, b),
            heat: heat_pairs(a, b),
            bills,
        }
    }

    /// The sums of the bills.
    pub fn totals(&self) -> [Money; 2] {
        [self.bills[0].total(), self.bills[1].total()]
    }

    /// How many patterns each side serves well: by key, and no key too hot.
    pub fn n_served_well(&self) -> [usize; 2] {
        [0, 1].map(|side| {
            let sides = self.patterns.iter().filter_map(|pair| pair.sides[side].as_ref());
            sides.filter(|it| it.status == PatternStatus::ByKey).count()
        })
    }
}

fn pattern_pairs(sides: [&Side; 2], usages: &[Usage; 2], bills: &[Bill; 2]) -> Vec<PatternPair> {
    let told = |side: usize| -> Vec<(String, PairSide)> {
        let costs = bills[side].by_pattern(usages[side].patterns.len());
        let rows = sides[side].patterns.iter().zip(&costs).zip(1..);
        rows.map(|((pattern, cost), number)| {
            let told = PairSide {
                number,
                status: pattern.status,
                how: pattern.how.clone(),
                n_items: pattern.n_items,
                n_requests: pattern.n_requests,
                units: PatternUse::units(&pattern.usage),
                cost: cost.total(),
            };
            (pattern.usage.name.clone(), told)
        })
        .collect()
    };
    let (of_a, mut of_b) = (told(0), told(1));
    let mut pairs: Vec<PatternPair> = Vec::new();
    for (words, a) in of_a {
        let same = of_b.iter().position(|(it, _)| *it == words);
        let b = same.map(|at| of_b.remove(at).1);
        pairs.push(PatternPair { words, sides: [Some(a), b] });
    }
    pairs.extend(of_b.into_iter().map(|(words, b)| PatternPair { words, sides: [None, Some(b)] }));
    different_first(pairs, PatternPair::is_same)
}

fn size_pairs(a: &Side, b: &Side) -> Vec<SizePair> {
    let mut pairs: Vec<SizePair> = Vec::new();
    for (side, it) in [a, b].into_iter().enumerate() {
        for table in &it.tables {
            for part in &table.parts {
                let known = pairs
                    .iter()
                    .position(|pair| pair.table == table.table && pair.index == part.index);
                let at = known.unwrap_or_else(|| {
                    pairs.push(SizePair {
                        table: table.table.clone(),
                        index: part.index.clone(),
                        sides: [None, None],
                    });
                    pairs.len() - 1
                });
                pairs[at].sides[side] = Some(part.clone());
            }
        }
    }
    different_first(pairs, |pair| pair.sides[0] == pair.sides[1])
}

fn heat_pairs(a: &Side, b: &Side) -> Vec<HeatPair> {
    let mut pairs: Vec<HeatPair> = Vec::new();
    for (side, it) in [a, b].into_iter().enumerate() {
        for heat in it.hottest() {
            let place = match &heat.index {
                Some(index) => format!("{}.{index}", heat.table),
                None => heat.table.to_string(),
            };
            let known =
                pairs.iter().position(|pair| pair.place == place && pair.is_write == heat.is_write);
            let at = known.unwrap_or_else(|| {
                let is_write = heat.is_write;
                pairs.push(HeatPair { place, is_write, sides: [None, None] });
                pairs.len() - 1
            });
            pairs[at].sides[side] = Some(heat);
        }
    }
    let hottest =
        |pair: &HeatPair| pair.sides.iter().flatten().map(Heat::load).fold(0.0_f64, f64::max);
    pairs.sort_by(|one, other| hottest(other).total_cmp(&hottest(one)));
    pairs
}

/// The same rows, those that differ before those that do not, otherwise in their order.
fn different_first<T>(rows: Vec<T>, is_same: impl Fn(&T) -> bool) -> Vec<T> {
    let (same, mut different): (Vec<T>, Vec<T>) = rows.into_iter().partition(is_same);
    different.extend(same);
    different
}
