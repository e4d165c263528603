//! Which crate may see which: the layer rule of the house, against what cargo says.
//!
//! Invariant: the tables below are the rule. A new arrow is a change here, seen in review.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The crates of ours that each crate may depend on. `tests` and `xtask` may see everything.
const MAY_SEE: [(&str, &[&str]); 12] = [
    ("types", &[]),
    ("wire", &["types"]),
    ("expressions", &["types"]),
    ("storage", &["types"]),
    ("engine", &["types", "expressions", "storage"]),
    ("simulation", &["types", "storage", "engine"]),
    ("design", &["types", "wire", "expressions", "storage", "engine"]),
    ("playground", &["types", "wire", "expressions", "storage", "engine", "design"]),
    ("wasm", &["types", "wire", "storage", "engine", "simulation"]),
    ("ui", &["playground"]),
    ("server", &["types", "wire", "storage", "engine", "simulation", "design"]),
    (
        "cli",
        &["types", "wire", "expressions", "storage", "engine", "design", "playground", "server"],
    ),
];

/// Crates that work the same on any machine at any time: no clock, no page, no threads.
const PURE: [&str; 8] =
    ["types", "wire", "expressions", "storage", "engine", "simulation", "design", "playground"];

/// What would make a pure crate impure.
const IMPURE: [&str; 9] = [
    "gloo",
    "js-sys",
    "leptos",
    "rand",
    "serde-wasm-bindgen",
    "tokio",
    "wasm-bindgen",
    "wasm-bindgen-futures",
    "web-sys",
];

/// Pure crates that read or write JSON: DynamoDB's in `wire`, their own documents in the others.
const KNOW_JSON: [&str; 4] = ["wire", "simulation", "design", "playground"];

/// The names of what each workspace member depends on, development dependencies left out.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

fn read_metadata() -> Dependencies {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo runs, since it started this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    members(&metadata)
}

fn members(metadata: &Value) -> Dependencies {
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    packages.iter().map(|package| (text(&package["name"]), needs(package))).collect()
}

fn needs(package: &Value) -> BTreeSet<String> {
    let all = package["dependencies"].as_array().expect("a package lists dependencies");
    let built = all.iter().filter(|dependency| dependency["kind"] != "dev");
    built.map(|dependency| text(&dependency["name"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a name is text").to_owned()
}

/// One line for each arrow that no table allows.
fn broken_rules(dependencies: &Dependencies) -> Vec<String> {
    let mut broken = Vec::new();
    for (package, needs) in dependencies {
        let Some(layer) = package.strip_prefix("hashrange-").filter(|layer| *layer != "tests")
        else {
            continue;
        };
        let Some((_, allowed)) = MAY_SEE.iter().find(|(name, _)| *name == layer) else {
            broken.push(format!("{package} has no row in the layer table"));
            continue;
        };
        for need in needs {
            let is_ours = dependencies.contains_key(need);
            let is_allowed =
                need.strip_prefix("hashrange-").is_some_and(|name| allowed.contains(&name));
            let is_impure = PURE.contains(&layer) && IMPURE.contains(&need.as_str());
            let is_json_below =
                PURE.contains(&layer) && need == "serde_json" && !KNOW_JSON.contains(&layer);
            if (is_ours && !is_allowed) || is_impure || is_json_below {
                broken.push(format!("{package} may not depend on {need}"));
            }
        }
    }
    broken
}

fn workspace(rows: &[(&str, &[&str])]) -> Dependencies {
    let names = |needs: &[&str]| needs.iter().map(ToString::to_string).collect();
    rows.iter().map(|(package, needs)| ((*package).to_owned(), names(needs))).collect()
}

#[test]
fn no_crate_sees_another_that_the_layer_rule_hides_from_it() {
    let broken = broken_rules(&read_metadata());
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn every_layer_of_the_table_is_in_the_workspace() {
    let dependencies = read_metadata();
    for (layer, _) in MAY_SEE {
        assert!(dependencies.contains_key(&format!("hashrange-{layer}")), "{layer}");
    }
}

#[test]
fn arrows_up_or_sideways_are_named() {
    let dependencies = workspace(&[
        ("hashrange-types", &["hashrange-engine"]),
        ("hashrange-wire", &["hashrange-types", "hashrange-storage", "serde_json"]),
        ("hashrange-storage", &["hashrange-types"]),
        ("hashrange-engine", &["hashrange-types"]),
        ("hashrange-ui", &["hashrange-engine", "leptos"]),
        ("hashrange-tests", &["hashrange-engine"]),
    ]);
    assert_eq!(
        broken_rules(&dependencies),
        [
            "hashrange-types may not depend on hashrange-engine",
            "hashrange-ui may not depend on hashrange-engine",
            "hashrange-wire may not depend on hashrange-storage",
        ]
    );
}

#[test]
fn a_pure_crate_with_a_browser_a_runtime_or_foreign_json_is_named() {
    let dependencies = workspace(&[
        ("hashrange-engine", &["serde_json", "tokio"]),
        ("hashrange-playground", &["serde_json", "wasm-bindgen"]),
        ("hashrange-wasm", &["serde_json", "wasm-bindgen"]),
    ]);
    assert_eq!(
        broken_rules(&dependencies),
        [
            "hashrange-engine may not depend on serde_json",
            "hashrange-engine may not depend on tokio",
            "hashrange-playground may not depend on wasm-bindgen",
        ]
    );
}

#[test]
fn a_crate_that_the_table_does_not_know_is_named() {
    let dependencies = workspace(&[("hashrange-cache", &[])]);
    assert_eq!(broken_rules(&dependencies), ["hashrange-cache has no row in the layer table"]);
}
