//! Odd designs: whatever patterns, templates and expectations say, there is an answer.

use hashrange_design::Design;
use hashrange_design::cost::Money;
use hashrange_design::key_check::{slots, try_key, try_values};
use hashrange_design::lint::{lint, silence};
use hashrange_design::pattern::arrange::{Arrangement, arrange};
use hashrange_design::pattern::{keep_as_pattern, to_markdown};
use hashrange_design::suggest::{UnitPrices, suggest};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::sample::{example, finished};

/// Expressions, most of them wrong somewhere.
const EXPRESSIONS: [&str; 14] = [
    "PK = :a",
    "PK = :a AND begins_with(SK, :b)",
    "PK = :a AND SK BETWEEN :a AND :b AND x = :c",
    "status = :a",
    "#n = :a AND #n = :b",
    "(PK = :a) AND (x = :b OR y = :c)",
    "attribute_exists(isOnHold) AND #n <> :a",
    "size(#n) > :n AND :a = #n",
    "a.b[0] = :a AND a = :b",
    "((",
    "",
    "é = :a AND",
    "#n IN (:a, :b) AND NOT #n = :c",
    "SET status = :a, #n = :b REMOVE budget",
];

const TEMPLATES: [&str; 8] =
    ["ORG#{org}", "{a}", "{a}{b}", "PROJECT#{p:02}", "X", "{é}#{n:064}", "{a}#{a}", "2026-{d}"];

const OPERATIONS: [&str; 11] = [
    "Query",
    "Scan",
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchGetItem",
    "TransactWriteItems",
    "ExecuteStatement",
    "DescribeTable",
    "Nothing",
];

fn request() -> impl Strategy<Value = Value> {
    let key = json!({"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-07"}});
    let members = vec![
        ("TableName", json!("OrgDirectory")),
        ("TableName", json!("Gone")),
        ("IndexName", json!("GSI1")),
        ("IndexName", json!("isOnHold")),
        ("ConsistentRead", json!(true)),
        ("Select", json!("COUNT")),
        ("Limit", json!(2)),
        ("Key", key.clone()),
        ("Item", key.clone()),
        ("ScanIndexForward", json!(false)),
        ("ProjectionExpression", json!("PK, #n")),
        ("RequestItems", json!({"OrgDirectory": {"Keys": [key]}})),
        ("Statement", json!("SELECT * FROM OrgDirectory WHERE PK = 'ORG#1234' AND budget > 1")),
        ("KeyConditionExpression", json!(3)),
    ];
    let expression = select(vec![
        "KeyConditionExpression",
        "FilterExpression",
        "UpdateExpression",
        "ConditionExpression",
    ]);
    let expressions = proptest::collection::vec((expression, select(EXPRESSIONS.to_vec())), 0..3);
    let members = proptest::collection::vec(select(members), 0..6);
    (members, expressions, any::<bool>()).prop_map(|(members, expressions, has_values)| {
        let mut request = json!({"TableName": "OrgDirectory"});
        for (name, value) in members {
            request[name] = value;
        }
        for (name, text) in expressions {
            request[name] = json!(text);
        }
        if has_values {
            request["ExpressionAttributeNames"] = json!({"#n": "name"});
            request["ExpressionAttributeValues"] =
                json!({":a": {"S": "ORG#1234"}, ":b": {"S": "PROJECT#"}});
        }
        request
    })
}

fn pattern() -> impl Strategy<Value = Value> {
    let expect = select(vec![
        json!({}),
        json!({"Count": "many", "units_max": null, "pageUnits": 3}),
        json!({"order": {"name": ["x"]}, "arms": {"GSI1": null, "table": 1}}),
        json!({"pages": 2, "what": [1]}),
    ]);
    let rate = select(vec![json!(null), json!(0), json!(0.001), json!(1e300)]);
    (select(OPERATIONS.to_vec()), request(), expect, rate).prop_map(
        |(operation, request, expect, rate)| {
            json!({"words": format!("Ask {operation}"), "operation": operation, "request": request,
                "expect": expect, "per_second": rate})
        },
    )
}

fn entity() -> impl Strategy<Value = Value> {
    let text = || select(TEMPLATES.to_vec());
    (text(), text(), any::<bool>()).prop_map(|(pk, sk, has_sort)| {
        let mut keys = json!({"PK": pk});
        if has_sort {
            keys["SK"] = json!(sk);
        }
        json!({"name": "Thing", "table": "OrgDirectory", "tag": "T", "keys": keys})
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn whatever_a_design_says_there_is_an_answer(
        patterns in proptest::collection::vec(pattern(), 0..5),
        entities in proptest::collection::vec(entity(), 0..4),
        pasted in ".{0,12}",
    ) {
        let (design, store) = example("factory-floor");
        let mut value: Value = serde_json::from_str(&design.to_json()).unwrap();
        value["patterns"] = json!(patterns);
        value["entities"] = json!(entities);
        let design = Design::from_value(value).unwrap();
        let suite = finished(&design, &store);
        prop_assert_eq!(suite.results().len(), design.patterns.len());
        for result in suite.results() {
            prop_assert!(result.reason().ends_with('.'), "{}", result.reason());
            for suggestion in suggest(&design, &suite, result.number, UnitPrices::default()) {
                prop_assert!(suggestion.sentence.ends_with('.'));
                // What was suggested is a design this build reads, and its pattern is not refused.
                if let Some(fix) = suggestion.fix {
                    let fixed = fix.apply(&design);
                    prop_assert!(fixed != design);
                    prop_assert_eq!(Design::from_json(&fixed.to_json()), Ok(fixed));
                }
            }
        }
        let groups = arrange(suite.results(), &design.entities, &Arrangement::default(), &|_| Money::ZERO);
        prop_assert_eq!(groups.iter().map(|it| it.rows.len()).sum::<usize>(), patterns.len());
        let markdown = to_markdown(suite.results(), None);
        prop_assert!(markdown.lines().count() >= 2 + patterns.len());
        for finding in lint(&design, &suite) {
            prop_assert!(finding.sentence.ends_with('.'), "{}", finding.sentence);
            let silenced = silence(&design, &finding, "so be it").unwrap();
            let still = lint(&silenced, &suite);
            let same = still.iter().find(|it| it.rule == finding.rule && it.subject == finding.subject);
            prop_assert!(same.is_some_and(|it| it.silenced.is_some()));
        }
        let table = store.table("OrgDirectory").unwrap();
        for entity in &design.entities {
            let values = slots(entity).into_iter().map(|slot| (slot, pasted.clone())).collect();
            try_values(entity, table.schema(), None, &values);
            for template in entity.keys.values() {
                let _ = try_key(template, &pasted);
            }
        }
        for pattern in &design.patterns {
            let _ = keep_as_pattern("", &pattern.operation, &pattern.request.to_string());
        }
    }
}
