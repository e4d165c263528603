//! `Design`: round trips and refusals.

use hashrange_design::{Design, DesignError};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn small() -> Value {
    json!({
        "format": 1,
        "kind": "example",
        "slug": "small",
        "title": "Small",
        "minutes": 3,
        "tables": [{"TableName": "Things", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST"}],
        "entities": [{"name": "Thing", "table": "Things", "tag": "T", "keys": {"id": "THING#{n}"}, "shape": "round"}],
        "patterns": [{"words": "Get a thing", "operation": "GetItem",
            "request": {"TableName": "Things", "Key": {"id": {"S": "THING#1"}}}, "expect": {"units": 0.5},
            "per_second": 2.5, "later": null}],
        "silenced": [{"rule": "hot-key", "subject": "pattern Get a thing", "reason": "read once a day", "by": "me"}],
        "chart": [{"entity": "Thing"}]
    })
}

fn sentence(value: &Value) -> String {
    Design::from_json(&value.to_string()).expect_err("it is refused").to_string()
}

#[test]
fn a_design_reads_back_as_itself_with_members_it_does_not_know() {
    let design = Design::from_json(&small().to_string()).unwrap();
    let again = Design::from_json(&design.to_json()).unwrap();
    assert_eq!(design, again);
    assert_eq!(design.to_json(), again.to_json());
    let written: Value = serde_json::from_str(&design.to_json()).unwrap();
    assert_eq!(written["chart"], json!([{"entity": "Thing"}]));
    assert_eq!(written["entities"][0]["shape"], "round");
    assert_eq!(written["silenced"][0]["by"], "me");
    assert_eq!(written["patterns"][0]["later"], Value::Null);
    assert_eq!(written["patterns"][0]["per_second"], 2.5);
}

#[test]
fn the_primary_keys_of_tables_are_read() {
    let design = Design::from_json(&small().to_string()).unwrap();
    let keys = design.key_schemas().unwrap();
    assert_eq!(keys.len(), 1);
    assert!(keys.get("Things").unwrap().contains("id"));
}

#[test]
fn a_newer_format_is_refused_in_one_sentence() {
    let mut newer = small();
    newer["format"] = json!(2);
    newer["tables"] = json!("something else altogether");
    assert!(matches!(Design::from_json(&newer.to_string()), Err(DesignError::NewerFormat(2))));
    assert!(
        sentence(&newer)
            .starts_with("This design has format 2; this version of Hashrange reads format 1.")
    );
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let cases: [(&str, Value, &str); 13] = [
        ("/format", json!(null), "format is missing."),
        ("/format", json!("1"), "format must be the number 1, not a text."),
        ("/kind", json!("poem"), "kind must be design, example or lesson, not a text."),
        ("/title", json!(3), "title must be a text, not a number."),
        ("/minutes", json!(-3), "minutes must be a whole number, not a number."),
        ("/tables", json!({}), "tables must be a list, not an object."),
        ("/tables/0/TableName", json!(null), "tables[0].TableName is missing."),
        ("/entities/0/name", json!(""), "entities[0].name is missing."),
        (
            "/entities/0/table",
            json!("U"),
            "entities[0].table names the table U, which this design does not have.",
        ),
        (
            "/entities/0/keys/id",
            json!("THING#{"),
            "entities[0].keys.id is not a key template: the brace at character 7 has no partner.",
        ),
        ("/patterns/0/request", json!([]), "patterns[0].request must be an object, not a list."),
        ("/silenced/0/reason", json!(""), "silenced[0].reason is missing."),
        (
            "/patterns/0/per_second",
            json!(-1),
            "patterns[0].per_second must be a number of 0 or more, not a number.",
        ),
    ];
    for (place, value, expected) in cases {
        let mut design = small();
        *design.pointer_mut(place).unwrap() = value;
        assert_eq!(sentence(&design), expected);
    }
    let mut twice = small();
    let table = twice["tables"][0].clone();
    twice["tables"].as_array_mut().unwrap().push(table);
    assert_eq!(sentence(&twice), "tables[1].TableName repeats the table name Things.");
    assert_eq!(sentence(&json!([])), "The design must be an object, not a list.");
    let broken = Design::from_json("{\n  \"format\": 1,,\n}").unwrap_err().to_string();
    assert_eq!(broken, "This is not JSON: key must be a string, at line 2, column 15.");
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Design::from_json(&deep).unwrap_err().to_string().starts_with("This is not JSON: "));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-zé\"\\\\]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-z]{1,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn members_nobody_knows_survive_a_round_trip(
        members in proptest::collection::vec(("x_[a-z]{1,6}", json_value()), 0..5),
        in_entity in json_value(),
    ) {
        let mut value = small();
        for (name, member) in &members {
            value[name.as_str()] = member.clone();
        }
        value["entities"][0]["x_own"] = in_entity;
        let written: Value =
            serde_json::from_str(&Design::from_json(&value.to_string()).unwrap().to_json()).unwrap();
        for (name, member) in value.as_object().unwrap() {
            prop_assert_eq!(&written[name.as_str()], member);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = Design::from_json(&text);
    }
}
