//! Global tables: when nothing is on its way any more, every Region has the same items.

use hashrange_engine::Database;
use hashrange_simulation::{Lag, World, WorldSettings};
use hashrange_types::Timestamp;
use serde_json::{Value, json};

use super::Verdict;
use super::dice::Dice;
use super::play::{lagging, limited};
use super::requests::{Kinds, Requests, key, orders};
use crate::script::{answer, call_database, request};

const STEPS_MAX: usize = 1_000_000;

fn world(dice: &mut Dice) -> World {
    let mut cluster = if dice.chance(30) { limited(dice) } else { lagging(dice) };
    cluster.ttl_sweep_delay_s = dice.pick(&[None, Some(2)]);
    let regions = ["us-east-1", "us-east-2", "us-west-2"].map(Into::into);
    let is_strong = dice.chance(30);
    let n = if is_strong { 3 } else { dice.pick(&[2, 3]) };
    let region_lag = match dice.below(3) {
        0 => Lag::NONE,
        1 => Lag::Fixed((0..dice.between(1, 5)).map(|_| dice.between(0, 900_000)).collect()),
        _ => Lag::LongTailed { median_us: 300_000, p99_us: 2_000_000 },
    };
    let settings = WorldSettings {
        cluster,
        regions: regions[..n].to_vec(),
        region_lag,
        is_strong,
        strong_write_us: dice.pick(&[0, 60_000]),
        ..WorldSettings::default()
    };
    World::new(settings).expect("the settings are right")
}

fn n_regions(world: &World) -> usize {
    ["us-east-1", "us-east-2", "us-west-2"].iter().filter_map(|name| world.region(name)).count()
}

fn pass(world: &mut World, us: i64) {
    let moment = Timestamp(world.now().0 + us);
    assert!(world.run_until(moment, STEPS_MAX), "there is an end to what happens");
}

pub(super) fn global_replicas_converge(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0x61);
    let mut world = world(&mut dice);
    let n = n_regions(&world);
    let kinds = Kinds { writes: 80, is_strong: false, expires: true };
    let begins_at_s = world.now().whole_seconds();
    let mut requests = Requests { kinds, n_versions: 0, begins_at_s };
    let mut table = orders(&mut dice, None);
    if world.settings().is_strong {
        // It may have no local index.
        let members = table.as_object_mut().expect("an object");
        let had = members.remove("LocalSecondaryIndexes");
        let attributes = table["AttributeDefinitions"].as_array_mut().expect("a list");
        attributes.truncate(attributes.len() - usize::from(had.is_some()));
    }
    let created = answer(&world.call(0, request("CreateTable", &table)).reply);
    assert!(created.get("error").is_none(), "{created}");
    let ttl = json!({"TableName": "Orders",
        "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "gone_at"}});
    world.call(0, request("UpdateTimeToLive", &ttl));
    for _ in 0..60 {
        let region = dice.below(n);
        let (operation, body) = requests.next(&mut dice);
        world.submit(region, request(operation, &body));
        if dice.chance(5) {
            world.sweep(region);
        }
        if dice.chance(60) {
            let us_max = dice.pick(&[1_000, 50_000, 2_000_000]);
            let us = dice.between(0, us_max);
            pass(&mut world, us);
        }
    }
    // Expired items are looked for when a request comes.
    for _ in 0..2 {
        pass(&mut world, 3_600_000_000);
        for region in 0..n {
            let get = json!({"TableName": "Orders", "Key": key(0, 0)});
            world.submit(region, request("GetItem", &get));
        }
    }
    pass(&mut world, 3_600_000_000);
    let items = |region: usize, index: Option<&str>| -> Value {
        let mut database = Database::from_store(world.cluster(region).store().clone());
        let mut scan = json!({"TableName": "Orders"});
        if let Some(index) = index {
            scan["IndexName"] = json!(index);
        }
        let mut items = call_database(&mut database, "Scan", &scan, world.now())["Items"].clone();
        // Partitions may be divided otherwise there, but their order is the same.
        items.as_array_mut().expect("it is there").sort_by_key(ToString::to_string);
        items
    };
    for region in 1..n {
        for index in [None, Some("byColour")] {
            let (first, other) = (items(0, index), items(region, index));
            if first != other {
                return Err(format!("Region {region} has {other}\nand the first {first}"));
            }
        }
    }
    Ok(())
}
