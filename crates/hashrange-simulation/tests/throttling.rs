//! Known answers of facts 6: who is throttled, by what, and how much passes.

mod script;

use hashrange_simulation::{Cluster, EventKind, Metric, Settings, SplitCause};
use hashrange_types::{TableName, Timestamp};
use script::{call, cluster, create, get, put, table};
use serde_json::json;

fn limited() -> Settings {
    Settings { has_limits: true, ..Settings::default() }
}

/// Writes items of less than 1 KB at these rates for so many seconds, evenly; returns how many were refused.
fn load(cluster: &mut Cluster, keys: &[(&str, u32)], seconds: u32) -> u32 {
    let start = cluster.now();
    let mut arrivals: Vec<(i64, &str)> = keys
        .iter()
        .flat_map(|(key, rate)| {
            (0..rate * seconds).map(move |n| (i64::from(n) * 1_000_000 / i64::from(*rate), *key))
        })
        .collect();
    arrivals.sort_by_key(|(at, _)| *at);
    let mut refused = 0;
    for (at, key) in arrivals {
        cluster.run_until(Timestamp(start.0 + at), 1_000_000);
        let reply = call(cluster, "PutItem", put(key, 1));
        refused += u32::from(reply.get("error").is_some());
    }
    refused
}

#[test]
fn a_hot_key_is_throttled_at_its_partitions_ceiling_however_much_the_table_has() {
    let mut cluster = cluster(limited());
    let refused = load(&mut cluster, &[("hot", 1_500)], 4);
    // 1,000 of 1,500 a second pass, and what the bucket held at first.
    assert!((900..=2_000).contains(&refused), "{refused} of 6,000");
    let error = call(&mut cluster, "PutItem", put("hot", 1));
    assert_eq!(error["error"], "ThrottlingException");
    assert!(call(&mut cluster, "PutItem", put("cold", 1)).get("error").is_none());
}

#[test]
fn a_provisioned_table_serves_its_units_and_then_refuses_by_name() {
    let mut cluster = Cluster::new(Settings { burst_seconds: 1, ..limited() });
    let units = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 5});
    let mut request = table(&json!({"ProvisionedThroughput": units}));
    request.as_object_mut().unwrap().remove("GlobalSecondaryIndexes");
    request["AttributeDefinitions"].as_array_mut().unwrap().pop();
    call(&mut cluster, "CreateTable", request);
    let answers: Vec<_> = (0..6).map(|n| call(&mut cluster, "PutItem", put("a", n))).collect();
    assert!(answers[..5].iter().all(|answer| answer.get("error").is_none()), "{answers:?}");
    assert_eq!(answers[5]["error"], "ProvisionedThroughputExceededException");
    assert!(call(&mut cluster, "GetItem", get("a", true)).get("Item").is_some());
    let later = Timestamp(cluster.now().0 + 200_000);
    cluster.run_until(later, 1_000);
    assert!(call(&mut cluster, "PutItem", put("a", 9)).get("error").is_none());
}

#[test]
fn a_batch_counts_as_throttled_only_when_nothing_of_it_passes() {
    let mut cluster = Cluster::new(Settings { burst_seconds: 1, ..limited() });
    create(&mut cluster, Some([5, 5]));
    let throttled = |cluster: &Cluster| -> f64 {
        let table = TableName::new("Orders").unwrap();
        cluster.metrics(&table, None).map(|minute| minute.sum(Metric::ThrottledRequests)).sum()
    };
    let batch = |keys: std::ops::Range<u32>| {
        let puts = keys.map(|n| json!({"PutRequest": {"Item": put(&format!("p{n}"), n)["Item"]}}));
        json!({"RequestItems": {"Orders": puts.collect::<Vec<_>>()}})
    };
    let part = call(&mut cluster, "BatchWriteItem", batch(0..8));
    assert_eq!(part["UnprocessedItems"]["Orders"].as_array().map(Vec::len), Some(3));
    assert!(throttled(&cluster) < 0.1);
    let whole = call(&mut cluster, "BatchWriteItem", batch(8..16));
    assert_eq!(whole["error"], "ProvisionedThroughputExceededException");
    assert!((throttled(&cluster) - 1.0).abs() < 0.1, "once, though eight elements were throttled");
    let insert = |n: u32| json!({"Statement": format!("INSERT INTO \"Orders\" VALUE {{'pk': 'q{n}', 'sk': 'a'}}")});
    let statements = json!({"Statements": [insert(1), insert(2)]});
    let answer = call(&mut cluster, "BatchExecuteStatement", statements);
    assert_eq!(answer["Responses"][1]["Error"]["Code"], "ProvisionedThroughputExceeded");
    assert!((throttled(&cluster) - 2.0).abs() < 0.1);
}

#[test]
fn more_capacity_divides_partitions_and_keeps_those_divided_before() {
    let mut cluster = cluster(limited());
    call(&mut cluster, "PutItem", put("a", 1));
    let written = cluster.events().iter().find_map(|event| match &event.kind {
        EventKind::WriteCommitted { place, key, .. } => Some((place.partition, key.clone())),
        _ => None,
    });
    let (partition, key) = written.unwrap();
    assert!(cluster.divide(partition, &key, SplitCause::Demand));
    let before = cluster.partitions();
    let units = json!({"ReadCapacityUnits": 3_000, "WriteCapacityUnits": 9_000});
    let raised = json!({"TableName": "Orders", "BillingMode": "PROVISIONED", "ProvisionedThroughput": units,
        "GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byColour", "ProvisionedThroughput": units}}]});
    let answer = call(&mut cluster, "UpdateTable", raised);
    assert!(answer.get("error").is_none(), "{answer}");
    let after = cluster.partitions();
    assert_eq!(after.len(), 20, "ten of the table and ten of its index");
    assert!(before.iter().all(|place| after.contains(place)), "{before:?}");
    let store = cluster.store().table("Orders").unwrap();
    assert!(store.items().partitions().iter().any(|one| one.first_key == Some(key.clone())));
    let capacity = |event: &&hashrange_simulation::Event| {
        matches!(event.kind, EventKind::PartitionSplit { cause: SplitCause::Capacity, .. })
    };
    assert_eq!(cluster.events().iter().filter(capacity).count(), 20 - before.len());
}
