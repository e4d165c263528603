//! Items edited in place: put, changed, duplicated, removed and pasted, by DynamoDB's own requests.
//!
//! Invariant: a new or changed key never covers another item; what DynamoDB refuses is refused with its words.

use hashrange_types::{Item, TableSchema};
use serde_json::{Value, json};

use super::{Edited, item};
use crate::format::counted;
use crate::session::Session;
use crate::view::{AttributeField, Refusal};

impl Session {
    /// The fields of a table's item, by its key as the grid has it (compact DynamoDB JSON).
    pub fn item_fields(&self, table: &str, key: &str) -> Option<Vec<AttributeField>> {
        self.stored(table, key).map(item::fields)
    }

    fn stored(&self, table: &str, key: &str) -> Option<&Item> {
        let table = self.data().store.table(table)?;
        let key = hashrange_wire::item_from_json(&serde_json::from_str(key).ok()?).ok()?;
        table.get(&table.schema().key.encode(&key)?).map(|row| &row.item)
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
        let key_of = |schema: &TableSchema| key_value(schema, &value);
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
        let verb = if replacing.is_some() { "changing" } else { "adding" };
        let label = format!("{verb} an item of {table}");
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
