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

fn empty() -> Engine {
    Engine::new(&JsValue::UNDEFINED).expect("no option is wrong")
}

fn engine() -> Engine {
    let engine = empty();
    send(&engine, "CreateTable", TABLE);
    for n in 1..=3 {
        let item = format!(
            r#"{{"TableName": "Orders", "Item": {{"pk": {{"S": "é"}}, "sk": {{"N": "{n}"}}}}}}"#
        );
        send(&engine, "PutItem", &item);
    }
    engine
}

fn object(json: &str) -> JsValue {
    JSON::parse(json).expect("the test's JSON is sound")
}

/// Sends the objects that the JSON describes.
fn send(engine: &Engine, operation: &str, json: &str) -> JsValue {
    engine.send(&operation.into(), &object(json)).expect("the request is sound")
}

fn refused(engine: &Engine, operation: &JsValue, input: &JsValue) -> JsValue {
    engine.send(operation, input).expect_err("the request is wrong")
}

fn json(value: &JsValue) -> String {
    JSON::stringify(value).expect("a reply is data").into()
}

fn get(object: &JsValue, member: &str) -> JsValue {
    Reflect::get(object, &member.into()).expect("the value is an object")
}

fn text(object: &JsValue, member: &str) -> String {
    get(object, member).as_string().unwrap_or_else(|| panic!("{member} is not text"))
}

fn number(object: &JsValue, member: &str) -> Option<f64> {
    get(object, member).as_f64()
}

#[wasm_bindgen_test]
fn a_table_is_created_at_the_time_of_the_pages_clock() {
    let before = js_sys::Date::now();
    let reply = send(&empty(), "CreateTable", TABLE);
    let table = get(&reply, "TableDescription");
    let created = number(&table, "CreationDateTime").expect("a number") * 1_000.0;
    assert!((before.floor() - 1.0..=js_sys::Date::now() + 1.0).contains(&created));
}

#[wasm_bindgen_test]
fn what_was_put_is_got_and_queried_as_plain_objects() {
    let engine = engine();
    let key = r#"{"TableName": "Orders", "Key": {"pk": {"S": "é"}, "sk": {"N": "2.0"}}}"#;
    let reply = send(&engine, "GetItem", key);
    assert_eq!(json(&reply), r#"{"Item":{"pk":{"S":"é"},"sk":{"N":"2"}}}"#);
    assert_eq!(text(&get(&get(&reply, "Item"), "pk"), "S"), "é");
    let query = r#"{"TableName": "Orders", "KeyConditionExpression": "pk = :p AND sk > :n",
        "ExpressionAttributeValues": {":p": {"S": "é"}, ":n": {"N": "1"}}, "Select": "COUNT"}"#;
    assert_eq!(json(&send(&engine, "Query", query)), r#"{"Count":2,"ScannedCount":2}"#);
}

#[wasm_bindgen_test]
fn bytes_go_in_as_they_are_and_come_out_as_base64() {
    let engine = engine();
    let put = object(
        r#"{"TableName": "Orders", "Item": {"pk": {"S": "b"}, "sk": {"N": "1"}, "bytes": {}}}"#,
    );
    let bytes = js_sys::Uint8Array::from([0, 255, 128].as_slice());
    let value = get(&get(&put, "Item"), "bytes");
    Reflect::set(&value, &"B".into(), &bytes).expect("an object takes any member");
    engine.send(&"PutItem".into(), &put).expect("the request is sound");
    let key = r#"{"TableName": "Orders", "Key": {"pk": {"S": "b"}, "sk": {"N": "1"}},
        "ProjectionExpression": "bytes"}"#;
    assert_eq!(json(&send(&engine, "GetItem", key)), r#"{"Item":{"bytes":{"B":"AP+A"}}}"#);
}

#[wasm_bindgen_test]
fn members_that_are_undefined_are_left_out() {
    let input = object("{}");
    Reflect::set(&input, &"Limit".into(), &JsValue::UNDEFINED).expect("an object takes any member");
    let reply = engine().send(&"ListTables".into(), &input).expect("nothing is required");
    assert_eq!(json(&reply), r#"{"TableNames":["Orders"]}"#);
}

#[wasm_bindgen_test]
fn a_refusal_is_an_error_named_as_the_exception() {
    let get_item = object(r#"{"TableName": "None", "Key": {"pk": {"S": "a"}}}"#);
    let error = refused(&empty(), &"GetItem".into(), &get_item);
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(text(&error, "name"), "ResourceNotFoundException");
    assert_eq!(text(&error, "message"), "Requested resource not found");
    assert_eq!(number(&error, "status"), Some(400.0));
    assert_eq!(json(&get(&error, "$metadata")), r#"{"httpStatusCode":400}"#);
    assert!(text(&error, "body").contains("#ResourceNotFoundException"));
}

#[wasm_bindgen_test]
fn a_condition_that_fails_carries_the_item() {
    let put = object(
        r#"{"TableName": "Orders", "Item": {"pk": {"S": "é"}, "sk": {"N": "1"}},
            "ConditionExpression": "attribute_not_exists(pk)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}"#,
    );
    let error = refused(&engine(), &"PutItem".into(), &put);
    assert_eq!(json(&get(&error, "Item")), r#"{"pk":{"S":"é"},"sk":{"N":"1"}}"#);
}

#[wasm_bindgen_test]
fn an_operation_that_does_not_exist_is_refused() {
    let error = refused(&empty(), &"GetItems".into(), &object("{}"));
    assert_eq!(text(&error, "name"), "UnknownOperationException");
}

#[wasm_bindgen_test]
fn a_request_left_out_is_an_empty_one() {
    let engine = empty();
    for input in [JsValue::UNDEFINED, JsValue::NULL] {
        let reply = engine.send(&"ListTables".into(), &input).expect("nothing is required");
        assert_eq!(json(&reply), r#"{"TableNames":[]}"#);
    }
}

#[wasm_bindgen_test]
fn an_argument_of_the_wrong_kind_is_a_type_error() {
    let engine = empty();
    for (operation, input) in [
        (JsValue::UNDEFINED, object("{}")),
        (JsValue::NULL, object("{}")),
        (1.into(), object("{}")),
        ("ListTables".into(), "{}".into()),
        ("ListTables".into(), 1.into()),
    ] {
        let error = refused(&engine, &operation, &input);
        assert!(error.is_instance_of::<js_sys::TypeError>());
    }
    assert!(engine.send_text(&JsValue::UNDEFINED, &JsValue::UNDEFINED).is_err());
    assert!(engine.send_text(&"DynamoDB_20120810.ListTables".into(), &object("{}")).is_err());
}

#[wasm_bindgen_test]
fn an_object_that_contains_itself_is_refused_as_too_deep() {
    let input = object("{}");
    Reflect::set(&input, &"Limit".into(), &input).expect("an object takes any member");
    let error = refused(&empty(), &"ListTables".into(), &input);
    assert_eq!(text(&error, "name"), "ValidationException");
}

#[wasm_bindgen_test]
fn the_endpoint_answers_refusals_instead_of_throwing_them() {
    let engine = engine();
    let answer = |target: &str, body: &str| {
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
fn a_post_is_answered_as_the_front_end_does() {
    let engine = engine();
    let headers =
        r#"{"content-type": "application/x-amz-json-1.1", "x-amz-date": "20260101T000000Z",
        "x-amz-target": "DynamoDB_20120810.ListTables", "authorization": "AWS4-HMAC-SHA256
        Credential=a, SignedHeaders=host, Signature=0"}"#
            .replace('\n', " ");
    let answer = |headers: &str, body: Option<&[u8]>| {
        let reply = engine.answer_post(&object(headers), "", body.map(<[u8]>::to_vec));
        (
            number(&reply, "status").expect("a number"),
            text(&reply, "contentType"),
            text(&reply, "body"),
        )
    };
    let json_1_1 = "application/x-amz-json-1.1".to_owned();
    let tables = r#"{"TableNames":["Orders"]}"#.to_owned();
    assert_eq!(answer(&headers, Some(b"{}")), (200.0, json_1_1, tables));
    let (_, _, broken) = answer(&headers, Some(b"{\"Limit\": \xFF}"));
    assert!(broken.contains("#SerializationException"));
    let unsigned = headers.replace("authorization", "x");
    assert!(answer(&unsigned, Some(b"{}")).2.contains("#MissingAuthenticationTokenException"));
    assert!((answer(&headers, None).0 - 413.0).abs() < f64::EPSILON);
    assert!((answer("{}", Some(b"{}")).0 - 404.0).abs() < f64::EPSILON);
}

#[wasm_bindgen_test]
fn an_option_that_is_wrong_is_a_type_error() {
    for options in [r#"{"delays": "slow"}"#, r#"{"region": 1}"#, r#"{"speed": "short"}"#, "1"] {
        let error = Engine::new(&object(options)).expect_err("the option is wrong");
        assert!(error.is_instance_of::<js_sys::TypeError>());
    }
    let engine = Engine::new(&object(r#"{"delays": "measured", "region": "eu-west-2"}"#));
    let reply = send(&engine.expect("both are offered"), "CreateTable", TABLE);
    let table = get(&reply, "TableDescription");
    assert_eq!(text(&table, "TableStatus"), "CREATING");
    assert!(text(&table, "TableArn").starts_with("arn:aws:dynamodb:eu-west-2:"));
}

#[wasm_bindgen_test]
fn engines_do_not_see_each_others_tables() {
    let _other = engine();
    assert_eq!(json(&send(&empty(), "ListTables", "{}")), r#"{"TableNames":[]}"#);
}
