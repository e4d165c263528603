//! Known answers of issue 4 and of the lessons' chapter 5: who is throttled, when partitions are divided.
//!
//! `hashrange-wasm` has them tested in a browser too.

mod script;

use hashrange_simulation::{AutoScaling, Cluster, EventKind, Metric, Random, Settings, SplitCause};
use hashrange_types::{TableName, Timestamp};
use script::{
    call, cluster, create, four_hundred_over_four, get, load, put, put_of, request, source,
    spread_keys, table,
};
use serde_json::json;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Limits with whole-second windows, as the lessons have them.
fn limited() -> Settings {
    Settings { has_limits: true, is_by_the_second: true, ..Settings::default() }
}

fn orders(settings: Settings, units: Option<[u32; 2]>) -> Cluster {
    let mut cluster = Cluster::new(settings);
    create(&mut cluster, units);
    cluster.keep_events(1_000_000);
    cluster
}

/// True for a figure within so many hundredths of another.
fn is_near(figure: u32, expected: u32, percent: u32) -> bool {
    figure.abs_diff(expected) * 100 <= expected * percent
}

fn splits(cluster: &Cluster) -> Vec<(i64, SplitCause)> {
    let start = cluster.settings().starts_at.0;
    let split = |event: &hashrange_simulation::Event| match &event.kind {
        EventKind::PartitionSplit { cause, .. } => Some(((event.at.0 - start) / 1_000_000, *cause)),
        _ => None,
    };
    cluster.events().iter().filter_map(split).collect()
}

#[test]
fn partitions_of_a_table_with_400_units_use_what_the_others_leave() {
    assert_eq!(four_hundred_over_four(&limited()), 0);
    let fixed = Settings { is_adaptive: false, ..limited() };
    assert!(is_near(four_hundred_over_four(&fixed), 3_000, 3), "fixed shares of 100 each");
}

#[test]
fn a_key_written_1500_times_a_second_is_throttled_for_a_third_for_ever() {
    let mut cluster = orders(Settings { heat_split_after_s: Some(5), ..limited() }, None);
    let sources = [source(1_500, |_| put_of("hot", "a", 900))];
    for seconds in [10, 20] {
        let loaded = load(&mut cluster, &sources, seconds);
        assert!(is_near(loaded.throttled, loaded.sent / 3, 2), "{loaded:?}");
    }
    assert_eq!(splits(&cluster), [], "one item can't be divided");
    let top = cluster.heat().flat_map(|(_, heat)| heat.top_keys()).collect::<Vec<_>>();
    assert_eq!(top.len(), 1);
}

#[test]
fn ten_random_suffixes_spread_1500_writes_a_second_once_placement_has_spread() {
    let mut cluster = orders(Settings { heat_split_after_s: Some(5), ..limited() }, None);
    let puts_of = |name: u32| (0..10).map(move |n| put_of(&format!("hot-{name}#{n}"), "a", 900));
    // The worst of places: seven or more of the ten in one partition.
    let is_crowded = |name: &u32| {
        let places = puts_of(*name).filter_map(|put| cluster.locate(put));
        let mut places: Vec<u32> = places.map(|(partition, _)| partition).collect();
        places.sort_unstable();
        places.windows(7).any(|seven| seven[0] == seven[6])
    };
    let name = (0..10_000).find(is_crowded).expect("about one in seventy");
    let puts: Vec<_> = puts_of(name).collect();
    let random = std::cell::RefCell::new(Random::new(1));
    let any = |_| puts[usize::try_from(random.borrow_mut().below(10)).unwrap()].clone();
    let sources = [source(1_500, any)];
    assert!(load(&mut cluster, &sources, 5).throttled > 0);
    load(&mut cluster, &sources, 5);
    assert_eq!(load(&mut cluster, &sources, 20).throttled, 0);
    assert_eq!(splits(&cluster), [(5, SplitCause::Heat)]);
}

#[test]
fn a_hot_collection_is_divided_at_60_and_at_120_seconds() {
    // Lesson 5.1, step 5, with a tenth of its rates and ceilings.
    let settings =
        Settings { heat_split_after_s: Some(60), partition_write_units: 100, ..limited() };
    let mut cluster = orders(settings, None);
    let sources = [source(300, |n| put_of("acme", &format!("sensor-{:04}#{n:08}", n % 300), 200))];
    let loaded = load(&mut cluster, &sources, 300);
    assert!(is_near(loaded.throttled, 18_000, 3), "{loaded:?}");
    let splits = splits(&cluster);
    assert_eq!(splits, [(60, SplitCause::Heat), (120, SplitCause::Heat), (120, SplitCause::Heat)]);
}

#[test]
fn a_rising_sort_key_is_always_ahead_of_its_divisions() {
    let settings =
        Settings { heat_split_after_s: Some(10), partition_write_units: 100, ..limited() };
    let mut cluster = orders(settings, None);
    let sources =
        [source(300, |n| put_of("acme", &format!("{:08}#sensor-{:04}", n / 300, n % 300), 200))];
    let loaded = load(&mut cluster, &sources, 60);
    assert!(is_near(loaded.throttled, 12_000, 3), "{loaded:?}");
    assert_eq!(splits(&cluster), [(10, SplitCause::Heat)], "divided once, and then no more");
}

#[test]
fn a_local_index_keeps_a_hot_collection_whole() {
    let settings =
        Settings { heat_split_after_s: Some(10), partition_write_units: 100, ..limited() };
    let mut cluster = Cluster::new(settings);
    let mut create = table(&json!({"BillingMode": "PAY_PER_REQUEST"}));
    create.as_object_mut().unwrap().remove("GlobalSecondaryIndexes");
    create["LocalSecondaryIndexes"] = json!([{"IndexName": "byColour", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "colour", "KeyType": "RANGE"}]}]);
    call(&mut cluster, "CreateTable", create);
    let sources = [source(300, |n| put_of("acme", &format!("sensor-{:04}#{n:08}", n % 300), 200))];
    let loaded = load(&mut cluster, &sources, 60);
    assert!(is_near(loaded.throttled, 12_000, 3), "{loaded:?}");
    assert_eq!(splits(&cluster), []);
}

/// A table whose one collection of `n` items, 200 bytes each, lies in a partition with a tenth of its ceilings.
fn collection(n: u32, has_local_index: bool) -> Cluster {
    let settings = Settings { heat_split_after_s: Some(5), partition_read_units: 300, ..limited() };
    let mut cluster = Cluster::new(settings);
    let mut create = table(&json!({"BillingMode": "PAY_PER_REQUEST"}));
    create.as_object_mut().expect("an object").remove("GlobalSecondaryIndexes");
    if has_local_index {
        create["LocalSecondaryIndexes"] = json!([{"IndexName": "byColour", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "colour", "KeyType": "RANGE"}]}]);
    } else {
        create["AttributeDefinitions"].as_array_mut().expect("a list").pop();
    }
    let created = call(&mut cluster, "CreateTable", create);
    assert!(created.get("error").is_none(), "{created}");
    cluster.keep_events(1_000_000);
    (0..n).for_each(|n| drop(cluster.call(put_of("acme", &format!("{n:08}"), 200))));
    cluster
}

/// A strongly consistent Query of the collection, from its newest end if there is a limit.
fn query(limit: Option<u32>) -> hashrange_types::Request {
    let mut query = json!({"TableName": "Orders", "KeyConditionExpression": "pk = :p", "ConsistentRead": true,
        "ScanIndexForward": limit.is_none(), "ExpressionAttributeValues": {":p": {"S": "acme"}}});
    if let Some(limit) = limit {
        query["Limit"] = json!(limit);
    }
    request("Query", &query)
}

#[test]
fn a_collection_that_is_only_queried_whole_is_divided_inside() {
    // 200 items are 12 units: 30 queries a second are 360, above the 300 of one partition.
    let mut cluster = collection(200, false);
    let sources = [source(30, |_| query(None))];
    assert!(load(&mut cluster, &sources, 5).throttled > 0);
    load(&mut cluster, &sources, 3);
    assert_eq!(load(&mut cluster, &sources, 10).throttled, 0);
    assert_eq!(splits(&cluster), [(5, SplitCause::Heat)]);
    let halves: Vec<u64> = {
        let parts = cluster.store().table("Orders").unwrap().items().partitions();
        parts.iter().map(hashrange_storage::Partition::n_rows).filter(|n| *n > 0).collect()
    };
    assert_eq!(halves.iter().sum::<u64>(), 200);
    assert!(halves.len() == 2 && halves.iter().all(|n| *n > 70), "{halves:?}");
}

#[test]
fn a_collection_of_one_item_and_one_under_a_local_index_are_not_divided_though_queried_whole() {
    for (mut cluster, rate) in [(collection(1, false), 400), (collection(200, true), 30)] {
        let sources = [source(rate, |_| query(None))];
        assert!(load(&mut cluster, &sources, 20).throttled > 0);
        assert_eq!(splits(&cluster), []);
    }
}

#[test]
fn a_query_for_the_newest_is_always_ahead_of_its_divisions() {
    let mut cluster = collection(200, false);
    let sources = [
        source(250, |n| put_of("acme", &format!("{:08}", 200 + n), 200)),
        source(400, |_| query(Some(10))),
    ];
    let loaded = load(&mut cluster, &sources, 30);
    assert!(loaded.throttled > 1_500, "{loaded:?}");
    assert_eq!(splits(&cluster), [(5, SplitCause::Heat)], "divided once, and then no more");
}

#[test]
fn a_hot_item_gets_a_partition_of_its_own() {
    let settings =
        Settings { heat_split_after_s: Some(5), partition_write_units: 100, ..limited() };
    let mut cluster = orders(settings, None);
    let sources = [
        source(90, |_| put_of("acme", "sensor-0150", 200)),
        source(60, |n| put_of("acme", &format!("sensor-{:04}", n * 7 % 300), 200)),
    ];
    load(&mut cluster, &sources, 30);
    assert_eq!(load(&mut cluster, &sources, 10).throttled, 0);
    let busiest = cluster.heat().map(|(_, heat)| {
        let seconds: Vec<_> = heat.seconds().collect();
        let whole = seconds.iter().nth_back(1).map_or(0, |(_, usage)| usage.write.as_halves());
        (whole, heat.top_keys().len())
    });
    let (halves, n_keys) = busiest.max().unwrap();
    assert!(halves >= 180, "{halves}");
    assert!(n_keys < 16, "{n_keys}");
}

#[test]
fn a_full_partition_is_divided_at_the_middle_of_its_bytes() {
    let mut cluster =
        orders(Settings { partition_bytes_max: 100_000, ..Settings::default() }, None);
    for n in 0..600 {
        cluster.call(put_of("acme", &format!("{:04}", n * 7 % 600), 1_000));
    }
    let store = cluster.store().table("Orders").unwrap();
    let sizes: Vec<u64> =
        store.items().partitions().iter().map(hashrange_storage::Partition::size_bytes).collect();
    assert!(sizes.iter().all(|size| *size <= 100_000), "{sizes:?}");
    assert!((10..20).contains(&sizes.len()), "{sizes:?}");
    assert!(splits(&cluster).iter().all(|(_, cause)| *cause == SplitCause::Size));
}

#[test]
fn unused_150_read_units_a_second_buy_45_000_after_300_seconds_and_no_more_later() {
    for idle_s in [300, 3_000] {
        let mut cluster = orders(limited(), Some([150, 100]));
        cluster.call(put_of("a", "a", 99_000));
        let later = Timestamp(cluster.now().0 + idle_s * 1_000_000);
        cluster.run_until(later, 1_000);
        // A strong read of 97 KiB is 25 units: 2,900 a second, which one partition serves.
        let read = [source(116, |_| request("GetItem", &get("a", true)))];
        let loaded = load(&mut cluster, &read, 60);
        let units = u32::try_from(loaded.halves / 2).unwrap();
        assert!(is_near(units, 45_000 + 60 * 150, 1), "{units} after {idle_s} seconds");
        assert!(loaded.throttled > 0);
    }
}

#[test]
fn a_scan_of_a_fresh_on_demand_table_costs_2_units_and_a_strong_one_4() {
    let mut cluster = orders(limited(), None);
    for (is_strong, units) in [(false, 2.0), (true, 4.0)] {
        let scan = json!({"TableName": "Orders", "ConsistentRead": is_strong, "ReturnConsumedCapacity": "TOTAL"});
        let answer = call(&mut cluster, "Scan", scan);
        assert_eq!(answer["ConsumedCapacity"]["CapacityUnits"], units, "{answer}");
    }
}

#[test]
fn savings_of_300_seconds_bridge_200_seconds_of_150_more() {
    // Lesson 5.3, steps 1 and 2, with a tenth of the rates.
    let mut cluster = orders(limited(), Some([10, 10]));
    let later = Timestamp(cluster.now().0 + 300_000_000);
    cluster.run_until(later, 1_000);
    let sources = [source(25, |n| put_of(&format!("k-{}", n % 50), &n.to_string(), 300))];
    assert_eq!(load(&mut cluster, &sources, 198).throttled, 0);
    let rest = load(&mut cluster, &sources, 102).throttled;
    assert!(is_near(rest, 1_500, 2), "{rest}");
    let without = load(&mut cluster, &sources, 300).throttled;
    assert!(is_near(without, 4_500, 2), "{without}");
}

#[test]
fn auto_scaling_comes_after_two_minutes_and_too_late_for_a_spike() {
    // Lesson 5.3, step 3, with a tenth of the rates.
    let settings = Settings { autoscaling: Some(AutoScaling::default()), ..limited() };
    for (rate, seconds, expected) in [(25, 300, 0), (100, 60, 2_400)] {
        let mut cluster = orders(settings.clone(), Some([10, 10]));
        let later = Timestamp(cluster.now().0 + 300_000_000);
        cluster.run_until(later, 1_000);
        let sources = [source(rate, |n| put_of(&format!("k-{}", n % 50), &n.to_string(), 300))];
        let loaded = load(&mut cluster, &sources, seconds);
        assert!(is_near(loaded.throttled, expected, 3), "{loaded:?}");
        let scaled: Vec<_> = cluster
            .events()
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::CapacityScaled { units, .. } => {
                    Some((event.at.0 - later.0, units.write))
                }
                _ => None,
            })
            .collect();
        let expected: &[(i64, u64)] = if rate == 25 { &[(120_000_000, 36)] } else { &[] };
        assert_eq!(scaled, expected);
    }
}

#[test]
fn auto_scaling_lowers_capacity_after_a_quarter_of_an_hour_and_not_more_often_than_dynamodb_lets_it()
 {
    let settings = Settings { autoscaling: Some(AutoScaling::default()), ..limited() };
    let mut cluster = orders(settings, Some([100, 100]));
    let sources = [source(1, |n| put_of("a", &n.to_string(), 300))];
    load(&mut cluster, &sources, 14 * 60);
    let write_units = |cluster: &mut Cluster| {
        let described = call(cluster, "DescribeTable", json!({"TableName": "Orders"}));
        described["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"].as_u64()
    };
    assert_eq!(write_units(&mut cluster), Some(100));
    load(&mut cluster, &sources, 3 * 60);
    assert_eq!(write_units(&mut cluster), Some(2));
    let described = call(&mut cluster, "DescribeTable", json!({"TableName": "Orders"}));
    assert_eq!(described["Table"]["ProvisionedThroughput"]["NumberOfDecreasesToday"], 1);
}

/// When capacity was scaled, in seconds from the beginning, and the read and write units since.
fn scaled(cluster: &Cluster) -> Vec<(i64, u64, u64)> {
    let start = cluster.settings().starts_at.0;
    let scaled = cluster.events().iter().filter_map(|event| match &event.kind {
        EventKind::CapacityScaled { units, .. } => {
            Some(((event.at.0 - start) / 1_000_000, units.read, units.write))
        }
        _ => None,
    });
    scaled.collect()
}

#[test]
fn auto_scaling_looks_each_minute_though_nobody_asks_for_anything_and_then_rests() {
    let settings = Settings { autoscaling: Some(AutoScaling::default()), ..limited() };
    let mut cluster = orders(settings, Some([10, 10]));
    let sources = [source(8, |n| put_of("a", &n.to_string(), 300))];
    load(&mut cluster, &sources, 120);
    // Writes go up after two minutes, reads down after fifteen, writes after fifteen more; then nothing is due.
    let mut n_steps = 0;
    while cluster.step() {
        n_steps += 1;
        assert!(n_steps < 100, "it does not rest");
    }
    assert_eq!(scaled(&cluster), [(120, 10, 12), (15 * 60, 1, 12), (17 * 60, 1, 1)]);
    assert_eq!(cluster.next_at(), None);
    // It wakes with the next request.
    load(&mut cluster, &sources, 121);
    assert_eq!(scaled(&cluster).len(), 4);
    let mut without = orders(limited(), Some([10, 10]));
    load(&mut without, &sources, 5);
    assert_eq!(without.next_at(), None);
}

#[test]
fn on_demand_takes_twice_its_peak_after_half_an_hour_and_never_three_times_at_once() {
    let mut cluster = orders(limited(), None);
    let keys = spread_keys(&cluster, 16);
    let requests: Vec<_> = keys.iter().map(|key| put_of(key, "a", 100_000)).collect();
    // 98 units each: 29 a second are 2,842 units, the first peak P.
    let sources = |rate| [source(rate, |n| requests[n as usize % 16].clone())];
    assert_eq!(load(&mut cluster, &sources(29), 31 * 60).throttled, 0);
    let mut tripled = cluster.clone();
    let loaded = load(&mut tripled, &sources(87), 60);
    assert!(is_near(loaded.throttled, loaded.sent / 3, 8), "{loaded:?}");
    assert_eq!(load(&mut cluster, &sources(58), 31 * 60).throttled, 0, "twice");
    assert_eq!(load(&mut cluster, &sources(116), 60).throttled, 0, "twice again");
    let described = call(&mut cluster, "DescribeTable", json!({"TableName": "Orders"}));
    let warm = described["Table"]["WarmThroughput"]["WriteUnitsPerSecond"].as_u64().unwrap();
    assert!((11_000..12_000).contains(&warm), "{warm}");
}

#[test]
fn a_prewarmed_table_serves_at_once_what_a_new_one_throttles() {
    // Lesson 5.3, step 6: units of ten.
    let requests: Vec<_> = (0..2_000).map(|n| put_of(&format!("k-{n}"), "a", 10_000)).collect();
    let sources = [source(600, |n| requests[n as usize % 2_000].clone())];
    let mut cluster = orders(limited(), None);
    let fresh = load(&mut cluster, &sources, 30);
    assert!(is_near(fresh.throttled, 6_000, 4), "{fresh:?}");
    let warm = json!({"TableName": "Orders", "WarmThroughput": {"WriteUnitsPerSecond": 6_000}});
    let answer = call(&mut cluster, "UpdateTable", warm);
    assert!(answer.get("error").is_none(), "{answer}");
    let warm = load(&mut cluster, &sources, 30);
    assert_eq!(warm.throttled, 0, "{warm:?}");
}

#[test]
fn an_on_demand_maximum_and_the_accounts_quota_throttle_by_their_own_names() {
    let reason = |cluster: &mut Cluster, request| {
        let outcomes = (0..40).map(|_| cluster.call(put_of("a", "a", 9_000)));
        let mut throttled = outcomes.filter_map(|outcome| match outcome.reply {
            Err(hashrange_types::ApiError::Throttled(error)) => Some(error),
            _ => None,
        });
        let error = throttled.next().unwrap_or_else(|| panic!("{request} throttles"));
        (error.exception, error.reasons[0].reason.clone())
    };
    let mut maximum = orders(limited(), None);
    let most = json!({"TableName": "Orders", "OnDemandThroughput": {"MaxWriteRequestUnits": 100}});
    let answer = call(&mut maximum, "UpdateTable", most);
    assert!(answer.get("error").is_none(), "{answer}");
    assert_eq!(
        reason(&mut maximum, "a maximum of 100"),
        ("ThrottlingException", "TableWriteMaxOnDemandThroughputExceeded".into())
    );
    let mut quota = orders(Settings { table_units_max: 200, ..limited() }, None);
    assert_eq!(
        reason(&mut quota, "a quota of 200"),
        ("RequestLimitExceeded", "TableWriteAccountLimitExceeded".into())
    );
}

#[test]
fn a_hot_index_key_throttles_its_tables_writes_and_cloudwatch_says_so() {
    let settings = Settings { partition_write_units: 100, index_backlog_max: 50, ..limited() };
    let mut cluster = cluster(settings);
    let sources = [source(300, |n| request("PutItem", &put(&format!("p{n}"), n)))];
    let loaded = load(&mut cluster, &sources, 10);
    assert!(is_near(loaded.throttled, 2_000, 10), "{loaded:?}");
    let reasons = cluster.events().iter().filter_map(|event| match &event.kind {
        EventKind::Throttled { reason, .. } => Some(reason.spelled()),
        _ => None,
    });
    let reasons: std::collections::BTreeSet<_> = reasons.collect();
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), ["IndexWriteKeyRangeThroughputExceeded"]);
    let table = TableName::new("Orders").unwrap();
    let index = hashrange_types::IndexName::new("byColour").unwrap();
    let sum = |index, metric| -> f64 {
        cluster.metrics(&table, index).map(|minute| minute.sum(metric)).sum()
    };
    let throttled = f64::from(loaded.throttled);
    let at_ceiling = Metric::WriteKeyRangeThroughputThrottleEvents;
    let all = [
        sum(Some(&index), at_ceiling),
        sum(Some(&index), Metric::WriteThrottleEvents),
        sum(None, Metric::ThrottledRequests),
    ];
    assert!(all.iter().all(|sum| (sum - throttled).abs() < 0.1), "{all:?} of {throttled}");
    assert!(sum(None, Metric::WriteThrottleEvents) < 0.1);
    let consumed = sum(None, Metric::ConsumedWriteCapacityUnits);
    assert!((consumed - f64::from(loaded.sent - loaded.throttled)).abs() < 0.1, "{consumed}");
}
