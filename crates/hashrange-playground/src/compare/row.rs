//! The rows of patterns: units as bars on one scale, what changed and why.
//!
//! Invariant: the scale is the same for all rows and both sides; what does not fit is drawn broken.

use std::cmp::Ordering;

use hashrange_design::compare::{PairSide, PatternPair};
use hashrange_types::CapacityUnits;

use super::view::{CompareCell, CompareRow};
use crate::cost::text;
use crate::format;

/// Width of the widest bar, in tenths.
const BAR_TENTHS: u64 = 1_000;
/// A bar beyond this many times the median is cut off.
const BROKEN_FROM: u64 = 16;

/// The rows, in the order of the pairs.
pub(super) fn rows(pairs: &[PatternPair]) -> Vec<CompareRow> {
    let scale = scale(pairs);
    pairs
        .iter()
        .map(|pair| CompareRow {
            words: pair.words.clone(),
            is_same: pair.is_same(),
            sides: pair.sides.each_ref().map(|side| side.as_ref().map(|side| cell(side, scale))),
            change: match &pair.sides {
                _ if pair.is_same() => "same".to_owned(),
                [Some(a), Some(b)] => text::change(a.cost, b.cost),
                [None, Some(b)] => text::change(hashrange_design::cost::Money::ZERO, b.cost),
                [Some(a), None] => text::change(a.cost, hashrange_design::cost::Money::ZERO),
                [None, None] => String::new(),
            },
            why: match &pair.sides {
                _ if pair.is_same() => String::new(),
                [Some(a), Some(b)] => why(a, b),
                [None, _] => "asked in B alone".to_owned(),
                [_, None] => "asked in A alone".to_owned(),
            },
        })
        .collect()
}

/// `pattern 4: 3.5 RCU → 0.5 RCU`.
pub(super) fn consequence(a: &PairSide, b: &PairSide) -> String {
    let (from, to) = (units(a.units), units(b.units));
    if from == to {
        format!("pattern {}: {}", a.number, why(a, b))
    } else {
        format!("pattern {}: {from} → {to}", a.number)
    }
}

/// Less if B is better: served better, then with fewer units, then with fewer requests.
pub(super) fn judge(a: &PairSide, b: &PairSide) -> Ordering {
    let sum = |it: &PairSide| -> CapacityUnits { it.units.iter().copied().sum() };
    b.cost
        .cmp(&a.cost)
        .then_with(|| sum(b).cmp(&sum(a)))
        .then_with(|| b.status.cmp(&a.status))
        .then_with(|| b.n_requests.cmp(&a.n_requests))
}

/// Why they differ, in a few words.
fn why(a: &PairSide, b: &PairSide) -> String {
    if a.status != b.status {
        return format!("{}, was {}", b.status.words(), a.status.words());
    }
    if a.n_requests != b.n_requests {
        let requests = format::counted(b.n_requests, "request");
        return format!("{requests}, not {}", format::count(a.n_requests));
    }
    if a.units[2] != b.units[2] {
        let less = if b.units[2] < a.units[2] { "less" } else { "more" };
        return format!("{less} in indexes");
    }
    if a.how == b.how { "other units".to_owned() } else { b.how.clone() }
}

fn cell(side: &PairSide, scale: u64) -> CompareCell {
    let [reads, table, indexes] = side.units.map(CapacityUnits::as_halves);
    let first = width(reads + table, scale);
    let second = width(indexes, scale);
    let whole = first + second;
    let shown = whole.min(BAR_TENTHS);
    // A bar that is cut off keeps the proportion of its parts.
    let first = (first * shown).checked_div(whole).unwrap_or(0);
    CompareCell {
        number: side.number,
        glyph: side.status.glyph(),
        status: side.status.words(),
        how: side.how.clone(),
        units: units(side.units),
        bar: [first, shown - first]
            .map(|tenths| f32::from(u16::try_from(tenths).unwrap_or(0)) / 10.0),
        is_bar_broken: whole > BAR_TENTHS,
        month: text::dollars(side.cost),
    }
}

fn width(halves: u64, scale: u64) -> u64 {
    halves.saturating_mul(BAR_TENTHS).checked_div(scale).unwrap_or(0)
}

/// Half units that fill a bar: the most there is, unless that would leave the others nothing to see.
fn scale(pairs: &[PatternPair]) -> u64 {
    let sides = pairs.iter().flat_map(|pair| pair.sides.iter().flatten());
    let mut all: Vec<u64> =
        sides.map(|side| side.units.iter().map(|it| it.as_halves()).sum()).collect();
    all.sort_unstable();
    let median = all.get(all.len() / 2).copied().unwrap_or(0).max(1);
    let most = all.iter().rev().find(|halves| **halves <= median.saturating_mul(BROKEN_FROM));
    most.copied().unwrap_or(median).max(1)
}

/// `0.5 RCU`, `3 + 1 WCU`; `nothing` where nothing is charged.
fn units(units: [CapacityUnits; 3]) -> String {
    let text = crate::cost::units_text(units);
    if text.is_empty() { "nothing".to_owned() } else { text }
}
