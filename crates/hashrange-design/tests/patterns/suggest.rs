//! Suggestions: the right key, what it costs, from which rate on it pays; and that the fix does what it says.

use hashrange_design::Design;
use hashrange_design::pattern::PatternStatus;
use hashrange_design::suggest::{Suggestion, UnitPrices, suggest};
use hashrange_storage::{KeyRange, Store};
use serde_json::{Value, json};

use crate::sample::{example, finished, index, one_table, plain, put, results, tables};

fn suggestions(design: &Design, store: &Store, number: u32) -> Vec<Suggestion> {
    suggest(design, &finished(design, store), number, UnitPrices::default())
}

/// The same items in the tables of another design.
pub(crate) fn rebuilt(design: &Design, from: &Store) -> Store {
    let mut store = tables(design);
    for table in from.tables() {
        for (_, row) in table.items().range(&KeyRange::all(), true) {
            let item = hashrange_types::Item::clone(&row.item);
            hashrange_engine::put_item(&mut store, &table.schema().name, item).unwrap();
        }
    }
    store
}

/// Lesson 3.6: 100 orders of 800 bytes, of which 3 were returned; an order changes its status three times.
fn orders(more: &Value) -> (Design, Store) {
    let update = |status: &str| {
        json!({"words": status, "operation": "UpdateItem", "request": {
            "TableName": "Things", "Key": {"PK": {"S": "c1"}, "SK": {"S": "o001"}},
            "UpdateExpression": "SET #s = :s", "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":s": {"S": status}}}})
    };
    let mut patterns = vec![
        json!({"words": "Returned orders", "operation": "Query", "request": {
            "TableName": "Things", "KeyConditionExpression": "PK = :c", "FilterExpression": "#s = :r",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":c": {"S": "c1"}, ":r": {"S": "RETURNED"}}}}),
        json!({"words": "Place an order", "operation": "PutItem", "request": {"TableName": "Things", "Item": {
            "PK": {"S": "c1"}, "SK": {"S": "o001"}, "status": {"S": "PLACED"}}}}),
    ];
    patterns.extend(["PAID", "SHIPPED", "DELIVERED"].map(update));
    for (at, rate) in more["rates"].as_array().into_iter().flatten().enumerate() {
        patterns[at]["per_second"] = rate.clone();
    }
    let design = one_table(&json!({"patterns": patterns}));
    let mut store = tables(&design);
    for at in 1..=100 {
        let is_returned = [20, 50, 80].contains(&at);
        let status = if is_returned { "RETURNED" } else { "DELIVERED" };
        let mut item =
            json!({"PK": {"S": "c1"}, "SK": {"S": format!("o{at:03}")}, "status": {"S": status}});
        if is_returned && more["returnedAt"] == json!(true) {
            item["returnedAt"] = json!({"S": "2026-03-02"});
        }
        let size = hashrange_wire::item_from_json(&item).unwrap().size_bytes();
        item["note"] = json!({"S": "x".repeat(800 - 4 - size as usize)});
        put(&mut store, "Things", &item);
    }
    (design, store)
}

#[test]
fn an_index_by_status_pays_from_3_68_queries_per_order_on() {
    let (design, store) = orders(&json!({}));
    let found = suggestions(&design, &store, 1);
    let by_status = found.iter().find(|it| it.needs_attribute.is_none()).unwrap();
    assert_eq!(by_status.index.as_ref().map(|it| it.name.as_str()), Some("byStatus"));
    assert_eq!((by_status.units_now.as_f64(), by_status.units_then.as_f64()), (10.0, 0.5));
    assert!((by_status.write_units - 7.0).abs() < 1e-9);
    assert!(by_status.pays_from.is_some_and(|from| (from - 3.684).abs() < 0.001));
    assert_eq!(by_status.storage_bytes, 100 * 900);
    assert_eq!(
        plain(&by_status.sentence),
        "An index byStatus (PK, status) would answer it by key: 0.5 RCU instead of 10. It takes 7 WCU for each item \
         written and stores 87.9 KB in 100 entries. It pays from 3.68 calls for each item written on."
    );
}

#[test]
fn a_sparse_index_pays_from_0_016_queries_per_order_on() {
    let (design, store) = orders(&json!({"returnedAt": true}));
    let found = suggestions(&design, &store, 1);
    let sparse = &found[0];
    let plan = sparse.index.as_ref().unwrap();
    assert_eq!(plan.sort.as_ref().map(|it| it.0.as_str()), Some("returnedAt"));
    assert!((sparse.write_units - 0.03).abs() < 1e-9);
    assert!(sparse.pays_from.is_some_and(|from| (from - 0.0158).abs() < 0.0001));
    assert!(
        plain(&sparse.sentence).ends_with("It pays from 0.016 calls for each item written on.")
    );
    assert!(sparse.fix.is_some());
}

#[test]
fn a_sparse_index_is_proposed_even_if_its_attribute_has_to_be_written_first() {
    let (design, store) = orders(&json!({}));
    let found = suggestions(&design, &store, 1);
    let marked = found.iter().find(|it| it.needs_attribute.is_some()).unwrap();
    assert_eq!(marked.needs_attribute.as_deref(), Some("isReturned"));
    assert!(marked.fix.is_none() && marked.pays_from.is_some_and(|from| from < 0.02));
}

#[test]
fn stated_rates_turn_the_line_into_calls_a_second_and_say_on_which_side_the_pattern_is() {
    let (design, store) = orders(&json!({"rates": [8, 2, 2, 2, 2]}));
    let by_status = |design: &Design| {
        let found = suggestions(design, &store, 1);
        found.into_iter().find(|it| it.needs_attribute.is_none()).unwrap()
    };
    let often = by_status(&design);
    assert!(often.is_rated && often.pays_now == Some(true));
    assert!(often.pays_from.is_some_and(|from| (from - 7.368).abs() < 0.001));
    let (design, _) = orders(&json!({"rates": [2, 2, 2, 2, 2]}));
    let rarely = by_status(&design);
    assert_eq!(rarely.pays_now, Some(false));
    assert!(plain(&rarely.sentence).ends_with("on; at 2 the filter is cheaper."));
}

#[test]
fn a_suggested_index_added_with_one_click_serves_the_pattern_by_key() {
    for (design, store) in [orders(&json!({})), orders(&json!({"returnedAt": true}))] {
        let found = suggestions(&design, &store, 1);
        let mut n_fixed = 0;
        for suggestion in found {
            let Some(fix) = &suggestion.fix else { continue };
            let fixed = fix.apply(&design);
            let result = results(&fixed, &rebuilt(&fixed, &store)).remove(0);
            assert_eq!(result.status(), PatternStatus::ByKey, "{}", suggestion.sentence);
            assert_eq!((result.n_items(), result.total_units()), (3, suggestion.units_then));
            n_fixed += 1;
        }
        assert!(n_fixed > 0);
    }
}

#[test]
fn an_index_that_is_there_is_asked_before_a_new_one_is_made() {
    let (design, store) = example("factory-floor");
    let found = suggestions(&design, &store, 4);
    assert_eq!((found[0].is_there, found[0].pays_from), (true, Some(0.0)));
    assert_eq!(
        plain(&found[0].sentence),
        "The index isOnHold (PK, isOnHold) is there and answers it: 0.5 RCU instead of 3.5. On this sample it holds \
         just the items wanted. It does not hold all attributes."
    );
    let fixed = found[0].fix.as_ref().unwrap().apply(&design);
    let result = results(&fixed, &store).remove(3);
    assert_eq!((result.status(), result.n_items()), (PatternStatus::ByKey, 2));
}

#[test]
fn a_scan_by_an_attribute_becomes_a_query_of_an_index_on_it() {
    let (design, store) = example("factory-floor");
    let found = suggestions(&design, &store, 7);
    let suggestion = &found[0];
    assert_eq!(suggestion.index.as_ref().unwrap().name, "byName");
    let fixed = suggestion.fix.as_ref().unwrap().apply(&design);
    let result = results(&fixed, &rebuilt(&fixed, &store)).remove(6);
    assert_eq!(
        (result.operation.as_str(), result.status(), result.n_items()),
        ("Query", PatternStatus::ByKey, 1)
    );
    // Two write units for each change of a project's name, measured on the update that changes something else.
    assert!(suggestion.pays_from.is_some_and(|from| from > 0.0));
}

#[test]
fn a_scan_that_names_a_key_becomes_a_query_of_the_table() {
    let design =
        one_table(&json!({"patterns": [{"words": "Mine", "operation": "Scan", "request": {
        "TableName": "Things", "FilterExpression": "PK = :p AND note = :n",
        "ExpressionAttributeValues": {":p": {"S": "A"}, ":n": {"S": "x"}}}}]}));
    let mut store = tables(&design);
    for at in 0..40 {
        let item = json!({"PK": {"S": (if at < 4 { "A" } else { "B" })}, "SK": {"S": at.to_string()},
            "note": {"S": "x"}, "more": {"S": "x".repeat(2_000)}});
        put(&mut store, "Things", &item);
    }
    let found = suggestions(&design, &store, 1);
    let own = found.iter().find(|it| it.index.is_none()).unwrap();
    assert!(own.sentence.starts_with("Things's own key answers it with a Query: 1"));
    let fixed = own.fix.as_ref().unwrap().apply(&design);
    assert_eq!(fixed.patterns[0].request["KeyConditionExpression"], "PK = :p");
    assert_eq!(fixed.patterns[0].request["FilterExpression"], "note = :n");
    assert_eq!(results(&fixed, &store)[0].n_items(), 4);
}

#[test]
fn strongly_consistent_reads_are_offered_local_indexes_alone() {
    let (mut design, store) = orders(&json!({}));
    design.patterns[0].request["ConsistentRead"] = json!(true);
    let found = suggestions(&design, &store, 1);
    assert!(!found.is_empty());
    assert!(found.iter().all(|it| it.index.as_ref().is_some_and(|index| index.is_local)));
    let fixed = found[0].fix.as_ref().unwrap().apply(&design);
    assert_eq!(results(&fixed, &rebuilt(&fixed, &store))[0].n_items(), 3);
}

#[test]
fn a_filter_that_no_key_can_replace_gets_no_suggestion() {
    let (mut design, store) = orders(&json!({}));
    design.patterns[0].request["FilterExpression"] = json!("#s = :r OR size(#s) > :r");
    assert!(suggestions(&design, &store, 1).iter().all(|it| it.needs_attribute.is_none()));
    assert!(suggestions(&design, &store, 2).is_empty());
    assert!(suggestions(&design, &store, 99).is_empty());
}

#[test]
fn a_local_index_that_does_not_hold_the_filter_s_attribute_is_not_taken_for_a_better_way() {
    let design = one_table(&json!({
        "define": ["at"],
        "GlobalSecondaryIndexes": [index("byTime", ["PK", "at"], "KEYS_ONLY")],
        "patterns": [{"words": "Open", "operation": "Query", "request": {
            "TableName": "Things", "KeyConditionExpression": "PK = :p", "FilterExpression": "kind = :k",
            "ExpressionAttributeValues": {":p": {"S": "A"}, ":k": {"S": "x"}}}}],
    }));
    let mut store = tables(&design);
    for at in 0..30 {
        let kind = if at % 2 == 0 { "x" } else { "y" };
        let item = json!({"PK": {"S": "A"}, "SK": {"S": at.to_string()}, "at": {"S": at.to_string()},
            "kind": {"S": kind}, "more": {"S": "x".repeat(2_000)}});
        put(&mut store, "Things", &item);
    }
    assert!(suggestions(&design, &store, 1).iter().all(|it| !it.is_there));
}

#[test]
fn a_hot_key_is_spread_over_as_many_keys_as_it_needs() {
    let design = one_table(
        &json!({"patterns": [{"words": "Note", "operation": "PutItem", "per_second": 4000,
        "request": {"TableName": "Things", "Item": {"PK": {"S": "A"}, "SK": {"S": "new"}}}}]}),
    );
    let mut store = tables(&design);
    put(&mut store, "Things", &json!({"PK": {"S": "A"}, "SK": {"S": "1"}}));
    assert_eq!(
        plain(&suggestions(&design, &store, 1)[0].sentence),
        "A suffix spreads A over 6 keys, such as A#0 to A#5: 667 WCU a second on each. Reading all of it then takes \
         6 Queries."
    );
}
