//! The npm packages of the page and of the client tests, at the versions of their lock files.
//!
//! Invariant: a copy of the lock file beside the packages tells whether they match it.

use std::fs;

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::{Project, read};

/// Makes sure that `node_modules` of a folder matches the lock file there.
///
/// # Errors
///
/// npm is missing or can't install a package.
pub(crate) fn ensure(project: &Project, folder: &str) -> Outcome {
    let path = project.root.join(folder);
    let lock = read(&path.join("package-lock.json"))?;
    let stamp = path.join("node_modules/.installed-lock.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    println!("Installing npm packages of {folder} …");
    let _in_folder = project.shell.push_dir(&path);
    cmd!(project.shell, "npm ci --ignore-scripts --no-audit --no-fund").run().map_err(|_| {
        Failure::new(format!(
            "npm could not install {folder}/package.json: run `npm ci` in {folder} to see why"
        ))
    })?;
    fs::write(&stamp, lock).map_err(|error| Failure::file("write", &stamp, &error))
}
