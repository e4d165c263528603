//! Scenarios: what a document makes happen.
#![allow(clippy::needless_pass_by_value, reason = "documents are written as literals")]

mod script;

use hashrange_simulation::{Reply, Run, Scenario};
use hashrange_storage::Store;
use hashrange_types::Timestamp;
use script::{answer, get, put, request, table, version};
use serde_json::{Value, json};

const STALE_READ: &str = include_str!("scenarios/stale-read.json");

fn begun(text: &str) -> Run {
    let scenario = Scenario::from_text(text).expect("the scenario is in form");
    Run::new(Store::default(), &scenario, hashrange_wire::decode).expect("the scenario begins")
}

fn lines(run: &Run) -> Vec<String> {
    run.cluster()
        .events()
        .iter()
        .map(|event| event.line(run.cluster().settings().starts_at))
        .collect()
}

fn orders(settings: Value, steps: Value) -> Run {
    let scenario = json!({
        "settings": settings,
        "tables": [table(&json!({"BillingMode": "PAY_PER_REQUEST"}))],
        "steps": steps,
    });
    begun(&scenario.to_string())
}

fn later(run: &mut Run, ms: i64) {
    let moment = run.cluster().now().plus_millis(ms);
    assert!(run.run_until(moment, 100_000));
}

#[test]
fn steps_happen_at_their_moments_and_the_log_reads_like_a_diary() {
    let steps = json!([
        {"at_ms": 1.5, "operation": "PutItem", "request": put("a", 1)},
        {"at_ms": 20, "operation": "GetItem", "times": 2, "every_ms": 40, "request": get("a", false)},
    ]);
    let settings = json!({"preset": "lesson", "lag": {"followers_ms": [0, 50]}, "eventual_reads": "slowest-follower"});
    let mut run = orders(settings, steps);
    later(&mut run, 1_000);
    let lines = lines(&run);
    let told: Vec<&str> = lines.iter().skip(1).map(|line| line.as_str().trim_start()).collect();
    assert_eq!(
        told,
        [
            "1.500 ms  write.committed      Orders P2            key=a·a change=1",
            "1.500 ms  index.applied        Orders/byColour P7   behind_ms=0",
            "1.500 ms  request.done                              request=2 operation=PutItem units=2.0",
            "20.000 ms  read.served          Orders P2            request=3 replica=2 missing=1 behind_ms=18.5",
            "20.000 ms  request.done                              request=3 operation=GetItem units=0.5 count=0",
            "51.500 ms  replica.applied      Orders P2            replica=2 change=1",
            "51.500 ms  replica.applied      Orders/byColour P7   replica=2 change=1",
            "60.000 ms  read.served          Orders P2            request=4 replica=2 missing=0 behind_ms=0",
            "60.000 ms  request.done                              request=4 operation=GetItem units=0.5 count=1",
        ]
    );
}

/// The same in wasm: `crates/hashrange-wasm/tests/simulation.rs` holds its run to this file too.
#[test]
fn a_run_is_the_one_that_was_written_down() {
    let mut run = begun(STALE_READ);
    later(&mut run, 1_000);
    let fingerprint = run.cluster().events().fingerprint(run.cluster().settings().starts_at);
    let written = include_str!("scenarios/stale-read.fingerprint").trim();
    assert_eq!(format!("{fingerprint:016x}"), written, "write it down anew if events have changed");
}

#[test]
fn one_seed_gives_one_log_and_another_seed_another() {
    let played = |text: &str| {
        let mut run = begun(text);
        later(&mut run, 1_000);
        run.cluster().events().fingerprint(run.cluster().settings().starts_at)
    };
    assert_eq!(played(STALE_READ), played(STALE_READ));
    assert_ne!(played(STALE_READ), played(&STALE_READ.replace("\"seed\": 7", "\"seed\": 8")));
}

#[test]
fn a_fault_by_key_takes_the_leader_of_the_keys_partition_away() {
    let key = &get("a", true)["Key"];
    let mut run = orders(
        json!({"preset": "lesson", "election_ms": 100}),
        json!([{"at_ms": 10, "fault": "fail", "table": "Orders", "key": key, "replica": 0}]),
    );
    let put_one =
        |run: &mut Run| answer(&run.call(request("PutItem", &put("a", 1))).unwrap().reply);
    assert_eq!(put_one(&mut run), json!({}));
    later(&mut run, 10);
    assert_eq!(put_one(&mut run)["error"], "InternalServerError");
    later(&mut run, 100);
    assert_eq!(put_one(&mut run), json!({}));
}

#[test]
fn a_reply_that_is_lost_leaves_its_write_behind() {
    let mut run = orders(
        json!({"preset": "lesson", "reply_ms": 5}),
        json!([{"fault": "lose_reply"}, {"at_ms": 100, "set": {"reply_ms": 0}}]),
    );
    later(&mut run, 1);
    let number = run.submit(request("PutItem", &put("a", 7)));
    assert!(matches!(run.take_reply(number), Reply::Waiting));
    later(&mut run, 5);
    assert!(matches!(run.take_reply(number), Reply::Lost));
    let read = run.call(request("GetItem", &get("a", true))).unwrap();
    assert_eq!(version(&answer(&read.reply)), 7);
}

#[test]
fn a_step_that_could_never_happen_is_refused_before_the_run_begins() {
    let refused = |steps: Value| {
        let scenario = Scenario::from_json(&json!({ "steps": steps })).expect("it is in form");
        Run::new(Store::default(), &scenario, hashrange_wire::decode).unwrap_err().to_string()
    };
    assert_eq!(
        refused(json!([{"operation": "Put", "request": {}}])),
        "steps[0].operation must be one of DynamoDB's, not \"Put\""
    );
    let sentence = refused(json!([{}, {"operation": "PutItem", "request": {"TableName": 5}}]));
    assert!(sentence.starts_with("steps[1] is no PutItem request: "), "{sentence}");
    let sentence = refused(json!([{"set": {"seed": 5}}]));
    assert!(
        sentence.starts_with("steps[0].set: there is no setting to change seed: "),
        "{sentence}"
    );
}

#[test]
fn a_moment_is_reached_within_a_budget_or_later() {
    let steps =
        json!([{"operation": "PutItem", "times": 50, "every_ms": 1, "request": put("{n}", 1)}]);
    let mut run = orders(json!({"preset": "lesson"}), steps);
    let end = Timestamp(run.cluster().now().0 + 49_000);
    assert!(!run.run_until(end, 10));
    while !run.run_until(end, 10) {}
    assert_eq!(run.cluster().now(), end);
    let scan = json!({"TableName": "Orders", "Select": "COUNT"});
    let counted = run.call(request("Scan", &scan)).unwrap();
    assert_eq!(answer(&counted.reply)["Count"], 50);
}
