//! The head of an HTTP request, as far as a file server needs it.
//!
//! Invariant: reading stops at a fixed size, so a client can't fill our memory.

use std::io::{self, BufRead, Read as _};

/// Longest head that is read; browsers send about 1 KB.
const HEAD_BYTES_MAX: u64 = 16 * 1024;

/// What a client asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// `GET`, `HEAD` or what else was sent.
    pub(crate) method: String,
    /// The target as sent, with its query, still percent-encoded.
    pub(crate) path: String,
    /// Whether the answer may be gzipped.
    pub(crate) accepts_gzip: bool,
    /// Whether another request may follow on this connection.
    pub(crate) keeps_connection: bool,
}

impl Request {
    /// Reads the next head; nothing when the client hung up or what came is no request.
    ///
    /// # Errors
    ///
    /// The connection broke or stayed silent for too long.
    pub(crate) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut limited = reader.take(HEAD_BYTES_MAX);
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            limited.read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if text.is_empty() {
                return Ok(Self::parse(&lines));
            }
            lines.push(text);
        }
    }

    fn parse(lines: &[String]) -> Option<Self> {
        let (first, headers) = lines.split_first()?;
        let mut words = first.split_whitespace();
        let (method, path, version) = (words.next()?, words.next()?, words.next()?);
        let header = |name: &str| {
            headers.iter().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                key.eq_ignore_ascii_case(name).then(|| value.trim().to_ascii_lowercase())
            })
        };
        let has_body = header("content-length").is_some_and(|length| length != "0")
            || header("transfer-encoding").is_some();
        let is_closing = header("connection").is_some_and(|value| value.contains("close"));
        Some(Self {
            method: method.to_owned(),
            path: path.to_owned(),
            accepts_gzip: header("accept-encoding").is_some_and(|value| value.contains("gzip")),
            // We never read a body, so what would follow one can't be understood.
            keeps_connection: version == "HTTP/1.1" && !is_closing && !has_body,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_browsers_request_is_understood() {
        let mut head =
            &b"GET /a?b HTTP/1.1\r\naccept-ENCODING: gzip, br\r\nHost: x\r\n\r\nrest"[..];
        let request = Request::read(&mut head).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/a?b"));
        assert!(request.accepts_gzip && request.keeps_connection);
        assert_eq!(head, b"rest");
    }

    #[test]
    fn a_request_with_a_body_ends_the_connection() {
        let mut head = &b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"[..];
        assert!(!Request::read(&mut head).unwrap().unwrap().keeps_connection);
    }

    #[test]
    fn half_a_head_an_endless_head_and_noise_are_no_requests() {
        assert_eq!(Request::read(&mut &b"GET / HT"[..]).unwrap(), None);
        assert_eq!(Request::read(&mut &b"\r\n\r\n"[..]).unwrap(), None);
        assert_eq!(Request::read(&mut &b"hello\r\n\r\n"[..]).unwrap(), None);
        assert_eq!(Request::read(&mut &vec![b'a'; 100_000][..]).unwrap(), None);
    }
}
