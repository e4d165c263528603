//! `cargo xtask bench`: builds and runs the benchmarks with optimisation.
//!
//! Not here: the benchmarks. They are rows in `crates/xtask/benches/measures`, a target of its own,
//! so that no other command has to compile the engine. What rows over HTTP measure is put in place here
//! (`peers`) and named to them in the environment.

mod peers;

use std::env;

use clap::Args;
use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// What the names of the rows hold that need servers.
const NEEDS_SERVERS: &str = "over HTTP";

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
    let shell = &project.shell;
    let only: Vec<&str> = options.only.iter().flat_map(|text| ["--only", text]).collect();
    let measures = ["bench", "--quiet", "--package", "xtask", "--bench", "measures", "--"];
    if !options.json {
        println!("Building the benchmarks with optimisation …");
    }
    let names = cmd!(shell, "cargo {measures...} --list").args(&only).quiet().read();
    let names = names.map_err(|_| Failure::new("the benchmarks don't compile: see above"))?;
    let mut programs = Vec::new();
    if names.lines().any(|name| name.contains(NEEDS_SERVERS)) {
        programs.push(("HASHRANGE_PROGRAM", build_server(project)?));
        programs.extend(peers::ensure(project));
    }
    let json = options.json.then_some("--json");
    cmd!(shell, "cargo {measures...} {json...} {only...}")
        .envs(programs)
        .quiet()
        .run()
        .map_err(|_| Failure::new("the benchmarks failed or a row is over its limit: see above"))
}

/// Builds the server as people get it; its path.
fn build_server(project: &Project) -> Outcome<std::path::PathBuf> {
    cmd!(project.shell, "cargo build --quiet --release --package hashrange-cli")
        .quiet()
        .run()
        .map_err(|_| Failure::new("the server doesn't build: see above"))?;
    // The page's build folder is the neighbour of cargo's own.
    let program = format!("release/hashrange{}", env::consts::EXE_SUFFIX);
    Ok(project.web_build().with_file_name(program))
}
