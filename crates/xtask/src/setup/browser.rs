//! Chromium and its driver, which the wasm and page tests run in.
//!
//! Invariant: what a person names in `CHROMIUM` or `CHROMEDRIVER` is used and never replaced.

use std::env;
use std::path::PathBuf;

use super::debian;
use crate::failure::{Failure, Outcome};
use crate::project::Project;

const BROWSER_PROGRAMS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const BROWSER_PATHS: [&str; 3] = [
    "/usr/bin/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const DRIVER_PATHS: [&str; 2] = ["/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver"];

/// A browser and the driver that belongs to it.
pub(crate) struct Browser {
    /// The program that shows pages.
    pub(crate) chromium: PathBuf,
    /// The program that `wasm-bindgen-test-runner` drives it through.
    pub(crate) chromedriver: PathBuf,
}

/// Looks for both programs without installing anything.
pub(crate) fn find() -> Option<Browser> {
    let chromium = named("CHROMIUM").or_else(|| search(&BROWSER_PROGRAMS, &BROWSER_PATHS))?;
    let chromedriver =
        named("CHROMEDRIVER").or_else(|| search(&["chromedriver"], &DRIVER_PATHS))?;
    Some(Browser { chromium, chromedriver })
}

/// Makes sure that there is a browser to test in.
///
/// # Errors
///
/// A browser is missing and can't be installed here; the sentence names what to install.
pub(crate) fn ensure(project: &Project) -> Outcome {
    if find().is_none() && debian::is_debian() {
        let packages = if debian::is_ubuntu() {
            ["chromium-browser", "chromium-chromedriver"]
        } else {
            ["chromium", "chromium-driver"]
        };
        debian::install(project, &packages)?;
    }
    if find().is_some() {
        return Ok(());
    }
    Err(Failure::new(
        "Chromium and ChromeDriver are needed for the tests: install both, or set CHROMIUM and \
         CHROMEDRIVER to their programs",
    ))
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

fn search(programs: &[&str], paths: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let on_path = programs.iter().flat_map(|program| {
        env::split_paths(&folders).map(|folder| folder.join(program)).collect::<Vec<_>>()
    });
    on_path.chain(paths.iter().map(PathBuf::from)).find(|path| path.is_file())
}
