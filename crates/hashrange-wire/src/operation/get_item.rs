//! GetItem on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{GetItemRequest, GetItemResponse};

use super::{capacity, expression, legacy};
use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let return_consumed_capacity =
        capacity::return_consumed_capacity(&mut members, &mut constraints)?;
    let table = members.text("TableName")?;
    let key = constraints.required_item(members.item("Key")?, &Place::Root.member("Key"));
    let consistent_read = members.boolean("ConsistentRead")?.unwrap_or(false);
    let projection_expression = members.string("ProjectionExpression")?;
    let attributes_to_get =
        legacy::attributes_to_get(&mut members, &mut constraints, &Place::Root)?;
    let names = expression::names(&mut members)?;
    let table = constraint::table(table, Plane::Data)?;
    constraints.finish()?;
    Ok(Request::GetItem(GetItemRequest {
        table,
        key,
        consistent_read,
        projection_expression,
        attributes_to_get,
        names,
        return_consumed_capacity,
    }))
}

pub(super) fn encode(response: &GetItemResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.item("Item", response.item.as_ref());
        capacity::consumed(object, &response.consumed);
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ReturnConsumedCapacity;
    use hashrange_types::{Operation::GetItem, Response, TableReference};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, mismatch, refused, table};

    #[test]
    fn every_member_is_read() {
        let request = accepted(
            GetItem,
            r##"{"TableName": "T", "Key": {"pk": {"S": "a"}, "n": {"N": "1.5"}}, "ConsistentRead": true,
            "ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "b"},
            "AttributesToGet": ["c"], "ReturnConsumedCapacity": "TOTAL", "Unknown": [1]}"##,
        );
        let expected = GetItemRequest {
            table: TableReference::by_name(table("T")),
            key: Ok(item()),
            consistent_read: true,
            projection_expression: Some("#a".to_owned()),
            attributes_to_get: Some(vec!["c".into()]),
            names: Some(vec![("#a".into(), "b".into())]),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        };
        assert_eq!(request, Request::GetItem(expected));
    }

    #[test]
    fn a_null_member_is_absent() {
        let text = r#"{"TableName": "T", "Key": {}, "ConsistentRead": null, "ProjectionExpression": null}"#;
        let Request::GetItem(request) = accepted(GetItem, text) else { panic!() };
        assert_eq!((request.consistent_read, request.projection_expression), (false, None));
    }

    #[test]
    fn a_missing_table_name_is_reported_alone() {
        assert_eq!(
            refused(GetItem, r#"{"ReturnConsumedCapacity": "X"}"#),
            "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: \
             Member must not be null"
        );
    }

    #[test]
    fn a_missing_key_and_a_bad_enumeration_are_reported_together() {
        let message = refused(GetItem, r#"{"TableName": "T", "ReturnConsumedCapacity": "X"}"#);
        assert_eq!(
            message,
            "2 validation errors detected: Value 'X' at 'returnConsumedCapacity' failed to satisfy \
             constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value null at \
             'key' failed to satisfy constraint: Member must not be null"
        );
    }

    #[test]
    fn a_wrong_type_comes_before_every_constraint_and_knows_its_place() {
        let text = r#"{"Key": {"pk": {"S": 1}}, "ReturnConsumedCapacity": "X"}"#;
        let (message, place) = mismatch(GetItem, text);
        assert_eq!(message, "NUMBER_VALUE cannot be converted to String");
        assert_eq!(place, "1");
    }

    #[test]
    fn each_wrong_type_has_its_message() {
        for (text, message) in [
            (r#"{"TableName": true}"#, "TRUE_VALUE cannot be converted to String"),
            (r#"{"TableName": 1.5}"#, "DECIMAL_VALUE cannot be converted to String"),
            (r#"{"TableName": {}}"#, "Start of structure or map found where not expected"),
            (r#"{"TableName": []}"#, "Unrecognized collection type class java.lang.String"),
            (r#"{"Key": "oops"}"#, "Unexpected field type"),
            (r#"{"AttributesToGet": {}}"#, "Start of structure or map found where not expected"),
            (r#"{"ConsistentRead": 1}"#, "NUMBER_VALUE cannot be converted to Boolean"),
        ] {
            assert_eq!(mismatch(GetItem, text).0, message, "{text}");
        }
    }

    #[test]
    fn a_key_that_breaks_a_rule_waits_for_the_plan() {
        let text = r#"{"TableName": "T", "Key": {"pk": {"N": "x"}}}"#;
        let Request::GetItem(request) = accepted(GetItem, text) else { panic!() };
        let place = request.key.unwrap_err().place.clone().unwrap();
        assert_eq!(crate::locate(text, &place).map(|range| &text[range]), Some("\"x\""));
    }

    #[test]
    fn a_table_may_be_named_by_its_arn_which_is_kept_as_given() {
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders";
        let text = format!(r#"{{"TableName": "{arn}", "Key": {{}}}}"#);
        let Request::GetItem(request) = accepted(GetItem, &text) else { panic!() };
        assert_eq!(request.table.name, table("Orders"));
        assert_eq!(request.table.given, arn);
        let text = r#"{"TableName": "arn:aws:s3:::x", "Key": {}}"#;
        assert!(refused(GetItem, text).ends_with("pattern: [a-zA-Z0-9_.-]+"));
    }

    #[test]
    fn the_rules_of_a_table_name_are_its_length_and_its_characters() {
        let refused = |name: &str| {
            let message = refused(GetItem, &format!(r#"{{"TableName": "{name}"}}"#));
            message.split("constraint: ").nth(1).unwrap().to_owned()
        };
        assert_eq!(refused(""), "Member must have length greater than or equal to 1");
        assert_eq!(refused(&"a".repeat(256)), "Member must have length less than or equal to 255");
        assert_eq!(
            refused("x!"),
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        );
    }

    fn reply(item: Option<hashrange_types::Item>, shown: ReturnConsumedCapacity) -> String {
        encoded(&Response::GetItem(GetItemResponse { item, consumed: consumed(shown) }))
    }

    #[test]
    fn a_missing_item_is_no_member() {
        assert_eq!(reply(None, ReturnConsumedCapacity::None), "{}");
    }

    #[test]
    fn capacity_is_written_as_far_as_it_was_asked_for() {
        assert_eq!(
            reply(Some(item()), ReturnConsumedCapacity::Total),
            r#"{"Item":{"pk":{"S":"a"},"n":{"N":"1.5"}},"ConsumedCapacity":{"TableName":"T","CapacityUnits":1.5}}"#
        );
        assert_eq!(
            reply(None, ReturnConsumedCapacity::Indexes),
            r#"{"ConsumedCapacity":{"TableName":"T","CapacityUnits":1.5,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"i":{"CapacityUnits":0.5}}}}"#
        );
    }
}
