//! A stream: each change once, and those of an item in their order.

use std::collections::{BTreeMap, BTreeSet};

use hashrange_engine::Database;
use hashrange_simulation::{
    EventKind, FunctionKind, FunctionSettings, Lag, Settings, World, WorldSettings,
};
use hashrange_types::Timestamp;
use serde_json::{Value, json};

use super::Verdict;
use super::dice::Dice;
use super::history::{is_done, written};
use super::play::{Play, lagging, limited};
use super::requests::{Kinds, Requests, orders};
use crate::script::{answer, call_database, request};

pub(super) fn a_stream_delivers_each_change_once_per_shard_in_the_order_of_each_key(
    seed: u64,
) -> Verdict {
    let mut dice = Dice::new(seed ^ 0x57);
    let mut settings = if dice.chance(50) { limited(&mut dice) } else { lagging(&mut dice) };
    settings.ttl_sweep_delay_s = dice.pick(&[None, Some(1)]);
    settings.has_stream_shards = dice.chance(60);
    let kinds = Kinds { writes: 90, is_strong: false, expires: true };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    let mut play = Play::new(dice, settings, None, requests);
    let mut sent = Vec::new();
    for _ in 0..60 {
        if play.dice.chance(10) {
            play.act();
        }
        let asked = play.requests.next(&mut play.dice);
        sent.push((play.cluster.submit(request(asked.0, &asked.1)), asked));
        if play.dice.chance(50) {
            let us_max = play.dice.pick(&[1_000, 50_000, 2_000_000]);
            play.wait(us_max);
        }
    }
    play.settle()?;
    let mut acknowledged = BTreeSet::new();
    for (number, asked) in sent {
        let outcome = play.cluster.take_reply(number).ok_or("a request was never answered")?;
        let answer = answer(&outcome.reply);
        for (position, (item, version)) in written(&asked).into_iter().enumerate() {
            if is_done(asked.0, &item, position, &answer) && !version.is_empty() {
                acknowledged.insert(version);
            }
        }
    }
    let records = Reader::of(&play).records()?;
    check(&play, &records, acknowledged)?;
    a_function_gets_all(seed)
}

/// Reads a stream from its beginning, parents before their children.
struct Reader {
    database: Database,
    now: Timestamp,
}

impl Reader {
    fn of(play: &Play) -> Self {
        let database = Database::from_store(play.cluster.store().clone());
        Self { database, now: play.cluster.now() }
    }

    fn call(&mut self, operation: &str, body: &Value) -> Value {
        call_database(&mut self.database, operation, body, self.now)
    }

    fn records(&mut self) -> Result<Vec<Value>, String> {
        let streams = self.call("ListStreams", &json!({"TableName": "Orders"}));
        let arn = streams["Streams"][0]["StreamArn"].clone();
        let mut shards: Vec<Value> = Vec::new();
        let mut body = json!({"StreamArn": arn});
        loop {
            let described = self.call("DescribeStream", &body);
            let page = &described["StreamDescription"];
            shards.extend(page["Shards"].as_array().ok_or(described.to_string())?.iter().cloned());
            match &page["LastEvaluatedShardId"] {
                Value::Null => break,
                last => body["ExclusiveStartShardId"] = last.clone(),
            }
        }
        let mut read: BTreeSet<String> = BTreeSet::new();
        let ids: BTreeSet<String> =
            shards.iter().map(|shard| shard["ShardId"].to_string()).collect();
        let mut records = Vec::new();
        while read.len() < shards.len() {
            let is_ready = |shard: &&Value| {
                let parent = shard["ParentShardId"].to_string();
                !read.contains(&shard["ShardId"].to_string())
                    && (!ids.contains(&parent) || read.contains(&parent))
            };
            let shard = shards.iter().find(is_ready).ok_or("shards are their own parents")?;
            records.extend(self.of_shard(&arn, &shard["ShardId"])?);
            read.insert(shard["ShardId"].to_string());
        }
        Ok(records)
    }

    fn of_shard(&mut self, arn: &Value, shard: &Value) -> Result<Vec<Value>, String> {
        let body = json!({"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"});
        let mut iterator = self.call("GetShardIterator", &body)["ShardIterator"].clone();
        let mut records: Vec<Value> = Vec::new();
        while iterator.is_string() {
            let page = self.call("GetRecords", &json!({"ShardIterator": iterator, "Limit": 7}));
            let found = page["Records"].as_array().ok_or(page.to_string())?;
            if found.is_empty() {
                break;
            }
            records.extend(found.iter().cloned());
            iterator = page["NextShardIterator"].clone();
        }
        let sequences: Vec<String> = records.iter().map(sequence).collect();
        if !sequences.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(format!("shard {shard} is not in order: {sequences:?}"));
        }
        Ok(records)
    }
}

/// A sequence number that sorts as text.
fn sequence(record: &Value) -> String {
    format!("{:0>40}", record["dynamodb"]["SequenceNumber"].as_str().unwrap_or_default())
}

/// Each record goes on from the one before of its item, the last one is what the table holds, and every write
/// that was acknowledged has one.
fn check(play: &Play, records: &[Value], mut acknowledged: BTreeSet<String>) -> Verdict {
    let told = play.cluster.events().iter();
    let n_told = told.filter(|event| event.kind.name() == "stream.record").count();
    if n_told != records.len() {
        return Err(format!("{n_told} changes were told of and {} delivered", records.len()));
    }
    let mut newest: BTreeMap<String, Value> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for record in records {
        if !seen.insert(sequence(record)) {
            return Err(format!("twice: {record}"));
        }
        let of = &record["dynamodb"];
        let before = newest.insert(of["Keys"].to_string(), of["NewImage"].clone());
        if before.unwrap_or_default() != of["OldImage"] {
            return Err(format!("it does not go on from the record before: {record}"));
        }
        if let Some(version) = of["NewImage"]["v"]["N"].as_str() {
            acknowledged.remove(version);
        }
    }
    if let Some(version) = acknowledged.first() {
        return Err(format!("version {version} was acknowledged and has no record"));
    }
    let mut leader = Database::from_store(play.cluster.store().clone());
    let scan = json!({"TableName": "Orders"});
    let items = call_database(&mut leader, "Scan", &scan, play.cluster.now())["Items"].clone();
    let of_key = |item: &Value| json!({"pk": item["pk"], "sk": item["sk"]}).to_string();
    let items = items.as_array().ok_or("the table is there")?.iter();
    let held: BTreeMap<String, Value> = items.map(|item| (of_key(item), item.clone())).collect();
    newest.retain(|_, image| !image.is_null());
    if held == newest { Ok(()) } else { Err(format!("{newest:?}\nis not what is held: {held:?}")) }
}

/// A function that remembers what it has counted counts each record, however often it is asked again.
fn a_function_gets_all(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0xF6);
    let cluster = Settings { has_stream_shards: dice.chance(60), ..lagging(&mut dice) };
    let mut world = World::new(WorldSettings { cluster, ..WorldSettings::default() })
        .expect("the settings are right");
    world.call(0, request("CreateTable", &orders(&mut dice, None)));
    let settings = FunctionSettings {
        batch_size: dice.pick(&[1, 3, 100]),
        window_us: dice.pick(&[0, 500_000]),
        bisects: dice.chance(50),
        stream: Some(Lag::Fixed(vec![dice.pick(&[0, 100_000])])),
        duration: Some(Lag::Fixed(vec![dice.pick(&[0, 20_000])])),
        ..FunctionSettings::new(FunctionKind::Count { is_idempotent: true })
    };
    let function = world.connect(0, "Orders", settings).map_err(|error| error.to_string())?;
    let kinds = Kinds { writes: 90, is_strong: false, expires: false };
    let mut requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    for _ in 0..40 {
        let (operation, body) = requests.next(&mut dice);
        world.submit(0, request(operation, &body));
        if dice.chance(10) {
            world.lose_answers(function, 1);
        }
        if dice.chance(10) {
            world.switch(function, dice.chance(60));
        }
        let later = Timestamp(world.now().0 + dice.between(0, 200_000));
        world.run_until(later, 100_000);
    }
    world.switch(function, true);
    let later = Timestamp(world.now().0 + 3_600_000_000);
    world.run_until(later, 1_000_000);
    let is_record = |kind: &EventKind| matches!(kind, EventKind::StreamRecord { .. });
    let events = world.cluster(0).events().iter();
    let n_records = events.filter(|event| is_record(&event.kind)).count() as u64;
    let counted = world.function(function).count();
    if counted == n_records {
        Ok(())
    } else {
        Err(format!("a function got {counted} of {n_records}"))
    }
}
