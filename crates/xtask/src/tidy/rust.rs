//! Rules on one Rust file: its head, its length, its name, and what must not be in it.

use super::scan::{code, test_lines};
use super::{Finding, Source};

/// Most lines of a file, its `#[cfg(test)]` modules not counted.
const FILE_LINES_MAX: usize = 600;
/// Words that name no noun of the problem, so a file of that name has no edges.
const BANNED_WORDS: [&str; 13] = [
    "manager",
    "managers",
    "helper",
    "helpers",
    "util",
    "utils",
    "handler",
    "handlers",
    "processor",
    "service",
    "data",
    "info",
    "misc",
];
/// Code that says it is unfinished, or a test that says it does not count.
const UNFINISHED: [&str; 4] = ["todo!(", "unimplemented!(", "#[ignore", "dbg!("];
/// Comments that say it.
const UNFINISHED_COMMENTS: [&str; 2] = ["TODO", "FIXME"];
/// Crates without clock, chance, input, output or hidden order.
const PURE_CRATES: [&str; 7] = [
    "hashrange-types",
    "hashrange-wire",
    "hashrange-expressions",
    "hashrange-storage",
    "hashrange-engine",
    "hashrange-design",
    "hashrange-playground",
];

/// Checks every rule that needs this file alone.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let code = code(&source.text);
    let mut findings = unfinished(source, &code);
    findings.extend(name(source));
    if source.path.starts_with("crates/") && source.path.contains("/src/") {
        findings.extend(head(source));
        findings.extend(length(source, &code));
        findings.extend(purity(source, &code));
    }
    findings
}

fn head(source: &Source) -> Option<Finding> {
    let has_head = source.text.starts_with("//!");
    (!has_head).then(|| Finding::at(source, 0, "a file starts with `//!` and what it owns"))
}

fn length(source: &Source, code: &str) -> Option<Finding> {
    let n_lines = test_lines(code).iter().filter(|is_test| !**is_test).count();
    (n_lines > FILE_LINES_MAX).then(|| {
        let message = format!("{n_lines} lines without tests; {FILE_LINES_MAX} is the ceiling");
        Finding::at(source, FILE_LINES_MAX, message)
    })
}

fn name(source: &Source) -> Option<Finding> {
    let stem = source.path.rsplit('/').next()?.strip_suffix(".rs")?;
    let mut words = stem.split('_');
    let word = words.clone().find(|word| BANNED_WORDS.contains(word));
    if let Some(word) = word {
        let message = format!("`{word}` in a file name says nothing: name the noun it owns");
        return Some(Finding::at(source, 0, message));
    }
    let is_filler = words.next() == Some("do") || words.next_back() == Some("impl");
    is_filler.then(|| Finding::at(source, 0, "`do_` and `_impl` in a file name say nothing"))
}

fn unfinished(source: &Source, code: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line_index, (line, text)) in code.lines().zip(source.text.lines()).enumerate() {
        for word in UNFINISHED.iter().filter(|word| line.contains(**word)) {
            findings.push(Finding::at(
                source,
                line_index,
                format!("`{word}` stays out of commits"),
            ));
        }
        let comment = text.split_once("//").map_or("", |(_, comment)| comment);
        let is_code = line.trim_end().len() == text.trim_end().len();
        for word in UNFINISHED_COMMENTS.iter().filter(|word| !is_code && comment.contains(**word)) {
            findings.push(Finding::at(source, line_index, format!("`{word}` belongs in an issue")));
        }
    }
    findings
}

fn purity(source: &Source, code: &str) -> Option<Finding> {
    let is_pure = PURE_CRATES.iter().any(|name| source.path == format!("crates/{name}/src/lib.rs"));
    let wanted = ["#![deny(", "clippy::disallowed_methods", "clippy::disallowed_types"];
    let is_denied = wanted.iter().all(|part| code.contains(part));
    (is_pure && !is_denied).then(|| {
        Finding::at(
            source,
            0,
            "a pure crate says #![deny(clippy::disallowed_methods, clippy::disallowed_types)]",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::source;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check(&source(path, text)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_source_file_without_a_head_is_found_and_a_test_needs_none() {
        assert_eq!(findings("crates/a/src/b.rs", "use x;").len(), 1);
        assert_eq!(findings("crates/a/src/b.rs", "//! Owns b.").len(), 0);
        assert_eq!(findings("crates/a/tests/b.rs", "use x;").len(), 0);
    }

    #[test]
    fn only_lines_outside_tests_count_towards_the_ceiling() {
        let head = "//! Owns b.\n";
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    a();\n".repeat(700));
        assert_eq!(findings("crates/a/src/b.rs", &format!("{head}{tests}")).len(), 0);
        let long = format!("{head}{}", "const A: u8 = 1;\n".repeat(600));
        assert_eq!(
            findings("crates/a/src/b.rs", &long),
            ["crates/a/src/b.rs:601: 601 lines without tests; 600 is the ceiling"]
        );
    }

    #[test]
    fn a_banned_word_is_found_as_a_word_and_not_as_a_part_of_one() {
        assert_eq!(findings("crates/a/src/table_helpers.rs", "//! x").len(), 1);
        assert_eq!(findings("crates/a/src/do_put.rs", "//! x").len(), 1);
        assert_eq!(findings("crates/a/src/put_impl.rs", "//! x").len(), 1);
        assert_eq!(findings("crates/a/src/database.rs", "//! x").len(), 0);
    }

    #[test]
    fn unfinished_code_is_found_but_not_in_a_string() {
        let text = "//! x\nfn a() { todo!() }\nconst B: &str = \"todo!() // TODO\";\n// TODO: b\n";
        assert_eq!(
            findings("crates/a/src/b.rs", text),
            [
                "crates/a/src/b.rs:2: `todo!(` stays out of commits",
                "crates/a/src/b.rs:4: `TODO` belongs in an issue"
            ]
        );
    }

    #[test]
    fn a_pure_crate_has_to_turn_the_bans_on() {
        let path = "crates/hashrange-types/src/lib.rs";
        assert_eq!(findings(path, "//! Types.").len(), 1);
        let text = "//! Types.\n#![deny(clippy::disallowed_methods, clippy::disallowed_types)]\n";
        assert_eq!(findings(path, text).len(), 0);
        assert_eq!(findings("crates/hashrange-ui/src/lib.rs", "//! Page.").len(), 0);
    }
}
