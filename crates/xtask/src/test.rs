//! `cargo xtask test`: everything green means this, in this order.
//!
//! Invariant: the first failing step ends the run and is named; each runner's own closing lines
//! are passed through untouched.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::server::Server;
use crate::{cases, clients, page, setup, size, tidy, wasm, web};

/// Packages with suites that run in a headless browser too, by their folders, and which suites these are.
const WASM_TESTED: [(&str, &[&str]); 3] = [
    ("crates/hashrange-wasm", &["*"]),
    ("crates/hashrange-ui", &["*"]),
    ("tests", &["spec_in_wasm", "differential", "storm"]),
];

/// Options of `cargo xtask test`.
#[derive(Args)]
pub(crate) struct Options {
    /// Run only this step; may be repeated
    #[arg(long, value_enum)]
    only: Vec<Step>,
    /// Leave this step out; may be repeated
    #[arg(long, value_enum)]
    skip: Vec<Step>,
}

/// The steps, in the order they run: cheap ones first, what needs a build after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// Install what is missing
    Setup,
    /// Rust source is formatted
    Fmt,
    /// House rules
    Tidy,
    /// Lints, as errors
    Clippy,
    /// Unit, suite and documentation tests on this machine
    Native,
    /// The case bank against the native server
    Cases,
    /// AWS SDKs and libraries over them, against the server
    Clients,
    /// Tests of the JavaScript door in headless Chromium
    Wasm,
    /// The page and the JavaScript package build
    Web,
    /// Downloads stay within budget
    Size,
    /// TypeScript agrees with the scripts and the package's types
    Types,
    /// The JavaScript package works in Node.js
    Node,
    /// The built page, clicked through in Chromium
    Page,
}

/// Runs the chosen steps.
///
/// # Errors
///
/// A step failed; the sentence names it.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    let mut times = Vec::new();
    let mut result = Ok(());
    for &step in Step::value_variants() {
        let is_chosen = options.only.is_empty() || options.only.contains(&step);
        if !is_chosen || options.skip.contains(&step) {
            continue;
        }
        println!("\n== {} ==", step.name());
        let started = Instant::now();
        let outcome = step.run(project);
        times.push((step, started.elapsed()));
        if let Err(failure) = outcome {
            result = Err(Failure::new(format!("step `{}` failed: {failure}", step.name())));
            break;
        }
    }
    print_times(&times);
    if result.is_ok() {
        let is_all = options.only.is_empty() && options.skip.is_empty();
        println!("{} green.", if is_all { "Everything is" } else { "The chosen steps are" });
    }
    result
}

fn print_times(times: &[(Step, Duration)]) {
    println!("\n== times ==");
    for (step, time) in times {
        println!("{:<8}{:>8.1} s", step.name(), time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    println!("{:<8}{:>8.1} s", "total", total.as_secs_f64());
}

impl Step {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    fn run(self, project: &Project) -> Outcome {
        let shell = &project.shell;
        let cargo = |command: xshell::Cmd<'_>, sentence: &str| {
            command.run().map_err(|_| Failure::new(sentence))
        };
        match self {
            Self::Setup => setup::for_tests(project),
            Self::Fmt => {
                let package = project.root.join(clients::FOLDER).join("rust/Cargo.toml");
                let apart = cmd!(shell, "cargo fmt --manifest-path {package} --check");
                for command in [cmd!(shell, "cargo fmt --all --check"), apart] {
                    cargo(command, "source is not formatted: run `cargo fmt --all`")?;
                }
                Ok(())
            }
            Self::Tidy => tidy::run(project),
            Self::Clippy => cargo(
                cmd!(shell, "cargo clippy --workspace --all-targets -- -D warnings"),
                "clippy found something: see above",
            ),
            Self::Native => {
                cargo(cmd!(shell, "cargo test --workspace"), "a test failed: see above")
            }
            Self::Cases => cases::run(project, &cases::Options::default()),
            Self::Clients => clients::run(project),
            Self::Wasm => test_wasm(project),
            Self::Web => web::run(project, web::Options::default()),
            Self::Size => size::run(project, size::Options::default()),
            Self::Types => check_types(project),
            Self::Node => test_node(project),
            Self::Page => test_page(project),
        }
    }
}

fn test_wasm(project: &Project) -> Outcome {
    for (folder, suites) in WASM_TESTED {
        if folder == "tests" || project.root.join(folder).join("tests").is_dir() {
            println!("Testing {folder} in headless Chromium …");
            wasm::test(project, folder, suites)?;
        } else {
            println!("{folder} has no tests/ folder: nothing to run in the browser");
        }
    }
    Ok(())
}

/// Checks the page's scripts, and the package's declarations by themselves.
fn check_types(project: &Project) -> Outcome {
    let web = project.root.join("web");
    let mut declarations = typescript(&web.join("npm"))?;
    declarations.extend(typescript(&web.join("npm/test"))?);
    // Declarations of others are theirs to check; skipping them would skip ours as well.
    run_tsc(project, &typescript(&web)?, "true")?;
    run_tsc(project, &declarations, "false")
}

fn run_tsc(project: &Project, sources: &[PathBuf], skips_declarations: &str) -> Outcome {
    if sources.is_empty() {
        return Ok(());
    }
    let tsc = project.npm_program("tsc");
    cmd!(project.shell, "{tsc} --noEmit --strict --target es2022 --module esnext")
        .args(["--lib", "es2022,dom,dom.iterable", "--moduleResolution", "bundler", "--types", ""])
        .args(["--skipLibCheck", skips_declarations])
        .args(sources)
        .quiet()
        .run()
        .map_err(|_| Failure::new("TypeScript found errors: see above"))?;
    println!("{} TypeScript files agree", sources.len());
    Ok(())
}

fn typescript(folder: &Path) -> Outcome<Vec<PathBuf>> {
    files_ending(folder, &[".ts"])
}

fn test_node(project: &Project) -> Outcome {
    let folder = project.root.join("web/npm/test");
    let tests = test_files(&folder)?;
    if tests.is_empty() {
        println!("web/npm/test holds no tests: nothing to run in Node.js");
        return Ok(());
    }
    cmd!(project.shell, "node --test {tests...}")
        .run()
        .map_err(|_| Failure::new("a test of the JavaScript package failed: see above"))
}

/// Serves the built page on a free port and runs the browser tests against it.
fn test_page(project: &Project) -> Outcome {
    let tests = test_files(&project.root.join("tests/browser"))?;
    if tests.is_empty() {
        println!("tests/browser holds no tests: nothing to run in Chromium");
        return Ok(());
    }
    let browser = setup::find_browser()
        .ok_or_else(|| Failure::new("no Chromium was found: run `cargo xtask setup`"))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| Failure::new(format!("no free port for the page: {error}")))?;
    let server = Server::new(&project.dist(), listener)?;
    let address = format!("http://{}/", server.address());
    thread::spawn(move || server.run());
    cmd!(project.shell, "node --test {tests...}")
        .env("BASE_URL", address)
        .env("CHROMIUM", browser.chromium)
        .run()
        .map_err(|_| Failure::new("a page test failed: see above, and tests/browser/shots"))
}

/// The tests of a folder that Node's runner takes; none when there is no such folder.
fn test_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    files_ending(folder, &[".test.mjs", ".test.js"])
}

fn files_ending(folder: &Path, endings: &[&str]) -> Outcome<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = page::entries(folder)?;
    files.retain(|path| {
        let name = path.to_string_lossy();
        path.is_file() && endings.iter().any(|ending| name.ends_with(ending))
    });
    Ok(files)
}
