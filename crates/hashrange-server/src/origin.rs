//! Which web pages may talk to this server.
//!
//! Invariant: a page is answered only if its origin was named with `--cors`. A browser puts `Origin` on every
//! POST of a page, so a foreign page can neither read nor write here, even where its name was made to point
//! at this machine. Clients that are no browsers send no `Origin` and are not concerned.

use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};

/// Every origin.
const ANY: &str = "*";
/// What a page may send and read: what the SDKs in a browser use.
const METHODS: &str = "GET, HEAD, OPTIONS, POST";
const EXPOSED: &str = "x-amzn-RequestId, x-amzn-ErrorType, x-amz-crc32, Date";
/// Seconds a browser may keep the answer to a preflight; the most Chromium takes.
const MAX_AGE: &str = "7200";
const PRIVATE_NETWORK_ASKED: HeaderName =
    HeaderName::from_static("access-control-request-private-network");
const PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The origins whose pages are answered.
#[derive(Debug, Clone, Default)]
pub struct Origins(Vec<HeaderValue>);

/// The text is no origin such as `http://localhost:3000`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} is not an origin: write a scheme and a host such as http://localhost:3000, or * for every page"
)]
pub struct UnreadableOrigin(String);

impl Origins {
    /// The origins of these texts; `*` lets every page in.
    ///
    /// # Errors
    /// A text is neither `*` nor a scheme and a host.
    pub fn new(texts: &[String]) -> Result<Self, UnreadableOrigin> {
        texts.iter().map(|text| origin(text)).collect::<Result<_, _>>().map(Self)
    }

    /// True if pages of this origin are answered.
    pub(crate) fn allows(&self, origin: &HeaderValue) -> bool {
        self.0.iter().any(|allowed| allowed == ANY || allowed == origin)
    }
}

/// The origin as browsers spell it: lower case, no slash at the end.
fn origin(text: &str) -> Result<HeaderValue, UnreadableOrigin> {
    let refuse = || UnreadableOrigin(text.to_owned());
    let spelled = text.trim().trim_end_matches('/').to_ascii_lowercase();
    let is_origin = spelled.split_once("://").is_some_and(|(scheme, host)| {
        !scheme.is_empty() && !host.is_empty() && !host.contains(['/', ' ', '?', '#', '@'])
    });
    if spelled != ANY && !is_origin {
        return Err(refuse());
    }
    HeaderValue::from_str(&spelled).map_err(|_| refuse())
}

/// Adds what lets a page of `origin` read the answer.
pub(crate) fn let_read(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
}

/// Adds what a browser asks for before a page may send: the methods, and the headers it named.
pub(crate) fn let_send(headers: &mut HeaderMap, asked: &HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    if asked.contains_key(PRIVATE_NETWORK_ASKED) {
        headers.insert(PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(texts: &[&str]) -> Result<Origins, UnreadableOrigin> {
        Origins::new(&texts.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn only_the_named_pages_are_answered() {
        let some = origins(&["http://localhost:3000/", "HTTPS://App.Example"]).unwrap();
        let allows = |text: &'static str| some.allows(&HeaderValue::from_static(text));
        assert!(allows("http://localhost:3000"));
        assert!(allows("https://app.example"));
        for foreign in ["http://localhost", "http://localhost:30001", "null", ""] {
            assert!(!allows(foreign), "{foreign}");
        }
        assert!(!Origins::default().allows(&HeaderValue::from_static("http://localhost:3000")));
        assert!(origins(&["*"]).unwrap().allows(&HeaderValue::from_static("null")));
    }

    #[test]
    fn what_is_no_origin_is_refused_in_one_sentence() {
        for text in ["localhost:3000", "http://", "http://a/b", "a b", "\n", "http://a\nb"] {
            assert!(origins(&[text]).is_err(), "{text:?}");
        }
        assert_eq!(
            origins(&["localhost"]).unwrap_err().to_string(),
            "localhost is not an origin: write a scheme and a host such as http://localhost:3000, \
             or * for every page"
        );
    }
}
