//! `cargo xtask tidy`: the house rules that rustc, clippy and rustfmt do not know.
//!
//! Invariant: a rule is a pure function from source files to findings, and each finding names the
//! file and line, so that every rule is tested on small texts.
//!
//! Not here: which crate may depend on which (`tests/suites/layers.rs`).

mod functions;
mod panels;
mod rust;
mod scan;
mod styles;

use std::fmt;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::page;
use crate::project::{Project, read};

/// Functions that were too long when the rule came; the list may only shrink.
const BASELINE: &str = "crates/xtask/tidy-baseline.txt";
/// Folders with sources the rules look at.
const FOLDERS: [&str; 5] = ["crates", "tests", "web/styles", "web/npm", "playground-examples"];
/// Folders that hold what was built or fetched.
const FOREIGN: [&str; 4] = ["node_modules", "pkg", "target", "shots"];

/// A text file of the project.
pub(crate) struct Source {
    /// Path from the root, with `/` between its parts.
    pub(crate) path: String,
    /// All of its text.
    pub(crate) text: String,
}

impl Source {
    /// What stands after the last dot of its name.
    pub(crate) fn ending(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, ending)| ending)
    }
}

/// A broken rule and where it is broken.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    /// A finding in line `line_index`, counted from zero.
    pub(crate) fn at(source: &Source, line_index: usize, message: impl Into<String>) -> Self {
        Self { path: source.path.clone(), line: line_index + 1, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Checks every rule and prints what breaks one.
///
/// # Errors
///
/// Something does, or a file can't be read.
pub(crate) fn run(project: &Project) -> Outcome {
    let mut sources = Vec::new();
    for folder in FOLDERS {
        let path = project.root.join(folder);
        if path.is_dir() {
            gather(&project.root, &path, &mut sources)?;
        }
    }
    let baseline_path = project.root.join(BASELINE);
    let baseline = if baseline_path.is_file() { read(&baseline_path)? } else { String::new() };
    let mut findings = check(&sources, &baseline);
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("{} files are tidy", sources.len());
            Ok(())
        }
        1 => Err(Failure::new("one house rule is broken: see above")),
        count => Err(Failure::new(format!("house rules are broken in {count} places: see above"))),
    }
}

fn check(sources: &[Source], baseline: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        match source.ending() {
            "rs" => findings.extend(rust::check(source)),
            "css" => findings.extend(styles::colours(source)),
            "md" if source.path.starts_with("tests/spec/") => findings.extend(title(source)),
            _ => {}
        }
    }
    findings.extend(functions::ratchet(sources, baseline));
    findings.extend(panels::trios(sources));
    findings
}

/// A page of the specification starts with its title.
fn title(source: &Source) -> Option<Finding> {
    let has_title = source.text.starts_with("# ");
    (!has_title).then(|| Finding::at(source, 0, "a spec page starts with `# ` and its title"))
}

fn gather(root: &Path, folder: &Path, sources: &mut Vec<Source>) -> Outcome {
    for path in page::entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !FOREIGN.contains(&name.as_str()) {
                gather(root, &path, sources)?;
            }
            continue;
        }
        // What is not UTF-8 is a picture or a module, and no rule speaks of those.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let below = path.strip_prefix(root).expect("the walk starts at the root");
        sources.push(Source { path: below.to_string_lossy().replace('\\', "/"), text });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of that path and text.
    pub(crate) fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_finding_prints_as_file_line_and_message() {
        let finding = Finding::at(&source("a/b.rs", ""), 4, "is wrong");
        assert_eq!(finding.to_string(), "a/b.rs:5: is wrong");
    }

    #[test]
    fn a_spec_page_without_a_title_is_found() {
        let pages = [
            source("tests/spec/get_item.md", "# GetItem\n"),
            source("tests/spec/put_item.md", "PutItem\n"),
            source("tests/spec/setup.json", "{}"),
        ];
        let findings = check(&pages, "");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "tests/spec/put_item.md");
    }
}
