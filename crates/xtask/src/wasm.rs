//! A crate of ours as a wasm module for JavaScript: wasm-pack, then wasm-opt.
//!
//! Invariant: what lands in the output folder has been through wasm-opt and became smaller;
//! wasm-pack alone would ship an unoptimised file without a word.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::order;
use crate::project::{Project, read};
use crate::setup;

/// Every feature that browsers of the last four years and Node 20 share.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];
/// Small before all; measured when gzipped. A function that is called once stays a function if it is of any size:
/// 6 % smaller, because alike ones can then stand side by side ([`order`]). Nothing reaches the lowest KB of the
/// memory, the end of the stack: 1 % smaller.
const SHRINK_FLAGS: [&str; 8] = [
    "--one-caller-inline-max-function-size=20",
    "--low-memory-unused",
    "--flatten",
    "--local-cse",
    "--rereloop",
    "-Os",
    "-Os",
    "-g",
];
/// Functions in the order of [`order::named_by_likeness`], and without names.
const ORDER_FLAG: &str = "--reorder-functions-by-name";
/// Below this size a module is all glue and wasm-opt has nothing to win.
const SHRINKABLE_BYTES_MIN: u64 = 16 * 1024;

/// How much care a build takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// The `wasm` profile and wasm-opt: what people download.
    Release,
    /// The `dev` profile as it comes: minutes faster, and much bigger.
    Draft,
}

/// Builds `crates/<name>` with these arguments for cargo and puts the module, its JavaScript and its types into
/// `folder`.
///
/// # Errors
///
/// The target is not set up, the crate doesn't compile, or wasm-opt won't make it smaller.
pub(crate) fn build(
    project: &Project,
    name: &str,
    folder: &Path,
    care: Care,
    for_cargo: &[&str],
) -> Outcome {
    println!("Building {name} for the browser …");
    let raw = project.web_build().join(format!("{name}{}", for_cargo.concat()));
    run_wasm_pack(project, name, &raw, care, for_cargo)?;
    let file = format!("{}_bg.wasm", name.replace('-', "_"));
    let finished = match care {
        Care::Release => optimise(project, &raw, &file)?,
        Care::Draft => raw.join(&file),
    };
    copy_package(&raw, folder)?;
    let target = folder.join(&file);
    fs::copy(&finished, &target).map_err(|error| Failure::file("write", &target, &error))?;
    Ok(())
}

/// Runs suites of the package in `folder`, a path from the root, in a headless browser; `*` stands for all of them.
///
/// # Errors
///
/// No browser or target is set up, or a test fails.
pub(crate) fn test(project: &Project, folder: &str, suites: &[&str]) -> Outcome {
    let browser = setup::find_browser()
        .ok_or_else(|| Failure::new("no Chromium was found: run `cargo xtask setup`"))?;
    let driver = browser.chromedriver;
    let path = project.root.join(folder);
    let shell = &project.shell;
    // Only suites: unit and documentation tests run natively.
    let suites = suites.iter().flat_map(|suite| ["--test", *suite]);
    cmd!(shell, "wasm-pack test --headless --chrome --mode no-install {path} {suites...}")
        .envs(environment(project)?)
        .env("CHROMEDRIVER", driver)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
        .run()
        .map_err(|_| Failure::new(format!("the wasm tests of {folder} failed")))
}

fn environment(project: &Project) -> Outcome<Vec<(&'static str, &'static str)>> {
    setup::wasm_environment(project).ok_or_else(|| {
        Failure::new("the wasm32 standard library is missing: run `cargo xtask setup`")
    })
}

fn run_wasm_pack(
    project: &Project,
    name: &str,
    raw: &Path,
    care: Care,
    for_cargo: &[&str],
) -> Outcome {
    let path = project.root.join("crates").join(name);
    let profile = match care {
        Care::Release => "wasm",
        Care::Draft => "dev",
    };
    cmd!(project.shell, "wasm-pack build {path} --profile {profile} --target web")
        .args(["--mode", "no-install", "--no-pack", "--no-opt", "--no-gitignore", "--out-dir"])
        .arg(raw)
        .arg("--")
        .args(for_cargo)
        .envs(environment(project)?)
        .run()
        .map_err(|_| Failure::new(format!("{name} does not build for wasm32: see above")))
}

/// Runs wasm-opt unless this very input has been through it; returns the optimised file.
fn optimise(project: &Project, raw: &Path, file: &str) -> Outcome<std::path::PathBuf> {
    let input = raw.join(file);
    let output = raw.with_extension("opt.wasm");
    let stamp_path = raw.with_extension("opt.stamp");
    let module = fs::read(&input).map_err(|error| Failure::file("read", &input, &error))?;
    let mut hasher = DefaultHasher::new();
    let lock = read(&project.root.join("web/package-lock.json"))?;
    (&module, FEATURES, SHRINK_FLAGS, ORDER_FLAG, include_str!("order.rs"), lock).hash(&mut hasher);
    let stamp = format!("{:016x}", hasher.finish());
    if output.is_file() && fs::read_to_string(&stamp_path).is_ok_and(|last| last == stamp) {
        return Ok(output);
    }
    println!("Optimising {file} with wasm-opt …");
    let wasm_opt = project.npm_program("wasm-opt");
    let shell = &project.shell;
    cmd!(shell, "{wasm_opt} {FEATURES...} {SHRINK_FLAGS...} {input} -o {output}").quiet().run()?;
    let small = fs::read(&output).map_err(|error| Failure::file("read", &output, &error))?;
    let named = order::named_by_likeness(&small)
        .ok_or_else(|| Failure::new(format!("wasm-opt wrote no module for {file}")))?;
    fs::write(&output, named).map_err(|error| Failure::file("write", &output, &error))?;
    cmd!(shell, "{wasm_opt} {FEATURES...} {ORDER_FLAG} {output} -o {output}").quiet().run()?;
    let before = module.len() as u64;
    let after =
        fs::metadata(&output).map_err(|error| Failure::file("read", &output, &error))?.len();
    println!("{file}: {before} bytes, {after} after wasm-opt");
    if after >= before && before > SHRINKABLE_BYTES_MIN {
        return Err(Failure::new(format!(
            "wasm-opt did not make {file} smaller ({before} to {after} bytes): check its flags"
        )));
    }
    fs::write(&stamp_path, stamp).map_err(|error| Failure::file("write", &stamp_path, &error))?;
    Ok(output)
}

/// Copies the package without the raw module and without wasm-pack's own leavings.
fn copy_package(raw: &Path, folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| Failure::file("empty", folder, &error))?;
    }
    crate::page::copy_folder(raw, folder, &|path| {
        path.extension().is_some_and(|end| end == "js" || end == "ts")
    })
}
