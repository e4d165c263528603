//! The HTTP door from outside, without a network: requests go in and come back answered.
#![allow(clippy::unwrap_used, reason = "a test with nothing to unwrap has failed")]

use bytes::Bytes;
use hashrange_server::{Endpoint, Origins, Settings, Store, Voice, Wording, answer};
use hashrange_types::Operation;
use http_body_util::{BodyExt as _, Full};
use hyper::http::request::Builder;
use hyper::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};

const SIGNATURE: &str = "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, \
    SignedHeaders=host, Signature=0";
const PAGE: &str = "http://localhost:3000";

struct Server {
    endpoint: Endpoint,
    runtime: tokio::runtime::Runtime,
}

struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Server {
    fn new(settings: Settings) -> Self {
        let endpoint = Endpoint::new(Store::default(), settings);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        Self { endpoint, runtime }
    }

    fn for_page() -> Self {
        let origins = Origins::new(&[PAGE.to_owned()]).unwrap();
        Self::new(Settings { origins, ..Settings::default() })
    }

    fn send(&self, request: Builder, body: impl Into<Bytes>) -> Reply {
        let request = request.body(Full::new(body.into())).unwrap();
        self.runtime.block_on(async {
            let (parts, body) = answer(&self.endpoint, request).await.into_parts();
            let body = body.collect().await.unwrap().to_bytes().to_vec();
            Reply { status: parts.status, headers: parts.headers, body }
        })
    }

    fn call(&self, operation: &str, request: &Value) -> Reply {
        self.send(signed(operation), request.to_string())
    }
}

impl Reply {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The exception's name, after checking that the status is 400.
    #[track_caller]
    fn exception(&self) -> String {
        assert_eq!(self.status, StatusCode::BAD_REQUEST, "{}", String::from_utf8_lossy(&self.body));
        let body = self.json();
        body["__type"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
    }
}

fn unsigned(operation: &str) -> Builder {
    Request::builder()
        .method(Method::POST)
        .uri("/")
        .header("content-type", "application/x-amz-json-1.0")
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
}

fn signed(operation: &str) -> Builder {
    unsigned(operation).header("authorization", SIGNATURE).header("x-amz-date", "20260101T000000Z")
}

fn orders() -> Value {
    json!({
        "TableName": "Orders", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    })
}

#[test]
fn a_table_is_made_filled_and_read() {
    let voice = Voice { region: "eu-west-2".into(), ..Voice::default() };
    let server = Server::new(Settings { voice, ..Settings::default() });
    let table = server.call("CreateTable", &orders());
    assert_eq!(
        table.json()["TableDescription"]["TableArn"],
        "arn:aws:dynamodb:eu-west-2:000000000000:table/Orders"
    );
    let item = json!({"pk": {"S": "a"}, "n": {"N": "1"}});
    let put = server.call("PutItem", &json!({"TableName": "Orders", "Item": item}));
    assert_eq!((put.status, put.body.as_slice()), (StatusCode::OK, &b"{}"[..]));
    let key = json!({"TableName": "Orders", "Key": {"pk": {"S": "a"}}});
    assert_eq!(server.call("GetItem", &key).json(), json!({"Item": item}));
}

#[test]
fn messages_are_worded_as_the_edition_says_and_name_the_region() {
    let voice = Voice { region: "eu-west-2".into(), wording: Wording::May2026 };
    let older = Server::new(Settings { voice, ..Settings::default() });
    let today = Server::new(Settings::default());
    let update = json!({
        "TableName": "Orders", "Key": {"pk": {"S": "a"}},
        "ReturnValues": "ALL", "ReturnConsumedCapacity": "ALL",
    });
    let message = |server: &Server, operation, body: &Value| {
        server.call(operation, body).json()["message"].as_str().unwrap().to_owned()
    };
    assert!(message(&older, "UpdateItem", &update).starts_with("2 validation errors detected: "));
    assert!(message(&today, "UpdateItem", &update).starts_with("1 validation error detected: "));
    let bare = "ReturnValues can only be ALL_OLD or NONE";
    let put = json!({
        "TableName": "Orders", "Item": {"pk": {"S": "a"}}, "ReturnValues": "ALL_NEW",
    });
    assert_eq!(message(&older, "PutItem", &put), bare);
    assert_eq!(message(&today, "PutItem", &put), format!("1 validation error detected: {bare}"));
    let mut large = orders();
    large["BillingMode"] = "PROVISIONED".into();
    large["ProvisionedThroughput"] = json!({"ReadCapacityUnits": 40_001, "WriteCapacityUnits": 1});
    let quota = message(&older, "CreateTable", &large);
    assert!(quota.contains("for the account in eu-west-2. "), "{quota}");
    let mut encrypted = orders();
    encrypted["SSESpecification"] = json!({"Enabled": true});
    let table = older.call("CreateTable", &encrypted).json();
    assert_eq!(
        table["TableDescription"]["SSEDescription"]["KMSMasterKeyArn"],
        "arn:aws:kms:eu-west-2:000000000000:alias/aws/dynamodb"
    );
}

#[test]
fn every_answer_has_an_id_and_the_checksum_of_its_bytes() {
    let server = Server::new(Settings::default());
    let reply = server.call("ListTables", &json!({}));
    assert_eq!(reply.header("x-amzn-requestid").len(), 52);
    assert_eq!(reply.header("x-amz-crc32"), crc32fast::hash(&reply.body).to_string());
    assert_eq!(reply.header("content-type"), "application/x-amz-json-1.0");
    let other = server.call("ListTables", &json!({}));
    assert_ne!(reply.header("x-amzn-requestid"), other.header("x-amzn-requestid"));
}

#[test]
fn a_client_of_the_other_protocol_is_answered_in_it() {
    let mut request = signed("ListTables");
    let headers = request.headers_mut().unwrap();
    headers.insert("content-type", "application/x-amz-json-1.1; charset=utf-8".parse().unwrap());
    let reply = Server::new(Settings::default()).send(request, "{}");
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.header("content-type"), "application/x-amz-json-1.1");
}

#[test]
fn health_is_a_line_of_text() {
    let server = Server::new(Settings::default());
    let reply = server.send(Request::get("/"), "");
    assert_eq!(reply.body, b"healthy: dynamodb.us-east-1.amazonaws.com");
    let head = server.send(Request::head("/"), "");
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    assert_eq!(head.header("content-length"), reply.header("content-length"));
}

#[test]
fn other_methods_and_content_types_are_unknown_operations() {
    let server = Server::new(Settings::default());
    let mut request = signed("ListTables");
    request.headers_mut().unwrap().insert("content-type", "text/plain".parse().unwrap());
    for request in [Request::put("/"), Request::delete("/"), Request::post("/"), request] {
        let reply = server.send(request, "{}");
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
        assert_eq!(reply.body, b"<UnknownOperationException/>\n");
        assert_eq!(reply.header("x-amz-crc32"), "3552371480");
    }
}

#[test]
fn an_operation_nobody_knows_is_its_type_alone() {
    let server = Server::new(Settings::default());
    for target in ["DynamoDB_20120810.Nothing", "Nothing", "", "DynamoDB_20120810.", "é"] {
        let mut request = signed("x");
        request.headers_mut().unwrap().remove("x-amz-target");
        let reply = server.send(request.header("x-amz-target", target), "{}");
        assert_eq!(reply.exception(), "UnknownOperationException", "{target}");
    }
}

#[test]
fn json_is_looked_at_before_credentials_and_these_before_the_rest() {
    let server = Server::new(Settings::default());
    let refused = |request: Builder, body: &'static [u8]| server.send(request, body).exception();
    assert_eq!(refused(unsigned("GetItem"), b"{"), "SerializationException");
    assert_eq!(refused(unsigned("GetItem"), b"{}"), "MissingAuthenticationTokenException");
    assert_eq!(refused(signed("GetItem"), b"{}"), "ValidationException");
}

#[test]
fn bodies_that_are_no_request_are_serialization_errors() {
    let server = Server::new(Settings::default());
    let bodies: [&[u8]; 10] = [
        b"",
        b"[]",
        b"1",
        b"{\"TableName\": \"\xFF\"}",
        b"{\"Table\xC3\": \"Orders\"}",
        b"\xFF\xFE{\0}\0",
        b"{\"TableName\": \"\\ud800\"}",
        b"{\"TableName\": 1}",
        b"{\"TableName\": null}",
        b"\0",
    ];
    for body in bodies {
        let reply = server.send(signed("DescribeTable"), body);
        let text = String::from_utf8_lossy(body).into_owned();
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{text}");
        let name = reply.exception();
        assert!(
            name == "SerializationException" || name == "ValidationException",
            "{text}: {name}"
        );
    }
}

#[test]
fn no_operation_takes_null_for_a_request() {
    let server = Server::new(Settings::default());
    for operation in Operation::ALL {
        let name = operation.name();
        let streams = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
        let service =
            if streams.contains(&name) { "DynamoDBStreams_20120810" } else { "DynamoDB_20120810" };
        let mut request = signed(name);
        let target = format!("{service}.{name}").parse().unwrap();
        request.headers_mut().unwrap().insert("x-amz-target", target);
        assert_eq!(server.send(request, "null").exception(), "SerializationException", "{name}");
    }
    assert_eq!(server.call("ListTables", &json!({})).json(), json!({"TableNames": []}));
}

#[test]
fn values_and_expressions_nested_without_end_are_refused() {
    let server = Server::new(Settings::default());
    server.call("CreateTable", &orders());
    let nested = format!(
        r#"{{"TableName": "Orders", "Item": {{"pk": {{"S": "a"}}, "l": {}{}}}}}"#,
        r#"{"L": ["#.repeat(100_000),
        "]}".repeat(100_000)
    );
    let reply = server.send(signed("PutItem"), nested);
    assert!(reply.status.is_client_error());
    for open in ["(", "NOT ", "NOT (", "a[0].", "size("] {
        let filter = format!("{}a = a{}", open.repeat(2_000), ")".repeat(2_000));
        let scan = json!({"TableName": "Orders", "FilterExpression": filter});
        assert_eq!(server.call("Scan", &scan).exception(), "ValidationException", "{open}");
        let statement = format!("SELECT * FROM Orders WHERE {filter}");
        let statement = json!({"Statement": statement});
        let refused = server.call("ExecuteStatement", &statement).exception();
        assert_eq!(refused, "ValidationException", "{open}");
    }
    let (open, close) = ("(".repeat(2_000), ")".repeat(2_000));
    let (list, end) = ("[".repeat(2_000), "]".repeat(2_000));
    for (operation, member, text) in [
        ("UpdateItem", "UpdateExpression", format!("SET a = {open}b{close}")),
        ("UpdateItem", "UpdateExpression", format!("SET a{} = b", "[0]".repeat(2_000))),
        ("UpdateItem", "ConditionExpression", format!("{open}a = b{close}")),
        ("GetItem", "ProjectionExpression", format!("a{}", ".b".repeat(2_000))),
    ] {
        let request = json!({"TableName": "Orders", "Key": {"pk": {"S": "a"}}, member: text});
        assert_eq!(server.call(operation, &request).exception(), "ValidationException", "{text}");
    }
    let query = json!({"TableName": "Orders", "KeyConditionExpression": format!("{open}pk = :p{close}"),
        "ExpressionAttributeValues": {":p": {"S": "a"}}});
    assert_eq!(server.call("Query", &query).exception(), "ValidationException");
    let insert = format!("INSERT INTO Orders VALUE {{'pk': 'a', 'l': {list}{end}}}");
    let insert = json!({"Statement": insert});
    assert_eq!(server.call("ExecuteStatement", &insert).exception(), "ValidationException");
    let key = json!({"TableName": "Orders", "Key": {"pk": {"S": "a"}}});
    assert_eq!(server.call("GetItem", &key).json(), json!({}));
}

#[test]
fn a_body_over_sixteen_megabytes_is_too_large() {
    let server = Server::new(Settings::default());
    let reply = server.send(signed("ListTables"), vec![b' '; 16 * 1_024 * 1_024 + 1]);
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reply.header("connection"), "close");
}

#[test]
fn only_pages_that_were_let_in_are_answered() {
    let server = Server::for_page();
    let reply = server.send(signed("ListTables").header("origin", PAGE), "{}");
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.header("access-control-allow-origin"), PAGE);
    assert!(reply.header("access-control-expose-headers").contains("x-amz-crc32"));

    let foreign = server.send(signed("ListTables").header("origin", "http://evil.example"), "{}");
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    assert_eq!(foreign.header("access-control-allow-origin"), "");
    assert!(String::from_utf8(foreign.body).unwrap().contains("--cors http://evil.example"));
}

#[test]
fn a_preflight_says_what_the_page_may_send() {
    let preflight = |origin: &str| {
        let request = Request::options("/")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "x-amz-target,authorization")
            .header("access-control-request-private-network", "true");
        Server::for_page().send(request, "")
    };
    let reply = preflight(PAGE);
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.header("access-control-allow-headers"), "x-amz-target,authorization");
    assert_eq!(reply.header("access-control-allow-private-network"), "true");
    assert!(reply.header("access-control-allow-methods").contains("POST"));
    assert_eq!(preflight("http://evil.example").header("access-control-allow-origin"), "");
    let plain = Server::for_page().send(Request::options("/"), "");
    assert_eq!(plain.header("allow"), "GET, HEAD, OPTIONS, POST");
}
