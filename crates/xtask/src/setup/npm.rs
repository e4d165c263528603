//! The page's npm packages, at the versions of `web/package-lock.json`.
//!
//! Invariant: a copy of the lock file beside the packages tells whether they match it.

use std::fs;

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::{Project, read};

/// Makes sure that `web/node_modules` matches the lock file.
///
/// # Errors
///
/// npm is missing or can't install a package.
pub(crate) fn ensure(project: &Project) -> Outcome {
    let web = project.root.join("web");
    let lock = read(&web.join("package-lock.json"))?;
    let stamp = web.join("node_modules/.installed-lock.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    println!("Installing npm packages …");
    let _in_web = project.shell.push_dir(&web);
    cmd!(project.shell, "npm ci --ignore-scripts --no-audit --no-fund").run().map_err(|_| {
        Failure::new("npm could not install web/package.json: run `npm ci` in web/ to see why")
    })?;
    fs::write(&stamp, lock).map_err(|error| Failure::file("write", &stamp, &error))
}
