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
    /// Another seed than the scenario's
    #[arg(long, value_name = "N", requires = "scenario")]
    seed: Option<u64>,
    /// Print everything that happened, a line each
    #[arg(long, requires = "scenario")]
    print: bool,
}

/// Runs what the options ask for.
///
/// # Errors
///
/// Nothing is asked for, or a measurement is not met.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
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
        .map_err(|_| Failure::new("the scenario was not played, or did not end as it expects: see above"));
    }
    if !options.calibration {
        return Err(Failure::new("say what to simulate: --scenario FILE or --calibration"));
    }
    println!("Building the scenarios of published measurements and running them; a minute or two");
    let test = ["-p", "hashrange-simulation", "--release", "--test", "calibration"];
    cmd!(project.shell, "cargo test --quiet {test...} -- --nocapture --test-threads=1")
        .quiet()
        .run()
        .map_err(|_| Failure::new("a published measurement is not met: see above"))
}
