//! Scenarios in `scenarios/`: each lesson's simulator steps with the lesson's own figures.

use hashrange_simulation::{Run, Scenario};
use hashrange_storage::Store;
use hashrange_types::Timestamp;

/// Plays a scenario to its last step; what it expected and did not happen.
fn played(name: &str, text: &str) -> Vec<String> {
    let scenario = Scenario::from_text(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(Scenario::from_json(&scenario.to_json()).as_ref(), Ok(&scenario), "{name}");
    let run = Run::new(Store::default(), &scenario, hashrange_wire::decode);
    let mut run = run.unwrap_or_else(|error| panic!("{name}: {error}"));
    let last_us = scenario.steps.iter().map(|step| step.at_us).max().unwrap_or(0);
    let end = Timestamp(run.now().0 + last_us);
    while !run.run_until(end, 1_000_000) {}
    run.failures().iter().map(|sentence| format!("{name}: {sentence}")).collect()
}

#[test]
fn every_scenario_ends_as_it_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|file| file.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    let failures: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let name = path.file_stem().expect("a file has a name").to_string_lossy();
            played(&name, &std::fs::read_to_string(path).expect("it can be read"))
        })
        .collect();
    assert_eq!(failures, [""; 0], "\n{}", failures.join("\n"));
}

#[test]
fn what_was_expected_and_did_not_happen_is_named_with_its_step() {
    let scenario = r#"{"settings": {"preset": "lesson"}, "steps": [
        {"operation": "GetItem", "request": {"TableName": "Nowhere", "Key": {"pk": {"S": "a"}}}},
        {"at_ms": 1, "expect": {"refused": {"ResourceNotFoundException": 1}, "accepted": 1}},
        {"at_ms": 2, "function": 0, "on": false}, {"at_ms": 3, "expect": {"refused": 1, "first_split_s": null}}]}"#;
    assert_eq!(
        played("wrong", scenario),
        [
            "wrong: steps[1].expect.accepted must be 1, and was 0",
            "wrong: there is no function 0: there are 0",
            "wrong: steps[3].expect.refused must be 1, and was 0",
        ]
    );
}
