//! A scenario over HTTP: stale reads, throttles and failures on purpose, and the side endpoint.
#![allow(clippy::unwrap_used, reason = "a test with nothing to unwrap has failed")]

use bytes::Bytes;
use hashrange_server::{Endpoint, Scenario, Settings, SimulatedClock, Store, answer};
use http_body_util::{BodyExt as _, Full};
use hyper::{Request, StatusCode};
use serde_json::{Value, json};

const SIGNATURE: &str = "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, \
    SignedHeaders=host, Signature=0";

struct Server {
    endpoint: Endpoint,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    fn new(settings: &Value, steps: &Value, clock: SimulatedClock) -> Self {
        let scenario = json!({
            "settings": settings,
            "tables": [{
                "TableName": "Orders",
                "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            }],
            "steps": steps,
        });
        let scenario = Scenario::from_json(&scenario).unwrap();
        let endpoint =
            Endpoint::simulated(Store::default(), Settings::default(), &scenario, clock).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        Self { endpoint, runtime }
    }

    fn send(&self, request: Request<Full<Bytes>>) -> (StatusCode, Vec<u8>) {
        self.runtime.block_on(async {
            let (parts, body) = answer(&self.endpoint, request).await.into_parts();
            (parts.status, body.collect().await.unwrap().to_bytes().to_vec())
        })
    }

    fn call(&self, operation: &str, body: &Value) -> (StatusCode, Value) {
        let request = Request::post("/")
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
            .header("authorization", SIGNATURE)
            .header("x-amz-date", "20260101T000000Z");
        let request = request.body(Full::new(body.to_string().into())).unwrap();
        let (status, body) = self.send(request);
        (status, serde_json::from_slice(&body).unwrap())
    }

    fn put(&self, version: u32) -> (StatusCode, Value) {
        let item = json!({"pk": {"S": "a"}, "v": {"N": version.to_string()}});
        self.call("PutItem", &json!({"TableName": "Orders", "Item": item}))
    }

    /// The version that an eventually consistent read sees.
    fn version(&self) -> Value {
        let get = json!({"TableName": "Orders", "Key": {"pk": {"S": "a"}}});
        self.call("GetItem", &get).1["Item"]["v"]["N"].clone()
    }

    fn advance(&self, ms: u32) -> Value {
        let body = json!({ "advance_ms": ms }).to_string();
        let request = Request::post("/_hashrange/clock").body(Full::new(body.into())).unwrap();
        let (status, body) = self.send(request);
        assert_eq!(status, 200);
        serde_json::from_slice(&body).unwrap()
    }

    fn get(&self, path: &str) -> (StatusCode, String) {
        let request = Request::get(path).body(Full::default()).unwrap();
        let (status, body) = self.send(request);
        (status, String::from_utf8(body).unwrap())
    }

    fn events(&self) -> Vec<Value> {
        let events: Value = serde_json::from_str(&self.get("/_hashrange/events").1).unwrap();
        events["events"].as_array().unwrap().clone()
    }
}

fn lagging() -> Value {
    json!({"preset": "lesson", "lag": {"followers_ms": [0, 150]}, "eventual_reads": "slowest-follower"})
}

#[test]
fn a_read_is_stale_until_the_manual_clock_has_passed_the_lag() {
    let server = Server::new(&lagging(), &json!([]), SimulatedClock::Manual);
    assert_eq!(server.put(1).0, 200);
    assert_eq!(server.version(), Value::Null);
    let clock = server.advance(149);
    assert_eq!(clock, json!({"now": "2026-01-01T00:00:00.149Z", "is_settled": false}));
    assert_eq!(server.version(), Value::Null);
    assert_eq!(server.advance(1)["is_settled"], true);
    assert_eq!(server.version(), "1");
    let reads = server.events().into_iter().filter(|event| event["name"] == "read.served");
    let behind: Vec<Value> = reads.map(|event| event["behind_ms"].clone()).collect();
    assert_eq!(behind, [0, 149, 0]);
}

#[test]
fn with_the_machines_clock_time_passes_by_itself_and_can_be_moved_on() {
    let server = Server::new(&lagging(), &json!([]), SimulatedClock::Wall);
    // So long a lag that no machine is slow enough to sit it out.
    let mut settings = lagging();
    settings["lag"]["followers_ms"] = json!([0, 100_000_000]);
    let slow = Server::new(&settings, &json!([]), SimulatedClock::Wall);
    for server in [&server, &slow] {
        assert_eq!(server.put(1).0, 200);
    }
    assert_eq!(slow.version(), Value::Null);
    slow.advance(100_000_000);
    assert_eq!(slow.version(), "1");
    server.advance(150);
    assert_eq!(server.version(), "1");
}

#[test]
fn a_reply_comes_when_its_simulated_time_has_passed() {
    let settings = json!({"preset": "lesson", "commit_ms": 3, "reply_ms": 20});
    let server = Server::new(&settings, &json!([]), SimulatedClock::Wall);
    assert_eq!(server.put(1).0, 200);
    let done = server.events().into_iter().rfind(|event| event["name"] == "request.done").unwrap();
    let now: Value = serde_json::from_str(&server.get("/_hashrange/clock").1).unwrap();
    let clock = now["now"].as_str().unwrap();
    // The reply was sent 20 ms after the effect, so that the clock is past that at least.
    let ms: f64 =
        clock.strip_prefix("2026-01-01T00:00:0").unwrap().trim_end_matches('Z').parse().unwrap();
    assert!(ms * 1_000.0 >= done["at_ms"].as_f64().unwrap() + 19.0, "{clock} {done}");
}

#[test]
fn a_partition_throttles_and_a_reply_is_lost_on_purpose() {
    let settings = json!({"preset": "lesson", "driver": "cluster", "cap": {"wcu": 2}});
    let server = Server::new(
        &settings,
        &json!([{"at_ms": 5_000, "fault": "lose_reply"}]),
        SimulatedClock::Manual,
    );
    let replies: Vec<_> = (0..3).map(|version| server.put(version)).collect();
    assert_eq!([replies[0].0, replies[1].0, replies[2].0], [200, 200, 400]);
    let throttled = &replies[2].1;
    assert!(throttled["__type"].as_str().unwrap().ends_with("#ThrottlingException"), "{throttled}");
    assert_eq!(throttled["throttlingReasons"][0]["reason"], "TableWriteKeyRangeThroughputExceeded");
    server.advance(5_000);
    let (status, lost) = server.put(9);
    assert_eq!(status, 500);
    assert!(lost["__type"].as_str().unwrap().ends_with("#InternalServerError"), "{lost}");
    assert_eq!(server.version(), "9");
}

#[test]
fn the_side_endpoint_is_there_for_scenarios_only_and_says_what_is_wrong() {
    let server = Server::new(&lagging(), &json!([]), SimulatedClock::Manual);
    let (status, sentence) = server.get("/_hashrange/partitions");
    assert_eq!(
        (status.as_u16(), sentence.starts_with("there is only GET /_hashrange/events")),
        (400, true)
    );
    for body in ["", "{}", "{\"advance_ms\": -1}", "{\"advance_ms\": \"1\"}"] {
        let request = Request::post("/_hashrange/clock").body(Full::from(body)).unwrap();
        let (status, sentence) = server.send(request);
        assert_eq!(status, 400, "{body}");
        assert!(sentence.starts_with(b"the clock takes {\"advance_ms\": n}"), "{body}");
    }
    let plain = Endpoint::new(Store::default(), Settings::default());
    let plain = Server { endpoint: plain, runtime: server.runtime };
    assert!(plain.get("/_hashrange/events").1.starts_with("healthy"));
}
