//! `cargo xtask setup`: what the builds and tests need, installed when it is missing.
//!
//! Invariant: running it again when all is there changes nothing and takes less than a second.
//!
//! Not here: Rust itself and Node.js, which a person brings.

mod browser;
mod cargo_tool;
mod debian;
mod npm;
mod python;
mod wasm_target;

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{process, thread};

use xshell::cmd;

use crate::clients;
use crate::failure::{Failure, Outcome};
use crate::project::{Project, WASM_PACK_VERSION};

pub(crate) use browser::find as find_browser;
pub(crate) use wasm_target::wasm_environment;

/// Oldest Node.js the page's tools and tests run on.
const NODE_MAJOR_MIN: u32 = 20;

/// Puts everything in place that building the page takes.
///
/// # Errors
///
/// Something is missing and could not be installed; the sentence says what to install by hand.
pub(crate) fn for_builds(project: &Project) -> Outcome {
    let _one_at_a_time = lock(project)?;
    check_node(project)?;
    wasm_target::ensure(project)?;
    cargo_tool::ensure(project, "wasm-bindgen-cli", "wasm-bindgen", &project.wasm_bindgen_version)?;
    cargo_tool::ensure(project, "wasm-pack", "wasm-pack", WASM_PACK_VERSION)?;
    npm::ensure(project, "web")
}

/// Puts everything in place that tests of our own take: the builds' needs and a browser.
///
/// # Errors
///
/// As [`for_builds`].
pub(crate) fn for_tests(project: &Project) -> Outcome {
    for_builds(project)?;
    for component in ["fmt", "clippy"] {
        let is_there = cmd!(project.shell, "cargo {component} --version").quiet().ignore_stdout();
        if is_there.ignore_stderr().run().is_err() {
            return Err(Failure::new(format!(
                "cargo {component} is missing: run `rustup component add rustfmt clippy`"
            )));
        }
    }
    let _one_at_a_time = lock(project)?;
    browser::ensure(project)
}

/// Puts other people's clients in place, which the server is tested with; the Python that knows them.
///
/// # Errors
///
/// Node.js or Python is missing, or a registry can't be reached.
pub(crate) fn for_clients(project: &Project) -> Outcome<PathBuf> {
    let _one_at_a_time = lock(project)?;
    check_node(project)?;
    npm::ensure(project, &format!("{}/js", clients::FOLDER))?;
    python::ensure(project)
}

/// Holds other checkouts off the shared tools folder until the returned file is dropped.
fn lock(project: &Project) -> Outcome<File> {
    fs::create_dir_all(&project.tools)
        .map_err(|error| Failure::file("create", &project.tools, &error))?;
    let path = project.tools.join(".lock");
    let file = File::create(&path).map_err(|error| Failure::file("create", &path, &error))?;
    if file.try_lock().is_err() {
        println!("Waiting for another `cargo xtask` to finish its setup …");
        file.lock().map_err(|error| Failure::file("lock", &path, &error))?;
    }
    Ok(file)
}

fn check_node(project: &Project) -> Outcome {
    let wanted = format!("Node.js {NODE_MAJOR_MIN} or newer with npm");
    let Ok(version) = cmd!(project.shell, "node --version").quiet().ignore_stderr().read() else {
        return Err(Failure::new(format!("{wanted} is needed: install it from nodejs.org")));
    };
    match node_major(&version) {
        Some(major) if major >= NODE_MAJOR_MIN => Ok(()),
        _ => Err(Failure::new(format!("{wanted} is needed, but `node` here is {version}"))),
    }
}

fn node_major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Runs a command for at most `limit`; true when it ended by itself and successfully.
fn succeeds_within(command: xshell::Cmd<'_>, limit: Duration) -> bool {
    let Ok(mut child) = process::Command::from(command).spawn() else { return false };
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(50)),
            _ => {
                // Either may fail only because the child has just ended, which is what we want.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_node_is_the_number_after_the_v() {
        assert_eq!(node_major("v20.20.2\n"), Some(20));
        assert_eq!(node_major("nonsense"), None);
    }
}
