//! PutItem on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{PutItemRequest, PutItemResponse};

use super::{capacity, expression, legacy, return_values};
use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let table = members.text("TableName")?;
    let item = constraints.required_item(members.item("Item")?, &Place::Root.member("Item"));
    let return_values = return_values::return_values(members, &mut constraints)?;
    let returns_collection_metrics =
        capacity::returns_collection_metrics(members, &mut constraints)?;
    let returns_item_on_failure =
        return_values::returns_item_on_failure(members, &mut constraints)?;
    let conditional_operator = legacy::conditional_operator(members, &mut constraints)?;
    let expected = legacy::expected(members, &mut constraints)?;
    let condition_expression = members.string("ConditionExpression")?;
    let names = expression::names(members)?;
    let values = expression::values(members)?;
    let table = constraint::table(table, Plane::Data)?;
    constraints.finish()?;
    Ok(Request::PutItem(PutItemRequest {
        table,
        item,
        condition_expression,
        names,
        values,
        expected,
        conditional_operator,
        return_values,
        returns_item_on_failure,
        return_consumed_capacity,
        returns_collection_metrics,
    }))
}

pub(super) fn encode(response: &PutItemResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.item("Attributes", response.attributes.as_ref());
        capacity::consumed(object, &response.consumed);
        capacity::collection_metrics(object, response.item_collection_metrics.as_ref());
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{
        ComparisonOperator, ConditionalOperator, ItemCollectionMetrics, ReturnConsumedCapacity,
        ReturnValues,
    };
    use hashrange_types::{AttributeValue, Operation::PutItem, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, mismatch, refused};

    #[test]
    fn every_member_is_read() {
        let text = r##"{"TableName": "T", "Item": {"pk": {"S": "a"}, "n": {"N": "1.50"}},
            "ConditionExpression": "#a = :v", "ExpressionAttributeNames": {"#a": "b"},
            "ExpressionAttributeValues": {":v": {"BOOL": true}, ":w": {"N": "x"}},
            "ConditionalOperator": "OR", "ReturnValues": "ALL_OLD",
            "Expected": {"a": {"Exists": false}, "b": {"ComparisonOperator": "BETWEEN",
                "AttributeValueList": [{"N": "1"}, {}]}},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD", "ReturnConsumedCapacity": "INDEXES",
            "ReturnItemCollectionMetrics": "SIZE"}"##;
        let Request::PutItem(request) = accepted(PutItem, text) else { panic!() };
        assert_eq!(request.item, Ok(item()));
        assert_eq!(request.condition_expression.as_deref(), Some("#a = :v"));
        let values = request.values.unwrap();
        assert_eq!(values[0], (":v".into(), Ok(AttributeValue::Bool(true))));
        let place = values[1].1.as_ref().unwrap_err().place.clone().unwrap();
        assert_eq!(crate::locate(text, &place).map(|range| &text[range]), Some("\"x\""));
        assert_eq!(request.conditional_operator, Some(ConditionalOperator::Or));
        assert_eq!(request.return_values, ReturnValues::AllOld);
        assert!(request.returns_item_on_failure && request.returns_collection_metrics);
        assert_eq!(request.return_consumed_capacity, ReturnConsumedCapacity::Indexes);
        let expected = request.expected.unwrap();
        assert_eq!((expected[0].attribute.as_str(), expected[0].exists), ("a", Some(false)));
        assert_eq!(expected[1].operator, Some(ComparisonOperator::Between));
        let list = expected[1].values.as_ref().unwrap();
        let place = list[1].as_ref().unwrap_err().place.clone().unwrap();
        assert_eq!(crate::locate(text, &place).map(|range| &text[range]), Some("{}"));
    }

    #[test]
    fn all_bad_enumerations_are_reported_together() {
        let message = refused(
            PutItem,
            r#"{"TableName": "T", "Item": {}, "ReturnConsumedCapacity": "A",
                "ReturnItemCollectionMetrics": "B", "ReturnValues": "C"}"#,
        );
        assert!(message.starts_with("3 validation errors detected: "), "{message}");
        for element in [
            "Value 'B' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must \
             satisfy enum value set: [SIZE, NONE]",
            "Value 'C' at 'returnValues' failed to satisfy constraint: Member must satisfy enum \
             value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
        ] {
            assert!(message.contains(element), "{message}");
        }
    }

    #[test]
    fn at_most_ten_broken_constraints_are_listed() {
        let expected: Vec<String> =
            (0..12).map(|n| format!(r#""a{n}": {{"ComparisonOperator": "X"}}"#)).collect();
        let text = format!(
            r#"{{"TableName": "T", "Item": {{}}, "Expected": {{{}}}}}"#,
            expected.join(",")
        );
        let message = refused(PutItem, &text);
        assert!(message.starts_with("10 validation errors detected: "), "{message}");
        assert!(message.contains("Value 'X' at 'expected.a0.member.comparisonOperator'"));
    }

    #[test]
    fn a_wrong_type_deep_in_an_item_is_found_in_the_text() {
        let text = r#"{"TableName": "T", "Item": {"a": {"M": {"b": {"L": [{"S": ["x"]}]}}}}}"#;
        let (message, place) = mismatch(PutItem, text);
        assert_eq!(message, "Unrecognized collection type class java.lang.String");
        assert_eq!(place, r#"["x"]"#);
    }

    #[test]
    fn a_response_holds_what_there_is() {
        let mut response = PutItemResponse {
            attributes: None,
            consumed: consumed(ReturnConsumedCapacity::None),
            item_collection_metrics: None,
        };
        assert_eq!(encoded(&Response::PutItem(response.clone())), "{}");
        response.attributes = Some(item());
        response.item_collection_metrics = Some(ItemCollectionMetrics {
            item_collection_key: item(),
            size_estimate_range_gb: [0.0, 1.0],
        });
        let item = r#"{"pk":{"S":"a"},"n":{"N":"1.5"}}"#;
        assert_eq!(
            encoded(&Response::PutItem(response)),
            format!(
                r#"{{"Attributes":{item},"ItemCollectionMetrics":{{"ItemCollectionKey":{item},"SizeEstimateRangeGB":[0.0,1.0]}}}}"#
            )
        );
    }
}
