//! NoSQL Workbench models: import.
//!
//! Invariant: every difference between the file and what was imported is a [`Repair`]; members nobody reads
//! stay in the design's bag `workbench`, so that an export can write them back.
//!
//! Not here: export, and the CSV files Workbench also takes.
//!
//! Source: facts/nosql-workbench.md, 3a to 3d.

mod entities;
mod facets;
mod items;
mod names;
mod queries;
mod repair;
mod source;
mod table;
mod value;

use hashrange_types::{Item, KeySchema, SortedSet, TableName, TableSchema};
use serde_json::{Map, Value};

use crate::derive::derive_entities;
use crate::document::{AccessPattern, Design, Entity};
use crate::entity::{EntityMatcher, tags};

pub use repair::Repair;
pub use source::{BYTES_MAX, ImportError};

use items::ImportedItem;
use repair::Repairs;

/// The member of [`Design::unknown`] that keeps the model without its items.
pub const BAG: &str = "workbench";

/// What a model file became.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkbenchImport {
    /// Tables, entities, patterns, and the rest of the model in the bag [`BAG`].
    pub design: Design,
    /// Items in the order of the file, tables in the order of the design. They fit their tables: keys are
    /// there with the right type, no key occurs twice, sizes and depths are within DynamoDB's limits.
    pub items: Vec<(TableName, Item)>,
    /// The facet each item came from, by place in its table's list of facets; as long as `items`.
    pub item_facets: Vec<Option<usize>>,
    /// What differed, in the order found.
    pub repairs: Vec<Repair>,
}

/// One table of the model while it is being imported.
struct Table<'a> {
    source: &'a Map<String, Value>,
    schema: TableSchema,
    items: Vec<ImportedItem>,
}

/// Reads a NoSQL Workbench model of any version.
///
/// # Errors
/// The file is too large, not JSON, or not a model: one sentence, with line and column where known.
///
/// ```
/// # use hashrange_design::format::workbench::import_workbench;
/// let file = br#"{"ModelName": "Pets", "DataModel": [{"TableName": "Pets",
///   "KeyAttributes": {"PartitionKey": {"AttributeName": "name", "AttributeType": "S"}},
///   "TableData": [{"name": {"S": "Rex"}, "age": {"N": 3}}]}]}"#;
/// let import = import_workbench(file).unwrap();
/// assert_eq!(import.items.len(), 1);
/// assert_eq!(import.repairs[0].place, "DataModel[0].TableData[0].age");
/// ```
pub fn import_workbench(bytes: &[u8]) -> Result<WorkbenchImport, ImportError> {
    let model = source::read(bytes)?;
    let mut repairs = Repairs::default();
    let mut tables: Vec<Table<'_>> = Vec::new();
    for (index, source) in source::tables(&model)?.iter().enumerate() {
        let place = format!("DataModel[{index}]");
        let Some(source) = source.as_object() else {
            repairs.note(&place, "a table that is not an object", "it was left out");
            continue;
        };
        let taken: Vec<&str> = tables.iter().map(|table| table.schema.name.as_str()).collect();
        let Some(schema) = table::read(source, index, &taken, &place, &mut repairs) else {
            continue;
        };
        let items = items::read(source, &schema, &place, &mut repairs);
        tables.push(Table { source, schema, items });
    }
    if tables.is_empty() {
        return Err(ImportError::NoTables);
    }
    let design = Design {
        title: text(&model, "ModelName").unwrap_or("Imported model").to_owned(),
        about: model
            .get("ModelMetadata")
            .and_then(|metadata| metadata.get("Description"))
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim()
            .to_owned(),
        tables: tables
            .iter()
            .map(|table| hashrange_wire::create_table_to_json(&table.schema))
            .collect(),
        entities: name_entities(&model, &tables),
        patterns: patterns(&tables, &mut repairs),
        unknown: Map::from_iter([(BAG.to_owned(), bag(&model, &mut repairs))]),
        ..Design::default()
    };
    let mut items = Vec::new();
    let mut item_facets = Vec::new();
    for table in tables {
        for ImportedItem { item, facet } in table.items {
            items.push((table.schema.name.clone(), item));
            item_facets.push(facet);
        }
    }
    Ok(WorkbenchImport { design, items, item_facets, repairs: repairs.finish() })
}

fn text<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    map.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

fn list<'a>(map: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    map.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Queries somebody saved, then what the facets suggest.
fn patterns(tables: &[Table<'_>], repairs: &mut Repairs) -> Vec<AccessPattern> {
    let mut patterns = queries::read(tables, repairs);
    patterns.extend(facets::suggest(tables, repairs));
    patterns
}

/// Entities the file states, then derived ones for items those leave without colour.
fn name_entities(model: &Map<String, Value>, tables: &[Table<'_>]) -> Vec<Entity> {
    let mut entities = Vec::new();
    for table in tables {
        entities.extend(entities::read(model, table));
        let matcher = EntityMatcher::new(table.schema.name.as_str(), &entities);
        let strangers: Vec<(TableName, Item)> = table
            .items
            .iter()
            .filter(|imported| matcher.entity_of(&imported.item).is_none())
            .map(|imported| (table.schema.name.clone(), imported.item.clone()))
            .collect();
        let keys: [(&TableName, &KeySchema); 1] = [(&table.schema.name, &table.schema.key)];
        for mut derived in derive_entities(keys, &strangers) {
            let taken = |name: &str| entities.iter().any(|entity: &Entity| entity.name == name);
            if taken(&derived.name) {
                derived.name = names::free(&format!("{} item", derived.name), taken);
            }
            entities.push(derived);
        }
    }
    let tags = tags(entities.iter().map(|entity| entity.name.as_str()));
    for (entity, tag) in entities.iter_mut().zip(tags) {
        entity.tag = tag;
    }
    entities
}

/// The model without its items, and without attributes declared twice.
fn bag(model: &Map<String, Value>, repairs: &mut Repairs) -> Value {
    let mut bag = model.clone();
    let tables = bag.get_mut("DataModel").and_then(Value::as_array_mut);
    for (index, table) in tables.into_iter().flatten().enumerate() {
        let Some(table) = table.as_object_mut() else { continue };
        table.shift_remove("TableData");
        let facets = table.get_mut("TableFacets").and_then(Value::as_array_mut);
        for facet in facets.into_iter().flatten().filter_map(Value::as_object_mut) {
            facet.shift_remove("TableData");
        }
        let Some(declared) = table.get_mut("NonKeyAttributes").and_then(Value::as_array_mut) else {
            continue;
        };
        let n_declared = declared.len();
        let mut seen = SortedSet::new();
        declared.retain(|attribute| seen.insert(attribute.to_string()));
        let n_repeated = n_declared - declared.len();
        if n_repeated > 0 {
            repairs.note(
                &format!("DataModel[{index}].NonKeyAttributes"),
                format!("{n_repeated} attributes that were declared already"),
                "they are kept once",
            );
        }
    }
    Value::Object(bag)
}
