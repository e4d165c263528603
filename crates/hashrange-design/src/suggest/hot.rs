//! What helps a key that gets more than a partition takes: more keys, or cheaper reads.
//!
//! Source: facts 9, write sharding: a suffix spreads one key over several; reading all of it then takes as many
//! Queries.

use hashrange_types::CapacityUnits;

use super::Suggestion;
use crate::pattern::{Heat, PatternResult};
use crate::words::{GAP, counted, rate, unit_name};

/// Of what one key takes, so much is planned with: the rest is room for unevenness.
const PLANNED_LOAD: f64 = 0.7;

/// Ways to cool the pattern's hottest key.
pub(super) fn suggestions(result: &PatternResult) -> Vec<Suggestion> {
    let Some(heat) = result.hottest() else { return Vec::new() };
    let mut sentences = Vec::new();
    let is_halved = !heat.is_write && result.shape.is_consistent && heat.load() <= 2.0;
    if is_halved {
        sentences.push((
            CapacityUnits::halves(result.total_units().as_halves() / 2),
            format!(
                "Eventually consistent reads take half: {}{GAP}RCU a second on {}.",
                rate(heat.units_per_second / 2.0),
                heat.key
            ),
        ));
    }
    sentences.push((result.total_units(), sharded(heat)));
    sentences
        .into_iter()
        .map(|(units_then, sentence)| Suggestion {
            pattern: result.number,
            index: None,
            is_there: false,
            needs_attribute: None,
            units_now: result.total_units(),
            units_then,
            write_units: 0.0,
            is_rated: false,
            storage_bytes: 0,
            pays_from: None,
            pays_now: None,
            sentence,
            fix: None,
        })
        .collect()
}

fn sharded(heat: &Heat) -> String {
    let mut n_keys: u32 = 2;
    while heat.load() / f64::from(n_keys) > PLANNED_LOAD && n_keys < 100_000 {
        n_keys += 1;
    }
    let spread = rate(heat.units_per_second / f64::from(n_keys));
    format!(
        "A suffix spreads {} over {}, such as {}#0 to {}#{}: {spread}{GAP}{} a second on each. Reading all of it then \
         takes {}.",
        heat.key,
        counted(u64::from(n_keys), "key"),
        heat.key,
        heat.key,
        n_keys - 1,
        unit_name(heat.is_write),
        if n_keys == 2 { "two Queries".to_owned() } else { format!("{n_keys} Queries") },
    )
}
