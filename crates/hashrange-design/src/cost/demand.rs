//! Demand: units a month by table, index and kind, and which pattern asks for them.
//!
//! Invariant: the amounts of a resource are the sum of its patterns' amounts, to the last thousandth of a half
//! unit.
//!
//! Not here: what they cost ([`super::bill`]).

use super::money::MONTH_SECONDS;
use super::settings::CostSettings;
use super::usage::Usage;

/// Thousandths of half units in one unit.
pub(crate) const PARTS: u128 = 2_000;

/// Units of one kind that one table or index is asked for in a month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    /// Thousandths of half units a month.
    pub(crate) parts: u128,
    /// By pattern: its position and its parts.
    pub(crate) by_pattern: Vec<(usize, u128)>,
}

impl Amount {
    fn add(&mut self, pattern: usize, parts: u128) {
        if parts == 0 {
            return;
        }
        self.parts = self.parts.saturating_add(parts);
        match self.by_pattern.last_mut() {
            Some((last, sum)) if *last == pattern => *sum = sum.saturating_add(parts),
            _ => self.by_pattern.push((pattern, parts)),
        }
    }

    /// Units a second, rounded up, when traffic is `percent` of its average; at least one, as DynamoDB asks.
    pub(crate) const fn capacity(&self, percent: u128) -> u128 {
        let second = PARTS * MONTH_SECONDS as u128 * 100;
        let units = self.parts.saturating_mul(percent).div_ceil(second);
        if units == 0 { 1 } else { units }
    }
}

/// What is asked of one table or index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Resource {
    /// Position of the table in [`Usage::tables`].
    pub(crate) table: String,
    /// Empty for the base table.
    pub(crate) index: String,
    /// Reads, then writes.
    pub(crate) amounts: [Amount; 2],
}

/// What is asked of every table and index, tables and indexes in the order they are stored in. With
/// `folds_local`, local indexes are counted with their table, on whose capacity they draw.
pub(crate) fn demand(usage: &Usage, settings: &CostSettings, folds_local: bool) -> Vec<Resource> {
    let mut resources: Vec<Resource> = Vec::new();
    for table in &usage.tables {
        for part in table.parts.iter().filter(|part| !(folds_local && part.is_local)) {
            resources.push(Resource {
                table: table.table.clone(),
                index: part.index.clone(),
                ..Resource::default()
            });
        }
    }
    for (at, pattern) in usage.patterns.iter().enumerate() {
        let calls = u128::from(pattern.rate.thousandths_a_month());
        for it in &pattern.uses {
            let index = if folds_local && it.is_local { "" } else { it.index.as_str() };
            let known = resources
                .iter()
                .position(|resource| resource.table == it.table && resource.index == index);
            let place = known.unwrap_or_else(|| {
                resources.push(Resource {
                    table: it.table.clone(),
                    index: index.to_owned(),
                    ..Resource::default()
                });
                resources.len() - 1
            });
            let mut parts = calls.saturating_mul(it.halves(settings.copies));
            if settings.n_dax_nodes > 0 && !it.is_write && !it.is_consistent {
                let missed = u128::from(100 - settings.dax_hit_percent.min(100));
                parts = parts.saturating_mul(missed) / 100;
            }
            resources[place].amounts[usize::from(it.is_write)].add(at, parts);
        }
    }
    resources
}
