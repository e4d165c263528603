//! The scan-based copy of a design: the same items and questions, with one id as key and no index.
//!
//! Invariant: every item is kept with all its attributes, and every pattern asks what it asked. A table of partition
//! and sort key gets one attribute made of both as its key; what names a whole key goes on by that id, and whatever
//! else asked a key or an index reads everything and filters.
//!
//! Not here: copying the items, which takes its time (`hashrange-playground`). A statement that writes keeps its text,
//! and is refused where it does not name the id.

use hashrange_storage::{KeyRange, Store};
use hashrange_types::{AttributeName, AttributeValue, Item, KeySchema};
use serde_json::{Map, Value, json};

use crate::document::{AccessPattern, Design};
use crate::expression_attributes::ExpressionAttributes;
use crate::numbered::numbered;

/// What the key attribute is called where no item has an attribute of that name.
const ID: &str = "id";
/// What stands between the parts of an id, and before itself within one.
const JOINT: char = '|';
const ESCAPE: char = '\\';
/// Members of a Query that a Scan does not have, or that would stop it before it has read everything.
const QUERY_ONLY: [&str; 6] = [
    "KeyConditionExpression",
    "KeyConditions",
    "QueryFilter",
    "ScanIndexForward",
    "Limit",
    "ExclusiveStartKey",
];

/// A design without indexes and composite keys, and what makes items fit it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanBased {
    /// The copy.
    pub design: Design,
    tables: Vec<TableCopy>,
}

/// A table as it was, and the key it has now.
#[derive(Debug, Clone, PartialEq)]
struct TableCopy {
    name: String,
    key: KeySchema,
    /// The attribute that is the key now; none where the key was one attribute and stays.
    id: Option<String>,
    /// Of each index: its name and the attributes without which an item is not in it.
    indexes: Vec<(String, Vec<String>)>,
}

impl ScanBased {
    /// The copy of a design whose tables are in `store`.
    pub fn of(design: &Design, store: &Store) -> Self {
        let tables = design.table_names().filter_map(|name| TableCopy::of(name, store)).collect();
        let mut it = Self { design: design.clone(), tables };
        "Scan-based copy".clone_into(&mut it.design.title);
        for table in &mut it.design.tables {
            if let Some(copy) = it.tables.iter().find(|copy| table["TableName"] == *copy.name) {
                copy.change_table(table);
            }
        }
        for pattern in &mut it.design.patterns {
            // What was expected of the answer's cost and order holds for the keys it was written for.
            pattern.expect = Map::new();
            change_pattern(&it.tables, pattern);
        }
        it
    }

    /// The item as the copy's table holds it.
    pub fn item(&self, table: &str, item: &Item) -> Item {
        let mut item = item.clone();
        if let Some(copy) = self.tables.iter().find(|copy| copy.name == table)
            && let (Some(name), Some(id)) = (&copy.id, copy.id_of(&item))
        {
            item.insert(AttributeName::new(name), AttributeValue::S(id.into()));
        }
        item
    }
}

impl TableCopy {
    fn of(name: &str, store: &Store) -> Option<Self> {
        let table = store.table(name)?;
        let schema = table.schema();
        let id = (schema.key.attributes().count() > 1).then(|| {
            let is_free = |name: &str| {
                let mut rows = table.items().range(&KeyRange::all(), true);
                rows.all(|(_, row)| !row.item.contains(name))
            };
            if is_free(ID) { ID.to_owned() } else { numbered(ID, "", is_free) }
        });
        let indexes = schema.indexes().map(|index| {
            let own = index.key.attributes().filter(|it| !schema.key.contains(it.name.as_str()));
            (index.name.to_string(), own.map(|it| it.name.to_string()).collect())
        });
        let indexes = indexes.collect();
        Some(Self { name: name.to_owned(), key: schema.key.clone(), id, indexes })
    }

    fn change_table(&self, table: &mut Value) {
        let Some(members) = table.as_object_mut() else { return };
        members.shift_remove("GlobalSecondaryIndexes");
        members.shift_remove("LocalSecondaryIndexes");
        let key = self.id.as_deref().or_else(|| Some(self.key.partition.first()?.name.as_str()));
        let Some(key) = key.map(str::to_owned) else { return };
        if self.id.is_some() {
            members
                .insert("KeySchema".to_owned(), json!([{"AttributeName": key, "KeyType": "HASH"}]));
        }
        let definitions = members.get_mut("AttributeDefinitions").and_then(Value::as_array_mut);
        let Some(definitions) = definitions else { return };
        definitions.retain(|it| self.id.is_none() && it["AttributeName"] == *key);
        if self.id.is_some() {
            definitions.push(json!({"AttributeName": key, "AttributeType": "S"}));
        }
    }

    /// The id of an item or a key; none where the key is not whole.
    fn id_of(&self, item: &Item) -> Option<String> {
        let parts = self.key.attributes().map(|attribute| {
            let value = hashrange_wire::value_to_json(item.get(attribute.name.as_str())?);
            text_of(&value).map(str::to_owned)
        });
        Some(joined(&parts.collect::<Option<Vec<String>>>()?))
    }

    /// Puts the id in place of a key in DynamoDB JSON, or beside the key of an item.
    fn identify(&self, members: Option<&mut Value>, is_item: bool) {
        let (Some(id), Some(Value::Object(members))) = (&self.id, members) else { return };
        let part = |name: &str| members.get(name).and_then(text_of).map(str::to_owned);
        let parts = self.key.attributes().map(|attribute| part(attribute.name.as_str()));
        let Some(parts) = parts.collect::<Option<Vec<String>>>() else { return };
        if !is_item {
            members.clear();
        }
        members.insert(id.clone(), json!({"S": joined(&parts)}));
    }

    /// A Query or Scan of this table as the copy has to ask it; false where it stays as it is.
    fn read_all(&self, request: &mut Map<String, Value>) -> bool {
        let index = request.shift_remove("IndexName");
        if index.is_none() && self.id.is_none() {
            return false;
        }
        let needed = index.as_ref().and_then(Value::as_str).and_then(|index| {
            self.indexes.iter().find(|(name, _)| name == index).map(|(_, needed)| needed.as_slice())
        });
        let needed = needed.unwrap_or_default();
        // Conditions in the old style stay conditions in the old style.
        let is_old = ["KeyConditions", "QueryFilter", "ScanFilter"]
            .iter()
            .any(|member| request.contains_key(*member));
        if is_old {
            let mut filter = Map::new();
            for member in ["ScanFilter", "QueryFilter", "KeyConditions"] {
                if let Some(Value::Object(conditions)) = request.get(member) {
                    filter.extend(conditions.clone());
                }
            }
            for name in needed {
                filter
                    .entry(name.clone())
                    .or_insert_with(|| json!({"ComparisonOperator": "NOT_NULL"}));
            }
            request.insert("ScanFilter".to_owned(), Value::Object(filter));
        } else {
            let key = request.get("KeyConditionExpression").and_then(Value::as_str);
            let mut parts: Vec<String> = key.map(str::to_owned).into_iter().collect();
            let mut expressions = ExpressionAttributes::of(request);
            for name in needed {
                parts.push(format!("attribute_exists({})", expressions.spoken_name(name)));
            }
            let filter = request.get("FilterExpression").and_then(Value::as_str);
            parts.extend(
                filter.map(
                    |filter| if parts.is_empty() { filter.to_owned() } else { wrapped(filter) },
                ),
            );
            if !parts.is_empty() {
                request.insert("FilterExpression".to_owned(), Value::from(parts.join(" AND ")));
            }
            expressions.write_into(request);
        }
        if request.get("Select").and_then(Value::as_str) == Some("ALL_PROJECTED_ATTRIBUTES") {
            request.shift_remove("Select");
        }
        for member in QUERY_ONLY {
            request.shift_remove(member);
        }
        true
    }
}

fn change_pattern(tables: &[TableCopy], pattern: &mut AccessPattern) {
    let find = |name: Option<&Value>| {
        tables.iter().find(|table| name.and_then(Value::as_str) == Some(table.name.as_str()))
    };
    let Some(request) = pattern.request.as_object_mut() else { return };
    match pattern.operation.as_str() {
        "Query" | "Scan" => {
            if find(request.get("TableName")).is_some_and(|table| table.read_all(request)) {
                "Scan".clone_into(&mut pattern.operation);
            }
        }
        "BatchGetItem" | "BatchWriteItem" => {
            let all = request.get_mut("RequestItems").and_then(Value::as_object_mut);
            for (name, asked) in all.into_iter().flatten() {
                let Some(table) = tables.iter().find(|table| table.name == *name) else { continue };
                let keys = asked.get_mut("Keys").and_then(Value::as_array_mut);
                keys.into_iter().flatten().for_each(|key| table.identify(Some(key), false));
                for write in asked.as_array_mut().into_iter().flatten() {
                    table.identify(write.pointer_mut("/PutRequest/Item"), true);
                    table.identify(write.pointer_mut("/DeleteRequest/Key"), false);
                }
            }
        }
        "TransactGetItems" | "TransactWriteItems" => {
            let all = request.get_mut("TransactItems").and_then(Value::as_array_mut);
            let actions = all.into_iter().flatten().filter_map(Value::as_object_mut);
            for action in actions.flat_map(Map::values_mut) {
                identify_one(find(action.get("TableName")), action);
            }
        }
        "ExecuteStatement" => {
            if let Some(Value::String(statement)) = request.get_mut("Statement") {
                let indexes = tables.iter().flat_map(|table| &table.indexes);
                for (index, _) in indexes {
                    *statement = statement.replace(&format!(".\"{index}\""), "");
                }
            }
        }
        _ => {
            let table = find(request.get("TableName"));
            identify_one(table, &mut pattern.request);
        }
    }
}

/// The key or the item of one read or write.
fn identify_one(table: Option<&TableCopy>, request: &mut Value) {
    let Some(table) = table else { return };
    table.identify(request.get_mut("Key"), false);
    table.identify(request.get_mut("Item"), true);
}

/// The text of a value in DynamoDB JSON; none for anything that is no key.
fn text_of(value: &Value) -> Option<&str> {
    value.as_object()?.values().next()?.as_str()
}

/// Parts as one id that no other parts have.
fn joined(parts: &[String]) -> String {
    let mut id = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            id.push(JOINT);
        }
        for character in part.chars() {
            if matches!(character, JOINT | ESCAPE) {
                id.push(ESCAPE);
            }
            id.push(character);
        }
    }
    id
}

/// A condition in parentheses, which it may have already: DynamoDB refuses those that say nothing.
fn wrapped(condition: &str) -> String {
    let condition = condition.trim();
    let mut depth = 0_u32;
    let mut closes_at = None;
    for (at, character) in condition.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            closes_at = Some(at);
            break;
        }
    }
    if condition.starts_with('(') && closes_at == Some(condition.len() - 1) {
        return condition.to_owned();
    }
    format!("({condition})")
}
