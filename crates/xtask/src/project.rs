//! Where things are: the checkout, its build folders and the tools that live outside it.
//!
//! Invariant: every command started through [`Project::shell`] finds our pinned tools first on
//! `PATH` and runs in the checkout's root, wherever `cargo xtask` was called from.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use xshell::Shell;

use crate::failure::{Failure, Outcome};

/// Version of wasm-pack that the builds were tried with.
pub(crate) const WASM_PACK_VERSION: &str = "0.15.1";

/// The checkout this binary was built from, and the shell that runs commands in it.
pub(crate) struct Project {
    /// Folder that holds the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Folder of cargo-installed tools, shared by checkouts; it survives `cargo clean`.
    pub(crate) tools: PathBuf,
    /// Runs commands in `root`, with the tools on `PATH`.
    pub(crate) shell: Shell,
    /// Version of the wasm-bindgen crate in `Cargo.lock`, which its tool must equal.
    pub(crate) wasm_bindgen_version: String,
}

impl Project {
    /// Finds the checkout and the tools.
    ///
    /// # Errors
    ///
    /// `Cargo.lock` is missing or names no wasm-bindgen, or no home folder is known.
    pub(crate) fn open() -> Outcome<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .expect("the crate lives two folders below the root")
            .to_path_buf();
        let lock = read(&root.join("Cargo.lock"))?;
        let wasm_bindgen_version = locked_version(&lock, "wasm-bindgen")
            .ok_or_else(|| Failure::new("Cargo.lock names no wasm-bindgen: run `cargo check`"))?
            .to_owned();
        let tools = tools_folder()?;
        let shell = Shell::new()?;
        shell.change_dir(&root);
        let project = Self { root, tools, shell, wasm_bindgen_version };
        project.shell.set_var("PATH", project.search_path()?);
        // The linker path of the toolchain that built this binary confuses any other toolchain.
        project.shell.set_var("LD_LIBRARY_PATH", "");
        Ok(project)
    }

    /// Folder of one cargo-installed tool, `~/.cache/hashrange/tools/<name>-<version>`.
    pub(crate) fn tool_folder(&self, name: &str, version: &str) -> PathBuf {
        self.tools.join(format!("{name}-{version}"))
    }

    /// Path of a program that npm installed for the page.
    pub(crate) fn npm_program(&self, name: &str) -> PathBuf {
        self.root.join("web/node_modules/.bin").join(name)
    }

    /// The built page.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("web/dist")
    }

    /// The built JavaScript package.
    pub(crate) fn engine_package(&self) -> PathBuf {
        self.root.join("web/npm/pkg")
    }

    /// Folder for what is built on the way to the page; below cargo's target folder.
    pub(crate) fn web_build(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.root.join("target"), |folder| self.root.join(folder))
            .join("web")
    }

    fn search_path(&self) -> Outcome<OsString> {
        let ours = [
            self.tool_folder("wasm-bindgen-cli", &self.wasm_bindgen_version).join("bin"),
            self.tool_folder("wasm-pack", WASM_PACK_VERSION).join("bin"),
        ];
        let inherited = env::var_os("PATH").unwrap_or_default();
        env::join_paths(ours.into_iter().chain(env::split_paths(&inherited)))
            .map_err(|error| Failure::new(format!("PATH can't be extended: {error}")))
    }
}

/// Whether a continuous integration run started us: nobody watches and nobody answers.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|value| value != "false" && value != "0" && !value.is_empty())
}

/// The text of a file.
///
/// # Errors
///
/// The file is missing, unreadable or not UTF-8.
pub(crate) fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))
}

/// Version of package `name` in the text of a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let quoted = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != quoted);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

fn tools_folder() -> Outcome<PathBuf> {
    if let Some(folder) = env::var_os("HASHRANGE_TOOLS") {
        return Ok(PathBuf::from(folder));
    }
    let home = env::home_dir()
        .ok_or_else(|| Failure::new("no home folder is known: set HASHRANGE_TOOLS to a folder"))?;
    Ok(home.join(".cache/hashrange/tools"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_version_is_read_from_the_package_of_exactly_that_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "serde"), None);
    }
}
