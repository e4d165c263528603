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
