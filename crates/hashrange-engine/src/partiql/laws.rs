//! Laws of statements, tried on random tables: a SELECT finds what looking at every item finds, and what the classic
//! operations find; pages joined are the whole; nothing makes anything panic.
#![cfg(not(target_arch = "wasm32"))]

use hashrange_expressions::partiql;
use hashrange_expressions::partiql::Statement;
use hashrange_storage::KeyRange;
use hashrange_types::{AttributeValue, Item, Projection, Request, Timestamp};
use proptest::prelude::*;

use super::tests::{answer, request};
use crate::database::Database;
use crate::read_fixture::{Shelf, global, item, n, query, s, schema};

fn random_item() -> impl Strategy<Value = Item> {
    ("[ab]", "[ab]{1,2}", proptest::option::of(0..3_i32)).prop_map(|(pk, sk, number)| {
        let mut item = item([("pk", s(&pk)), ("sk", s(&sk))]);
        if let Some(number) = number {
            item.insert("n".into(), n(number));
        }
        item
    })
}

fn random_shelf() -> impl Strategy<Value = Shelf> {
    proptest::collection::vec(random_item(), 0..20).prop_map(|items| {
        let schema = global(schema(), "g", "n:N | sk", Projection::All);
        Shelf::with_items(schema, 3, items)
    })
}

/// A condition that may or may not pin keys.
fn condition() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "pk = '[ab]'",
        "pk IN \\['a', 'b'\\]",
        "sk (=|<|<=|>|>=|<>) '[ab]{1,2}'",
        "sk IN \\['a', '[ab]b'\\]",
        "begins_with\\(sk, '[ab]'\\)",
        "sk BETWEEN 'a' AND 'b[ab]'",
        "n (=|<|>) [0-2]",
        "n IS( NOT)? MISSING",
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} AND {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} OR {b})")),
            inner.prop_map(|a| format!("NOT ({a})")),
        ]
    })
}

/// A condition on one partition, so that it can be a Query too.
fn keyed() -> impl Strategy<Value = (&'static str, &'static str, Vec<AttributeValue>)> {
    prop::sample::select(vec![
        ("pk = 'a'", "pk = :a", vec![s("a")]),
        ("pk = 'a' AND sk = 'ab'", "pk = :a AND sk = :b", vec![s("a"), s("ab")]),
        ("pk = 'a' AND sk < 'b'", "pk = :a AND sk < :b", vec![s("a"), s("b")]),
        ("pk = 'a' AND sk >= 'b'", "pk = :a AND sk >= :b", vec![s("a"), s("b")]),
        (
            "pk = 'b' AND begins_with(sk, 'a')",
            "pk = :a AND begins_with(sk, :b)",
            vec![s("b"), s("a")],
        ),
        (
            "pk = 'b' AND sk BETWEEN 'a' AND 'b'",
            "pk = :a AND sk BETWEEN :b AND :c",
            vec![s("b"), s("a"), s("b")],
        ),
    ])
}

fn sorted(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_key(|item| format!("{:?} {:?}", item.get("pk"), item.get("sk")));
    items
}

proptest! {
    #[test]
    fn a_select_finds_what_looking_at_every_item_finds(shelf in random_shelf(), condition in condition()) {
        let text = format!("SELECT * FROM T WHERE {condition}");
        let Ok(Statement::Select(select)) = partiql::parse(&text, &[]) else { panic!("{text}") };
        let Ok(plan) = shelf.plan(Request::ExecuteStatement(request(&text))) else {
            // Overlapping alternatives are refused, whatever the items.
            return Ok(());
        };
        prop_assert!(!plan.is_write());
        let all = shelf.store.table("T").unwrap().items();
        let all = all.range(&KeyRange::all(), true).map(|(_, row)| row.item.clone());
        let holds = select.condition.unwrap();
        let expected: Vec<Item> = all.filter(|item| holds.holds(item)).collect();
        let found = answer(&shelf, request(&text)).items;
        prop_assert_eq!(sorted(found), sorted(expected), "{}", text);
    }

    #[test]
    fn a_select_by_key_is_the_query(
        shelf in random_shelf(),
        (condition, key_condition, values) in keyed(),
        is_forward: bool,
    ) {
        let order = if is_forward { "ORDER BY sk" } else { "ORDER BY sk DESC" };
        let select = request(&format!("SELECT * FROM T WHERE {condition} {order}"));
        let mut query = query(key_condition, &values);
        query.scan_index_forward = is_forward;
        let (selected, queried) = (answer(&shelf, select), shelf.query(&query));
        prop_assert_eq!(Some(selected.items), queried.items);
        prop_assert_eq!(selected.consumed, queried.consumed);
    }

    #[test]
    fn pages_joined_are_the_select_without_pages(
        shelf in random_shelf(),
        condition in condition(),
        limit in 1..4_u32,
        reads_index: bool,
    ) {
        let source = if reads_index { "T.g" } else { "T" };
        let mut next = request(&format!("SELECT * FROM {source} WHERE {condition}"));
        if shelf.plan(Request::ExecuteStatement(next.clone())).is_err() {
            return Ok(());
        }
        let whole = answer(&shelf, next.clone()).items;
        next.limit = Some(limit);
        let mut joined = Vec::new();
        loop {
            let page = answer(&shelf, next.clone());
            joined.extend(page.items);
            match page.next_token {
                Some(token) => next.next_token = Some(token),
                None => break,
            }
        }
        prop_assert_eq!(joined, whole);
    }

    #[test]
    fn no_token_makes_anything_panic_or_reads_elsewhere(
        shelf in random_shelf(),
        damage in proptest::collection::vec((0..40_usize, any::<u8>()), 1..4),
        cut in 0..40_usize,
    ) {
        let mut next = request("SELECT * FROM T WHERE pk IN ['a', 'c'] AND sk > 'a'");
        next.limit = Some(1);
        let Some(token) = answer(&shelf, next.clone()).next_token else { return Ok(()) };
        let mut bytes = token.to_vec();
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        bytes.truncate(cut.max(1));
        next.next_token = Some(bytes.into());
        if shelf.plan(Request::ExecuteStatement(next.clone())).is_ok() {
            let found = answer(&shelf, next).items;
            prop_assert!(found.iter().all(|item| item.get("pk") == Some(&s("a"))));
        }
    }

    #[test]
    fn no_statement_makes_a_database_panic(
        shelf in random_shelf(),
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "SELECT", "*", "FROM T", "WHERE", "pk", "=", "'a'", "sk", "IN ['a', 'b']", "AND", "OR",
                "NOT", "UPDATE T", "SET n = 1", "REMOVE n", "DELETE FROM T", "RETURNING ALL OLD *",
                "INSERT INTO T VALUE", "{'pk': 'a', 'sk': 'b'}", "n", "<", "5", "ORDER BY sk", "T.g",
            ]),
            1..14,
        ),
    ) {
        let mut database = Database::from_store(shelf.store);
        let text = words.join(" ");
        let _ = database.call(Request::ExecuteStatement(request(&text)), Timestamp(0));
    }
}
