//! The standard library for wasm32: found, added by rustup, or built from Debian's packages.
//!
//! Invariant: the answer is remembered beside the tools but believed only after a look at the
//! library itself, so a removed toolchain is noticed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xshell::cmd;

use super::debian;
use super::succeeds_within;
use crate::failure::{Failure, Outcome};
use crate::project::Project;

const TARGET: &str = "wasm32-unknown-unknown";
/// How long rustup may take: its server, where it can't be reached, may never answer.
const RUSTUP_LIMIT: Duration = Duration::from_mins(1);
/// The toolchain that wraps Debian's own compiler, made by the fallback.
const DEBIAN_TOOLCHAIN: &str = "debian";
/// What that compiler links with: a link whose target is in a package of its own.
const DEBIAN_LINKER: &str = "/usr/bin/rust-lld";
/// What the built standard library needs: `test` is there for wasm-bindgen-test.
const STD_CRATES: &str = "core,alloc,std,panic_abort,panic_unwind,test,proc_macro";

/// Makes sure that wasm32 can be compiled for, by the first of three ways that works.
///
/// # Errors
///
/// None of the ways works here; the sentence says which command a person may try.
pub(crate) fn ensure(project: &Project) -> Outcome {
    if wasm_environment(project).is_some() {
        return Ok(());
    }
    println!("Adding the {TARGET} standard library with rustup …");
    let add = cmd!(project.shell, "rustup target add {TARGET}");
    if succeeds_within(add, RUSTUP_LIMIT) && has_std(project, None) {
        return Ok(());
    }
    println!("rustup could not add it; trying Debian's compiler and its library source …");
    if !debian::is_debian() {
        return Err(Failure::new(format!(
            "the {TARGET} standard library is missing: run `rustup target add {TARGET}`"
        )));
    }
    build_with_debian(project)?;
    let path = remembered_path(project);
    fs::write(&path, DEBIAN_TOOLCHAIN).map_err(|error| Failure::file("write", &path, &error))?;
    if is_debian_usable(project) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Debian's compiler was set up but can't build for {TARGET}: run `rustup target add {TARGET}`"
    )))
}

/// The variables a wasm build has to be started with, or nothing when none would work.
///
/// Usually empty; `RUSTUP_TOOLCHAIN=debian` where the Debian fallback was taken.
pub(crate) fn wasm_environment(project: &Project) -> Option<Vec<(&'static str, &'static str)>> {
    if has_std(project, None) {
        return Some(Vec::new());
    }
    let remembered = fs::read_to_string(remembered_path(project)).unwrap_or_default();
    let is_usable = remembered == DEBIAN_TOOLCHAIN && is_debian_usable(project);
    is_usable.then(|| vec![("RUSTUP_TOOLCHAIN", DEBIAN_TOOLCHAIN)])
}

/// Whether Debian's toolchain finds both the library and its linker.
fn is_debian_usable(project: &Project) -> bool {
    has_std(project, Some(DEBIAN_TOOLCHAIN)) && Path::new(DEBIAN_LINKER).exists()
}

fn remembered_path(project: &Project) -> PathBuf {
    project.tools.join("wasm-toolchain")
}

/// Whether the toolchain's library folder for wasm32 holds the core library.
fn has_std(project: &Project, toolchain: Option<&str>) -> bool {
    let mut query = cmd!(project.shell, "rustc --print target-libdir --target {TARGET}");
    if let Some(name) = toolchain {
        query = query.env("RUSTUP_TOOLCHAIN", name);
    }
    let Ok(folder) = query.quiet().ignore_stderr().read() else { return false };
    let Ok(entries) = fs::read_dir(Path::new(folder.trim())) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        entry.file_name().to_string_lossy().starts_with("libcore-")
            && path.extension().is_some_and(|end| end == "rlib")
    })
}

fn build_with_debian(project: &Project) -> Outcome {
    debian::install(project, &["rustc-web", "cargo-web", "rust-web-src"])?;
    let linker = fs::read_link(DEBIAN_LINKER).ok();
    if let Some(version) = linker.as_deref().and_then(llvm_version) {
        debian::install(project, &[&format!("lld-{version}")])?;
    }
    println!("Building the {TARGET} standard library (about a minute) …");
    let library = build_std(project)?;
    install_std(project, &library)?;
    println!("Linking Debian's compiler to rustup as the toolchain `{DEBIAN_TOOLCHAIN}` …");
    cmd!(project.shell, "rustup toolchain link {DEBIAN_TOOLCHAIN} /usr").run()?;
    Ok(())
}

/// Compiles the library in an empty crate of its own; returns the folder with its parts.
fn build_std(project: &Project) -> Outcome<PathBuf> {
    let shell = &project.shell;
    let scratch = shell.create_temp_dir()?;
    let package = scratch.path().join("Cargo.toml");
    shell.write_file(&package, "[package]\nname = \"empty\"\nedition = \"2021\"\n[workspace]\n")?;
    shell.write_file(scratch.path().join("src/lib.rs"), "")?;
    let built = project.tools.join("wasm32-std");
    cmd!(shell, "/usr/bin/cargo build --release --target {TARGET} -Zbuild-std={STD_CRATES}")
        .args(["--manifest-path".as_ref(), package.as_os_str()])
        .args(["--target-dir".as_ref(), built.as_os_str()])
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .run()?;
    Ok(built.join(TARGET).join("release/deps"))
}

fn install_std(project: &Project, library: &Path) -> Outcome {
    let into = format!("/usr/lib/rustlib/{TARGET}/lib");
    debian::as_root(project, &["mkdir", "-p", &into])?;
    let entries = fs::read_dir(library).map_err(|error| Failure::file("list", library, &error))?;
    let parts = entries.flatten().map(|entry| entry.path());
    for part in parts.filter(|path| path.extension().is_some_and(|end| end == "rlib")) {
        debian::as_root(project, &["cp", &part.to_string_lossy(), &into])?;
    }
    Ok(())
}

/// The `22` of a link to `lld-22` or to `../lib/llvm-22/bin/lld`.
fn llvm_version(link: &Path) -> Option<&str> {
    link.iter().filter_map(|part| part.to_str()).find_map(|part| {
        let version = part.strip_prefix("lld-").or_else(|| part.strip_prefix("llvm-"))?;
        version.bytes().all(|byte| byte.is_ascii_digit()).then_some(version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_package_follows_the_version_that_the_link_names() {
        assert_eq!(llvm_version(Path::new("../lib/llvm-22/bin/lld")), Some("22"));
        assert_eq!(llvm_version(Path::new("lld-22")), Some("22"));
        assert_eq!(llvm_version(Path::new("/usr/bin/lld")), None);
    }
}
