//! What a change of design or data made of the patterns: `Pattern 4: 2 → 37 RCU.`
//!
//! Invariant: a pattern is the same before and after if its words are, or else its number and operation; patterns of which nothing shown differs are
//! not listed.

use super::expect::TestResult;
use super::result::PatternResult;
use crate::words;

/// One pattern that is different now.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternChange {
    /// Its number now, or before if it is gone.
    pub number: u32,
    /// The question in words.
    pub words: String,
    /// What it was; none if it is new.
    pub before: Option<PatternResult>,
    /// What it is; none if it is gone.
    pub after: Option<PatternResult>,
    /// One sentence, such as `Pattern 4: 2 → 37 RCU, was served by key, needs a Scan.`
    pub sentence: String,
}

/// Lists what differs between two runs, in the order of numbers now; patterns that are gone come last.
pub fn changes(before: &[PatternResult], after: &[PatternResult]) -> Vec<PatternChange> {
    let mut old: Vec<&PatternResult> = before.iter().collect();
    let mut list = Vec::new();
    for now in after {
        let same = old
            .iter()
            .position(|was| was.words == now.words)
            // A pattern that was only given other words keeps its number.
            .or_else(|| {
                let is_renamed = |was: &&PatternResult| {
                    was.number == now.number
                        && was.operation == now.operation
                        && after.iter().all(|it| it.words != was.words)
                };
                old.iter().position(is_renamed)
            });
        let was = same.map(|at| old.remove(at));
        let sentence = match was {
            None => Some(format!("is new: {}, {}", now.units_text(), now.status().words())),
            Some(was) => difference(was, now),
        };
        if let Some(sentence) = sentence {
            list.push(PatternChange {
                number: now.number,
                words: now.words.clone(),
                before: was.cloned(),
                after: Some(now.clone()),
                sentence: sentence_of(now.number, &sentence),
            });
        }
    }
    list.extend(old.into_iter().map(|gone| PatternChange {
        number: gone.number,
        words: gone.words.clone(),
        before: Some(gone.clone()),
        after: None,
        sentence: sentence_of(gone.number, "is gone"),
    }));
    list
}

fn sentence_of(number: u32, difference: &str) -> String {
    let colon = if difference.starts_with("is ") { "" } else { ":" };
    format!("Pattern {number}{colon} {difference}.")
}

/// What differs, in words; none if nothing shown does.
fn difference(was: &PatternResult, now: &PatternResult) -> Option<String> {
    let mut parts = Vec::new();
    if was.total_units() != now.total_units() || was.is_write != now.is_write {
        let from = if was.is_write == now.is_write {
            words::units_number(was.total_units())
        } else {
            was.units_text()
        };
        parts.push(format!("{from} → {}", now.units_text()));
    }
    if was.n_items() != now.n_items() {
        let (from, to) = (words::count(was.n_items()), words::counted(now.n_items(), "item"));
        parts.push(format!("{from} → {to}"));
    }
    if was.status() != now.status() {
        parts.push(format!("was {}, now {}", was.status().words(), now.status().words()));
    }
    let is_failed = |result: &PatternResult| matches!(result.test, TestResult::Failed(_));
    match (is_failed(was), is_failed(now)) {
        (false, true) => parts.push("its test fails now".to_owned()),
        (true, false) => parts.push("its test passes now".to_owned()),
        _ => {}
    }
    if parts.is_empty() && was.shape.place() != now.shape.place() {
        parts.push(format!("reads {} instead of {}", now.shape.place(), was.shape.place()));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}
