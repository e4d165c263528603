//! TransactGetItems on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{
    TransactGetItem, TransactGetItemsRequest, TransactGetItemsResponse,
};

use super::{capacity, expression, transact};
use crate::constraint::{Constraints, Place, Refusal};
use crate::members::{Members, Read, Within};
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let return_consumed_capacity =
        capacity::return_consumed_capacity(&mut members, &mut constraints)?;
    let items =
        transact::elements(&mut members, "TransactGetItem", &mut constraints, transact_get_item)?;
    constraints.finish()?;
    let items = items.into_iter().flatten().collect();
    Ok(Request::TransactGetItems(TransactGetItemsRequest { items, return_consumed_capacity }))
}

/// Reads one element; none where it lacks its Get, which is noted.
fn transact_get_item(
    mut members: Members,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<Option<TransactGetItem>> {
    let place = place.member("Get");
    let get = constraints.required(members.take("Get"), &place);
    let read = |json| get_members(Members::read(json, "Get")?, &place, constraints);
    get.map(read).transpose().within("Get")
}

fn get_members(
    mut members: Members,
    place: &Place,
    constraints: &mut Constraints,
) -> Read<TransactGetItem> {
    let table = transact::table(&mut members, place, constraints)?;
    let key = constraints.required_item(members.item("Key")?, &place.member("Key"));
    let projection_expression = members.string("ProjectionExpression")?;
    let names = expression::names(&mut members)?;
    Ok(TransactGetItem { table, key, projection_expression, names })
}

pub(super) fn encode(response: &TransactGetItemsResponse, writer: &mut Writer) {
    writer.object(|object| {
        capacity::consumed_by_transaction(object, &response.consumed);
        object.member("Responses").list(&response.responses, |writer, item| {
            writer.object(|object| object.item("Item", item.as_ref()));
        });
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ReturnConsumedCapacity;
    use hashrange_types::{Operation::TransactGetItems, Response, TableReference};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, mismatch, refused, table};

    #[test]
    fn every_member_is_read() {
        let text = r##"{"TransactItems": [{"Get": {"TableName": "T",
            "Key": {"pk": {"S": "a"}, "n": {"N": "1.5"}}, "ProjectionExpression": "#a",
            "ExpressionAttributeNames": {"#a": "b"}}}], "ReturnConsumedCapacity": "TOTAL"}"##;
        let expected = TransactGetItemsRequest {
            items: vec![TransactGetItem {
                table: TableReference::by_name(table("T")),
                key: Ok(item()),
                projection_expression: Some("#a".to_owned()),
                names: Some(vec![("#a".into(), "b".into())]),
            }],
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        };
        assert_eq!(accepted(TransactGetItems, text), Request::TransactGetItems(expected));
    }

    #[test]
    fn a_transaction_has_1_to_100_elements() {
        let gets = |n: usize| {
            let get = r#"{"Get": {"TableName": "T", "Key": {"pk": {"S": "a"}}}}"#;
            format!(r#"{{"TransactItems": [{}]}}"#, vec![get; n].join(","))
        };
        accepted(TransactGetItems, &gets(100));
        assert_eq!(
            refused(TransactGetItems, &gets(0)),
            "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: \
             Member must have length greater than or equal to 1"
        );
        let message = refused(TransactGetItems, &gets(101));
        assert!(
            message.starts_with("1 validation error detected: Value '[Get, Get, "),
            "{message}"
        );
        assert!(
            message.ends_with(
                "]' at 'transactItems' failed to satisfy constraint: Member must have length less than \
                 or equal to 100"
            ),
            "{message}"
        );
        assert_eq!(
            refused(TransactGetItems, "{}"),
            "1 validation error detected: Value null at 'transactItems' failed to satisfy constraint: \
             Member must not be null"
        );
    }

    #[test]
    fn what_an_element_lacks_is_named_with_its_position() {
        assert_eq!(
            refused(TransactGetItems, r#"{"TransactItems": [{}]}"#),
            "1 validation error detected: Value null at 'transactItems.1.member.get' failed to satisfy \
             constraint: Member must not be null"
        );
        assert_eq!(
            refused(TransactGetItems, r#"{"TransactItems": [{"Get": {"TableName": "!"}}]}"#),
            "2 validation errors detected: Value '!' at 'transactItems.1.member.get.tableName' failed to \
             satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value \
             null at 'transactItems.1.member.get.key' failed to satisfy constraint: Member must not be \
             null"
        );
    }

    #[test]
    fn a_wrong_type_is_found_in_the_text() {
        let text = r#"{"TransactItems": [{"Get": {"TableName": 7}}]}"#;
        let (message, place) = mismatch(TransactGetItems, text);
        assert_eq!(message, "NUMBER_VALUE cannot be converted to String");
        assert_eq!(place, "7");
    }

    #[test]
    fn a_missing_item_is_an_empty_entry_and_capacity_says_that_it_is_of_reads() {
        let response = TransactGetItemsResponse {
            responses: vec![Some(item()), None],
            consumed: vec![consumed(ReturnConsumedCapacity::Indexes)],
        };
        assert_eq!(
            encoded(&Response::TransactGetItems(response)),
            r#"{"ConsumedCapacity":[{"TableName":"T","CapacityUnits":1.5,"ReadCapacityUnits":1.5,"Table":{"CapacityUnits":1.0,"ReadCapacityUnits":1.0},"GlobalSecondaryIndexes":{"i":{"CapacityUnits":0.5,"ReadCapacityUnits":0.5}}}],"Responses":[{"Item":{"pk":{"S":"a"},"n":{"N":"1.5"}}},{}]}"#
        );
    }
}
