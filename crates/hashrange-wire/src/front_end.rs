//! What the front end of DynamoDB looks at before the request itself: the protocol, and credentials in form.
//!
//! A request must carry a signature as every SDK sends one. It is never verified: any access key and any
//! signature passes, since there is nothing here to protect.
//!
//! Not here: HTTP itself. Doors hand over the few texts that matter.
//!
//! Source: facts 10; the order of checks is 4.10.3.

/// What the `Authorization` header of a signed request begins with.
const SCHEME: &str = "AWS4-";
/// Parameters that the header must hold, in the order in which they are missed.
const HEADER_PARAMETERS: [&str; 3] = ["Credential", "Signature", "SignedHeaders"];
/// Parameters that a signed query string must hold, in the order in which they are missed.
const QUERY_PARAMETERS: [&str; 5] =
    ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"];

/// The protocols that clients speak, as the content types of their requests and of the answers.
const PROTOCOLS: [&str; 2] = ["application/x-amz-json-1.0", "application/x-amz-json-1.1"];

/// Where a request carries its signature.
#[derive(Debug, Clone, Copy, Default)]
pub struct Credentials<'a> {
    /// The header `Authorization`, if there is one.
    pub authorization: Option<&'a str>,
    /// True if there is a header `X-Amz-Date` or `Date`.
    pub has_date: bool,
    /// The query string, without its question mark.
    pub query: &'a str,
}

/// Why the credentials were refused.
#[derive(Debug, PartialEq, Eq)]
pub struct CredentialError {
    /// The exception's name.
    pub name: &'static str,
    /// Its message.
    pub message: String,
}

/// The protocol a request speaks, as the content type that answers in it; none if nobody here speaks it.
///
/// ```
/// use hashrange_wire::protocol;
/// assert_eq!(protocol("Application/X-Amz-Json-1.1; charset=utf-8"), Some("application/x-amz-json-1.1"));
/// assert_eq!(protocol("application/json"), None);
/// ```
pub fn protocol(content_type: &str) -> Option<&'static str> {
    let end = content_type.find(';').unwrap_or(content_type.len());
    let name = content_type[..end].trim();
    PROTOCOLS.into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

impl Credentials<'_> {
    /// Checks that the request is signed in form, by header or by query string.
    ///
    /// # Errors
    /// There is no signature, there are two, or parts of it are missing.
    pub fn check(self) -> Result<(), CredentialError> {
        let is_query = has_parameter(self.query, QUERY_PARAMETERS[0]);
        let Some(header) = self.authorization else {
            return if is_query { check_query(self.query) } else { Err(missing()) };
        };
        if is_query {
            return Err(CredentialError {
                name: "InvalidSignatureException",
                message:
                    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' \
                          as HTTP header."
                        .to_owned(),
            });
        }
        let header = header.trim();
        if !header.starts_with(SCHEME) {
            return Err(missing());
        }
        check_header(header, self.has_date)
    }
}

fn missing() -> CredentialError {
    CredentialError {
        name: "MissingAuthenticationTokenException",
        message: "Request is missing Authentication Token".to_owned(),
    }
}

fn check_header(header: &str, has_date: bool) -> Result<(), CredentialError> {
    let mut message = String::new();
    for parameter in HEADER_PARAMETERS {
        if !names(header, parameter) {
            message.extend(["Authorization header requires '", parameter, "' parameter. "]);
        }
    }
    if !has_date {
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
    use super::*;

    const SIGNED: &str = "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, \
        SignedHeaders=host;x-amz-date;x-amz-target, Signature=0123";

    fn by_header(authorization: &str, has_date: bool) -> Result<(), CredentialError> {
        Credentials { authorization: Some(authorization), has_date, query: "" }.check()
    }

    fn by_query(query: &str) -> Result<(), CredentialError> {
        Credentials { query, ..Credentials::default() }.check()
    }

    #[test]
    fn any_signature_in_form_passes() {
        assert_eq!(by_header(SIGNED, true), Ok(()));
        assert_eq!(by_header(&SIGNED.replace(", ", ","), true), Ok(()));
        let query = "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c\
            &X-Amz-SignedHeaders=d&X-Amz-Date=e";
        assert_eq!(by_query(query), Ok(()));
    }

    #[test]
    fn a_request_without_a_signature_is_missing_its_token() {
        for result in [by_query(""), by_header("Bearer x", true), by_header("", true)] {
            assert_eq!(result.unwrap_err().name, "MissingAuthenticationTokenException");
        }
    }

    #[test]
    fn each_part_that_is_missing_is_named() {
        let error = by_header("AWS4-HMAC-SHA256 Credential=a", false).unwrap_err();
        assert_eq!(error.name, "IncompleteSignatureException");
        assert_eq!(
            error.message,
            "Authorization header requires 'Signature' parameter. Authorization header requires \
             'SignedHeaders' parameter. Authorization header requires existence of either a \
             'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256 Credential=a"
        );
        let error = by_query("X-Amz-Algorithm=a&X-Amz-Date=e").unwrap_err();
        assert_eq!(
            error.message,
            "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string \
             parameters must include 'X-Amz-Signature'. AWS query-string parameters must include \
             'X-Amz-SignedHeaders'. Re-examine the query-string parameters."
        );
    }

    #[test]
    fn two_signatures_contradict_each_other() {
        let two =
            Credentials { authorization: Some(SIGNED), has_date: true, query: "X-Amz-Algorithm=a" };
        assert_eq!(two.check().unwrap_err().name, "InvalidSignatureException");
    }
}
