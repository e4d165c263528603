//! `cargo xtask simulate`: runs in simulated time.
//!
//! Not here: playing a scenario (`crates/hashrange-simulation/examples/play.rs`), and the scenarios of published
//! measurements (`crates/hashrange-simulation/tests/calibration.rs`), which print theirs beside ours and check them.

use std::path::PathBuf;

use clap::Args;
use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// Options of `cargo xtask simulate`.
#[derive(Args, Default)]
pub(crate) struct Options {
    /// Print published measurements of the real service beside ours, and check them
    #[arg(long)]
    calibration: bool,
    /// Play this scenario and print a summary of it (format: playground-examples/README.md)
    #[arg(long, value_name = "FILE", conflicts_with = "calibration")]
    scenario: Option<PathBuf>,
    /// Try this law; without a seed with all that the tests try
    #[arg(long, value_name = "NAME", conflicts_with_all = ["calibration", "scenario"])]
    law: Option<String>,
    /// Another seed than the scenario's, or the only one to try a law with
    #[arg(long, value_name = "N", conflicts_with = "calibration")]
    seed: Option<u64>,
    /// Print everything that happened, a line each
    #[arg(long, requires = "scenario")]
    print: bool,
}

/// Runs what the options ask for.
///
/// # Errors
///
/// Nothing is asked for, a law fails, or a measurement is not met.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    if let Some(law) = &options.law {
        return try_law(project, law, options.seed);
    }
    if let Some(file) = &options.scenario {
        let seed = options.seed.map(|seed| seed.to_string());
        let print = options.print.then_some("--print");
        let example = ["--package", "hashrange-simulation", "--example", "play"];
        return cmd!(
            project.shell,
            "cargo run --quiet {example...} -- {file} {seed...} {print...}"
        )
        .quiet()
        .run()
        .map_err(|_| {
            Failure::new("the scenario was not played, or did not end as it expects: see above")
        });
    }
    if !options.calibration {
        return Err(Failure::new(
            "say what to simulate: --scenario FILE, --law NAME or --calibration",
        ));
    }
    println!("Building the scenarios of published measurements and running them; a minute or two");
    let test = ["-p", "hashrange-simulation", "--release", "--test", "calibration"];
    cmd!(project.shell, "cargo test --quiet {test...} -- --nocapture --test-threads=1")
        .quiet()
        .run()
        .map_err(|_| Failure::new("a published measurement is not met: see above"))
}

/// Tries a law, one of the tests in `crates/hashrange-simulation/tests/law`.
fn try_law(project: &Project, law: &str, seed: Option<u64>) -> Outcome {
    let shell = &project.shell;
    let test = ["--quiet", "--package", "hashrange-simulation", "--test", "laws", "--"];
    let listed = cmd!(shell, "cargo test {test...} --list --format terse").quiet().read()?;
    let mut laws = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    let found = laws.clone().find(|name| name.rsplit("::").next() == Some(law));
    let Some(name) = found else {
        let names: Vec<_> = laws.by_ref().filter_map(|name| name.rsplit("::").next()).collect();
        return Err(Failure::new(format!(
            "there is no law {law}; these are:\n{}",
            names.join("\n")
        )));
    };
    let mut run = cmd!(shell, "cargo test {test...} --exact {name}");
    if let Some(seed) = seed {
        run = run.env("HASHRANGE_SEED", seed.to_string());
    }
    run.quiet().run().map_err(|_| Failure::new(format!("{law} fails: see above")))
}
