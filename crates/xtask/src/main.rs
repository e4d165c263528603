//! `cargo xtask`: every command a person or the CI runs on this project, one file each.
//!
//! Invariant: a command prints a line before each long step, and fails with one sentence that says
//! what to do. Nothing here panics on a machine that lacks something.
//!
//! Not here: what the product does. This crate only builds, checks, measures and serves it.
#![allow(clippy::print_stdout, reason = "a command line tool talks on standard output")]

mod bench;
mod cases;
mod clients;
mod conformance;
mod endpoint;
mod failure;
mod order;
mod page;
mod project;
mod serve;
mod server;
mod setup;
mod simulate;
mod size;
mod test;
mod tidy;
mod wasm;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Outcome;
use crate::project::Project;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Build, check, measure and serve Hashrange")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing: the wasm target, wasm-bindgen, wasm-pack, npm and Python packages, Chromium
    Setup,
    /// Build the page into web/dist and the JavaScript package into web/npm/pkg
    Web(web::Options),
    /// Build the page and serve it on this machine
    Serve(serve::Options),
    /// Run everything that must be green, in order, and stop at the first failure
    Test(test::Options),
    /// Check the house rules that rustc and clippy do not know
    Tidy,
    /// Measure what the browser downloads against its budgets
    Size(size::Options),
    /// Run the case bank against the native server
    Cases(cases::Options),
    /// Run a checkout of the public conformance suite and print its totals
    Conformance(conformance::Options),
    /// Run in simulated time: published measurements of the real service beside ours
    Simulate(simulate::Options),
    /// Run each benchmark beside its yardstick
    Bench(bench::Options),
}

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Outcome {
    let project = Project::open()?;
    match command {
        Command::Setup => {
            setup::for_tests(&project)?;
            setup::for_clients(&project)?;
            println!("Everything is in place.");
            Ok(())
        }
        Command::Web(options) => {
            setup::for_builds(&project)?;
            web::run(&project, *options)
        }
        Command::Serve(options) => serve::run(&project, options),
        Command::Test(options) => test::run(&project, options),
        Command::Tidy => tidy::run(&project),
        Command::Size(options) => size::run(&project, *options),
        Command::Cases(options) => cases::run(&project, options),
        Command::Conformance(options) => conformance::run(&project, options),
        Command::Simulate(options) => simulate::run(&project, options),
        Command::Bench(options) => bench::run(&project, options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
