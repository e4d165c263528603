//! Items that expire and are swept late, and tables restored to a moment, in simulated time.

mod script;

use hashrange_simulation::{Cluster, EventKind, Settings};
use script::{call, run_for};
use serde_json::{Value, json};

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
/// When runs begin, in seconds.
const START: i64 = 1_767_225_600;

/// The table of lesson 6.3, swept two days late.
fn heartbeat(ttl_sweep_delay_s: Option<u32>) -> Cluster {
    let mut cluster = Cluster::new(Settings { ttl_sweep_delay_s, ..Settings::default() });
    call(
        &mut cluster,
        "CreateTable",
        json!({
            "TableName": "Heartbeat", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "service", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "service", "AttributeType": "S"}],
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        }),
    );
    call(
        &mut cluster,
        "UpdateTimeToLive",
        json!({
            "TableName": "Heartbeat",
            "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "expiresAt"},
        }),
    );
    cluster
}

fn put(cluster: &mut Cluster, service: &str, expires_at: &Value) {
    let item = json!({"service": {"S": service}, "status": {"S": "down"}, "expiresAt": expires_at});
    let answer = call(cluster, "PutItem", json!({"TableName": "Heartbeat", "Item": item}));
    assert_eq!(answer, json!({}));
}

fn at(seconds: i64) -> Value {
    json!({"N": (START + seconds).to_string()})
}

fn is_there(cluster: &mut Cluster, service: &str) -> bool {
    let key = json!({"service": {"S": service}});
    let got = call(cluster, "GetItem", json!({"TableName": "Heartbeat", "Key": key}));
    got.get("Item").is_some()
}

/// The names of events of these kinds, with their seconds since the start.
fn moments(cluster: &Cluster, name: &str) -> Vec<i64> {
    let events = cluster.events().iter().filter(|event| event.kind.name() == name);
    events.map(|event| event.at.whole_seconds() - START).collect()
}

#[test]
fn an_expired_item_is_readable_until_it_is_swept_two_days_later() {
    let mut cluster = heartbeat(Some(172_800));
    put(&mut cluster, "payments", &at(60));
    run_for(&mut cluster, 61 * SECOND);
    assert!(is_there(&mut cluster, "payments"));
    assert_eq!(moments(&cluster, "ttl.expired"), [61]);
    run_for(&mut cluster, 48 * HOUR - SECOND);
    assert!(is_there(&mut cluster, "payments"));
    run_for(&mut cluster, SECOND);
    assert!(!is_there(&mut cluster, "payments"));
    assert_eq!(moments(&cluster, "ttl.swept"), [61 + 172_800]);
    let late = cluster.events().iter().find_map(|event| match event.kind {
        EventKind::TtlSwept { late_us, .. } => Some(late_us),
        _ => None,
    });
    assert_eq!(late, Some(48 * HOUR));
}

#[test]
fn a_sweep_takes_what_has_expired_at_once_for_no_units_and_by_the_service() {
    let mut cluster = heartbeat(Some(172_800));
    put(&mut cluster, "payments", &at(60));
    put(&mut cluster, "mail", &at(600));
    run_for(&mut cluster, 61 * SECOND);
    assert_eq!(cluster.sweep(), 1);
    assert_eq!(cluster.sweep(), 0);
    assert!(!is_there(&mut cluster, "payments"));
    assert!(is_there(&mut cluster, "mail"));
    let records: Vec<(&str, bool)> = cluster
        .events()
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::StreamRecord { name, is_expiry, .. } => Some((name, is_expiry)),
            _ => None,
        })
        .collect();
    assert_eq!(records, [("INSERT", false), ("INSERT", false), ("REMOVE", true)]);
    run_for(&mut cluster, 72 * HOUR);
    assert_eq!(moments(&cluster, "ttl.swept"), [61, 601 + 172_800]);
}

#[test]
fn milliseconds_and_texts_never_expire() {
    let mut cluster = heartbeat(Some(172_800));
    put(&mut cluster, "mail", &json!({"N": "1767225660000"}));
    put(&mut cluster, "sms", &json!({"S": "1767225660"}));
    run_for(&mut cluster, 365 * 24 * HOUR);
    assert_eq!(cluster.sweep(), 0);
    assert!(is_there(&mut cluster, "mail") && is_there(&mut cluster, "sms"));
}

#[test]
fn an_item_whose_time_is_put_off_expires_at_its_new_time_only() {
    let mut cluster = heartbeat(Some(10));
    put(&mut cluster, "payments", &at(60));
    run_for(&mut cluster, 65 * SECOND);
    put(&mut cluster, "payments", &at(100));
    run_for(&mut cluster, 30 * SECOND);
    assert!(is_there(&mut cluster, "payments"));
    run_for(&mut cluster, 16 * SECOND);
    assert!(!is_there(&mut cluster, "payments"));
    assert_eq!(moments(&cluster, "ttl.expired"), [61, 101]);
    assert_eq!(moments(&cluster, "ttl.swept"), [111]);
}

#[test]
fn items_that_were_there_before_time_to_live_expire_too() {
    let mut cluster = heartbeat(Some(10));
    let off = json!({"Enabled": false, "AttributeName": "expiresAt"});
    let on = json!({"Enabled": true, "AttributeName": "expiresAt"});
    for specification in [off, on] {
        put(&mut cluster, "payments", &at(60));
        let body = json!({"TableName": "Heartbeat", "TimeToLiveSpecification": specification});
        call(&mut cluster, "UpdateTimeToLive", body);
    }
    run_for(&mut cluster, 100 * SECOND);
    assert_eq!(moments(&cluster, "ttl.swept"), [71]);
}

#[test]
fn without_a_delay_items_go_as_in_a_database_and_that_is_told() {
    let mut cluster = heartbeat(None);
    put(&mut cluster, "payments", &at(60));
    run_for(&mut cluster, 3_600 * SECOND);
    assert!(!is_there(&mut cluster, "payments"));
    assert_eq!(moments(&cluster, "ttl.swept"), [3_600]);
}

#[test]
fn a_table_is_restored_beside_itself_as_it_was_the_second_before_a_mistake() {
    let mut cluster = Cluster::new(Settings::default());
    call(
        &mut cluster,
        "CreateTable",
        json!({
            "TableName": "Profiles", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "user", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "user", "AttributeType": "S"}],
        }),
    );
    let recovery = json!({"PointInTimeRecoveryEnabled": true});
    call(
        &mut cluster,
        "UpdateContinuousBackups",
        json!({
            "TableName": "Profiles", "PointInTimeRecoverySpecification": recovery,
        }),
    );
    let key = |n: u32| json!({"user": {"S": format!("t1-user-{n:02}")}});
    for n in 1..=12 {
        call(&mut cluster, "PutItem", json!({"TableName": "Profiles", "Item": key(n)}));
    }
    run_for(&mut cluster, 30 * SECOND);
    for n in 1..=10 {
        call(&mut cluster, "DeleteItem", json!({"TableName": "Profiles", "Key": key(n)}));
    }
    let restore = json!({
        "SourceTableName": "Profiles", "TargetTableName": "Profiles-restored",
        "RestoreDateTime": START + 29,
    });
    let early = call(&mut cluster, "RestoreTableToPointInTime", restore.clone());
    assert_eq!(early["error"], "InvalidRestoreTimeException");
    run_for(&mut cluster, 360 * SECOND);
    call(&mut cluster, "RestoreTableToPointInTime", restore);
    let count = |cluster: &mut Cluster, table: &str| {
        call(cluster, "Scan", json!({"TableName": table}))["Count"].clone()
    };
    assert_eq!(count(&mut cluster, "Profiles-restored"), 12);
    assert_eq!(count(&mut cluster, "Profiles"), 2);
    let restored: Vec<u64> = cluster
        .events()
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::RestoreDone { n_items, .. } => Some(n_items),
            _ => None,
        })
        .collect();
    assert_eq!(restored, [12]);
}
