//! A small file server for the built page: one folder, GET and HEAD, a thread a connection.
//!
//! Invariant: only files inside the folder are ever read, whatever a client asks for.
//!
//! Not here: TLS, ranges, caching for days. This serves one person's machine and the tests;
//! a real host serves `web/dist` as plain files.

mod request;
mod route;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::failure::{Failure, Outcome};
use request::Request;
use route::{content_type, find_file, is_compressible};

/// How long a silent connection is kept.
const IDLE_LIMIT: Duration = Duration::from_secs(15);
/// Below this size packing a file costs more than it saves.
const PACKED_BYTES_MIN: usize = 1024;

/// A bound server that has not started to answer.
pub(crate) struct Server {
    listener: TcpListener,
    address: SocketAddr,
    folder: Arc<Folder>,
}

/// The served files, and the packed form of those that were asked for.
struct Folder {
    root: PathBuf,
    packed: Mutex<BTreeMap<PathBuf, Packed>>,
}

/// A gzipped file, and when the file it was made of had been written.
#[derive(Clone)]
struct Packed {
    written: SystemTime,
    bytes: Arc<[u8]>,
}

impl Server {
    /// A server of the files below `root`.
    ///
    /// # Errors
    ///
    /// The folder doesn't exist.
    pub(crate) fn new(root: &Path, listener: TcpListener) -> Outcome<Self> {
        let root = root.canonicalize().map_err(|_| {
            Failure::new(format!("{} is not built yet: run `cargo xtask web`", root.display()))
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| Failure::new(format!("the server has no address: {error}")))?;
        Ok(Self { listener, address, folder: Arc::new(Folder { root, packed: Mutex::default() }) })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    ///
    /// The listener breaks; a single connection that breaks is only dropped.
    pub(crate) fn run(self) -> Outcome {
        for stream in self.listener.incoming() {
            match stream {
                Ok(stream) => {
                    let folder = Arc::clone(&self.folder);
                    // A client that hangs up early is its own business.
                    thread::spawn(move || folder.converse(&stream).ok());
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Err(Failure::new(format!("the server stopped: {error}"))),
            }
        }
        Ok(())
    }
}

/// Asks a server for its page once.
///
/// # Errors
///
/// It does not answer with status 200.
pub(crate) fn answers(address: SocketAddr) -> Outcome {
    let ask = || -> io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&address, IDLE_LIMIT)?;
        stream.set_read_timeout(Some(IDLE_LIMIT))?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned())
    };
    match ask() {
        Ok(status) if status.starts_with("HTTP/1.1 200") => {
            println!("The page answered with {status}.");
            Ok(())
        }
        Ok(status) => Err(Failure::new(format!("the page answered with `{status}`, not with 200"))),
        Err(error) => Err(Failure::new(format!("the page did not answer: {error}"))),
    }
}

impl Folder {
    /// Answers the requests of one connection until it is closed or falls silent.
    fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(IDLE_LIMIT))?;
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        while let Some(request) = Request::read(&mut reader)? {
            self.answer(&request, stream)?;
            if !request.keeps_connection {
                break;
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Request, stream: &TcpStream) -> io::Result<()> {
        if request.method != "GET" && request.method != "HEAD" {
            return send(
                stream,
                request,
                "405 Method Not Allowed",
                "text/plain",
                None,
                b"GET only",
            );
        }
        let Some(path) = find_file(&self.root, &request.path) else {
            return send(stream, request, "404 Not Found", "text/plain", None, b"Not found");
        };
        let kind = content_type(&path);
        let body: Arc<[u8]> = fs::read(&path)?.into();
        if request.accepts_gzip && is_compressible(kind) && body.len() >= PACKED_BYTES_MIN {
            let packed = self.packed(&path, &body)?;
            return send(stream, request, "200 OK", kind, Some("gzip"), &packed);
        }
        send(stream, request, "200 OK", kind, None, &body)
    }

    /// The gzipped file, packed once for each time it was written.
    fn packed(&self, path: &Path, body: &[u8]) -> io::Result<Arc<[u8]>> {
        let written = fs::metadata(path)?.modified()?;
        let known = self.packed.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some(packed) = known
            && packed.written == written
        {
            return Ok(packed.bytes);
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body)?;
        let bytes: Arc<[u8]> = encoder.finish()?.into();
        let mut all = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_path_buf(), Packed { written, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }
}

fn send(
    mut stream: &TcpStream,
    request: &Request,
    status: &str,
    kind: &str,
    encoding: Option<&str>,
    body: &[u8],
) -> io::Result<()> {
    let encoding =
        encoding.map_or_else(String::new, |name| format!("Content-Encoding: {name}\r\n"));
    let connection = if request.keeps_connection { "keep-alive" } else { "close" };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{encoding}\
         Vary: Accept-Encoding\r\nCache-Control: no-cache\r\nAccess-Control-Allow-Origin: *\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: {connection}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if request.method != "HEAD" {
        stream.write_all(body)?;
    }
    stream.flush()
}
