//! What simulated time costs: requests through a cluster with everything on, snapshots, and going back.

use std::process::Command;
use std::time::Instant;

use hashrange_engine::Database;
use hashrange_simulation::{
    ClientSettings, Cluster, EventualReads, Intervention, KeyDistribution, Lag, Pace, Phase, Rate,
    Run, Settings, Source, Timeline, Workload, World,
};
use hashrange_types::operation::PutItemRequest;
use hashrange_types::{AttributeValue, Operation, Request, Timestamp};
use hashrange_wire::decode;
use serde_json::json;

use crate::harness::{Row, median};

const SECOND: i64 = 1_000_000;
/// Items that the load is about.
const N_ITEMS: u64 = 100_000;
/// Simulated requests of one timed run.
const N_REQUESTS: u32 = 40_000;
/// What makes this program [`print_memory`] instead of measuring.
pub(crate) const PRINT_MEMORY: &str = "--print-memory";
/// Timed runs of each side.
const ROUNDS: usize = 15;

/// A load of 80 reads and 20 writes in a hundred, Zipf over 100,000 items, on a cluster with partitions,
/// replicas that lag and limits, against the same requests through `Database`, which has none of these.
///
/// The aim is 500,000 simulated requests a second.
pub(crate) fn requests(name: &str) -> Row {
    let mut run = loaded(N_REQUESTS, i64::from(u32::MAX));
    let mut database = Database::from_store(run.cluster().store().clone());
    let plain = zipf_keys()
        .map(|(n, key)| if n % 5 == 0 { put(&key.to_string()) } else { get(&key.to_string()) });
    let plain: Vec<Request> = plain.collect();
    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let end = Timestamp(run.now().0 + SECOND);
        let started = Instant::now();
        run.run_until(end, usize::MAX);
        let ours = started.elapsed().as_secs_f64();
        let now = run.now();
        let requests = written_at(&plain, now);
        let started = Instant::now();
        for request in requests {
            std::hint::black_box(database.call(request, now));
        }
        let theirs = started.elapsed().as_secs_f64();
        rates.push(f64::from(N_REQUESTS) / ours);
        ratios.push(ours / theirs);
    }
    Row::of_rate(name, median(rates), "the same through Database".to_owned(), median(ratios))
}

/// The requests with every write a change: one that leaves its item equal costs next to nothing.
fn written_at(requests: &[Request], now: Timestamp) -> Vec<Request> {
    let mut requests = requests.to_vec();
    for request in &mut requests {
        if let Request::PutItem(PutItemRequest { item: Ok(item), .. }) = request {
            let seen = format!("{:016}", now.0);
            item.insert("seen".into(), AttributeValue::S(seen.as_str().into()));
        }
    }
    requests
}

/// Numbered keys spread like the load's: their ranks are even on a logarithmic scale, which is Zipf's law with an
/// exponent of 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100,000")]
fn zipf_keys() -> impl Iterator<Item = (u32, u64)> {
    let n_items = 100_000_f64;
    (0..N_REQUESTS).map(move |n| {
        // The fractional parts of the multiples of the golden ratio are even, too.
        let even = (f64::from(n) * 0.618_033_988_749_894_9).fract();
        (n, n_items.powf(even) as u64 - 1)
    })
}

/// A snapshot of that cluster in the middle of its run, against 1 ms.
pub(crate) fn snapshot(name: &str) -> Row {
    let mut run = loaded(10_000, i64::from(u32::MAX));
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let end = Timestamp(run.now().0 + SECOND / 2);
        run.run_until(end, usize::MAX);
        let started = Instant::now();
        std::hint::black_box(run.clone());
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    Row::of_budget(name, median(times), "us", "1 ms", 1_000.0).at_most(1.0)
}

/// Going to moments of a run of ten minutes at 10,000 requests a second, the slowest of several, against 300 ms.
pub(crate) fn scrub(name: &str) -> Row {
    const SECONDS: i64 = 600;
    let run = over(filled(Settings::realistic(1)));
    let start = run.now();
    let mut timeline = Timeline::new(run, 2 * SECOND);
    let workload = workload(10_000, SECONDS);
    timeline.act(Intervention::Begin(Box::new(workload))).expect("the measure's slots exist");
    timeline.run_until(Timestamp(start.0 + SECONDS * SECOND), usize::MAX);
    let mut slowest: f64 = 0.0;
    for step in 1..16 {
        let moment = Timestamp(start.0 + step * 39_999_989);
        let started = Instant::now();
        std::hint::black_box(timeline.at(moment));
        slowest = slowest.max(started.elapsed().as_secs_f64() * 1e3);
    }
    Row::of_budget(name, slowest, "ms", "300 ms", 300.0)
}

/// Memory of 1,000,000 items in a cluster of three replicas, a second into its load, over that of one store.
///
/// Measured in a process of its own: memory that other rows gave back would hide what these take.
pub(crate) fn memory(name: &str) -> Row {
    let Some((of_store, of_cluster)) = measured_apart() else {
        return Row::unmeasured(name, "this system does not tell what is resident".to_owned());
    };
    Row::of_budget(name, of_cluster / 1_024.0, "MB", "one store", of_store / 1_024.0).at_most(1.3)
}

/// Kilobytes of the store and of the cluster, as a process of [`print_memory`] says.
fn measured_apart() -> Option<(f64, f64)> {
    let own = std::env::current_exe().ok()?;
    let output = Command::new(own).arg(PRINT_MEMORY).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (of_store, of_cluster) = text.trim().split_once(' ')?;
    Some((of_store.parse().ok()?, of_cluster.parse().ok()?))
}

/// Fills a store and a cluster, and prints the kilobytes of each, or nothing where the system does not tell.
pub(crate) fn print_memory() {
    let Some(before) = resident_kb() else { return };
    let mut database = Database::default();
    create(&mut database);
    for n in 0..1_000_000 {
        database.call(put(&n.to_string()), Timestamp(0)).reply.expect("the item is put");
    }
    let of_store = resident_kb().unwrap_or(before) - before;
    let store = database.store().clone();
    drop(database);
    let mut run = over(Cluster::from_store(store, settings()));
    run.begin(&workload(20_000, 4)).expect("the measure's slots exist");
    let end = Timestamp(run.now().0 + SECOND);
    run.run_until(end, usize::MAX);
    let of_cluster = resident_kb().unwrap_or(before) - before;
    println!("{of_store} {of_cluster}");
}

fn resident_kb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Everything on, and room for whatever comes: the product's settings with partitions that serve more.
fn settings() -> Settings {
    Settings {
        partition_write_units: 1_000_000,
        partition_read_units: 1_000_000,
        eventual_reads: EventualReads::Random,
        indexes: Lag::NONE,
        ..Settings::realistic(1)
    }
}

fn over(cluster: Cluster) -> Run {
    Run::over(World::around(cluster), decode)
}

/// A cluster under load of so many requests a second.
fn loaded(rate: u32, seconds: i64) -> Run {
    let mut run = over(filled(settings()));
    run.begin(&workload(rate, seconds)).expect("the measure's slots exist");
    // Until followers lag as they always will.
    let end = Timestamp(run.now().0 + SECOND);
    run.run_until(end, usize::MAX);
    run
}

fn filled(settings: Settings) -> Cluster {
    let mut database = Database::default();
    create(&mut database);
    for n in 0..N_ITEMS {
        database.call(put(&n.to_string()), Timestamp(0)).reply.expect("the item is put");
    }
    let mut cluster = Cluster::from_store(database.store().clone(), settings);
    cluster.keep_events(0);
    cluster
}

fn create(database: &mut Database) {
    let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let table = json!({
        "TableName": "Orders",
        "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
        "AttributeDefinitions": [attribute("pk"), attribute("sk")],
        "ProvisionedThroughput": {"ReadCapacityUnits": 40_000, "WriteCapacityUnits": 40_000},
    });
    let table = request(Operation::CreateTable, &table.to_string());
    database.call(table, Timestamp(0)).reply.expect("the table is made");
}

fn workload(rate: u32, seconds: i64) -> Workload {
    let source = |name: &str, template, rate| {
        let pace =
            Pace::Open(vec![Phase { lasts_us: seconds * SECOND, rate: Rate::Constant(rate) }]);
        let keys = KeyDistribution::Zipf { n: N_ITEMS, exponent_percent: 99 };
        Source { keys, ..Source::new(name, template, pace) }
    };
    Workload {
        seed: 1,
        client: ClientSettings { connections_max: 100_000, ..ClientSettings::sdk() },
        sources: vec![
            source("read", get("{key}"), rate / 5 * 4),
            source("write", put("{key}"), rate / 5),
        ],
    }
}

fn get(number: &str) -> Request {
    let key = json!({"pk": {"S": format!("CUSTOMER#{number}")}, "sk": {"S": "PROFILE"}});
    request(Operation::GetItem, &json!({"TableName": "Orders", "Key": key}).to_string())
}

fn put(number: &str) -> Request {
    let item = json!({
        "pk": {"S": format!("CUSTOMER#{number}")},
        "sk": {"S": "PROFILE"},
        "name": {"S": "A customer with a name"},
        "seen": {"S": "{time}"},
        "visits": {"N": "12"},
        "note": {"S": "x".repeat(200)},
    });
    request(Operation::PutItem, &json!({"TableName": "Orders", "Item": item}).to_string())
}

fn request(operation: Operation, text: &str) -> Request {
    decode(operation, text).expect("the measure's request is well formed")
}
