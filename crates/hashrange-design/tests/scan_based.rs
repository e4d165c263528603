//! The scan-based copy of a design: every question finds what it found, by id or by reading everything.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use hashrange_design::Design;
use hashrange_design::compare::ScanBased;
use hashrange_design::pattern::{PatternResult, PatternStatus, PatternSuite};
use hashrange_storage::{KeyRange, Store};
use hashrange_types::{Operation, Timestamp};
use serde_json::{Value, json};

fn create(design: &Design) -> Store {
    let mut store = Store::default();
    for table in &design.tables {
        let request = hashrange_wire::decode(Operation::CreateTable, &table.to_string()).unwrap();
        hashrange_engine::create_table(&mut store, request, Timestamp(0)).unwrap();
    }
    store
}

/// Both designs' results, the copy made of the design.
fn both(design: &Design, store: &Store) -> [Vec<PatternResult>; 2] {
    let copy = ScanBased::of(design, store);
    let mut copied = create(&copy.design);
    for table in store.tables() {
        let name = &table.schema().name;
        for (_, row) in table.items().range(&KeyRange::all(), true) {
            let item = copy.item(name.as_str(), &row.item);
            hashrange_engine::put_item(&mut copied, name, item).unwrap();
        }
        let n_copied = copied.table(name.as_str()).unwrap().items().n_rows();
        assert_eq!(n_copied, table.items().n_rows(), "every item of {name} has an id of its own");
    }
    [(design, store), (&copy.design, &copied)].map(|(design, store)| {
        let mut suite = PatternSuite::default();
        suite.change(design, store);
        while !suite.step(100).is_done {}
        suite.results().to_vec()
    })
}

fn pattern(words: &str, operation: &str, request: &Value) -> Value {
    json!({"words": words, "operation": operation, "request": request})
}

fn shop(patterns: &[Value]) -> (Design, Store) {
    let key = |names: &[&str]| -> Value {
        let types = ["HASH", "RANGE"];
        let part = |(name, kind): (&&str, &str)| json!({"AttributeName": name, "KeyType": kind});
        names.iter().zip(types).map(part).collect()
    };
    let text = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let index = |name: &str, names: &[&str]| json!({"IndexName": name, "KeySchema": key(names), "Projection": {"ProjectionType": "ALL"}});
    let design = json!({
        "format": 1, "title": "Shop", "entities": [],
        "tables": [
            {
                "TableName": "Shop", "BillingMode": "PAY_PER_REQUEST", "KeySchema": key(&["PK", "SK"]),
                "AttributeDefinitions": [text("PK"), text("SK"), text("returned")],
                "GlobalSecondaryIndexes": [index("returns", &["PK", "returned"])],
            },
            {
                "TableName": "Users", "BillingMode": "PAY_PER_REQUEST", "KeySchema": key(&["id"]),
                "AttributeDefinitions": [text("id"), text("mail")],
                "GlobalSecondaryIndexes": [index("byMail", &["mail"])],
            },
        ],
        "patterns": patterns,
    });
    let design = Design::from_json(&design.to_string()).unwrap();
    let mut store = create(&design);
    let mut put = |table: &str, item: &Value| {
        let name = store.table(table).unwrap().schema().name.clone();
        let item = hashrange_wire::item_from_json(item).unwrap();
        hashrange_engine::put_item(&mut store, &name, item).unwrap();
    };
    for n in 0..30 {
        let mut item = json!({"PK": {"S": format!("C{}", n % 3)}, "SK": {"S": format!("O{n:02}")}, "id": {"S": "own"}, "note": {"S": format!("N{n:02}")}});
        if n % 10 == 0 {
            item["returned"] = json!({"S": "2026-11-30"});
        }
        put("Shop", &item);
    }
    // Parts that only a careful joint keeps apart.
    put("Shop", &json!({"PK": {"S": "a|"}, "SK": {"S": "b"}}));
    put("Shop", &json!({"PK": {"S": "a"}, "SK": {"S": "|b"}}));
    put("Shop", &json!({"PK": {"S": "a\\"}, "SK": {"S": "|b"}}));
    put("Users", &json!({"id": {"S": "u1"}, "mail": {"S": "u1@example.com"}}));
    (design, store)
}

#[test]
fn every_question_finds_what_it_found_before() {
    let k = |pk: &str, sk: &str| json!({"PK": {"S": pk}, "SK": {"S": sk}});
    let values = json!({":p": {"S": "C0"}});
    let (design, store) = shop(&[
        pattern("Order", "GetItem", &json!({"TableName": "Shop", "Key": k("C0", "O03")})),
        pattern(
            "Orders",
            "Query",
            &json!({"TableName": "Shop", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": values}),
        ),
        pattern(
            "Returned",
            "Query",
            &json!({"TableName": "Shop", "IndexName": "returns", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": values}),
        ),
        pattern(
            "Either",
            "Query",
            &json!({"TableName": "Shop", "KeyConditionExpression": "PK = :p", "FilterExpression": "id = :a OR note = :b", "ExpressionAttributeValues": {":p": {"S": "C0"}, ":a": {"S": "none"}, ":b": {"S": "N06"}}}),
        ),
        pattern(
            "Wrapped",
            "Query",
            &json!({"TableName": "Shop", "KeyConditionExpression": "PK = :p", "FilterExpression": "(id = :a OR note = :b)", "ExpressionAttributeValues": {":p": {"S": "C0"}, ":a": {"S": "none"}, ":b": {"S": "N06"}}}),
        ),
        pattern(
            "Old style",
            "Query",
            &json!({"TableName": "Shop", "IndexName": "returns", "KeyConditions": {"PK": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "C0"}]}}}),
        ),
        pattern("All returned", "Scan", &json!({"TableName": "Shop", "IndexName": "returns"})),
        pattern(
            "Some",
            "BatchGetItem",
            &json!({"RequestItems": {"Shop": {"Keys": [k("C0", "O03"), k("C1", "O01")]}}}),
        ),
        pattern(
            "Two at once",
            "TransactGetItems",
            &json!({"TransactItems": [{"Get": {"TableName": "Shop", "Key": k("C0", "O03")}}]}),
        ),
        pattern(
            "Statement",
            "ExecuteStatement",
            &json!({"Statement": "SELECT * FROM \"Shop\".\"returns\" WHERE PK = 'C0' AND returned = '2026-11-30'"}),
        ),
        pattern("User", "GetItem", &json!({"TableName": "Users", "Key": {"id": {"S": "u1"}}})),
        pattern(
            "User by mail",
            "Query",
            &json!({"TableName": "Users", "IndexName": "byMail", "KeyConditionExpression": "mail = :m", "ExpressionAttributeValues": {":m": {"S": "u1@example.com"}}}),
        ),
        pattern("Place", "PutItem", &json!({"TableName": "Shop", "Item": k("C0", "O99")})),
        pattern(
            "Change",
            "UpdateItem",
            &json!({"TableName": "Shop", "Key": k("C0", "O03"), "UpdateExpression": "SET note = PK", "ConditionExpression": "attribute_exists(PK)"}),
        ),
        pattern(
            "Both",
            "TransactWriteItems",
            &json!({"TransactItems": [{"Put": {"TableName": "Shop", "Item": k("C0", "O98")}}, {"Delete": {"TableName": "Shop", "Key": k("C0", "O03")}}]}),
        ),
    ]);
    let [before, after] = both(&design, &store);
    for (a, b) in before.iter().zip(&after) {
        assert_eq!((&a.refusal, &b.refusal), (&None, &None), "{}", a.words);
        assert_eq!(a.n_items(), b.n_items(), "{}", a.words);
    }
    let scans = after.iter().filter(|it| it.status() == PatternStatus::Scan);
    let scans: Vec<&str> = scans.map(|it| it.words.as_str()).collect();
    assert_eq!(
        scans,
        [
            "Orders",
            "Returned",
            "Either",
            "Wrapped",
            "Old style",
            "All returned",
            "Statement",
            "User by mail"
        ]
    );
}

#[test]
fn one_id_is_the_key_and_it_takes_no_attribute_that_is_there() {
    let (design, store) = shop(&[]);
    let copy = ScanBased::of(&design, &store);
    // Items of Shop have an id of their own; Users has one attribute as its key and keeps it.
    assert_eq!(copy.design.tables[0]["KeySchema"][0]["AttributeName"], "id2");
    assert_eq!(copy.design.tables[1]["KeySchema"], design.tables[1]["KeySchema"]);
    assert!(copy.design.tables.iter().all(|table| table.get("GlobalSecondaryIndexes").is_none()));
    let [before, after] = both(&design, &store);
    assert_eq!((before.len(), after.len()), (0, 0));
}
