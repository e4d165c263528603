//! Where an HTTP request carries its credentials.
//!
//! Not here: what they must look like (`hashrange_wire::Credentials`).

use hashrange_wire::{CredentialError, Credentials};
use hyper::header;
use hyper::http::request::Parts;

/// Checks that the request is signed in form, by header or by query string.
///
/// # Errors
/// There is no signature, there are two, or parts of it are missing.
pub(crate) fn check(request: &Parts) -> Result<(), CredentialError> {
    let headers = &request.headers;
    let has_date = headers.contains_key("x-amz-date") || headers.contains_key(header::DATE);
    // A header that is no text is no signature either.
    let authorization =
        headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap_or_default());
    let query = request.uri.query().unwrap_or_default();
    Credentials { authorization, has_date, query }.check()
}

#[cfg(test)]
mod tests {
    use hyper::Request;
    use hyper::http::request::Builder;

    use super::*;

    fn checked(request: Builder) -> Option<&'static str> {
        check(&request.body(()).unwrap().into_parts().0).err().map(|error| error.name)
    }

    #[test]
    fn the_signature_stands_in_the_headers_or_in_the_query_string() {
        let signed = "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=0";
        let by_header = || Request::builder().header("authorization", signed);
        assert_eq!(checked(by_header().header("x-amz-date", "20260101T000000Z")), None);
        assert_eq!(checked(by_header().header("date", "now")), None);
        assert_eq!(checked(by_header()), Some("IncompleteSignatureException"));
        let query = "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c\
            &X-Amz-SignedHeaders=d&X-Amz-Date=e";
        assert_eq!(checked(Request::builder().uri(query)), None);
        assert_eq!(checked(by_header().uri(query)), Some("InvalidSignatureException"));
        for request in [
            Request::builder(),
            Request::builder().header("authorization", b"AWS4-\xFF".as_slice()),
        ] {
            assert_eq!(checked(request), Some("MissingAuthenticationTokenException"));
        }
    }
}
