//! Scenarios as values: whatever can be said reads back as it was written, and what is wrong is named.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use hashrange_simulation::{
    Act, ClientSettings, DaxSettings, EventualReads, Fault, FaultPlace, FunctionKind,
    FunctionSettings, FunctionText, KeyDistribution, Lag, Latency, Mode, Pace, Padded, Phase, Rate,
    RequestText, Scenario, Source, Step, TableSettings, Via, Workload, WorldSettings,
};
use hashrange_types::AttributeName;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};
use smol_str::SmolStr;

/// Microseconds that milliseconds are written of: up to a year.
fn us() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0), 0..5_000_000_i64, (0..31_622_400_i64).prop_map(|s| s * 1_000_000)]
}

fn name() -> impl Strategy<Value = String> {
    "[a-z{}~\"\\\\]{1,9}"
}

fn lag() -> impl Strategy<Value = Lag> {
    let tail = (us(), us()).prop_map(|(one, other)| Lag::LongTailed {
        median_us: one.min(other),
        p99_us: one.max(other),
    });
    prop_oneof![
        Just(Lag::NONE),
        (1..5_000_000_i64).prop_map(|us| Lag::Fixed(vec![us])),
        vec(us(), 2..4).prop_map(Lag::Fixed),
        tail,
    ]
}

fn settings() -> impl Strategy<Value = WorldSettings> {
    let lags = (lag(), lag(), lag(), lag(), [lag(), lag()]);
    let dax = (0..9_u32, 0..9_u32, 1..=11_u8, any::<bool>(), us(), 0..1_u64 << 40).prop_map(
        |(item_ttl_s, query_ttl_s, n_nodes, keeps_absences, node_lag_us, bytes_max)| DaxSettings {
            item_ttl_s,
            query_ttl_s,
            n_nodes,
            bytes_max,
            keeps_absences,
            node_lag_us,
        },
    );
    let units = [1..10_000_u64, 1..10_000_u64];
    let mode = prop_oneof![
        Just(Mode::OnDemand),
        (units.clone(), prop::collection::btree_map(name(), units.clone(), 0..3))
            .prop_map(|(units, indexes)| Mode::Provisioned { units, indexes }),
    ];
    let tables = (option::of(mode), option::of(1..4_096_u32), option::of(units))
        .prop_map(|(mode, partitions, warm)| TableSettings { mode, partitions, warm });
    let preset = prop_oneof![
        any::<u64>().prop_map(WorldSettings::realistic),
        any::<u64>().prop_map(WorldSettings::lesson),
    ];
    let rest = (us(), any::<bool>(), option::of(0..9_u32), tables, option::of(dax));
    (preset, lags, rest).prop_map(|(mut to, lags, rest)| {
        (to.region_lag, to.stream, to.function, to.cluster.indexes, to.cluster.followers) = lags;
        to.strong_write_us = rest.0;
        to.is_strong = rest.1;
        to.cluster.has_limits = rest.1;
        to.cluster.eventual_reads = EventualReads::SlowestFollower;
        to.cluster.ttl_sweep_delay_s = rest.2;
        to.cluster.item_collection_bytes_max = 1_024 + u64::from(rest.2.unwrap_or(99));
        to.tables = rest.3;
        to.dax = rest.4;
        if to.is_strong {
            to.regions = ["a", "b", "c"].map(SmolStr::from).to_vec();
        }
        to
    })
}

fn request() -> impl Strategy<Value = RequestText> {
    (name(), name()).prop_map(|(operation, text)| RequestText {
        operation,
        members: json!({"TableName": text, "Limit": 5}),
    })
}

fn rate() -> impl Strategy<Value = Rate> {
    let rate = || 0..=1_000_000_u32;
    prop_oneof![
        rate().prop_map(Rate::Constant),
        (rate(), rate()).prop_map(|(from, to)| Rate::Ramp { from, to }),
        (rate(), rate(), 1..9_000_000_i64, 1..9_000_000_i64).prop_map(
            |(rest, peak, one, other)| {
                Rate::Burst { rest, peak, every_us: one.max(other), peak_us: one.min(other) }
            }
        ),
        (rate(), rate(), 1..86_400_000_000_i64).prop_map(|(one, other, day_us)| Rate::Diurnal {
            low: one.min(other),
            high: one.max(other),
            day_us,
        }),
    ]
}

fn pace() -> impl Strategy<Value = Pace> {
    let lasts_us = || 0..2_678_400_000_000_i64;
    let phase = (lasts_us(), rate()).prop_map(|(lasts_us, rate)| Phase { lasts_us, rate });
    prop_oneof![
        vec(phase, 0..3).prop_map(Pace::Open),
        (1..100_000_u32, us(), option::of(lasts_us())).prop_map(
            |(n_clients, think_us, lasts_us)| Pace::Closed { n_clients, think_us, lasts_us }
        ),
    ]
}

fn keys() -> impl Strategy<Value = KeyDistribution> {
    let n = || 1..1_000_000_000_u64;
    prop_oneof![
        n().prop_map(|n| KeyDistribution::Uniform { n }),
        (n(), 0..=500_u32)
            .prop_map(|(n, exponent_percent)| KeyDistribution::Zipf { n, exponent_percent }),
        (n(), 0..=100_u32).prop_map(|(n, hot_percent)| KeyDistribution::HotKey { n, hot_percent }),
        Just(KeyDistribution::Sequential),
        n().prop_map(|n| KeyDistribution::RoundRobin { n }),
    ]
}

fn region() -> impl Strategy<Value = Option<SmolStr>> {
    option::of(name().prop_map(SmolStr::from))
}

fn via() -> impl Strategy<Value = Via> {
    prop_oneof![Just(Via::Table), Just(Via::Dax)]
}

fn source() -> impl Strategy<Value = Source<RequestText>> {
    let padded = (name(), 1..409_600_u32)
        .prop_map(|(attribute, bytes)| Padded { attribute: attribute.into(), bytes });
    let way = (region(), via(), any::<bool>(), option::of(0..=100_u32));
    (name(), request(), option::of(padded), keys(), pace(), way).prop_map(
        |(name, template, padded, keys, pace, way)| {
            let (region, via, is_sweep, consistent_percent) = way;
            let from = Source::new(name, template, pace);
            Source { padded, keys, consistent_percent, is_sweep, region, via, ..from }
        },
    )
}

fn client() -> impl Strategy<Value = ClientSettings> {
    let latency = (us(), us(), us(), us(), us(), 100..100_000_i64);
    let rest = (1..1_000_u32, us(), us(), any::<bool>(), any::<bool>(), 1..9_999_u32, 0..9_u32);
    (latency, rest).prop_map(|(latency, rest)| ClientSettings {
        attempts_max: rest.0,
        backoff_base_us: rest.1,
        backoff_max_us: rest.2,
        is_jittered: rest.3,
        resends_unprocessed: rest.4,
        connections_max: rest.5,
        queue_max: rest.6,
        latency: Latency {
            read_us: latency.0,
            write_us: latency.1,
            page_us: latency.2,
            transaction_us: latency.3,
            per_kb_us: latency.4,
            p99_percent: latency.5,
        },
    })
}

fn act() -> impl Strategy<Value = Act> {
    let fault = prop_oneof![Just(Fault::CutOff), Just(Fault::Fail), Just(Fault::Restore)];
    let of_key = (name(), 0..=2_u8).prop_map(|(table, replica)| Act::Fault {
        fault: Fault::Divide,
        place: FaultPlace::Key(table, json!({"pk": {"S": "a"}})),
        replica,
    });
    prop_oneof![
        (request(), via(), 1..1_000_000_u64, us()).prop_map(|(request, via, times, every_us)| {
            Act::Send { request, via, times, every_us }
        }),
        (any::<u64>(), client(), vec(source(), 0..3)).prop_map(|(seed, client, sources)| {
            Act::Load(Box::new(Workload { seed, client, sources }))
        }),
        prop::collection::btree_map(name(), 0..9_u64, 0..3).prop_map(|settings| {
            Act::Set(settings.into_iter().map(|(name, value)| (name, Value::from(value))).collect())
        }),
        Just(Act::Wait),
        Just(Act::Sweep),
        (fault, 1..u32::MAX, 0..=2_u8).prop_map(|(fault, number, replica)| Act::Fault {
            fault,
            place: FaultPlace::Partition(number),
            replica,
        }),
        of_key,
        (1..1_000_000_u64).prop_map(Act::LoseReplies),
    ]
}

fn function() -> impl Strategy<Value = FunctionText> {
    let kind = prop_oneof![
        name().prop_map(|name| FunctionKind::Index(AttributeName::new(&name))),
        any::<bool>().prop_map(|is_idempotent| FunctionKind::Count { is_idempotent }),
    ];
    let limits = (1..=10_000_u32, us(), option::of(0..=10_000_u32), option::of(60..=604_800_u32));
    let rest = (option::of(name()), any::<bool>(), any::<bool>(), us());
    let lags = (option::of(lag()), option::of(lag()));
    (name(), region(), kind, limits, rest, lags).prop_map(
        |(table, region, kind, limits, rest, (stream, duration))| {
            let settings = FunctionSettings {
                kind,
                throws_on: rest.0.map(Into::into),
                batch_size: limits.0,
                window_us: limits.1,
                retries_max: limits.2,
                record_age_s_max: limits.3,
                bisects: rest.1,
                is_from_oldest: rest.2,
                stream,
                duration,
                retry_us: rest.3,
            };
            FunctionText { table, region, settings }
        },
    )
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let step =
        (us(), region(), act()).prop_map(|(at_us, region, what)| Step { at_us, region, what });
    (settings(), vec(function(), 0..3), vec(step, 0..5)).prop_map(|(settings, functions, steps)| {
        Scenario { settings, tables: vec![json!({"TableName": "T"})], functions, steps }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_a_scenario_says_is_read_as_it_was_written(scenario in scenario()) {
        let written = scenario.to_json();
        let read = Scenario::from_json(&written);
        prop_assert_eq!(read.as_ref(), Ok(&scenario));
        prop_assert_eq!(Scenario::from_text(&written.to_string()), Ok(scenario));
    }

    #[test]
    fn whatever_is_changed_in_a_document_is_read_or_refused_in_a_sentence(
        scenario in scenario(),
        place in any::<prop::sample::Index>(),
        put in prop_oneof![Just(json!(null)), Just(json!(-1)), Just(json!("x")), Just(json!([])), Just(json!({}))],
    ) {
        let mut written = scenario.to_json();
        let pointers = pointers(&written, "");
        let pointer = &pointers[place.index(pointers.len())];
        *written.pointer_mut(pointer).expect("it was found there") = put;
        if let Err(error) = Scenario::from_json(&written) {
            let sentence = error.to_string();
            prop_assert!(sentence.len() > 10 && !sentence.contains('\n'), "{}", sentence);
        }
    }
}

/// Where values stand in a document.
fn pointers(value: &Value, path: &str) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (escaped(name), value)).collect()
        }
        Value::Array(items) => (0..items.len()).map(|n| n.to_string()).zip(items).collect(),
        _ => Vec::new(),
    };
    let mut all = vec![path.to_owned()];
    for (name, value) in inner {
        all.extend(pointers(value, &format!("{path}/{name}")));
    }
    all
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[test]
fn loads_are_written_in_the_words_of_the_lessons() {
    let text = r#"{"steps": [{"load": [
        {"op": "PutItem", "table": "Events", "item": {"PK": {"S": "k-{n%50}"}}, "size": 300, "rate": 250},
        {"op": "GetItem", "request": {"TableName": "Events"}, "rate": {"ramp": [0, 90]}, "seconds": 5,
         "keys": {"zipf": 100}, "name": "reads"}], "seconds": 300}]}"#;
    let scenario = Scenario::from_text(text).expect("it is in form");
    let open = |lasts_us, rate| Pace::Open(vec![Phase { lasts_us, rate }]);
    let request =
        |operation: &str, members| RequestText { operation: operation.to_owned(), members };
    let put = request("PutItem", json!({"TableName": "Events", "Item": {"PK": {"S": "k-{n%50}"}}}));
    let get = request("GetItem", json!({"TableName": "Events"}));
    let writes = Source {
        padded: Some(Padded { attribute: "note".into(), bytes: 300 }),
        ..Source::new("PutItem", put, open(300_000_000, Rate::Constant(250)))
    };
    let reads = Source {
        keys: KeyDistribution::Zipf { n: 100, exponent_percent: 99 },
        ..Source::new("reads", get, open(5_000_000, Rate::Ramp { from: 0, to: 90 }))
    };
    let sources = vec![writes, reads];
    let load =
        Act::Load(Box::new(Workload { seed: 1, client: ClientSettings::default(), sources }));
    assert_eq!(scenario.steps, [Step { at_us: 0, region: None, what: load }]);
}

#[test]
fn what_is_wrong_with_a_scenario_is_said_in_one_sentence_with_its_place() {
    let load = |members: Value| json!({"steps": [{"load": [members], "seconds": 1}]});
    let get = |more: Value| {
        let mut members = json!({"op": "GetItem", "request": {}, "rate": 1});
        let more: BTreeMap<String, Value> = serde_json::from_value(more).expect("an object");
        for (name, value) in more {
            members[name] = value;
        }
        load(members)
    };
    let settings = |members: Value| json!({"settings": members});
    for (document, sentence) in [
        (load(json!({"request": {}})), "steps[0].load[0].op is missing"),
        (
            load(json!({"op": "PutItem", "item": {}, "rate": 1})),
            "steps[0].load[0].table is missing",
        ),
        (
            load(json!({"op": "PutItem", "rate": 1})),
            "steps[0].load[0] must be a load with request, or with table and item, not {\"op\":\"PutItem\",\"rate\":1}",
        ),
        (
            get(json!({"rate": -5})),
            "steps[0].load[0].rate must be a whole number from 0 to 1000000, not -5",
        ),
        (
            get(json!({"rate": {"ramp": [1]}})),
            "steps[0].load[0].rate.ramp must be a list of two rates, not [1]",
        ),
        (
            load(json!({"op": "GetItem", "request": {}})),
            "steps[0].load[0] must be a load with one of rate, phases and clients, not {\"op\":\"GetItem\",\"request\":{}}",
        ),
        (
            get(json!({"keys": "random"})),
            "steps[0].load[0].keys must be sequential, or one of uniform, zipf, hot and round_robin with a number of keys, not \"random\"",
        ),
        (get(json!({"keys": {"hot": 9}})), "steps[0].load[0].keys.percent is missing"),
        (get(json!({"via": "phone"})), "steps[0].load[0].via must be table or dax, not \"phone\""),
        (
            json!({"steps": [{"load": [{"op": "GetItem", "request": {}, "rate": 1}]}]}),
            "steps[0].load[0].seconds is missing",
        ),
        (
            json!({"steps": [{"load": [], "client": "phone"}]}),
            "steps[0].client must be once, sdk or an object, not \"phone\"",
        ),
        (settings(json!({"regions": []})), "settings.regions: A world has 1 to 32 Regions, not 0."),
        (
            settings(json!({"multi_region_consistency": "strong"})),
            "settings.regions: Multi-Region strong consistency takes exactly three Regions, not 1.",
        ),
        (
            settings(json!({"dax": {"nodes": 12}})),
            "settings.dax.nodes must be a whole number from 1 to 11, not 12",
        ),
        (
            settings(json!({"mode": "provisioned"})),
            "settings.mode must be on-demand, or {\"provisioned\": [reads, writes]}, not \"provisioned\"",
        ),
        (
            settings(json!({"mode": {"provisioned": [1]}})),
            "settings.mode.provisioned must be a list of reads and writes a second, not [1]",
        ),
        (settings(json!({"warm": {"rcu": 1}})), "settings.warm.wcu is missing"),
        (
            json!({"functions": [{"table": "T"}]}),
            "functions[0] must be a function with index or count, not {\"table\":\"T\"}",
        ),
        (
            json!({"functions": [{"table": "T", "count": "once", "batch": 0}]}),
            "functions[0].batch must be a whole number from 1 to 10000, not 0",
        ),
    ] {
        assert_eq!(Scenario::from_json(&document).unwrap_err().to_string(), sentence);
    }
}
