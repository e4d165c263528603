//! A cache in front of a table: what it answers, what it gets wrong, what it saves.
#![allow(clippy::needless_pass_by_value, reason = "requests are written as literals")]

mod script;

use hashrange_simulation::{Cluster, Dax, DaxResult, DaxSettings, EventKind, Settings};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{CapacityUnits, Timestamp};
use script::{answer, call, request};
use serde_json::{Value, json};

/// A cache before the products of lesson 4.3: 200 items of 3,000 bytes.
struct Shop {
    cluster: Cluster,
    dax: Dax,
    start: Timestamp,
}

impl Shop {
    fn new(settings: DaxSettings) -> Self {
        let mut cluster = Cluster::new(Settings::default());
        call(
            &mut cluster,
            "CreateTable",
            json!({
                "TableName": "Products", "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [
                    {"AttributeName": "category", "KeyType": "HASH"},
                    {"AttributeName": "id", "KeyType": "RANGE"},
                ],
                "AttributeDefinitions": [
                    {"AttributeName": "category", "AttributeType": "S"},
                    {"AttributeName": "id", "AttributeType": "S"},
                ],
            }),
        );
        for (category, product) in (1..=10).flat_map(|c| (1..=20).map(move |p| (c, p))) {
            let item = json!({
                "category": {"S": format!("cat-{category:02}")},
                "id": {"S": format!("prod-{product:03}")},
                "price": {"N": "11"}, "note": {"S": "x".repeat(2_965)},
            });
            call(&mut cluster, "PutItem", json!({"TableName": "Products", "Item": item}));
        }
        let start = cluster.now();
        Self { cluster, dax: Dax::new(settings), start }
    }

    fn at_s(&mut self, seconds: i64) {
        assert!(self.cluster.run_until(Timestamp(self.start.0 + seconds * 1_000_000), 1_000));
    }

    /// Through the cache: the answer, the units and what became of it there.
    fn ask(&mut self, operation: &str, body: Value) -> (Value, f64, DaxResult) {
        let outcome = self.dax.call(&mut self.cluster, request(operation, &body));
        let units: CapacityUnits = outcome.consumed.iter().map(ConsumedCapacity::total).sum();
        let result = self.cluster.events().iter().rev().find_map(|event| match event.kind {
            EventKind::Dax { result, .. } => Some(result),
            _ => None,
        });
        (answer(&outcome.reply), units.as_f64(), result.expect("every request is told of"))
    }

    fn get(&mut self, id: &str) -> (u32, f64, DaxResult) {
        let (answer, units, result) = self.ask("GetItem", get(id));
        (price(&answer["Item"]), units, result)
    }

    /// Units that the table served until now.
    fn table_units(&self) -> f64 {
        let served = self.cluster.events().iter().map(|event| match event.kind {
            EventKind::RequestDone { units, .. } => units,
            _ => CapacityUnits::ZERO,
        });
        served.sum::<CapacityUnits>().as_f64()
    }
}

fn key(id: &str) -> Value {
    json!({"category": {"S": "cat-03"}, "id": {"S": id}})
}

fn get(id: &str) -> Value {
    json!({"TableName": "Products", "Key": key(id)})
}

fn query() -> Value {
    json!({"TableName": "Products", "KeyConditionExpression": "category = :c",
        "ExpressionAttributeValues": {":c": {"S": "cat-03"}}})
}

fn set_price(id: &str, price: u32) -> Value {
    json!({"TableName": "Products", "Key": key(id), "UpdateExpression": "SET price = :p",
        "ExpressionAttributeValues": {":p": {"N": price.to_string()}}})
}

fn price(item: &Value) -> u32 {
    item["price"]["N"].as_str().map_or(0, |price| price.parse().expect("a price"))
}

use DaxResult::{Hit, Miss, Negative, Pass};

#[test]
fn a_second_read_is_answered_from_memory_for_no_units() {
    let mut shop = Shop::new(DaxSettings::default());
    let before = shop.table_units();
    assert_eq!(shop.get("prod-007"), (11, 0.5, Miss));
    shop.at_s(1);
    assert_eq!(shop.get("prod-007"), (11, 0.0, Hit));
    shop.at_s(2);
    let (_, units, result) = shop.ask("Query", query());
    assert_eq!((units, result), (7.5, Miss));
    shop.at_s(3);
    let (page, units, result) = shop.ask("Query", query());
    assert_eq!((page["Count"].as_u64(), units, result), (Some(20), 0.0, Hit));
    assert!((shop.table_units() - before - 8.0).abs() < 1e-9);
}

#[test]
fn a_write_through_refreshes_the_item_and_leaves_the_query_old() {
    let mut shop = Shop::new(DaxSettings::default());
    shop.get("prod-007");
    shop.ask("Query", query());
    shop.at_s(10);
    let (_, units, result) = shop.ask("UpdateItem", set_price("prod-007", 42));
    assert_eq!((units, result), (3.0, Pass));
    assert_eq!(shop.get("prod-007"), (42, 0.0, Hit));
    let (page, units, result) = shop.ask("Query", query());
    assert_eq!((price(&page["Items"][6]), units, result), (11, 0.0, Hit));
    shop.at_s(300);
    let (page, _, result) = shop.ask("Query", query());
    assert_eq!((price(&page["Items"][6]), result), (42, Miss));
}

#[test]
fn a_write_around_the_cache_is_unseen_for_300_seconds_since_the_last_refresh() {
    let mut shop = Shop::new(DaxSettings::default());
    shop.at_s(10);
    shop.ask("UpdateItem", set_price("prod-007", 42));
    shop.at_s(20);
    call(&mut shop.cluster, "UpdateItem", set_price("prod-007", 55));
    assert_eq!(shop.get("prod-007"), (42, 0.0, Hit));
    shop.at_s(309);
    assert_eq!(shop.get("prod-007"), (42, 0.0, Hit));
    shop.at_s(311);
    assert_eq!(shop.get("prod-007"), (55, 0.5, Miss));
}

#[test]
fn strong_reads_and_transactions_pass_and_are_not_kept() {
    let mut shop = Shop::new(DaxSettings::default());
    let mut strong = get("prod-007");
    strong["ConsistentRead"] = json!(true);
    for _ in 0..2 {
        let (_, units, result) = shop.ask("GetItem", strong.clone());
        assert_eq!((units, result), (1.0, Pass));
    }
    let gets = json!({"TransactItems": [{"Get": get("prod-007")}]});
    let (_, units, result) = shop.ask("TransactGetItems", gets);
    assert_eq!((units, result), (2.0, Pass));
    assert_eq!(shop.get("prod-007"), (11, 0.5, Miss));
}

#[test]
fn that_an_item_is_missing_is_remembered_until_it_is_put_through_the_cache() {
    let mut shop = Shop::new(DaxSettings::default());
    let put = |price: &str| {
        let mut item = key("prod-999");
        item["price"] = json!({"N": price});
        json!({"TableName": "Products", "Item": item})
    };
    shop.at_s(400);
    assert_eq!(shop.get("prod-999"), (0, 0.5, Miss));
    shop.at_s(401);
    call(&mut shop.cluster, "PutItem", put("5"));
    shop.at_s(402);
    assert_eq!(shop.get("prod-999"), (0, 0.0, Negative));
    shop.ask("PutItem", put("6"));
    assert_eq!(shop.get("prod-999"), (6, 0.0, Hit));
}

#[test]
fn a_transaction_costs_two_units_an_item_more_and_refreshes_the_items() {
    let mut shop = Shop::new(DaxSettings::default());
    shop.get("prod-001");
    let before = shop.table_units();
    let update = |id| json!({"Update": set_price(id, 77)});
    let writes = json!({"TransactItems": [update("prod-001"), update("prod-002")]});
    let (_, units, result) = shop.ask("TransactWriteItems", writes);
    assert_eq!((units, result), (12.0, Pass));
    assert!((shop.table_units() - before - 12.0 - 4.0).abs() < 1e-9);
    assert_eq!(shop.get("prod-001"), (77, 0.0, Hit));
    assert_eq!(shop.get("prod-002"), (77, 0.0, Hit));
}

#[test]
fn a_batch_asks_the_table_for_what_is_missing_only_and_projections_share_an_item() {
    let mut shop = Shop::new(DaxSettings::default());
    shop.get("prod-001");
    let batch = json!({"RequestItems": {"Products": {
        "Keys": [key("prod-001"), key("prod-002"), key("prod-999")],
        "ProjectionExpression": "price",
    }}});
    let (got, units, result) = shop.ask("BatchGetItem", batch.clone());
    let only_price = json!({"price": {"N": "11"}});
    assert_eq!(got["Responses"]["Products"], json!([only_price, only_price]));
    assert_eq!((units, result), (1.0, Miss));
    let (_, units, result) = shop.ask("BatchGetItem", batch);
    assert_eq!((units, result), (0.0, Hit));
    assert_eq!(shop.get("prod-002"), (11, 0.0, Hit));
}

#[test]
fn nodes_hear_of_items_late_so_two_reads_may_differ() {
    let settings = DaxSettings { n_nodes: 2, node_lag_us: 500_000, ..DaxSettings::default() };
    let mut shop = Shop::new(settings);
    assert_eq!(shop.get("prod-007").2, Miss);
    assert_eq!(shop.get("prod-007").2, Miss);
    shop.at_s(10);
    shop.ask("UpdateItem", set_price("prod-007", 42));
    assert_eq!(shop.get("prod-007"), (11, 0.0, Hit), "the other node");
    assert_eq!(shop.get("prod-007"), (42, 0.0, Hit), "the node that wrote");
    shop.at_s(11);
    assert_eq!(shop.get("prod-007"), (42, 0.0, Hit));
    assert_eq!(shop.get("prod-007"), (42, 0.0, Hit));
}

#[test]
fn without_room_the_least_recently_used_item_goes_and_a_lifetime_of_0_keeps_no_page() {
    let settings = DaxSettings { bytes_max: 9_500, query_ttl_s: 0, ..DaxSettings::default() };
    let mut shop = Shop::new(settings);
    for id in ["prod-001", "prod-002", "prod-003", "prod-001", "prod-004"] {
        shop.get(id);
    }
    assert_eq!(shop.get("prod-001").2, Hit);
    assert_eq!(shop.get("prod-002").2, Miss);
    assert_eq!(shop.ask("Query", query()).2, Miss);
    assert_eq!(shop.ask("Query", query()).2, Miss);
}

#[test]
fn a_wrong_request_gets_the_tables_own_error_and_calls_on_tables_are_not_taken() {
    let mut shop = Shop::new(DaxSettings::default());
    let (error, units, _) = shop.ask("GetItem", json!({"TableName": "None", "Key": key("a")}));
    assert_eq!((error["error"].as_str(), units), (Some("ResourceNotFoundException"), 0.0));
    let (error, _, _) = shop.ask("DescribeTable", json!({"TableName": "Products"}));
    assert!(error["message"].as_str().is_some_and(|text| text.starts_with("DescribeTable is not")));
    let mut refused = set_price("prod-007", 1);
    refused["ConditionExpression"] = json!("price = :no");
    refused["ExpressionAttributeValues"][":no"] = json!({"N": "0"});
    let (error, units, _) = shop.ask("UpdateItem", refused);
    assert_eq!(error["error"], "ConditionalCheckFailedException");
    assert!((units - 3.0).abs() < 1e-9);
    assert_eq!(shop.get("prod-007"), (11, 0.5, Miss));
}
