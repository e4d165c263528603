//! Simulated time in a browser: it goes as it does natively.
#![cfg(target_arch = "wasm32")]

use hashrange_simulation::{EventKind, Run, Scenario};
use hashrange_storage::Store;
use hashrange_wasm::Engine;
use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const STALE_READ: &str = include_str!("../../hashrange-simulation/tests/scenarios/stale-read.json");
const FINGERPRINT: &str =
    include_str!("../../hashrange-simulation/tests/scenarios/stale-read.fingerprint");

fn played(seed: u64) -> Run {
    let mut scenario = Scenario::from_text(STALE_READ).expect("the scenario is in form");
    scenario.settings.cluster.seed = seed;
    let run = Run::new(Store::default(), &scenario, hashrange_wire::decode);
    let mut run = run.expect("the scenario begins");
    let end = scenario.settings.cluster.starts_at.plus_millis(1_000);
    assert!(run.run_until(end, 100_000));
    run
}

fn fingerprint(run: &Run) -> u64 {
    run.cluster().events().fingerprint(run.cluster().settings().starts_at)
}

#[wasm_bindgen_test]
fn a_run_is_the_one_that_was_written_down_natively() {
    assert_eq!(format!("{:016x}", fingerprint(&played(7))), FINGERPRINT.trim());
}

#[wasm_bindgen_test]
fn whatever_the_seed_a_run_repeats_itself_and_its_leader_lacks_nothing() {
    for seed in 0..100 {
        let run = played(seed);
        assert_eq!(fingerprint(&run), fingerprint(&played(seed)), "seed {seed}");
        let moments = run.cluster().events().iter().map(|event| event.at);
        assert!(moments.is_sorted(), "seed {seed}");
        let is_late = |kind: &EventKind| {
            matches!(kind, EventKind::ReadServed { replica: 0, n_missing: 1.., .. })
        };
        let leader_fails_at = 60_000;
        let begins_at = run.cluster().settings().starts_at.0;
        let early = run.cluster().events().iter();
        let mut early = early.filter(|event| event.at.0 - begins_at < leader_fails_at);
        assert!(!early.any(|event| is_late(&event.kind)), "seed {seed}: the leader lacks nothing");
    }
}

#[wasm_bindgen_test]
fn an_engine_plays_a_scenario_and_tells_what_happened() {
    let options = Object::new();
    let scenario = JSON::parse(STALE_READ).expect("the scenario is JSON");
    Reflect::set(&options, &"simulate".into(), &scenario).expect("a new object takes any member");
    let engine = Engine::new(&options).expect("the scenario begins");
    let begins_at = engine.now().expect("it has simulated time");
    engine.advance(1_000.0).expect("a second may pass");
    assert!((engine.now().expect("it has simulated time") - begins_at - 1_000.0).abs() < 1e-6);
    assert_eq!(
        engine.events().expect("it is simulated").length() as usize,
        played(7).cluster().events().iter().count()
    );
    assert!(engine.advance(-1.0).is_err());
    let plain = Engine::new(&JsValue::UNDEFINED).expect("no option is wrong");
    assert!(plain.advance(1.0).is_err() && plain.events().is_err() && plain.now().is_err());
}
