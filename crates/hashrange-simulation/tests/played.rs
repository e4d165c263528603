//! Scenarios with loads, Regions, caches and functions, played in one time.
#![allow(clippy::needless_pass_by_value, reason = "documents are written as literals")]

mod script;

use hashrange_simulation::{Event, EventKind, Run, Scenario, Tally, Timeline};
use hashrange_storage::{Partition, Store};
use hashrange_types::Timestamp;
use script::{answer, request};
use serde_json::{Value, json};

const SECOND: i64 = 1_000_000;

fn table(more: Value) -> Value {
    let mut table = json!({
        "TableName": "Events",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
        ],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let more = more.as_object().expect("members").clone();
    table.as_object_mut().expect("an object").extend(more);
    table
}

fn begun(settings: Value, more: Value, steps: Value) -> Run {
    let document = json!({"settings": settings, "tables": [table(more)], "steps": steps});
    let scenario = Scenario::from_json(&document).expect("it is in form");
    Run::new(Store::default(), &scenario, hashrange_wire::decode).expect("it begins")
}

fn pass(run: &mut Run, ms: i64) {
    let moment = run.now().plus_millis(ms);
    assert!(run.run_until(moment, 10_000_000));
}

fn tallies(run: &Run) -> Vec<&Tally> {
    run.loads().iter().flat_map(|load| load.tallies().map(|(_, tally)| tally)).collect()
}

fn put(pk: &str, rate: u32) -> Value {
    let item = json!({"PK": {"S": pk}, "SK": {"S": "e-{n:08}"}});
    json!({"op": "PutItem", "table": "Events", "item": item, "size": 300, "rate": rate})
}

/// The events of a Region that have this name.
fn told<'r>(run: &'r Run, region: usize, name: &str) -> Vec<&'r Event> {
    let events = run.world().cluster(region).events().iter();
    events.filter(|event| event.kind.name() == name).collect()
}

fn ms(run: &Run, event: &Event) -> i64 {
    (event.at.0 - run.world().settings().cluster.starts_at.0) / 1_000
}

#[test]
fn a_hot_key_meets_the_ceiling_of_its_partition_as_the_lesson_says() {
    let settings = json!({"preset": "lesson", "driver": "cluster", "burst_seconds": 0});
    let steps = json!([{"load": [put("acme", 3_000)], "seconds": 5}]);
    let mut run = begun(settings, json!({}), steps);
    pass(&mut run, 6_000);
    let tally = tallies(&run)[0];
    assert_eq!(tally.n_requests, 15_000);
    assert!((9_800..=10_200).contains(&tally.n_throttled), "{tally:?}");
    let by_reason = tally.throttled_by.get("TableWriteKeyRangeThroughputExceeded");
    assert_eq!(by_reason, Some(&tally.n_throttled));
}

#[test]
fn fixed_shares_throttle_the_busiest_partition_and_adaptive_ones_do_not() {
    let throttled = |is_adaptive: bool| {
        let settings = json!({
            "preset": "lesson", "driver": "cluster", "burst_seconds": 0, "adaptive": is_adaptive,
            "mode": {"provisioned": [400, 400]}, "partitions": 4,
        });
        let rates = [("on:P0", 50), ("on:P1", 50), ("on:P2", 50), ("on:P3", 150)];
        let load: Vec<Value> = rates.iter().map(|(key, rate)| put(key, *rate)).collect();
        let mut run = begun(settings, json!({}), json!([{"load": load, "seconds": 20}]));
        pass(&mut run, 21_000);
        tallies(&run).iter().map(|tally| tally.n_throttled).collect::<Vec<_>>()
    };
    let fixed = throttled(false);
    assert_eq!(fixed[..3], [0, 0, 0]);
    assert!((970..=1_030).contains(&fixed[3]), "20 s of 50 too many: {fixed:?}");
    assert_eq!(throttled(true), [0, 0, 0, 0]);
}

#[test]
fn stale_reads_of_a_load_are_counted_where_followers_lag() {
    let settings = json!({
        "preset": "lesson", "lag": {"followers_ms": [500, 500]}, "eventual_reads": "slowest-follower",
    });
    let key = json!({"PK": {"S": "a"}, "SK": {"S": "b"}});
    let update = json!({"TableName": "Events", "Key": key, "UpdateExpression": "ADD v :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}}});
    let reads = |share: u32| {
        json!({"op": "GetItem", "request": {"TableName": "Events", "Key": key},
        "rate": 100, "consistent_percent": share})
    };
    let steps = json!([
        {"operation": "UpdateItem", "request": update},
        {"at_ms": 1, "load": [reads(0), reads(100)], "seconds": 1},
    ]);
    let mut run = begun(settings, json!({}), steps);
    pass(&mut run, 3_000);
    let stale: Vec<u64> = tallies(&run).iter().map(|tally| tally.n_stale).collect();
    // One of the hundred requests of a second comes every 10 ms, until the write arrives at 500 ms.
    assert_eq!(stale, [49, 0]);
}

#[test]
fn slots_fill_texts_and_numbers_and_items_have_their_size() {
    let settings = json!({"preset": "lesson"});
    let mut load = put("k-{n%3+1:02}", 10);
    load["item"]["at"] = json!({"S": "{time:2026-01-01T00:00:00Z:n*60}"});
    load["item"]["v"] = json!({"N": "{n*2}"});
    let mut run = begun(settings, json!({}), json!([{"load": [load], "seconds": 1}]));
    pass(&mut run, 2_000);
    let get =
        json!({"TableName": "Events", "Key": {"PK": {"S": "k-02"}, "SK": {"S": "e-00000007"}}});
    let outcome = run.call(request("GetItem", &get)).expect("no reply is lost");
    let item = &answer(&outcome.reply)["Item"];
    assert_eq!(item["at"], json!({"S": "2026-01-01T00:07:00Z"}));
    assert_eq!(item["v"], json!({"N": "14"}));
    let table = run.cluster().store().table("Events").expect("it was made");
    assert_eq!(table.items().n_rows(), 10);
    let bytes: u64 = table.items().partitions().iter().map(Partition::size_bytes).sum();
    assert_eq!(bytes, 3_000);
}

#[test]
fn clients_that_ask_again_stop_when_their_time_is_over() {
    let get = json!({"TableName": "Events", "Key": {"PK": {"S": "a"}, "SK": {"S": "b"}}});
    let load =
        json!({"op": "GetItem", "request": get, "clients": 3, "think_ms": 100, "seconds": 2});
    let mut run = begun(json!({"preset": "lesson"}), json!({}), json!([{"load": [load]}]));
    pass(&mut run, 10_000);
    assert_eq!(tallies(&run)[0].n_done, 60);
    assert!(run.loads()[0].has_ended());
}

#[test]
fn a_write_is_seen_in_another_region_when_it_has_arrived() {
    let settings = json!({
        "preset": "lesson", "regions": ["us-east-1", "eu-west-1"], "lag": {"region_ms": 800},
    });
    let item = json!({"PK": {"S": "a"}, "SK": {"S": "b"}});
    let get = json!({"TableName": "Events", "Key": item});
    let steps = json!([
        {"at_ms": 100, "operation": "PutItem", "request": {"TableName": "Events", "Item": item}},
        {"at_ms": 899, "region": "eu-west-1", "operation": "GetItem", "request": get},
        {"at_ms": 1_000, "region": "eu-west-1", "load": [
            {"op": "DeleteItem", "request": get, "rate": 1}], "seconds": 1},
    ]);
    let mut run = begun(settings, json!({}), steps);
    pass(&mut run, 899);
    let n_rows = |run: &Run, region: usize| {
        run.world().cluster(region).store().table("Events").expect("it is global").items().n_rows()
    };
    assert_eq!((n_rows(&run, 0), n_rows(&run, 1)), (1, 0));
    assert_eq!(told(&run, 1, "read.served").len(), 1);
    pass(&mut run, 1);
    assert_eq!((n_rows(&run, 0), n_rows(&run, 1)), (1, 1));
    // The load of the other Region deletes it at 2 s.
    pass(&mut run, 1_500);
    assert_eq!((n_rows(&run, 0), n_rows(&run, 1)), (1, 0));
    pass(&mut run, 500);
    assert_eq!((n_rows(&run, 0), n_rows(&run, 1)), (0, 0));
    let applied = told(&run, 0, "region.applied");
    assert_eq!(applied.iter().map(|event| ms(&run, event)).collect::<Vec<_>>(), [2_800]);
}

#[test]
fn what_goes_through_the_cache_is_answered_from_memory_until_its_time_is_over() {
    let settings = json!({"preset": "lesson", "dax": {"item_ttl_s": 10}});
    let item = json!({"PK": {"S": "a"}, "SK": {"S": "b"}});
    let get = json!({"TableName": "Events", "Key": item});
    let steps = json!([
        {"operation": "PutItem", "request": {"TableName": "Events", "Item": item}},
        {"at_ms": 1_000, "via": "dax", "operation": "GetItem", "times": 3, "every_ms": 6_000, "request": get},
        {"at_ms": 20_000, "load": [{"op": "GetItem", "request": get, "rate": 2, "via": "dax"}], "seconds": 3},
    ]);
    let mut run = begun(settings, json!({}), steps);
    pass(&mut run, 30_000);
    let results = told(&run, 0, "dax");
    let results = results.iter().map(|event| match &event.kind {
        EventKind::Dax { result, .. } => (ms(&run, event), result.name()),
        other => panic!("{other:?} is no answer of a cache"),
    });
    let expected = [
        (1_000, "miss"),
        (7_000, "hit"),
        (13_000, "miss"),
        (20_500, "hit"),
        (21_000, "hit"),
        (21_500, "hit"),
        (22_000, "hit"),
        (22_500, "hit"),
        (23_000, "miss"),
    ];
    assert_eq!(results.collect::<Vec<_>>(), expected);
    let tally = tallies(&run)[0];
    assert_eq!((tally.n_requests, tally.n_done), (6, 6));
    assert_eq!(tally.units.as_halves(), 1, "only the miss is paid for");
}

#[test]
fn a_cache_that_forgets_absences_asks_again_for_what_is_not_there() {
    let asked = |keeps: bool| {
        let settings = json!({"preset": "lesson", "dax": {"negative": keeps}});
        let get = json!({"TableName": "Events", "Key": {"PK": {"S": "a"}, "SK": {"S": "b"}}});
        let steps = json!([{"via": "dax", "operation": "GetItem", "times": 3, "every_ms": 9, "request": get}]);
        let mut run = begun(settings, json!({}), steps);
        pass(&mut run, 100);
        told(&run, 0, "read.served").len()
    };
    assert_eq!((asked(true), asked(false)), (1, 3));
}

#[test]
fn a_declared_function_keeps_the_search_index_up_after_its_delays() {
    let stream =
        json!({"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}});
    let item = json!({"PK": {"S": "a"}, "SK": {"S": "b"}, "title": {"S": "On hot partitions"}});
    let document = json!({
        "settings": {"preset": "lesson", "stream_ms": [200, 0], "function_ms": 300},
        "tables": [table(stream)],
        "functions": [{"table": "Events", "index": "title", "batch": 10},
            {"table": "Events", "count": "once", "function_ms": 0}],
        "steps": [{"operation": "PutItem", "request": {"TableName": "Events", "Item": item}},
            {"at_ms": 400, "set": {"function_ms": 1_000}}],
    });
    let scenario = Scenario::from_json(&document).expect("it is in form");
    let mut run = Run::new(Store::default(), &scenario, hashrange_wire::decode).expect("it begins");
    let hits = |run: &Run| run.world().function(0).index().search("partitions").len();
    pass(&mut run, 499);
    assert_eq!((hits(&run), run.world().function(1).count()), (0, 1));
    pass(&mut run, 1);
    assert_eq!(hits(&run), 1, "a run that has begun takes as long as it was to");
}

#[test]
fn a_scenario_with_loads_can_be_looked_at_at_any_moment_and_taken_up_from_there() {
    let settings = json!({"seed": 9, "regions": ["a", "b"], "dax": {}});
    let steps = json!([
        {"load": [put("k-{n%7}", 50), {"op": "Scan", "request": {"TableName": "Events", "Limit": 9},
            "clients": 2, "think_ms": 30, "sweep": true, "via": "dax"}], "seconds": 4, "client": "sdk"},
        {"at_ms": 1_000, "region": "b", "load": [put("k-{random:9}", 20)], "seconds": 2},
        {"at_ms": 1_500, "fault": "fail", "partition": 1, "replica": 0},
    ]);
    let shown = |run: &Run| {
        let logs = (0..2).map(|region| run.world().cluster(region).events());
        let logs: Vec<u64> = logs.map(|log| log.fingerprint(Timestamp(0))).collect();
        format!("{} {logs:?} {:?}", run.now().0, tallies(run))
    };
    let mut timeline = Timeline::new(begun(settings, json!({}), steps), SECOND / 2);
    let start = timeline.run().now();
    let at = |ms: i64| start.plus_millis(ms);
    let mut seen = Vec::new();
    for ms in [700, 1_501, 2_200, 5_000] {
        while !timeline.run_until(at(ms), 1_000) {}
        seen.push((ms, shown(timeline.run())));
    }
    for (ms, straight) in &seen {
        assert_eq!(&shown(&timeline.at(at(*ms))), straight, "at {ms} ms");
    }
    let mut fork = timeline.fork(at(1_501));
    while !fork.run_until(at(5_000), 77) {}
    assert_eq!(shown(fork.run()), seen[3].1);
}

#[test]
fn what_could_never_be_played_is_refused_before_the_run_begins() {
    let refused = |settings: Value, more: Value| {
        let mut document = json!({"settings": settings, "tables": [table(json!({}))]});
        let more = more.as_object().expect("members").clone();
        document.as_object_mut().expect("an object").extend(more);
        let scenario = Scenario::from_json(&document).expect("it is in form");
        Run::new(Store::default(), &scenario, hashrange_wire::decode).unwrap_err().to_string()
    };
    let load = |more: Value| json!({"steps": [{"load": [more], "seconds": 1}]});
    let mut slot = put("{user}", 1);
    let sentence = refused(json!({}), load(slot.clone()));
    assert!(sentence.starts_with("steps[0].load[0]: There is no slot `{user}`"), "{sentence}");
    slot["op"] = json!("PutItems");
    let sentence = refused(json!({}), load(slot));
    assert!(sentence.starts_with("steps[0].load[0].operation must be one of"), "{sentence}");
    let mut away = put("a", 1);
    away["region"] = json!("mars");
    assert_eq!(
        refused(json!({}), load(away)),
        "steps[0].load[0].region must be us-east-1, not \"mars\""
    );
    let get = json!({"op": "GetItem", "request": {"TableName": "Events", "Key": {}}, "rate": 1, "size": 9});
    assert_eq!(
        refused(json!({}), load(get)),
        "steps[0].load[0]: GetItem puts no item that could be padded to a size."
    );
    assert_eq!(
        refused(json!({}), json!({"functions": [{"table": "Events", "count": "once"}]})),
        "functions[0]: Table Events has no stream: switch it on first."
    );
    assert_eq!(
        refused(json!({"partitions": 1}), json!({})),
        "settings.partitions must be at least what tables[0] begins with, not 1"
    );
    let sentence = refused(json!({"warm": {"rcu": 1, "wcu": 1}}), json!({}));
    assert!(sentence.starts_with("tables[0] was refused: "), "{sentence}");
}
