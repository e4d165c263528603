//! `Endpoint`: a DynamoDB endpoint of this checkout on a free port, for suites that ask it from outside.
//!
//! Invariant: the process it starts ends with it, however the suite went.
//!
//! Not here: the server of the built page (`server`).

use std::env;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// The command line that both servers take.
const SERVE: [&str; 3] = ["serve", "--port", "0"];

/// A process that answers DynamoDB requests.
pub(crate) struct Endpoint {
    process: Child,
    /// Such as `http://127.0.0.1:41234`.
    pub(crate) address: String,
}

impl Endpoint {
    /// Builds the native server, starts it with these arguments and waits until it listens.
    ///
    /// # Errors
    ///
    /// It doesn't build, or ends before it listens.
    pub(crate) fn native(project: &Project, arguments: &[&str]) -> Outcome<Self> {
        println!("Building the server …");
        cmd!(project.shell, "cargo build --quiet --package hashrange-cli")
            .quiet()
            .run()
            .map_err(|_| Failure::new("the server doesn't build: see above"))?;
        let program = format!("debug/hashrange{}", env::consts::EXE_SUFFIX);
        // The page's build folder is the neighbour of cargo's own.
        let mut command = Command::new(project.web_build().with_file_name(program));
        command.args(SERVE).args(arguments);
        Self::start(command)
    }

    /// Starts the JavaScript package's server in Node.js with these arguments and waits until it listens.
    ///
    /// # Errors
    ///
    /// The package isn't built, or the server ends before it listens.
    pub(crate) fn in_node(project: &Project, arguments: &[&str]) -> Outcome<Self> {
        if !project.engine_package().is_dir() {
            return Err(Failure::new(
                "the JavaScript package isn't built: run `cargo xtask web --package-only`",
            ));
        }
        let mut command = Command::new("node");
        command.arg(project.root.join("web/npm/serve.js")).args(SERVE).args(arguments);
        Self::start(command)
    }

    /// Starts a server whose first line ends in its address.
    fn start(mut command: Command) -> Outcome<Self> {
        let failure = |what: &str| Failure::new(format!("the server {what}"));
        let mut process = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failure(&format!("can't be started: {error}")))?;
        let output = process.stdout.take().expect("its output was asked for");
        let mut line = String::new();
        // A failure to read leaves the line without an address.
        let _ = BufReader::new(output).read_line(&mut line);
        let address = line.split_whitespace().last().filter(|word| word.starts_with("http://"));
        let Some(address) = address else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(failure("ended before it answered: see above"));
        };
        Ok(Self { address: address.to_owned(), process })
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // It keeps nothing, so it needs no time to stop. One that ended by itself can't be stopped.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
