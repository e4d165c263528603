//! Credentials: a request must carry a signature in form, as every SDK sends one. It is never verified.
//!
//! Invariant: any access key and any signature passes; there is nothing here to protect.
//!
//! Source: facts 10; the order of checks is 4.10.3.

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// What the `Authorization` header of a signed request begins with.
const SCHEME: &str = "AWS4-";
/// Parameters that the header must hold, in the order in which they are missed.
const HEADER_PARAMETERS: [&str; 3] = ["Credential", "Signature", "SignedHeaders"];
/// Parameters that a signed query string must hold, in the order in which they are missed.
const QUERY_PARAMETERS: [&str; 5] =
    ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"];

/// Why the credentials were refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CredentialError {
    /// The exception's name.
    pub(crate) name: &'static str,
    /// Its message.
    pub(crate) message: String,
}

/// Checks that the request is signed in form, by header or by query string.
///
/// # Errors
/// There is no signature, there are two, or parts of it are missing.
pub(crate) fn check(request: &Parts) -> Result<(), CredentialError> {
    let header = request.headers.get(header::AUTHORIZATION);
    let query = request.uri.query().unwrap_or_default();
    let is_query = has_parameter(query, QUERY_PARAMETERS[0]);
    let Some(header) = header else {
        return if is_query { check_query(query) } else { Err(missing()) };
    };
    if is_query {
        return Err(CredentialError {
            name: "InvalidSignatureException",
            message: "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' \
                      as HTTP header."
                .to_owned(),
        });
    }
    let header = header.to_str().map_err(|_| missing())?.trim();
    if !header.starts_with(SCHEME) {
        return Err(missing());
    }
    check_header(header, &request.headers)
}

fn missing() -> CredentialError {
    CredentialError {
        name: "MissingAuthenticationTokenException",
        message: "Request is missing Authentication Token".to_owned(),
    }
}

fn check_header(header: &str, headers: &HeaderMap) -> Result<(), CredentialError> {
    let mut message = String::new();
    for parameter in HEADER_PARAMETERS {
        if !names(header, parameter) {
            message.extend(["Authorization header requires '", parameter, "' parameter. "]);
        }
    }
    if !headers.contains_key("x-amz-date") && !headers.contains_key(header::DATE) {
        message += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' \
                    header. ";
    }
    incomplete(message, || format!("Authorization={header}"))
}

/// True if the header's list of parameters has this one with a value.
fn names(header: &str, parameter: &str) -> bool {
    header.split([',', ' ']).any(|part| {
        part.trim()
            .split_once('=')
            .is_some_and(|(name, value)| name == parameter && !value.is_empty())
    })
}

fn check_query(query: &str) -> Result<(), CredentialError> {
    let mut message = String::new();
    for parameter in QUERY_PARAMETERS {
        if !has_parameter(query, parameter) {
            message.extend(["AWS query-string parameters must include '", parameter, "'. "]);
        }
    }
    incomplete(message, || "Re-examine the query-string parameters.".to_owned())
}

fn has_parameter(query: &str, parameter: &str) -> bool {
    query.split('&').any(|part| {
        part.split_once('=').is_some_and(|(name, value)| name == parameter && !value.is_empty())
    })
}

fn incomplete(message: String, end: impl FnOnce() -> String) -> Result<(), CredentialError> {
    if message.is_empty() {
        return Ok(());
    }
    Err(CredentialError { name: "IncompleteSignatureException", message: message + &end() })
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    const SIGNED: &str = "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, \
        SignedHeaders=host;x-amz-date;x-amz-target, Signature=0123";

    fn checked(uri: &str, headers: &[(&str, &str)]) -> Result<(), CredentialError> {
        let builder = headers.iter().fold(Request::builder().uri(uri), |builder, (name, value)| {
            builder.header(*name, *value)
        });
        check(&builder.body(()).unwrap().into_parts().0)
    }

    #[test]
    fn any_signature_in_form_passes() {
        let date = ("x-amz-date", "20260101T000000Z");
        assert_eq!(checked("/", &[("authorization", SIGNED), date]), Ok(()));
        let tight = SIGNED.replace(", ", ",");
        assert_eq!(checked("/", &[("authorization", &tight), ("date", "now")]), Ok(()));
        let query = "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c\
            &X-Amz-SignedHeaders=d&X-Amz-Date=e";
        assert_eq!(checked(query, &[]), Ok(()));
    }

    #[test]
    fn a_request_without_a_signature_is_missing_its_token() {
        for headers in [&[][..], &[("authorization", "Bearer x")], &[("authorization", "")]] {
            let error = checked("/", headers).unwrap_err();
            assert_eq!(error.name, "MissingAuthenticationTokenException");
        }
    }

    #[test]
    fn each_part_that_is_missing_is_named() {
        let error =
            checked("/", &[("authorization", "AWS4-HMAC-SHA256 Credential=a")]).unwrap_err();
        assert_eq!(error.name, "IncompleteSignatureException");
        assert_eq!(
            error.message,
            "Authorization header requires 'Signature' parameter. Authorization header requires \
             'SignedHeaders' parameter. Authorization header requires existence of either a \
             'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256 Credential=a"
        );
        let error = checked("/?X-Amz-Algorithm=a&X-Amz-Date=e", &[]).unwrap_err();
        assert_eq!(
            error.message,
            "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string \
             parameters must include 'X-Amz-Signature'. AWS query-string parameters must include \
             'X-Amz-SignedHeaders'. Re-examine the query-string parameters."
        );
    }

    #[test]
    fn two_signatures_contradict_each_other() {
        let error = checked("/?X-Amz-Algorithm=a", &[("authorization", SIGNED)]).unwrap_err();
        assert_eq!(error.name, "InvalidSignatureException");
    }
}
