//! TransactWriteItems on the wire.

use hashrange_types::limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX;
use hashrange_types::operation::{
    TransactAction, TransactWriteItem, TransactWriteItemsRequest, TransactWriteItemsResponse,
};
use hashrange_types::{Deferred, Request, ValidationError};

use super::{capacity, expression, return_values, transact};
use crate::constraint::{Constraints, Place, Refusal};
use crate::members::{Members, Read};
use crate::writer::Writer;

/// What an element can do.
const ACTIONS: [&str; 4] = ["ConditionCheck", "Put", "Delete", "Update"];

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let return_consumed_capacity =
        capacity::return_consumed_capacity(&mut members, &mut constraints)?;
    let returns_collection_metrics =
        capacity::returns_collection_metrics(&mut members, &mut constraints)?;
    let token = members.text("ClientRequestToken")?;
    if let Some(token) = &token {
        let place = Place::Root.member("ClientRequestToken");
        let legal = (1, CLIENT_REQUEST_TOKEN_LENGTH_MAX);
        constraints.length(token.chars().count(), legal, &place, || token.to_string());
    }
    let items = transact::elements(
        &mut members,
        "TransactWriteItem",
        &mut constraints,
        transact_write_item,
    )?;
    constraints.finish()?;
    Ok(Request::TransactWriteItems(TransactWriteItemsRequest {
        items: items.into_iter().collect::<Result<_, _>>()?,
        client_request_token: token.map(Into::into),
        return_consumed_capacity,
        returns_collection_metrics,
    }))
}

/// Reads one element. One that has no action or several is an error that waits for the constraints.
fn transact_write_item(
    mut members: Members,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<Deferred<TransactWriteItem>> {
    let mut found = None;
    let mut n_found = 0;
    for name in ACTIONS {
        let item = members.read_with(name, |json| {
            let members = Members::read(json, name)?;
            action_members(members, name, &place.member(name), constraints)
        })?;
        n_found += usize::from(item.is_some());
        found = item.or(found);
    }
    let refused = || {
        let message = "TransactItems can only contain one of Check, Put, Update or Delete";
        let mut error = ValidationError::new(message);
        error.place = Some(hashrange_types::ErrorPlace::Member(place.names()));
        error
    };
    Ok(found.filter(|_| n_found == 1).ok_or_else(refused))
}

/// Reads the members of the action called `name`.
fn action_members(
    mut members: Members,
    name: &str,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<TransactWriteItem> {
    let members = &mut members;
    let table = transact::table(members, place, constraints)?;
    let content = if name == "Put" { "Item" } else { "Key" };
    let item = constraints.required_item(members.item(content)?, &place.member(content));
    let update_expression = members.string("UpdateExpression")?;
    let condition_expression = members.string("ConditionExpression")?;
    let action = match name {
        "Put" => TransactAction::Put { item },
        "Delete" => TransactAction::Delete { key: item },
        "Update" => {
            let place = place.member("UpdateExpression");
            let update_expression = constraints.required(update_expression, &place);
            let update_expression = update_expression.unwrap_or_default();
            TransactAction::Update { key: item, update_expression }
        }
        _ => {
            constraints
                .required(condition_expression.as_ref(), &place.member("ConditionExpression"));
            TransactAction::ConditionCheck { key: item }
        }
    };
    let names = expression::names(members)?;
    let values = expression::values(members)?;
    let returns_item_on_failure =
        return_values::returns_item_on_failure_of(members, constraints, place)?;
    Ok(TransactWriteItem {
        table,
        action,
        condition_expression,
        names,
        values,
        returns_item_on_failure,
    })
}

pub(super) fn encode(response: &TransactWriteItemsResponse, writer: &mut Writer) {
    writer.object(|object| {
        capacity::consumed_by_transaction(object, &response.consumed);
        capacity::collection_metrics_by_table(object, response.item_collection_metrics.as_ref());
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{ItemCollectionMetrics, ReturnConsumedCapacity};
    use hashrange_types::{AttributeValue, Operation::TransactWriteItems, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, mismatch, refused};

    fn elements(elements: &str) -> String {
        format!(r#"{{"TransactItems": [{elements}]}}"#)
    }

    fn request(text: &str) -> TransactWriteItemsRequest {
        let Request::TransactWriteItems(request) = accepted(TransactWriteItems, text) else {
            panic!("another request was read")
        };
        request
    }

    #[test]
    fn every_member_is_read() {
        let text = r##"{"TransactItems": [
            {"Put": {"TableName": "T", "Item": {"pk": {"S": "a"}, "n": {"N": "1.5"}},
                "ConditionExpression": "#a = :v", "ExpressionAttributeNames": {"#a": "b"},
                "ExpressionAttributeValues": {":v": {"BOOL": true}},
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
            {"Update": {"TableName": "T", "Key": {"pk": {"S": "b"}}, "UpdateExpression": "SET a = b"}},
            {"Delete": {"TableName": "T", "Key": {"pk": {"S": "c"}}}},
            {"ConditionCheck": {"TableName": "T", "Key": {"pk": {"S": "d"}},
                "ConditionExpression": "attribute_exists(pk)"}, "Put": null}],
            "ClientRequestToken": "t", "ReturnConsumedCapacity": "INDEXES",
            "ReturnItemCollectionMetrics": "SIZE"}"##;
        let request = request(text);
        let names: Vec<&str> = request.items.iter().map(|item| item.action.name()).collect();
        assert_eq!(names, ["Put", "Update", "Delete", "ConditionCheck"]);
        let put = &request.items[0];
        assert_eq!(put.action, TransactAction::Put { item: Ok(item()) });
        assert_eq!(put.condition_expression.as_deref(), Some("#a = :v"));
        assert_eq!(put.names.as_ref().unwrap()[0], ("#a".into(), "b".into()));
        assert_eq!(put.values.as_ref().unwrap()[0].1, Ok(AttributeValue::Bool(true)));
        assert!(put.returns_item_on_failure && !request.items[1].returns_item_on_failure);
        let TransactAction::Update { update_expression, .. } = &request.items[1].action else {
            panic!("the second element is an Update")
        };
        assert_eq!(update_expression, "SET a = b");
        assert_eq!(request.client_request_token.as_deref(), Some("t"));
        assert_eq!(request.return_consumed_capacity, ReturnConsumedCapacity::Indexes);
        assert!(request.returns_collection_metrics);
    }

    #[test]
    fn an_element_is_one_action() {
        let put = r#""Put": {"TableName": "T", "Item": {}}"#;
        let delete = r#""Delete": {"TableName": "T", "Key": {}}"#;
        for element in ["{}".to_owned(), format!("{{{put}, {delete}}}")] {
            assert_eq!(
                refused(TransactWriteItems, &elements(&element)),
                "TransactItems can only contain one of Check, Put, Update or Delete"
            );
        }
    }

    #[test]
    fn what_an_action_lacks_is_named_with_its_position() {
        let lacks = |element: &str, member: &str| {
            assert_eq!(
                refused(TransactWriteItems, &elements(element)),
                format!(
                    "1 validation error detected: Value null at 'transactItems.1.member.{member}' failed to \
                     satisfy constraint: Member must not be null"
                )
            );
        };
        lacks(r#"{"Put": {"TableName": "T"}}"#, "put.item");
        lacks(r#"{"Put": {"Item": {}}}"#, "put.tableName");
        lacks(r#"{"Delete": {"TableName": "T"}}"#, "delete.key");
        lacks(r#"{"Update": {"TableName": "T", "Key": {}}}"#, "update.updateExpression");
        lacks(
            r#"{"ConditionCheck": {"TableName": "T", "Key": {}}}"#,
            "conditionCheck.conditionExpression",
        );
    }

    #[test]
    fn bad_enumerations_of_an_element_are_reported_with_the_others() {
        let text = r#"{"TransactItems": [{"Put": {"TableName": "T", "Item": {},
            "ReturnValuesOnConditionCheckFailure": "none"}}], "ReturnItemCollectionMetrics": "x"}"#;
        let message = refused(TransactWriteItems, text);
        assert!(message.starts_with("2 validation errors detected: "), "{message}");
        assert!(
            message.contains(
                "Value 'none' at 'transactItems.1.member.put.returnValuesOnConditionCheckFailure' failed \
                 to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"
            ),
            "{message}"
        );
    }

    #[test]
    fn a_token_has_1_to_36_characters() {
        let with_token = |token: &str| {
            format!(
                r#"{{"TransactItems": [{{"Delete": {{"TableName": "T", "Key": {{}}}}}}], "ClientRequestToken": "{token}"}}"#
            )
        };
        accepted(TransactWriteItems, &with_token(&"é".repeat(36)));
        assert_eq!(
            refused(TransactWriteItems, &with_token("")),
            "1 validation error detected: Value '' at 'clientRequestToken' failed to satisfy constraint: \
             Member must have length greater than or equal to 1"
        );
        assert!(
            refused(TransactWriteItems, &with_token(&"t".repeat(37)))
                .ends_with("Member must have length less than or equal to 36")
        );
    }

    #[test]
    fn a_transaction_has_1_to_100_elements() {
        let deletes =
            vec![r#"{"Delete": {"TableName": "T", "Key": {"pk": {"S": "a"}}}}"#; 101].join(",");
        let message = refused(TransactWriteItems, &elements(&deletes));
        assert!(message.contains("Value '[Delete, Delete"), "{message}");
        assert!(message.ends_with("Member must have length less than or equal to 100"));
        assert!(
            refused(TransactWriteItems, &elements("")).contains("Value '[]' at 'transactItems'")
        );
    }

    #[test]
    fn a_wrong_type_is_found_in_the_text() {
        let text = elements(
            r##"{"Put": {"TableName": "T", "Item": {}, "ExpressionAttributeNames": {"#x": 7}}}"##,
        );
        assert_eq!(mismatch(TransactWriteItems, &text).1, "7");
        let text = elements("[]");
        assert_eq!(
            mismatch(TransactWriteItems, &text).0,
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.TransactWriteItem"
        );
    }

    #[test]
    fn a_response_without_anything_asked_for_is_empty() {
        let mut response = TransactWriteItemsResponse {
            item_collection_metrics: None,
            consumed: vec![consumed(ReturnConsumedCapacity::None)],
        };
        assert_eq!(encoded(&Response::TransactWriteItems(response.clone())), "{}");
        response.consumed[0].is_write = true;
        response.consumed[0].shown = ReturnConsumedCapacity::Total;
        response.item_collection_metrics = Some(vec![(
            "T".into(),
            vec![ItemCollectionMetrics {
                item_collection_key: item(),
                size_estimate_range_gb: [0.0, 1.0],
            }],
        )]);
        assert_eq!(
            encoded(&Response::TransactWriteItems(response)),
            r#"{"ConsumedCapacity":[{"TableName":"T","CapacityUnits":1.5,"WriteCapacityUnits":1.5}],"ItemCollectionMetrics":{"T":[{"ItemCollectionKey":{"pk":{"S":"a"},"n":{"N":"1.5"}},"SizeEstimateRangeGB":[0.0,1.0]}]}}"#
        );
    }
}
