//! Who sees what, and when: followers, indexes, fail-over.

mod script;

use hashrange_simulation::{EventKind, EventualReads, Lag, Settings, SplitCause};
use hashrange_types::Timestamp;
use script::{call, cluster, get, put, version};
use serde_json::json;

fn lagging(first_us: i64, second_us: i64, reads: EventualReads) -> Settings {
    Settings {
        followers: [Lag::Fixed(vec![first_us]), Lag::Fixed(vec![second_us])],
        eventual_reads: reads,
        ..Settings::default()
    }
}

#[test]
fn a_follower_answers_with_the_old_item_until_its_lag_has_passed() {
    let mut cluster = cluster(lagging(100_000, 150_000, EventualReads::SlowestFollower));
    call(&mut cluster, "PutItem", put("a", 1));
    let start = cluster.now();
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 1);
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", false))), 0);
    cluster.run_until(Timestamp(start.0 + 149_999), 1_000);
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", false))), 0);
    cluster.run_until(Timestamp(start.0 + 150_000), 1_000);
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", false))), 1);
}

#[test]
fn the_second_identical_read_can_be_older_than_the_first() {
    let mut cluster = cluster(lagging(50_000, 500_000, EventualReads::RoundRobin));
    call(&mut cluster, "PutItem", put("a", 1));
    let reads: Vec<u32> =
        (0..3).map(|_| version(&call(&mut cluster, "GetItem", get("a", false)))).collect();
    assert_eq!(reads, [1, 0, 0], "leader, first follower, second follower");
    let later = Timestamp(cluster.now().0 + 100_000);
    cluster.run_until(later, 1_000);
    let reads: Vec<u32> =
        (0..3).map(|_| version(&call(&mut cluster, "GetItem", get("a", false)))).collect();
    assert_eq!(reads, [1, 1, 0]);
}

#[test]
fn a_read_says_how_far_its_replica_is_behind() {
    let mut cluster = cluster(lagging(0, 60_000, EventualReads::SlowestFollower));
    call(&mut cluster, "PutItem", put("a", 1));
    let later = Timestamp(cluster.now().0 + 20_000);
    cluster.run_until(later, 1_000);
    call(&mut cluster, "PutItem", put("a", 2));
    call(&mut cluster, "GetItem", get("a", false));
    let read = cluster.events().iter().rev().find_map(|event| match &event.kind {
        EventKind::ReadServed { replica, n_missing, behind_us, .. } => {
            Some((*replica, *n_missing, *behind_us))
        }
        _ => None,
    });
    assert_eq!(read, Some((2, 2, 20_000)));
}

#[test]
fn an_index_follows_its_table_later_and_a_query_of_it_cannot_be_strong() {
    let mut cluster =
        cluster(Settings { indexes: Lag::Fixed(vec![30_000]), ..Settings::default() });
    call(&mut cluster, "PutItem", put("a", 1));
    let query = json!({"TableName": "Orders", "IndexName": "byColour", "KeyConditionExpression": "colour = :c",
        "ExpressionAttributeValues": {":c": {"S": "red"}}});
    assert_eq!(version(&call(&mut cluster, "Query", query.clone())), 0);
    let later = Timestamp(cluster.now().0 + 30_000);
    cluster.run_until(later, 1_000);
    assert_eq!(version(&call(&mut cluster, "Query", query)), 1);
}

#[test]
fn without_a_leader_there_are_no_writes_and_strong_reads_but_eventual_ones() {
    let mut cluster = cluster(Settings { election_us: 2_000_000, ..Settings::default() });
    call(&mut cluster, "PutItem", put("a", 1));
    let place = cluster.events().iter().find_map(|event| match &event.kind {
        EventKind::WriteCommitted { place, .. } => Some(place.clone()),
        _ => None,
    });
    let partition = place.unwrap().partition;
    cluster.fail(partition, 0);
    assert_eq!(call(&mut cluster, "PutItem", put("a", 2))["error"], "InternalServerError");
    assert_eq!(call(&mut cluster, "GetItem", get("a", true))["error"], "InternalServerError");
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", false))), 1);
    let later = Timestamp(cluster.now().0 + 2_000_000);
    cluster.run_until(later, 1_000);
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 1);
    call(&mut cluster, "PutItem", put("a", 2));
    assert_eq!(version(&call(&mut cluster, "GetItem", get("a", true))), 2);
}

#[test]
fn a_divided_partition_answers_as_before_and_its_halves_catch_up() {
    let mut cluster = cluster(lagging(80_000, 90_000, EventualReads::SlowestFollower));
    for pk in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        call(&mut cluster, "PutItem", put(pk, 1));
    }
    let written: Vec<_> = cluster
        .events()
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::WriteCommitted { place, key, .. } => Some((place.partition, key.clone())),
            _ => None,
        })
        .collect();
    let n_partitions = cluster.partitions().len();
    let divided = written
        .iter()
        .filter(|(partition, key)| cluster.divide(*partition, key, SplitCause::Demand));
    let n_divided = divided.count();
    assert!(n_divided > 0);
    assert!(cluster.partitions().len() > n_partitions);
    assert!(!cluster.is_settled());
    for pk in ["a", "h"] {
        assert_eq!(version(&call(&mut cluster, "GetItem", get(pk, true))), 1);
        assert_eq!(version(&call(&mut cluster, "GetItem", get(pk, false))), 0);
    }
    while cluster.step() {}
    assert!(cluster.is_settled());
    for pk in ["a", "h"] {
        assert_eq!(version(&call(&mut cluster, "GetItem", get(pk, false))), 1);
    }
}
