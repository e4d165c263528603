//! The body of a request: bytes off the wire, within limits of size and time, uncompressed.
//!
//! Invariant: never more than the limit is kept, whatever a length header says or a compressed body grows to.
//!
//! Source: facts 10 (HTTP 413); the request limit of 16 MB is [`REQUEST_BYTES_MAX`].

use std::io::Read as _;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use hashrange_types::limits::REQUEST_BYTES_MAX;
use http_body_util::BodyExt as _;
use hyper::body::Body;
use hyper::{HeaderMap, header};
use tokio::time::timeout;

/// How long a whole body may take to arrive.
const READ_TIME_MAX: Duration = Duration::from_secs(30);
/// How much of a body that is too large is still read, so that its sender hears the answer.
const DRAINED_BYTES_MAX: usize = 4 * REQUEST_BYTES_MAX;

/// Why there is no body to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyError {
    /// More than the limit, as sent or once uncompressed.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// The connection broke, or its framing is wrong.
    Broken,
    /// It says it is compressed and is not.
    NotCompressed,
    /// It is compressed in a way nobody here can read.
    UnknownCompression,
}

/// Reads the whole body.
///
/// # Errors
/// See [`BodyError`].
pub(crate) async fn read(
    headers: &HeaderMap,
    body: impl Body<Data = Bytes>,
) -> Result<Bytes, BodyError> {
    read_within(READ_TIME_MAX, headers, body).await
}

async fn read_within(
    limit: Duration,
    headers: &HeaderMap,
    body: impl Body<Data = Bytes>,
) -> Result<Bytes, BodyError> {
    let raw = timeout(limit, collect(body)).await.map_err(|_| BodyError::TooSlow)??;
    match headers.get(header::CONTENT_ENCODING).map(|value| value.as_bytes().to_ascii_lowercase()) {
        None => Ok(raw),
        Some(encoding) if encoding.is_empty() || encoding == b"identity" => Ok(raw),
        Some(encoding) if encoding == b"gzip" || encoding == b"x-gzip" => unzip(&raw),
        Some(_) => Err(BodyError::UnknownCompression),
    }
}

/// The bytes as sent. Most bodies come in one piece, which is not copied.
async fn collect(body: impl Body<Data = Bytes>) -> Result<Bytes, BodyError> {
    let mut body = pin!(body);
    let mut first = Bytes::new();
    let mut rest: Vec<u8> = Vec::new();
    let mut n_bytes = 0;
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(|_| BodyError::Broken)?.into_data() else { continue };
        n_bytes += piece.len();
        if n_bytes > REQUEST_BYTES_MAX {
            // What was kept goes at once; what still comes is dropped as it comes.
            (first, rest) = (Bytes::new(), Vec::new());
            if n_bytes > DRAINED_BYTES_MAX {
                break;
            }
        } else if first.is_empty() {
            first = piece;
        } else {
            if rest.is_empty() {
                rest.extend_from_slice(&first);
            }
            rest.extend_from_slice(&piece);
        }
    }
    match n_bytes {
        n_bytes if n_bytes > REQUEST_BYTES_MAX => Err(BodyError::TooLarge),
        _ if rest.is_empty() => Ok(first),
        _ => Ok(rest.into()),
    }
}

fn unzip(raw: &[u8]) -> Result<Bytes, BodyError> {
    let most = u64::try_from(REQUEST_BYTES_MAX).unwrap_or(u64::MAX) + 1;
    let mut text = Vec::new();
    MultiGzDecoder::new(raw)
        .take(most)
        .read_to_end(&mut text)
        .map_err(|_| BodyError::NotCompressed)?;
    if text.len() > REQUEST_BYTES_MAX { Err(BodyError::TooLarge) } else { Ok(text.into()) }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::Write as _;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use http_body_util::Full;
    use hyper::body::Frame;
    use hyper::header::HeaderValue;

    use super::*;

    fn received(encoding: Option<&'static str>, body: Vec<u8>) -> Result<Bytes, BodyError> {
        let mut headers = HeaderMap::new();
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(read(&headers, Full::from(body)))
    }

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Half a body, and then silence.
    struct Half(Option<Bytes>);

    impl Body for Half {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            self.0.take().map_or(Poll::Pending, |half| Poll::Ready(Some(Ok(Frame::data(half)))))
        }
    }

    #[test]
    fn a_body_that_stops_halfway_is_waited_for_as_long_as_the_limit() {
        let body = Half(Some(Bytes::from_static(b"{")));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let read = runtime.block_on(read_within(Duration::ZERO, &HeaderMap::new(), body));
        assert_eq!(read, Err(BodyError::TooSlow));
    }

    #[test]
    fn a_body_is_taken_as_it_is_or_unzipped() {
        assert_eq!(received(None, b"{}".to_vec()).unwrap(), "{}");
        assert_eq!(received(Some("gzip"), zipped(b"{}")).unwrap(), "{}");
        assert_eq!(received(Some("GZIP"), zipped(b"")).unwrap(), "");
        assert_eq!(received(Some("identity"), b"{}".to_vec()).unwrap(), "{}");
    }

    #[test]
    fn sixteen_megabytes_pass_and_one_byte_more_does_not() {
        assert_eq!(received(None, vec![b' '; REQUEST_BYTES_MAX]).unwrap().len(), REQUEST_BYTES_MAX);
        let more = vec![b' '; REQUEST_BYTES_MAX + 1];
        assert_eq!(received(Some("gzip"), zipped(&more)), Err(BodyError::TooLarge));
        assert_eq!(received(None, more), Err(BodyError::TooLarge));
    }

    #[test]
    fn what_is_not_compressed_as_it_says_is_refused() {
        assert_eq!(received(Some("gzip"), b"{}".to_vec()), Err(BodyError::NotCompressed));
        let mut cut = zipped(b"{\"TableName\": \"Orders\"}");
        cut.truncate(cut.len() - 4);
        assert_eq!(received(Some("gzip"), cut), Err(BodyError::NotCompressed));
        assert_eq!(received(Some("br"), b"{}".to_vec()), Err(BodyError::UnknownCompression));
    }
}
