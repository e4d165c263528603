//! Running patterns: status, units, heat, tests, what changed, and that only what changed runs again.

use hashrange_design::cost::Money;
use hashrange_design::pattern::arrange::{
    Arrangement, PatternColumn, PatternFilter, PatternGrouping, arrange,
};
use hashrange_design::pattern::{
    PatternResult, PatternStatus, PatternSuite, TestResult, changes, to_markdown,
};
use proptest::prelude::*;
use serde_json::json;

use crate::sample::{example, finish, finished, index, one_table, plain, put, results, tables};

#[test]
fn every_pattern_of_every_example_passes_its_own_test() {
    for slug in ["factory-floor", "factory-sensors", "file-versions", "find-by-name"] {
        let (design, store) = example(slug);
        let results = results(&design, &store);
        assert_eq!(results.len(), design.patterns.len());
        for (result, pattern) in results.iter().zip(&design.patterns) {
            let expected =
                if pattern.expect.is_empty() { TestResult::NotStated } else { TestResult::Passed };
            assert_eq!(result.test, expected, "{slug}, {}", result.words);
        }
    }
}

#[test]
fn the_status_of_each_pattern_of_the_factory_floor_is_that_of_the_screens() {
    use PatternStatus::{ByKey, Filtered, Scan};
    let (design, store) = example("factory-floor");
    let results = results(&design, &store);
    let statuses: Vec<PatternStatus> = results.iter().map(PatternResult::status).collect();
    assert_eq!(statuses, [ByKey, ByKey, ByKey, Filtered, ByKey, ByKey, Scan, ByKey, ByKey]);
    assert_eq!(plain(&results[3].returned_percent()), "21 %");
    assert_eq!(
        plain(&results[3].reason()),
        "It finds 9 items of OrgDirectory by key and its filter returns 2: 21 % of the bytes paid for."
    );
    assert_eq!((results[3].pages.len(), results[3].waste_bytes()), (2, 19_275));
    assert_eq!(
        results[6].reason(),
        "It reads all 24 items of OrgDirectory to return 1, and takes longer with every item added."
    );
    assert_eq!(results[3].shape.filter, "status = ON_HOLD");
    assert_eq!(results[0].shape.key_condition, "PK = ORG#1234 AND SK = ORG#1234");
    let arms: Vec<String> = results[7]
        .units
        .iter()
        .map(|it| format!("{} {}", it.index.as_ref().map_or("table", |it| it.as_str()), it.units))
        .collect();
    assert_eq!(arms, ["table 3", "GSI1 3"]);
    assert_eq!(results[1].entity.map(|at| design.entities[at].name.as_str()), Some("Project"));
}

#[test]
fn a_key_that_gets_more_than_a_partition_takes_is_hot_and_the_sentence_says_why() {
    let put_pattern = |rate: f64| {
        json!({"patterns": [{"words": "Note", "operation": "PutItem", "per_second": rate,
            "request": {"TableName": "Things", "Item": {"PK": {"S": "A"}, "SK": {"S": "new"}}}}]})
    };
    let design = one_table(&put_pattern(2_000.0));
    let mut store = tables(&design);
    for at in 0..6 {
        put(&mut store, "Things", &json!({"PK": {"S": "A"}, "SK": {"S": at.to_string()}}));
    }
    for at in 0..2 {
        put(&mut store, "Things", &json!({"PK": {"S": "B"}, "SK": {"S": at.to_string()}}));
    }
    let hot = results(&design, &store).remove(0);
    assert_eq!(hot.status(), PatternStatus::Hot);
    assert_eq!(
        plain(&hot.reason()),
        "1,500 WCU a second meet in A of Things, which holds 75 % of the sample's 8 items; one key takes 1,000."
    );
    assert_eq!(plain(&hot.heat[0].load_text()), "150 %");
    let cool = results(&one_table(&put_pattern(1_300.0)), &store).remove(0);
    assert_eq!(cool.status(), PatternStatus::ByKey);
    assert!(cool.hottest().is_some_and(|heat| heat.units_per_second > 900.0));
}

#[test]
fn an_index_with_few_keys_is_hot_before_its_table_is() {
    let design = one_table(&json!({
        "define": ["status"],
        "GlobalSecondaryIndexes": [index("byStatus", ["status", "SK"], "ALL")],
        "patterns": [{"words": "Note", "operation": "PutItem", "per_second": 1500,
            "request": {"TableName": "Things", "Item": {"PK": {"S": "new"}, "SK": {"S": "1"}, "status": {"S": "OPEN"}}}}],
    }));
    let mut store = tables(&design);
    for at in 0..8 {
        let item = json!({"PK": {"S": at.to_string()}, "SK": {"S": "1"}, "status": {"S": "OPEN"}});
        put(&mut store, "Things", &item);
    }
    let result = results(&design, &store).remove(0);
    let hottest = result.hottest().unwrap();
    assert_eq!((hottest.place(), hottest.is_hot()), ("byStatus", true));
    let table = result.heat.iter().find(|heat| heat.index.is_none()).unwrap();
    assert!(!table.is_hot());
}

#[test]
fn a_refusal_is_a_status_with_the_message_of_dynamodb() {
    let design = one_table(&json!({
        "define": ["a"],
        "GlobalSecondaryIndexes": [index("byA", ["a", "SK"], "ALL")],
        "patterns": [
            {"words": "Strong", "operation": "Query", "request": {"TableName": "Things", "IndexName": "byA",
                "ConsistentRead": true, "KeyConditionExpression": "a = :a",
                "ExpressionAttributeValues": {":a": {"S": "x"}}}},
            {"words": "Odd", "operation": "Fetch", "request": {}},
            {"words": "Tables", "operation": "ListTables", "request": {}},
            {"words": "Elsewhere", "operation": "Scan", "request": {"TableName": "Gone"}, "expect": {"Count": 1}},
        ],
    }));
    let results = results(&design, &tables(&design));
    let reasons: Vec<String> = results.iter().map(PatternResult::reason).collect();
    assert_eq!(
        reasons[0],
        "DynamoDB refuses it: Consistent reads are not supported on global secondary indexes."
    );
    assert_eq!(reasons[1], "There is no operation Fetch.");
    assert_eq!(
        reasons[2],
        "ListTables reads and writes no items, so it cannot be an access pattern."
    );
    assert!(results.iter().all(|it| it.status() == PatternStatus::Refused));
    assert_eq!(results[3].test, TestResult::Failed(vec![reasons[3].clone()]));
}

#[test]
fn expected_items_and_a_unit_budget_are_a_test() {
    let (mut design, store) = example("factory-floor");
    let expect = |text: serde_json::Value| text.as_object().unwrap().clone();
    design.patterns[1].expect = expect(json!({"Count": 9, "units_max": 3}));
    design.patterns[2].expect = expect(json!({"Count": 12, "units_max": 3, "spin": 1}));
    let results = results(&design, &store);
    assert_eq!(results[1].test, TestResult::Passed);
    assert_eq!(
        results[2].test,
        TestResult::Failed(vec![
            "13 items, not the 12 expected.".to_owned(),
            "It takes 3.5 RCU, more than the 3 it may take.".to_owned(),
            "This version does not know how to check spin.".to_owned(),
        ])
    );
    assert!(!results[2].is_green() && results[2].status() == PatternStatus::ByKey);
}

#[test]
fn a_limit_ends_a_pattern_after_one_page_unless_pages_are_expected() {
    let (mut design, store) = example("factory-floor");
    design.patterns[3].expect.clear();
    let result = results(&design, &store).remove(3);
    assert_eq!((result.pages.len(), result.has_more, result.n_items()), (1, true, 1));
}

#[test]
fn a_false_condition_is_charged_and_writes_nothing() {
    let design =
        one_table(&json!({"patterns": [{"words": "Once", "operation": "PutItem", "request": {
        "TableName": "Things", "Item": {"PK": {"S": "A"}, "SK": {"S": "1"}},
        "ConditionExpression": "attribute_not_exists(PK)"}}]}));
    let mut store = tables(&design);
    put(&mut store, "Things", &json!({"PK": {"S": "A"}, "SK": {"S": "1"}}));
    let result = results(&design, &store).remove(0);
    assert!(result.is_condition_false && result.status() == PatternStatus::ByKey);
    assert_eq!((plain(&result.units_text()).as_str(), result.n_written), ("1 WCU", 0));
}

#[test]
fn only_patterns_that_a_change_touches_run_again() {
    let (mut design, mut store) = example("factory-floor");
    let mut suite = finished(&design, &store);
    suite.change(&design, &store);
    assert_eq!(suite.step(0).n_done, 9);
    put(&mut store, "SensorEvents", &json!({"PK": {"S": "ORG#1"}, "SK": {"S": "s#1"}}));
    suite.change(&design, &store);
    assert_eq!((suite.step(0).n_done, suite.running()), (8, Some(9)));
    finish(&mut suite);
    design.patterns.swap(0, 1);
    design.patterns[4].words = "Who works on it".to_owned();
    suite.change(&design, &store);
    assert_eq!((suite.step(0).n_done, suite.running()), (8, Some(5)));
    finish(&mut suite);
    assert_eq!(suite.results(), finished(&design, &store).results());
}

#[test]
fn a_change_in_the_middle_of_a_run_starts_from_what_was_finished() {
    let (design, mut store) = example("factory-floor");
    let mut suite = PatternSuite::default();
    suite.change(&design, &store);
    assert_eq!(suite.step(3).n_done, 3);
    put(&mut store, "OrgDirectory", &json!({"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#x"}}));
    suite.change(&design, &store);
    assert_eq!(suite.step(0).n_done, 0);
    finish(&mut suite);
    assert_eq!(suite.results(), finished(&design, &store).results());
    assert!(suite.changes().is_empty());
}

#[test]
fn what_a_change_made_of_the_patterns_is_told_pattern_by_pattern() {
    let (mut design, store) = example("factory-floor");
    let mut suite = finished(&design, &store);
    design.patterns[1].operation = "Scan".to_owned();
    design.patterns[1].request = json!({"TableName": "OrgDirectory"});
    design.patterns[1].expect.clear();
    design.patterns[5].words = "Where somebody works".to_owned();
    design.patterns.pop();
    let mut new = design.patterns[0].clone();
    new.words = "Again".to_owned();
    design.patterns.push(new);
    suite.change(&design, &store);
    finish(&mut suite);
    let sentences: Vec<String> = suite.changes().iter().map(|it| plain(&it.sentence)).collect();
    assert_eq!(
        sentences,
        [
            "Pattern 2: 3 → 4 RCU, 9 → 24 items, was served by key, now needs a Scan.",
            "Pattern 9 is new: 0.5 RCU, served by key.",
            "Pattern 9 is gone.",
        ]
    );
    assert!(changes(suite.results(), suite.results()).is_empty());
}

#[test]
fn the_list_is_sorted_grouped_and_filtered() {
    let (design, store) = example("factory-floor");
    let results = results(&design, &store);
    let free = |_: &_| Money::ZERO;
    let by = |arrangement: Arrangement| arrange(&results, &design.entities, &arrangement, &free);
    let units = by(Arrangement {
        column: PatternColumn::Units,
        is_descending: true,
        ..Arrangement::default()
    });
    assert_eq!(units[0].rows, [7, 6, 2, 3, 1, 8, 0, 4, 5]);
    let groups = by(Arrangement { grouping: PatternGrouping::Status, ..Arrangement::default() });
    let titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
    assert_eq!(titles, ["served by key", "served, but filtering", "needs a Scan"]);
    assert_eq!(groups.iter().map(|group| group.rows.len()).sum::<usize>(), 9);
    let filter = PatternFilter { text: " on HOLD".to_owned(), ..PatternFilter::default() };
    assert_eq!(by(Arrangement { filter, ..Arrangement::default() })[0].rows, [3]);
    let filter = PatternFilter { is_failing_only: true, ..PatternFilter::default() };
    assert_eq!(by(Arrangement { filter, ..Arrangement::default() })[0].rows, [3, 6]);
    let cost = |it: &PatternResult| Money::from_nanodollars(100 - u64::from(it.number));
    let by_cost = Arrangement { column: PatternColumn::Cost, ..Arrangement::default() };
    let dearest = arrange(&results, &design.entities, &by_cost, &cost);
    assert_eq!(dearest[0].rows[0], 8);
}

#[test]
fn markdown_keeps_a_pattern_in_its_row_whatever_it_says() {
    let (mut design, store) = example("factory-floor");
    design.patterns.truncate(4);
    design.patterns[0].words = "a | b\n# <b>c</b>".to_owned();
    let text = to_markdown(&results(&design, &store), Some(&|_| "1.00".to_owned()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 4 + 1 + 1);
    assert!(lines[2].starts_with("| 1 | a \\| b # \\<b>c\\</b> | GetItem | OrgDirectory |"));
    assert!(lines[2].contains("| 0.5 RCU |  | 120 | 1.00 | ✓ served by key | passed |"));
    assert!(lines[7].starts_with("- 4: It finds 9 items"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_suite_that_followed_changes_equals_one_made_anew(
        edits in proptest::collection::vec((0_u8..6, 0_usize..9, 0_u32..20), 1..8),
    ) {
        let (mut design, mut store) = example("factory-floor");
        let mut suite = PatternSuite::default();
        for (kind, at, n) in edits {
            let at = at % design.patterns.len().max(1);
            match kind {
                0 => put(&mut store, "OrgDirectory",
                    &json!({"PK": {"S": "ORG#1234"}, "SK": {"S": format!("PROJECT#{n}")}})),
                1 => put(&mut store, "SensorEvents", &json!({"PK": {"S": n.to_string()}, "SK": {"S": "s#1"}})),
                2 if !design.patterns.is_empty() => { design.patterns.remove(at); }
                3 if !design.patterns.is_empty() => design.patterns[at].per_second = Some(f64::from(n) * 500.0),
                4 => { let last = design.entities.len() - 1; design.entities.swap(0, last); }
                _ => {}
            }
            suite.change(&design, &store);
            suite.step(n);
        }
        finish(&mut suite);
        let anew = finished(&design, &store);
        prop_assert_eq!(suite.results(), anew.results());
    }
}
