//! What a Query reads, returns, refuses and costs.

use hashrange_types::operation::{ComparisonOperator, LegacyCondition, Select};
use hashrange_types::{CapacityUnits, Projection, Request};

use super::*;
use crate::PageEnd;
use crate::read_fixture::{
    Shelf, global, include, index, item, local, n, query, s, schema, schema_with_key,
};

fn pair(pk: &str, sk: &str) -> Item {
    item([("pk", s(pk)), ("sk", s(sk))])
}

fn pairs(n_items: usize) -> Shelf {
    let items = (0..n_items).map(|number| pair("a", &format!("{number:02}")));
    Shelf::with_items(schema(), 4, items)
}

/// The attribute `name` of the items a Query returns, in order.
fn texts(shelf: &Shelf, request: &QueryRequest, name: &str) -> Vec<String> {
    let items = shelf.query(request).items.unwrap();
    let text = |item: &Item| match item.get(name) {
        Some(AttributeValue::S(text)) => text.to_string(),
        Some(AttributeValue::N(number)) => number.to_string(),
        value => panic!("no text but {value:?}"),
    };
    items.iter().map(text).collect()
}

#[track_caller]
fn finds(condition: &str, values: &[AttributeValue], expected: &str) {
    let shelf = pairs(5);
    assert_eq!(texts(&shelf, &query(condition, values), "sk").join(" "), expected);
    let mut backwards = query(condition, values);
    backwards.scan_index_forward = false;
    let mut reversed = texts(&shelf, &backwards, "sk");
    reversed.reverse();
    assert_eq!(reversed.join(" "), expected, "read downwards");
}

#[test]
fn each_comparison_of_the_sort_key_reads_its_range() {
    finds("pk = :a", &[s("a")], "00 01 02 03 04");
    finds("pk = :a AND sk = :b", &[s("a"), s("02")], "02");
    finds("pk = :a AND sk < :b", &[s("a"), s("02")], "00 01");
    finds("pk = :a AND sk <= :b", &[s("a"), s("02")], "00 01 02");
    finds("pk = :a AND sk > :b", &[s("a"), s("02")], "03 04");
    finds("pk = :a AND :b <= sk", &[s("a"), s("02")], "02 03 04");
    finds("pk = :a AND sk BETWEEN :b AND :c", &[s("a"), s("01"), s("03")], "01 02 03");
    finds("pk = :a AND begins_with(sk, :b)", &[s("a"), s("0")], "00 01 02 03 04");
    finds("(pk = :a) AND (sk > :b)", &[s("a"), s("03")], "04");
    finds("pk = :a", &[s("nobody")], "");
}

#[test]
fn a_limit_equal_to_the_matches_returns_a_key_and_the_next_page_is_empty() {
    let shelf = pairs(3);
    let mut request = query("pk = :a", &[s("a")]);
    request.read.limit = Some(3);
    let page = shelf.query(&request);
    assert_eq!(page.count, 3);
    assert_eq!(page.last_evaluated_key, Some(pair("a", "02")));
    request.read.exclusive_start_key = page.last_evaluated_key.map(Ok);
    let page = shelf.query(&request);
    assert_eq!((page.count, page.last_evaluated_key), (0, None));
}

#[test]
fn a_limit_above_the_matches_returns_no_key() {
    let shelf = pairs(3);
    let mut request = query("pk = :a", &[s("a")]);
    request.read.limit = Some(4);
    let page = shelf.query(&request);
    assert_eq!((page.count, page.last_evaluated_key), (3, None));
}

#[test]
fn a_filtered_page_can_be_empty_and_still_have_a_key() {
    let mut shelf = pairs(4);
    shelf.put(item([("pk", s("a")), ("sk", s("04")), ("hit", AttributeValue::Bool(true))]));
    let mut request = query("pk = :a", &[s("a"), AttributeValue::Bool(true)]);
    request.read.filter_expression = Some("hit = :b".to_owned());
    request.read.limit = Some(2);
    let outcome = shelf.outcome(Request::Query(request.clone()));
    assert_eq!(outcome.evaluated.page_end, Some(PageEnd::Limit));
    assert_eq!((outcome.evaluated.n_examined, outcome.evaluated.n_returned), (2, 0));
    let page = shelf.query(&request);
    assert_eq!((page.count, page.scanned_count, page.items), (0, 2, Some(Vec::new())));
    assert_eq!(page.last_evaluated_key, Some(pair("a", "01")));
}

#[test]
fn the_item_that_fills_a_page_is_part_of_it() {
    let big = |sk: &str| item([("pk", s("a")), ("sk", s(sk)), ("d", s(&"x".repeat(399_990)))]);
    let shelf = Shelf::with_items(schema(), 1, ["0", "1", "2", "3"].map(big));
    let request = query("pk = :a", &[s("a")]);
    let page = shelf.query(&request);
    assert_eq!(page.count, 3);
    assert_eq!(page.last_evaluated_key, Some(pair("a", "2")));
    let outcome = shelf.outcome(Request::Query(request));
    assert_eq!(outcome.evaluated.page_end, Some(PageEnd::Size));
    assert_eq!(outcome.evaluated.bytes_examined, 3 * 399_997);
}

#[test]
fn a_page_that_ends_by_size_and_limit_at_once_ends_by_size() {
    let big = |sk: &str| item([("pk", s("a")), ("sk", s(sk)), ("d", s(&"x".repeat(399_990)))]);
    let shelf = Shelf::with_items(schema(), 1, ["0", "1", "2"].map(big));
    let mut request = query("pk = :a", &[s("a")]);
    request.read.limit = Some(3);
    let outcome = shelf.outcome(Request::Query(request));
    assert_eq!(outcome.evaluated.page_end, Some(PageEnd::Size));
}

#[test]
fn items_of_a_page_are_summed_before_they_are_rounded() {
    // 4 + 6 + 54 = 64 bytes each: 96,000 bytes are 24 times 4 KB.
    let small = |number: usize| {
        item([("pk", s("aa")), ("sk", s(&format!("{number:04}"))), ("d", s(&"x".repeat(53)))])
    };
    let shelf = Shelf::with_items(schema(), 4, (0..1_500).map(small));
    let mut request = query("pk = :a", &[s("aa")]);
    request.read.select = Some(Select::Count);
    let page = shelf.query(&request);
    assert_eq!((page.count, page.items), (1_500, None));
    assert_eq!(page.consumed.table, CapacityUnits::whole(12));
    request.read.consistent_read = true;
    assert_eq!(shelf.query(&request).consumed.table, CapacityUnits::whole(24));
}

#[test]
fn a_query_that_matches_nothing_costs_the_least() {
    let shelf = pairs(0);
    let mut request = query("pk = :a", &[s("a")]);
    assert_eq!(shelf.query(&request).consumed.total(), CapacityUnits::halves(1));
    request.read.consistent_read = true;
    assert_eq!(shelf.query(&request).consumed.total(), CapacityUnits::whole(1));
}

#[test]
fn filters_and_projections_do_not_lower_the_cost() {
    let big = item([("pk", s("a")), ("sk", s("1")), ("t", n(1)), ("d", s(&"x".repeat(9_000)))]);
    let shelf = Shelf::with_items(schema(), 4, [big]);
    let mut request = query("pk = :a", &[s("a")]);
    request.read.projection_expression = Some("t".to_owned());
    let page = shelf.query(&request);
    assert_eq!(page.items, Some(vec![item([("t", n(1))])]));
    assert_eq!(page.consumed.table, CapacityUnits::halves(3));
    request.read.projection_expression = Some("nowhere".to_owned());
    assert_eq!(shelf.query(&request).items, Some(vec![Item::new()]));
}

#[test]
fn a_table_without_sort_key_answers_with_one_item() {
    let shelf = Shelf::with_items(schema_with_key("pk"), 4, [item([("pk", s("a"))])]);
    assert_eq!(shelf.query(&query("pk = :a", &[s("a")])).count, 1);
    assert_eq!(shelf.query(&query("pk = :a", &[s("b")])).count, 0);
}

#[test]
fn a_global_index_pays_on_its_own_arm_for_the_size_of_its_entries() {
    let schema = global(schema_with_key("pk"), "g", "gk", Projection::KeysOnly);
    let big = item([("pk", s("1")), ("gk", s("x")), ("d", s(&"x".repeat(9_000)))]);
    let shelf = Shelf::with_items(schema, 4, [big]);
    let mut request = query("gk = :a", &[s("x")]);
    request.read.index = index("g");
    let page = shelf.query(&request);
    assert_eq!(page.items, Some(vec![item([("pk", s("1")), ("gk", s("x"))])]));
    assert!(page.consumed.table.is_zero());
    assert_eq!(page.consumed.global_indexes, [(index("g").unwrap(), CapacityUnits::halves(1))]);
}

#[test]
fn an_item_missing_a_key_of_an_index_is_not_in_it() {
    let schema = global(schema_with_key("id"), "g", "gp | gs", Projection::All);
    let items = [
        item([("id", s("1")), ("gp", s("x")), ("gs", s("y"))]),
        item([("id", s("2")), ("gp", s("x"))]),
        item([("id", s("3")), ("gs", s("y"))]),
    ];
    let shelf = Shelf::with_items(schema, 4, items);
    let mut request = query("gp = :a", &[s("x")]);
    request.read.index = index("g");
    assert_eq!(texts(&shelf, &request, "id"), ["1"]);
}

#[test]
fn paging_an_index_of_equal_keys_visits_every_item_once() {
    let schema = global(schema_with_key("dev | ts:N"), "g", "st", Projection::All);
    let job = |ts: i32| item([("dev", s("d1")), ("ts", n(ts)), ("st", s("open"))]);
    let shelf = Shelf::with_items(schema, 4, (0..7).map(job));
    let mut request = query("st = :a", &[s("open")]);
    request.read.index = index("g");
    request.read.limit = Some(3);
    let mut seen = Vec::new();
    loop {
        let page = shelf.query(&request);
        seen.extend(page.items.unwrap());
        let Some(last) = page.last_evaluated_key else { break };
        assert_eq!(last.len(), 3);
        request.read.exclusive_start_key = Some(Ok(last));
    }
    assert_eq!(seen, (0..7).map(job).collect::<Vec<_>>());
}

/// Items of `item_bytes` whose local index entries, keys alone, have `entry_bytes`.
fn fetched_shelf(n_items: usize, item_bytes: usize, entry_bytes: usize) -> Shelf {
    // Names and the values of pk and sk take 2 + 1 + 2 + 1 + 3 bytes; alt takes the rest of the entry.
    let schema = local(schema(), "byAlt", "pk | alt", Projection::KeysOnly);
    let one = |number: usize| {
        let alt = format!("{number:0width$}", width = entry_bytes - 9);
        let rest = "x".repeat(item_bytes - entry_bytes - 1);
        item([("pk", s("a")), ("sk", s(&number.to_string())), ("alt", s(&alt)), ("d", s(&rest))])
    };
    Shelf::with_items(schema, 4, (0..n_items).map(one))
}

#[test]
fn a_local_index_fetches_what_it_lacks_and_rounds_each_item_alone() {
    let shelf = fetched_shelf(4, 300, 200);
    let mut request = query("pk = :a", &[s("a")]);
    request.read.index = index("byAlt");
    request.read.consistent_read = true;
    let page = shelf.query(&request);
    assert_eq!(page.consumed.total(), CapacityUnits::whole(1), "keys alone need no fetch");
    assert!(page.consumed.table.is_zero());

    request.read.select = Some(Select::AllAttributes);
    let page = shelf.query(&request);
    assert_eq!(page.consumed.table, CapacityUnits::whole(4));
    assert_eq!(page.consumed.local_indexes, [(index("byAlt").unwrap(), CapacityUnits::whole(1))]);
    assert!(page.items.unwrap().iter().all(|item| item.contains("d")));
}

#[test]
fn measured_costs_of_local_index_fetches_are_met() {
    let mut request = query("pk = :a", &[s("a")]);
    request.read.index = index("byAlt");
    request.read.projection_expression = Some("d".to_owned());
    let small = fetched_shelf(3, 100, 20).query(&request).consumed;
    assert_eq!((small.total(), small.table), (CapacityUnits::whole(2), CapacityUnits::halves(3)));
    let large = fetched_shelf(3, 9_000, 20);
    assert_eq!(large.query(&request).consumed.table, CapacityUnits::halves(9));
    request.read.consistent_read = true;
    assert_eq!(large.query(&request).consumed.table, CapacityUnits::whole(9));
}

#[test]
fn a_filter_on_what_a_local_index_lacks_fetches_every_evaluated_item() {
    let shelf = fetched_shelf(3, 100, 20);
    let mut request = query("pk = :a", &[s("a"), s("none")]);
    request.read.index = index("byAlt");
    request.read.filter_expression = Some("d = :b".to_owned());
    let page = shelf.query(&request);
    assert_eq!((page.count, page.scanned_count), (0, 3));
    assert_eq!(page.consumed.table, CapacityUnits::halves(3));
    request.read.filter_expression = Some("d <> :b".to_owned());
    let page = shelf.query(&request);
    assert!(page.items.unwrap().iter().all(|item| !item.contains("d")), "entries are returned");
}

#[test]
fn an_index_of_several_attributes_takes_them_left_to_right() {
    let schema = global(schema_with_key("id"), "g", "p q | r s:N", Projection::All);
    let one = |id: &str, r: &str, number: i32| {
        item([("id", s(id)), ("p", s("p")), ("q", s("q")), ("r", s(r)), ("s", n(number))])
    };
    let items = [one("1", "a", 2), one("2", "a", 10), one("3", "b", -1), one("4", "ab", 5)];
    let shelf = Shelf::with_items(schema, 4, items);
    let mut request =
        query("p = :a AND q = :b AND r = :c AND s > :d", &[s("p"), s("q"), s("a"), n(2)]);
    request.read.index = index("g");
    assert_eq!(texts(&shelf, &request, "id"), ["2"]);
    request = query("p = :a AND q = :b AND begins_with(r, :c)", &[s("p"), s("q"), s("a")]);
    request.read.index = index("g");
    assert_eq!(texts(&shelf, &request, "id"), ["1", "2", "4"]);
}

#[track_caller]
fn refuses(change: impl FnOnce(&mut QueryRequest), message: &str) {
    let schema = local(schema(), "byAlt", "pk | alt", Projection::KeysOnly);
    let schema = global(schema, "g", "gk", include(&["kept"]));
    let shelf = Shelf::new(schema, 4);
    let mut request = query("pk = :a", &[s("a")]);
    change(&mut request);
    assert_eq!(shelf.query_refusal(&request), message);
}

#[test]
fn unknown_tables_and_indexes_are_named_as_dynamodb_names_them() {
    refuses(
        |request| {
            request.read.table.name = hashrange_types::TableName::new("Missing").unwrap();
            request.read.index = index("nope");
        },
        "Requested resource not found",
    );
    refuses(
        |request| request.read.index = index("nope"),
        "The table does not have the specified index: nope",
    );
    refuses(
        |request| {
            request.read.index = index("g");
            request.read.consistent_read = true;
        },
        "Consistent reads are not supported on global secondary indexes",
    );
}

#[test]
fn a_key_condition_must_be_given_in_one_style() {
    refuses(
        |request| {
            request.key_condition_expression = None;
            request.read.values = None;
        },
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the \
         request.",
    );
    refuses(
        |request| request.key_conditions = Some(Vec::new()),
        "Can not use both expression and non-expression parameters in the same request: \
         Non-expression parameters: {KeyConditions} Expression parameters: \
         {KeyConditionExpression}",
    );
    refuses(
        |request| request.key_condition_expression = None,
        "ExpressionAttributeValues can only be specified when using expressions: \
         FilterExpression and KeyConditionExpression are null",
    );
}

#[test]
fn select_and_projection_must_agree() {
    let select = |select: Select, projection: Option<&'static str>| {
        move |request: &mut QueryRequest| {
            request.read.select = Some(select);
            request.read.projection_expression = projection.map(str::to_owned);
        }
    };
    refuses(
        select(Select::AllAttributes, Some("v")),
        "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
    );
    refuses(
        select(Select::Count, Some("v")),
        "Cannot specify the ProjectionExpression when choosing to get only the Count",
    );
    refuses(
        select(Select::SpecificAttributes, None),
        "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression \
         when choosing to get SPECIFIC_ATTRIBUTES",
    );
    refuses(
        select(Select::AllProjectedAttributes, None),
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
    );
    refuses(
        |request| {
            request.read.index = index("g");
            request.read.select = Some(Select::AllAttributes);
        },
        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported \
         for global secondary index g because its projection type is not ALL",
    );
}

#[test]
fn a_global_index_cannot_give_or_filter_what_it_does_not_hold() {
    refuses(
        |request| {
            *request = query("gk = :a", &[s("x")]);
            request.read.index = index("g");
            request.read.projection_expression = Some("kept, pk, secret".to_owned());
        },
        "One or more parameter values were invalid: Global secondary index g does not project \
         [secret]",
    );
    refuses(
        |request| {
            *request = query("gk = :a", &[s("x")]);
            request.read.index = index("g");
            request.read.filter_expression = Some("secret = :a".to_owned());
        },
        "One or more parameter values were invalid: Secondary index g does not project one or \
         more filter attributes: [secret]",
    );
}

#[test]
fn a_filter_may_not_name_the_key_that_is_read() {
    let filter = |text: &'static str| {
        move |request: &mut QueryRequest| request.read.filter_expression = Some(text.to_owned())
    };
    refuses(
        filter("sk = :a"),
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk",
    );
    refuses(
        filter("v = :a AND attribute_exists(alt.x)"),
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
         allowed: IndexKey: alt",
    );
    refuses(
        |request| {
            request.read.index = index("byAlt");
            request.read.filter_expression = Some("attribute_exists(alt)".to_owned());
        },
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: alt",
    );
    refuses(
        |request| {
            let equal = |name: &str| LegacyCondition {
                attribute: name.into(),
                operator: ComparisonOperator::Eq,
                values: vec![Ok(s("a"))],
            };
            request.key_condition_expression = None;
            request.read.values = None;
            request.key_conditions = Some(vec![equal("pk")]);
            request.read.filter = Some(vec![equal("sk")]);
        },
        "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk",
    );
}

#[test]
fn a_filter_on_a_local_index_may_name_the_tables_sort_key() {
    let schema = local(schema(), "byAlt", "pk | alt", Projection::All);
    let one = item([("pk", s("a")), ("sk", s("1")), ("alt", s("o"))]);
    let shelf = Shelf::with_items(schema, 4, [one]);
    let mut request = query("pk = :a", &[s("a"), s("1")]);
    request.read.index = index("byAlt");
    request.read.filter_expression = Some("sk = :b".to_owned());
    assert_eq!(shelf.query(&request).count, 1);
}

#[test]
fn empty_and_oversize_key_values_are_refused() {
    refuses(
        |request| *request = query("pk = :a", &[s("")]),
        "One or more parameter values are not valid. The AttributeValue for a key attribute \
         cannot contain an empty string value. Key: pk",
    );
    refuses(
        |request| *request = query("pk = :a", &[s(&"x".repeat(2_049))]),
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum \
         size limit of2048 bytes",
    );
}

#[test]
fn a_key_condition_must_fit_the_key_that_is_read() {
    refuses(
        |request| *request = query("sk = :a", &[s("x")]),
        "Query condition missed key schema element: pk",
    );
    refuses(
        |request| *request = query("pk = :a AND begins_with(alt, :a)", &[s("x")]),
        "Query condition missed key schema element: sk",
    );
    refuses(
        |request| *request = query("pk = :a", &[n(1)]),
        "One or more parameter values were invalid: Condition parameter type does not match \
         schema type",
    );
}

#[test]
fn a_starting_key_must_have_the_shape_of_a_last_evaluated_key() {
    let invalid = "The provided starting key is invalid";
    for start in [
        item([("pk", s("a"))]),
        item([("pk", s("a")), ("sk", s("0")), ("extra", s("x"))]),
        item([("pk", n(1)), ("sk", s("0"))]),
    ] {
        refuses(|request| request.read.exclusive_start_key = Some(Ok(start)), invalid);
    }
    refuses(
        |request| request.read.exclusive_start_key = Some(Ok(pair("a", ""))),
        "The provided starting key is invalid: One or more parameter values are not valid. The \
         AttributeValue for a key attribute cannot contain an empty string value. Key: sk",
    );
    refuses(
        |request| {
            request.read.index = index("byAlt");
            request.read.exclusive_start_key = Some(Ok(pair("a", "0")));
        },
        invalid,
    );
}

#[test]
fn a_starting_key_must_lie_in_what_the_key_condition_allows() {
    refuses(
        |request| request.read.exclusive_start_key = Some(Ok(pair("b", "01"))),
        "The provided starting key is outside query boundaries based on provided conditions",
    );
    refuses(
        |request| {
            *request = query("pk = :a AND sk >= :b", &[s("a"), s("02")]);
            request.read.exclusive_start_key = Some(Ok(pair("a", "01")));
        },
        "The provided starting key does not match the range key predicate",
    );
    refuses(
        |request| {
            *request = query("pk = :a AND sk >= :b", &[s("a"), s("02")]);
            request.read.exclusive_start_key = Some(Ok(pair("b", "03")));
        },
        "The query can return at most one row and cannot be restarted",
    );
}

#[test]
fn a_starting_key_need_not_be_stored() {
    let mut request = query("pk = :a", &[s("a")]);
    request.read.exclusive_start_key = Some(Ok(pair("a", "00zz")));
    assert_eq!(texts(&pairs(3), &request, "sk"), ["01", "02"]);
    request.scan_index_forward = false;
    assert_eq!(texts(&pairs(3), &request, "sk"), ["00"]);
}

#[test]
fn key_conditions_of_the_old_style_go_along_with_a_filter_expression() {
    let mut shelf = pairs(3);
    shelf.put(item([("pk", s("a")), ("sk", s("05")), ("v", n(7))]));
    let mut request = query("", &[n(7)]);
    request.key_condition_expression = None;
    request.key_conditions = Some(vec![LegacyCondition {
        attribute: "pk".into(),
        operator: ComparisonOperator::Eq,
        values: vec![Ok(s("a"))],
    }]);
    request.read.filter_expression = Some("v = :a".to_owned());
    assert_eq!(texts(&shelf, &request, "sk"), ["05"]);
}
