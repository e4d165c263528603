//! Loads through the engine: rates, keys, retries, queues, sweeps and what they come to.

mod script;

use hashrange_simulation::{ClientSettings, Latency};
use hashrange_simulation::{
    Cluster, EventKind, EventualReads, Histogram, KeyDistribution, Pace, Phase, Rate, Run,
    Settings, Source, Tally, Workload, World,
};
use hashrange_types::Timestamp;
use script::{call, cluster, get, put, request, table};
use serde_json::{Value, json};

const SECOND: i64 = 1_000_000;

fn limited() -> Settings {
    Settings { has_limits: true, ..Settings::default() }
}

fn constant(rate: u32, seconds: i64) -> Pace {
    Pace::Open(vec![Phase { lasts_us: seconds * SECOND, rate: Rate::Constant(rate) }])
}

fn source(operation: &str, body: &Value, keys: KeyDistribution, pace: Pace) -> Source {
    Source { keys, ..Source::new(operation, request(operation, body), pace) }
}

fn workload(client: ClientSettings, sources: Vec<Source>) -> Workload {
    Workload { seed: 1, client, sources }
}

/// Runs a workload of so many seconds to its end, and long enough for its last retries.
fn ran(cluster: Cluster, workload: &Workload, seconds: i64) -> Run {
    let mut run = Run::over(World::around(cluster), hashrange_wire::decode);
    run.begin(workload).expect("its slots exist");
    let end = Timestamp(run.now().0 + seconds * SECOND);
    assert!(run.run_until(end, 10_000_000));
    run
}

fn tally(run: &Run, at: usize) -> &Tally {
    run.loads()[0].tallies().nth(at).expect("the source is there").1
}

/// On-demand, without an index.
fn plain(settings: Settings, more: &Value) -> Cluster {
    let mut cluster = Cluster::new(settings);
    let mut body = table(more);
    body.as_object_mut().expect("an object").remove("GlobalSecondaryIndexes");
    body["AttributeDefinitions"].as_array_mut().expect("a list").pop();
    call(&mut cluster, "CreateTable", body);
    cluster
}

fn on_demand(settings: Settings) -> Cluster {
    plain(settings, &json!({"BillingMode": "PAY_PER_REQUEST"}))
}

#[test]
fn one_key_at_1500_writes_a_second_has_a_third_throttled_and_ten_suffixes_have_none() {
    let hot = |pk: &str| {
        let sources =
            vec![source("PutItem", &put(pk, 1), KeyDistribution::Sequential, constant(1_500, 20))];
        let run = ran(on_demand(limited()), &workload(ClientSettings::default(), sources), 21);
        let tally = tally(&run, 0);
        assert_eq!(tally.n_requests, 30_000);
        tally.n_throttled
    };
    let of_one = hot("hot");
    assert!((9_000..=10_000).contains(&of_one), "{of_one} of 30,000");
    assert_eq!(hot("hot#{random:40}"), 0);
}

#[test]
fn retries_with_full_jitter_bring_home_what_a_single_attempt_loses() {
    let units =
        json!({"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 20}});
    let settings = Settings { burst_seconds: 1, ..limited() };
    // A burst of 60 in a tenth of a second, then rest: twenty pass at once.
    let burst = Rate::Burst { rest: 0, peak: 600, every_us: 5 * SECOND, peak_us: SECOND / 10 };
    let pace = Pace::Open(vec![Phase { lasts_us: 10 * SECOND, rate: burst }]);
    let sources = vec![source("PutItem", &put("{key}", 1), KeyDistribution::Sequential, pace)];
    let once = ran(
        plain(settings.clone(), &units),
        &workload(ClientSettings::default(), sources.clone()),
        60,
    );
    let patient = ClientSettings { attempts_max: 10, ..ClientSettings::sdk() };
    let often = ran(plain(settings, &units), &workload(patient, sources), 60);
    let (once, often) = (tally(&once, 0), tally(&often, 0));
    assert_eq!((once.n_requests, often.n_requests), (120, 120));
    assert!(once.n_failed >= 70, "{once:?}");
    assert_eq!((often.n_failed, often.n_done), (0, 120));
    assert!(often.n_retries >= 80, "{}", often.n_retries);
    let latencies: &Histogram = &often.latencies;
    assert!(latencies.percentile_us(990) > 10 * latencies.percentile_us(250), "{latencies:?}");
}

#[test]
fn a_closed_loop_asks_again_when_it_has_its_answer_and_has_thought() {
    let settings = Settings { commit_us: 6_000, reply_us: 4_000, ..Settings::default() };
    let pace = Pace::Closed { n_clients: 4, think_us: 40_000, lasts_us: None };
    let sources = vec![source("PutItem", &put("{key}", 1), KeyDistribution::Sequential, pace)];
    let run = ran(on_demand(settings), &workload(ClientSettings::default(), sources), 10);
    let tally = tally(&run, 0);
    // Twenty rounds a second of 50 ms each.
    assert!((796..=804).contains(&tally.n_done), "{tally:?}");
    assert_eq!(tally.latencies.percentile_us(500), 10_000);
}

#[test]
fn what_has_no_connection_waits_and_what_finds_the_queue_full_is_dropped() {
    let settings = Settings { reply_us: 100_000, ..Settings::default() };
    let client = ClientSettings { connections_max: 2, queue_max: 5, ..ClientSettings::default() };
    // Twenty a second can be answered, forty come.
    let sources = vec![source(
        "GetItem",
        &get("{key}", true),
        KeyDistribution::Uniform { n: 9 },
        constant(40, 10),
    )];
    let run = ran(on_demand(settings), &workload(client, sources), 12);
    let tally = tally(&run, 0);
    assert!((195..=210).contains(&tally.n_done), "{tally:?}");
    assert_eq!(tally.n_done + tally.n_dropped, 400);
    assert!((300_000..=400_000).contains(&tally.latencies.max_us()), "{tally:?}");
    assert!(run.loads()[0].has_ended());
}

#[test]
fn a_sweep_reads_page_after_page_and_then_from_the_beginning() {
    let mut cluster = on_demand(Settings::default());
    for n in 0..10 {
        call(&mut cluster, "PutItem", put(&format!("k{n}"), n));
    }
    let scan = json!({"TableName": "Orders", "Limit": 4});
    let pace = Pace::Closed { n_clients: 1, think_us: SECOND, lasts_us: None };
    let mut sweep = source("Scan", &scan, KeyDistribution::Sequential, pace);
    sweep.is_sweep = true;
    let run = ran(cluster, &workload(ClientSettings::default(), vec![sweep]), 6);
    // Pages of 4, 4, 2 and 4, 4, 2, each at half a unit a partition touched at least.
    let tally = tally(&run, 0);
    assert_eq!(tally.n_done, 6 + 1, "{tally:?}");
    let targets = run
        .cluster()
        .events()
        .iter()
        .filter(|event| matches!(event.kind, EventKind::ReadServed { .. }));
    assert!(targets.count() >= 7);
}

#[test]
fn what_a_batch_leaves_is_sent_again_until_nothing_is_left() {
    let units = json!({"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}});
    let settings = Settings { burst_seconds: 1, ..limited() };
    let puts: Vec<Value> =
        (0..20).map(|_| json!({"PutRequest": {"Item": put("{key}", 1)["Item"]}})).collect();
    let batch = json!({"RequestItems": {"Orders": puts}});
    let client = ClientSettings {
        attempts_max: 100,
        resends_unprocessed: true,
        backoff_max_us: SECOND,
        ..ClientSettings::default()
    };
    let pace = constant(1, 1);
    let sources =
        vec![source("BatchWriteItem", &batch, KeyDistribution::Uniform { n: 1_000 }, pace)];
    let run = ran(plain(settings, &units), &workload(client, sources), 60);
    let tally = tally(&run, 0);
    assert_eq!((tally.n_done, tally.n_failed), (1, 0), "{tally:?}");
    assert!(tally.n_retries >= 3 && tally.latencies.max_us() >= 2_900_000, "{tally:?}");
    let n_rows = run.cluster().store().table("Orders").expect("the table").items().n_rows();
    assert_eq!(n_rows, 20);
}

#[test]
fn a_share_of_the_reads_is_strong_and_costs_twice() {
    let settings = Settings { eventual_reads: EventualReads::Random, ..Settings::default() };
    let mut reads = source(
        "GetItem",
        &get("{key}", false),
        KeyDistribution::Uniform { n: 9 },
        constant(1_000, 10),
    );
    reads.consistent_percent = Some(25);
    let client = ClientSettings { latency: Latency::MODEL, ..ClientSettings::default() };
    let run = ran(on_demand(settings), &workload(client, vec![reads]), 11);
    let tally = tally(&run, 0);
    let halves = tally.units.as_halves();
    assert!((12_300..=12_700).contains(&halves), "{halves}");
    let (median, p99) = (tally.latencies.percentile_us(500), tally.latencies.percentile_us(990));
    assert!((1_400..=1_650).contains(&median) && (5_000..=7_200).contains(&p99), "{median} {p99}");
}

#[test]
fn a_template_with_an_unknown_slot_is_refused() {
    let sources =
        vec![source("GetItem", &get("{user}", false), KeyDistribution::Sequential, constant(1, 1))];
    let mut run = Run::over(World::around(cluster(Settings::default())), hashrange_wire::decode);
    let error = run.begin(&workload(ClientSettings::default(), sources)).unwrap_err();
    assert!(error.to_string().starts_with("There is no slot `{user}`"), "{error}");
}
