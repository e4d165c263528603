//! Runs the pages of `tests/spec` against the native engine: every heading is a test.
//!
//! `SPEC_UPDATE=1` in the environment rewrites the responses; read the difference before
//! committing it. A page's name as an argument runs that page alone.
//!
//! Each operation has a page of its own, named after it, and a line in the index `README.md`; `wording.md` is about
//! all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use hashrange_tests::spec;
use hashrange_tests::world::World;
use hashrange_types::Operation;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let wanted = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    let is_update = std::env::var_os("SPEC_UPDATE").is_some();
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("tests/spec is part of the checkout")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    let (mut n_passed, mut n_failed) = (0, 0);
    for gap in gaps(&folder) {
        n_failed += 1;
        report(&gap, false);
    }
    for path in pages {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if wanted.as_ref().is_some_and(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let page = std::fs::read_to_string(&path).expect("a page is readable text");
        let mut answers = BTreeMap::new();
        match spec::parse(&page) {
            Err(problem) => {
                n_failed += 1;
                report(&format!("{name}: {problem}"), false);
            }
            Ok(cases) => {
                for case in cases.iter().filter(|case| !case.steps.is_empty()) {
                    let mut world = World::default();
                    let result = spec::run(case, &mut |o, t| world.answer(o, t), &mut answers);
                    let is_ok = result.is_ok();
                    report(&format!("{name}: {}", case.title), is_ok);
                    if let Err(difference) = result {
                        report(&difference, false);
                    }
                    if is_ok { n_passed += 1 } else { n_failed += 1 }
                }
            }
        }
        if is_update {
            std::fs::write(&path, spec::rewritten(&page, &answers))
                .expect("a page can be rewritten");
        }
    }
    let word = if n_failed == 0 { "ok" } else { "FAILED" };
    eprintln!(
        "\ntest result: {word}. {n_passed} passed; {n_failed} failed; 0 ignored; 0 measured; 0 filtered out\n"
    );
    if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is missing or too much, in sentences: pages of operations and lines of the index.
fn gaps(folder: &Path) -> Vec<String> {
    let index = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    let mut left: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("tests/spec is part of the checkout")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| name != "README.md" && name != "wording.md")
        .collect();
    let mut gaps = Vec::new();
    for operation in Operation::ALL {
        let name = operation.name();
        let file = file_of(name);
        let page = std::fs::read_to_string(folder.join(&file)).unwrap_or_default();
        let asks = spec::parse(&page).is_ok_and(|cases| {
            let steps = cases.iter().flat_map(|case| &case.steps);
            steps.into_iter().any(
                |step| matches!(step, spec::Step::Request { operation, .. } if operation == name),
            )
        });
        if !left.remove(&file) {
            gaps.push(format!("{name} has no page {file}"));
        } else if page.lines().next() != Some(&*format!("# {name}")) || !asks {
            gaps.push(format!("{file} is not titled {name} or never asks it"));
        }
        if !index.contains(&format!("[{name}]({file})")) {
            gaps.push(format!("README.md does not link {name} to {file}"));
        }
    }
    gaps.extend(left.iter().map(|file| format!("{file} is the page of no operation")));
    gaps
}

/// `list_tables.md` for `ListTables`.
fn file_of(operation: &str) -> String {
    let mut file = String::new();
    for character in operation.chars() {
        if character.is_uppercase() && !file.is_empty() {
            file.push('_');
        }
        file.extend(character.to_lowercase());
    }
    file + ".md"
}

fn report(line: &str, is_ok: bool) {
    eprintln!("test {line} ... {}", if is_ok { "ok" } else { "FAILED" });
}
