//! Requests as DynamoDB JSON against a cluster or a database, for the tests of this crate.
#![allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "each test file uses a part, with literals"
)]

use hashrange_engine::Database;
use hashrange_simulation::{Cluster, Settings};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{ApiError, CapacityUnits, Operation, Request, Timestamp};
use serde_json::{Value, json};

/// The request of an operation.
pub(crate) fn request(operation: &str, body: &Value) -> Request {
    let operation = Operation::from_name(operation).expect("the operation exists");
    hashrange_wire::decode(operation, &body.to_string()).expect("the test's request is in form")
}

/// An answer as DynamoDB JSON, or the error's name and message.
pub(crate) fn answer(reply: &Result<hashrange_types::Response, ApiError>) -> Value {
    match reply {
        Ok(response) => {
            serde_json::from_str(&hashrange_wire::encode(response)).expect("answers are JSON")
        }
        Err(error) => json!({"error": error.name(), "message": error.to_string()}),
    }
}

/// Sends one request and waits for its answer.
pub(crate) fn call(cluster: &mut Cluster, operation: &str, body: Value) -> Value {
    answer(&cluster.call(request(operation, &body)).reply)
}

/// The same for a database, at one moment.
pub(crate) fn call_database(
    database: &mut Database,
    operation: &str,
    body: &Value,
    now: Timestamp,
) -> Value {
    answer(&database.call(request(operation, body), now).reply)
}

/// A cluster with the table `Orders` keyed by `pk` and `sk`, and with its index `byColour`.
pub(crate) fn cluster(settings: Settings) -> Cluster {
    let mut cluster = Cluster::new(settings);
    let created =
        call(&mut cluster, "CreateTable", table(&json!({"BillingMode": "PAY_PER_REQUEST"})));
    assert_eq!(created["TableDescription"]["TableStatus"], "ACTIVE", "{created}");
    cluster
}

/// CreateTable of `Orders`, with these members besides.
pub(crate) fn table(more: &Value) -> Value {
    let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let text = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let mut table = json!({
        "TableName": "Orders",
        "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
        "AttributeDefinitions": [text("pk"), text("sk"), text("colour")],
        "GlobalSecondaryIndexes": [{
            "IndexName": "byColour",
            "KeySchema": [key("colour", "HASH"), key("sk", "RANGE")],
            "Projection": {"ProjectionType": "ALL"},
        }],
    });
    for (name, value) in more.as_object().expect("members") {
        table[name] = value.clone();
    }
    table
}

/// PutItem of an item with this partition key and version.
pub(crate) fn put(pk: &str, version: u32) -> Value {
    json!({"TableName": "Orders", "Item": {
        "pk": {"S": pk}, "sk": {"S": "a"}, "colour": {"S": "red"}, "v": {"N": version.to_string()},
    }})
}

/// GetItem of that item.
pub(crate) fn get(pk: &str, is_consistent: bool) -> Value {
    json!({"TableName": "Orders", "Key": {"pk": {"S": pk}, "sk": {"S": "a"}}, "ConsistentRead": is_consistent})
}

/// The version in an answer to GetItem, or of the first item of a Query; 0 where there is none.
pub(crate) fn version(answer: &Value) -> u32 {
    let item = answer.get("Item").or_else(|| answer["Items"].get(0));
    item.and_then(|item| item["v"]["N"].as_str()).map_or(0, |v| v.parse().expect("a version"))
}

/// Lets time pass.
pub(crate) fn run_for(cluster: &mut Cluster, us: i64) {
    let moment = Timestamp(cluster.now().0 + us);
    assert!(cluster.run_until(moment, 1_000_000), "there is an end to what happens");
}

/// A stream of requests at one rate; the function gets their numbers from 0.
pub(crate) struct Source<'a> {
    pub(crate) rate: u32,
    pub(crate) request: Box<dyn Fn(u32) -> Request + 'a>,
}

/// A stream of requests.
pub(crate) fn source<'a>(rate: u32, request: impl Fn(u32) -> Request + 'a) -> Source<'a> {
    Source { rate, request: Box::new(request) }
}

/// How a load went.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Loaded {
    pub(crate) sent: u32,
    pub(crate) throttled: u32,
    /// Half units consumed.
    pub(crate) halves: u64,
}

/// Sends requests for so many seconds, evenly interleaved.
pub(crate) fn load(cluster: &mut Cluster, sources: &[Source<'_>], seconds: u32) -> Loaded {
    let start = cluster.now().0;
    let mut counts = vec![0_u32; sources.len()];
    let mut loaded = Loaded::default();
    loop {
        let due = |at: usize| i64::from(counts[at]) * 1_000_000 / i64::from(sources[at].rate);
        let next = (0..sources.len()).min_by_key(|at| due(*at)).expect("a source");
        let after_us = due(next);
        if after_us >= i64::from(seconds) * 1_000_000 {
            cluster.run_until(Timestamp(start + i64::from(seconds) * 1_000_000), usize::MAX);
            return loaded;
        }
        cluster.run_until(Timestamp(start + after_us), usize::MAX);
        let outcome = cluster.call((sources[next].request)(counts[next]));
        counts[next] += 1;
        loaded.sent += 1;
        match &outcome.reply {
            Ok(_) => {}
            Err(ApiError::Throttled(_)) => loaded.throttled += 1,
            Err(error) => panic!("{error}"),
        }
        let units = outcome.consumed.iter().map(ConsumedCapacity::total);
        loaded.halves += units.map(CapacityUnits::as_halves).sum::<u64>();
    }
}

/// PutItem of an item of `Orders` with these keys, padded with so many bytes.
pub(crate) fn put_of(pk: &str, sk: &str, padding: usize) -> Request {
    request(
        "PutItem",
        &json!({"TableName": "Orders", "Item": {
            "pk": {"S": pk}, "sk": {"S": sk}, "note": {"S": "x".repeat(padding)},
        }}),
    )
}

/// Creates `Orders` without indexes, provisioned with so many units, or on demand.
pub(crate) fn create(cluster: &mut Cluster, units: Option<[u32; 2]>) {
    let mut request = table(&json!({"BillingMode": "PAY_PER_REQUEST"}));
    if let Some([read, write]) = units {
        request["BillingMode"] = json!("PROVISIONED");
        request["ProvisionedThroughput"] =
            json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
    }
    let members = request.as_object_mut().expect("an object");
    members.remove("GlobalSecondaryIndexes");
    request["AttributeDefinitions"].as_array_mut().expect("a list").pop();
    let created = call(cluster, "CreateTable", request);
    assert_eq!(created["TableDescription"]["TableStatus"], "ACTIVE", "{created}");
}

/// `n` partition keys of `Orders` that share the space of hashes evenly, in the order of hashes.
pub(crate) fn spread_keys(cluster: &Cluster, n: usize) -> Vec<String> {
    let table = cluster.store().table("Orders").expect("it is there");
    let mut found = vec![None; n];
    for number in 0..100 * n {
        let pk = format!("k{number}");
        let item = [("pk".into(), hashrange_types::AttributeValue::S(pk.as_str().into()))];
        let item: hashrange_types::Item = item.into_iter().collect();
        let hash = table.schema().key.placement_hash(&item).expect("it has the key");
        let part = usize::try_from((u128::from(hash) * n as u128) >> 64).expect("below n");
        found[part].get_or_insert(pk);
    }
    found.into_iter().map(|key| key.expect("a hundred keys for each part reach all")).collect()
}

/// 400 write units over four partitions that get 50, 50, 50 and 150 writes a second for a minute; returns how many
/// are throttled.
pub(crate) fn four_hundred_over_four(settings: &Settings) -> u32 {
    let mut cluster = Cluster::new(Settings { burst_seconds: 0, ..settings.clone() });
    create(&mut cluster, Some([1, 3_999]));
    let lower = json!({"TableName": "Orders",
        "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 400}});
    assert!(call(&mut cluster, "UpdateTable", lower).get("error").is_none());
    assert_eq!(cluster.partitions().len(), 4, "partitions are never merged");
    let keys = spread_keys(&cluster, 4);
    let sources: Vec<_> = keys
        .iter()
        .zip([50, 50, 50, 150])
        .map(|(key, rate)| source(rate, move |n| put_of(key, &n.to_string(), 200)))
        .collect();
    // Not at the very beginning, when buckets are full.
    load(&mut cluster, &sources, 2);
    load(&mut cluster, &sources, 60).throttled
}
