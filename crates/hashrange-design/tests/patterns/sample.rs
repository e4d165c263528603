//! Designs with their sample items, as the page has them.

use hashrange_design::pattern::{PatternResult, PatternSuite};
use hashrange_design::{Budget, Design, Recipe};
use hashrange_storage::Store;
use hashrange_types::{Operation, TableName, Timestamp};
use serde_json::{Value, json};

/// A design of the gallery with the items of its recipe.
pub(crate) fn example(slug: &str) -> (Design, Store) {
    let folder = format!("{}/../../playground-examples/{slug}", env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let design = Design::from_json(&read("design.json")).unwrap();
    let recipe = Recipe::from_json(&read("data.json")).unwrap();
    let items = recipe.items(Budget::default(), design.key_schemas().unwrap()).unwrap();
    let mut store = tables(&design);
    for (table, item) in items {
        hashrange_engine::put_item(&mut store, &table, item).unwrap();
    }
    (design, store)
}

/// The design's tables, empty.
pub(crate) fn tables(design: &Design) -> Store {
    let mut store = Store::default();
    for table in &design.tables {
        let request = hashrange_wire::decode(Operation::CreateTable, &table.to_string()).unwrap();
        hashrange_engine::create_table(&mut store, request, Timestamp(0)).unwrap();
    }
    store
}

/// Puts `{"PK": {"S": "a"}}` and the like.
pub(crate) fn put(store: &mut Store, table: &str, item: &Value) {
    let item = hashrange_wire::item_from_json(item).unwrap();
    hashrange_engine::put_item(store, &TableName::new(table).unwrap(), item).unwrap();
}

/// One table `Things` with the keys `PK` and `SK`, both texts, and what is given besides.
pub(crate) fn one_table(more: &Value) -> Design {
    let mut table = json!({
        "TableName": "Things",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let mut design = json!({"format": 1, "title": "Test", "entities": [], "patterns": []});
    for (name, value) in more.as_object().unwrap() {
        match name.as_str() {
            "entities" | "patterns" | "silenced" => design[name] = value.clone(),
            "define" => {
                for attribute in value.as_array().unwrap() {
                    let list = table["AttributeDefinitions"].as_array_mut().unwrap();
                    list.push(json!({"AttributeName": attribute, "AttributeType": "S"}));
                }
            }
            _ => table[name] = value.clone(),
        }
    }
    design["tables"] = json!([table]);
    Design::from_json(&design.to_string()).unwrap()
}

/// A member of `GlobalSecondaryIndexes` or `LocalSecondaryIndexes`.
pub(crate) fn index(name: &str, keys: [&str; 2], projection: &str) -> Value {
    json!({
        "IndexName": name,
        "KeySchema": [{"AttributeName": keys[0], "KeyType": "HASH"}, {"AttributeName": keys[1], "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": projection},
    })
}

/// A suite that has run to its end.
pub(crate) fn finished(design: &Design, store: &Store) -> PatternSuite {
    let mut suite = PatternSuite::default();
    suite.change(design, store);
    finish(&mut suite);
    suite
}

/// Steps until nothing is left to do.
pub(crate) fn finish(suite: &mut PatternSuite) {
    for _ in 0..10_000 {
        if suite.step(7).is_done {
            return;
        }
    }
    panic!("a suite comes to an end");
}

pub(crate) fn results(design: &Design, store: &Store) -> Vec<PatternResult> {
    finished(design, store).results().to_vec()
}

/// No-break spaces as plain ones.
pub(crate) fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}
