//! Published measurements of the real service as scenarios, theirs beside ours (facts, experiments X1 to X10).
//!
//! `cargo xtask simulate --calibration` prints them.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::print_stdout, reason = "`cargo xtask simulate --calibration` shows them")]

mod script;

use std::collections::BTreeSet;

use hashrange_simulation::{Cluster, EventKind, Metric, Random, Settings};
use hashrange_types::operation::PutItemRequest;
use hashrange_types::{
    ApiError, AttributeValue, CapacityUnits, Request, TableName, TableReference, Timestamp,
};
use script::{
    Loaded, call, cluster, create, four_hundred_over_four, get, load, put, put_of, request, source,
    table,
};
use serde_json::json;

/// Microseconds a row takes the workshop's client: about 117 rows a second.
const ROW_US: i64 = 8_550;

/// Prints a published figure beside ours.
fn show(experiment: &str, theirs: &str, ours: &str) {
    println!("{experiment:<4} theirs: {theirs}\n     ours:   {ours}");
}

fn limited() -> Settings {
    Settings { has_limits: true, ..Settings::default() }
}

/// The workshop's table with its index, provisioned with so many units each.
fn workshop(table_units: u32, index_units: u32, saved_s: u32) -> Cluster {
    let mut cluster = Cluster::new(Settings { burst_seconds_saved: saved_s, ..limited() });
    let units = |n: u32| json!({"ReadCapacityUnits": n, "WriteCapacityUnits": n});
    let mut create = table(&json!({"ProvisionedThroughput": units(table_units)}));
    create["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = units(index_units);
    let created = call(&mut cluster, "CreateTable", create);
    assert!(created.get("error").is_none(), "{created}");
    cluster.keep_events(1_000_000);
    cluster
}

fn pass(cluster: &mut Cluster, us: i64) {
    let later = Timestamp(cluster.now().0 + us);
    cluster.run_until(later, usize::MAX);
}

/// One client writes rows one after another and tries again after a throttle, as SDKs do: full jitter, from 50 ms
/// doubled up to 20 s. Returns seconds.
fn write_rows(cluster: &mut Cluster, rows: std::ops::Range<u32>) -> f64 {
    let start = cluster.now();
    let mut random = Random::new(1);
    for row in rows {
        let mut most_us = 50_000;
        while call(cluster, "PutItem", put(&format!("row-{row}"), row)).get("error").is_some() {
            pass(cluster, i64::try_from(random.below(most_us)).expect("20 s at most"));
            most_us = (most_us * 2).min(20_000_000);
        }
        pass(cluster, ROW_US);
    }
    seconds_since(cluster, start)
}

fn seconds_since(cluster: &Cluster, start: Timestamp) -> f64 {
    f64::from(u32::try_from((cluster.now().0 - start.0) / 1_000).expect("hours at most")) / 1_000.0
}

/// The reasons of all throttles.
fn reasons(cluster: &Cluster) -> Vec<String> {
    let reasons = cluster.events().iter().filter_map(|event| match &event.kind {
        EventKind::Throttled { reason, .. } => Some(reason.spelled()),
        _ => None,
    });
    reasons.collect::<BTreeSet<_>>().into_iter().collect()
}

fn share(loaded: Loaded) -> f64 {
    f64::from(loaded.throttled) / f64::from(loaded.sent)
}

fn units_a_second(loaded: Loaded, seconds: u32) -> f64 {
    CapacityUnits::halves(loaded.halves).as_f64() / f64::from(seconds)
}

#[test]
fn x1_five_units_write_a_hundred_rows_in_20_s_once_savings_are_gone() {
    let mut cluster = workshop(5, 5, 300);
    let saved = write_rows(&mut cluster, 0..1_500);
    assert_eq!(reasons(&cluster), Vec::<String>::new());
    write_rows(&mut cluster, 1_500..1_700);
    let hundred = write_rows(&mut cluster, 1_700..1_800);
    show(
        "X1",
        "a hundred rows in up to 18.5 s with savings used up; only the table throttles",
        &format!(
            "{hundred:.1} s; 1,500 rows of 300 s of savings in {saved:.1} s; {:?}",
            reasons(&cluster)
        ),
    );
    assert!((12.0..14.0).contains(&saved), "{saved}");
    assert!((16.0..24.0).contains(&hundred), "{hundred}");
    assert_eq!(reasons(&cluster), ["TableWriteProvisionedThroughputExceeded"]);
}

#[test]
fn x2_a_hundred_units_let_the_client_write_at_its_own_speed() {
    let mut cluster = workshop(5, 5, 0);
    write_rows(&mut cluster, 0..50);
    let units = json!({"ReadCapacityUnits": 100, "WriteCapacityUnits": 100});
    let raised = json!({"TableName": "Orders", "ProvisionedThroughput": units,
        "GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "byColour", "ProvisionedThroughput": units}}]});
    let answer = call(&mut cluster, "UpdateTable", raised);
    assert!(answer.get("error").is_none(), "{answer}");
    pass(&mut cluster, 10_000_000);
    cluster.keep_events(1_000_000);
    let seconds = write_rows(&mut cluster, 100..2_100);
    show(
        "X2",
        "2,000 rows in 17.1 s",
        &format!("{seconds:.1} s, throttled: {:?}", reasons(&cluster)),
    );
    assert!((17.0..17.3).contains(&seconds), "{seconds}");
    assert_eq!(reasons(&cluster), Vec::<String>::new());
}

#[test]
fn x3_an_index_of_one_unit_throttles_its_tables_writes() {
    let mut cluster = workshop(1_000, 1, 300);
    let sources = [source(100, |n| request("PutItem", &put(&format!("row-{n}"), n)))];
    let before = load(&mut cluster, &sources, 12);
    assert_eq!(
        before.throttled, 0,
        "not before 300 saved units and a backlog of 1,000 are used up"
    );
    let loaded = load(&mut cluster, &sources, 180);
    let index = hashrange_types::IndexName::new("byColour").unwrap();
    let consumed: f64 = cluster
        .metrics(&TableName::new("Orders").unwrap(), Some(&index))
        .map(|minute| minute.sum(Metric::ConsumedWriteCapacityUnits))
        .sum();
    let per_second = consumed / 192.0;
    show(
        "X3",
        "writes throttled for the index, which consumes above its 1 unit before; never for the table",
        &format!(
            "{:?} from 12 s on; the index consumed {per_second:.1} units a second",
            reasons(&cluster)
        ),
    );
    assert!(loaded.throttled > 0);
    assert_eq!(reasons(&cluster), ["IndexWriteProvisionedThroughputExceeded"]);
    assert!((2.0..3.0).contains(&per_second), "{per_second}");
}

#[test]
fn x4_eventual_reads_of_one_partition_reach_4500_units() {
    let mut cluster = Cluster::new(limited());
    create(&mut cluster, None);
    call(&mut cluster, "PutItem", put("a", 1));
    let query = |is_consistent: bool| {
        request(
            "Query",
            &json!({"TableName": "Orders", "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "a"}}, "ConsistentRead": is_consistent}),
        )
    };
    let figures = [(false, 12_000), (true, 5_000)].map(|(is_consistent, rate)| {
        let query = query(is_consistent);
        let sources = [source(rate, |_| query.clone())];
        // The bucket is full at first.
        load(&mut cluster, &sources, 4);
        units_a_second(load(&mut cluster, &sources, 4), 4)
    });
    show(
        "X4",
        "4,500 read units a second of eventual queries, not 3,000",
        &format!(
            "{:.0} eventual, {:.0} strong (model: 1.5 times the leader's)",
            figures[0], figures[1]
        ),
    );
    assert!((4_450.0..4_550.0).contains(&figures[0]), "{figures:?}");
    assert!((2_950.0..3_050.0).contains(&figures[1]), "{figures:?}");
}

/// Writes of ten units each under random keys, at so many units a second.
fn random_writes<'a>(units: u32) -> [script::Source<'a>; 1] {
    let random = std::cell::RefCell::new(Random::new(5));
    [source(units / 10, move |_| {
        put_of(&random.borrow_mut().below(1_000_000).to_string(), "a", 10_000)
    })]
}

#[test]
fn x5_a_new_on_demand_table_takes_3000_and_at_most_4000() {
    let ramp = |units: u32| {
        let mut cluster = Cluster::new(limited());
        create(&mut cluster, None);
        let steps =
            (1..4).map(|step| load(&mut cluster, &random_writes(units * step / 4), 5).throttled);
        let throttled: u32 = steps.sum();
        (throttled, load(&mut cluster, &random_writes(units), 20))
    };
    let (throttled, steady) = ramp(3_000);
    let (_, most) = ramp(8_000);
    let accepted = units_a_second(most, 20);
    show(
        "X5",
        "no throttles up to 3,000 writes a second; never more than about 4,000 at first",
        &format!(
            "{} throttled at 3,000; {accepted:.0} of 8,000 accepted",
            throttled + steady.throttled
        ),
    );
    assert_eq!(throttled + steady.throttled, 0);
    assert!((3_700.0..4_300.0).contains(&accepted), "{accepted}");
}

#[test]
fn x6_provisioned_throughput_stays_warm_across_the_switch_to_on_demand() {
    let mut cluster = Cluster::new(limited());
    create(&mut cluster, Some([1, 40_000]));
    let switch = json!({"TableName": "Orders", "BillingMode": "PAY_PER_REQUEST"});
    assert!(call(&mut cluster, "UpdateTable", switch).get("error").is_none());
    let loaded = load(&mut cluster, &random_writes(40_000), 10);
    let figure = units_a_second(loaded, 10);
    show(
        "X6",
        "40,000 writes a second served at once",
        &format!("{figure:.0} units a second served"),
    );
    assert!(figure > 39_500.0, "{figure}");
}

/// The throttled share of a ramp from 0 to 40,000 writes a second in so many minutes. The load of a minute is that
/// of its first ten seconds: growth follows a minute's peak. Heat is looked for as much sooner.
fn ramp(minutes: u32, requests: &[Request]) -> f64 {
    let mut cluster = Cluster::new(Settings { heat_split_after_s: Some(8), ..limited() });
    create(&mut cluster, None);
    cluster.keep_events(0);
    let random = std::cell::RefCell::new(Random::new(5));
    let mut all = Loaded::default();
    for minute in 1..=minutes {
        let rate = (40_000 * minute / minutes / 200).max(1);
        let one = |_| {
            let at = random.borrow_mut().below(requests.len() as u64);
            requests[usize::try_from(at).expect("below 500")].clone()
        };
        let loaded = load(&mut cluster, &[source(rate, one)], 10);
        all.sent += loaded.sent;
        all.throttled += loaded.throttled;
        pass(&mut cluster, 50_000_000);
    }
    share(all)
}

#[test]
fn x7_a_ramp_to_40000_throttles_on_its_way_and_a_slower_one_less() {
    let note = AttributeValue::S("x".repeat(204_000).into());
    let put = |n: u32| {
        let key = AttributeValue::S(format!("k{n}").into());
        let attributes =
            [("pk", key), ("sk", AttributeValue::S("a".into())), ("note", note.clone())];
        let item = attributes.into_iter().map(|(name, value)| (name.into(), value)).collect();
        let table = TableReference::by_name(TableName::new("Orders").unwrap());
        Request::PutItem(PutItemRequest::new(table, item))
    };
    let requests: Vec<_> = (0..500).map(put).collect();
    let [fast, slow] = [60, 90].map(|minutes| 100.0 * ramp(minutes, &requests));
    show(
        "X7",
        "many throttles on the way from 0 to 40,000 in 60 and in 90 minutes, fewer in the slower",
        &format!("{fast:.0} % throttled in 60 minutes, {slow:.0} % in 90"),
    );
    assert!(fast > slow && slow > 0.0, "{fast} {slow}");
}

#[test]
fn x8_four_hundred_units_over_four_partitions_are_not_throttled() {
    let throttled = four_hundred_over_four(&limited());
    show("X8", "no throttling at 50, 50, 50 and 150", &format!("{throttled} throttled"));
    assert_eq!(throttled, 0);
}

#[test]
fn x9_a_scan_of_a_fresh_on_demand_table_costs_2_or_4_units() {
    let mut cluster = cluster(limited());
    call(&mut cluster, "PutItem", put("a", 1));
    let units = [false, true].map(|is_consistent| {
        let scan = json!({"TableName": "Orders", "ConsistentRead": is_consistent, "ReturnConsumedCapacity": "TOTAL"});
        call(&mut cluster, "Scan", scan)["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap()
    });
    show("X9", "2 units eventual, 4 strong", &format!("{} and {}", units[0], units[1]));
    assert_eq!(format!("{units:?}"), "[2.0, 4.0]");
}

#[test]
fn x10_300_seconds_of_150_unused_units_are_45000_to_burn() {
    let mut cluster = Cluster::new(limited());
    create(&mut cluster, Some([200, 1]));
    call(&mut cluster, "PutItem", put("a", 1));
    let read = request("GetItem", &get("a", true));
    while cluster.call(read.clone()).reply.is_ok() {}
    load(&mut cluster, &[source(50, |_| read.clone())], 300);
    let start = cluster.now();
    let mut n_read = 0_u32;
    let reason = loop {
        match cluster.call(read.clone()).reply {
            Ok(_) => n_read += 1,
            Err(ApiError::Throttled(error)) => break error.reasons[0].reason.clone(),
            Err(error) => panic!("{error}"),
        }
        // 2,900 a second, below the partition's ceiling of 3,000.
        pass(&mut cluster, 345);
    };
    let burnt = f64::from(n_read) - 200.0 * seconds_since(&cluster, start);
    show(
        "X10",
        "45,000 units can be spent at once",
        &format!("{burnt:.0} units beyond the 200 a second"),
    );
    assert!((44_990.0..45_010.0).contains(&burnt), "{burnt}");
    assert_eq!(reason, "TableReadProvisionedThroughputExceeded");
}
