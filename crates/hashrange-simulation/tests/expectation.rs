//! What an expectation says of events that it does not find.
#![allow(clippy::needless_pass_by_value, reason = "documents are written as literals")]

use std::collections::BTreeMap;

use hashrange_simulation::{
    DaxResult, Event, EventKind, Expectation, Observed, Place, RequestNumber, SplitCause,
};
use hashrange_types::{CapacityUnits, EncodedKey, Operation, TableName, Timestamp};
use serde_json::{Value, json};

fn place(partition: u32) -> Place {
    Place { table: TableName::new("Orders").expect("a name"), index: None, partition }
}

fn done(units: u64) -> EventKind {
    let units = CapacityUnits::halves(units);
    EventKind::RequestDone {
        request: RequestNumber(1),
        operation: Operation::GetItem,
        units,
        n_items: Some(1),
    }
}

fn read(replica: u8, partition: u32, n_missing: u32, behind_us: i64) -> EventKind {
    let request = RequestNumber(1);
    EventKind::ReadServed { request, place: place(partition), replica, n_missing, behind_us }
}

fn split(cause: SplitCause) -> EventKind {
    let at_key = EncodedKey::from_bytes(&[0; 8]);
    EventKind::PartitionSplit { place: place(1), upper: 2, at_key, cause }
}

/// What happened, each at its millisecond.
fn observed(events: Vec<(i64, EventKind)>) -> Observed {
    let mut observed = Observed::new(Timestamp(0));
    for (ms, kind) in events {
        observed.note(&Event { at: Timestamp(ms * 1_000), kind });
    }
    observed
}

fn failures(expected: Value, observed: &Observed) -> Vec<String> {
    let expected = Expectation::from_json(&expected).expect("it is in form");
    // The members of a document have an order of their own.
    let mut sentences =
        expected.failures("expect", observed, &[place(1), place(2)], &BTreeMap::new());
    sentences.sort();
    sentences
}

#[test]
fn what_holds_says_nothing_and_what_does_not_is_named_with_both_figures() {
    let observed = observed(vec![
        (0, done(1)),
        (5, read(2, 2, 1, 1_500)),
        (6, read(0, 2, 0, 0)),
        (60_500, split(SplitCause::Heat)),
        (60_700, split(SplitCause::Heat)),
        (120_000, split(SplitCause::Size)),
    ]);
    let holds = json!({
        "hash": true, "accepted": 1, "throttled": 0, "units": 0.5, "reads": 2, "stale": 1, "replicas": [2, 0],
        "behind_ms": 1.5, "splits": {"heat": 2, "size": 1}, "splits_at_s": [60, 120], "first_throttle_s": null,
        "first_split_s": 60.5, "partitions": 2, "per_partition": [0, 2], "dax": [],
    });
    assert_eq!(failures(holds, &observed), [""; 0]);
    let fails = json!({
        "accepted": {"value": 50, "within": "2%"}, "stale": {"value": 3, "within": 1}, "replicas": [2],
        "splits": {"heat": 3}, "first_split_s": null, "first_throttle_s": 5, "per_partition": {"Orders": [1, 2]},
    });
    assert_eq!(
        failures(fails, &observed),
        [
            "expect.accepted must be 50 within 2%, and was 1",
            "expect.first_split_s must be none, and was 60.5",
            "expect.first_throttle_s must be 5, and was none",
            "expect.per_partition.Orders must be [1, 2], and was [0, 2]",
            "expect.replicas must be [2], and was [2, 0]",
            "expect.splits must be heat 3, and was heat 2, size 1",
            "expect.stale must be 3 within 1, and was 1",
        ]
    );
}

#[test]
fn a_tolerance_is_as_wide_as_it_says() {
    let observed = observed((0..98).map(|n| (n, done(1))).collect());
    assert_eq!(failures(json!({"accepted": {"value": 100, "within": "2%"}}), &observed), [""; 0]);
    assert_eq!(failures(json!({"accepted": {"value": 100, "within": "1%"}}), &observed).len(), 1);
    assert_eq!(failures(json!({"accepted": {"value": 97, "within": 1}}), &observed), [""; 0]);
    assert_eq!(failures(json!({"accepted": 97}), &observed).len(), 1);
}

#[test]
fn a_list_has_a_number_for_each_round_and_words_stand_in_their_order() {
    let mut observed = Observed::new(Timestamp(0));
    for (round, n) in [(0_i64, 3), (1, 0), (2, 2)] {
        observed.begin_round(Timestamp(round * 1_000_000));
        for _ in 0..n {
            observed.note(&Event { at: Timestamp(round * 1_000_000), kind: read(1, 1, 1, 5_000) });
            observed.note(&Event { at: Timestamp(round * 1_000_000), kind: done(2) });
        }
        observed.note(&Event { at: Timestamp(round * 1_000_000), kind: done(2) });
    }
    for result in [DaxResult::Miss, DaxResult::Hit, DaxResult::Hit] {
        let operation = Operation::GetItem;
        let kind = EventKind::Dax { node: 0, operation, result };
        observed.note(&Event { at: Timestamp(3_000_000), kind });
    }
    let holds = json!({
        "stale": [3, 0, 2], "accepted": [4, 1, 3], "units": 8, "replicas": {"begins": [1, 1]},
        "dax": ["miss", "hit", "hit"],
    });
    assert_eq!(failures(holds, &observed), [""; 0]);
    assert_eq!(failures(json!({"dax": {"hit": 2, "negative": 0}}), &observed), [""; 0]);
    assert_eq!(
        failures(json!({"dax": ["miss", "hit"], "stale": [3, 0]}), &observed),
        [
            r#"expect.dax must be ["miss", "hit"], and was ["miss", "hit", "hit"]"#,
            "expect.stale must be [3, 0], and was [3, 0, 2]",
        ]
    );
}

#[test]
fn what_is_wrong_with_an_expectation_is_said_in_one_sentence() {
    for (expected, sentence) in [
        (json!([]), "expect must be an object, not []"),
        (
            json!({"reads": true}),
            "expect.reads must be a number, null, a list, {\"value\", \"within\"}, {\"begins\"} or numbers by word, not true",
        ),
        (json!({"reads": {"value": 1}}), "expect.reads.within is missing"),
        (
            json!({"reads": {"value": 1, "within": "wide"}}),
            "expect.reads.within must be a number, or a whole percentage such as \"2%\", not \"wide\"",
        ),
    ] {
        assert_eq!(Expectation::from_json(&expected).unwrap_err().to_string(), sentence);
    }
    let unknown = Expectation::from_json(&json!({"moons": 1})).unwrap_err().to_string();
    assert!(
        unknown.starts_with("there is no member expect.moons: choose from accepted, "),
        "{unknown}"
    );
}
