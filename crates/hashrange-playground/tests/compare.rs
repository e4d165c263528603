//! The compare panel: a shop with a sparse index against one that filters, and against its relational copy.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use hashrange_design::Design;
use hashrange_design::compare::{Side, relational};
use hashrange_design::pattern::PatternSuite;
use hashrange_playground::compare::{CompareView, compare_designs, compare_view};
use hashrange_playground::cost::CostKind;
use hashrange_storage::Store;
use hashrange_types::{Operation, TableName, Timestamp};
use serde_json::{Value, json};

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn suite(design: &Design) -> PatternSuite {
    let mut store = Store::default();
    for table in &design.tables {
        let request = hashrange_wire::decode(Operation::CreateTable, &table.to_string()).unwrap();
        hashrange_engine::create_table(&mut store, request, Timestamp(0)).unwrap();
    }
    let table = TableName::new("Shop").unwrap();
    for order in 1..=30 {
        let mut item = json!({
            "PK": {"S": "CUSTOMER#c1"},
            "SK": {"S": format!("ORDER#{order:02}")},
            "productId": {"S": format!("prod-{:02}", order % 5)},
            "note": {"S": "x".repeat(700)},
        });
        if order % 10 == 0 {
            item["returnedAt"] = json!({"S": "2026-11-30"});
        }
        let item = hashrange_wire::item_from_json(&item).unwrap();
        hashrange_engine::put_item(&mut store, &table, item).unwrap();
    }
    for product in 0..5 {
        let key =
            json!({"PK": {"S": format!("PRODUCT#prod-{product:02}")}, "SK": {"S": "PRODUCT"}});
        let item = hashrange_wire::item_from_json(&key).unwrap();
        hashrange_engine::put_item(&mut store, &table, item).unwrap();
    }
    let mut suite = PatternSuite::default();
    suite.change(design, &store);
    while !suite.step(100).is_done {}
    suite
}

/// Returned orders by filter, or from the sparse index `returns`.
fn shop(has_index: bool) -> Design {
    let key = |a: &str, b: &str| json!([{"AttributeName": a, "KeyType": "HASH"}, {"AttributeName": b, "KeyType": "RANGE"}]);
    let text = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let mut table = json!({
        "TableName": "Shop",
        "KeySchema": key("PK", "SK"),
        "AttributeDefinitions": [text("PK"), text("SK")],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let mut returned = json!({
        "TableName": "Shop",
        "KeyConditionExpression": "PK = :p",
        "ExpressionAttributeValues": {":p": {"S": "CUSTOMER#c1"}},
    });
    if has_index {
        table["AttributeDefinitions"] = json!([text("PK"), text("SK"), text("returnedAt")]);
        table["GlobalSecondaryIndexes"] = json!([{
            "IndexName": "returns", "KeySchema": key("PK", "returnedAt"), "Projection": {"ProjectionType": "ALL"},
        }]);
        returned["IndexName"] = json!("returns");
    } else {
        returned["FilterExpression"] = json!("attribute_exists(returnedAt)");
    }
    let order = |more: Value| {
        let mut item = json!({"PK": {"S": "CUSTOMER#c1"}, "SK": {"S": "ORDER#99"}});
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"TableName": "Shop", "Item": item})
    };
    let pattern = |words: &str, operation: &str, rate: u32, request: Value| json!({"words": words, "operation": operation, "per_second": rate, "request": request});
    let entity = |name: &str, pk: &str, sk: &str| json!({"name": name, "table": "Shop", "tag": "O", "keys": {"PK": pk, "SK": sk}});
    let design = json!({
        "format": 1, "title": "Shop", "tables": [table],
        "entities": [
            entity("Order", "CUSTOMER#{customer}", "ORDER#{order}"),
            entity("Product", "PRODUCT#{product}", "PRODUCT"),
        ],
        "patterns": [
            pattern("Place an order", "PutItem", 10, order(json!({}))),
            pattern("Returned orders", "Query", 100, returned),
            pattern("Record a return", "PutItem", 1, order(json!({"returnedAt": {"S": "2026-12-01"}}))),
        ],
    });
    Design::from_json(&design.to_string()).unwrap()
}

fn filter_against_index() -> CompareView {
    let designs = [shop(false), shop(true)];
    let suites = designs.each_ref().map(suite);
    let sides = [Side::of("Filter", &suites[0]), Side::of("Index", &suites[1])];
    compare_designs(designs.each_ref(), sides.each_ref())
}

#[test]
fn the_verdict_names_dollars_and_patterns() {
    let view = filter_against_index();
    // A: (10 + 1) × 1 WCU and 100 × 3 RCU a second, 116.62; B: (10 + 1 + 1) × 1 WCU and 100 × 0.5 RCU, 36.14.
    assert_eq!(plain(&view.headline), "B costs $80.48 less a month, 69 % less.");
    assert_eq!(view.sentence, "3 of 3 patterns are served well, against 2.");
    assert_eq!(view.n_differences, "2 differences");
    assert_eq!(view.totals[2], "−$80.48");
}

#[test]
fn each_difference_says_what_it_gives_and_what_it_takes() {
    let view = filter_against_index();
    let index = &view.differences[0];
    assert_eq!(index.what, "Index returns");
    assert_eq!(index.sides, ["–", "PK, returnedAt · ALL"]);
    assert_eq!(plain(&index.gives), "pattern 2: 3 RCU → 0.5 RCU");
    assert_eq!(plain(&index.takes), "pattern 3: 1 WCU → 1 + 1 WCU; +$1.64 a month to keep it");
    assert_eq!(view.differences[1].what, "Pattern “Returned orders”");
}

#[test]
fn patterns_that_differ_come_first_with_bars_on_one_scale() {
    let view = filter_against_index();
    let rows: Vec<(&str, bool, &str, &str)> = view
        .patterns
        .iter()
        .map(|row| (row.words.as_str(), row.is_same, row.change.as_str(), row.why.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            ("Returned orders", false, "−$82.13", "served by key, was served, but filtering"),
            ("Record a return", false, "+$1.64", "more in indexes"),
            ("Place an order", true, "same", ""),
        ]
    );
    let [a, b] = view.patterns[0].sides.each_ref().map(|side| side.as_ref().unwrap());
    assert_eq!((a.glyph, b.glyph), ("◑", "✓"));
    assert!(a.bar[0] > 99.9 && a.bar[1] < 0.1, "{:?}", a.bar);
    assert!(b.bar[0] > 16.0 && b.bar[0] < 17.0 && !a.is_bar_broken);
}

#[test]
fn bars_sizes_and_heat_stand_side_by_side() {
    let view = filter_against_index();
    let width = |side: usize| view.bars[side].iter().map(|part| part.width).sum::<f32>();
    assert!((width(0) - 1_000.0).abs() < 0.01);
    assert!(width(1) > 309.0 && width(1) < 311.0);
    assert!(view.bars[1].iter().any(|part| part.kind == CostKind::Index));
    let sizes: Vec<(&str, bool)> =
        view.sizes.iter().map(|row| (row.place.as_str(), row.is_same)).collect();
    assert_eq!(sizes, [("Shop.returns", false), ("Shop", true)]);
    assert_eq!(view.sizes[0].sides[0], "–");
    assert!(view.sizes[0].sides[1].starts_with("3 entries, 2."));
    // 100 queries a second of 3 units, all of one customer.
    assert_eq!(view.heat[0].place, "Shop, reads");
    assert_eq!(plain(&view.heat[0].loads[0]), "10 %");
    assert_eq!(view.heat[0].loads[1], "–");
    assert_eq!(view.heat[0].keys[0], "CUSTOMER#c1");
}

#[test]
fn the_relational_copy_joins_and_costs_more() {
    let design = shop(false);
    let suite = suite(&design);
    let sides = [Side::of("One table", &suite), relational(&design, &suite)];
    let view = compare_view(sides.each_ref(), [&design.cost, &design.cost], &[]);
    assert_eq!(view.titles[1], "Modelled relationally");
    let row = view.patterns.iter().find(|row| row.words == "Returned orders").unwrap();
    let [a, b] = row.sides.each_ref().map(|side| side.as_ref().unwrap());
    // The orders as before, and five products looked up one by one.
    assert_eq!((plain(&a.units).as_str(), plain(&b.units).as_str()), ("3 RCU", "5.5 RCU"));
    assert_eq!(b.how, "1 table, then 1 table joined");
    assert_eq!(row.why, "2 requests, not 1");
    assert!(view.headline.starts_with("B costs $82."), "{}", view.headline);
    assert_eq!(view.n_differences, "No difference in the design");
}
