//! The load: requests over keep-alive connections, one outstanding on each, as fast as answers come.
//!
//! Invariant: one thread, two calls of the machine for a request, and no more of an answer read than its
//! status and length. A row of its own shows how far that is from being the bottleneck.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Longest wait for one answer: a slow server is measured, one that is stuck is not.
const ANSWER_TIME_MAX: Duration = Duration::from_mins(1);
/// Bytes of an answer's headers that are plenty.
const HEADERS_BYTES_MAX: usize = 16 * 1_024;

/// One keep-alive connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer in the connection's buffer.
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Result<Self, String> {
        let open = || {
            let stream = TcpStream::connect(address)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(ANSWER_TIME_MAX))?;
            Ok(stream)
        };
        let stream = open().map_err(|error: std::io::Error| error.to_string())?;
        Ok(Self { stream, buffer: vec![0; 64 * 1_024] })
    }

    pub(crate) fn send(&mut self, request: &[u8]) -> Result<(), String> {
        self.stream.write_all(request).map_err(|error| error.to_string())
    }

    /// Waits for the whole answer to what was sent.
    pub(crate) fn receive(&mut self) -> Result<Answer<'_>, String> {
        let mut n_read = 0;
        let mut head: Option<Head> = None;
        loop {
            let whole = head.as_ref().map(|head| head.begin + head.length);
            if whole.is_some_and(|whole| n_read >= whole) {
                break;
            }
            let wanted = whole.unwrap_or(n_read + 1);
            if self.buffer.len() < wanted {
                self.buffer.resize(2 * wanted, 0);
            }
            let read = self.stream.read(&mut self.buffer[n_read..]);
            match read.map_err(|error| error.to_string())? {
                0 => return Err("the connection ended before the answer did".to_owned()),
                n => n_read += n,
            }
            if head.is_none() {
                head = Head::read(&self.buffer[..n_read])?;
            }
        }
        let head = head.expect("the loop ends with a head");
        Ok(Answer { status: head.status, body: &self.buffer[head.begin..head.begin + head.length] })
    }

    /// Sends one request and returns the text of the answer, which must be a success.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Result<String, String> {
        self.send(request)?;
        let Answer { status, body } = self.receive()?;
        let text = String::from_utf8_lossy(body).into_owned();
        if status == 200 { Ok(text) } else { Err(format!("status {status}: {text}")) }
    }

    fn receive_success(&mut self) -> Result<(), String> {
        let Answer { status, body } = self.receive()?;
        if status == 200 {
            return Ok(());
        }
        Err(format!("status {status}: {}", String::from_utf8_lossy(body)))
    }
}

/// What the headers of an answer say.
struct Head {
    status: u16,
    /// Where the body begins.
    begin: usize,
    /// Bytes of the body.
    length: usize,
}

impl Head {
    /// None while the headers are not all there.
    fn read(bytes: &[u8]) -> Result<Option<Self>, String> {
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            let is_endless = bytes.len() > HEADERS_BYTES_MAX;
            return if is_endless { Err("its headers do not end".to_owned()) } else { Ok(None) };
        };
        let text = std::str::from_utf8(&bytes[..end]).map_err(|error| error.to_string())?;
        let status = text.get(9..12).and_then(|status| status.parse().ok());
        let length = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        match (status, length) {
            (Some(status), Some(length)) => Ok(Some(Self { status, begin: end + 4, length })),
            _ => Err("an answer came without status or length".to_owned()),
        }
    }
}

/// Answers a second to these requests, taken in turn, over so many connections for at least `time`.
pub(crate) fn rate(
    address: SocketAddr,
    n_connections: usize,
    requests: &[Vec<u8>],
    time: Duration,
) -> Result<f64, String> {
    let mut connections: Vec<Connection> =
        (0..n_connections).map(|_| Connection::open(address)).collect::<Result<_, _>>()?;
    let mut requests = requests.iter().cycle();
    let mut send = |connection: &mut Connection| {
        connection.send(requests.next().expect("a cycle of some requests has no end"))
    };
    let started = Instant::now();
    let mut n_answers = 0_u32;
    connections.iter_mut().try_for_each(&mut send)?;
    while started.elapsed() < time {
        for connection in &mut connections {
            connection.receive_success()?;
            n_answers += 1;
            send(connection)?;
        }
    }
    for connection in &mut connections {
        connection.receive_success()?;
        n_answers += 1;
    }
    Ok(f64::from(n_answers) / started.elapsed().as_secs_f64())
}
