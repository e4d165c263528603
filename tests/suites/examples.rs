//! Every example of `playground-examples/`: it loads, its recipe generates, its tables take every item, and each
//! of its access patterns runs and costs what the design says.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::PathBuf;

use hashrange_design::{Budget, Design, DesignKind, EntityMatcher, Recipe};
use hashrange_engine::Database;
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{CapacityUnits, Item, Operation, TableName, Timestamp};
use serde_json::{Map, Value, json};

/// The examples this build ships, in the order of their cards.
const EXAMPLES: [&str; 4] = ["factory-floor", "find-by-name", "file-versions", "factory-sensors"];

/// 2026-01-01, as good as any: nothing here depends on it.
const NOW: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// A loaded example.
struct Example {
    design: Design,
    items: Vec<(TableName, Item)>,
    database: Database,
}

/// What a request gave, all its pages together.
#[derive(Default)]
struct Answer {
    pages: Vec<Page>,
    items: Vec<Value>,
}

struct Page {
    count: u64,
    scanned: u64,
    bytes: u64,
    consumed: Vec<ConsumedCapacity>,
}

impl Page {
    fn units(&self) -> CapacityUnits {
        self.consumed.iter().map(ConsumedCapacity::total).sum()
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../playground-examples")
}

fn read(slug: &str, file: &str) -> String {
    fs::read_to_string(folder().join(slug).join(file)).expect("an example has its files")
}

fn load(slug: &str) -> Example {
    let design = Design::from_json(&read(slug, "design.json"))
        .unwrap_or_else(|error| panic!("{slug}: {error}"));
    let recipe = Recipe::from_json(&read(slug, "data.json"))
        .unwrap_or_else(|error| panic!("{slug}: {error}"));
    let keys = design.key_schemas().unwrap_or_else(|error| panic!("{slug}: {error}"));
    let items =
        recipe.items(Budget::default(), keys).unwrap_or_else(|error| panic!("{slug}: {error}"));
    let mut database = Database::default();
    for table in &design.tables {
        call(&mut database, "CreateTable", table);
    }
    for (table, item) in &items {
        let request =
            json!({"TableName": table.as_str(), "Item": hashrange_wire::item_to_json(item)});
        call(&mut database, "PutItem", &request);
    }
    Example { design, items, database }
}

/// Runs one request and returns the reply and what it took.
fn call(database: &mut Database, operation: &str, request: &Value) -> (Value, Page) {
    let kind = Operation::from_name(operation).expect("an operation of this build");
    let request = hashrange_wire::decode(kind, &request.to_string())
        .unwrap_or_else(|error| panic!("{operation} {request}: {error}"));
    let outcome = database.call(request, NOW);
    let response = outcome.reply.unwrap_or_else(|error| panic!("{operation}: {error}"));
    let reply: Value =
        serde_json::from_str(&hashrange_wire::encode(&response)).expect("replies are JSON");
    let number = |name: &str| reply.get(name).and_then(Value::as_u64).unwrap_or_default();
    let page = Page {
        count: number("Count"),
        scanned: number("ScannedCount"),
        bytes: outcome.evaluated.bytes_examined,
        consumed: outcome.consumed,
    };
    (reply, page)
}

/// Runs a request, to its last page where `is_followed`.
fn run(database: &mut Database, operation: &str, request: &Value, is_followed: bool) -> Answer {
    let mut request = request.clone();
    let mut answer = Answer::default();
    loop {
        let (mut reply, page) = call(database, operation, &request);
        answer.pages.push(page);
        if let Some(Value::Array(items)) = reply.get_mut("Items").map(Value::take) {
            answer.items.extend(items);
        }
        match reply.get("LastEvaluatedKey") {
            Some(key) if is_followed => request["ExclusiveStartKey"] = key.clone(),
            _ => return answer,
        }
    }
}

fn arms(answer: &Answer) -> Map<String, Value> {
    let mut arms = Map::new();
    for consumed in answer.pages.iter().flat_map(|page| &page.consumed) {
        arms.insert("table".to_owned(), consumed.table.as_f64().into());
        for (index, units) in consumed.local_indexes.iter().chain(&consumed.global_indexes) {
            arms.insert(index.to_string(), units.as_f64().into());
        }
    }
    arms
}

fn is_same_number(left: &Value, right: &Value) -> bool {
    left == right || (left.is_number() && left.as_f64() == right.as_f64())
}

fn is_same(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found
                    .iter()
                    .zip(expected)
                    .all(|(found, expected)| is_same_number(found, expected))
        }
        _ => is_same_number(found, expected),
    }
}

/// Compares an answer with the members of `expect`.
fn check(words: &str, answer: &Answer, expect: &Map<String, Value>) {
    let each = |of: &dyn Fn(&Page) -> Value| Value::Array(answer.pages.iter().map(of).collect());
    let sum = |of: &dyn Fn(&Page) -> u64| Value::from(answer.pages.iter().map(of).sum::<u64>());
    for (name, expected) in expect {
        let found = match name.as_str() {
            "Count" => sum(&|page| page.count),
            "ScannedCount" => sum(&|page| page.scanned),
            "bytes" => sum(&|page| page.bytes),
            "units" => answer.pages.iter().map(Page::units).sum::<CapacityUnits>().as_f64().into(),
            "pages" => answer.pages.len().into(),
            "pageCount" => each(&|page| page.count.into()),
            "pageScannedCount" => each(&|page| page.scanned.into()),
            "pageBytes" => each(&|page| page.bytes.into()),
            "pageUnits" => each(&|page| page.units().as_f64().into()),
            "arms" => {
                let arms = arms(answer);
                for (arm, units) in expected.as_object().expect("arms are an object") {
                    let found = arms.get(arm).cloned().unwrap_or_default();
                    assert!(is_same(&found, units), "{words}: {arm} is {found}, not {units}");
                }
                continue;
            }
            "order" => {
                for (attribute, values) in expected.as_object().expect("order is an object") {
                    let found: Vec<&Value> = answer
                        .items
                        .iter()
                        .filter_map(|item| item[attribute].as_object()?.values().next())
                        .collect();
                    assert_eq!(json!(found), *values, "{words}: {attribute}");
                }
                continue;
            }
            other => panic!("{words}: this suite does not know what {other} means"),
        };
        assert!(is_same(&found, expected), "{words}: {name} is {found}, not {expected}");
    }
}

#[test]
fn the_folders_are_the_ones_listed() {
    let mut slugs: Vec<String> = fs::read_dir(folder())
        .expect("the examples are there")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    slugs.sort();
    let mut expected = EXAMPLES;
    expected.sort_unstable();
    assert_eq!(slugs, expected);
}

#[test]
fn every_design_is_written_as_this_build_writes_it() {
    for slug in EXAMPLES {
        let text = read(slug, "design.json");
        let design = Design::from_json(&text).unwrap_or_else(|error| panic!("{slug}: {error}"));
        assert_eq!(design.kind, DesignKind::Example);
        assert_eq!(design.slug, slug);
        assert!(design.unknown.is_empty(), "{slug}");
        for sentence in [&design.title, &design.question, &design.surprise, &design.about] {
            assert!(!sentence.is_empty(), "{slug}");
        }
        assert!(
            design.to_json() == text,
            "{slug}: design.json is not written as to_json writes it"
        );
    }
}

#[test]
fn every_item_belongs_to_the_entity_its_recipe_names() {
    for slug in EXAMPLES {
        let example = load(slug);
        let mut n_by_entity = vec![0; example.design.entities.len()];
        for table in example.design.table_names() {
            let matcher = EntityMatcher::new(table, &example.design.entities);
            for (_, item) in example.items.iter().filter(|(name, _)| name.as_str() == table) {
                let entity = matcher.entity_of(item);
                let entity = entity.unwrap_or_else(|| panic!("{slug}: {item:?} has no entity"));
                n_by_entity[entity] += 1;
            }
        }
        assert!(n_by_entity.iter().all(|n| *n > 0), "{slug}: {n_by_entity:?}");
        if slug == "factory-floor" {
            assert_eq!(n_by_entity, [2, 11, 5, 6, 40]);
        }
    }
}

#[test]
fn every_pattern_runs_and_costs_what_its_design_says() {
    for slug in EXAMPLES {
        let example = load(slug);
        assert!(!example.design.patterns.is_empty());
        for pattern in &example.design.patterns {
            let words = format!("{slug}: {}", pattern.words);
            let mut database = example.database.clone();
            let is_followed = pattern.expect.contains_key("pages");
            let answer = run(&mut database, &pattern.operation, &pattern.request, is_followed);
            assert!(pattern.expect.contains_key("units"), "{words}");
            check(&words, &answer, &pattern.expect);
        }
    }
}

/// Sizes of the items of OrgDirectory as the worked example of the screens lists them, in its order.
const FACTORY_FLOOR_BYTES: [u32; 24] = [
    100, 101, 102, 109, 2968, 2655, 3174, 1946, 2790, 3380, 2472, 2764, 2253, 74, 78, 79, 78, 75,
    103, 93, 113, 2102, 1890, 74,
];

#[test]
fn factory_floor_has_the_sizes_of_the_worked_example() {
    let example = load("factory-floor");
    let bytes: Vec<u32> = example
        .items
        .iter()
        .filter(|(table, _)| table.as_str() == "OrgDirectory")
        .map(|(_, item)| item.size_bytes())
        .collect();
    assert_eq!(bytes, FACTORY_FLOOR_BYTES);
    assert_eq!(bytes.iter().sum::<u32>(), 29_573);
    let events = example.items.iter().filter(|(table, _)| table.as_str() == "SensorEvents");
    assert!(events.clone().all(|(_, item)| item.size_bytes() == 412));
    assert_eq!(events.count(), 40);
}

#[test]
fn factory_floor_keeps_three_projects_in_its_sparse_index() {
    let mut database = load("factory-floor").database;
    let scan = json!({"TableName": "OrgDirectory", "IndexName": "isOnHold"});
    check("all on hold", &run(&mut database, "Scan", &scan, false), &expect(&json!({"Count": 3})));
    let query = json!({
        "TableName": "OrgDirectory",
        "IndexName": "isOnHold",
        "KeyConditionExpression": "PK = :org",
        "ExpressionAttributeValues": {":org": {"S": "ORG#1234"}}
    });
    let answer = run(&mut database, "Query", &query, false);
    check("on hold", &answer, &expect(&json!({"ScannedCount": 2, "bytes": 158, "units": 0.5})));
}

#[test]
fn factory_floor_charges_filters_consistency_and_limits_as_the_worked_example_does() {
    let example = load("factory-floor");
    let pattern = &example.design.patterns[3];
    let mut database = example.database.clone();
    let mut strong = pattern.request.clone();
    strong["ConsistentRead"] = json!(true);
    let answer = run(&mut database, "Query", &strong, true);
    check("strong", &answer, &expect(&json!({"units": 7.0, "pages": 2})));
    let mut unlimited = pattern.request.clone();
    unlimited.as_object_mut().expect("a request is an object").shift_remove("Limit");
    let answer = run(&mut database, "Query", &unlimited, true);
    check("without Limit", &answer, &expect(&json!({"units": 3.0, "pages": 1})));
}

#[test]
fn factory_floor_pays_for_the_sparse_index_when_a_project_is_put_on_hold() {
    let mut database = load("factory-floor").database;
    let update = |expression: &str, values: Option<Value>| {
        let mut request = json!({
            "TableName": "OrgDirectory",
            "Key": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-07"}},
            "UpdateExpression": expression
        });
        if let Some(values) = values {
            request["ExpressionAttributeValues"] = values;
        }
        request
    };
    run(&mut database, "UpdateItem", &update("REMOVE isOnHold", None), false);
    let put = update("SET isOnHold = :day", Some(json!({":day": {"S": "2026-03-02"}})));
    let answer = run(&mut database, "UpdateItem", &put, false);
    let arms = json!({"arms": {"table": 3, "GSI1": 3, "isOnHold": 1}});
    check("put on hold", &answer, &expect(&arms));
}

fn expect(members: &Value) -> Map<String, Value> {
    members.as_object().expect("expectations are an object").clone()
}
