//! The shape of layouts and the contents of windows, without a session.

use std::sync::Arc;

use hashrange_design::Design;
use hashrange_storage::Store;
use hashrange_types::{EncodedKey, Item, TableName};
use serde_json::{Value, json};

use super::{PageEndShown, ReadShown, Shown, layout, rows};
use crate::load;
use crate::recognition::Recognition;
use crate::view::{GridLayout, GridRow, ReadMark, Target};

/// A table `Shop` with keys PK and SK (or PK alone) and two entities, with these items.
fn tables(has_sort_key: bool, items: impl Iterator<Item = Value>) -> (Store, Arc<Recognition>) {
    let mut definitions = vec![json!({"AttributeName": "PK", "AttributeType": "S"})];
    let mut key = vec![json!({"AttributeName": "PK", "KeyType": "HASH"})];
    if has_sort_key {
        definitions.push(json!({"AttributeName": "SK", "AttributeType": "S"}));
        key.push(json!({"AttributeName": "SK", "KeyType": "RANGE"}));
    }
    let mut request = json!({
        "TableName": "Shop", "AttributeDefinitions": definitions, "KeySchema": key,
        "BillingMode": "PAY_PER_REQUEST",
    });
    if has_sort_key {
        request["GlobalSecondaryIndexes"] = json!([{
            "IndexName": "GSI1",
            "KeySchema": [
                {"AttributeName": "SK", "KeyType": "HASH"},
                {"AttributeName": "PK", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }]);
    }
    let mut store = Store::default();
    load::create_table(&mut store, &request, 0).unwrap();
    let name = TableName::new("Shop").unwrap();
    for item in items {
        load::put(&mut store, &name, item_of(&item)).unwrap();
    }
    let entity = |name: &str, tag: &str, sort: &str| {
        let mut keys = json!({"PK": "C#{c}"});
        if has_sort_key {
            keys["SK"] = sort.into();
        }
        json!({"name": name, "table": "Shop", "tag": tag, "keys": keys})
    };
    let design = json!({
        "format": 1, "title": "Shop", "tables": [request],
        "entities": [entity("Order", "O", "O#{o}"), entity("Visit", "V", "V#{v}")],
    });
    let design = Design::from_value(design).unwrap();
    (store, Arc::new(Recognition::of(&design)))
}

fn item_of(json: &Value) -> Item {
    hashrange_wire::item_from_json(json).unwrap()
}

fn table_target() -> Target {
    Target { table: "Shop".to_owned(), index: None }
}

fn lit(read: Arc<ReadShown>) -> Shown {
    Shown { read: Some(read), ..Shown::default() }
}

fn order(collection: u32, n: u32) -> Value {
    json!({
        "PK": {"S": format!("C#{collection}")}, "SK": {"S": format!("O#{n:05}")},
        "total": {"N": n.to_string()},
    })
}

fn visit(collection: u32, n: u32) -> Value {
    json!({
        "PK": {"S": format!("C#{collection}")}, "SK": {"S": format!("V#{n:05}")},
        "page": {"S": "/lamps"}, "seconds": {"N": "7"},
    })
}

fn shape_of(rows: &[GridRow]) -> String {
    rows.iter()
        .map(|row| match row {
            GridRow::Heading { .. } => 'h',
            GridRow::Item(_) => 'i',
            GridRow::PageBreak { .. } => 'b',
        })
        .collect()
}

fn n_rows(layout: &GridLayout) -> u32 {
    u32::try_from(layout.tops.len() - 1).unwrap()
}

#[test]
fn a_collection_has_a_heading_for_each_run_of_an_entity() {
    let items = (0..3).map(|n| order(1, n)).chain((0..2).map(|n| visit(1, n)));
    let (store, recognition) = tables(true, items);
    let layout =
        layout(store.shared_table("Shop"), &recognition, &table_target(), Shown::default());

    let all = rows(&layout.shape, 0..100);

    assert_eq!(shape_of(&all), "hiiihii");
    assert_eq!(layout.tops, [0, 20, 44, 68, 92, 112, 136, 160]);
    assert_eq!((layout.partition_key.as_str(), layout.sort_key.as_deref()), ("PK", Some("SK")));
    assert_eq!(layout.chips, ["G1"]);
    let [collection] = layout.collections.as_slice() else { panic!("one collection") };
    assert_eq!((collection.first_row, collection.n_rows), (0, 7));
    assert_eq!((collection.key.prefix.as_str(), collection.key.rest.as_str()), ("C#", "1"));
    assert_eq!(collection.items_text, "5 items");
    let GridRow::Heading { title, columns } = &all[4] else { panic!("a heading") };
    assert_eq!(title, "Visits");
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["page", "seconds"]);
    assert!(!columns[0].is_number && columns[1].is_number);
    let GridRow::Item(item) = &all[5] else { panic!("an item") };
    assert_eq!(item.cells, ["/lamps", "7"]);
    assert_eq!((item.letter.as_str(), item.slot), ("V", Some(1)));
    assert_eq!(item.memberships, [true]);
    assert_eq!(item.id, r#"{"PK":{"S":"C#1"},"SK":{"S":"V#00000"}}"#);
    assert_eq!(item.spoken, "C#1, V#00000, Visit, 33\u{a0}B");
}

#[test]
fn every_window_shows_what_the_whole_shows() {
    let items = (0..7).flat_map(|c| {
        (0..c * 70).map(move |n| order(c, n)).chain((0..c % 3).map(move |n| visit(c, n)))
    });
    let (store, recognition) = tables(true, items);
    let read = read_of(&store, 40, true);
    let layout = layout(store.shared_table("Shop"), &recognition, &table_target(), lit(read));
    let whole = rows(&layout.shape, 0..u32::MAX);
    assert_eq!(whole.len(), layout.tops.len() - 1);

    for start in (0..n_rows(&layout)).step_by(7) {
        let end = (start + 60).min(n_rows(&layout));
        let window = rows(&layout.shape, start..end);
        assert_eq!(window, whole[start as usize..end as usize], "rows {start} to {end}");
    }
    assert_eq!(rows(&layout.shape, n_rows(&layout)..u32::MAX), []);
}

/// A read of the first `n` rows of the table, every third filtered out, whose page ended there.
fn read_of(store: &Store, n: usize, is_forward: bool) -> Arc<ReadShown> {
    let table = store.table("Shop").unwrap();
    let range = hashrange_storage::KeyRange::all();
    let examined: Vec<(EncodedKey, bool)> = table
        .items()
        .range(&range, true)
        .take(n)
        .enumerate()
        .map(|(at, (key, _))| (key.clone(), at % 3 != 0))
        .collect();
    let end = if is_forward { examined.last() } else { examined.first() };
    let key = end.unwrap().0.clone();
    let text = "Page 1 ends here.".to_owned();
    Arc::new(ReadShown { examined, page_ends: vec![PageEndShown { key, is_forward, text }] })
}

#[test]
fn a_read_lights_its_rows_and_marks_where_its_page_ended() {
    let (store, recognition) = tables(true, (0..6).map(|n| order(1, n)));
    let read = read_of(&store, 4, true);
    let forward = layout(store.shared_table("Shop"), &recognition, &table_target(), lit(read));
    let all = rows(&forward.shape, 0..100);
    assert_eq!(shape_of(&all), "hiiiibii");
    let marks: Vec<Option<ReadMark>> = all
        .iter()
        .filter_map(|row| match row {
            GridRow::Item(item) => Some(item.read),
            _ => None,
        })
        .collect();
    let (returned, filtered) = (Some(ReadMark::Returned), Some(ReadMark::Filtered));
    assert_eq!(marks, [filtered, returned, returned, filtered, None, None]);

    let read = read_of(&store, 4, false);
    let backward = layout(store.shared_table("Shop"), &recognition, &table_target(), lit(read));
    assert_eq!(shape_of(&rows(&backward.shape, 0..100)), "hbiiiiii");
}

#[test]
fn a_table_without_sort_key_has_one_heading_for_neighbours_of_one_entity() {
    let items = (0..4).map(|n| json!({"PK": {"S": format!("C#{n}")}, "name": {"S": "x"}}));
    let (store, recognition) = tables(false, items);
    let layout =
        layout(store.shared_table("Shop"), &recognition, &table_target(), Shown::default());
    assert_eq!(shape_of(&rows(&layout.shape, 0..100)), "hiiii");
    assert_eq!(layout.sort_key, None);
    let spans: Vec<(u32, u32)> =
        layout.collections.iter().map(|cell| (cell.first_row, cell.n_rows)).collect();
    assert_eq!(spans, [(0, 2), (2, 1), (3, 1), (4, 1)]);
}

#[test]
fn an_index_shows_its_own_entries_and_knows_their_entities() {
    let (store, recognition) = tables(true, (0..3).map(|n| order(n, 1)));
    let target = Target { table: "Shop".to_owned(), index: Some("GSI1".to_owned()) };
    let layout = layout(store.shared_table("Shop"), &recognition, &target, Shown::default());
    let all = rows(&layout.shape, 0..100);
    assert_eq!(shape_of(&all), "hiii");
    assert_eq!((layout.partition_key.as_str(), layout.sort_key.as_deref()), ("SK", Some("PK")));
    assert!(layout.chips.is_empty());
    assert_eq!(layout.collections[0].items_text, "3 entries");
    let GridRow::Item(item) = &all[1] else { panic!("an item") };
    assert_eq!(item.entity, "Order");
    assert!(item.cells.is_empty() && item.memberships.is_empty());
}

#[test]
fn a_hundred_thousand_items_lie_as_compactly_as_their_runs() {
    let items = (0..100_000).map(|n| order(n / 1_000, n % 1_000));
    let (store, recognition) = tables(true, items);
    let layout =
        layout(store.shared_table("Shop"), &recognition, &table_target(), Shown::default());
    assert_eq!(layout.n_items, 100_000);
    assert_eq!(layout.collections.len(), 100);
    assert_eq!(n_rows(&layout), 100_100);
    assert_eq!(layout.tops.last(), Some(&(100_000 * 24 + 100 * 20)));
    let shape = layout.shape.0.as_deref().unwrap();
    assert_eq!((shape.runs.len(), shape.checkpoints.len()), (100, 800));
    let window = rows(&layout.shape, 50_000..50_060);
    assert_eq!(window.len(), 60);
}

#[test]
fn layouts_differ_when_any_item_differs() {
    let (mut store, recognition) = tables(true, (0..3).map(|n| order(1, n)));
    let of = |store: &Store| {
        layout(store.shared_table("Shop"), &recognition, &table_target(), Shown::default())
    };
    let before = of(&store);
    assert_eq!(before, of(&store));
    let mut changed = order(1, 1);
    changed["total"] = json!({"N": "9"});
    load::put(&mut store, &TableName::new("Shop").unwrap(), item_of(&changed)).unwrap();
    let after = of(&store);
    assert_eq!(before.tops, after.tops);
    assert!(before != after);
}

#[test]
fn what_does_not_exist_has_no_rows() {
    let (store, recognition) = tables(true, std::iter::empty());
    let missing = Target { table: "None".to_owned(), index: None };
    let empty = layout(None, &recognition, &missing, Shown::default());
    assert_eq!(empty.tops, [0]);
    assert_eq!(rows(&empty.shape, 0..9), []);
    let no_items =
        layout(store.shared_table("Shop"), &recognition, &table_target(), Shown::default());
    assert_eq!((no_items.n_items, no_items.tops.len()), (0, 1));
    assert_eq!(rows(&no_items.shape, 0..9), []);
}
