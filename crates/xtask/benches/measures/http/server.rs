//! The servers under load: ours, its peers, and two that only answer a constant.
//!
//! Invariant: a process started here ends with its [`Server`].

use std::convert::Infallible;
use std::env;
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;

use super::load::Connection;

/// How long a server may take to listen.
const START_TIME_MAX: Duration = Duration::from_secs(20);
/// What the servers without a database answer, headers included.
const CONSTANT: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

/// Servers are programs that `cargo xtask bench` names in the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    Hashrange,
    Dynalite,
    Dynoxide,
}

/// A server that listens.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    process: Option<Child>,
}

impl Program {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hashrange => "hashrange",
            Self::Dynalite => "dynalite",
            Self::Dynoxide => "dynoxide",
        }
    }

    /// The variable that holds its path.
    const fn variable(self) -> &'static str {
        match self {
            Self::Hashrange => "HASHRANGE_PROGRAM",
            Self::Dynalite => "DYNALITE_PROGRAM",
            Self::Dynoxide => "DYNOXIDE_PROGRAM",
        }
    }

    fn command(self, port: u16) -> Result<Command, String> {
        let path: OsString = env::var_os(self.variable())
            .filter(|path| !path.is_empty())
            .ok_or_else(|| format!("{} is not there: run `cargo xtask bench`", self.name()))?;
        let port = port.to_string();
        let mut command = Command::new(path);
        match self {
            Self::Hashrange => command.args(["serve", "--delays", "instant", "--port", &port]),
            Self::Dynalite => {
                command.args(["--host", "127.0.0.1", "--createTableMs", "0", "--port", &port])
            }
            Self::Dynoxide => command.args(["--host", "127.0.0.1", "--port", &port]),
        };
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }
}

impl Server {
    /// Starts a program and waits until it takes connections.
    pub(crate) fn start(program: Program) -> Result<Self, String> {
        let address = free_address()?;
        let mut command = program.command(address.port())?;
        let process = command
            .spawn()
            .map_err(|error| format!("{} could not be started: {error}", program.name()))?;
        let server = Self { address, process: Some(process) };
        let deadline = Instant::now() + START_TIME_MAX;
        while Connection::open(address).is_err() {
            if Instant::now() > deadline {
                return Err(format!("{} did not listen within 20 s", program.name()));
            }
            thread::sleep(Duration::from_micros(200));
        }
        Ok(server)
    }

    /// The number the machine knows the program by.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// The stack of our server with nothing behind it: hyper and axum read the request and answer `{}`.
    pub(crate) fn empty() -> Result<Self, String> {
        let (listener, address) = listener()?;
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        thread::spawn(move || {
            // As many workers as `hashrange serve` takes.
            let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(n_cores.div_ceil(2))
                .enable_all()
                .build();
            runtime.expect("the machine has threads").block_on(answer_empty(listener));
        });
        Ok(Self { address, process: None })
    }

    /// A socket that counts the bytes of a request and answers `{}` without looking at them.
    ///
    /// It serves `n_connections` in the order in which the load asks, which is the cheapest way there is.
    pub(crate) fn bare(n_connections: usize, request_bytes: usize) -> Result<Self, String> {
        let (listener, address) = listener()?;
        thread::spawn(move || {
            let mut streams: Vec<_> = listener.incoming().take(n_connections).flatten().collect();
            let mut buffer = vec![0; request_bytes];
            loop {
                for stream in &mut streams {
                    // The load closes its connections when it is done.
                    let is_open = stream.read_exact(&mut buffer).is_ok();
                    if !is_open || stream.write_all(CONSTANT).is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Self { address, process: None })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // One that has ended by itself can't be stopped.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

async fn answer_empty(listener: TcpListener) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("it does not block");
    let router = Router::new().fallback(|_: Bytes| async { Ok::<_, Infallible>("{}") });
    let service = TowerToHyperService::new(router);
    while let Ok((stream, _)) = listener.accept().await {
        let service = service.clone();
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn listener() -> Result<(TcpListener, SocketAddr), String> {
    let listen = || {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    listen().map_err(|error: std::io::Error| format!("no free port: {error}"))
}

/// An address that was free a moment ago.
pub(crate) fn free_address() -> Result<SocketAddr, String> {
    Ok(listener()?.1)
}
