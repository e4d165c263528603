//! `cargo xtask conformance`: a checkout of the public suite nubo-db/dynamodb-conformance against an endpoint of
//! this checkout.
//!
//! Invariant: nothing is fetched and nothing in the suite's folder is changed; its report is kept in the target
//! folder.
//!
//! Not here: which tests today's wording fails, and why (`tests/README.md`).

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use xshell::cmd;

use crate::endpoint::Endpoint;
use crate::failure::{Failure, Outcome};
use crate::project::{self, Project};

/// What the suite's own `package.json` calls it.
const NAME: &str = "dynamodb-conformance";

/// Options of `cargo xtask conformance`.
#[derive(Args)]
pub(crate) struct Options {
    /// Folder of a checkout of github.com/nubo-db/dynamodb-conformance in which `npm install` has run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Run against the JavaScript package in Node.js instead of the native server
    #[arg(long)]
    wasm: bool,
    /// Edition of DynamoDB's messages; the suite was verified in that of 2026-05
    #[arg(long, value_name = "EDITION", default_value = "2026-05")]
    wording: String,
}

/// Starts the endpoint, runs the suite and prints its totals.
///
/// # Errors
///
/// The folder holds no suite that could run, the endpoint doesn't start, or a test failed.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    let folder = checkout(&options.folder)?;
    let arguments = ["--delays", "short", "--wording", &options.wording];
    let endpoint = if options.wasm {
        Endpoint::in_node(project, &arguments)?
    } else {
        Endpoint::native(project, &arguments)?
    };
    println!(
        "Running the suite against {} in the wording of {} …",
        endpoint.address, options.wording
    );
    let report = project.web_build().with_file_name("conformance.json");
    let vitest = folder.join("node_modules/vitest/vitest.mjs");
    let is_run = {
        let _in_folder = project.shell.push_dir(&folder);
        cmd!(project.shell, "node {vitest} run --reporter=dot --reporter=json")
            .arg(format!("--outputFile.json={}", report.display()))
            .env("DYNAMODB_ENDPOINT", &endpoint.address)
            // A person's own settings may name another Region, or credentials that have ended.
            .envs([("AWS_REGION", "us-east-1"), ("AWS_ACCESS_KEY_ID", "conformance")])
            // This SDK tells Node.js 20 that it will want a newer one some day.
            .envs([("AWS_SECRET_ACCESS_KEY", "conformance"), ("NODE_NO_WARNINGS", "1")])
            .env_remove("AWS_SESSION_TOKEN")
            .quiet()
            .run()
            .is_ok()
    };
    let totals = Totals::read(&project::read(&report)?)
        .ok_or_else(|| Failure::new("the suite wrote no report: see above"))?;
    totals.outcome(is_run)
}

/// The folder, if the suite is in it and can run.
fn checkout(folder: &Path) -> Outcome<PathBuf> {
    let shown = folder.display();
    let folder = folder
        .canonicalize()
        .map_err(|error| Failure::file("open the suite's folder", folder, &error))?;
    let manifest = project::read(&folder.join("package.json")).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&manifest).unwrap_or_default();
    if manifest["name"] != NAME {
        return Err(Failure::new(format!(
            "{shown} is not a checkout of {NAME}: clone github.com/nubo-db/{NAME} and name its folder"
        )));
    }
    if !folder.join("node_modules/vitest/vitest.mjs").is_file() {
        return Err(Failure::new(format!("{shown} lacks its packages: run `npm install` in it")));
    }
    Ok(folder)
}

/// What became of the suite's tests.
#[derive(Debug, PartialEq, Eq)]
struct Totals {
    n_passed: u64,
    /// Failed, skipped and never begun.
    n_others: u64,
}

impl Totals {
    /// Reads a report as vitest writes it.
    fn read(report: &str) -> Option<Self> {
        let report: Value = serde_json::from_str(report).ok()?;
        let total = report["numTotalTests"].as_u64()?;
        let n_passed = report["numPassedTests"].as_u64()?;
        Some(Self { n_passed, n_others: total.checked_sub(n_passed)? })
    }

    /// Prints the totals.
    fn outcome(&self, is_run: bool) -> Outcome {
        let Self { n_passed, n_others } = self;
        println!("conformance: {n_passed} of {} tests passed", n_passed + n_others);
        if *n_others > 0 {
            return Err(Failure::new(format!("{n_others} tests did not pass: see above")));
        }
        if !is_run || *n_passed == 0 {
            return Err(Failure::new("the suite did not run to its end: see above"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_suite_is_refused() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sentence = checkout(here).unwrap_err().to_string();
        assert!(sentence.contains("is not a checkout of dynamodb-conformance"), "{sentence}");
        let nowhere = checkout(&here.join("nowhere")).unwrap_err().to_string();
        assert!(nowhere.starts_with("could not open the suite's folder"), "{nowhere}");
    }

    #[test]
    fn a_test_that_was_skipped_did_not_pass() {
        let report = r#"{"numTotalTests": 601, "numPassedTests": 600, "numPendingTests": 1}"#;
        let totals = Totals::read(report).unwrap();
        assert_eq!(totals, Totals { n_passed: 600, n_others: 1 });
        assert!(totals.outcome(true).is_err());
        assert!(Totals { n_passed: 601, n_others: 0 }.outcome(true).is_ok());
    }

    #[test]
    fn a_suite_that_ran_no_test_or_was_cut_short_fails() {
        assert!(Totals { n_passed: 0, n_others: 0 }.outcome(true).is_err());
        assert!(Totals { n_passed: 601, n_others: 0 }.outcome(false).is_err());
        assert_eq!(Totals::read("{}"), None);
    }
}
