//! The picture of an index: counts, who is drawn, what is dropped, what a write costs.

use hashrange_playground::Session;
use hashrange_playground::links::LinksView;
use hashrange_playground::view::Target;

fn links(index: &str) -> LinksView {
    let mut session = Session::open_example("factory-floor", 0).expect("the example opens");
    while !session.check_patterns(50).is_done {}
    let table = if index == "bySensor" { "SensorEvents" } else { "OrgDirectory" };
    let target = Target { table: table.to_owned(), index: Some(index.to_owned()) };
    session.links(&target).expect("the index is there")
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[test]
fn a_sparse_index_counts_who_is_left_out_and_draws_them_without_a_link() {
    let view = links("isOnHold");
    assert_eq!(view.headline, "Index isOnHold receives 3 of 24 items; 21 have no isOnHold.");
    assert_eq!((view.links.len(), view.rest.as_str()), (3, ""));
    let rows: Vec<_> = view.items.iter().flat_map(|block| &block.rows).collect();
    assert_eq!(rows.len(), 24);
    assert_eq!(rows.iter().filter(|row| row.absent == "no isOnHold").count(), 21);
    let entry = &view.entries[0].rows[0];
    let names = |is_projected: bool| -> Vec<&str> {
        let names = entry.attributes.iter().filter(|it| it.is_projected == is_projected);
        names.map(|it| it.name.as_str()).collect()
    };
    assert!(names(true).contains(&"name") && names(true).contains(&"PK"), "{entry:?}");
    assert!(!names(false).is_empty(), "{entry:?}");
}

#[test]
fn an_inverted_index_names_itself_and_what_a_change_of_its_key_costs() {
    let view = links("GSI1");
    let mut session = Session::open_example("factory-floor", 0).expect("the example opens");
    session.check_patterns(1);
    let of_table = Target { table: "OrgDirectory".to_owned(), index: None };
    let first = session.links(&of_table).expect("a table's first index is shown");
    assert_eq!(first.headline, view.headline);
    assert_eq!(view.headline, "Index GSI1 receives all 24 items.");
    assert!(view.sentences.iter().any(|it| it.starts_with("Inverted:")), "{:?}", view.sentences);
    assert!(view.sentences.iter().any(|it| it.starts_with("Overloaded: ")), "{:?}", view.sentences);
    let moved = view.writes.iter().find(|row| row.what == "Change an index key");
    let moved = moved.expect("its key can change");
    assert_eq!((moved.n_writes, plain(&moved.units).as_str()), (2, "+2 to 8 WCU"));
    assert!(view.figures.iter().any(|(name, _)| *name == "Writes a month"));
    assert!(view.height > 24.0 * 36.0 && view.gauge.is_none());
}

#[test]
fn a_large_table_is_drawn_in_part_and_the_rest_is_counted() {
    let mut session = Session::open_example("factory-floor", 0).expect("the example opens");
    for n in 0..100 {
        let request = format!(
            r#"{{"TableName": "OrgDirectory", "Item": {{"PK": {{"S": "ORG#9"}}, "SK": {{"S": "PROJECT#{n:03}"}}}}}}"#
        );
        session.run("PutItem", &request, 0);
    }
    let target = Target { table: "OrgDirectory".to_owned(), index: Some("isOnHold".to_owned()) };
    let view = session.links(&target).expect("the index is there");
    assert_eq!(view.headline, "Index isOnHold receives 3 of 124 items; 121 have no isOnHold.");
    assert_eq!((view.links.len(), view.rest.as_str()), (3, "84 more items are not drawn."));
}

#[test]
fn a_local_index_lies_in_its_items_partition_below_ten_gigabytes() {
    let mut session = Session::open_example("factory-floor", 0).expect("the example opens");
    let create = r#"{"TableName": "Local", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}, {"AttributeName": "at", "AttributeType": "S"}],
        "LocalSecondaryIndexes": [{"IndexName": "byTime", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}]}"#;
    session.run("CreateTable", create, 0);
    for n in 0..4 {
        let request = format!(
            r#"{{"TableName": "Local", "Item": {{"PK": {{"S": "P{}"}}, "SK": {{"S": "{n}"}}, "at": {{"S": "{}"}}, "more": {{"S": "x"}}}}}}"#,
            n % 2,
            9 - n
        );
        session.run("PutItem", &request, 0);
    }
    let target = Target { table: "Local".to_owned(), index: Some("byTime".to_owned()) };
    let view = session.links(&target).expect("the index is there");
    assert_eq!(view.shared.len(), 2);
    assert!((view.items[0].place[1] - view.entries[0].place[1]).abs() < 0.01);
    let gauge = view.gauge.expect("a local index has its lid");
    assert!(plain(&gauge.text).contains("of the 10 GB"), "{}", gauge.text);
    assert!(gauge.shares[0] > 0.0 && gauge.shares[0] < 0.01);
    assert!(view.sentences[0].contains("fetches each item"), "{:?}", view.sentences);
}
