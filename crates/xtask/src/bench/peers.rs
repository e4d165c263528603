//! The servers that ours is measured beside: dynoxide and dynalite, installed once for all checkouts.
//!
//! Invariant: a peer that can't be installed is left out with a line that says so, and its rows say so again.

use std::env;
use std::path::PathBuf;

use xshell::cmd;

use crate::failure::Outcome;
use crate::project::Project;

/// Versions that the figures in README.md are of.
const DYNOXIDE_VERSION: &str = "3.2.0";
const DYNALITE_VERSION: &str = "4.0.0";
/// What a server in memory takes of dynoxide; its other features change no answer.
const DYNOXIDE_FEATURES: &str = "native-sqlite,http-server,cli";

/// Installs what is missing. Each peer's path, under the name of the variable that the benchmarks read.
pub(crate) fn ensure(project: &Project) -> Vec<(&'static str, PathBuf)> {
    let mut found = Vec::new();
    for (variable, peer) in
        [("DYNOXIDE_PROGRAM", dynoxide(project)), ("DYNALITE_PROGRAM", dynalite(project))]
    {
        match peer {
            Ok(path) => found.push((variable, path)),
            Err(failure) => eprintln!("left out: {failure}"),
        }
    }
    found
}

/// Its program prints a version of its own, so that the file's being there has to do.
fn dynoxide(project: &Project) -> Outcome<PathBuf> {
    let folder = project.tool_folder("dynoxide-rs", DYNOXIDE_VERSION);
    let program = folder.join(format!("bin/dynoxide{}", env::consts::EXE_SUFFIX));
    if !program.is_file() {
        eprintln!("Building dynoxide {DYNOXIDE_VERSION} (some minutes, once) …");
        cmd!(project.shell, "cargo install --quiet --locked dynoxide-rs --root {folder}")
            .args(["--version", DYNOXIDE_VERSION, "--no-default-features"])
            .args(["--features", DYNOXIDE_FEATURES])
            .quiet()
            .run()?;
    }
    Ok(program)
}

/// npm puts it into a folder beside the cargo-installed tools.
fn dynalite(project: &Project) -> Outcome<PathBuf> {
    let folder = project.tool_folder("dynalite", DYNALITE_VERSION);
    let program = folder.join("node_modules/.bin/dynalite");
    if !program.is_file() {
        eprintln!("Installing dynalite {DYNALITE_VERSION} …");
        let package = format!("dynalite@{DYNALITE_VERSION}");
        project.shell.create_dir(&folder)?;
        cmd!(project.shell, "npm install --prefix {folder} --no-audit --no-fund {package}")
            .quiet()
            .ignore_stdout()
            .run()?;
    }
    Ok(program)
}
