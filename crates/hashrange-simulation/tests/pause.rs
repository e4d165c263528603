//! Commits that are stopped half way, and what others see of them meanwhile.

mod script;

use hashrange_simulation::{Cluster, RequestNumber, Settings};
use hashrange_types::Timestamp;
use script::{answer, call, cluster, get, put, request, run_for, version};
use serde_json::{Value, json};

fn key(pk: &str) -> Value {
    json!({"pk": {"S": pk}, "sk": {"S": "a"}})
}

fn both(version: u32) -> Value {
    json!({"TransactItems": [{"Put": put("a", version)}, {"Put": put("b", version)}], "ClientRequestToken": "t"})
}

fn with_first_versions(settings: Settings) -> Cluster {
    let mut cluster = cluster(settings);
    call(&mut cluster, "PutItem", put("a", 1));
    call(&mut cluster, "PutItem", put("b", 1));
    cluster
}

fn sent(cluster: &mut Cluster, operation: &str, body: &Value) -> RequestNumber {
    let number = cluster.submit(request(operation, body));
    run_for(cluster, 50_000);
    number
}

fn versions(cluster: &mut Cluster) -> [u32; 2] {
    let keys = json!({"RequestItems": {"Orders": {"Keys": [key("a"), key("b")]}}});
    let batch = call(cluster, "BatchGetItem", keys);
    let of = |pk: &str| {
        let items = batch["Responses"]["Orders"].as_array().expect("two items");
        items.iter().find(|item| item["pk"]["S"] == pk).expect("it is there")["v"]["N"]
            .as_str()
            .and_then(|n| n.parse().ok())
            .expect("a version")
    };
    [of("a"), of("b")]
}

/// Lesson 6.4, step 4.
#[test]
fn a_batch_sees_half_of_a_transaction_and_a_transactional_read_is_refused() {
    for transaction_us in [0, 10_000] {
        let mut cluster = with_first_versions(Settings { transaction_us, ..Settings::default() });
        cluster.pause_commit();
        let number = sent(&mut cluster, "TransactWriteItems", &both(2));
        assert!(cluster.take_reply(number).is_none(), "it is stopped");
        assert_eq!(versions(&mut cluster), [2, 1]);
        let gets = json!({"TransactItems": [{"Get": {"TableName": "Orders", "Key": key("a")}}, {"Get": {"TableName": "Orders", "Key": key("b")}}]});
        let refused = call(&mut cluster, "TransactGetItems", gets.clone());
        assert_eq!(refused["error"], "TransactionCanceledException");
        assert!(refused["message"].as_str().unwrap().contains("TransactionConflict"), "{refused}");
        let conflict = call(&mut cluster, "PutItem", put("b", 9));
        assert_eq!(conflict["error"], "TransactionConflictException");
        cluster.resume();
        run_for(&mut cluster, 50_000);
        assert_eq!(answer(&cluster.take_reply(number).expect("it went on").reply), json!({}));
        assert_eq!(versions(&mut cluster), [2, 2]);
        let read = call(&mut cluster, "TransactGetItems", gets);
        assert_eq!(read["Responses"][1]["Item"]["v"]["N"], "2");
        let again = call(&mut cluster, "TransactWriteItems", both(2));
        assert!(again.get("error").is_none(), "its token is known: {again}");
    }
}

#[test]
fn a_single_write_is_stopped_before_anyone_sees_it() {
    let mut cluster = with_first_versions(Settings { commit_us: 2_000, ..Settings::default() });
    cluster.pause_commit();
    let number = sent(&mut cluster, "PutItem", &put("a", 2));
    let other = sent(&mut cluster, "PutItem", &put("b", 3));
    assert!(cluster.take_reply(number).is_none(), "it is stopped");
    assert!(cluster.take_reply(other).is_some(), "one is stopped, not all");
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 1);
    cluster.resume();
    run_for(&mut cluster, 50_000);
    assert!(cluster.take_reply(number).is_some_and(|outcome| outcome.reply.is_ok()));
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 2);
}

#[test]
fn a_transaction_that_would_be_refused_is_not_stopped_and_the_next_one_is() {
    let mut cluster = with_first_versions(Settings::default());
    cluster.pause_commit();
    let failing = json!({"TransactItems": [{"Put": {"TableName": "Orders",
        "Item": {"pk": {"S": "a"}, "sk": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]});
    let number = sent(&mut cluster, "TransactWriteItems", &failing);
    let reply = answer(&cluster.take_reply(number).expect("it was answered").reply);
    assert_eq!(reply["error"], "TransactionCanceledException");
    let number = sent(&mut cluster, "TransactWriteItems", &both(2));
    assert!(cluster.take_reply(number).is_none());
}

#[test]
fn what_was_decided_is_carried_out_though_its_item_expired_or_its_table_went() {
    let mut cluster = with_first_versions(Settings::default());
    cluster.pause_commit();
    let number = sent(&mut cluster, "TransactWriteItems", &both(2));
    call(&mut cluster, "DeleteTable", json!({"TableName": "Orders"}));
    cluster.resume();
    run_for(&mut cluster, 50_000);
    assert!(cluster.take_reply(number).is_some());
    let later = Timestamp(cluster.now().0 + 1_000_000);
    assert!(cluster.run_until(later, 1_000));
    assert_eq!(cluster.store().tables().count(), 0);
}
