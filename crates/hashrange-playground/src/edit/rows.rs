//! Items edited in place: put, changed, duplicated, removed and pasted, by DynamoDB's own requests.
//!
//! Invariant: a new or changed key never covers another item; what DynamoDB refuses is refused with its words.

use hashrange_types::{Item, TableSchema};
use serde_json::{Value, json};

use super::tree::{self, Act};
use super::{Edited, item};
use crate::format::counted;
use crate::session::Session;
use crate::view::{AttributeField, ItemLine, Refusal};

/// Keys tried for a copy.
const COPIES_MAX: u32 = 10_000;

impl Session {
    /// The fields of a table's item, by its key as the grid has it (compact DynamoDB JSON).
    pub fn item_fields(&self, table: &str, key: &str) -> Option<Vec<AttributeField>> {
        self.stored(table, key).map(item::fields)
    }

    pub(super) fn stored(&self, table: &str, key: &str) -> Option<&Item> {
        let table = self.data().store.table(table)?;
        let key = hashrange_wire::item_from_json(&serde_json::from_str(key).ok()?).ok()?;
        table.get(&table.schema().key.encode(&key)?).map(|row| &row.item)
    }

    /// The lines of a table's item, with what is in the lists and maps at the paths `open`.
    pub fn item_lines(&self, table: &str, key: &str, open: &[String]) -> Option<Vec<ItemLine>> {
        let schema = self.data().store.table(table)?.schema();
        Some(tree::lines(self.stored(table, key)?, &schema.key, open))
    }

    /// The value at a path of an item, to type over.
    pub fn field_at(&self, table: &str, key: &str, path: &str) -> Option<AttributeField> {
        tree::field_at(&self.json_of(table, key)?, path)
    }

    fn json_of(&self, table: &str, key: &str) -> Option<Value> {
        self.stored(table, key).map(hashrange_wire::item_to_json)
    }

    /// Puts an item: a new one, or in place of the one with the key `replacing`, which may change its key by it.
    ///
    /// # Errors
    /// DynamoDB's refusal, or one sentence where another item has the key already.
    pub fn put_item(
        &mut self,
        table: &str,
        fields: &[AttributeField],
        replacing: Option<&str>,
        now: i64,
    ) -> Edited {
        let value = item::item_json(fields)?;
        let verb = if replacing.is_some() { "changing" } else { "adding" };
        self.put_json(table, &value, replacing, format!("{verb} an item of {table}"), now)
    }

    fn put_json(
        &mut self,
        table: &str,
        value: &Value,
        replacing: Option<&str>,
        label: String,
        now: i64,
    ) -> Edited {
        let key_of = |schema: &TableSchema| key_value(schema, value);
        let schema = self.data().store.table(table).map(hashrange_storage::Table::schema);
        let new_key = schema.map(key_of).unwrap_or_default();
        let old_key: Option<Value> = replacing.and_then(|key| serde_json::from_str(key).ok());
        let mut request = json!({"TableName": table, "Item": value});
        // As keys and not as texts: 7.0 is the key 7.
        let key = |json: &Value| hashrange_wire::item_from_json(json).ok();
        let moves = old_key.as_ref().and_then(key) != key(&new_key);
        if moves && let Some(schema) = schema {
            let name = schema.key.partition.first().map(|it| it.name.as_str()).unwrap_or_default();
            request["ConditionExpression"] = json!("attribute_not_exists(#key)");
            request["ExpressionAttributeNames"] = json!({"#key": name});
        }
        let mut requests = vec![("PutItem", request.to_string())];
        if let Some(old_key) = old_key.filter(|_| moves) {
            let delete = json!({"TableName": table, "Key": old_key});
            requests.push(("DeleteItem", delete.to_string()));
        }
        self.write(&requests, label, now).map_err(|refusal| {
            if refusal.name != "ConditionalCheckFailedException" {
                return refusal;
            }
            Refusal::ours(format!(
                "{table} has an item with the key {new_key} already. A key belongs to one item: choose another, or \
                 change that item."
            ))
        })
    }

    /// Gives what is at a path of an item another value, and another name if the field has one. A key that changes
    /// moves the item.
    ///
    /// # Errors
    /// As [`Session::put_item`].
    pub fn set_value(
        &mut self,
        table: &str,
        key: &str,
        path: &str,
        field: &AttributeField,
        now: i64,
    ) -> Edited {
        let name = tree::last_name(path);
        let is_same = self.field_at(table, key, path).as_ref() == Some(field);
        if is_same {
            return Ok(());
        }
        self.act(table, key, path, &Act::Set(field), format!("changing {name}"), now)
    }

    /// Gives an item another attribute (at the empty path), or a list or map in it one more value.
    ///
    /// # Errors
    /// As [`Session::put_item`], and where the name is taken.
    pub fn add_value(
        &mut self,
        table: &str,
        key: &str,
        path: &str,
        field: &AttributeField,
        now: i64,
    ) -> Edited {
        let name = if field.name.is_empty() { tree::last_name(path) } else { field.name.clone() };
        self.act(table, key, path, &Act::Add(field), format!("adding {name}"), now)
    }

    /// Takes away what is at a path of an item.
    ///
    /// # Errors
    /// As [`Session::put_item`]: a key attribute cannot be taken away.
    pub fn remove_value(&mut self, table: &str, key: &str, path: &str, now: i64) -> Edited {
        let label = format!("removing {}", tree::last_name(path));
        self.act(table, key, path, &Act::Remove, label, now)
    }

    fn act(
        &mut self,
        table: &str,
        key: &str,
        path: &str,
        act: &Act<'_>,
        label: String,
        now: i64,
    ) -> Edited {
        let Some(mut item) = self.json_of(table, key) else { return Err(gone()) };
        tree::change(&mut item, path, act)?;
        self.put_json(table, &item, Some(key), label, now)
    }

    /// Gives an item's attribute another value, or adds it.
    ///
    /// # Errors
    /// As [`Session::put_item`].
    pub fn set_attribute(
        &mut self,
        table: &str,
        key: &str,
        field: &AttributeField,
        now: i64,
    ) -> Edited {
        let Some(mut fields) = self.item_fields(table, key) else { return Err(gone()) };
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field.clone(),
            None => fields.push(field.clone()),
        }
        self.put_item(table, &fields, Some(key), now)
    }

    /// Takes an attribute from an item.
    ///
    /// # Errors
    /// As [`Session::put_item`]: a key attribute cannot be taken away.
    pub fn remove_attribute(&mut self, table: &str, key: &str, name: &str, now: i64) -> Edited {
        let Some(mut fields) = self.item_fields(table, key) else { return Err(gone()) };
        fields.retain(|field| field.name != name);
        self.put_item(table, &fields, Some(key), now)
    }

    /// Puts a copy of each item under the next free key, as one step.
    ///
    /// # Errors
    /// One sentence where a key is binary and so has no next one, or DynamoDB's; then none is copied.
    pub fn duplicate_items(&mut self, table: &str, keys: &[String], now: i64) -> Edited {
        let mut requests = Vec::new();
        let mut taken: Vec<Value> = Vec::new();
        for key in keys {
            let Some(item) = self.json_of(table, key) else { return Err(gone()) };
            let Some(copy) = self.free_copy(table, &item, &mut taken) else {
                return Err(Refusal::ours(format!(
                    "The item {key} has no next key that is free. Add an item and type its key instead."
                )));
            };
            requests.push(("PutItem", json!({"TableName": table, "Item": copy}).to_string()));
        }
        if requests.is_empty() {
            return Ok(());
        }
        let label = format!("duplicating {}", counted(keys.len() as u64, "item"));
        self.write(&requests, label, now)
    }

    /// The item under the next key that neither the table nor `taken` has.
    fn free_copy(&self, table: &str, item: &Value, taken: &mut Vec<Value>) -> Option<Value> {
        let schema = self.data().store.table(table)?.schema();
        let name = schema.key.sort.first().or(schema.key.partition.first())?.name.as_str();
        for n in 1..=COPIES_MAX {
            let copy = tree::copy_of(item, name, n)?;
            let key = key_value(schema, &copy);
            if self.stored(table, &key.to_string()).is_none() && !taken.contains(&key) {
                taken.push(key);
                return Some(copy);
            }
        }
        None
    }

    /// Removes items, by their keys as the grid has them.
    ///
    /// # Errors
    /// DynamoDB's; then none is removed.
    pub fn delete_items(&mut self, table: &str, keys: &[String], now: i64) -> Edited {
        let delete = |key: &String| {
            ("DeleteItem", format!("{{\"TableName\":{},\"Key\":{key}}}", Value::from(table)))
        };
        let requests: Vec<(&str, String)> = keys.iter().map(delete).collect();
        if requests.is_empty() {
            return Ok(());
        }
        let label = format!("removing {}", counted(keys.len() as u64, "item"));
        self.write(&requests, label, now)
    }
}

/// The key of an item in DynamoDB JSON.
fn key_value(schema: &TableSchema, item: &Value) -> Value {
    let attributes = schema.key.partition.iter().chain(&schema.key.sort);
    let members = attributes.filter_map(|attribute| {
        let name = attribute.name.as_str();
        Some((name.to_owned(), item.get(name)?.clone()))
    });
    Value::Object(members.collect())
}

fn gone() -> Refusal {
    Refusal::ours("This item is not there any more. Undo brings removed items back.".to_owned())
}
