//! Two designs side by side, and a design against the same thing modelled relationally.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use hashrange_design::Design;
use hashrange_design::compare::{Comparison, Side, Touches, differences, relational};
use hashrange_design::cost::{CostSettings, Usage};
use hashrange_design::pattern::PatternSuite;
use hashrange_storage::Store;
use hashrange_types::{CapacityUnits, Operation, TableName, Timestamp};
use serde_json::{Value, json};

fn suite(design: &Design, items: &[Value]) -> PatternSuite {
    let mut store = Store::default();
    for table in &design.tables {
        let request = hashrange_wire::decode(Operation::CreateTable, &table.to_string()).unwrap();
        hashrange_engine::create_table(&mut store, request, Timestamp(0)).unwrap();
    }
    let table = TableName::new("Shop").unwrap();
    for item in items {
        let item = hashrange_wire::item_from_json(item).unwrap();
        hashrange_engine::put_item(&mut store, &table, item).unwrap();
    }
    let mut suite = PatternSuite::default();
    suite.change(design, &store);
    while !suite.step(100).is_done {}
    suite
}

fn pattern(words: &str, operation: &str, per_second: u32, request: &Value) -> Value {
    let mut request = request.clone();
    request["TableName"] = json!("Shop");
    json!({"words": words, "operation": operation, "request": request, "per_second": per_second})
}

fn page() -> Value {
    pattern(
        "Order page",
        "Query",
        100,
        &json!({"KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "ORDER#042"}}}),
    )
}

/// The shop of lesson 2.4: an order with its lines read together.
fn shop(patterns: &[Value], more: &Value) -> Design {
    let mut table = json!({
        "TableName": "Shop",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    for (name, value) in more.as_object().unwrap() {
        table[name] = value.clone();
    }
    let entity = |name: &str, pk: &str, sk: &str| json!({"name": name, "table": "Shop", "tag": &name[..1], "keys": {"PK": pk, "SK": sk}});
    let design = json!({
        "format": 1,
        "title": "Shop",
        "tables": [table],
        "entities": [
            entity("Order", "ORDER#{order}", "ORDER"),
            entity("Line", "ORDER#{order}", "LINE#{line}"),
            entity("Customer", "CUSTOMER#{customer}", "CUSTOMER"),
            entity("Product", "PRODUCT#{product}", "PRODUCT"),
        ],
        "patterns": patterns,
    });
    Design::from_json(&design.to_string()).unwrap()
}

fn items() -> Vec<Value> {
    let item = |pk: String, sk: String, more: Option<(&str, String)>, bytes: usize| {
        let mut item = json!({"PK": {"S": pk}, "SK": {"S": sk}, "note": {"S": "x".repeat(bytes)}});
        if let Some((name, id)) = more {
            item[name] = json!({"S": id});
        }
        item
    };
    let product = |n: u32| format!("prod-{n:02}");
    let mut items = vec![
        item("ORDER#042".into(), "ORDER".into(), Some(("customerId", "cust-03".into())), 600),
        item("CUSTOMER#cust-03".into(), "CUSTOMER".into(), None, 600),
        item("CUSTOMER#cust-04".into(), "CUSTOMER".into(), None, 600),
    ];
    for n in 1..=8 {
        let line = Some(("productId", product(n)));
        items.push(item("ORDER#042".into(), format!("LINE#{n:02}"), line, 300));
        items.push(item(format!("PRODUCT#{}", product(n)), "PRODUCT".into(), None, 1_400));
    }
    items
}

#[test]
fn the_order_page_takes_eleven_times_the_units_when_modelled_relationally() {
    let design = shop(&[page()], &json!({}));
    let suite = suite(&design, &items());
    let (together, apart) = (Side::of("Shop", &suite), relational(&design, &suite));
    assert_eq!(apart.patterns[0].how, "2 tables, then 2 tables joined");
    assert_eq!(apart.patterns[0].n_requests, 4);

    let settings = CostSettings::default();
    let compared = Comparison::of(&together, &apart, [&settings, &settings]);
    let [one, other] = &compared.patterns[0].sides;
    assert_eq!(one.as_ref().unwrap().units[0], CapacityUnits::halves(1));
    assert_eq!(other.as_ref().unwrap().units[0], CapacityUnits::halves(11));
    // Lesson 2.4 step 3, and what is stored: 19 items here and there, two foreign keys more there.
    let requests = |side: usize| compared.bills[side].by_pattern(1)[0].total().decimal();
    assert_eq!((requests(0).as_str(), requests(1).as_str()), ("16.425", "180.675"));
    assert_eq!(compared.n_served_well(), [1, 1]);
    let tables: Vec<(&str, usize)> =
        apart.tables.iter().map(|it| (it.table.as_str(), it.parts.len())).collect();
    assert_eq!(tables, [("Order", 1), ("Line", 2), ("Customer", 1), ("Product", 1)]);
}

#[test]
fn a_row_read_by_its_key_is_one_request_in_both_models() {
    let get = |sk: &str| json!({"Key": {"PK": {"S": "PRODUCT#prod-01"}, "SK": {"S": sk}}});
    let patterns = [
        pattern("Product", "GetItem", 1, &get("PRODUCT")),
        pattern("Nothing", "GetItem", 1, &get("NOTHING")),
        pattern("Refused", "GetItem", 1, &json!({})),
        pattern(
            "New line",
            "PutItem",
            1,
            &json!({"Item": {"PK": {"S": "ORDER#042"}, "SK": {"S": "LINE#09"}}}),
        ),
    ];
    let design = shop(&patterns, &json!({}));
    let suite = suite(&design, &items());
    let side = relational(&design, &suite);
    let told: Vec<(u64, [u64; 3])> = side
        .patterns
        .iter()
        .map(|it| (it.n_requests, it.usage.units().map(CapacityUnits::as_halves)))
        .collect();
    // A line is written to its table and to the index of its orders.
    assert_eq!(told, [(1, [1, 0, 0]), (1, [1, 0, 0]), (0, [0, 0, 0]), (1, [0, 2, 2])]);
}

#[test]
fn a_scan_for_one_kind_of_item_scans_that_kind_alone() {
    let scan = json!({"FilterExpression": "SK = :s", "ExpressionAttributeValues": {":s": {"S": "CUSTOMER"}}});
    let design = shop(&[pattern("Customers", "Scan", 1, &scan)], &json!({}));
    let suite = suite(&design, &items());
    let apart = &relational(&design, &suite).patterns[0];
    assert_eq!(apart.usage.uses[0].table, "Customer");
    let [all, some] =
        [&Side::of("Shop", &suite).patterns[0], apart].map(|it| it.usage.uses[0].scanned_bytes);
    assert!(some.unwrap() * 5 < all.unwrap(), "{some:?} of {all:?}");
}

#[test]
fn equal_designs_have_no_differences_and_compare_as_the_same() {
    let design = shop(&[page()], &json!({}));
    assert!(differences(&design, &design).is_empty());
    let suite = suite(&design, &items());
    let side = Side::of("Shop", &suite);
    let settings = CostSettings::default();
    let compared = Comparison::of(&side, &side, [&settings, &settings]);
    assert!(compared.patterns.iter().all(hashrange_design::compare::PatternPair::is_same));
    assert!(compared.sizes.iter().all(|pair| pair.sides[0] == pair.sides[1]));
    assert_eq!(compared.totals()[0], compared.totals()[1]);
}

#[test]
fn differences_name_the_smallest_thing_that_differs() {
    let a = shop(&[page()], &json!({}));
    let mut query = page();
    query["request"]["ConsistentRead"] = json!(true);
    let index = json!({"GlobalSecondaryIndexes": [{
        "IndexName": "inverted",
        "KeySchema": [{"AttributeName": "SK", "KeyType": "HASH"}, {"AttributeName": "PK", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name", "role"]},
    }]});
    let mut b = shop(&[query, pattern("New", "Scan", 1, &json!({}))], &index);
    b.entities[1].keys.insert("SK".to_owned(), "LINE#{line:02}".to_owned());
    let found = differences(&a, &b);
    let told: Vec<(&str, Option<&str>, Option<&str>)> = found
        .iter()
        .map(|it| (it.what.as_str(), it.sides[0].as_deref(), it.sides[1].as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("Index inverted", None, Some("SK, PK · INCLUDE name, role")),
            ("Line, SK", Some("LINE#{line}"), Some("LINE#{line:02}")),
            (
                "Pattern “Order page”",
                Some("Query · Shop · PK = :p"),
                Some("Query · Shop · PK = :p · strongly consistent")
            ),
            ("Pattern “New”", None, Some("Scan · Shop")),
        ]
    );
    assert_eq!(found[0].touches, Touches::Index("Shop".into(), "inverted".into()));
}

#[test]
fn patterns_that_differ_come_first_and_are_asked_as_often_as_a_says() {
    let scan = |per_second| pattern("Everything", "Scan", per_second, &json!({}));
    let a = shop(&[page(), scan(1)], &json!({}));
    let mut strong = scan(50);
    strong["request"]["ConsistentRead"] = json!(true);
    let b = shop(&[page(), strong], &json!({}));
    let (suite_a, suite_b) = (suite(&a, &items()), suite(&b, &items()));
    let settings = CostSettings::default();
    let compared =
        Comparison::of(&Side::of("A", &suite_a), &Side::of("B", &suite_b), [&settings, &settings]);
    assert_eq!(compared.patterns[0].words, "Everything");
    let [Some(one), Some(other)] = &compared.patterns[0].sides else { panic!() };
    assert_eq!(one.cost.times(2), other.cost);
    assert!(compared.patterns[1].is_same());
    assert_eq!(Usage::of(&suite_a).patterns.len(), 2);
}
