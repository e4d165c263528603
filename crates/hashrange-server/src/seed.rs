//! `--design`: a store that starts with the tables and items of a design or a NoSQL Workbench model.
//!
//! Invariant: tables are made by the engine's own CreateTable; a file that cannot be read makes nothing.
//!
//! Not here: what the files mean (`hashrange-design`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hashrange_design::{Budget, Design, Recipe, Repair, import_workbench};
use hashrange_engine::{create_table, put_item};
use hashrange_storage::Store;
use hashrange_types::{ApiError, Item, Operation, TableName};
use serde_json::Value;

use crate::clock;

/// The design in a folder, and the sample items beside it.
const DESIGN: &str = "design.json";
const RECIPE: &str = "data.json";
/// How much a recipe may make: what a machine that serves can hold with ease.
const BUDGET: Budget = Budget { n_items: 2_000_000, n_bytes: 2 * 1_024 * 1_024 * 1_024 };

/// What a design file became.
#[derive(Debug)]
pub struct Seed {
    /// Its tables with their items.
    pub store: Store,
    /// Tables in it.
    pub n_tables: usize,
    /// Items in all of them.
    pub n_items: usize,
    /// What was repaired in a model, a sentence each.
    pub repairs: Vec<String>,
}

/// Why a design cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the machine says.
        error: io::Error,
    },
    /// Its text is not a design, a recipe or a model, or asks for what DynamoDB refuses.
    #[error("{}: {reason}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// One sentence.
        reason: String,
    },
}

/// Reads a design with the recipe `data.json` beside it, a folder that holds both, or a NoSQL Workbench model.
///
/// # Errors
/// A file cannot be read, or is wrong.
pub fn seed(path: &Path) -> Result<Seed, SeedError> {
    let path = if path.is_dir() { path.join(DESIGN) } else { path.to_owned() };
    let bytes = read(&path)?;
    let wrong = |reason: String| SeedError::Wrong { path: path.clone(), reason };
    let (design, items, repairs) = if is_design(&bytes) {
        let text = std::str::from_utf8(&bytes).map_err(|error| wrong(error.to_string()))?;
        let design = Design::from_json(text).map_err(|error| wrong(error.to_string()))?;
        let items = recipe_items(&path, &design)?;
        (design, items, Vec::new())
    } else {
        let import = import_workbench(&bytes).map_err(|error| wrong(error.to_string()))?;
        let sentence = |repair: &Repair| {
            let Repair { found, done, place } = repair;
            format!("{place}: {found}; {done}")
        };
        let repairs = import.repairs.iter().map(sentence).collect();
        (import.design, import.items, repairs)
    };
    let mut store = Store::default();
    for table in &design.tables {
        make(&mut store, table).map_err(&wrong)?;
    }
    let (n_tables, n_items) = (design.tables.len(), items.len());
    for (table, item) in items {
        put_item(&mut store, &table, item).map_err(&wrong)?;
    }
    Ok(Seed { store, n_tables, n_items, repairs })
}

/// Makes the table of a CreateTable request.
fn make(store: &mut Store, table: &Value) -> Result<(), String> {
    let name = table["TableName"].as_str().unwrap_or("without a name");
    let refused = |error: ApiError| format!("the table {name} can't be made: {error}");
    let text = table.to_string();
    let request = hashrange_wire::decode(Operation::CreateTable, &text).map_err(refused)?;
    create_table(store, request, clock::now()).map_err(refused)
}

/// A design says which format it has; a model does not.
fn is_design(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let value = serde_json::from_slice::<Value>(bytes);
    // What is not JSON is better refused in the words of a design, which name line and column.
    value.map_or(true, |value| value.get("format").is_some())
}

fn recipe_items(path: &Path, design: &Design) -> Result<Vec<(TableName, Item)>, SeedError> {
    let path = path.with_file_name(RECIPE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let wrong = |reason: String| SeedError::Wrong { path: path.clone(), reason };
    let text = String::from_utf8(read(&path)?).map_err(|error| wrong(error.to_string()))?;
    let keys = design.key_schemas().map_err(|error| wrong(error.to_string()))?;
    let recipe = Recipe::from_json(&text).map_err(|error| wrong(error.to_string()))?;
    recipe.items(BUDGET, keys).map_err(|error| wrong(error.to_string()))
}

fn read(path: &Path) -> Result<Vec<u8>, SeedError> {
    fs::read(path).map_err(|error| SeedError::Unreadable { path: path.to_owned(), error })
}
