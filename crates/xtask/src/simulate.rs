//! `cargo xtask simulate`: runs in simulated time.
//!
//! Not here: the scenarios of published measurements (`crates/hashrange-simulation/tests/calibration.rs`), which
//! print theirs beside ours and check them.

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
}

/// Runs what the options ask for.
///
/// # Errors
///
/// Nothing is asked for, or a measurement is not met.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    if !options.calibration {
        return Err(Failure::new("say what to simulate: --calibration"));
    }
    println!("Building the scenarios of published measurements and running them; a minute or two");
    let test = ["-p", "hashrange-simulation", "--release", "--test", "calibration"];
    cmd!(project.shell, "cargo test --quiet {test...} -- --nocapture --test-threads=1")
        .quiet()
        .run()
        .map_err(|_| Failure::new("a published measurement is not met: see above"))
}
