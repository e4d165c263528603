//! Laws of writes, on random ones: indexes follow their table, changes can be taken back, nothing panics.

use std::collections::BTreeMap;

use hashrange_storage::{Change, KeyRange, Store, TreeRef};
use hashrange_types::operation::{
    BatchWriteItemRequest, ReturnConsumedCapacity, ReturnValues, WriteRequest,
};
use hashrange_types::{
    AttributeValue, CapacityUnits, EncodedKey, Item, Projection, Request, TableSchema, Timestamp,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::read_fixture::{global, include, item, local, n, s, schema, table_reference};
use crate::write_fixture::{database, delete, named, names, put, update};

/// A table with every kind of index: local and global, sparse, of several attributes, of each projection.
pub(crate) fn indexed_schema() -> TableSchema {
    let schema = local(schema(), "by-l", "pk | l:N", Projection::KeysOnly);
    let schema = local(schema, "by-g", "pk | g", include(&["p"]));
    let schema = global(schema, "all", "g | l:N", Projection::All);
    let schema = global(schema, "inverted", "sk | pk", Projection::KeysOnly);
    global(schema, "composite", "g sk | p pk", include(&["x"]))
}

pub(crate) fn key() -> impl Strategy<Value = Item> {
    ("[ab]", "[xyz]").prop_map(|(pk, sk)| item([("pk", s(&pk)), ("sk", s(&sk))]))
}

pub(crate) fn text() -> impl Strategy<Value = AttributeValue> {
    "[mno]{1,2}".prop_map(|text| s(&text))
}

pub(crate) fn full_item() -> impl Strategy<Value = Item> {
    (key(), option::of(0..3_i32), option::of(text()), option::of(text()), option::of(text()))
        .prop_map(|(mut item, l, g, p, x)| {
            for (name, value) in [("l", l.map(n)), ("g", g), ("p", p), ("x", x)] {
                if let Some(value) = value {
                    item.insert(name.into(), value);
                }
            }
            item
        })
}

fn write_request() -> impl Strategy<Value = Request> {
    let update_of = |expression: &'static str| {
        (key(), text()).prop_map(move |(key, value)| {
            let values = if expression.contains(":a") { vec![value] } else { Vec::new() };
            Request::UpdateItem(update(key, expression, &values))
        })
    };
    prop_oneof![
        4 => full_item().prop_map(|item| Request::PutItem(put(item))),
        2 => key().prop_map(|key| Request::DeleteItem(delete(key))),
        1 => update_of("SET g = :a"),
        1 => update_of("SET p = :a, x = :a"),
        1 => update_of("REMOVE g, p"),
        1 => update_of("REMOVE l"),
        1 => (key(), 0..3_i32)
            .prop_map(|(key, l)| Request::UpdateItem(update(key, "SET l = :a", &[n(l)]))),
        1 => vec((full_item(), any::<bool>()), 1..4).prop_map(batch),
    ]
}

/// A batch of puts and of deletes of the items' keys. One that names a key twice is refused, which is fine.
fn batch(elements: Vec<(Item, bool)>) -> Request {
    let requests = elements
        .into_iter()
        .map(|(item, is_put)| {
            if is_put {
                WriteRequest::Put(Ok(item))
            } else {
                WriteRequest::Delete(Ok(schema().key.key_of(&item)))
            }
        })
        .collect();
    Request::BatchWriteItem(BatchWriteItemRequest {
        tables: vec![(table_reference(), requests)],
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
        returns_collection_metrics: true,
    })
}

pub(crate) type Rows = BTreeMap<EncodedKey, Item>;

fn rows(tree: TreeRef<'_>) -> Rows {
    let rows: Rows = tree
        .range(&KeyRange::all(), true)
        .map(|(key, row)| (key.clone(), row.item.clone()))
        .collect();
    let size_bytes: u64 = rows.values().map(|item| u64::from(item.size_bytes())).sum();
    assert_eq!(tree.size_bytes(), size_bytes, "the tree knows the size of its rows");
    assert_eq!(tree.n_rows(), u64::try_from(rows.len()).unwrap());
    rows
}

/// Everything in the table: its items and the entries of each index.
pub(crate) fn contents(store: &Store) -> Vec<Rows> {
    let table = store.table("T").unwrap();
    let indexes = table.schema().indexes().map(|index| table.index(index.name.as_str()).unwrap());
    std::iter::once(table.items()).chain(indexes).map(rows).collect()
}

/// The entries each index should have, built from the table's items alone.
pub(crate) fn entries_anew(store: &Store) -> Vec<Rows> {
    let table = store.table("T").unwrap();
    let schema = table.schema();
    let items = rows(table.items());
    schema
        .indexes()
        .map(|index| {
            items
                .iter()
                .filter_map(|(key, item)| {
                    let index_key = index.key.encode(item)?;
                    Some((index_key.followed_by(key), index.entry(schema, item)?))
                })
                .collect()
        })
        .collect()
}

proptest! {
    #[test]
    fn an_index_equals_one_built_anew_from_the_table(requests in vec(write_request(), 1..60)) {
        let mut database = database(indexed_schema());
        for request in requests {
            let _ = database.call(request, Timestamp(0));
        }
        prop_assert_eq!(&contents(database.store())[1..], &entries_anew(database.store())[..]);
    }

    #[test]
    fn taking_back_all_changes_in_reverse_restores_the_store(
        before in vec(write_request(), 0..20),
        requests in vec(write_request(), 1..30),
    ) {
        let mut database = database(indexed_schema());
        for request in before {
            let _ = database.call(request, Timestamp(0));
        }
        let mut store = database.store().clone();
        let found = contents(&store);
        let mut changes = Vec::new();
        for request in requests {
            let outcome = database.call(request, Timestamp(0));
            changes.extend(outcome.changes);
            changes.extend(outcome.index_entries.into_iter().map(Change::IndexEntry));
        }
        for change in &changes {
            store.apply(change);
        }
        prop_assert_eq!(contents(&store), contents(database.store()));
        for change in changes.iter().rev() {
            store.apply(&change.invert());
        }
        prop_assert_eq!(contents(&store), found);
    }

    #[test]
    fn a_write_that_is_not_refused_costs_the_table_and_charges_exactly_the_indexes_it_changes(
        requests in vec(write_request(), 1..40),
    ) {
        let mut database = database(indexed_schema());
        for request in requests {
            let outcome = database.call(request, Timestamp(0));
            if outcome.reply.is_err() {
                prop_assert!(outcome.changes.is_empty() && outcome.index_entries.is_empty());
                continue;
            }
            let consumed = &outcome.consumed[0];
            prop_assert!(consumed.table >= CapacityUnits::whole(1));
            for index in indexed_schema().indexes() {
                let arms = if index.is_local {
                    &consumed.local_indexes
                } else {
                    &consumed.global_indexes
                };
                let charged = arms.iter().find(|(name, _)| name == index.name);
                let n_changes =
                    outcome.index_entries.iter().filter(|entry| entry.index == *index.name).count();
                let expected = u64::try_from(n_changes).unwrap();
                // Every entry here is far below one kilobyte.
                let expected = (expected > 0).then(|| CapacityUnits::whole(expected));
                prop_assert_eq!(charged.map(|(_, units)| *units), expected);
            }
        }
    }

    #[test]
    fn repeating_a_put_changes_nothing(item in full_item()) {
        let mut database = database(indexed_schema());
        database.run(Request::PutItem(put(item.clone())));
        let outcome = database.run(Request::PutItem(put(item)));
        prop_assert!(outcome.changes.is_empty() && outcome.index_entries.is_empty());
        prop_assert_eq!(outcome.consumed[0].total(), outcome.consumed[0].table);
    }

    #[test]
    fn no_request_panics(
        requests in vec(write_request(), 0..10),
        item in wild_item(),
        key in wild_item(),
        expressions in (wild_expression(), option::of(wild_expression())),
        value in wild_value(),
        return_values in return_values(),
    ) {
        let mut database = database(indexed_schema());
        for request in requests {
            let _ = database.call(request, Timestamp(0));
        }
        let (update_expression, condition_expression) = expressions;
        let mut changed = update(key.clone(), &update_expression, &[]);
        changed.condition_expression.clone_from(&condition_expression);
        changed.values = named(&[value.clone(), n(1)]);
        changed.names = Some(names(&[("#n", "g")]));
        changed.return_values = return_values;
        let mut written = put(item);
        written.condition_expression.clone_from(&condition_expression);
        written.values = named(&[value]);
        let mut removed = delete(key);
        removed.condition_expression = condition_expression;
        removed.return_values = return_values;
        for request in
            [Request::UpdateItem(changed), Request::PutItem(written), Request::DeleteItem(removed)]
        {
            let _ = database.call(request, Timestamp(0));
        }
        prop_assert_eq!(&contents(database.store())[1..], &entries_anew(database.store())[..]);
    }
}

fn return_values() -> impl Strategy<Value = ReturnValues> {
    prop_oneof![
        Just(ReturnValues::None),
        Just(ReturnValues::AllOld),
        Just(ReturnValues::AllNew),
        Just(ReturnValues::UpdatedOld),
        Just(ReturnValues::UpdatedNew),
    ]
}

fn wild_value() -> impl Strategy<Value = AttributeValue> {
    let leaf = prop_oneof![
        "[a-c\\x00é]{0,3}".prop_map(|text| s(&text)),
        (-5..5_i32).prop_map(n),
        Just(AttributeValue::Null),
        any::<bool>().prop_map(AttributeValue::Bool),
        vec(any::<u8>(), 0..3).prop_map(|bytes| AttributeValue::B(bytes.into())),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(AttributeValue::L),
            vec(("[a-c]", inner), 0..3).prop_map(|entries| {
                AttributeValue::M(
                    entries.into_iter().map(|(name, value)| (name.into(), value)).collect(),
                )
            }),
        ]
    })
}

/// Attributes that may or may not make a key of the table.
fn wild_item() -> impl Strategy<Value = Item> {
    let value = prop_oneof![3 => text(), 1 => wild_value()];
    (key(), vec(("pk|sk|[glpxm]", value), 0..4), any::<bool>()).prop_map(
        |(key, attributes, has_key)| {
            let mut item = if has_key { key } else { Item::new() };
            for (name, value) in attributes {
                item.insert(name.as_str().into(), value);
            }
            item
        },
    )
}

/// Words of expressions in any order: mostly wrong, sometimes right.
fn wild_expression() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("SET"),
        Just("REMOVE"),
        Just("ADD"),
        Just("DELETE"),
        Just("g"),
        Just("m.a[0]"),
        Just("pk"),
        Just("#n"),
        Just(":a"),
        Just(":b"),
        Just("="),
        Just("<"),
        Just("+"),
        Just(","),
        Just("("),
        Just(")"),
        Just("AND"),
        Just("NOT"),
        Just("BETWEEN"),
        Just("attribute_exists(g)"),
        Just("size(m)"),
        Just("if_not_exists(x, :b)"),
        Just("list_append(m, :a)"),
        Just("[99]"),
        Just("é"),
        Just("\""),
    ];
    prop_oneof![
        2 => vec(word, 0..8).prop_map(|words| words.join(" ")),
        1 => Just("SET #n = :a ADD l :b".to_owned()),
        1 => Just("SET m.a = :a, x = :b REMOVE #n".to_owned()),
        1 => Just("#n = :a OR l < :b".to_owned()),
    ]
}
