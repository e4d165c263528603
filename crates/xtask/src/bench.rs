//! `cargo xtask bench`: builds and runs the benchmarks with optimisation.
//!
//! Not here: the benchmarks. They are rows in `crates/xtask/benches/measures`, a target of its own,
//! so that no other command has to compile the engine.

use clap::Args;
use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// Options of `cargo xtask bench`.
#[derive(Args)]
pub(crate) struct Options {
    /// Print one JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// Run only the rows whose name contains this text
    #[arg(long)]
    only: Option<String>,
}

/// Runs the benchmarks and passes their lines through.
///
/// # Errors
///
/// They don't compile, or a row is over the limit of its ratio.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    let json = options.json.then_some("--json");
    let only = options.only.iter().flat_map(|text| ["--only", text]);
    if !options.json {
        println!("Building the benchmarks with optimisation …");
    }
    cmd!(
        project.shell,
        "cargo bench --quiet --package xtask --bench measures -- {json...} {only...}"
    )
    .quiet()
    .run()
    .map_err(|_| Failure::new("the benchmarks failed or a row is over its limit: see above"))
}
