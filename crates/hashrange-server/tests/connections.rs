//! The HTTP door over real connections: what a client may do to one must not reach the others.
#![allow(clippy::unwrap_used, reason = "a test with nothing to unwrap has failed")]

use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hashrange_server::{Endpoint, Settings, Store, serve};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A test that would wait longer for bytes than this has failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server that stops with its test.
struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start() -> Self {
        let (stop, stopping) = oneshot::channel::<()>();
        let (listening, address) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
                listening.send(listener.local_addr().unwrap()).unwrap();
                let endpoint = Arc::new(Endpoint::new(Store::default(), Settings::default()));
                serve(listener, endpoint, async { drop(stopping.await) }).await;
            });
        });
        Self { address: address.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A new connection that these bytes were sent on, as far as the server takes them.
    fn hearing(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        // A server that has answered and closed takes no more; what it answered is still to be read.
        let _ = stream.write_all(bytes);
        stream
    }

    /// All that the server says to these bytes and to the end of the client's side.
    fn answer(&self, bytes: &[u8]) -> String {
        let stream = self.hearing(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        rest(stream)
    }

    #[track_caller]
    fn answers_others(&self) {
        let reply = self.answer(&request("Connection: close\r\nContent-Length: 2\r\n", "{}"));
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert!(reply.ends_with("\r\n\r\n{\"TableNames\":[]}"), "{reply}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))), "the server panicked");
    }
}

/// What comes until the server closes. A connection it cuts off ends what comes as well.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes) {
        assert!(error.kind() == ErrorKind::ConnectionReset, "the server stayed silent: {error}");
    }
    String::from_utf8(bytes).unwrap()
}

/// A request for the list of tables with these headers as well.
fn request(headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.ListTables\r\nX-Amz-Date: 20260101T000000Z\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=host, Signature=0\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

/// The statuses of the answers in what came on one connection.
fn statuses(reply: &str) -> Vec<&str> {
    reply.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect()
}

#[test]
fn silent_connections_keep_nobody_waiting() {
    let server = Server::start();
    let nothing = (0..100).map(|_| server.connect());
    let half_a_head = (0..100).map(|_| server.hearing(b"POST / HTTP/1.1\r\nHost: loc"));
    let half_a_body = (0..100).map(|_| server.hearing(&request("Content-Length: 4\r\n", "{ ")));
    let held: Vec<_> = nothing.chain(half_a_head).chain(half_a_body).collect();
    server.answers_others();
    // Each is still listened to: the last one finishes what it began.
    let mut last = held.into_iter().next_back().unwrap();
    last.write_all(b" }").unwrap();
    last.shutdown(Shutdown::Write).unwrap();
    assert_eq!(statuses(&rest(last)), ["200"]);
}

#[test]
fn a_body_that_ends_before_its_length_is_refused() {
    let server = Server::start();
    for headers in ["Content-Length: 100\r\n", "Content-Length: 18446744073709551613\r\n"] {
        let reply = server.answer(&request(headers, "{}"));
        assert_eq!(statuses(&reply), ["400"], "{headers}: {reply}");
        assert!(reply.ends_with("The request's body ended early.\n"), "{headers}: {reply}");
        server.answers_others();
    }
    for chunks in ["2\r\n{}", "2\r\n{}\r\n", "ffff\r\n{}\r\n0\r\n\r\n"] {
        let reply = server.answer(&request("Transfer-Encoding: chunked\r\n", chunks));
        assert_eq!(statuses(&reply), ["400"], "{chunks}: {reply}");
        server.answers_others();
    }
}

#[test]
fn what_follows_a_body_of_its_length_is_no_part_of_it() {
    let server = Server::start();
    let reply = server.answer(&request("Content-Length: 2\r\n", "{}\"TableName\": \"Orders\"}"));
    assert_eq!(statuses(&reply), ["200", "400"], "{reply}");
    server.answers_others();
    let mut twice = request("Content-Length: 2\r\n", "{}");
    twice.extend_from_within(..);
    assert_eq!(statuses(&server.answer(&twice)), ["200", "200"]);
}

#[test]
fn a_length_that_is_none_or_two_is_refused() {
    let server = Server::start();
    for headers in [
        "Content-Length: -2\r\n",
        "Content-Length: two\r\n",
        "Content-Length: 2 2\r\n",
        "Content-Length: 18446744073709551616\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n",
        "Content-Length: 2, 3\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
    ] {
        let reply = server.answer(&request(headers, "{}"));
        assert_eq!(statuses(&reply), ["400"], "{headers}: {reply}");
        server.answers_others();
    }
    for chunks in ["zz\r\n{}\r\n0\r\n\r\n", "fffffffffffffffff\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n"]
    {
        let reply = server.answer(&request("Transfer-Encoding: chunked\r\n", chunks));
        assert_eq!(statuses(&reply), ["400"], "{chunks}: {reply}");
        server.answers_others();
    }
}

#[test]
fn a_body_in_two_framings_is_read_by_one_of_them() {
    let server = Server::start();
    let headers = "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n";
    let reply = server.answer(&request(headers, "2\r\n{}\r\n0\r\n\r\n"));
    assert!(["200", "400"].contains(&statuses(&reply)[0]), "{reply}");
    assert_eq!(statuses(&reply).len(), 1, "the rest was taken for a request: {reply}");
    server.answers_others();
}

#[test]
fn heads_without_end_are_refused() {
    let server = Server::start();
    let mut many = String::new();
    for index in 0..10_000 {
        write!(many, "X-Header-{index}: {index}\r\n").unwrap();
    }
    let long = format!("X-Long: {}\r\n", "a".repeat(10_000_000));
    let same = "X-Same: a\r\n".repeat(101);
    for headers in [many, long, same] {
        let reply = server.answer(&request(&headers, "{}"));
        // The server may cut the connection before all was sent; the answer can be lost with it.
        assert!(reply.is_empty() || statuses(&reply) == ["431"], "{reply}");
        server.answers_others();
    }
    let target = format!("POST /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(10_000_000));
    let reply = server.answer(target.as_bytes());
    assert!(reply.is_empty() || statuses(&reply)[0].starts_with('4'), "{reply}");
    server.answers_others();
    // As many headers as are let in.
    let reply = server.answer(&request(&"X-Same: a\r\n".repeat(80), ""));
    assert_eq!(statuses(&reply), ["400"], "{reply}");
    assert!(reply.contains("SerializationException"), "{reply}");
}

#[test]
fn what_is_not_http_ends_its_connection_alone() {
    let server = Server::start();
    let greeting_of_tls = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    let preface_of_http2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let bad_header = b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Bad\0: \xff\r\n\r\n";
    let texts: [&[u8]; 6] =
        [greeting_of_tls, preface_of_http2, bad_header, b"\r\n\r\n\r\n", b"\0", b"POST\r\n\r\n"];
    for text in texts {
        let reply = server.answer(text);
        let shown = String::from_utf8_lossy(text);
        assert!(reply.is_empty() || statuses(&reply)[0].starts_with('4'), "{shown:?}: {reply}");
        server.answers_others();
    }
}

#[test]
fn ten_thousand_connections_come_and_go() {
    let server = Server::start();
    for index in 0..10_000 {
        match index % 4 {
            0 => drop(server.connect()),
            1 => drop(server.hearing(b"POST / HT")),
            2 => drop(server.hearing(&request("Content-Length: 2\r\n", "{"))),
            _ => server.answers_others(),
        }
    }
    server.answers_others();
}
