//! What simulated time costs in wasm, against the same scenario natively.
//!
//! Invariant: both sides play one scenario, second by simulated second; the native one right after the other, so a
//! busy machine slows both.
//!
//! Not here: how the wasm side is timed, which is `tests/browser/simulated-rate.mjs`.

use std::time::Instant;

use hashrange_simulation::{Run, Scenario};
use hashrange_storage::Store;
use hashrange_types::Timestamp;
use hashrange_wire::decode;
use serde_json::{Value, json};

use crate::harness::{Row, median};
use crate::page::{ran, root};

/// Simulated requests a second of the measured load.
const PER_SECOND: u32 = 20_000;
/// Items the load is about.
const N_ITEMS: u32 = 20_000;
/// Seconds it takes to put them.
const FILLING_S: i64 = 4;
/// Timed seconds.
const SECONDS: usize = 9;

/// 80 reads and 20 writes in a hundred, Zipf over 20,000 items, partitions, replicas and limits on.
fn scenario() -> Value {
    let key = json!({"pk": {"S": "CUSTOMER#{key}"}});
    let put = |slot: &str| {
        json!({"TableName": "Orders", "Item": {
            "pk": {"S": format!("CUSTOMER#{slot}")}, "seen": {"S": "{time}"}, "note": {"S": "x".repeat(200)},
        }})
    };
    let zipf = json!({"zipf": N_ITEMS, "exponent": 0.99});
    json!({
        "settings": {"preset": "realistic", "cap": {"wcu": 40_000, "rcu": 40_000}},
        "tables": [{
            "TableName": "Orders",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "ProvisionedThroughput": {"ReadCapacityUnits": 40_000, "WriteCapacityUnits": 40_000},
        }],
        "steps": [
            {"at_ms": 0, "load": [{"op": "PutItem", "request": put("{n}"), "rate": N_ITEMS / 4}],
             "seconds": FILLING_S},
            {"at_ms": (FILLING_S + 1) * 1_000, "client": "sdk", "seconds": 3_600, "load": [
                {"op": "GetItem", "request": {"TableName": "Orders", "Key": key}, "keys": zipf,
                 "rate": PER_SECOND / 5 * 4},
                {"op": "PutItem", "request": put("{key}"), "keys": zipf, "rate": PER_SECOND / 5},
            ]},
        ],
    })
}

/// Simulated requests a second in wasm, and how many times as long they take as natively.
pub(crate) fn rate(name: &str) -> Row {
    if !root().join("web/npm/pkg/simulation/hashrange_wasm_bg.wasm").is_file() {
        let why = "web/npm/pkg/simulation is empty; build it with `cargo xtask web`";
        return Row::unmeasured(name, why.into());
    }
    let scenario = scenario();
    let arguments = [scenario.to_string(), (FILLING_S + 2).to_string(), SECONDS.to_string()];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let in_wasm = ran("tests/browser/simulated-rate.mjs", &arguments).and_then(|found| {
        found["second_ms"].as_f64().ok_or_else(|| "second_ms is missing".to_owned())
    });
    match in_wasm {
        Ok(ms) => {
            let native = native_ms(&scenario);
            let per_second = f64::from(PER_SECOND) / ms * 1e3;
            let yardstick = format!("natively {:.0}/s", f64::from(PER_SECOND) / native * 1e3);
            Row::of_rate(name, per_second, yardstick, ms / native).at_most(2.5)
        }
        Err(why) => Row::unmeasured(name, why),
    }
}

/// The median of milliseconds that a simulated second takes natively.
fn native_ms(scenario: &Value) -> f64 {
    let scenario = Scenario::from_json(scenario).expect("the measure's scenario is well formed");
    let mut run = Run::new(Store::default(), &scenario, decode).expect("its table can be made");
    // As many as the package keeps.
    run.keep_events(10_000);
    let start = run.now();
    let at = |second: i64| Timestamp(start.0 + second * 1_000_000);
    run.run_until(at(FILLING_S + 2), usize::MAX);
    let mut times = Vec::new();
    for second in 0..i64::try_from(SECONDS).unwrap_or(0) {
        let started = Instant::now();
        run.run_until(at(FILLING_S + 3 + second), usize::MAX);
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    median(times)
}
