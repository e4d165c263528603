//! `cargo xtask cases`: the case bank of `tests/cases` against the native server.
//!
//! Not here: what a case says and how it is matched (`tests/cases/README.md`).

use std::path::{Path, PathBuf};

use clap::Args;
use xshell::cmd;

use crate::endpoint::Endpoint;
use crate::failure::{Failure, Outcome};
use crate::page;
use crate::project::Project;

/// Where the cases and their runner are.
const FOLDER: &str = "tests/cases";

/// Options of `cargo xtask cases`.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// Case numbers such as 035; without any, all cases
    cases: Vec<String>,
    /// Run against this address instead of a server that is built and started for it
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// Run the cases of this topic only
    #[arg(long)]
    only: Option<String>,
    /// Print every answer
    #[arg(long)]
    verbose: bool,
}

/// Builds the server, starts it on a free port, runs the cases and stops it.
///
/// # Errors
///
/// The server doesn't build or start, no case has such a number, or a case failed.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    let files = chosen(page::entries(&project.root.join(FOLDER))?, &options.cases)?;
    let started = match options.endpoint {
        Some(_) => None,
        None => Some(Endpoint::native(project, &[])?),
    };
    let endpoint = options.endpoint.as_ref().or(started.as_ref().map(|started| &started.address));
    let endpoint = endpoint.expect("without an address of the options a server was started");
    let runner = project.root.join(FOLDER).join("run.mjs");
    cmd!(project.shell, "node {runner} {endpoint} {files...}")
        .args(options.only.iter().flat_map(|topic| ["--only", topic]))
        .args(options.verbose.then_some("--verbose"))
        .quiet()
        .run()
        .map_err(|_| Failure::new("a case failed: see above"))
}

/// The case files among `entries` that have one of these numbers.
fn chosen(entries: Vec<PathBuf>, numbers: &[String]) -> Outcome<Vec<PathBuf>> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = entries;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    if numbers.is_empty() {
        return Ok(files);
    }
    let is_number = |file: &str, number: &str| {
        file.strip_prefix(number).is_some_and(|rest| rest.starts_with('-'))
    };
    let is_known = |number: &&String| files.iter().any(|path| is_number(&name(path), number));
    if let Some(number) = numbers.iter().find(|number| !is_known(number)) {
        return Err(Failure::new(format!("there is no case {number} in {FOLDER}")));
    }
    files.retain(|path| numbers.iter().any(|number| is_number(&name(path), number)));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(numbers: &[&str]) -> Outcome<Vec<PathBuf>> {
        let entries = ["035-a.json", "036-b.json", "README.md", "run.mjs"].map(PathBuf::from);
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        chosen(entries.to_vec(), &numbers)
    }

    #[test]
    fn cases_are_chosen_by_their_whole_number() {
        assert_eq!(files(&[]).unwrap().len(), 2);
        assert_eq!(files(&["036"]).unwrap(), [PathBuf::from("036-b.json")]);
        assert_eq!(files(&["03"]).unwrap_err().to_string(), "there is no case 03 in tests/cases");
    }
}
