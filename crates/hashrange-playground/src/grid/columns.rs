//! Which attributes of a run of items become columns, and in what order.
//!
//! Invariant: at most [`COLUMNS_MAX`] columns; where attributes are left out, the last name says how many.

use hashrange_types::{AttributeValue, Item, sorted};

use crate::view::GridColumn;

/// Most columns under one heading.
pub(crate) const COLUMNS_MAX: usize = 5;

/// A text longer than this says little in a narrow cell, so other attributes come first.
const LONG_TEXT_BYTES: usize = 64;

/// An attribute met in the first items of a run.
struct Candidate<'a> {
    name: &'a str,
    rank: u8,
    n_numbers: usize,
    n_values: usize,
}

/// Columns for items that look like these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    /// Attribute names.
    names: Vec<String>,
    /// What is shown above them.
    pub(crate) heading: Vec<GridColumn>,
}

impl Columns {
    /// The best columns for `items`: `preferred` attributes, then short scalars, long texts and documents;
    /// shown in the order in which the items name them. `hidden` attributes are shown elsewhere.
    pub(crate) fn of<'a>(
        items: impl Iterator<Item = &'a Item>,
        is_hidden: impl Fn(&str) -> bool,
        is_preferred: impl Fn(&str) -> bool,
        columns_max: usize,
    ) -> Self {
        let mut candidates: Vec<Candidate<'a>> = Vec::new();
        for item in items {
            let mut after = 0;
            for (name, value) in item {
                let name = name.as_str();
                if is_hidden(name) {
                    continue;
                }
                let known = candidates.iter().position(|candidate| candidate.name == name);
                let at = known.unwrap_or_else(|| {
                    let new = Candidate { name, rank: 0, n_numbers: 0, n_values: 0 };
                    candidates.insert(after, new);
                    after
                });
                let candidate = &mut candidates[at];
                candidate.rank = candidate.rank.max(rank(value));
                candidate.n_numbers += usize::from(matches!(value, AttributeValue::N(_)));
                candidate.n_values += 1;
                after = at + 1;
            }
        }
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        let rank = |at: usize| {
            let candidate = &candidates[at];
            if is_preferred(candidate.name) { 0 } else { candidate.rank }
        };
        sorted::sort_by(&mut order, |a, b| rank(*a).cmp(&rank(*b)));
        let mut kept: Vec<usize> = order.into_iter().take(columns_max).collect();
        sorted::sort(&mut kept);
        let n_left_out = candidates.len() - kept.len();
        let kept: Vec<&Candidate<'a>> = kept.into_iter().map(|at| &candidates[at]).collect();
        let last = kept.len().saturating_sub(1);
        Self {
            names: kept.iter().map(|candidate| candidate.name.to_owned()).collect(),
            heading: kept
                .iter()
                .enumerate()
                .map(|(at, candidate)| GridColumn {
                    name: if at == last && n_left_out > 0 {
                        format!("{} +{n_left_out}", candidate.name)
                    } else {
                        candidate.name.to_owned()
                    },
                    attribute: candidate.name.to_owned(),
                    is_number: candidate.n_numbers == candidate.n_values,
                })
                .collect(),
        }
    }

    /// An item's values in the order of the columns; empty where it has none.
    pub(crate) fn cells(&self, item: &Item) -> Vec<String> {
        self.names
            .iter()
            .map(|name| item.get(name).map(crate::format::cell).unwrap_or_default())
            .collect()
    }
}

/// The higher, the later an attribute is chosen.
fn rank(value: &AttributeValue) -> u8 {
    match value {
        AttributeValue::S(text) if text.len() > LONG_TEXT_BYTES => 2,
        AttributeValue::L(_) | AttributeValue::M(_) | AttributeValue::B(_) => 3,
        _ => 1,
    }
}
