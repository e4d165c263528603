//! The list of patterns as a Markdown table.
//!
//! Invariant: whatever a pattern says, a row stays one row and a cell one cell.

use super::result::PatternResult;
use crate::words::{self, GAP, rate};

/// A column of the table.
type Column<'a> = (&'a str, &'a dyn Fn(&PatternResult) -> String);

/// The patterns as a Markdown table, then what is wrong with those that are not green. `cost` adds a column of dollars
/// a month.
pub fn to_markdown(
    results: &[PatternResult],
    cost: Option<&dyn Fn(&PatternResult) -> String>,
) -> String {
    let mut columns: Vec<Column<'_>> = vec![
        ("#", &|it| it.number.to_string()),
        ("Access pattern", &|it| it.words.clone()),
        ("Operation", &|it| it.operation.clone()),
        ("Table or index", &|it| it.shape.place()),
        ("Key condition", &|it| it.shape.key_condition.clone()),
        ("Filter", &|it| it.shape.filter.clone()),
        ("Consistency", &|it| consistency(it).to_owned()),
        ("Items", &|it| words::count(it.n_items())),
        ("Units", &PatternResult::units_text),
        ("Waste", &waste),
        ("Calls/s", &|it| it.per_second.map(rate).unwrap_or_default()),
    ];
    if let Some(cost) = cost {
        columns.push(("$/month", cost));
    }
    columns.push(("Status", &|it| format!("{} {}", it.status().glyph(), it.status().words())));
    columns.push(("Test", &|it| it.test.words().to_owned()));
    let mut text = String::new();
    let mut row = |cells: &mut dyn Iterator<Item = String>| {
        for cell in cells {
            text.push_str("| ");
            text.push_str(&cell);
            text.push(' ');
        }
        text.push_str("|\n");
    };
    row(&mut columns.iter().map(|(title, _)| (*title).to_owned()));
    row(&mut columns.iter().map(|_| "---".to_owned()));
    for result in results {
        row(&mut columns.iter().map(|(_, of)| cell(&of(result))));
    }
    let mut failing = results.iter().filter(|it| !it.is_green()).peekable();
    if failing.peek().is_some() {
        text.push('\n');
    }
    for result in failing {
        let mut reason = result.reason();
        if let super::TestResult::Failed(sentences) = &result.test {
            for sentence in sentences {
                reason.push(' ');
                reason.push_str(sentence);
            }
        }
        for part in ["- ", &result.number.to_string(), ": ", &cell(&reason), "\n"] {
            text.push_str(part);
        }
    }
    text
}

fn consistency(result: &PatternResult) -> &'static str {
    match (result.is_write, result.shape.is_consistent) {
        (true, _) => "",
        (false, true) => "strong",
        (false, false) => "eventual",
    }
}

fn waste(result: &PatternResult) -> String {
    match result.waste_bytes() {
        0 => String::new(),
        bytes => words::percent(bytes, result.bytes_read()),
    }
}

/// A text that cannot end its cell or its row, nor be taken for markup.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for character in text.chars() {
        match character {
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' => {
                cell.push('\\');
                cell.push(character);
            }
            GAP => cell.push(' '),
            it if it.is_control() => cell.push(' '),
            it => cell.push(it),
        }
    }
    cell
}
