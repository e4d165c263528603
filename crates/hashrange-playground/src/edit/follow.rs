//! Tables follow the design: made, removed, and given indexes, capacity and streams by DynamoDB's own requests.
//!
//! Invariant: a refusal of DynamoDB is a refusal of the edit; the store is then thrown away.
//!
//! Not here: another key or local index, for which a table is made anew ([`super::rebuild`]).

use hashrange_design::Design;
use hashrange_design::table_form::TableForm;
use hashrange_storage::Store;
use serde_json::{Value, json};

use super::Edited;
use crate::load;
use crate::run;
use crate::view::Refusal;

/// Most UpdateTable requests for one table: each changes one thing.
type Updates = Vec<Value>;

/// Refuses a table that DynamoDB would not make.
pub(super) fn check(table: &Value) -> Edited {
    run_one(&mut Store::default(), "CreateTable", &table.to_string(), 0)
}

/// Makes the store's tables follow from one design to the next.
pub(super) fn follow(store: &mut Store, from: &Design, to: &Design, now: i64) -> Edited {
    for table in &from.tables {
        let name = table["TableName"].as_str().unwrap_or_default();
        let is_gone = to.table_names().all(|known| known != name);
        if is_gone && store.table(name).is_some() {
            run_one(store, "DeleteTable", &json!({"TableName": name}).to_string(), now)?;
        }
    }
    for table in &to.tables {
        let name = table["TableName"].as_str().unwrap_or_default();
        let before = from.table(name);
        match (before, store.table(name).is_some()) {
            (_, false) => load::create_table(store, table, now).map_err(Refusal::ours)?,
            (Some(before), true) if before != table => {
                for update in updates(&TableForm::of(before), &TableForm::of(table)) {
                    run_one(store, "UpdateTable", &update.to_string(), now)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The UpdateTable requests from one form to another.
fn updates(from: &TableForm, to: &TableForm) -> Updates {
    let table = to.name.as_str();
    let global = |form: &TableForm| -> Vec<_> {
        form.indexes.iter().filter(|index| !index.is_local).cloned().collect()
    };
    let (old, new) = (global(from), global(to));
    let mut updates = Updates::new();
    for index in old.iter().filter(|index| !new.contains(index)) {
        let delete = json!([{"Delete": {"IndexName": index.name}}]);
        updates.push(json!({"TableName": table, "GlobalSecondaryIndexUpdates": delete}));
    }
    // The request that would make the whole table says how an index and its attributes are written.
    let written = to.write_into(&Value::Null).unwrap_or_default();
    for index in new.iter().filter(|index| !old.contains(index)) {
        let create = written["GlobalSecondaryIndexes"]
            .as_array()
            .and_then(|all| all.iter().find(|known| known["IndexName"] == index.name.as_str()));
        let used: Vec<&Value> = written["AttributeDefinitions"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|definition| {
                let name = definition["AttributeName"].as_str();
                let mut fields = index.partition.iter().chain(&index.sort);
                fields.any(|field| Some(field.name.as_str()) == name)
            })
            .collect();
        updates.push(json!({
            "TableName": table,
            "AttributeDefinitions": used,
            "GlobalSecondaryIndexUpdates": [{"Create": create}],
        }));
    }
    if from.provisioned != to.provisioned {
        let mut update = json!({"TableName": table, "BillingMode": written["BillingMode"]});
        if to.provisioned.is_some() {
            update["ProvisionedThroughput"] = written["ProvisionedThroughput"].clone();
            let units = |index: &Value| {
                json!({"Update": {"IndexName": index["IndexName"],
                "ProvisionedThroughput": index["ProvisionedThroughput"]}})
            };
            let indexes = written["GlobalSecondaryIndexes"].as_array();
            if let Some(indexes) = indexes {
                update["GlobalSecondaryIndexUpdates"] = indexes.iter().map(units).collect();
            }
        }
        updates.push(update);
    }
    if from.stream != to.stream {
        if from.stream.is_some() {
            let off = json!({"StreamEnabled": false});
            updates.push(json!({"TableName": table, "StreamSpecification": off}));
        }
        if to.stream.is_some() {
            let on = &written["StreamSpecification"];
            updates.push(json!({"TableName": table, "StreamSpecification": on}));
        }
    }
    updates
}

/// A table's new name in entities and patterns.
pub(super) fn rename(design: &mut Design, old: &str, new: &str) {
    for entity in design.entities.iter_mut().filter(|entity| entity.table == old) {
        new.clone_into(&mut entity.table);
    }
    for pattern in &mut design.patterns {
        rename_in(&mut pattern.request, old, new);
    }
}

/// The name where requests have it: as a TableName at any depth, and as a member of RequestItems.
fn rename_in(request: &mut Value, old: &str, new: &str) {
    match request {
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                if name == "TableName" && *value == old {
                    *value = Value::from(new);
                } else if name == "RequestItems"
                    && let Value::Object(tables) = value
                    && let Some(keys) = tables.shift_remove(old)
                {
                    tables.insert(new.to_owned(), keys);
                } else {
                    rename_in(value, old, new);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename_in(value, old, new)),
        _ => {}
    }
}

/// Runs one request; its refusal is the edit's.
pub(super) fn run_one(store: &mut Store, operation: &str, text: &str, now: i64) -> Edited {
    match run::exchange(store, operation, text, now).refusal() {
        Some(error) => Err(Refusal::of(error)),
        None => Ok(()),
    }
}
