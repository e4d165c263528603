//! Sample data described entity by entity: numbers, keys, junctions, sizes and what is refused.

use hashrange_design::sample::recipe_of;
use hashrange_design::{Budget, Design, Recipe};
use hashrange_types::{AttributeValue, Item};
use serde_json::{Value, json};

/// The five steps of the first article: organisations, their projects and employees, and who works on what.
fn work() -> Value {
    json!({
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
            {"name": "Organisation", "table": "Work", "tag": "O", "keys": {"PK": "ORG#{org}", "SK": "ORG#{org}"},
             "sample": {"count": 3, "attributes": [{"name": "plan", "make": "pick", "with": "team, solo"}]}},
            {"name": "Project", "table": "Work", "tag": "P",
             "keys": {"PK": "ORG#{org}", "SK": "PROJECT#{project}"},
             "sample": {"count": 12, "bytes": [700, 700], "attributes": [
                {"name": "name", "make": "title"},
                {"name": "isOnHold", "make": "date", "with": "2026-01-01", "every": 6},
                {"name": "budget", "make": "number", "with": "10 to 99"}]}},
            {"name": "Employee", "table": "Work", "tag": "E",
             "keys": {"PK": "ORG#{org}", "SK": "EMPLOYEE#{employee}"},
             "sample": {"count": 40, "attributes": [
                {"name": "name", "make": "person"}, {"name": "email", "make": "email"}]}},
            {"name": "Assignment", "table": "Work", "tag": "A",
             "keys": {"PK": "PROJECT#{project}", "SK": "EMPLOYEE#{employee}"}, "sample": {"count": 6}},
        ],
        "relations": [
            {"from": "Organisation", "to": "Project", "kind": "1-n"},
            {"from": "Organisation", "to": "Employee", "kind": "1-n"},
            {"from": "Project", "to": "Assignment", "kind": "1-n"},
            {"from": "Employee", "to": "Assignment", "kind": "1-n"},
        ],
    })
}

fn items(design: &Value) -> Result<Vec<Item>, String> {
    let design = Design::from_json(&design.to_string()).map_err(|error| error.to_string())?;
    let recipe = recipe_of(&design, 21).map_err(|error| error.to_string())?;
    let recipe = Recipe::from_json(&recipe.to_string()).map_err(|error| error.to_string())?;
    let keys = design.key_schemas().map_err(|error| error.to_string())?;
    let items = recipe.items(Budget::default(), keys).map_err(|error| error.to_string())?;
    Ok(items.into_iter().map(|(_, item)| item).collect())
}

fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    match item.get(name)? {
        AttributeValue::S(text) => Some(text),
        _ => None,
    }
}

fn with_prefix<'a>(items: &'a [Item], pk: &str, sk: &str) -> Vec<&'a Item> {
    let starts = |item: &Item, name, prefix: &str| {
        text(item, name).is_some_and(|text| text.starts_with(prefix))
    };
    items.iter().filter(|item| starts(item, "PK", pk) && starts(item, "SK", sk)).collect()
}

#[test]
fn the_design_of_the_five_steps_has_as_many_items_as_the_lesson_says() {
    let items = items(&work()).unwrap();
    assert_eq!(items.len(), 375);
    assert_eq!(with_prefix(&items, "ORG#", "ORG#").len(), 3);
    assert_eq!(with_prefix(&items, "ORG#o1", "PROJECT#").len(), 12);
    assert_eq!(with_prefix(&items, "ORG#o1", "EMPLOYEE#").len(), 40);
    assert_eq!(with_prefix(&items, "PROJECT#o2-p04", "EMPLOYEE#").len(), 6);
    let sizes = with_prefix(&items, "ORG#", "PROJECT#").iter().all(|it| it.size_bytes() == 700);
    assert!(sizes);
}

#[test]
fn a_junction_names_items_that_exist_on_both_sides() {
    let items = items(&work()).unwrap();
    let exists = |sk: &str| {
        items.iter().any(|item| {
            text(item, "PK").is_some_and(|pk| pk.starts_with("ORG#"))
                && text(item, "SK") == Some(sk)
        })
    };
    for assignment in with_prefix(&items, "PROJECT#", "EMPLOYEE#") {
        let (project, employee) =
            (text(assignment, "PK").unwrap(), text(assignment, "SK").unwrap());
        assert!(exists(project) && exists(employee), "{project} {employee}");
        let organisation = |key: &str| key.split(['#', '-']).nth(1).map(str::to_owned);
        assert_eq!(organisation(project), organisation(employee));
    }
}

#[test]
fn an_attribute_of_every_sixth_item_makes_a_sparse_index_possible() {
    let items = items(&work()).unwrap();
    let on_hold = items.iter().filter(|item| item.get("isOnHold").is_some()).count();
    assert_eq!(on_hold, 6);
}

#[test]
fn a_person_and_the_email_address_go_together() {
    let items = items(&work()).unwrap();
    let employee = with_prefix(&items, "ORG#o3", "EMPLOYEE#")[0];
    let name = text(employee, "name").unwrap();
    assert_eq!(text(employee, "email").unwrap(), format!("{}@example.com", name.replace(' ', ".")));
}

#[test]
fn a_skewed_count_gives_the_first_parent_the_most() {
    let mut design = work();
    design["entities"][1]["sample"]["is_skewed"] = json!(true);
    let items = items(&design).unwrap();
    let of = |org: &str| with_prefix(&items, org, "PROJECT#").len();
    assert_eq!((of("ORG#o1"), of("ORG#o2"), of("ORG#o3")), (12, 6, 4));
}

#[test]
fn digits_of_a_slot_count_the_entity_s_own_items() {
    let mut design = work();
    design["entities"][1]["keys"]["SK"] = json!("PROJECT#{n:04}");
    let items = items(&design).unwrap();
    assert_eq!(text(with_prefix(&items, "ORG#o1", "PROJECT#")[11], "SK"), Some("PROJECT#0012"));
}

#[test]
fn what_cannot_be_made_is_said_in_one_sentence() {
    let mut slot = work();
    slot["entities"][1]["keys"]["SK"] = json!("PROJECT#{region}");
    let mut circle = work();
    circle["relations"] = json!([{"from": "Project", "to": "Organisation"}, {"from": "Organisation", "to": "Project"}]);
    let mut many = work();
    many["entities"][3]["sample"]["count"] = json!(4_000_000);
    let mut number = work();
    number["entities"][1]["sample"]["attributes"][2]["with"] = json!("few");
    let mut same = work();
    same["entities"][2]["keys"]["SK"] = json!("PROFILE");
    for (design, sentence) in [
        (
            slot,
            "The slot {region} in SK of Project has no value: give the entity an attribute region, or relate it to the \
             entity whose identifier that is.",
        ),
        (
            circle,
            "Organisation has more than 5 parents above it, or is its own: relations must not form a circle.",
        ),
        (many, "Assignment would have more than 1,000,000 items. Lower its count or its parents'."),
        (number, "budget of Project needs two whole numbers, such as 1 to 99, not \"few\"."),
        (same, "Work/Employee/3/1,2 has the same key as an earlier item of the table."),
    ] {
        assert_eq!(items(&design).unwrap_err(), sentence);
    }
}

#[test]
fn samples_and_relations_are_kept_in_the_file() {
    let design = Design::from_json(&work().to_string()).unwrap();
    let again = Design::from_json(&design.to_json()).unwrap();
    assert_eq!(again, design);
    let mut bad = work();
    bad["entities"][0]["sample"]["attributes"][0]["make"] = json!("magic");
    let refusal = Design::from_json(&bad.to_string()).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "entities[0].sample.attributes[0].make must be a kind of sample value, not a text."
    );
}
