//! `hashrange`: DynamoDB on this machine.
//!
//! Invariant: a command fails with one sentence that says what to do, and nothing but answers goes to
//! standard output.
//!
//! Not here: what a command does, one file each.
#![allow(clippy::print_stderr, reason = "a command line tool talks on standard error")]

mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "hashrange", version, about = "DynamoDB on this machine")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer DynamoDB requests over HTTP until stopped
    Serve(serve::Options),
}

fn main() -> ExitCode {
    let Command::Serve(options) = Arguments::parse().command;
    match serve::run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
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
