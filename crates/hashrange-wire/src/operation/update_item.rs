//! UpdateItem on the wire.
//!
//! Since the middle of 2026 UpdateItem reports only the first broken constraint, ReturnValues before the
//! others (facts 4.10.2); hence the order below.

use hashrange_types::Request;
use hashrange_types::operation::{UpdateItemRequest, UpdateItemResponse};

use super::{capacity, expression, legacy, return_values};
use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let return_values = return_values::return_values(members, &mut constraints)?;
    let key = constraints.required_item(members.item("Key")?, &Place::Root.member("Key"));
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let returns_collection_metrics =
        capacity::returns_collection_metrics(members, &mut constraints)?;
    let returns_item_on_failure =
        return_values::returns_item_on_failure(members, &mut constraints)?;
    let conditional_operator = legacy::conditional_operator(members, &mut constraints)?;
    let attribute_updates = legacy::attribute_updates(members, &mut constraints)?;
    let expected = legacy::expected(members, &mut constraints)?;
    let update_expression = members.string("UpdateExpression")?;
    let condition_expression = members.string("ConditionExpression")?;
    let names = expression::names(members)?;
    let values = expression::values(members)?;
    let table = constraint::table(table, Plane::Data)?;
    constraints.finish()?;
    Ok(Request::UpdateItem(UpdateItemRequest {
        table,
        key,
        update_expression,
        condition_expression,
        names,
        values,
        attribute_updates,
        expected,
        conditional_operator,
        return_values,
        returns_item_on_failure,
        return_consumed_capacity,
        returns_collection_metrics,
    }))
}

pub(super) fn encode(response: &UpdateItemResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.item("Attributes", response.attributes.as_ref());
        capacity::consumed(object, &response.consumed);
        capacity::collection_metrics(object, response.item_collection_metrics.as_ref());
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::UpdateItem;
    use hashrange_types::operation::{AttributeAction, ReturnValues};

    use super::*;
    use crate::expect::{accepted, refused};

    #[test]
    fn both_ways_to_say_an_update_are_read() {
        let text = r#"{"TableName": "T", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET a = :v",
            "AttributeUpdates": {"a": {"Value": {"N": "1"}}, "b": {"Action": "DELETE"}},
            "ReturnValues": "UPDATED_NEW"}"#;
        let Request::UpdateItem(request) = accepted(UpdateItem, text) else { panic!() };
        assert_eq!(request.update_expression.as_deref(), Some("SET a = :v"));
        assert_eq!(request.return_values, ReturnValues::UpdatedNew);
        let updates = request.attribute_updates.unwrap();
        assert_eq!(
            (updates[0].action, updates[1].action),
            (AttributeAction::Put, AttributeAction::Delete)
        );
        assert_eq!(updates[1].value, None);
    }

    #[test]
    fn only_the_first_bad_enumeration_is_reported() {
        let message = refused(
            UpdateItem,
            r#"{"TableName": "T", "Key": {}, "ReturnConsumedCapacity": "A", "ReturnValues": "C"}"#,
        );
        assert!(message.starts_with("1 validation error detected: Value 'C' at 'returnValues'"));
        assert!(!message.contains(';'), "{message}");
    }
}
