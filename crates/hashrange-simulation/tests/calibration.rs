//! Published measurements of the real service as scenarios, theirs beside ours (facts, experiments X1 to X10).
//!
//! `cargo xtask simulate --calibration` prints them.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::print_stdout, reason = "`cargo xtask simulate --calibration` shows them")]

mod script;

use hashrange_simulation::Settings;
use script::{call, cluster, put};
use serde_json::json;

/// Prints a published figure beside ours.
fn show(experiment: &str, theirs: &str, ours: &str) {
    println!("{experiment:<4} theirs: {theirs}\n     ours:   {ours}");
}

#[test]
fn x9_a_scan_of_a_fresh_on_demand_table_costs_2_or_4_units() {
    let mut cluster = cluster(Settings { has_limits: true, ..Settings::default() });
    call(&mut cluster, "PutItem", put("a", 1));
    let units = [false, true].map(|is_consistent| {
        let scan = json!({"TableName": "Orders", "ConsistentRead": is_consistent, "ReturnConsumedCapacity": "TOTAL"});
        call(&mut cluster, "Scan", scan)["ConsumedCapacity"]["CapacityUnits"].as_f64().unwrap()
    });
    show("X9", "2 units eventual, 4 strong", &format!("{} and {}", units[0], units[1]));
    assert_eq!(format!("{units:?}"), "[2.0, 4.0]");
}
