//! Laws of tables: indexes kept and built anew, changes and their inversion, ranges, splits, snapshots.

use std::collections::BTreeMap;

use hashrange_types::{
    AttributeValue, BillingMode, GlobalSecondaryIndex, Item, KeyAttribute, KeySchema,
    LocalSecondaryIndex, Projection, ScalarType, TableName,
};
use proptest::prelude::*;

use super::*;
use crate::{Change, Store, TableChange, index_changes};

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn key(partition: &str, sort: &str) -> KeySchema {
    let attribute = |name: &str| KeyAttribute { name: name.into(), scalar: ScalarType::S };
    KeySchema { partition: vec![attribute(partition)], sort: vec![attribute(sort)] }
}

fn schema() -> TableSchema {
    TableSchema {
        name: TableName::new("T").unwrap(),
        key: key("pk", "sk"),
        local_indexes: vec![LocalSecondaryIndex {
            name: IndexName::new("local").unwrap(),
            key: key("pk", "a"),
            projection: Projection::KeysOnly,
        }],
        global_indexes: vec![GlobalSecondaryIndex {
            name: IndexName::new("global").unwrap(),
            key: key("a", "b"),
            projection: Projection::All,
            throughput: None,
        }],
        billing: BillingMode::PayPerRequest,
    }
}

fn store() -> Store {
    let mut store = Store::default();
    let table = Table::new(schema(), Timestamp(0), 4, &[4]);
    let name = table.schema().name.clone();
    store.apply(&Change::Table(TableChange { name, before: None, after: Some(Arc::new(table)) }));
    store
}

/// One write: the item's key and, unless it is removed, the attributes it may have.
type Write = (u8, u8, Option<(Option<u8>, Option<u8>)>);

fn item((pk, sk, rest): Write) -> (Item, bool) {
    let mut item: Item =
        [("pk".into(), text(&format!("p{pk}"))), ("sk".into(), text(&format!("s{sk}")))]
            .into_iter()
            .collect();
    if let Some((a, b)) = rest {
        for (name, value) in [("a", a), ("b", b)] {
            if let Some(value) = value {
                item.insert(name.into(), text(&format!("{name}{value}")));
            }
        }
    }
    (item, rest.is_some())
}

fn apply(store: &mut Store, write: Write) -> Vec<Change> {
    let table = store.table("T").unwrap();
    let (item, is_put) = item(write);
    let key = table.schema().key.encode(&item).unwrap();
    let before = table.get(&key).cloned();
    let after = is_put.then(|| Row::new(item));
    let change = ItemChange { table: table.schema().name.clone(), key, before, after };
    let mut changes: Vec<Change> =
        index_changes(table.schema(), &change).into_iter().map(Change::IndexEntry).collect();
    changes.insert(0, Change::Item(change));
    for change in &changes {
        store.apply(change);
    }
    changes
}

fn rows(tree: TreeRef<'_>) -> Vec<(EncodedKey, Row)> {
    tree.range(&KeyRange::all(), true).map(|(key, row)| (key.clone(), row.clone())).collect()
}

fn recomputed(table: &Table, name: &str) -> Vec<(EncodedKey, Row)> {
    let index = table.schema().index(name).unwrap();
    let entries = rows(table.items()).into_iter().filter_map(|(key, row)| {
        let entry = index.entry(table.schema(), &row.item)?;
        Some((index.key.encode(&row.item)?.followed_by(&key), Row::new(entry)))
    });
    entries.collect::<BTreeMap<_, _>>().into_iter().collect()
}

fn writes() -> impl Strategy<Value = Vec<Write>> {
    let value = || proptest::option::of(0_u8..3);
    prop::collection::vec((0_u8..4, 0_u8..4, proptest::option::of((value(), value()))), 0..40)
}

proptest! {
    #[test]
    fn indexes_equal_those_built_anew_after_any_writes(writes in writes()) {
        let mut store = store();
        for write in &writes {
            apply(&mut store, *write);
        }
        let table = store.table("T").unwrap();
        for name in ["local", "global"] {
            let tree = table.index(name).unwrap();
            let expected = recomputed(table, name);
            prop_assert_eq!(tree.n_rows(), expected.len() as u64);
            prop_assert_eq!(tree.size_bytes(), expected.iter().map(|(_, row)| u64::from(row.size_bytes)).sum::<u64>());
            prop_assert_eq!(rows(tree), expected);
        }
    }

    #[test]
    fn inverting_all_changes_backwards_restores_the_store(writes in writes()) {
        let mut store = store();
        let mut changes = Vec::new();
        for write in &writes {
            changes.extend(apply(&mut store, *write));
        }
        changes.iter().rev().for_each(|change| store.apply(&change.invert()));
        let table = store.table("T").unwrap();
        prop_assert_eq!(rows(table.items()), vec![]);
        prop_assert_eq!(rows(table.index("local").unwrap()), vec![]);
        prop_assert_eq!(rows(table.index("global").unwrap()), vec![]);
        prop_assert_eq!(table.items().size_bytes(), 0);
    }

    #[test]
    fn a_range_reads_the_same_rows_in_both_directions(writes in writes(), first: u64, last: u64) {
        let mut store = store();
        for write in &writes {
            apply(&mut store, *write);
        }
        let tree = store.table("T").unwrap().items();
        let range = KeyRange::of_hashes(first.min(last), first.max(last));
        let up: Vec<_> = tree.range(&range, true).map(|(key, _)| key.clone()).collect();
        let mut down: Vec<_> = tree.range(&range, false).map(|(key, _)| key.clone()).collect();
        down.reverse();
        let filtered: Vec<_> = rows(tree).into_iter().map(|(key, _)| key).filter(|key| range.contains(key)).collect();
        prop_assert_eq!(&up, &down);
        prop_assert_eq!(&up, &filtered);
    }

    #[test]
    fn a_split_table_holds_and_takes_the_same_rows(before in writes(), after in writes(), at in 0_usize..20, global: bool) {
        let (mut store, mut whole) = (store(), store());
        for write in &before {
            apply(&mut store, *write);
            apply(&mut whole, *write);
        }
        let table = store.shared_table("T").unwrap();
        let global = global.then(|| IndexName::new("global").unwrap());
        let tree = global.as_ref().map_or(table.items(), |name| table.index(name.as_str()).unwrap());
        let Some((key, _)) = rows(tree).into_iter().nth(at) else { return Ok(()) };
        let after_split = table.with_split(global.as_ref(), &key);
        let split = after_split.index("global").unwrap().n_partitions() + after_split.items().n_partitions();
        prop_assert_eq!(split, 9);
        store.apply(&Change::Table(TableChange {
            name: table.schema().name.clone(),
            before: Some(table),
            after: Some(Arc::new(after_split)),
        }));
        for write in &after {
            apply(&mut store, *write);
            apply(&mut whole, *write);
        }
        let (split, whole) = (store.table("T").unwrap(), whole.table("T").unwrap());
        prop_assert_eq!(rows(split.items()), rows(whole.items()));
        prop_assert_eq!(split.items().size_bytes(), whole.items().size_bytes());
        for name in ["local", "global"] {
            prop_assert_eq!(rows(split.index(name).unwrap()), rows(whole.index(name).unwrap()));
        }
        let range = KeyRange { lower: Included(key.clone()), upper: Unbounded };
        let from_key: Vec<_> = split.items().range(&range, true).map(|(key, _)| key.clone()).collect();
        let expected: Vec<_> = rows(whole.items()).into_iter().map(|(key, _)| key).filter(|other| range.contains(other)).collect();
        prop_assert_eq!(from_key, expected);
    }

    #[test]
    fn a_grown_table_keeps_where_its_partitions_begin(before in writes(), at in 0_usize..20, n in 5_u32..12) {
        let mut store = store();
        for write in &before {
            apply(&mut store, *write);
        }
        let table = store.shared_table("T").unwrap();
        let Some((key, _)) = rows(table.items()).into_iter().nth(at) else { return Ok(()) };
        let starts = |table: &Table| -> Vec<_> {
            table.items().partitions().iter().map(|one| (one.first_hash, one.first_key.clone())).collect()
        };
        let split = table.with_split(None, &key);
        let grown = split.with_partitions(n);
        prop_assert_eq!(starts(&grown).len(), starts(&split).len().max(usize::try_from(n).unwrap()));
        prop_assert!(starts(&split).iter().all(|start| starts(&grown).contains(start)));
        prop_assert_eq!(rows(grown.items()), rows(table.items()));
        prop_assert_eq!(rows(grown.index("local").unwrap()), rows(table.index("local").unwrap()));
    }

    #[test]
    fn a_snapshot_keeps_what_it_saw(before in writes(), after in writes()) {
        let mut store = store();
        for write in &before {
            apply(&mut store, *write);
        }
        let snapshot = store.clone();
        let seen = rows(snapshot.table("T").unwrap().items());
        for write in &after {
            apply(&mut store, *write);
        }
        prop_assert_eq!(rows(snapshot.table("T").unwrap().items()), seen);
    }
}

#[test]
fn a_range_of_hashes_counts_the_partitions_it_touches() {
    let store = store();
    let tree = store.table("T").unwrap().items();
    let quarter = 1_u64 << 62;
    assert_eq!(tree.partitions_in(&KeyRange::all()).len(), 4);
    assert_eq!(tree.partitions_in(&KeyRange::of_hashes(0, quarter - 1)).len(), 1);
    assert_eq!(tree.partitions_in(&KeyRange::of_hashes(0, quarter)).len(), 2);
    assert_eq!(tree.partitions_in(&KeyRange::of_hashes(quarter, 3 * quarter)).len(), 3);
}
