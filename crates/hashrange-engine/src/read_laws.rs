//! Laws of reads, tried on random tables.
#![cfg(not(target_arch = "wasm32"))]

use hashrange_storage::KeyRange;
use hashrange_types::operation::{QueryRequest, ScanRequest};
use hashrange_types::{AttributeValue, Item, Projection};
use proptest::prelude::*;

use crate::read_fixture::{
    Shelf, global, index, item, local, n, query, s, scan, schema, schema_with_key,
};

/// One item of a random table: partition, sort key, optional key of the indexes, and padding.
fn random_item() -> impl Strategy<Value = Item> {
    ("[ab]", "[ab\\x00\u{e9}]{1,3}", proptest::option::of(-3..3_i32), 0..30_usize).prop_map(
        |(pk, sk, alt, padding)| {
            let mut item = item([("pk", s(&pk)), ("sk", s(&sk)), ("d", s(&"x".repeat(padding)))]);
            if let Some(alt) = alt {
                item.insert("alt".into(), n(alt));
            }
            item
        },
    )
}

fn random_shelf() -> impl Strategy<Value = Shelf> {
    proptest::collection::vec(random_item(), 0..40).prop_map(|items| {
        let schema = local(schema(), "local", "pk | alt:N", Projection::KeysOnly);
        let schema = global(schema, "global", "alt:N | sk", Projection::All);
        Shelf::with_items(schema, 3, items)
    })
}

/// All pages of a Query, joined; each may hold `limit` items.
fn paged_query(shelf: &Shelf, mut request: QueryRequest, limit: u32) -> Vec<Item> {
    request.read.limit = Some(limit);
    let mut items = Vec::new();
    loop {
        let page = shelf.query(&request);
        assert!(page.scanned_count <= limit);
        items.extend(page.items.unwrap());
        match page.last_evaluated_key {
            Some(last) => request.read.exclusive_start_key = Some(Ok(last)),
            None => return items,
        }
    }
}

/// Everything in a table, found without its order.
fn everything(shelf: &Shelf) -> Vec<Item> {
    let all = shelf.store.table("T").unwrap().items();
    all.range(&KeyRange::all(), true).map(|(_, row)| row.item.clone()).collect()
}

fn sort_text(item: &Item) -> &[u8] {
    match item.get("sk") {
        Some(AttributeValue::S(text)) => text.as_bytes(),
        _ => panic!("every item has a sort key"),
    }
}

/// All pages of a Scan, joined; each may hold `limit` items.
fn paged_scan(shelf: &Shelf, mut request: ScanRequest, limit: Option<u32>) -> Vec<Item> {
    request.read.limit = limit;
    let mut items = Vec::new();
    loop {
        let page = shelf.scan(&request);
        items.extend(page.items.unwrap());
        match page.last_evaluated_key {
            Some(last) => request.read.exclusive_start_key = Some(Ok(last)),
            None => return items,
        }
    }
}

proptest! {
    #[test]
    fn pages_joined_are_the_query_without_pages(
        shelf in random_shelf(),
        limit in 1..5_u32,
        is_forward: bool,
        tree in 0..3_u8,
    ) {
        let mut request = match tree {
            0 | 1 => query("pk = :a", &[s("a")]),
            _ => query("alt = :a", &[n(1)]),
        };
        request.read.index = [None, index("local"), index("global")][usize::from(tree)].clone();
        request.scan_index_forward = is_forward;
        let whole = shelf.query(&request).items.unwrap();
        prop_assert_eq!(paged_query(&shelf, request, limit), whole);
    }

    #[test]
    fn a_query_finds_what_looking_at_every_item_finds(
        shelf in random_shelf(),
        operator in 0..7_u8,
        bound in "[ab\\x00\u{e9}]{1,2}",
        other in "[ab\\x00\u{e9}]{1,2}",
    ) {
        let (low, high) = if bound <= other { (&bound, &other) } else { (&other, &bound) };
        let (text, values) = match operator {
            0 => ("sk = :b", vec![s(low)]),
            1 => ("sk < :b", vec![s(low)]),
            2 => ("sk <= :b", vec![s(low)]),
            3 => ("sk > :b", vec![s(low)]),
            4 => ("sk >= :b", vec![s(low)]),
            5 => ("sk BETWEEN :b AND :c", vec![s(low), s(high)]),
            _ => ("begins_with(sk, :b)", vec![s(low)]),
        };
        let holds = |sort: &[u8]| match operator {
            0 => sort == low.as_bytes(),
            1 => sort < low.as_bytes(),
            2 => sort <= low.as_bytes(),
            3 => sort > low.as_bytes(),
            4 => sort >= low.as_bytes(),
            5 => sort >= low.as_bytes() && sort <= high.as_bytes(),
            _ => sort.starts_with(low.as_bytes()),
        };
        let mut expected = everything(&shelf);
        expected.retain(|item| item.get("pk") == Some(&s("a")) && holds(sort_text(item)));
        expected.sort_by(|a, b| sort_text(a).cmp(sort_text(b)));
        let values = [vec![s("a")], values].concat();
        let found = shelf.query(&query(&format!("pk = :a AND {text}"), &values)).items.unwrap();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn segments_joined_are_the_whole_scan_in_order(
        n_items in 0..60_usize,
        total in 1..9_u32,
        limit in 1..6_u32,
        reads_index: bool,
    ) {
        let items = (0..n_items).map(|number| {
            item([("pk", s(&(number % 17).to_string())), ("sk", n(number))])
        });
        let schema = global(schema_with_key("pk | sk:N"), "g", "sk:N", Projection::All);
        let shelf = Shelf::with_items(schema, 4, items);
        let mut request = scan();
        request.read.index = index("g").filter(|_| reads_index);
        let whole = paged_scan(&shelf, request.clone(), None);
        prop_assert_eq!(whole.len(), n_items);
        let mut joined = Vec::new();
        for segment in 0..total {
            request.segment = Some(segment);
            request.total_segments = Some(total);
            joined.extend(paged_scan(&shelf, request.clone(), Some(limit)));
        }
        prop_assert_eq!(joined, whole);
    }
}
