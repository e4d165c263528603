//! Requests as DynamoDB JSON against a cluster or a database, for the tests of this crate.
#![allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "each test file uses a part, with literals"
)]

use hashrange_engine::Database;
use hashrange_simulation::{Cluster, Settings};
use hashrange_types::{ApiError, Operation, Request, Timestamp};
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
