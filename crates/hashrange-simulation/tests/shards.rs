//! Shards of a stream: one for each partition, closed and opened anew when a partition is divided, each change in one
//! of them once and in order.

mod script;

use std::collections::BTreeMap;

use hashrange_simulation::{
    Cluster, FunctionKind, FunctionSettings, Settings, SplitCause, World, WorldSettings,
};
use hashrange_types::Timestamp;
use script::{call, request, table};
use serde_json::{Value, json};

fn sharded() -> Settings {
    Settings { has_stream_shards: true, ..Settings::default() }
}

/// CreateTable of `Orders` without indexes, with a stream.
fn orders() -> Value {
    let mut create = table(&json!({"BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}));
    create.as_object_mut().expect("an object").remove("GlobalSecondaryIndexes");
    create["AttributeDefinitions"].as_array_mut().expect("a list").pop();
    create
}

fn put(pk: &str, sk: u32, version: usize) -> Value {
    json!({"TableName": "Orders", "Item": {"pk": {"S": pk}, "sk": {"S": format!("{sk:03}")},
        "v": {"N": version.to_string()}}})
}

fn arn(cluster: &mut Cluster) -> Value {
    call(cluster, "ListStreams", json!({}))["Streams"][0]["StreamArn"].clone()
}

fn shards(cluster: &mut Cluster) -> Vec<Value> {
    let arn = arn(cluster);
    let mut shards = Vec::new();
    let mut start = Value::Null;
    loop {
        // By threes, so that pages are read too.
        let mut describe = json!({"StreamArn": arn, "Limit": 3});
        if start != Value::Null {
            describe["ExclusiveStartShardId"] = start;
        }
        let description = call(cluster, "DescribeStream", describe)["StreamDescription"].clone();
        shards.extend(description["Shards"].as_array().expect("a list").iter().cloned());
        start = description["LastEvaluatedShardId"].clone();
        if start == Value::Null {
            return shards;
        }
    }
}

/// The records of a shard, and whether it was read to its end.
fn read(cluster: &mut Cluster, shard: &Value) -> (Vec<Value>, bool) {
    let ask = json!({"StreamArn": arn(cluster), "ShardId": shard["ShardId"],
        "ShardIteratorType": "TRIM_HORIZON"});
    let mut iterator = call(cluster, "GetShardIterator", ask)["ShardIterator"].clone();
    let mut found = Vec::new();
    loop {
        let page = call(cluster, "GetRecords", json!({"ShardIterator": iterator, "Limit": 7}));
        let records = page["Records"].as_array().unwrap_or_else(|| panic!("{page}"));
        found.extend(records.iter().map(|record| record["dynamodb"].clone()));
        iterator = page["NextShardIterator"].clone();
        if iterator == Value::Null || records.is_empty() {
            return (found, iterator == Value::Null);
        }
    }
}

fn divide(cluster: &mut Cluster, pk: &str, sk: u32) -> bool {
    let get = json!({"TableName": "Orders",
        "Key": {"pk": {"S": pk}, "sk": {"S": format!("{sk:03}")}}});
    let (partition, key) = cluster.locate(request("GetItem", &get)).expect("the table is there");
    cluster.divide(partition, &key, SplitCause::Demand)
}

#[test]
fn a_stream_has_a_shard_for_each_partition_and_children_when_one_is_divided() {
    let mut cluster = Cluster::new(sharded());
    call(&mut cluster, "CreateTable", orders());
    assert_eq!(shards(&mut cluster).len(), 4);
    for n in 0..100 {
        call(&mut cluster, "PutItem", put("acme", n, 1));
    }
    assert!(divide(&mut cluster, "acme", 50));
    for n in 0..100 {
        call(&mut cluster, "PutItem", put("acme", n, 2));
    }
    let all = shards(&mut cluster);
    let children: Vec<&Value> = all.iter().filter(|it| it.get("ParentShardId").is_some()).collect();
    assert_eq!((all.len(), children.len()), (6, 2));
    let parent = all.iter().find(|it| it["ShardId"] == children[0]["ParentShardId"]).unwrap();
    assert_eq!(children[1]["ParentShardId"], parent["ShardId"]);
    assert!(parent["SequenceNumberRange"].get("EndingSequenceNumber").is_some());
    let (records, is_ended) = read(&mut cluster, parent);
    assert_eq!((records.len(), is_ended), (100, true));
    for child in children {
        let (records, is_ended) = read(&mut cluster, child);
        assert_eq!((records.len(), is_ended), (50, false));
    }
    let of_parent = json!({"StreamArn": arn(&mut cluster),
        "ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": parent["ShardId"]}});
    let found = call(&mut cluster, "DescribeStream", of_parent);
    assert_eq!(found["StreamDescription"]["Shards"].as_array().map(Vec::len), Some(2));
    // A day later what the parent had is trimmed, and it is not shown any more.
    let later = Timestamp(cluster.now().0 + 25 * 3_600 * 1_000_000);
    cluster.run_until(later, 1_000);
    assert_eq!(shards(&mut cluster).len(), 5);
}

#[test]
fn a_function_reads_parents_before_children_and_a_poisoned_shard_alone_is_blocked() {
    let mut world = World::new(WorldSettings { cluster: sharded(), ..WorldSettings::default() })
        .expect("the settings are right");
    world.call(0, request("CreateTable", &orders()));
    let count = FunctionKind::Count { is_idempotent: true };
    let settings = FunctionSettings {
        throws_on: Some("poison".into()),
        batch_size: 1,
        ..FunctionSettings::new(count)
    };
    let function = world.connect(0, "Orders", settings).expect("the table has a stream");
    world.call(0, request("PutItem", &put("poison", 0, 1)));
    // One of the others may lie beside it.
    for n in 0..40 {
        world.call(0, request("PutItem", &put(&format!("k{n}"), 0, 1)));
    }
    let later = Timestamp(world.now().0 + 60_000_000);
    world.run_until(later, 100_000);
    let n_counted = world.function(function).count();
    assert!((20..40).contains(&n_counted), "{n_counted} of 40 lie in the three other shards");
    assert!(world.function(function).iterator_age_us(world.now()) >= 60_000_000);
}

#[test]
fn one_shard_is_all_that_a_database_has() {
    let mut cluster = Cluster::new(Settings::default());
    call(&mut cluster, "CreateTable", orders());
    call(&mut cluster, "PutItem", put("acme", 1, 1));
    assert!(divide(&mut cluster, "acme", 1));
    assert_eq!(shards(&mut cluster).len(), 1);
}

#[cfg(not(target_arch = "wasm32"))]
mod laws {
    use proptest::prelude::*;

    use super::*;

    /// A write of a key, or a division there.
    fn doings() -> impl Strategy<Value = Vec<(bool, u8, u32)>> {
        prop::collection::vec((prop::bool::weighted(0.1), 0_u8..4, 0_u32..20), 0..150)
    }

    proptest! {
        #[test]
        fn each_change_is_in_one_shard_once_and_a_key_is_in_order_from_parents_to_children(
            doings in doings()
        ) {
            let mut cluster = Cluster::new(sharded());
            call(&mut cluster, "CreateTable", orders());
            let mut expected: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (version, (divides, pk, sk)) in doings.into_iter().enumerate() {
                let pk = format!("k{pk}");
                if divides {
                    divide(&mut cluster, &pk, sk);
                } else {
                    call(&mut cluster, "PutItem", put(&pk, sk, version));
                    expected.entry(format!("{pk} {sk:03}")).or_default().push(version);
                }
            }
            let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            let mut ids: Vec<Value> = Vec::new();
            let mut last = BTreeMap::new();
            // Ids are in the order of opening, so parents come first.
            for shard in shards(&mut cluster) {
                let is_after = shard.get("ParentShardId").is_none_or(|parent| ids.contains(parent));
                prop_assert!(is_after);
                ids.push(shard["ShardId"].clone());
                let (records, is_ended) = read(&mut cluster, &shard);
                let is_closed = shard["SequenceNumberRange"].get("EndingSequenceNumber").is_some();
                prop_assert_eq!(is_ended, is_closed);
                let mut newest = String::new();
                for record in records {
                    let image = &record["NewImage"];
                    let text = |name: &str| image[name]["S"].as_str().unwrap().to_owned();
                    let key = format!("{} {}", text("pk"), text("sk"));
                    let sequence = record["SequenceNumber"].as_str().unwrap().to_owned();
                    prop_assert!(newest < sequence, "in order within a shard");
                    newest.clone_from(&sequence);
                    let before = last.insert(key.clone(), sequence.clone());
                    prop_assert!(before.is_none_or(|before| before < sequence), "of a key");
                    let version = image["v"]["N"].as_str().unwrap().parse().unwrap();
                    found.entry(key).or_default().push(version);
                }
            }
            prop_assert_eq!(found, expected);
        }
    }
}
