//! DeleteItem on the wire.

use hashrange_types::Request;
use hashrange_types::operation::{DeleteItemRequest, DeleteItemResponse};

use super::{capacity, expression, legacy, return_values};
use crate::constraint::{self, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let table = members.text("TableName")?;
    let key = constraints.required_item(members.item("Key")?, &Place::Root.member("Key"));
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
    Ok(Request::DeleteItem(DeleteItemRequest {
        table,
        key,
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

pub(super) fn encode(response: &DeleteItemResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.item("Attributes", response.attributes.as_ref());
        capacity::consumed(object, &response.consumed);
        capacity::collection_metrics(object, response.item_collection_metrics.as_ref());
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::Operation::DeleteItem;

    use crate::expect::{accepted, item, refused};
    use hashrange_types::Request;

    #[test]
    fn the_key_is_read_and_must_be_there() {
        let text = r#"{"TableName": "T", "Key": {"pk": {"S": "a"}, "n": {"N": "1.5"}}}"#;
        let Request::DeleteItem(request) = accepted(DeleteItem, text) else { panic!() };
        assert_eq!(request.key, Ok(item()));
        assert!(refused(DeleteItem, r#"{"TableName": "T"}"#).contains("Value null at 'key'"));
    }
}
