//! `cargo xtask serve`: build the page and serve it until it is interrupted.
//!
//! Not here: how a file is served (`server`) and how the page is built (`web`).

use std::env;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, TcpListener};
use std::process::{Command, Stdio};
use std::thread;

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::project::{Project, is_ci};
use crate::server::{self, Server};
use crate::{setup, web};

/// Where the page is when nobody says otherwise.
const DEFAULT_PORT: u16 = 8080;
/// How many ports above the default are tried when it is taken.
const PORTS_TRIED: u16 = 100;

/// Options of `cargo xtask serve`.
#[derive(Args)]
pub(crate) struct Options {
    /// Port to serve on; without it 8080, or the next free one
    #[arg(long)]
    port: Option<u16>,
    /// Address to serve on
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// Stop as soon as the page has answered once
    #[arg(long)]
    check: bool,
    /// Serve a draft: faster to build, and much bigger
    #[arg(long)]
    draft: bool,
}

/// Takes a port, sets up, builds, serves and says where.
///
/// # Errors
///
/// The page doesn't build, or the port is taken or forbidden.
pub(crate) fn run(project: &Project, options: &Options) -> Outcome {
    // Before the build, so that nobody waits minutes to learn that a port is taken.
    let listener = bind(options.host, options.port)?;
    setup::for_builds(project)?;
    web::run(
        project,
        web::Options { draft: options.draft, page_only: true, ..Default::default() },
    )?;
    let server = Server::new(&project.dist(), listener)?;
    let address = format!("http://{}/", server.address());
    println!("Hashrange is at {address}");
    if options.check {
        let address = server.address();
        thread::spawn(move || server.run());
        return server::answers(address);
    }
    println!("Press Ctrl+C to stop.");
    open_in_browser(&address);
    server.run()
}

fn bind(host: IpAddr, port: Option<u16>) -> Outcome<TcpListener> {
    let Some(port) = port else { return bind_next_free(host) };
    TcpListener::bind((host, port)).map_err(|error| refusal(host, port, &error))
}

fn refusal(host: IpAddr, port: u16, error: &io::Error) -> Failure {
    Failure::new(match error.kind() {
        ErrorKind::AddrInUse => format!("port {port} is taken: choose another with --port"),
        ErrorKind::PermissionDenied => {
            format!("port {port} needs more rights: choose one above 1023 with --port")
        }
        ErrorKind::AddrNotAvailable => format!("{host} is not an address of this machine"),
        _ => format!("port {port} of {host} can't be used: {error}"),
    })
}

fn bind_next_free(host: IpAddr) -> Outcome<TcpListener> {
    for port in DEFAULT_PORT..DEFAULT_PORT + PORTS_TRIED {
        match TcpListener::bind((host, port)) {
            Ok(listener) => {
                if port != DEFAULT_PORT {
                    println!("Port {DEFAULT_PORT} is taken, so the page is on {port}.");
                }
                return Ok(listener);
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(refusal(host, port, &error)),
        }
    }
    Err(Failure::new(format!(
        "ports {DEFAULT_PORT} to {} are all taken: choose another with --port",
        DEFAULT_PORT + PORTS_TRIED - 1
    )))
}

/// Opens the page for a person who sits at this machine; failing to is no failure.
fn open_in_browser(address: &str) {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if is_ci() || !(has_display || cfg!(target_os = "macos")) {
        return;
    }
    let started = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_err() {
        println!("No browser could be opened: open the address yourself.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_that_was_asked_for_is_named_in_the_message() {
        let host: IpAddr = [127, 0, 0, 1].into();
        let held = TcpListener::bind((host, 0)).unwrap();
        let port = held.local_addr().unwrap().port();

        let failure = bind(host, Some(port)).unwrap_err();

        assert_eq!(
            failure.to_string(),
            format!("port {port} is taken: choose another with --port")
        );
    }
}
