//! Tables made, described, changed and deleted.
//!
//! Source: facts 3.8 and 4.10.1.

use serde_json::{Map, Value as Json, json};

use crate::answer::{exception, validation};
use crate::table::{Definition, Index, Keys, Projection, Table, Tables};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Control {
    Create(Definition),
    Delete(String),
    Describe(String),
    List {
        start: Option<String>,
        limit: Option<usize>,
    },
    /// UpdateTable with a new global index.
    AddIndex(String, Index),
    /// UpdateTable without one.
    DropIndex(String, String),
    /// UpdateTable with this much capacity of a provisioned table.
    Capacity(String, u64, u64),
}

fn key_schema(keys: &Keys) -> Json {
    let part = |attributes: &[crate::table::Attribute], kind: &str| -> Vec<Json> {
        attributes
            .iter()
            .map(|attribute| json!({"AttributeName": attribute.name, "KeyType": kind}))
            .collect()
    };
    [part(&keys.partition, "HASH"), part(&keys.sort, "RANGE")].concat().into()
}

fn projection(projection: &Projection) -> Json {
    match projection {
        Projection::All => json!({"ProjectionType": "ALL"}),
        Projection::KeysOnly => json!({"ProjectionType": "KEYS_ONLY"}),
        Projection::Include(names) => {
            let mut names = names.clone();
            names.sort();
            json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names})
        }
    }
}

/// Definitions of the attributes of these keys, sorted by name, each once.
fn attributes<'a>(keys: impl Iterator<Item = &'a Keys>) -> Json {
    let mut found: Vec<(&str, &str)> = keys
        .flat_map(Keys::attributes)
        .map(|attribute| (attribute.name.as_str(), attribute.letter))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
        .into_iter()
        .map(|(name, letter)| json!({"AttributeName": name, "AttributeType": letter}))
        .collect()
}

fn all_keys(definition: &Definition) -> impl Iterator<Item = &Keys> {
    std::iter::once(&definition.keys).chain(definition.indexes.iter().map(|index| &index.keys))
}

fn throughput((read, write): (u64, u64)) -> Json {
    json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

fn index_request(index: &Index, provisioned: Option<(u64, u64)>) -> Json {
    let mut request = json!({
        "IndexName": index.name,
        "KeySchema": key_schema(&index.keys),
        "Projection": projection(&index.projection),
    });
    if let Some(units) = provisioned.filter(|_| !index.is_local) {
        request["ProvisionedThroughput"] = throughput(units);
    }
    request
}

fn create_request(definition: &Definition) -> Json {
    let mut request = json!({
        "TableName": definition.name,
        "KeySchema": key_schema(&definition.keys),
        "AttributeDefinitions": attributes(all_keys(definition)),
    });
    match definition.provisioned {
        Some(units) => request["ProvisionedThroughput"] = throughput(units),
        None => request["BillingMode"] = json!("PAY_PER_REQUEST"),
    }
    for (member, is_local) in [("LocalSecondaryIndexes", true), ("GlobalSecondaryIndexes", false)] {
        let indexes: Vec<Json> = definition
            .indexes
            .iter()
            .filter(|index| index.is_local == is_local)
            .map(|index| index_request(index, definition.provisioned))
            .collect();
        if !indexes.is_empty() {
            request[member] = Json::Array(indexes);
        }
    }
    request
}

/// What a description of the table says at least.
fn description(table: &Table, status: &str) -> Json {
    let definition = &table.definition;
    let (count, bytes) = table.sizes(None);
    let units = definition.provisioned.unwrap_or((0, 0));
    let mut told = json!({
        "TableName": definition.name,
        "TableStatus": status,
        "KeySchema": key_schema(&definition.keys),
        "AttributeDefinitions": attributes(all_keys(definition)),
        "ProvisionedThroughput": throughput(units),
        "ItemCount": count,
        "TableSizeBytes": bytes,
    });
    if definition.provisioned.is_none() {
        told["BillingModeSummary"] = json!({"BillingMode": "PAY_PER_REQUEST"});
    }
    for (member, is_local) in [("LocalSecondaryIndexes", true), ("GlobalSecondaryIndexes", false)] {
        let indexes: Vec<Json> = definition
            .indexes
            .iter()
            .filter(|index| index.is_local == is_local)
            .map(|index| {
                let (count, bytes) = table.sizes(Some(index));
                let mut told = index_request(index, None);
                told["ItemCount"] = json!(count);
                told["IndexSizeBytes"] = json!(bytes);
                told
            })
            .collect();
        if !indexes.is_empty() {
            told[member] = Json::Array(indexes);
        }
    }
    told
}

fn not_found(table: &str) -> Json {
    exception(
        "ResourceNotFoundException",
        &format!("Requested resource not found: Table: {table} not found"),
    )
}

impl Control {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        match self {
            Self::Create(definition) => ("CreateTable", create_request(definition)),
            Self::Delete(table) => ("DeleteTable", json!({"TableName": table})),
            Self::Describe(table) => ("DescribeTable", json!({"TableName": table})),
            Self::List { start, limit } => {
                let mut request = Map::new();
                if let Some(start) = start {
                    request.insert("ExclusiveStartTableName".to_owned(), json!(start));
                }
                if let Some(limit) = limit {
                    request.insert("Limit".to_owned(), json!(limit));
                }
                ("ListTables", Json::Object(request))
            }
            Self::AddIndex(table, index) => {
                let request = json!({
                    "TableName": table,
                    "AttributeDefinitions": attributes(std::iter::once(&index.keys)),
                    "GlobalSecondaryIndexUpdates": [{"Create": index_request(index, None)}],
                });
                ("UpdateTable", request)
            }
            Self::DropIndex(table, index) => {
                let updates = json!([{"Delete": {"IndexName": index}}]);
                ("UpdateTable", json!({"TableName": table, "GlobalSecondaryIndexUpdates": updates}))
            }
            Self::Capacity(table, read, write) => {
                let throughput = throughput((*read, *write));
                ("UpdateTable", json!({"TableName": table, "ProvisionedThroughput": throughput}))
            }
        }
    }

    /// The answers, and true if they may say more than this.
    pub(crate) fn expect(&self, tables: &mut Tables) -> (Vec<Json>, bool) {
        let answer = match self {
            Self::Create(definition) => return create(definition, tables),
            Self::List { start, limit } => {
                return (vec![list(tables, start.as_deref(), *limit)], false);
            }
            Self::Describe(name) => match tables.tables.get(name) {
                Some(table) => json!({"Table": description(table, "ACTIVE")}),
                None => not_found(name),
            },
            Self::Delete(name) => match tables.tables.remove(name) {
                Some(table) => json!({"TableDescription": description(&table, "DELETING")}),
                None => not_found(name),
            },
            Self::AddIndex(name, _) | Self::DropIndex(name, _) | Self::Capacity(name, ..) => {
                match tables.tables.get_mut(name) {
                    Some(table) => self.update(table),
                    None => not_found(name),
                }
            }
        };
        (vec![answer], true)
    }

    fn update(&self, table: &mut Table) -> Json {
        let name = table.definition.name.clone();
        match self {
            Self::AddIndex(_, index) if table.definition.index(&index.name).is_some() => {
                return validation("Attempting to create an index which already exists");
            }
            Self::AddIndex(_, index) => table.definition.indexes.push(index.clone()),
            Self::DropIndex(_, index) => {
                let is_there = table.definition.index(index).is_some_and(|index| !index.is_local);
                if !is_there {
                    let message =
                        format!("Requested resource not found: Index {index} for table {name}");
                    return exception("ResourceNotFoundException", &message);
                }
                table.definition.indexes.retain(|other| other.name != *index);
            }
            Self::Capacity(_, read, write) => {
                if table.definition.provisioned == Some((*read, *write)) {
                    return validation(&format!(
                        "The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: {read}. Requested ReadCapacityUnits: {read}. Current WriteCapacityUnits provisioned for the table: {write}. Requested WriteCapacityUnits: {write}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
                    ));
                }
                table.definition.provisioned = Some((*read, *write));
            }
            Self::Create(_) | Self::Delete(_) | Self::Describe(_) | Self::List { .. } => {}
        }
        json!({"TableDescription": description(table, "ACTIVE")})
    }
}

fn create(definition: &Definition, tables: &mut Tables) -> (Vec<Json>, bool) {
    if tables.tables.contains_key(&definition.name) {
        let message = format!("Table already exists: {}", definition.name);
        return (vec![exception("ResourceInUseException", &message)], false);
    }
    let table = Table { definition: definition.clone(), items: Vec::new() };
    let told = json!({"TableDescription": description(&table, "ACTIVE")});
    tables.tables.insert(definition.name.clone(), table);
    (vec![told], true)
}

fn list(tables: &Tables, start: Option<&str>, limit: Option<usize>) -> Json {
    let mut names: Vec<&String> = tables
        .tables
        .keys()
        .filter(|name| start.is_none_or(|start| name.as_str() > start))
        .collect();
    let limit = limit.unwrap_or(100);
    let is_cut = names.len() > limit;
    names.truncate(limit);
    let mut answer = json!({"TableNames": names});
    if is_cut {
        answer["LastEvaluatedTableName"] = json!(names.last());
    }
    answer
}
