//! The client tests: other people's SDKs and libraries do a day's work against the native server.
//!
//! Invariant: a client is told of this server and of made-up credentials only; no setting for AWS that the machine
//! has reaches it.
//!
//! Not here: what each client does (`tests/clients`) and how it is installed (`setup`).

use std::env;
use std::path::{Path, PathBuf};

use xshell::{Cmd, cmd};

use crate::endpoint::Endpoint;
use crate::failure::{Failure, Outcome};
use crate::page;
use crate::project::Project;
use crate::setup;

/// Where the tests of each language are.
pub(crate) const FOLDER: &str = "tests/clients";

/// A scenario whose followers lag, for the tests that meet a stale read on purpose.
const SCENARIO: &str = "tests/clients/js/lagging.json";

/// What every client needs to know, and what keeps it from looking for more.
const SETTINGS: [(&str, &str); 8] = [
    ("AWS_ACCESS_KEY_ID", "hashrange"),
    ("AWS_SECRET_ACCESS_KEY", "hashrange"),
    ("AWS_REGION", "us-east-1"),
    ("AWS_DEFAULT_REGION", "us-east-1"),
    ("AWS_CONFIG_FILE", "/dev/null"),
    ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
    ("AWS_EC2_METADATA_DISABLED", "true"),
    // A fault of the server must show at the first attempt.
    ("AWS_MAX_ATTEMPTS", "1"),
];

/// Installs the clients, starts the server on a free port and runs each language's own runner.
///
/// # Errors
///
/// A client can't be installed, the server doesn't build or start, or a test failed.
pub(crate) fn run(project: &Project) -> Outcome {
    let python = setup::for_clients(project)?;
    let server = Endpoint::native(project, &[])?;
    let shell = &project.shell;
    let folder = project.root.join(FOLDER);

    let tests = folder.join("python");
    let pytest = cmd!(shell, "{python} -B -m pytest --quiet -p no:cacheprovider {tests}");
    test("Python", pytest, &server)?;

    let tests = javascript(&folder.join("js"))?;
    // This SDK tells Node.js 20 that it will want a newer one some day.
    let scenario = project.root.join(SCENARIO).display().to_string();
    let lagging = Endpoint::native(project, &["--simulate", &scenario, "--clock", "manual"])?;
    let node = cmd!(shell, "node --test {tests...}")
        .env("NODE_NO_WARNINGS", "1")
        .env("SIMULATED_ENDPOINT", &lagging.address);
    test("JavaScript", node, &server)?;

    let package = folder.join("rust/Cargo.toml");
    let built = project.web_build().with_file_name("clients");
    let cargo = cmd!(shell, "cargo test --locked --manifest-path {package} --target-dir {built}");
    test("Rust", cargo, &server)
}

fn test(language: &str, runner: Cmd<'_>, server: &Endpoint) -> Outcome {
    println!("Testing the clients in {language} …");
    let inherited = env::vars_os().map(|(name, _)| name);
    let foreign = inherited.filter(|name| name.to_string_lossy().starts_with("AWS_"));
    let runner = foreign.fold(runner, Cmd::env_remove);
    runner
        .envs(SETTINGS)
        .env("DYNAMODB_ENDPOINT", &server.address)
        .env("NO_PROXY", "127.0.0.1")
        .quiet()
        .run()
        .map_err(|_| Failure::new(format!("a client test in {language} failed: see above")))
}

fn javascript(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut tests = page::entries(folder)?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    Ok(tests)
}
