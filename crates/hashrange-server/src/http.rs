//! From an HTTP request to an operation, and from its reply to an HTTP answer.
//!
//! Invariant: every answer names its request with `x-amzn-RequestId` and carries the CRC-32 of its bytes.
//!
//! Source: facts 3.1, 4.10.3 and 10.

use bytes::Bytes;
use hashrange_types::{ApiError, Voice};
use hashrange_wire::CredentialError;
use http_body_util::Full;
use hyper::body::Body;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};

use crate::authentication;
use crate::body::{self, BodyError};
use crate::endpoint::{Endpoint, Fault};
use crate::origin;
use crate::simulated;

const TARGET: HeaderName = HeaderName::from_static("x-amz-target");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
const CHECKSUM: HeaderName = HeaderName::from_static("x-amz-crc32");
const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS, POST");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JSON_1_0: HeaderValue = HeaderValue::from_static("application/x-amz-json-1.0");
/// Headers that most answers fit; with `Date`, which hyper adds.
const HEADERS_ROOM: usize = 6;
/// What DynamoDB answers to a method or content type it does not serve.
const UNKNOWN: &str = "<UnknownOperationException/>\n";

/// An answer before it has headers.
struct Answer {
    status: StatusCode,
    content_type: HeaderValue,
    body: Bytes,
    /// The request's body was left unread, so nothing more can be heard on the connection.
    is_last: bool,
}

/// Answers one HTTP request. Like DynamoDB, it does not look at the path, but for a scenario's side endpoint.
pub async fn answer(
    endpoint: &Endpoint,
    request: Request<impl Body<Data = Bytes>>,
) -> Response<Full<Bytes>> {
    let (request, body) = request.into_parts();
    let origin = request.headers.get(header::ORIGIN);
    let is_allowed = origin.is_none_or(|origin| endpoint.settings.origins.allows(origin));
    let answer = match request.method {
        Method::GET | Method::POST if is_allowed && is_for_the_side(endpoint, &request) => {
            side(endpoint, &request, body).await
        }
        Method::POST if is_allowed => post(endpoint, &request, body).await,
        Method::POST | Method::OPTIONS if !is_allowed => foreign_page(origin),
        Method::OPTIONS => Answer::text(StatusCode::OK, ""),
        Method::GET | Method::HEAD => {
            let region = &endpoint.settings.voice.region;
            Answer::text(StatusCode::OK, format!("healthy: dynamodb.{region}.amazonaws.com"))
        }
        _ => Answer::text(StatusCode::NOT_FOUND, UNKNOWN),
    };
    let is_head = request.method == Method::HEAD;
    let mut response = answer.into_response(endpoint.request_ids.next(), is_head);
    if let Some(origin) = origin.filter(|_| is_allowed) {
        origin::let_read(response.headers_mut(), origin.clone());
        if request.method == Method::OPTIONS {
            origin::let_send(response.headers_mut(), &request.headers);
        }
    } else if request.method == Method::OPTIONS {
        response.headers_mut().insert(header::ALLOW, ALLOWED);
    }
    response
}

/// True for a path of the side endpoint, which a scenario has.
fn is_for_the_side(endpoint: &Endpoint, request: &Parts) -> bool {
    endpoint.simulated.is_some() && request.uri.path().starts_with(simulated::PATH)
}

async fn side(endpoint: &Endpoint, request: &Parts, body: impl Body<Data = Bytes>) -> Answer {
    let body = match body::read(&request.headers, body).await {
        Ok(body) => body,
        Err(error) => return unread(error, JSON),
    };
    let body = (request.method == Method::POST).then_some(&*body);
    match endpoint.simulated.as_ref().map(|run| run.side(request.uri.path(), body)) {
        Some(Ok(value)) => Answer::json(StatusCode::OK, value.to_string()).typed(JSON),
        Some(Err(sentence)) => Answer::text(StatusCode::BAD_REQUEST, sentence + "\n"),
        None => Answer::text(StatusCode::NOT_FOUND, UNKNOWN),
    }
}

async fn post(endpoint: &Endpoint, request: &Parts, body: impl Body<Data = Bytes>) -> Answer {
    let protocol = protocol(&request.headers);
    let content_type = protocol.clone().unwrap_or(JSON_1_0);
    let body = match body::read(&request.headers, body).await {
        Ok(body) => body,
        Err(error) => return unread(error, content_type),
    };
    if protocol.is_none() {
        return Answer::text(StatusCode::NOT_FOUND, UNKNOWN);
    }
    reply(endpoint, request, &body)
        .await
        .unwrap_or_else(|refusal| refusal.answer(&endpoint.settings.voice))
        .typed(content_type)
}

/// Why an operation has no response.
enum Refusal {
    Api(ApiError),
    Credentials(CredentialError),
    Fault,
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<CredentialError> for Refusal {
    fn from(error: CredentialError) -> Self {
        Self::Credentials(error)
    }
}

impl From<Fault> for Refusal {
    fn from(_: Fault) -> Self {
        Self::Fault
    }
}

impl Refusal {
    fn answer(self, voice: &Voice) -> Answer {
        match self {
            Self::Api(error) => {
                let encoded = hashrange_wire::encode_error(&error, voice);
                let status = StatusCode::from_u16(encoded.status)
                    .expect("the wire gives statuses between 400 and 599");
                Answer::json(status, encoded.body)
            }
            Self::Credentials(CredentialError { name, message }) => {
                let body = hashrange_wire::encode_front_end_error(name, &message);
                Answer::json(StatusCode::BAD_REQUEST, body)
            }
            Self::Fault => {
                let message = "Hashrange met a fault of its own and changed nothing.";
                let body = hashrange_wire::encode_front_end_error("InternalServerError", message);
                Answer::json(StatusCode::INTERNAL_SERVER_ERROR, body)
            }
        }
    }
}

/// Runs the operation, checking in DynamoDB's order: target, JSON and its types, credentials, the rest.
async fn reply(endpoint: &Endpoint, request: &Parts, body: &[u8]) -> Result<Answer, Refusal> {
    let target = request.headers.get(TARGET).and_then(|target| target.to_str().ok());
    let operation = hashrange_wire::target(target.unwrap_or_default())?;
    let text = std::str::from_utf8(body).map_err(|_| broken_json())?;
    let decoded = hashrange_wire::decode(operation, text);
    if let Err(error @ ApiError::Serialization { .. }) = decoded {
        return Err(error.into());
    }
    authentication::check(request)?;
    let response = endpoint.call(decoded?).await??;
    let body = hashrange_wire::encode_in(&response, &endpoint.settings.voice);
    Ok(Answer::json(StatusCode::OK, body))
}

/// The protocol the client speaks, as the content type that answers in it.
fn protocol(headers: &HeaderMap) -> Option<HeaderValue> {
    let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    hashrange_wire::protocol(content_type).map(HeaderValue::from_static)
}

/// The answer to a request whose body could not be had.
fn unread(error: BodyError, content_type: HeaderValue) -> Answer {
    let text = |status, sentence: &'static str| Answer::text(status, sentence);
    match error {
        BodyError::TooLarge => Refusal::Api(ApiError::RequestTooLarge)
            .answer(&Voice::default())
            .typed(content_type)
            .last(),
        BodyError::TooSlow => text(
            StatusCode::REQUEST_TIMEOUT,
            "The request's body did not arrive within 30 seconds.\n",
        )
        .last(),
        BodyError::Broken => {
            text(StatusCode::BAD_REQUEST, "The request's body ended early.\n").last()
        }
        BodyError::NotCompressed => {
            Refusal::Api(broken_json()).answer(&Voice::default()).typed(content_type)
        }
        BodyError::UnknownCompression => text(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "The request's Content-Encoding can't be read: send gzip or none.\n",
        ),
    }
}

fn foreign_page(origin: Option<&HeaderValue>) -> Answer {
    let origin = origin.and_then(|origin| origin.to_str().ok()).unwrap_or("this origin");
    let sentence = format!(
        "Web pages of {origin} are not answered: start the server with --cors {origin} to let them in.\n"
    );
    Answer::text(StatusCode::FORBIDDEN, sentence).last()
}

/// The error for text that is no JSON at all.
const fn broken_json() -> ApiError {
    ApiError::Serialization { message: String::new(), place: None }
}

impl Answer {
    fn text(status: StatusCode, text: impl Into<Bytes>) -> Self {
        Self { status, content_type: TEXT, body: text.into(), is_last: false }
    }

    fn json(status: StatusCode, text: String) -> Self {
        Self { status, content_type: JSON_1_0, body: text.into(), is_last: false }
    }

    fn typed(mut self, content_type: HeaderValue) -> Self {
        self.content_type = content_type;
        self
    }

    fn last(mut self) -> Self {
        self.is_last = true;
        self
    }

    fn into_response(self, request_id: HeaderValue, is_head: bool) -> Response<Full<Bytes>> {
        let checksum = HeaderValue::from(crc32fast::hash(&self.body));
        let mut headers = HeaderMap::with_capacity(HEADERS_ROOM);
        headers.insert(REQUEST_ID, request_id);
        headers.insert(CHECKSUM, checksum);
        headers.insert(header::CONTENT_TYPE, self.content_type);
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(self.body.len()));
        if self.is_last {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        let body = if is_head { Bytes::new() } else { self.body };
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = self.status;
        *response.headers_mut() = headers;
        response
    }
}
