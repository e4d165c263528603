//! Global tables: who sees what when, who wins, what it costs, and what strong consistency refuses.
#![allow(clippy::needless_pass_by_value, reason = "requests are written as literals")]

mod script;

use hashrange_simulation::{DaxSettings, EventKind, Lag, Settings, World, WorldSettings};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{CapacityUnits, Timestamp};
use script::{answer, request};
use serde_json::{Value, json};

const US: usize = 0;
const EU: usize = 1;

/// The profiles of lesson 4.4 in these Regions, 800 ms apart.
struct Profiles {
    world: World,
    start: Timestamp,
}

impl Profiles {
    fn new(settings: WorldSettings) -> Self {
        let mut world = World::new(settings).expect("the settings are right");
        let table = json!({
            "TableName": "Profiles", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "user", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "user", "AttributeType": "S"}],
        });
        world.call(US, request("CreateTable", &table));
        let start = world.now();
        Self { world, start }
    }

    fn in_two_regions() -> Self {
        Self::new(WorldSettings {
            cluster: Settings { reply_us: 5_000, ..Settings::default() },
            regions: vec!["us-east-1".into(), "eu-west-1".into()],
            region_lag: Lag::Fixed(vec![800_000]),
            ..WorldSettings::default()
        })
    }

    fn in_three_strong_regions() -> Self {
        Self::new(WorldSettings {
            regions: vec!["us-east-1".into(), "us-east-2".into(), "us-west-2".into()],
            is_strong: true,
            strong_write_us: 60_000,
            ..WorldSettings::default()
        })
    }

    fn at_ms(&mut self, ms: i64) {
        assert!(self.world.run_until(Timestamp(self.start.0 + ms * 1_000), 100_000));
    }

    fn call(&mut self, region: usize, operation: &str, body: Value) -> Value {
        answer(&self.world.call(region, request(operation, &body)).reply)
    }

    fn get(&mut self, region: usize, user: &str, is_strong: bool) -> Value {
        let body = json!({"TableName": "Profiles", "Key": key(user), "ConsistentRead": is_strong});
        self.call(region, "GetItem", body)["Item"].clone()
    }

    fn told(&self, region: usize, name: &str) -> usize {
        let events = self.world.cluster(region).events().iter();
        events.filter(|event| event.kind.name() == name).count()
    }
}

fn key(user: &str) -> Value {
    json!({"user": {"S": user}})
}

fn put(user: &str, name: &str, value: &str) -> Value {
    let mut item = key(user);
    item[name] = json!({"S": value});
    json!({"TableName": "Profiles", "Item": item})
}

fn set(user: &str, name: &str, value: &str) -> Value {
    json!({"TableName": "Profiles", "Key": key(user), "UpdateExpression": "SET #n = :v",
        "ExpressionAttributeNames": {"#n": name},
        "ExpressionAttributeValues": {":v": {"S": value}}})
}

#[test]
fn what_is_written_here_is_read_there_800_ms_later_even_strongly() {
    let mut profiles = Profiles::in_two_regions();
    profiles.call(US, "PutItem", put("t1-user-11", "plan", "basic"));
    for is_strong in [false, true] {
        assert_eq!(profiles.get(EU, "t1-user-11", is_strong), Value::Null);
    }
    let start = profiles.start;
    let written_at =
        profiles.world.cluster(US).events().iter().find_map(|event| {
            (event.kind.name() == "write.committed").then_some(event.at.0 - start.0)
        });
    profiles.at_ms(written_at.expect("it was written") / 1_000 + 799);
    assert_eq!(profiles.told(EU, "region.applied"), 0);
    profiles.at_ms(written_at.expect("it was written") / 1_000 + 800);
    assert_eq!(profiles.get(EU, "t1-user-11", false)["plan"]["S"], "basic");
}

#[test]
fn of_two_writers_the_later_wins_with_the_whole_item_and_nobody_is_told() {
    let mut profiles = Profiles::in_two_regions();
    let mut first = put("t1-user-01", "plan", "basic");
    first["Item"]["email"] = json!({"S": "user1@example.com"});
    profiles.call(US, "PutItem", first);
    profiles.at_ms(10_000);
    assert_eq!(profiles.call(US, "UpdateItem", set("t1-user-01", "plan", "pro")), json!({}));
    profiles.at_ms(10_100);
    let set_email = set("t1-user-01", "email", "new@example.com");
    assert_eq!(profiles.call(EU, "UpdateItem", set_email), json!({}));
    assert_eq!(profiles.get(US, "t1-user-01", true)["plan"]["S"], "pro");
    profiles.at_ms(10_900);
    for region in [US, EU] {
        let item = profiles.get(region, "t1-user-01", true);
        assert_eq!(
            (&item["plan"]["S"], &item["email"]["S"]),
            (&json!("basic"), &json!("new@example.com"))
        );
    }
    assert_eq!(profiles.told(EU, "region.discarded"), 1);
    assert_eq!(profiles.told(US, "region.applied"), 1);
}

#[test]
fn two_regions_both_accept_a_first_put_of_the_same_user() {
    let mut profiles = Profiles::in_two_regions();
    for (region, from, ms) in [(US, "us", 20_000), (EU, "eu", 20_100)] {
        let mut first = put("t1-user-12", "from", from);
        first["ConditionExpression"] = json!("attribute_not_exists(#u)");
        first["ExpressionAttributeNames"] = json!({"#u": "user"});
        profiles.at_ms(ms);
        assert_eq!(profiles.call(region, "PutItem", first), json!({}));
    }
    profiles.at_ms(20_900);
    for region in [US, EU] {
        assert_eq!(profiles.get(region, "t1-user-12", true)["from"]["S"], "eu");
    }
}

#[test]
fn a_mistake_travels_and_every_write_is_paid_for_in_every_region() {
    let mut profiles = Profiles::in_two_regions();
    for n in 1..=10 {
        profiles.call(US, "PutItem", put(&format!("t1-user-{n:02}"), "plan", "basic"));
    }
    profiles.at_ms(30_000);
    let deletes: Vec<Value> = (1..=10)
        .map(|n| json!({"DeleteRequest": {"Key": key(&format!("t1-user-{n:02}"))}}))
        .collect();
    let batch = json!({"RequestItems": {"Profiles": deletes}});
    let outcome = profiles.world.call(US, request("BatchWriteItem", &batch));
    let units: CapacityUnits = outcome.consumed.iter().map(ConsumedCapacity::total).sum();
    profiles.at_ms(30_800);
    let scan = profiles.call(EU, "Scan", json!({"TableName": "Profiles"}));
    assert_eq!(scan["Count"], 0);
    let replicated =
        profiles.world.cluster(EU).events().iter().rev().filter_map(|event| match event.kind {
            EventKind::RegionApplied { units, .. } => Some(units),
            _ => None,
        });
    let replicated: CapacityUnits = replicated.take(10).sum();
    assert_eq!((units, replicated), (CapacityUnits::whole(10), CapacityUnits::whole(10)));
}

#[test]
fn a_stream_has_the_writes_of_all_regions_and_an_expiry_is_the_services_own_only_where_it_happened()
{
    let mut profiles = Profiles::in_two_regions();
    profiles.call(
        US,
        "UpdateTable",
        json!({"TableName": "Profiles",
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}),
    );
    profiles.call(
        US,
        "UpdateTimeToLive",
        json!({"TableName": "Profiles",
        "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "ends"}}),
    );
    let item = json!({"user": {"S": "a"}, "ends": {"N": "1767225601"}});
    profiles.call(US, "PutItem", json!({"TableName": "Profiles", "Item": item}));
    profiles.at_ms(5_000);
    assert_eq!(profiles.world.sweep(US), 1);
    profiles.at_ms(6_000);
    let records = |region: usize| {
        let events = profiles.world.cluster(region).events().iter();
        let records = events.filter_map(|event| match event.kind {
            EventKind::StreamRecord { name, is_expiry, .. } => Some((name, is_expiry)),
            _ => None,
        });
        records.collect::<Vec<_>>()
    };
    assert_eq!(records(US), [("INSERT", false), ("REMOVE", true)]);
    assert_eq!(records(EU), [("INSERT", false), ("REMOVE", false)]);
}

#[test]
fn with_strong_consistency_every_region_has_a_write_when_it_is_acknowledged() {
    let mut profiles = Profiles::in_three_strong_regions();
    let begun = profiles.world.now();
    profiles.call(US, "PutItem", put("a", "plan", "pro"));
    assert_eq!(profiles.world.now().0 - begun.0, 60_000);
    for region in 0..3 {
        assert_eq!(profiles.get(region, "a", true)["plan"]["S"], "pro");
    }
}

#[test]
fn with_strong_consistency_a_clash_is_refused_and_can_be_tried_again() {
    let mut profiles = Profiles::in_three_strong_regions();
    let one = profiles.world.submit(US, request("PutItem", &put("a", "from", "one")));
    profiles.at_ms(30);
    let error = profiles.call(EU, "PutItem", put("a", "from", "two"));
    assert_eq!(error["error"], "ReplicatedWriteConflictException");
    assert_eq!(profiles.call(EU, "PutItem", put("b", "from", "two")), json!({}));
    let outcome = profiles.world.take_reply(one).expect("60 ms have passed");
    assert!(outcome.reply.is_ok());
    assert_eq!(profiles.get(2, "a", true)["from"]["S"], "one");
    assert_eq!(profiles.call(EU, "PutItem", put("a", "from", "two")), json!({}));
    assert_eq!(profiles.get(2, "a", true)["from"]["S"], "two");
}

#[test]
fn with_strong_consistency_there_are_three_regions_empty_tables_and_no_transactions_or_expiry() {
    let two = WorldSettings {
        regions: vec!["a".into(), "b".into()],
        is_strong: true,
        ..WorldSettings::default()
    };
    let error = World::new(two).map(|_| ()).expect_err("two are too few");
    assert!(error.to_string().contains("exactly three Regions, not 2"), "{error}");
    let mut with_items = Profiles::in_two_regions();
    with_items.call(US, "PutItem", put("a", "plan", "pro"));
    let three = WorldSettings {
        regions: vec!["a".into(), "b".into(), "c".into()],
        is_strong: true,
        ..WorldSettings::default()
    };
    let store = with_items.world.cluster(US).store().clone();
    let error = World::from_store(store, three).map(|_| ()).expect_err("it is not empty");
    assert!(error.to_string().contains("Profiles can't have"), "{error}");
    let mut profiles = Profiles::in_three_strong_regions();
    let writes = json!({"TransactItems": [{"Put": put("a", "plan", "pro")}]});
    assert_eq!(profiles.call(US, "TransactWriteItems", writes)["error"], "ValidationException");
    let expiry = json!({"TableName": "Profiles",
        "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "ends"}});
    assert_eq!(profiles.call(US, "UpdateTimeToLive", expiry)["error"], "ValidationException");
    let text = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let key = |sort: &str| json!([{"AttributeName": "user", "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]);
    let create = json!({
        "TableName": "Local", "BillingMode": "PAY_PER_REQUEST", "KeySchema": key("at"),
        "AttributeDefinitions": [text("user"), text("at"), text("plan")],
        "LocalSecondaryIndexes": [{"IndexName": "byPlan", "KeySchema": key("plan"), "Projection": {"ProjectionType": "ALL"}}],
    });
    let error = profiles.call(US, "CreateTable", create);
    assert!(error["message"].as_str().unwrap().contains("local secondary indexes"), "{error}");
    let backup =
        profiles.call(US, "CreateBackup", json!({"TableName": "Profiles", "BackupName": "before"}));
    let restore =
        json!({"TargetTableName": "Restored", "BackupArn": backup["BackupDetails"]["BackupArn"]});
    let error = profiles.call(US, "RestoreTableFromBackup", restore);
    assert!(error["message"].as_str().unwrap().contains("must be empty"), "{error}");
    for region in 0..3 {
        let tables = profiles.call(region, "ListTables", json!({}));
        assert_eq!(tables["TableNames"], json!(["Profiles"]));
    }
}

#[test]
fn a_replicated_write_waits_for_capacity_where_it_arrives_and_is_not_lost() {
    let mut world = World::new(WorldSettings {
        cluster: Settings { has_limits: true, burst_seconds: 1, ..Settings::default() },
        regions: vec!["us-east-1".into(), "eu-west-1".into()],
        region_lag: Lag::Fixed(vec![800_000]),
        ..WorldSettings::default()
    })
    .expect("the settings are right");
    let units = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 5});
    let table = json!({
        "TableName": "Profiles", "ProvisionedThroughput": units,
        "KeySchema": [{"AttributeName": "user", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "user", "AttributeType": "S"}],
    });
    world.call(US, request("CreateTable", &table));
    let start = world.now();
    let mut profiles = Profiles { world, start };
    for n in 1..=5 {
        // Two of them of one item, which must not overtake each other.
        let user = format!("us-{}", n.min(4));
        assert_eq!(profiles.call(US, "PutItem", put(&user, "n", &n.to_string())), json!({}));
    }
    profiles.at_ms(790);
    for n in 1..=5 {
        assert_eq!(profiles.call(EU, "PutItem", put(&format!("eu-{n}"), "n", "0")), json!({}));
    }
    // Five units a second come back in Europe, and five writes arrive at once.
    let applied = [900, 1_100, 1_900].map(|ms| {
        profiles.at_ms(ms);
        profiles.told(EU, "region.applied")
    });
    assert_eq!(applied, [0, 1, 5]);
    assert_eq!(profiles.told(EU, "region.discarded") + profiles.told(EU, "throttled"), 0);
    assert_eq!(profiles.get(EU, "us-4", true)["n"]["S"], "5");
    let latest = profiles.world.cluster(EU).events().iter().filter_map(|event| match event.kind {
        EventKind::RegionApplied { behind_us, .. } => Some(behind_us),
        _ => None,
    });
    assert!(latest.max().unwrap() > 1_700_000, "the last of them a second late");
    let name = hashrange_types::TableName::new("Profiles").unwrap();
    let metric = hashrange_simulation::Metric::ConsumedWriteCapacityUnits;
    let minutes = profiles.world.cluster(EU).metrics(&name, None);
    let consumed: f64 = minutes.map(|minute| minute.sum(metric)).sum();
    assert!((consumed - 10.0).abs() < 0.1, "{consumed}");
    while profiles.world.step() {}
}

#[test]
fn a_write_over_what_just_arrived_wins_everywhere_though_the_clock_stood_still() {
    let mut profiles = Profiles::new(WorldSettings {
        regions: vec!["us-east-1".into(), "eu-west-1".into(), "ap-south-1".into()],
        // The first write is on its way for long, so that stamps are remembered.
        region_lag: Lag::Fixed(vec![10_000_000, 0]),
        ..WorldSettings::default()
    });
    profiles.call(2, "PutItem", put("other", "plan", "basic"));
    profiles.call(EU, "PutItem", put("a", "from", "eu"));
    let begun = profiles.world.now();
    assert_eq!(profiles.get(US, "a", true)["from"]["S"], "eu");
    profiles.call(US, "PutItem", put("a", "from", "us"));
    assert_eq!(profiles.world.now(), begun);
    profiles.at_ms(20_000);
    for region in 0..3 {
        assert_eq!(profiles.get(region, "a", true)["from"]["S"], "us");
    }
}

#[test]
fn a_cache_does_not_hear_of_other_regions_writes_until_its_entry_ends() {
    let mut profiles = Profiles::new(WorldSettings {
        regions: vec!["us-east-1".into(), "eu-west-1".into()],
        region_lag: Lag::Fixed(vec![800_000]),
        dax: Some(DaxSettings::default()),
        ..WorldSettings::default()
    });
    profiles.call(US, "PutItem", put("a", "plan", "basic"));
    let get = request("GetItem", &json!({"TableName": "Profiles", "Key": key("a")}));
    let plan_in_us = |profiles: &mut Profiles| {
        let outcome = profiles.world.call_dax(US, get.clone());
        answer(&outcome.reply)["Item"]["plan"]["S"].clone()
    };
    assert_eq!(plan_in_us(&mut profiles), "basic");
    profiles.at_ms(1_000);
    profiles.call(EU, "PutItem", put("a", "plan", "pro"));
    profiles.at_ms(299_999);
    assert_eq!(profiles.get(US, "a", false)["plan"]["S"], "pro");
    assert_eq!(plan_in_us(&mut profiles), "basic");
    profiles.at_ms(300_000);
    assert_eq!(plan_in_us(&mut profiles), "pro");
    assert_eq!((profiles.told(US, "dax"), profiles.told(EU, "dax")), (3, 0));
}

#[cfg(not(target_arch = "wasm32"))]
mod laws {
    use hashrange_storage::KeyRange;
    use proptest::prelude::*;

    use super::*;

    /// Writes in Regions, with the milliseconds before each.
    fn writes() -> impl Strategy<Value = Vec<(usize, u8, Option<u8>, i64)>> {
        let write = (0_usize..3, 0_u8..3, proptest::option::of(0_u8..9), 0_i64..400);
        prop::collection::vec(write, 0..60)
    }

    fn run(lag: Lag, writes: &[(usize, u8, Option<u8>, i64)]) -> World {
        let mut profiles = Profiles::new(WorldSettings {
            cluster: Settings { commit_us: 1_000, ..Settings::default() },
            regions: vec!["a".into(), "b".into(), "c".into()],
            region_lag: lag,
            ..WorldSettings::default()
        });
        for (region, user, value, ms) in writes {
            let user = format!("u{user}");
            let request = match value {
                Some(value) => request("PutItem", &put(&user, "v", &value.to_string())),
                None => request("DeleteItem", &json!({"TableName": "Profiles", "Key": key(&user)})),
            };
            profiles.world.submit(*region, request);
            let later = Timestamp(profiles.world.now().0 + ms * 1_000);
            profiles.world.run_until(later, 10_000);
        }
        while profiles.world.step() {}
        profiles.world
    }

    fn items(world: &World, region: usize) -> Vec<String> {
        let table = world.cluster(region).store().table("Profiles").expect("it was created");
        table
            .items()
            .range(&KeyRange::all(), true)
            .map(|(_, row)| format!("{:?}", row.item))
            .collect()
    }

    proptest! {
        #[test]
        fn replicas_are_equal_when_nothing_is_due(writes in writes(), median_us in 0_i64..600_000) {
            let world = run(Lag::LongTailed { median_us, p99_us: median_us * 5 }, &writes);
            for region in 1..3 {
                prop_assert_eq!(items(&world, 0), items(&world, region));
            }
        }

        #[test]
        fn one_seed_gives_one_order_of_events(writes in writes()) {
            let lag = Lag::LongTailed { median_us: 100_000, p99_us: 900_000 };
            let log = |world: &World, region| {
                world.cluster(region).events().iter().map(|it| format!("{it:?}")).collect::<Vec<_>>()
            };
            let (one, other) = (run(lag.clone(), &writes), run(lag, &writes));
            for region in 0..3 {
                prop_assert_eq!(log(&one, region), log(&other, region));
            }
        }
    }
}
