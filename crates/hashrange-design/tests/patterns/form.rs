//! Patterns built from a form and kept from the history.

use hashrange_design::AccessPattern;
use hashrange_design::pattern::form::{
    FormAttribute, FormComparison, FormCondition, FormKind, PatternForm, keep_as_pattern,
};
use hashrange_design::pattern::{PatternStatus, TestResult};
use serde_json::json;

use crate::sample::{example, results};

fn condition(attribute: &str, comparison: FormComparison, value: &str) -> FormCondition {
    FormCondition {
        attribute: attribute.to_owned(),
        comparison,
        value: value.to_owned(),
        ..FormCondition::default()
    }
}

fn key(values: &[(&str, &str)]) -> Vec<(String, String)> {
    values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn form(operation: &str) -> PatternForm {
    PatternForm {
        words: "Mine".to_owned(),
        operation: operation.to_owned(),
        key: key(&[("PK", "ORG#1234"), ("SK", "PROJECT#p-07")]),
        ..PatternForm::default()
    }
}

fn build(form: &PatternForm) -> Result<AccessPattern, String> {
    let (_, store) = example("factory-floor");
    form.build(store.table("OrgDirectory").unwrap().schema())
}

#[test]
fn a_query_of_a_form_runs_filters_and_tests_itself() {
    let form = PatternForm {
        sort: Some(condition("SK", FormComparison::BeginsWith, "PROJECT#")),
        filter: vec![
            condition("status", FormComparison::Equal, "ON_HOLD"),
            FormCondition {
                kind: FormKind::Number,
                ..condition("budget", FormComparison::Greater, "0")
            },
        ],
        attributes: vec![FormAttribute { name: "name".to_owned(), ..FormAttribute::default() }],
        expected_items: Some(2),
        units_max: Some(3.0),
        per_second: Some(24.0),
        ..form("Query")
    };
    let (mut design, store) = example("factory-floor");
    design.patterns = vec![build(&form).unwrap()];
    let result = results(&design, &store).remove(0);
    assert_eq!(result.status(), PatternStatus::Filtered);
    assert_eq!(result.test, TestResult::Passed);
    assert_eq!(result.shape.filter, "status = ON_HOLD AND budget > 0");
    assert_eq!((result.shape.projection.as_str(), result.per_second), ("name", Some(24.0)));
}

#[test]
fn every_operation_of_a_form_makes_a_request_that_the_table_takes() {
    let attribute = FormAttribute {
        name: "budget".to_owned(),
        value: "20500".to_owned(),
        kind: FormKind::Number,
    };
    let (mut design, store) = example("factory-floor");
    for operation in ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan"] {
        let attributes =
            if operation == "DeleteItem" { Vec::new() } else { vec![attribute.clone()] };
        let form = PatternForm { attributes, is_consistent: true, ..form(operation) };
        design.patterns = vec![build(&form).unwrap()];
        let result = results(&design, &store).remove(0);
        assert_eq!(result.refusal, None, "{operation}");
        assert!(!result.units.is_empty());
    }
}

#[test]
fn a_form_says_which_field_does_not_fit() {
    let sentence = |form: PatternForm| build(&form).unwrap_err();
    assert!(
        sentence(PatternForm { words: " ".to_owned(), ..form("Query") })
            .starts_with("Say in words")
    );
    assert_eq!(sentence(PatternForm { key: key(&[]), ..form("GetItem") }), "PK needs a value.");
    assert_eq!(
        sentence(PatternForm { index: "Gone".to_owned(), ..form("Query") }),
        "OrgDirectory has no index Gone."
    );
    let number = FormCondition {
        kind: FormKind::Number,
        ..condition("budget", FormComparison::Equal, "many")
    };
    assert_eq!(
        sentence(PatternForm { filter: vec![number], ..form("Scan") }),
        "budget is a value of type N, which many is not."
    );
    let sort = Some(condition("SK", FormComparison::Contains, "x"));
    assert!(
        sentence(PatternForm { sort, ..form("Query") }).starts_with("A key cannot be asked so")
    );
    assert_eq!(sentence(form("ListTables")), "A form cannot make a ListTables.");
}

#[test]
fn a_request_of_the_history_is_kept_without_what_belongs_to_one_call() {
    let text = json!({"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :p",
        "ExpressionAttributeValues": {":p": {"S": "ORG#1234"}}, "ReturnConsumedCapacity": "TOTAL",
        "ExclusiveStartKey": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-01"}}});
    let kept = keep_as_pattern("", "Query", &text.to_string()).unwrap();
    assert_eq!(kept.words, "OrgDirectory where PK = ORG#1234");
    assert_eq!(kept.request.as_object().unwrap().len(), 3);
    let (mut design, store) = example("factory-floor");
    design.patterns = vec![kept];
    assert_eq!(results(&design, &store)[0].n_items(), 13);
    assert_eq!(
        keep_as_pattern("Mine", "Scan", r#"{"TableName": "Things"}"#).unwrap().words,
        "Mine"
    );
    assert_eq!(
        keep_as_pattern("", "Scan", r#"{"TableName": "Things"}"#).unwrap().words,
        "Scan Things"
    );
    assert!(
        keep_as_pattern("", "Query", "{").unwrap_err().starts_with("This request cannot be kept")
    );
    assert_eq!(keep_as_pattern("", "Fetch", "{}").unwrap_err(), "There is no operation Fetch.");
}
