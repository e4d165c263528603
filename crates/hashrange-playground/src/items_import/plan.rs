//! Which column becomes which attribute, of which type, in which table, and what fills the keys.
//!
//! Invariant: a plan is plain choices; what they lead to is found by trying them ([`super::trial`]).

use hashrange_design::{Entity, KeyTemplate};
use hashrange_types::{KeyAttribute, TableSchema};
use serde_json::{Map, Value};

use super::read::{Cells, SourceRow, kind_of};
use super::{PendingItems, SourceColumn};
use crate::edit::{listed, value_json};
use crate::session::Session;
use crate::view::AttributeField;

/// The type that leaves a column out.
const LEFT_OUT: &str = "–";

/// What becomes of a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnPlan {
    /// The attribute.
    pub attribute: String,
    /// Its type; empty where each value says its own, `–` where the column is left out.
    pub kind: String,
}

/// What becomes of a text's items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportPlan {
    /// The table they go into, unless they name one that exists.
    pub table: String,
    /// The entity whose templates make keys that no column has.
    pub entity: Option<String>,
    /// One for each column.
    pub columns: Vec<ColumnPlan>,
    /// True if items may take the place of others that have their key.
    pub replaces: bool,
}

impl Session {
    /// Choices to begin with, for items that go into `table`.
    pub fn plan_import(&self, items: &PendingItems, table: &str) -> ImportPlan {
        let column = |column: &SourceColumn| ColumnPlan {
            attribute: column.name.clone(),
            kind: self.import_kind(table, &column.name, column.kind).to_owned(),
        };
        let mut plan = ImportPlan {
            table: table.to_owned(),
            columns: items.columns.iter().map(column).collect(),
            ..ImportPlan::default()
        };
        if !self.missing_keys(items, &plan).is_empty() {
            let made = self.entities_of(table).into_iter().find(|entity| {
                let plan = ImportPlan { entity: Some(entity.clone()), ..plan.clone() };
                self.missing_keys(items, &plan).is_empty()
            });
            plan.entity = made;
        }
        plan
    }

    /// The type of a column that becomes an attribute of `table`, where `kind` is what it had: a key has its table's
    /// type, whatever its values look like.
    pub fn import_kind<'a>(&self, table: &str, attribute: &str, kind: &'a str) -> &'a str {
        let schema = self.data().store.table(table).map(hashrange_storage::Table::schema);
        let key = schema.and_then(|schema| key_attribute(schema, attribute));
        match key {
            Some(key) if !kind.is_empty() && kind != LEFT_OUT => key.scalar.letter(),
            _ => kind,
        }
    }

    /// What a plan lacks, in one sentence; empty if it can be tried.
    pub fn import_problem(&self, items: &PendingItems, plan: &ImportPlan) -> String {
        if self.data().store.table(&plan.table).is_none() {
            return "Items need a table. Make one first, or import a design.".to_owned();
        }
        let missing = self.missing_keys(items, plan);
        if missing.is_empty() {
            return String::new();
        }
        let names = listed(&missing);
        let hint = if self.entities_of(&plan.table).is_empty() {
            ""
        } else {
            ", or choose the entity whose template makes it from its slots"
        };
        format!("No column gives {names}, which every item needs. Name the column that does{hint}.")
    }

    /// Key attributes that neither a column nor a template gives. Items that name their own table are not asked.
    fn missing_keys(&self, items: &PendingItems, plan: &ImportPlan) -> Vec<String> {
        let Some(table) = self.data().store.table(&plan.table) else { return Vec::new() };
        if items.rows.iter().all(|row| self.table_of(row, plan) != plan.table) {
            return Vec::new();
        }
        let entity = self.import_entity(plan);
        let has_column = |name: &str| {
            plan.columns.iter().any(|column| column.kind != LEFT_OUT && column.attribute == name)
        };
        let has_slot = |name: &str| items.columns.iter().any(|column| is_named(&column.name, name));
        let is_made = |name: &str| {
            let template = entity.and_then(|entity| template(entity, name));
            template.is_some_and(|template| template.slot_names().all(has_slot))
        };
        let keys = table.schema().key.attributes();
        let missing =
            keys.filter(|key| !has_column(key.name.as_str()) && !is_made(key.name.as_str()));
        missing.map(|key| key.name.to_string()).collect()
    }

    pub(super) fn import_entity(&self, plan: &ImportPlan) -> Option<&Entity> {
        let name = plan.entity.as_deref()?;
        self.design().entities.iter().find(|it| it.table == plan.table && it.name == name)
    }

    pub(super) fn table_of<'a>(&self, row: &'a SourceRow, plan: &'a ImportPlan) -> &'a str {
        let named = row.table.as_deref();
        named.filter(|name| self.data().store.table(name).is_some()).unwrap_or(&plan.table)
    }
}

/// A row's item in DynamoDB JSON, as planned.
///
/// # Errors
/// One sentence on the first value that cannot be read.
pub(super) fn item_of(
    row: &SourceRow,
    columns: &[SourceColumn],
    plan: &ImportPlan,
    entity: Option<&Entity>,
) -> Result<Value, String> {
    let mut item = Map::new();
    let mut slots: Vec<(String, String)> = Vec::new();
    let planned = |at: usize| plan.columns.get(at).filter(|column| column.kind != LEFT_OUT);
    match &row.cells {
        Cells::Texts(cells) => {
            for (at, text) in cells.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
                let Some(column) = columns.get(at) else { continue };
                slots.push((column.name.clone(), text.clone()));
                if let Some(planned) = planned(at) {
                    let value = read(&planned.attribute, &planned.kind, text)?;
                    item.insert(planned.attribute.clone(), value);
                }
            }
        }
        // Attributes keep the order in which the item has them.
        Cells::Json(members) => {
            for (name, value) in members {
                let Some(at) = columns.iter().position(|column| column.name == *name) else {
                    continue;
                };
                let inner = value.as_object().and_then(|it| it.values().next());
                let text = inner.and_then(Value::as_str).unwrap_or_default();
                slots.push((name.clone(), text.to_owned()));
                if let Some(planned) = planned(at) {
                    let value = match planned.kind.as_str() {
                        "" => value.clone(),
                        kind => read(&planned.attribute, kind, text)?,
                    };
                    item.insert(planned.attribute.clone(), value);
                }
            }
        }
    }
    for (name, text) in entity.into_iter().flat_map(|entity| &entity.keys) {
        if item.contains_key(name) {
            continue;
        }
        let Ok(template) = KeyTemplate::parse(text) else { continue };
        let named: Vec<(String, String)> = template
            .slot_names()
            .filter_map(|slot| {
                let found = slots.iter().find(|(name, _)| is_named(name, slot))?;
                Some((slot.to_owned(), found.1.clone()))
            })
            .collect();
        // A key that cannot be made is missed by DynamoDB if it is the table's.
        if let Ok(text) = template.fill(&named) {
            item.insert(name.clone(), serde_json::json!({"S": text}));
        }
    }
    Ok(Value::Object(item))
}

/// A cell as a value of a type.
fn read(name: &str, kind: &str, text: &str) -> Result<Value, String> {
    if kind.is_empty() {
        return Ok(match (kind_of(text), serde_json::from_str::<Value>(text)) {
            ("", Ok(value)) => value,
            _ => serde_json::json!({"S": text}),
        });
    }
    let text = match kind {
        "BOOL" => text.trim().to_ascii_lowercase(),
        // A set in one cell has its members between commas.
        "SS" | "NS" | "BS" => text.split([',', ';']).map(str::trim).collect::<Vec<_>>().join("\n"),
        _ => text.to_owned(),
    };
    let field = AttributeField { name: name.to_owned(), kind: kind.to_owned(), text };
    value_json(&field).map_err(|refusal| refusal.message)
}

fn key_attribute<'a>(schema: &'a TableSchema, name: &str) -> Option<&'a KeyAttribute> {
    let indexes = schema.indexes().flat_map(|index| index.key.attributes());
    schema.key.attributes().chain(indexes).find(|attribute| attribute.name.as_str() == name)
}

fn template(entity: &Entity, attribute: &str) -> Option<KeyTemplate> {
    KeyTemplate::parse(entity.keys.get(attribute)?).ok()
}

/// True if a column's name is a slot's, small and capital letters alike.
fn is_named(column: &str, slot: &str) -> bool {
    column.eq_ignore_ascii_case(slot)
}
