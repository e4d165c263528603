//! `Fix`: one change of a design that a person may take with one click.
//!
//! Invariant: applying a fix touches what its label says and nothing else, and never fails: a fix whose table, index
//! or pattern is gone leaves the design as it is.
//!
//! Not here: whether a fix is a good idea ([`crate::suggest`], [`crate::lint`]); the items, which a new key template
//! does not rewrite.

use hashrange_types::{AttributeName, Projection, ScalarType};
use serde_json::{Map, Value, json};

use crate::document::Design;

/// An index that a design could have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPlan {
    /// Its name.
    pub name: String,
    /// True for a local index, which is made together with its table.
    pub is_local: bool,
    /// Its partition attributes.
    pub partition: Vec<(String, ScalarType)>,
    /// Its sort attribute.
    pub sort: Option<(String, ScalarType)>,
    /// What its entries hold.
    pub projection: Projection,
}

/// A change of a design.
#[derive(Debug, Clone, PartialEq)]
pub enum Fix {
    /// Adds an index to a table, and asks a pattern's question of it.
    AddIndex {
        /// The table.
        table: String,
        /// The index.
        index: IndexPlan,
        /// The pattern's number, from 1, and its new Query.
        pattern: u32,
        /// The Query.
        request: Value,
    },
    /// Gives a pattern another request.
    SetRequest {
        /// The pattern's number, from 1.
        pattern: u32,
        /// Its operation from now on.
        operation: String,
        /// Its request from now on.
        request: Value,
        /// What that changes, for the label, such as `Ask isOnHold`.
        label: String,
    },
    /// Removes an index that nothing needs.
    RemoveIndex {
        /// The table.
        table: String,
        /// The index.
        index: String,
    },
    /// Lets an index hold fewer attributes.
    SetProjection {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// What its entries hold from now on.
        projection: Projection,
    },
    /// Gives an entity another key template.
    SetTemplate {
        /// The entity's index in the design.
        entity: usize,
        /// The key attribute.
        attribute: String,
        /// The template from now on.
        template: String,
    },
}

impl Fix {
    /// What the button says.
    pub fn label(&self) -> String {
        match self {
            Self::AddIndex { index, .. } => format!("Add the index {}", index.name),
            Self::SetRequest { label, .. } => label.clone(),
            Self::RemoveIndex { index, .. } => format!("Remove the index {index}"),
            Self::SetProjection { index, projection: Projection::KeysOnly, .. } => {
                format!("Project keys alone into {index}")
            }
            Self::SetProjection { index, projection: Projection::All, .. } => {
                format!("Project everything into {index}")
            }
            Self::SetProjection { index, projection: Projection::Include(names), .. } => {
                let names: Vec<&str> = names.iter().map(AttributeName::as_str).collect();
                format!("Project {} into {index}", names.join(", "))
            }
            Self::SetTemplate { attribute, template, .. } => {
                format!("Write {attribute} as {template}")
            }
        }
    }

    /// The design with the change made.
    #[must_use]
    pub fn apply(&self, design: &Design) -> Design {
        let mut changed = design.clone();
        // A change that finds nothing to change leaves everything as it is.
        if self.change(&mut changed).is_none() {
            return design.clone();
        }
        changed
    }

    fn change(&self, design: &mut Design) -> Option<()> {
        match self {
            Self::AddIndex { table, index, pattern, request } => {
                add_index(table_mut(design, table)?, index)?;
                set_request(design, *pattern, "Query", request)
            }
            Self::SetRequest { pattern, operation, request, .. } => {
                set_request(design, *pattern, operation, request)
            }
            Self::RemoveIndex { table, index } => remove_index(table_mut(design, table)?, index),
            Self::SetProjection { table, index, projection } => {
                let index = index_mut(table_mut(design, table)?, index)?;
                index.insert("Projection".to_owned(), projection_to_json(projection));
                Some(())
            }
            Self::SetTemplate { entity, attribute, template } => {
                let entity = design.entities.get_mut(*entity)?;
                entity.keys.get_mut(attribute)?.clone_from(template);
                Some(())
            }
        }
    }
}

fn table_mut<'a>(design: &'a mut Design, name: &str) -> Option<&'a mut Map<String, Value>> {
    let named = |table: &&mut Value| table.get("TableName").and_then(Value::as_str) == Some(name);
    design.tables.iter_mut().find(named)?.as_object_mut()
}

/// The two lists of indexes, global ones first.
const LISTS: [&str; 2] = ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"];

fn index_mut<'a>(
    table: &'a mut Map<String, Value>,
    name: &str,
) -> Option<&'a mut Map<String, Value>> {
    let list = LISTS.into_iter().find(|list| position(table, list, name).is_some())?;
    let at = position(table, list, name)?;
    table.get_mut(list)?.get_mut(at)?.as_object_mut()
}

fn position(table: &Map<String, Value>, list: &str, name: &str) -> Option<usize> {
    let indexes = table.get(list)?.as_array()?;
    indexes.iter().position(|index| index.get("IndexName").and_then(Value::as_str) == Some(name))
}

fn set_request(design: &mut Design, number: u32, operation: &str, request: &Value) -> Option<()> {
    let at = usize::try_from(number.checked_sub(1)?).ok()?;
    let pattern = design.patterns.get_mut(at)?;
    operation.clone_into(&mut pattern.operation);
    pattern.request = request.clone();
    Some(())
}

fn add_index(table: &mut Map<String, Value>, index: &IndexPlan) -> Option<()> {
    let list = if index.is_local { LISTS[1] } else { LISTS[0] };
    if LISTS.iter().any(|list| position(table, list, &index.name).is_some()) {
        return None;
    }
    let element =
        |(name, _): &(String, ScalarType), kind| json!({"AttributeName": name, "KeyType": kind});
    let mut keys: Vec<Value> = index.partition.iter().map(|it| element(it, "HASH")).collect();
    keys.extend(index.sort.iter().map(|it| element(it, "RANGE")));
    let mut added = json!({
        "IndexName": index.name,
        "KeySchema": keys,
        "Projection": projection_to_json(&index.projection),
    });
    // A global index of a provisioned table has capacity of its own; as much as its table is where to start.
    if let (false, Some(units)) = (index.is_local, table.get("ProvisionedThroughput")) {
        added["ProvisionedThroughput"] = units.clone();
    }
    for (name, scalar) in index.partition.iter().chain(&index.sort) {
        let definitions = table.entry("AttributeDefinitions").or_insert_with(|| json!([]));
        let definitions = definitions.as_array_mut()?;
        let is_defined = definitions
            .iter()
            .any(|it| it.get("AttributeName").and_then(Value::as_str) == Some(name));
        if !is_defined {
            definitions.push(json!({"AttributeName": name, "AttributeType": scalar.letter()}));
        }
    }
    table.entry(list).or_insert_with(|| json!([])).as_array_mut()?.push(added);
    Some(())
}

fn remove_index(table: &mut Map<String, Value>, name: &str) -> Option<()> {
    let list = LISTS.into_iter().find(|list| position(table, list, name).is_some())?;
    let at = position(table, list, name)?;
    let indexes = table.get_mut(list)?.as_array_mut()?;
    indexes.remove(at);
    if indexes.is_empty() {
        table.shift_remove(list);
    }
    drop_unused_definitions(table);
    Some(())
}

/// DynamoDB refuses a table that defines attributes no key uses.
fn drop_unused_definitions(table: &mut Map<String, Value>) {
    let names = |keys: Option<&Value>| -> Vec<String> {
        let keys = keys.and_then(Value::as_array).into_iter().flatten();
        keys.filter_map(|key| Some(key.get("AttributeName")?.as_str()?.to_owned())).collect()
    };
    let mut used = names(table.get("KeySchema"));
    for list in LISTS {
        for index in table.get(list).and_then(Value::as_array).into_iter().flatten() {
            used.extend(names(index.get("KeySchema")));
        }
    }
    if let Some(Value::Array(definitions)) = table.get_mut("AttributeDefinitions") {
        definitions.retain(|it| {
            let name = it.get("AttributeName").and_then(Value::as_str);
            name.is_none_or(|name| used.iter().any(|used| used == name))
        });
    }
}

fn projection_to_json(projection: &Projection) -> Value {
    match projection {
        Projection::KeysOnly => json!({"ProjectionType": "KEYS_ONLY"}),
        Projection::All => json!({"ProjectionType": "ALL"}),
        Projection::Include(names) => {
            let names: Vec<&str> = names.iter().map(AttributeName::as_str).collect();
            json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names})
        }
    }
}
