//! Laws that hold in every run.
#![cfg(not(target_arch = "wasm32"))]

mod script;

use hashrange_engine::Database;
use hashrange_simulation::{Cluster, EventKind, EventualReads, Lag, Settings};
use hashrange_types::Timestamp;
use proptest::prelude::*;
use script::{call, call_database, cluster, request, table};
use serde_json::{Value, json};

/// A request of one of the item operations on a few items.
fn requests() -> impl Strategy<Value = (&'static str, Value)> {
    let key = || {
        (0_u8..4, 0_u8..3).prop_map(
            |(pk, sk)| json!({"pk": {"S": format!("p{pk}")}, "sk": {"S": format!("s{sk}")}}),
        )
    };
    let item = || {
        (key(), proptest::option::of(0_u8..3), 0_u32..9).prop_map(|(mut item, colour, v)| {
            if let Some(colour) = colour {
                item["colour"] = json!({"S": format!("c{colour}")});
            }
            item["v"] = json!({"N": v.to_string()});
            item
        })
    };
    prop_oneof![
        4 => item().prop_map(|item| ("PutItem", json!({"TableName": "Orders", "Item": item, "ReturnConsumedCapacity": "INDEXES"}))),
        1 => item().prop_map(|item| ("PutItem", json!({"TableName": "Orders", "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}))),
        2 => (key(), 0_u8..3).prop_map(|(key, colour)| ("UpdateItem", json!({"TableName": "Orders", "Key": key,
            "UpdateExpression": "SET colour = :c ADD n :one", "ReturnValues": "ALL_NEW",
            "ExpressionAttributeValues": {":c": {"S": format!("c{colour}")}, ":one": {"N": "1"}}}))),
        2 => key().prop_map(|key| ("DeleteItem", json!({"TableName": "Orders", "Key": key, "ReturnValues": "ALL_OLD"}))),
        3 => (key(), any::<bool>()).prop_map(|(key, strong)| ("GetItem", json!({"TableName": "Orders", "Key": key, "ConsistentRead": strong}))),
        1 => (0_u8..4).prop_map(|pk| ("Query", json!({"TableName": "Orders", "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": format!("p{pk}")}}, "ReturnConsumedCapacity": "TOTAL"}))),
        1 => (0_u8..3).prop_map(|colour| ("Query", json!({"TableName": "Orders", "IndexName": "byColour",
            "KeyConditionExpression": "colour = :c", "ExpressionAttributeValues": {":c": {"S": format!("c{colour}")}}}))),
        1 => (1_u32..4).prop_map(|limit| ("Scan", json!({"TableName": "Orders", "Limit": limit}))),
        1 => prop::collection::vec(item(), 1..3).prop_map(|items| ("TransactWriteItems", json!({"TransactItems":
            items.into_iter().map(|item| json!({"Put": {"TableName": "Orders", "Item": item}})).collect::<Vec<_>>()}))),
        1 => prop::collection::vec(item(), 1..4).prop_map(|items| ("BatchWriteItem", json!({"RequestItems": {"Orders":
            items.into_iter().map(|item| json!({"PutRequest": {"Item": item}})).collect::<Vec<_>>()}}))),
        1 => prop::collection::vec(key(), 1..4).prop_map(|keys| ("BatchGetItem", json!({"RequestItems": {"Orders": {"Keys": keys}}}))),
    ]
}

fn is_in_form(name: &str, body: &Value) -> bool {
    let operation = hashrange_types::Operation::from_name(name).expect("the operation exists");
    hashrange_wire::decode(operation, &body.to_string()).is_ok()
}

/// Settings with every kind of lag.
fn lagging() -> impl Strategy<Value = Settings> {
    (
        any::<u64>(),
        0_i64..50_000,
        prop_oneof![
            Just(EventualReads::Random),
            Just(EventualReads::RoundRobin),
            Just(EventualReads::SlowestFollower)
        ],
    )
        .prop_map(|(seed, median_us, eventual_reads)| {
            let lag = Lag::LongTailed { median_us, p99_us: median_us * 10 };
            Settings {
                seed,
                followers: [lag.clone(), lag.clone()],
                indexes: lag,
                eventual_reads,
                ..Settings::default()
            }
        })
}

proptest! {
    #[test]
    fn a_cluster_without_lag_limits_and_faults_answers_as_a_database(script in prop::collection::vec(requests(), 0..40)) {
        let mut cluster = cluster(Settings::default());
        let mut database = Database::default();
        let now = cluster.now();
        call_database(&mut database, "CreateTable", &table(&json!({"BillingMode": "PAY_PER_REQUEST"})), now);
        for (name, body) in script.into_iter().filter(|(name, body)| is_in_form(name, body)) {
            let expected = call_database(&mut database, name, &body, now);
            prop_assert_eq!(call(&mut cluster, name, body), expected);
        }
    }

    #[test]
    fn a_cluster_whose_limits_are_not_met_answers_as_a_database(script in prop::collection::vec(requests(), 0..40)) {
        let mut cluster = cluster(Settings { has_limits: true, ..Settings::default() });
        let mut database = Database::default();
        let now = cluster.now();
        call_database(&mut database, "CreateTable", &table(&json!({"BillingMode": "PAY_PER_REQUEST"})), now);
        for (name, body) in script.into_iter().filter(|(name, body)| is_in_form(name, body)) {
            let expected = call_database(&mut database, name, &body, now);
            prop_assert_eq!(call(&mut cluster, name, body), expected);
        }
    }

    #[test]
    fn the_same_seed_and_script_give_the_same_events(settings in lagging(), script in prop::collection::vec(requests(), 0..40)) {
        let run = || {
            let mut cluster = cluster(settings.clone());
            for (name, body) in script.iter().filter(|(name, body)| is_in_form(name, body)) {
                cluster.submit(request(name, body));
                let later = Timestamp(cluster.now().0 + 3_000);
                cluster.run_until(later, 10_000);
            }
            cluster.events().iter().map(|event| format!("{event:?}")).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn a_strong_read_never_misses_an_acknowledged_write(settings in lagging(), script in prop::collection::vec(requests(), 0..60)) {
        let mut lagging = cluster(settings);
        let mut database = Database::default();
        call_database(&mut database, "CreateTable", &table(&json!({"BillingMode": "PAY_PER_REQUEST"})), lagging.now());
        for (name, mut body) in script.into_iter().filter(|(name, body)| is_in_form(name, body)) {
            let reads_table = matches!(name, "GetItem" | "Scan") || name == "Query" && body.get("IndexName").is_none();
            if reads_table {
                body["ConsistentRead"] = json!(true);
            }
            let expected = call_database(&mut database, name, &body, lagging.now());
            let got = call(&mut lagging, name, body);
            if reads_table {
                prop_assert_eq!(got, expected);
            }
            let later = Timestamp(lagging.now().0 + 2_000);
            lagging.run_until(later, 10_000);
        }
    }

    #[test]
    fn followers_and_indexes_equal_their_leader_when_nothing_is_due(settings in lagging(), script in prop::collection::vec(requests(), 0..60)) {
        let mut lagging = cluster(settings);
        for (name, body) in script.into_iter().filter(|(name, body)| is_in_form(name, body)) {
            call(&mut lagging, name, body);
        }
        while lagging.step() {}
        for _ in 0..6 {
            for index in [None, Some("byColour")] {
                let mut scan = json!({"TableName": "Orders"});
                if let Some(index) = index {
                    scan["IndexName"] = json!(index);
                }
                let mut database = Database::from_store(lagging.store().clone());
                let now = lagging.now();
                let expected = call_database(&mut database, "Scan", &scan, now);
                prop_assert_eq!(call(&mut lagging, "Scan", scan), expected);
            }
        }
        let stale = lagging.events().iter().rev().take(40).any(|event| matches!(event.kind, EventKind::ReadServed { n_missing: 1.., .. }));
        prop_assert!(!stale || lagging.events().iter().count() < 40);
    }

    #[test]
    fn a_copy_of_a_run_goes_on_as_the_run_does(settings in lagging(), before in prop::collection::vec(requests(), 0..30), after in prop::collection::vec(requests(), 0..30)) {
        let mut run: Cluster = cluster(settings);
        for (name, body) in before.iter().filter(|(name, body)| is_in_form(name, body)) {
            call(&mut run, name, body.clone());
        }
        let mut fork = run.clone();
        for (name, body) in after.iter().filter(|(name, body)| is_in_form(name, body)) {
            let (one, other) = (call(&mut run, name, body.clone()), call(&mut fork, name, body.clone()));
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(run.now(), fork.now());
    }
}
