//! Each kind of question under two ways to key the same entities, without and with the indexes that are proposed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use hashrange_design::guide::{
    KINDS, Question, QuestionKind, Samples, derive, follow, other_keys, propose_indexes,
    propose_keys,
};
use hashrange_design::sample::recipe_of;
use hashrange_design::{AccessPattern, Budget, Design, Recipe};
use serde_json::json;

/// Organisations with projects and employees, and who works on what; a question of each kind; no keys.
fn asked() -> Design {
    let question = |kind: &str, entity: &str, of: &str, attribute: &str| {
        json!({"words": format!("{kind} {entity}"), "operation": "Scan", "request": {},
            "question": {"kind": kind, "entity": entity, "of": of, "attribute": attribute}})
    };
    let design = json!({
        "format": 1, "title": "Work",
        "tables": [{
            "TableName": "Work", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
            ],
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
        }],
        "entities": [
            {"name": "Organisation", "table": "Work", "tag": "O", "keys": {},
             "sample": {"count": 3, "attributes": [{"name": "org", "make": "id"}]}},
            {"name": "Project", "table": "Work", "tag": "P", "keys": {},
             "sample": {"count": 12, "attributes": [
                {"name": "project", "make": "id"}, {"name": "name", "make": "title"},
                {"name": "isOnHold", "make": "text", "with": "yes", "every": 6}]}},
            {"name": "Employee", "table": "Work", "tag": "E", "keys": {},
             "sample": {"count": 40, "attributes": [
                {"name": "employee", "make": "id"}, {"name": "name", "make": "person"}]}},
            {"name": "Assignment", "table": "Work", "tag": "A", "keys": {}, "sample": {"count": 6}},
        ],
        "relations": [
            {"from": "Organisation", "to": "Project", "kind": "1-n"},
            {"from": "Organisation", "to": "Employee", "kind": "1-n"},
            {"from": "Project", "to": "Assignment", "kind": "1-n"},
            {"from": "Employee", "to": "Assignment", "kind": "1-n"},
        ],
        "patterns": [
            question("one", "Project", "", ""),
            question("children", "Project", "Organisation", ""),
            question("under", "Organisation", "", ""),
            question("related", "Employee", "Project", ""),
            question("related", "Project", "Employee", ""),
            question("value", "Project", "Organisation", "name"),
            question("flagged", "Project", "Organisation", "isOnHold"),
            question("add", "Project", "", ""),
            question("change", "Project", "", ""),
        ],
    });
    Design::from_json(&design.to_string()).unwrap()
}

/// Children under their parent's identifier, as proposed.
fn under_parents() -> Design {
    let mut design = asked();
    for proposal in propose_keys(&design) {
        design.entities[proposal.entity].keys.extend(proposal.keys);
    }
    design
}

/// Every item under its own identifier.
fn alone() -> Design {
    let others = other_keys(&asked());
    let (_, design) =
        others.into_iter().find(|(name, _)| name.contains("one key per item")).unwrap();
    design
}

/// The design with every index that is proposed for it.
fn with_indexes(mut design: Design) -> Design {
    while let Some(proposal) = propose_indexes(&design, &Samples::default()).first() {
        design = proposal.apply(&design);
    }
    design
}

/// Each question's kind, operation, how it is served, and the index it asks.
fn served(design: &Design) -> Vec<String> {
    let line = |pattern: &AccessPattern| {
        let question = pattern.question.as_ref().unwrap();
        let found = derive(design, question, &Samples::default()).unwrap();
        let (_, kind, _) = KINDS.iter().find(|it| it.0 == question.kind).unwrap();
        let index = found.index.map(|it| format!(" {it}")).unwrap_or_default();
        format!("{kind}: {} {:?}{index}", found.operation, found.served)
    };
    design.patterns.iter().map(line).collect()
}

fn request(design: &Design, number: usize) -> serde_json::Value {
    let mut design = design.clone();
    follow(&mut design, &Samples::default());
    design.patterns[number - 1].request.clone()
}

#[test]
fn under_their_parents_items_are_found_by_key_and_the_rest_is_filtered_or_scanned() {
    assert_eq!(
        served(&under_parents()),
        [
            "one: GetItem ByKey",
            "children: Query ByKey",
            "under: Query ByKey",
            "related: Query ByKey",
            "related: Scan Scan",
            "value: Query Filtered",
            "flagged: Query Filtered",
            "add: PutItem ByKey",
            "change: UpdateItem ByKey",
        ]
    );
}

#[test]
fn an_entity_between_two_may_be_called_after_them() {
    for name in ["ProjectEmployee", "Project employee", "EmployeeOfProject"] {
        let text = asked().to_json().replace("Assignment", name);
        let mut design = Design::from_json(&text).unwrap();
        for proposal in propose_keys(&design) {
            design.entities[proposal.entity].keys.extend(proposal.keys);
        }
        assert_eq!(served(&design), served(&under_parents()), "{name}");
        let recipe = recipe_of(&design, 21).unwrap();
        let recipe = Recipe::from_json(&recipe.to_string()).unwrap();
        let items = recipe.items(Budget::default(), design.key_schemas().unwrap()).unwrap();
        let projects: BTreeSet<String> = items
            .iter()
            .map(|(_, item)| format!("{:?}", item.get("PK")))
            .filter(|key| key.contains("PROJECT#"))
            .collect();
        assert_eq!(projects.len(), 36, "{name}: six items of each of 36 projects share a key");
    }
}

#[test]
fn under_their_own_ids_alone_items_are_found_one_by_one_and_every_list_is_a_scan() {
    assert_eq!(
        served(&alone()),
        [
            "one: GetItem ByKey",
            "children: Scan Scan",
            "under: Scan Scan",
            "related: Scan Scan",
            "related: Scan Scan",
            "value: Scan Scan",
            "flagged: Scan Scan",
            "add: PutItem ByKey",
            "change: UpdateItem ByKey",
        ]
    );
}

#[test]
fn proposed_indexes_serve_what_keys_under_parents_leave_open() {
    assert_eq!(
        served(&with_indexes(under_parents())),
        [
            "one: GetItem ByKey",
            "children: Query ByKey",
            "under: Query ByKey",
            "related: Query ByKey",
            "related: Query ByKey inverted",
            "value: Query ByKey nameIndex",
            "flagged: Query ByKey isOnHold",
            "add: PutItem ByKey",
            "change: UpdateItem ByKey",
        ]
    );
}

#[test]
fn an_index_by_parent_serves_lists_of_items_that_stand_alone() {
    let design = with_indexes(alone());
    let lines = served(&design);
    assert_eq!(lines[1], "children: Query ByKey by-organisation", "{lines:?}");
    assert_eq!(lines[2], "under: Query ByKey by-organisation", "{lines:?}");
    let asked = request(&design, 2);
    assert_eq!(asked["IndexName"], "by-organisation");
    assert_eq!(asked["ExpressionAttributeNames"]["#org"], "org");
}

#[test]
fn requests_name_key_prefix_and_index() {
    let design = with_indexes(under_parents());
    let children = request(&design, 2);
    assert_eq!(children["KeyConditionExpression"], "#PK = :PK0 AND begins_with(#SK, :SK1)");
    assert_eq!(
        children["ExpressionAttributeValues"],
        json!({":PK0": {"S": "ORG#org-1"}, ":SK1": {"S": "PROJECT#"}})
    );
    assert_eq!(request(&design, 5)["IndexName"], "inverted");
    let filtered = request(&under_parents(), 7);
    assert_eq!(filtered["FilterExpression"], "attribute_exists(#isOnHold)");
}

#[test]
fn a_question_about_what_is_not_there_has_no_request_and_says_what_is_missing() {
    let design = under_parents();
    let question = |kind, entity: &str, of: &str| Question {
        kind,
        entity: entity.to_owned(),
        of: of.to_owned(),
        attribute: String::new(),
    };
    let gone = question(QuestionKind::One, "Invoice", "");
    assert_eq!(derive(&design, &gone, &Samples::default()), None);
    for (asked, part) in [
        (gone, "Choose the entity"),
        (question(QuestionKind::Children, "Organisation", "Project"), "step 2"),
        (question(QuestionKind::Related, "Organisation", "Project"), "junction"),
        (question(QuestionKind::Value, "Project", ""), "attribute of Project"),
        (question(QuestionKind::Under, "Assignment", ""), "Nothing belongs to Assignment"),
    ] {
        let reason = asked.check(&design).unwrap_err();
        assert!(reason.contains(part), "{reason}");
    }
}
