//! BatchGetItem on the wire.
//!
//! Source: facts 3.5 and 4.10.1, 43.

use hashrange_types::limits::BATCH_GET_KEYS_MAX;
use hashrange_types::operation::{BatchGetItemRequest, BatchGetItemResponse, KeysAndAttributes};
use hashrange_types::{Request, SortedSet, ValidationError, sorted};

use super::{batch, capacity, expression, legacy};
use crate::constraint::{Constraints, Place, Refusal};
use crate::json::Json;
use crate::members::{Members, Read, Within};
use crate::value;
use crate::writer::{ObjectWriter, Writer};

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let return_consumed_capacity =
        capacity::return_consumed_capacity(&mut members, &mut constraints)?;
    let mut tables = Vec::new();
    for (name, json) in batch::request_items(&mut members, "KeysAndAttributes")? {
        let table = Members::read(json, "KeysAndAttributes")
            .and_then(|table| keys_and_attributes(table, &name, &mut constraints))
            .within(&name)
            .within(batch::REQUEST_ITEMS)?;
        tables.extend(table);
    }
    if tables.is_empty() && constraints.is_empty() {
        return Err(batch::missing("BatchGetItem").into());
    }
    constraints.finish()?;
    if tables.iter().map(|table| table.keys.len()).sum::<usize>() > BATCH_GET_KEYS_MAX {
        let message = "Too many items requested for the BatchGetItem call";
        return Err(ValidationError::new(message).at_member(&[batch::REQUEST_ITEMS]).into());
    }
    Ok(Request::BatchGetItem(BatchGetItemRequest { tables, return_consumed_capacity }))
}

/// Reads what is asked of one table; none where its name breaks a constraint.
fn keys_and_attributes(
    mut members: Members,
    name: &str,
    constraints: &mut Constraints,
) -> Read<Option<KeysAndAttributes>> {
    let parent = Place::Root.member(batch::REQUEST_ITEMS);
    let place = parent.entry(name);
    let table = batch::table(name, constraints);
    let mut spellings = SortedSet::new();
    let mut has_duplicates = false;
    let keys = members.deferred_list("Keys", |json| {
        let mut spelling = String::new();
        spell(&json, &mut spelling);
        has_duplicates |= !spellings.insert(spelling);
        value::item(json)
    })?;
    let keys = constraints.required(keys, &place.member("Keys"));
    let too_many_or_few = match keys.as_ref().map_or(1, Vec::len) {
        0 => Some("greater than or equal to 1"),
        1..=BATCH_GET_KEYS_MAX => None,
        _ => Some("less than or equal to 100"),
    };
    if let Some(rule) = too_many_or_few {
        let element = format!(
            "Value at 'RequestItems.{name}.member.Keys' failed to satisfy constraint: Member must \
             have length {rule}"
        );
        constraints.push(element, place.member("Keys").names());
    }
    let consistent_read = members.boolean("ConsistentRead")?.unwrap_or(false);
    let projection_expression = members.string("ProjectionExpression")?;
    let attributes_to_get = legacy::attributes_to_get(&mut members, constraints, &place)?;
    let names = expression::names(&mut members)?;
    let keys = keys.unwrap_or_default();
    let keys = keys.into_iter().map(|key| batch::deferred_within_table(key, name)).collect();
    Ok(table.map(|table| KeysAndAttributes {
        table,
        keys,
        consistent_read,
        projection_expression,
        attributes_to_get,
        names,
        has_duplicates,
    }))
}

/// Writes a key so that two read the same only if they are spelled alike but for the order of their attributes.
fn spell(json: &Json, out: &mut String) {
    match json {
        Json::Text(text) => spell_text(text, out),
        Json::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            sorted::sort_by(&mut entries, |(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (name, value) in entries {
                spell_text(name, out);
                spell(value, out);
            }
            out.push('}');
        }
        Json::List(values) => {
            out.push('[');
            for value in values {
                spell(value, out);
            }
            out.push(']');
        }
        // What is no text, such as a truth value, is in no key that a table has.
        _ => out.push(if *json == Json::Bool(true) { '1' } else { '0' }),
    }
}

/// Writes a text behind its length, so that no other text could continue it.
fn spell_text(text: &str, out: &mut String) {
    out.push_str(&text.len().to_string());
    out.push(':');
    out.push_str(text);
}

pub(super) fn encode(response: &BatchGetItemResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("Responses").object(|object| {
            for (table, items) in &response.responses {
                object.member(table).list(items, Writer::item);
            }
        });
        object.member("UnprocessedKeys").object(|object| {
            for keys in &response.unprocessed {
                object.member(&keys.table.given).object(|object| unprocessed(object, keys));
            }
        });
        capacity::consumed_list(object, &response.consumed);
    });
}

/// Writes keys that were not read as the request had them.
fn unprocessed(object: &mut ObjectWriter, keys: &KeysAndAttributes) {
    object.member("Keys").list(keys.keys.iter().flatten(), Writer::item);
    if keys.consistent_read {
        object.member("ConsistentRead").boolean(true);
    }
    if let Some(projection) = &keys.projection_expression {
        object.text("ProjectionExpression", projection);
    }
    if let Some(attributes) = &keys.attributes_to_get {
        object.member("AttributesToGet").list(attributes, |w, name| w.text(name));
    }
    if let Some(names) = &keys.names {
        object.member("ExpressionAttributeNames").object(|object| {
            for (token, name) in names {
                object.text(token, name);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ReturnConsumedCapacity;
    use hashrange_types::{Operation::BatchGetItem, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, mismatch, refused};

    fn keys(n: usize) -> String {
        vec![r#"{"pk": {"S": "a"}}"#; n].join(",")
    }

    #[test]
    fn tables_are_read_in_the_order_sent_and_written_back_the_same() {
        let tables = r##"{"B":{"Keys":[{"pk":{"S":"a"}}],"ConsistentRead":true,"ProjectionExpression":"#a","AttributesToGet":["b"],"ExpressionAttributeNames":{"#a":"b"}},"A":{"Keys":[{"pk":{"S":"b"}}]}}"##;
        let text = format!(r#"{{"RequestItems":{tables}}}"#);
        let Request::BatchGetItem(request) = accepted(BatchGetItem, &text) else { panic!() };
        let response = BatchGetItemResponse {
            responses: vec![("B".into(), vec![item()]), ("A".into(), vec![])],
            unprocessed: request.tables,
            consumed: vec![consumed(ReturnConsumedCapacity::None)],
        };
        assert_eq!(
            encoded(&Response::BatchGetItem(response)),
            format!(
                r#"{{"Responses":{{"B":[{{"pk":{{"S":"a"}},"n":{{"N":"1.5"}}}}],"A":[]}},"UnprocessedKeys":{tables}}}"#
            )
        );
    }

    #[test]
    fn capacity_is_a_list() {
        let response = BatchGetItemResponse {
            responses: vec![],
            unprocessed: vec![],
            consumed: vec![consumed(ReturnConsumedCapacity::Total)],
        };
        assert_eq!(
            encoded(&Response::BatchGetItem(response)),
            r#"{"Responses":{},"UnprocessedKeys":{},"ConsumedCapacity":[{"TableName":"T","CapacityUnits":1.5}]}"#
        );
    }

    #[test]
    fn a_batch_of_nothing_is_refused() {
        for text in ["{}", r#"{"RequestItems": {}}"#] {
            assert_eq!(
                refused(BatchGetItem, text),
                "The requestItems parameter is required for BatchGetItem"
            );
        }
    }

    #[test]
    fn one_table_takes_1_to_100_keys_and_so_does_the_batch() {
        let one = |n| format!(r#"{{"RequestItems": {{"T": {{"Keys": [{}]}}}}}}"#, keys(n));
        accepted(BatchGetItem, &one(100));
        assert_eq!(
            refused(BatchGetItem, &one(101)),
            "1 validation error detected: Value at 'RequestItems.T.member.Keys' failed to satisfy \
             constraint: Member must have length less than or equal to 100"
        );
        assert!(refused(BatchGetItem, &one(0)).ends_with("greater than or equal to 1"));
        let two = format!(
            r#"{{"RequestItems": {{"T": {{"Keys": [{}]}}, "U": {{"Keys": [{}]}}}}}}"#,
            keys(60),
            keys(41)
        );
        assert_eq!(
            refused(BatchGetItem, &two),
            "Too many items requested for the BatchGetItem call"
        );
    }

    #[test]
    fn a_key_stands_twice_only_where_it_is_spelled_alike() {
        let is_twice = |first: &str, second: &str| {
            let text = format!(r#"{{"RequestItems": {{"T": {{"Keys": [{first}, {second}]}}}}}}"#);
            let Request::BatchGetItem(request) = accepted(BatchGetItem, &text) else { panic!() };
            request.tables[0].has_duplicates
        };
        let number = |spelling: &str| format!(r#"{{"p": {{"N": "{spelling}"}}}}"#);
        assert!(is_twice(&number("1000"), &number("1000")));
        for other in ["1e3", "1000.0", "01000", "1E3", "10e2", "+1000"] {
            assert!(!is_twice(&number("1000"), &number(other)), "{other}");
        }
        let (pk, sk) = (r#""pk": {"S": "a"}"#, r#""sk": {"N": "1"}"#);
        let (there, back) = (format!("{{{pk}, {sk}}}"), format!("{{{sk}, {pk}}}"));
        assert!(is_twice(&there, &back), "the order of attributes is no spelling");
        assert!(is_twice(r#"{"pk": {"S": "\u0061"}}"#, r#"{"pk": {"S": "a"}}"#));
        assert!(!is_twice(r#"{"pk": {"S": "1"}}"#, r#"{"pk": {"N": "1"}}"#));
        assert!(!is_twice(r#"{"a": {"S": "b1:c"}}"#, r#"{"a": {"S": "b"}, "c": {"S": ""}}"#));
    }

    #[test]
    fn keys_must_be_there_and_tables_must_have_names() {
        let message = refused(BatchGetItem, r#"{"RequestItems": {"T": {}, "!": {"Keys": [{}]}}}"#);
        assert!(message.contains("Value null at 'requestItems.T.member.keys'"), "{message}");
        assert!(message.contains("Map keys must satisfy constraint"), "{message}");
    }

    #[test]
    fn a_key_that_is_wrong_is_found_in_the_text() {
        let text = r#"{"RequestItems": {"T": {"Keys": [{"pk": {"S": "a"}}, {"pk": {"N": "x"}}]}}}"#;
        let Request::BatchGetItem(request) = accepted(BatchGetItem, text) else { panic!() };
        let place = request.tables[0].keys[1].clone().unwrap_err().place.clone().unwrap();
        assert_eq!(crate::locate(text, &place).map(|range| &text[range]), Some("\"x\""));
        let text = r#"{"RequestItems": {"T": {"Keys": [{"pk": {"N": 7}}]}}}"#;
        assert_eq!(mismatch(BatchGetItem, text).1, "7");
    }
}
