//! Query on the wire, and what it shares with Scan.

use hashrange_types::operation::{
    PageResponse, QueryRequest, ReadRequest, ReturnConsumedCapacity, Select,
};
use hashrange_types::{Request, TableReference};

use super::{capacity, expression, legacy};
use crate::constraint::{self, Choices, Constraints, Place, Plane, Refusal};
use crate::members::{Members, Read};
use crate::writer::Writer;

const SELECT: &Choices<Select> = &[
    ("SPECIFIC_ATTRIBUTES", Select::SpecificAttributes),
    ("COUNT", Select::Count),
    ("ALL_ATTRIBUTES", Select::AllAttributes),
    ("ALL_PROJECTED_ATTRIBUTES", Select::AllProjectedAttributes),
];

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let table = members.text("TableName")?;
    let limit = members.integer("Limit")?;
    if limit.is_some_and(|limit| limit < 1) {
        // The one message of Query that keeps the member's own spelling and does not echo the value.
        constraints.push(
            "Value at 'Limit' failed to satisfy constraint: Member must have value greater than \
             or equal to 1"
                .to_owned(),
            vec!["Limit".to_owned()],
        );
    }
    let key_conditions = legacy::conditions(members, &mut constraints, "KeyConditions")?;
    let key_condition_expression = members.string("KeyConditionExpression")?;
    let scan_index_forward = members.boolean("ScanIndexForward")?.unwrap_or(true);
    let shared = Shared { filter: "QueryFilter", limit, return_consumed_capacity };
    let read = shared.read(members, &mut constraints)?;
    let table = constraint::table(table, Plane::Data)?;
    constraints.finish()?;
    let read = read(table);
    Ok(Request::Query(QueryRequest {
        read,
        key_condition_expression,
        key_conditions,
        scan_index_forward,
    }))
}

/// What was read before the members that Query and Scan share.
pub(super) struct Shared {
    /// `QueryFilter` or `ScanFilter`.
    pub(super) filter: &'static str,
    pub(super) limit: Option<i64>,
    pub(super) return_consumed_capacity: ReturnConsumedCapacity,
}

impl Shared {
    /// Reads the shared members; the table comes last because its name is checked last.
    pub(super) fn read(
        self,
        members: &mut Members,
        constraints: &mut Constraints,
    ) -> Read<impl FnOnce(TableReference) -> ReadRequest + use<>> {
        let index = constraints.index_name(members)?;
        let select = constraints.choice(members, "Select", SELECT, &Place::Root)?;
        let consistent_read = members.boolean("ConsistentRead")?.unwrap_or(false);
        let exclusive_start_key = members.item("ExclusiveStartKey")?;
        let filter_expression = members.string("FilterExpression")?;
        let projection_expression = members.string("ProjectionExpression")?;
        let names = expression::names(members)?;
        let values = expression::values(members)?;
        let attributes_to_get = legacy::attributes_to_get(members, constraints, &Place::Root)?;
        let filter = legacy::conditions(members, constraints, self.filter)?;
        let conditional_operator = legacy::conditional_operator(members, constraints)?;
        let limit = self
            .limit
            .map(|limit| u32::try_from(limit).unwrap_or(if limit < 0 { 0 } else { u32::MAX }));
        Ok(move |table| ReadRequest {
            table,
            index,
            select,
            limit,
            consistent_read,
            exclusive_start_key,
            filter_expression,
            projection_expression,
            names,
            values,
            attributes_to_get,
            filter,
            conditional_operator,
            return_consumed_capacity: self.return_consumed_capacity,
        })
    }
}

/// Writes a page of Query or Scan.
pub(super) fn encode(response: &PageResponse, writer: &mut Writer) {
    writer.object(|object| {
        if let Some(items) = &response.items {
            object.member("Items").list(items, Writer::item);
        }
        object.member("Count").integer(response.count.into());
        object.member("ScannedCount").integer(response.scanned_count.into());
        object.item("LastEvaluatedKey", response.last_evaluated_key.as_ref());
        capacity::consumed(object, &response.consumed);
    });
}
