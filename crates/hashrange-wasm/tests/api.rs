//! The JavaScript API as a page sees it, in a browser.
#![cfg(target_arch = "wasm32")]

use hashrange_wasm::Engine;
use js_sys::{JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const TABLE: &str = r#"{"TableName": "Orders", "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"}]}"#;

fn engine() -> Engine {
    let mut engine = Engine::new();
    send(&mut engine, "CreateTable", TABLE);
    for n in 1..=3 {
        let item = format!(
            r#"{{"TableName": "Orders", "Item": {{"pk": {{"S": "é"}}, "sk": {{"N": "{n}"}}}}}}"#
        );
        send(&mut engine, "PutItem", &item);
    }
    engine
}

fn send(engine: &mut Engine, operation: &str, json: &str) -> String {
    engine.send(&operation.into(), &json.into()).expect("the request is sound")
}

fn refused(engine: &mut Engine, operation: &JsValue, json: &JsValue) -> JsValue {
    engine.send(operation, json).expect_err("the request is wrong")
}

fn text(object: &JsValue, member: &str) -> String {
    let value = Reflect::get(object, &member.into()).expect("the value is an object");
    value.as_string().unwrap_or_else(|| panic!("{member} is not text"))
}

fn number(object: &JsValue, member: &str) -> Option<f64> {
    Reflect::get(object, &member.into()).expect("the value is an object").as_f64()
}

#[wasm_bindgen_test]
fn a_table_is_created_at_the_time_of_the_pages_clock() {
    let before = js_sys::Date::now();
    let reply = send(&mut Engine::new(), "CreateTable", TABLE);
    let reply = JSON::parse(&reply).expect("a reply is JSON");
    let table = Reflect::get(&reply, &"TableDescription".into()).expect("a member");
    let created = number(&table, "CreationDateTime").expect("a number") * 1_000.0;
    assert!((before.floor() - 1.0..=js_sys::Date::now() + 1.0).contains(&created));
}

#[wasm_bindgen_test]
fn what_was_put_is_got_and_queried() {
    let mut engine = engine();
    let key = r#"{"TableName": "Orders", "Key": {"pk": {"S": "é"}, "sk": {"N": "2.0"}}}"#;
    assert_eq!(send(&mut engine, "GetItem", key), r#"{"Item":{"pk":{"S":"é"},"sk":{"N":"2"}}}"#);
    let query = r#"{"TableName": "Orders", "KeyConditionExpression": "pk = :p AND sk > :n",
        "ExpressionAttributeValues": {":p": {"S": "é"}, ":n": {"N": "1"}}, "Select": "COUNT"}"#;
    assert_eq!(send(&mut engine, "Query", query), r#"{"Count":2,"ScannedCount":2}"#);
}

#[wasm_bindgen_test]
fn a_refusal_is_an_error_named_as_the_exception() {
    let get = r#"{"TableName": "None", "Key": {"pk": {"S": "a"}}}"#;
    let error = refused(&mut Engine::new(), &"GetItem".into(), &get.into());
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(text(&error, "name"), "ResourceNotFoundException");
    assert_eq!(text(&error, "message"), "Requested resource not found");
    assert_eq!(number(&error, "status"), Some(400.0));
    assert!(text(&error, "body").contains("#ResourceNotFoundException"));
}

#[wasm_bindgen_test]
fn an_operation_that_does_not_exist_is_refused() {
    let error = refused(&mut Engine::new(), &"GetItems".into(), &"{}".into());
    assert_eq!(text(&error, "name"), "UnknownOperationException");
}

#[wasm_bindgen_test]
fn a_request_left_out_is_an_empty_one() {
    let mut engine = Engine::new();
    for json in [JsValue::UNDEFINED, JsValue::NULL] {
        let reply = engine.send(&"ListTables".into(), &json);
        assert_eq!(reply.expect("nothing is required"), r#"{"TableNames":[]}"#);
    }
}

#[wasm_bindgen_test]
fn an_argument_that_is_not_text_is_a_type_error() {
    let mut engine = Engine::new();
    let object = js_sys::Object::new();
    for (operation, json) in [
        (JsValue::UNDEFINED, "{}".into()),
        (JsValue::NULL, "{}".into()),
        (1.into(), "{}".into()),
        ("ListTables".into(), object.into()),
    ] {
        let error = refused(&mut engine, &operation, &json);
        assert!(error.is_instance_of::<js_sys::TypeError>());
    }
    assert!(engine.send_text(&JsValue::UNDEFINED, &JsValue::UNDEFINED).is_err());
}

#[wasm_bindgen_test]
fn the_endpoint_answers_refusals_instead_of_throwing_them() {
    let mut engine = engine();
    let mut answer = |target: &str, body: &str| {
        let reply = engine.send_text(&target.into(), &body.into()).expect("both are text");
        (number(&reply, "status").expect("a number"), text(&reply, "body"))
    };
    let list = answer("DynamoDB_20120810.ListTables", "{}");
    assert_eq!(list, (200.0, r#"{"TableNames":["Orders"]}"#.to_owned()));
    let broken = answer("DynamoDB_20120810.ListTables", "{not json");
    assert!((broken.0 - 400.0).abs() < f64::EPSILON);
    assert!(broken.1.contains("#SerializationException"));
    assert!(answer("Other.ListTables", "{}").1.contains("#UnknownOperationException"));
}

#[wasm_bindgen_test]
fn engines_do_not_see_each_others_tables() {
    let _other = engine();
    let reply = Engine::new().send(&"ListTables".into(), &JsValue::UNDEFINED);
    assert_eq!(reply.expect("nothing is required"), r#"{"TableNames":[]}"#);
}
