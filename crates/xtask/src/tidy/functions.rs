//! The ratchet on the length of functions.
//!
//! Invariant: a function in the baseline may only become shorter, and leaves it when it is short.

use std::collections::BTreeMap;

use super::scan::{block_end, code, test_lines};
use super::{BASELINE, Finding, Source};

/// Most lines of a function, from its `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;

/// A function that is longer than it may be.
#[derive(Debug, PartialEq, Eq)]
struct Long {
    name: String,
    line_index: usize,
    n_lines: usize,
}

/// Finds functions that are too long and not in the baseline, or longer than it allows.
///
/// A line of the baseline is `path function lines`.
pub(crate) fn ratchet(sources: &[Source], baseline: &str) -> Vec<Finding> {
    let mut allowed = parse(baseline);
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| is_measured(source)) {
        for long in long_functions(&source.text) {
            let limit = allowed.remove(&(source.path.clone(), long.name.clone()));
            if long.n_lines <= limit.unwrap_or(FUNCTION_LINES_MAX) {
                continue;
            }
            findings.push(Finding::at(
                source,
                long.line_index,
                format!(
                    "`{}` has {} lines; a function has at most {}: split it",
                    long.name,
                    long.n_lines,
                    limit.unwrap_or(FUNCTION_LINES_MAX)
                ),
            ));
        }
    }
    let list = Source { path: BASELINE.to_owned(), text: String::new() };
    findings.extend(allowed.into_keys().map(|(path, name)| {
        Finding::at(&list, 0, format!("`{name}` in {path} is short now: remove its line"))
    }));
    findings
}

fn is_measured(source: &Source) -> bool {
    source.path.starts_with("crates/") && source.path.contains("/src/") && source.ending() == "rs"
}

fn parse(baseline: &str) -> BTreeMap<(String, String), usize> {
    let rows = baseline.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (path, name, n_lines) = (words.next()?, words.next()?, words.next()?);
        Some(((path.to_owned(), name.to_owned()), n_lines.parse().ok()?))
    });
    rows.collect()
}

fn long_functions(text: &str) -> Vec<Long> {
    let code = code(text);
    let lines: Vec<&str> = code.lines().collect();
    let is_test = test_lines(&code);
    let mut long = Vec::new();
    for (line_index, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let n_lines = block_end(&lines, line_index) - line_index + 1;
        if !is_test[line_index] && n_lines > FUNCTION_LINES_MAX {
            long.push(Long { name: name.to_owned(), line_index, n_lines });
        }
    }
    long
}

/// The name a line declares a function of, if it does.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_declaration = before.split_whitespace().all(|word| {
        matches!(word, "pub" | "const" | "async" | "extern") || word.starts_with("pub(")
    });
    let end = after.find(['(', '<'])?;
    (is_declaration && end > 0).then(|| after[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::source;

    const PATH: &str = "crates/a/src/b.rs";

    fn function(name: &str, n_lines: usize) -> String {
        format!("pub(crate) fn {name}(a: u8) {{\n{}}}\n", "    call();\n".repeat(n_lines - 2))
    }

    fn findings(text: &str, baseline: &str) -> Vec<String> {
        ratchet(&[source(PATH, text)], baseline).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_function_of_seventy_lines_passes_and_one_more_does_not() {
        assert_eq!(findings(&function("short", 70), "").len(), 0);
        assert_eq!(
            findings(&function("long", 71), ""),
            ["crates/a/src/b.rs:1: `long` has 71 lines; a function has at most 70: split it"]
        );
    }

    #[test]
    fn a_long_test_and_a_long_comment_about_a_function_pass() {
        let text = format!("// fn x(\n#[cfg(test)]\nmod tests {{\n{}}}\n", function("test", 90));
        assert_eq!(findings(&text, "").len(), 0);
    }

    #[test]
    fn the_baseline_lets_a_function_shrink_but_not_grow() {
        let baseline = "crates/a/src/b.rs old 80\n";
        assert_eq!(findings(&function("old", 80), baseline).len(), 0);
        assert_eq!(findings(&function("old", 81), baseline).len(), 1);
    }

    #[test]
    fn a_baseline_line_that_is_no_longer_needed_is_found() {
        let baseline = "crates/a/src/b.rs old 80\n";
        assert_eq!(
            findings(&function("old", 60), baseline),
            ["crates/xtask/tidy-baseline.txt:1: `old` in crates/a/src/b.rs is short now: \
              remove its line"]
        );
    }
}
