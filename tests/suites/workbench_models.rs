//! Every NoSQL Workbench model of the reference folder, where it is present: imported, created and filled.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};

use hashrange_design::format::workbench::{WorkbenchImport, import_workbench};
use hashrange_design::{Design, EntityMatcher};
use hashrange_engine::Database;
use hashrange_playground::Session;
use hashrange_playground::compare::Rival;
use hashrange_types::{Operation, Timestamp};
use serde_json::{Value, json};

/// Where the models are, seen from this package.
const MODELS: &str = "../../shared/models";

fn call(database: &mut Database, operation: Operation, request: &Value) -> Result<(), String> {
    let request = hashrange_wire::decode(operation, &request.to_string())
        .map_err(|error| format!("{}: {error}", operation.name()))?;
    let now = Timestamp::from_millis(1_767_225_600_000);
    database.call(request, now).reply.map(|_| ()).map_err(|error| error.to_string())
}

/// Creates the tables of an import and puts every item.
fn fill(import: &WorkbenchImport) -> Result<(), String> {
    let mut database = Database::default();
    for table in &import.design.tables {
        call(&mut database, Operation::CreateTable, table)?;
    }
    for (table, item) in &import.items {
        let item = hashrange_wire::item_to_json(item);
        let request = json!({"TableName": table.as_str(), "Item": item});
        call(&mut database, Operation::PutItem, &request)
            .map_err(|error| format!("{table} {item}: {error}"))?;
    }
    for pattern in &import.design.patterns {
        let operation = Operation::from_name(&pattern.operation).ok_or("an unknown operation")?;
        call(&mut database, operation, &pattern.request)
            .map_err(|error| format!("{}: {error}", pattern.words))?;
    }
    Ok(())
}

fn json_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            json_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
}

#[expect(clippy::print_stdout, reason = "the one line that says the models were not there")]
#[test]
fn every_model_imports_creates_its_tables_and_puts_its_items() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(MODELS);
    let mut files = Vec::new();
    json_files(&folder, &mut files);
    if files.is_empty() {
        println!("skipped: there are no models at {}", folder.display());
        return;
    }
    for file in files {
        let name = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
        let bytes = fs::read(&file).expect("the file was listed");
        let import = import_workbench(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        fill(&import).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = import.design.to_json();
        let read = Design::from_json(&written).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, import.design, "{name}");
        assert_eq!(n_without_entity(&import), 0, "{name}: items without an entity");
    }
}

/// The bills of an import and of its scan-based copy, as the comparison shows them.
fn bills(file: &Path) -> [String; 2] {
    let bytes = fs::read(file).expect("the file is there");
    let pending = Session::read_import("model.json", &bytes).expect("the model imports");
    let mut session = pending.into_session(0);
    while !session.check_patterns(100).is_done {}
    let mut rival = Rival::scan_based(&session, 0).expect("DynamoDB takes the tables");
    while !rival.step(100).expect("every item fits").is_done {}
    let view = session.compare(&rival);
    for row in &view.patterns {
        let [Some(own), Some(copy)] = &row.sides else { panic!("{} is asked of both", row.words) };
        assert_eq!(own.status, "served by key", "{}", row.words);
        let is_by_id = row.words.ends_with("one by its key");
        assert_eq!(
            copy.status,
            if is_by_id { "served by key" } else { "needs a Scan" },
            "{}",
            row.words
        );
    }
    let [own, copy, _] = view.totals;
    [own, copy]
}

#[test]
fn our_own_facets_suggest_patterns_and_scanning_costs_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/hashrange-design/tests");
    // Five patterns once a second at half a unit; two of them scan four partitions at half a unit each.
    let [own, copy] = bills(&folder.join("models/facets_as_patterns.json"));
    assert_eq!((own.as_str(), copy.as_str()), ("$0.82", "$1.81"));
}

#[expect(clippy::print_stdout, reason = "the one line that says the model was not there")]
#[test]
fn the_online_shop_of_facets_imports_with_its_patterns_and_compares_with_its_scan_based_copy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(MODELS);
    let file = folder
        .join("aws-samples__amazon-dynamodb-design-patterns")
        .join("AnOnlineShop_facets.json");
    if !file.exists() {
        println!("skipped: there is no {}", file.display());
        return;
    }
    // 24 patterns at half a unit; without keys and indexes 15 of them scan four partitions.
    let [own, copy] = bills(&file);
    assert_eq!((own.as_str(), copy.as_str()), ("$3.94", "$11.33"));
}

/// Items the picture would draw without a colour.
fn n_without_entity(import: &WorkbenchImport) -> usize {
    let entities = &import.design.entities;
    let matchers: Vec<(&str, EntityMatcher)> = import
        .design
        .table_names()
        .map(|table| (table, EntityMatcher::new(table, entities)))
        .collect();
    import
        .items
        .iter()
        .filter(|(table, item)| {
            let matcher = matchers.iter().find(|(name, _)| *name == table.as_str());
            matcher.is_none_or(|(_, matcher)| matcher.entity_of(item).is_none())
        })
        .count()
}
