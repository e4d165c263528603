//! Each rule of lint: a design that trips it and one that does not; fixes; silencing.

use hashrange_design::Design;
use hashrange_design::lint::{Finding, LintRule, Seriousness, Subject, lint, silence, speak};
use hashrange_storage::Store;
use serde_json::{Value, json};

use crate::sample::{example, finished, index, one_table, plain, put, results, tables};

fn lint_of(design: &Design, store: &Store) -> Vec<Finding> {
    lint(design, &finished(design, store))
}

fn found(design: &Design, store: &Store, rule: LintRule) -> Vec<Finding> {
    lint_of(design, store).into_iter().filter(|finding| finding.rule == rule).collect()
}

/// A design with items trips a rule once; another does not.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "designs are made where they are checked")]
fn check(rule: LintRule, trips: (Design, Store), is_fine: (Design, Store)) -> Finding {
    let mut tripped = found(&trips.0, &trips.1, rule);
    assert_eq!(tripped.len(), 1, "{rule:?} is tripped: {tripped:?}");
    let fine = found(&is_fine.0, &is_fine.1, rule);
    assert!(fine.is_empty(), "{rule:?} is not tripped: {fine:?}");
    tripped.remove(0)
}

fn with_items(design: Design, items: &[Value]) -> (Design, Store) {
    let mut store = tables(&design);
    for item in items {
        put(&mut store, "Things", item);
    }
    (design, store)
}

fn item(pk: &str, sk: &str) -> Value {
    json!({"PK": {"S": pk}, "SK": {"S": sk}})
}

/// An item with more text attributes.
fn with(mut item: Value, more: &[(&str, &str)]) -> Value {
    for (name, value) in more {
        item[*name] = json!({"S": value});
    }
    item
}

fn pattern(operation: &str, request: &Value) -> Value {
    let mut request = request.clone();
    request["TableName"] = json!("Things");
    json!({"words": "Mine", "operation": operation, "request": request})
}

fn at_rate(mut pattern: Value, rate: f64) -> Value {
    pattern["per_second"] = json!(rate);
    pattern
}

fn query(more: &Value) -> Value {
    let mut request = json!({"KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "A"}}});
    for (name, value) in more.as_object().unwrap() {
        if name == "values" {
            for (key, value) in value.as_object().unwrap() {
                request["ExpressionAttributeValues"][key] = value.clone();
            }
        } else {
            request[name] = value.clone();
        }
    }
    pattern("Query", &request)
}

fn entity(name: &str, pk: &str, sk: &str) -> Value {
    json!({"name": name, "table": "Things", "tag": "X", "keys": {"PK": pk, "SK": sk}})
}

fn design(more: &Value) -> Design {
    one_table(more)
}

/// One design of patterns over a few items of one key.
fn of_patterns(patterns: &[Value]) -> (Design, Store) {
    let items: Vec<Value> =
        (0..10).map(|at| with(item("A", &at.to_string()), &[("note", "x")])).collect();
    with_items(design(&json!({"patterns": patterns})), &items)
}

#[test]
fn a_table_that_dynamodb_would_not_make_is_serious() {
    let refused =
        design(&json!({"GlobalSecondaryIndexes": [index("byGone", ["gone", "SK"], "ALL")]}));
    let fine = design(&json!({}));
    let finding = check(LintRule::RefusedTable, (refused, Store::default()), with_items(fine, &[]));
    assert_eq!(finding.seriousness, Seriousness::Serious);
    assert!(finding.sentence.starts_with("DynamoDB does not make the table Things: "));
}

#[test]
fn a_refused_pattern_is_serious() {
    let bad = query(&json!({"Limit": 1, "FilterExpression": "PK = :p"}));
    let finding =
        check(LintRule::RefusedPattern, of_patterns(&[bad]), of_patterns(&[query(&json!({}))]));
    assert!(finding.sentence.starts_with("DynamoDB refuses it: "));
}

#[test]
fn a_strong_read_of_a_global_index_is_mended_by_an_eventual_one() {
    let of = |is_consistent: bool| {
        let asked = query(&json!({"IndexName": "byNote", "ConsistentRead": is_consistent}));
        let design = design(&json!({
            "define": ["note"],
            "GlobalSecondaryIndexes": [index("byNote", ["PK", "note"], "ALL")],
            "patterns": [asked],
        }));
        with_items(design, &[with(item("A", "1"), &[("note", "x")])])
    };
    let finding = check(LintRule::StrongReadOfGlobalIndex, of(true), of(false));
    let (broken, store) = of(true);
    let mended = finding.fix.unwrap().apply(&broken);
    assert_eq!(results(&mended, &store)[0].n_items(), 1);
}

#[test]
fn a_reserved_word_is_mended_by_a_name() {
    let filter = json!({"FilterExpression": "status = :s AND #s <> :s AND size(data) > :s",
        "ExpressionAttributeNames": {"#s": "note"}, "values": {":s": {"N": "1"}}});
    let fine = json!({"FilterExpression": "#s = :s", "ExpressionAttributeNames": {"#s": "status"},
        "values": {":s": {"N": "1"}}});
    let broken = of_patterns(&[query(&filter)]);
    let finding = check(LintRule::ReservedWord, broken.clone(), of_patterns(&[query(&fine)]));
    assert_eq!(finding.evidence, ["status", "data"]);
    let mended = finding.fix.unwrap().apply(&broken.0);
    assert_eq!(
        mended.patterns[0].request["FilterExpression"],
        "#status = :s AND #s <> :s AND size(#data) > :s"
    );
    assert_eq!(results(&mended, &broken.1)[0].refusal, None);
}

#[test]
fn a_key_near_or_above_what_a_partition_serves_is_hot() {
    let put_pattern = || pattern("PutItem", &json!({"Item": item("A", "new")}));
    let near = of_patterns(&[at_rate(put_pattern(), 600.0)]);
    let cool = of_patterns(&[at_rate(put_pattern(), 400.0)]);
    let finding = check(LintRule::HotKey, near, cool);
    assert_eq!(finding.seriousness, Seriousness::Warning);
    assert_eq!(plain(&finding.evidence[0]), "60 % of what A takes");
    let (design, store) = of_patterns(&[at_rate(put_pattern(), 6_000.0)]);
    let hot = found(&design, &store, LintRule::HotKey).remove(0);
    assert_eq!(hot.seriousness, Seriousness::Serious);
    assert!(hot.evidence[1].starts_with("A suffix spreads A over 9 keys"));
}

#[test]
fn patterns_that_are_cool_alone_can_be_hot_together() {
    let put_pattern =
        |sk: &str, rate: f64| at_rate(pattern("PutItem", &json!({"Item": item("A", sk)})), rate);
    let three = |rate: f64| of_patterns(&["x", "y", "z"].map(|sk| put_pattern(sk, rate)));
    let finding = check(LintRule::HotKey, three(400.0), three(100.0));
    assert_eq!(finding.subject, Subject::Table("Things".to_owned()));
    assert_eq!(finding.seriousness, Seriousness::Serious);
    assert_eq!(
        plain(&finding.sentence),
        "Patterns 1, 2, 3 together bring 1,200 WCU a second to A of Things, which is 120 % of what one key takes."
    );
}

#[test]
fn a_scan_is_as_serious_as_it_is_frequent() {
    let scan = || pattern("Scan", &json!({}));
    let finding = check(
        LintRule::ScanOnHotPath,
        of_patterns(&[at_rate(scan(), 5.0)]),
        of_patterns(&[query(&json!({}))]),
    );
    assert_eq!(finding.seriousness, Seriousness::Serious);
    let (design, store) = of_patterns(&[at_rate(scan(), 0.001)]);
    assert_eq!(found(&design, &store, LintRule::ScanOnHotPath)[0].seriousness, Seriousness::Note);
    let (factory, store) = example("factory-floor");
    let finding = found(&factory, &store, LintRule::ScanOnHotPath).remove(0);
    assert_eq!(finding.fix.map(|fix| fix.label()).as_deref(), Some("Add the index byName"));
}

#[test]
fn a_filter_that_throws_away_more_than_half_is_waste() {
    let filtered = |value: &str| {
        of_patterns(&[query(
            &json!({"FilterExpression": "note = :n", "values": {":n": {"S": value}}}),
        )])
    };
    let finding = check(LintRule::FilterWaste, filtered("y"), filtered("x"));
    assert!(plain(&finding.evidence[0]).starts_with("100 % of "));
    let (factory, store) = example("factory-floor");
    let finding = found(&factory, &store, LintRule::FilterWaste).remove(0);
    assert_eq!(finding.fix.map(|fix| fix.label()).as_deref(), Some("Ask isOnHold"));
}

#[test]
fn a_local_index_that_comes_after_its_table_is_late() {
    let before = design(&json!({}));
    let after = design(&json!({
        "define": ["at"],
        "LocalSecondaryIndexes": [index("byTime", ["PK", "at"], "ALL")],
    }));
    let (_, old_store) = with_items(before, &[item("A", "1")]);
    let fine = with_items(after.clone(), &[item("A", "1")]);
    let finding = check(LintRule::LateLocalIndex, (after, old_store), fine);
    assert_eq!(finding.evidence, ["byTime"]);
    assert_eq!(finding.seriousness, Seriousness::Serious);
}

#[test]
fn items_near_400_kb_are_named() {
    let of = |bytes: usize| {
        let design = design(&json!({"entities": [entity("Thing", "{p}", "{s}")]}));
        with_items(design, &[with(item("A", "1"), &[("note", &"x".repeat(bytes))])])
    };
    let finding = check(LintRule::ItemSizeLimit, of(350_000), of(100_000));
    assert_eq!(finding.evidence, ["PK = A AND SK = 1"]);
    assert!(plain(&finding.sentence).contains("85 % of the 400 KB"));
}

#[test]
fn a_collection_with_a_local_index_that_fills_within_years_is_named() {
    let of = |rate: f64, has_index: bool| {
        let mut more = json!({"patterns": [at_rate(
            pattern("PutItem", &json!({"Item": with(item("A", "new"), &[("at", "1"), ("note", &"x".repeat(980))])})), rate)]});
        if has_index {
            more["define"] = json!(["at"]);
            more["LocalSecondaryIndexes"] = json!([index("byTime", ["PK", "at"], "ALL")]);
        }
        with_items(design(&more), &[item("A", "1")])
    };
    let finding = check(LintRule::CollectionSizeLimit, of(50.0, true), of(50.0, false));
    assert!(
        plain(&finding.sentence).contains(" the fullest key gets there in 1.2"),
        "{}",
        finding.sentence
    );
    let (design, store) = of(0.01, true);
    assert!(found(&design, &store, LintRule::CollectionSizeLimit).is_empty());
}

#[test]
fn an_entity_without_a_template_for_a_key_is_named() {
    let of = |keys: Value| {
        let entity = json!({"name": "Thing", "table": "Things", "tag": "T", "keys": keys});
        with_items(design(&json!({"entities": [entity]})), &[])
    };
    let finding = check(
        LintRule::MissingKeyTemplate,
        of(json!({"PK": "A#{a}"})),
        of(json!({"PK": "A#{a}", "SK": "B#{b}"})),
    );
    assert_eq!(finding.evidence, ["SK"]);
}

#[test]
fn an_entity_whose_keys_have_no_slot_has_one_item_alone() {
    let of = |sk: &str| {
        with_items(design(&json!({"entities": [entity("Settings", "SETTINGS", sk)]})), &[])
    };
    let finding = check(LintRule::MissingSlot, of("ALL"), of("{user}"));
    assert_eq!(finding.evidence, ["PK = SETTINGS", "SK = ALL"]);
}

#[test]
fn numbers_of_different_lengths_in_a_sort_key_are_padded_by_the_fix() {
    let of = |template: &str, numbers: [&str; 2]| {
        let design = design(&json!({"entities": [entity("Page", "BOOK#{b}", template)]}));
        with_items(design, &numbers.map(|n| item("BOOK#1", &format!("PAGE#{n}"))))
    };
    let finding = check(
        LintRule::UnpaddedNumber,
        of("PAGE#{n}", ["9", "10"]),
        of("PAGE#{n:02}", ["09", "10"]),
    );
    assert_eq!(
        finding.sentence,
        "{n} of SK holds numbers of different lengths, and keys sort as text: 10 comes before 9."
    );
    let mended = finding.fix.unwrap().apply(&of("PAGE#{n}", ["9", "10"]).0);
    assert_eq!(mended.entities[0].keys["SK"], "PAGE#{n:02}");
    // Too narrow a padding is no padding, and a partition key is not sorted by.
    let (narrow, store) = of("PAGE#{n:02}", ["09", "100"]);
    assert_eq!(found(&narrow, &store, LintRule::UnpaddedNumber).len(), 1);
}

#[test]
fn entities_whose_templates_have_a_key_in_common_overlap() {
    let of = |other: &str| {
        let entities = [entity("Order", "C#{c}", "O#{o}"), entity("Line", "C#{c}", other)];
        with_items(design(&json!({"entities": entities})), &[])
    };
    let finding = check(LintRule::OverlappingEntities, of("O#{line}"), of("O#{o}#L#{line}"));
    assert_eq!(finding.seriousness, Seriousness::Warning);
    assert!(finding.sentence.ends_with("is taken for Order, which comes first."));
    let (design, store) = of("{anything}");
    let settled = found(&design, &store, LintRule::OverlappingEntities).remove(0);
    assert_eq!(settled.seriousness, Seriousness::Note);
    assert!(settled.sentence.contains("is taken for Order, whose templates say more"));
}

#[test]
fn many_items_under_few_keys_are_named_with_the_slot_that_makes_them_few() {
    let of = |n_keys: u32| {
        let design = design(&json!({"entities": [entity("Event", "DAY#{day}", "{id}")]}));
        let items: Vec<Value> =
            (0..40).map(|at| item(&format!("DAY#{}", at % n_keys), &at.to_string())).collect();
        with_items(design, &items)
    };
    let finding = check(LintRule::LowCardinalityKey, of(3), of(20));
    assert_eq!(finding.subject, Subject::Table("Things".to_owned()));
    assert_eq!(finding.evidence, ["DAY#0: 14", "{day}: 3 values"]);
}

#[test]
fn a_partition_key_that_is_a_date_gathers_a_day_s_writes() {
    let of = |keys: [&str; 2]| {
        let design = design(&json!({"entities": [entity("Event", "DAY#{day}", "{id}")]}));
        with_items(design, &keys.map(|day| item(&format!("DAY#{day}"), "1")))
    };
    let finding =
        check(LintRule::TimeOrderedKey, of(["2026-03-01", "2026-03-02"]), of(["mon", "tue"]));
    assert_eq!(finding.evidence, ["2026-03-01", "2026-03-02"]);
}

#[test]
fn an_index_that_no_pattern_reads_is_removed_by_the_fix() {
    let of = |more: &Value| {
        let design = design(&json!({
            "define": ["at"],
            "GlobalSecondaryIndexes": [index("byTime", ["PK", "at"], "ALL")],
            "patterns": [query(more)],
        }));
        with_items(design, &[item("A", "1")])
    };
    let unused = of(&json!({}));
    let finding = check(LintRule::UnusedIndex, unused.clone(), of(&json!({"IndexName": "byTime"})));
    let mended = finding.fix.unwrap().apply(&unused.0);
    assert_eq!(mended.tables[0].get("GlobalSecondaryIndexes"), None);
    assert_eq!(mended.tables[0]["AttributeDefinitions"].as_array().unwrap().len(), 2);
    let store = tables(&mended);
    assert!(found(&mended, &store, LintRule::RefusedTable).is_empty());
}

#[test]
fn an_index_that_holds_more_than_its_patterns_read_projects_less_by_the_fix() {
    let of = |projection: Option<&str>| {
        let mut asked = query(&json!({"IndexName": "byTime"}));
        if let Some(names) = projection {
            asked["request"]["ProjectionExpression"] = json!(names);
        }
        let design = design(&json!({
            "define": ["at"],
            "GlobalSecondaryIndexes": [index("byTime", ["PK", "at"], "ALL")],
            "entities": [entity("Thing", "{p}", "{s}")],
            "patterns": [asked],
        }));
        let thing =
            with(item("A", "1"), &[("at", "1"), ("title", "t"), ("text", &"x".repeat(3_000))]);
        with_items(design, &[thing])
    };
    let wide = of(Some("PK, title"));
    let finding = check(LintRule::OverProjectedIndex, wide.clone(), of(None));
    assert_eq!(plain(&finding.evidence[0]), "Thing: 2.9 KB an entry");
    let mended = finding.fix.unwrap().apply(&wide.0);
    assert_eq!(
        mended.tables[0]["GlobalSecondaryIndexes"][0]["Projection"],
        json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]})
    );
}

#[test]
fn gsi1_of_the_factory_floor_projects_projects_that_nobody_reads_there() {
    let (design, store) = example("factory-floor");
    let finding = found(&design, &store, LintRule::OverProjectedIndex).remove(0);
    let subject = Subject::Index { table: "OrgDirectory".to_owned(), index: "GSI1".to_owned() };
    assert_eq!(finding.subject, subject);
    assert!(finding.evidence[0].starts_with("Project: 2."), "{:?}", finding.evidence);
    let mended = finding.fix.unwrap().apply(&design);
    let after = results(&mended, &crate::suggest::rebuilt(&mended, &store));
    // A budget is not in GSI1 any more, so changing it writes the table alone.
    assert_eq!(after[7].total_units(), hashrange_types::CapacityUnits::whole(3));
    assert_eq!(after[5].n_items(), 2);
}

#[test]
fn updates_that_move_entries_of_an_index_are_named() {
    let of = |attribute: &str| {
        let update = json!({"Key": item("A", "1"), "UpdateExpression": format!("SET {attribute} = :v"),
            "ExpressionAttributeValues": {":v": {"S": "x"}}});
        let design = design(&json!({
            "define": ["moment"],
            "GlobalSecondaryIndexes": [index("byTime", ["PK", "moment"], "ALL")],
            "patterns": [pattern("UpdateItem", &update)],
        }));
        with_items(design, &[with(item("A", "1"), &[("moment", "1")])])
    };
    let finding = check(LintRule::ChangingIndexKey, of("moment"), of("note"));
    assert_eq!(finding.evidence, ["pattern 1, Mine"]);
}

#[test]
fn a_pattern_that_finds_nothing_says_nothing_about_its_cost() {
    let nobody = query(&json!({"values": {":p": {"S": "nobody"}}}));
    check(LintRule::EmptyAnswer, of_patterns(&[nobody]), of_patterns(&[query(&json!({}))]));
}

#[test]
fn every_rule_has_its_own_name() {
    let mut names: Vec<&str> = LintRule::ALL.iter().map(|rule| rule.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), LintRule::ALL.len());
}

#[test]
fn a_finding_is_silenced_with_a_reason_that_the_design_s_file_keeps() {
    let (design, store) = example("factory-floor");
    let finding = lint_of(&design, &store).remove(0);
    assert!(silence(&design, &finding, " ").is_err());
    let silenced = silence(&design, &finding, "asked once a night").unwrap();
    let read = Design::from_json(&silenced.to_json()).unwrap();
    assert_eq!(read, silenced);
    let last = lint_of(&read, &store).pop().unwrap();
    assert_eq!((last.rule, last.silenced.as_deref()), (finding.rule, Some("asked once a night")));
    let again = silence(&read, &finding, "still").unwrap();
    assert_eq!(again.silenced.len(), 1);
    assert_eq!(speak(&again, &finding), design);
}

#[test]
fn what_lint_finds_on_the_factory_floor_is_what_the_screens_show() {
    let (design, store) = example("factory-floor");
    let mut names: Vec<&str> =
        lint_of(&design, &store).iter().map(|finding| finding.rule.name()).collect();
    names.dedup();
    assert!(names.contains(&"scan-on-hot-path"), "{names:?}");
    assert!(names.contains(&"filter-waste") && names.contains(&"over-projected-index"));
    assert!(!names.contains(&"refused-pattern") && !names.contains(&"overlapping-entities"));
}
