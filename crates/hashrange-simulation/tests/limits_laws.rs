//! Laws of limits: ceilings hold, buckets are never overdrawn, and what is charged is what was consumed.
#![cfg(not(target_arch = "wasm32"))]

mod script;

use hashrange_simulation::{Cluster, Metric, Settings, TokenBucket};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{CapacityUnits, IndexName, TableName, Timestamp};
use proptest::prelude::*;
use script::{cluster, get, put_of, request};
use serde_json::{Value, json};

/// Microseconds until the next request, whose item it is about, and which request of a few it is.
fn script() -> impl Strategy<Value = Vec<(i64, u8, u8)>> {
    prop::collection::vec((0_i64..60_000, 0_u8..12, 0_u8..9), 1..200)
}

fn one_of(item: u8, kind: u8) -> (&'static str, Value) {
    let pk = format!("p{}", item % 4);
    let key = json!({"pk": {"S": pk}, "sk": {"S": "a"}});
    match kind {
        0 => ("GetItem", get(&pk, true)),
        1 => ("GetItem", get(&pk, false)),
        2 => (
            "Query",
            json!({"TableName": "Orders", "IndexName": "byColour", "KeyConditionExpression": "colour = :c",
            "ExpressionAttributeValues": {":c": {"S": "red"}}}),
        ),
        3 => ("DeleteItem", json!({"TableName": "Orders", "Key": key})),
        4 => (
            "PutItem",
            json!({"TableName": "Orders", "Item": key, "ConditionExpression": "attribute_not_exists(pk)"}),
        ),
        5 => ("Scan", json!({"TableName": "Orders"})),
        6 => (
            "UpdateItem",
            json!({"TableName": "Orders", "Key": key, "UpdateExpression": "SET colour = :c",
            "ExpressionAttributeValues": {":c": {"S": if item.is_multiple_of(2) { "red" } else { "blue" }}}}),
        ),
        _ => (
            "PutItem",
            json!({"TableName": "Orders", "Item": {"pk": {"S": pk}, "sk": {"S": "a"},
            "colour": {"S": "red"}, "note": {"S": "x".repeat(usize::from(item) * 300)}}}),
        ),
    }
}

/// Runs a script; returns what its outcomes consumed of reads and of writes, in half units.
fn run(cluster: &mut Cluster, script: &[(i64, u8, u8)]) -> [u64; 2] {
    let mut halves = [0, 0];
    for (wait_us, item, kind) in script {
        let (operation, body) = one_of(*item, *kind);
        let outcome = cluster.call(request(operation, &body));
        for consumed in &outcome.consumed {
            halves[usize::from(consumed.is_write)] += ConsumedCapacity::total(consumed).as_halves();
        }
        let later = Timestamp(cluster.now().0 + wait_us);
        cluster.run_until(later, usize::MAX);
    }
    halves
}

proptest! {
    #[test]
    fn units_charged_equal_units_consumed(script in script(), has_limits: bool) {
        let mut cluster = cluster(Settings { has_limits, ..Settings::default() });
        let consumed = run(&mut cluster, &script);
        while cluster.step() {}
        let table = TableName::new("Orders").unwrap();
        let index = IndexName::new("byColour").unwrap();
        let charged = [Metric::ConsumedReadCapacityUnits, Metric::ConsumedWriteCapacityUnits].map(|metric| {
            let trees = [None, Some(&index)].into_iter();
            let minutes = trees.flat_map(|index| cluster.metrics(&table, index));
            minutes.map(|minute| minute.sum(metric) * 2.0).sum::<f64>().to_string()
        });
        prop_assert_eq!(&charged, &consumed.map(|halves| halves.to_string()));
        let mut heat = [0, 0];
        for (_, usage) in cluster.heat().flat_map(|(_, heat)| heat.seconds()) {
            heat[0] += usage.read.as_halves();
            heat[1] += usage.write.as_halves();
        }
        prop_assert_eq!(heat, consumed);
    }

    #[test]
    fn no_partition_admits_more_than_its_ceiling_and_burst_in_any_second(script in script(), ceiling in 2_u64..20) {
        let settings = Settings {
            has_limits: true,
            partition_write_units: ceiling,
            partition_read_units: ceiling,
            index_backlog_max: 5,
            ..Settings::default()
        };
        let mut cluster = cluster(settings);
        run(&mut cluster, &script);
        for (place, heat) in cluster.heat() {
            for (at, usage) in heat.seconds() {
                // A second's refill, the bucket's second, and one request that costs more than the bucket holds: a
                // write of 4 units, or a read with half as much again for the followers.
                let write = CapacityUnits::whole(2 * ceiling + 4);
                let read = CapacityUnits::whole(2 * ceiling * 3 / 2 + 4);
                prop_assert!(usage.write <= write && usage.read <= read, "{:?} {:?} {:?}", place, at, usage);
            }
        }
    }

    #[test]
    fn a_bucket_gives_what_it_held_and_what_came_and_is_never_below_nothing(
        rate in 1_u64..50, kept in 1_u32..5, is_by_the_second: bool,
        uses in prop::collection::vec((0_i64..900_000, 1_u64..60), 1..100),
    ) {
        let mut now = Timestamp(0);
        let mut bucket = TokenBucket::new(rate, kept, kept, now);
        if is_by_the_second {
            bucket = bucket.by_the_second();
        }
        let (capacity, mut given, mut largest) = (bucket.capacity().as_halves(), 0, 0);
        for (wait_us, halves) in uses {
            now = Timestamp(now.0 + wait_us);
            let units = CapacityUnits::halves(halves);
            let before = bucket.level(now);
            prop_assert!(before <= bucket.capacity());
            if bucket.admits(units, now) {
                bucket.take(units, now);
                given += halves;
                largest = largest.max(halves);
                let expected = before.as_halves().saturating_sub(halves);
                prop_assert!(bucket.level(now).as_halves() <= expected);
            }
            let came = u128::from(rate) * 2 * u128::try_from(now.0).unwrap() / 1_000_000;
            prop_assert!(u128::from(given) <= u128::from(capacity) + came + u128::from(largest));
        }
    }
}

#[test]
fn a_run_counts_a_large_item_by_its_units() {
    let mut cluster = cluster(Settings::default());
    cluster.call(put_of("a", "a", 10_000));
    let counted = cluster.heat().flat_map(|(_, heat)| heat.seconds()).map(|(_, usage)| usage.write);
    assert_eq!(counted.sum::<CapacityUnits>(), CapacityUnits::whole(10));
}
