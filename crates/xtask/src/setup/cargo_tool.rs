//! Tools that cargo builds from source, each version in a folder of its own.
//!
//! Invariant: a tool counts as installed only when it runs and prints the version we want.

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// Makes sure that version `version` of crate `name` is installed; its program is `program`.
///
/// # Errors
///
/// Neither the crate's own lock file nor a fresh resolution builds.
pub(crate) fn ensure(project: &Project, name: &str, program: &str, version: &str) -> Outcome {
    if is_installed(project, name, program, version) {
        return Ok(());
    }
    println!("Building {name} {version} (some minutes, once) …");
    let shell = &project.shell;
    let folder = project.tool_folder(name, version);
    let install = |locked: Option<&str>| {
        cmd!(shell, "cargo install {name} --version {version} --root {folder} --force {locked...}")
            .run()
    };
    // A crate's own lock file may name a version that the registry has withdrawn.
    if install(Some("--locked")).is_err() {
        println!("Building {name} {version} again without its lock file …");
        install(None)?;
    }
    if is_installed(project, name, program, version) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{name} {version} was built but does not run: delete {} and try again",
        folder.display()
    )))
}

fn is_installed(project: &Project, name: &str, program: &str, version: &str) -> bool {
    let path = project.tool_folder(name, version).join("bin").join(program);
    let printed = cmd!(project.shell, "{path} --version").quiet().ignore_stderr().read();
    printed.is_ok_and(|line| line.split_whitespace().any(|word| word == version))
}
