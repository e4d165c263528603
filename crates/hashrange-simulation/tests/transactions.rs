//! Who gives way to a transaction, and what a batch brings back.

mod script;

use hashrange_simulation::{Cluster, Metric, Settings};
use hashrange_types::{TableName, Timestamp};
use script::{answer, call, cluster, get, put, request, table, version};
use serde_json::{Value, json};

fn holding() -> Cluster {
    let mut cluster = cluster(Settings { transaction_us: 10_000, ..Settings::default() });
    call(&mut cluster, "PutItem", put("a", 1));
    cluster
}

fn transaction(keys: &[&str], version: u32, token: Option<&str>) -> Value {
    let puts: Vec<Value> = keys.iter().map(|key| json!({"Put": put(key, version)})).collect();
    let mut body = json!({"TransactItems": puts});
    if let Some(token) = token {
        body["ClientRequestToken"] = json!(token);
    }
    body
}

fn key(pk: &str) -> Value {
    json!({"pk": {"S": pk}, "sk": {"S": "a"}})
}

/// Sends a transaction and lets it prepare; its number.
fn begun(cluster: &mut Cluster, body: &Value) -> hashrange_simulation::RequestNumber {
    let number = cluster.submit(request("TransactWriteItems", body));
    let now = cluster.now();
    cluster.run_until(now, 100);
    assert!(cluster.take_reply(number).is_none(), "it is under way");
    number
}

fn ended(cluster: &mut Cluster, number: hashrange_simulation::RequestNumber) -> Value {
    let later = Timestamp(cluster.now().0 + 20_000);
    cluster.run_until(later, 1_000);
    answer(&cluster.take_reply(number).expect("it ended").reply)
}

#[test]
fn a_single_write_gives_way_to_a_transaction_on_its_item() {
    let mut cluster = holding();
    let number = begun(&mut cluster, &transaction(&["a", "b"], 2, None));
    let refused = call(&mut cluster, "PutItem", put("a", 9));
    assert_eq!(refused["error"], "TransactionConflictException");
    assert_eq!(refused["message"], "Transaction is ongoing for the item");
    let delete = json!({"TableName": "Orders", "Key": key("b")});
    assert_eq!(call(&mut cluster, "DeleteItem", delete)["error"], "TransactionConflictException");
    assert!(call(&mut cluster, "PutItem", put("c", 1)).get("error").is_none());
    assert_eq!(ended(&mut cluster, number), json!({}));
    assert!(call(&mut cluster, "PutItem", put("a", 3)).get("error").is_none());
    assert_eq!(version(&call(&mut cluster, "GetItem", get("b", true))), 2);
}

#[test]
fn plain_reads_meet_no_transaction_and_see_what_is_committed() {
    let mut cluster = holding();
    let number = begun(&mut cluster, &transaction(&["a"], 2, None));
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 1);
    let scan = call(&mut cluster, "Scan", json!({"TableName": "Orders", "ConsistentRead": true}));
    assert_eq!(version(&scan), 1);
    let keys = json!({"RequestItems": {"Orders": {"Keys": [key("a")]}}});
    let batch = call(&mut cluster, "BatchGetItem", keys);
    assert_eq!(batch["Responses"]["Orders"][0]["v"]["N"], "1");
    ended(&mut cluster, number);
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 2);
}

#[test]
fn of_two_transactions_on_one_item_the_later_is_cancelled_for_it() {
    let mut cluster = holding();
    let number = begun(&mut cluster, &transaction(&["a"], 2, None));
    let other = call(&mut cluster, "TransactWriteItems", transaction(&["c", "a"], 3, None));
    assert_eq!(other["error"], "TransactionCanceledException");
    let reasons = "specific reasons [None, TransactionConflict]";
    assert!(other["message"].as_str().unwrap().ends_with(reasons), "{other}");
    let gets = json!({"TransactItems": [{"Get": {"TableName": "Orders", "Key": key("a")}}]});
    let read = call(&mut cluster, "TransactGetItems", gets.clone());
    assert_eq!(read["error"], "TransactionCanceledException");
    ended(&mut cluster, number);
    let read = call(&mut cluster, "TransactGetItems", gets);
    assert_eq!(read["Responses"][0]["Item"]["v"]["N"], "2");
}

#[test]
fn a_token_still_executing_is_in_progress_and_done_later() {
    let mut cluster = holding();
    let body = transaction(&["a"], 2, Some("t1"));
    let number = begun(&mut cluster, &body);
    let again = call(&mut cluster, "TransactWriteItems", body.clone());
    assert_eq!(again["error"], "TransactionInProgressException");
    ended(&mut cluster, number);
    assert_eq!(call(&mut cluster, "TransactWriteItems", body), json!({}));
}

#[test]
fn a_transaction_that_fails_its_condition_holds_nothing() {
    let mut cluster = holding();
    let mut body = transaction(&["a"], 2, None);
    body["TransactItems"][0]["Put"]["ConditionExpression"] = json!("attribute_not_exists(pk)");
    let start = cluster.now();
    let refused = call(&mut cluster, "TransactWriteItems", body);
    assert_eq!(refused["error"], "TransactionCanceledException");
    assert_eq!(cluster.now(), start, "it is answered when it is prepared");
}

#[test]
fn a_batch_brings_back_the_element_that_meets_a_transaction() {
    let mut cluster = holding();
    let number = begun(&mut cluster, &transaction(&["a"], 2, None));
    let puts: Vec<Value> =
        ["x", "a", "y"].map(|pk| json!({"PutRequest": {"Item": put(pk, 7)["Item"]}})).into();
    let body = json!({"RequestItems": {"Orders": puts}});
    let batch = call(&mut cluster, "BatchWriteItem", body);
    let unprocessed = batch["UnprocessedItems"]["Orders"].as_array().unwrap();
    assert_eq!(unprocessed.len(), 1);
    assert_eq!(unprocessed[0]["PutRequest"]["Item"]["pk"]["S"], "a");
    assert_eq!(version(&call(&mut cluster, "GetItem", get("y", true))), 7);
    let statements: Vec<Value> = ["a", "x"]
        .map(|pk| json!({"Statement": format!("UPDATE Orders SET v = 8 WHERE pk = '{pk}' AND sk = 'a'")}))
        .into();
    let body = json!({"Statements": statements});
    let answers = call(&mut cluster, "BatchExecuteStatement", body);
    assert_eq!(answers["Responses"][0]["Error"]["Code"], "TransactionConflict");
    assert!(answers["Responses"][1].get("Error").is_none(), "{answers}");
    ended(&mut cluster, number);
}

/// A table that serves five writes and five reads a second, with that much saved.
fn small() -> Cluster {
    let mut cluster =
        Cluster::new(Settings { has_limits: true, burst_seconds: 1, ..Settings::default() });
    let units = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 5});
    let mut request = table(&json!({"ProvisionedThroughput": units}));
    request.as_object_mut().expect("an object").remove("GlobalSecondaryIndexes");
    request["AttributeDefinitions"].as_array_mut().expect("a list").pop();
    call(&mut cluster, "CreateTable", request);
    cluster
}

#[test]
fn a_batch_is_throttled_element_by_element_and_refused_only_as_a_whole() {
    let mut cluster = small();
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let puts: Vec<Value> =
        names.iter().map(|pk| json!({"PutRequest": {"Item": put(pk, 1)["Item"]}})).collect();
    let body = json!({"RequestItems": {"Orders": puts}, "ReturnConsumedCapacity": "TOTAL"});
    let batch = call(&mut cluster, "BatchWriteItem", body.clone());
    let unprocessed = batch["UnprocessedItems"]["Orders"].as_array().unwrap();
    let left: Vec<&str> = unprocessed
        .iter()
        .map(|one| one["PutRequest"]["Item"]["pk"]["S"].as_str().unwrap())
        .collect();
    assert_eq!(left, ["f", "g"]);
    assert_eq!(batch["ConsumedCapacity"][0]["CapacityUnits"], 5.0);
    let refused = call(&mut cluster, "BatchWriteItem", body);
    assert_eq!(refused["error"], "ProvisionedThroughputExceededException");
    let keys: Vec<Value> = names.iter().map(|pk| key(pk)).collect();
    let body = json!({"RequestItems": {"Orders": {"Keys": keys, "ConsistentRead": true}}});
    let batch = call(&mut cluster, "BatchGetItem", body);
    assert_eq!(batch["Responses"]["Orders"].as_array().unwrap().len(), 5);
    assert_eq!(batch["UnprocessedKeys"]["Orders"]["Keys"], json!([key("f"), key("g")]));
}

#[test]
fn a_throttled_transaction_is_cancelled_with_its_reason() {
    let mut cluster = small();
    call(&mut cluster, "TransactWriteItems", transaction(&["a", "b"], 1, None));
    let refused = call(&mut cluster, "TransactWriteItems", transaction(&["a", "b"], 2, None));
    assert_eq!(refused["error"], "TransactionCanceledException");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("[ProvisionedThroughputExceeded, "), "{message}");
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 1);
}

#[test]
fn elements_of_a_batch_that_give_way_or_fail_their_condition_are_counted_like_single_writes() {
    let mut cluster = holding();
    let number = begun(&mut cluster, &transaction(&["a"], 2, None));
    let puts = ["a", "c"].map(|pk| json!({"PutRequest": {"Item": put(pk, 9)["Item"]}}));
    let batch = json!({"RequestItems": {"Orders": puts}});
    let answer = call(&mut cluster, "BatchWriteItem", batch);
    assert_eq!(answer["UnprocessedItems"]["Orders"].as_array().map(Vec::len), Some(1));
    ended(&mut cluster, number);
    let insert = json!({"Statement": "INSERT INTO \"Orders\" VALUE {'pk': 'a', 'sk': 'a'}"});
    let answer = call(&mut cluster, "BatchExecuteStatement", json!({"Statements": [insert]}));
    assert_eq!(answer["Responses"][0]["Error"]["Code"], "DuplicateItem");
    let table = TableName::new("Orders").unwrap();
    for metric in [Metric::TransactionConflict, Metric::ConditionalCheckFailedRequests] {
        let sum: f64 = cluster.metrics(&table, None).map(|minute| minute.sum(metric)).sum();
        assert!((sum - 1.0).abs() < 0.1, "{metric:?}: {sum}");
    }
}
