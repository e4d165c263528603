//! What is asked: the tables, their items, and each load's requests as the bytes that go over the wire.
//!
//! Invariant: every server gets the same bytes, but for the port in `Host`.

use std::net::SocketAddr;

use serde_json::{Value, json};

/// Items of one load: enough that no two connections meet at one.
const N_ITEMS: usize = 500;
/// Requests of one load, taken in turn: each item comes twice with another content, so that every put of it
/// is a change.
const N_REQUESTS: usize = 2 * N_ITEMS;
/// Items of the collection that is queried.
const COLLECTION: usize = 100;
/// Items of the table that is scanned, all in one page of 1 MB.
const SHELF: usize = 10_000;
/// One item in so many passes the filter.
const PASSES_EVERY: usize = 100;
/// Most items of a BatchWriteItem.
const BATCH: usize = 25;

/// What is asked again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// PutItem of 1 KB.
    Put,
    /// GetItem of 1 KB.
    Get,
    /// Query of 100 items of 300 B.
    Query,
    /// Scan of 10,000 items with a filter that one in 100 passes.
    Scan,
    /// TransactWriteItems of ten puts of 300 B.
    Transact,
}

impl Load {
    /// The requests as bytes.
    pub(crate) fn requests(self, address: SocketAddr) -> Vec<Vec<u8>> {
        (0..N_REQUESTS)
            .map(|number| {
                let (operation, body) = self.request(number);
                bytes(address, operation, &body)
            })
            .collect()
    }

    /// What the answer to each of them holds, as a server that does the work answers.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Put | Self::Transact => "{}",
            Self::Get => "\"note\":{\"S\":\"xxx",
            Self::Query => "\"Count\":100",
            Self::Scan => "\"ScannedCount\":10000",
        }
    }

    fn request(self, number: usize) -> (&'static str, Value) {
        match self {
            Self::Put => {
                let item = version("P", number, number % N_ITEMS, 1_000);
                ("PutItem", json!({"TableName": "Orders", "Item": item}))
            }
            Self::Get => {
                let mut key = item("G", number % N_ITEMS, 1_000);
                key.as_object_mut()
                    .expect("an item is an object")
                    .retain(|name, _| name.len() == 2);
                ("GetItem", json!({"TableName": "Orders", "Key": key}))
            }
            Self::Query => {
                let query = json!({
                    "TableName": "Orders",
                    "KeyConditionExpression": "pk = :pk",
                    "ExpressionAttributeValues": {":pk": {"S": "Q"}},
                });
                ("Query", query)
            }
            Self::Scan => {
                let scan = json!({
                    "TableName": "Shelf",
                    "FilterExpression": "n = :n",
                    "ExpressionAttributeValues": {":n": {"N": "7"}},
                });
                ("Scan", scan)
            }
            Self::Transact => {
                let put = |at: usize| {
                    let item = version("T", number, number % N_ITEMS * 10 + at, 300);
                    json!({"Put": {"TableName": "Orders", "Item": item}})
                };
                let puts: Vec<Value> = (0..10).map(put).collect();
                ("TransactWriteItems", json!({"TransactItems": puts}))
            }
        }
    }
}

/// What makes the tables, one request each.
pub(crate) fn tables(address: SocketAddr) -> Vec<Vec<u8>> {
    let table = |name: &str| {
        let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
        let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
        json!({
            "TableName": name,
            "AttributeDefinitions": [attribute("pk"), attribute("sk")],
            "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
            "BillingMode": "PAY_PER_REQUEST",
        })
    };
    ["Orders", "Shelf"].map(|name| bytes(address, "CreateTable", &table(name))).to_vec()
}

/// What asks whether a table is ready.
pub(crate) fn describe(address: SocketAddr, name: &str) -> Vec<u8> {
    bytes(address, "DescribeTable", &json!({"TableName": name}))
}

/// The cheapest question there is.
pub(crate) fn list_tables(address: SocketAddr) -> Vec<u8> {
    bytes(address, "ListTables", &json!({}))
}

/// What puts the items that are read, a batch each.
pub(crate) fn fill(address: SocketAddr) -> Vec<Vec<u8>> {
    let gets = (0..N_ITEMS).map(|number| item("G", number, 1_000));
    let collection = (0..COLLECTION).map(|number| {
        let mut item = item("Q", number, 300);
        item["pk"] = json!({"S": "Q"});
        item
    });
    let orders: Vec<Value> = gets.chain(collection).collect();
    let shelf: Vec<Value> = (0..SHELF)
        .map(|number| {
            let mut item = item("S", number, 90);
            item["n"] = json!({"N": (number % PASSES_EVERY).to_string()});
            item
        })
        .collect();
    [batches(address, "Orders", &orders), batches(address, "Shelf", &shelf)].concat()
}

/// BatchWriteItem requests that put these many items of 300 B.
pub(crate) fn many(address: SocketAddr, n_items: usize) -> Vec<Vec<u8>> {
    let items: Vec<Value> = (0..n_items).map(|number| item("M", number, 300)).collect();
    batches(address, "Orders", &items)
}

fn batches(address: SocketAddr, table: &str, items: &[Value]) -> Vec<Vec<u8>> {
    let batch = |items: &[Value]| {
        let puts: Vec<Value> =
            items.iter().map(|item| json!({"PutRequest": {"Item": item}})).collect();
        bytes(address, "BatchWriteItem", &json!({"RequestItems": {table: puts}}))
    };
    items.chunks(BATCH).map(batch).collect()
}

/// An item of about `size_bytes`, by DynamoDB's count.
fn item(kind: &str, number: usize, size_bytes: usize) -> Value {
    let mut item = json!({
        "pk": {"S": format!("{kind}#{:05}", number / 10)},
        "sk": {"S": format!("ORDER#{number:06}")},
        "n": {"N": number.to_string()},
        "status": {"S": "shipped"},
    });
    // The rest of a small item is its names and keys.
    let rest = size_bytes.saturating_sub(50);
    item["note"] = json!({"S": "x".repeat(rest)});
    item
}

/// An item as request `request` puts it: another content than the request before left there.
fn version(kind: &str, request: usize, number: usize, size_bytes: usize) -> Value {
    let mut item = item(kind, number, size_bytes);
    item["n"] = json!({"N": (request / N_ITEMS).to_string()});
    item
}

/// A POST as an SDK sends it, signed in form.
fn bytes(address: SocketAddr, operation: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.{operation}\r\nX-Amz-Date: 20261130T000000Z\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=local/20261130/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=host;x-amz-date;x-amz-target, Signature=0123456789abcdef\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
