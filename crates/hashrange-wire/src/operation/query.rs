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

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ComparisonOperator;
    use hashrange_types::{Operation::Query, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, index, item, mismatch, refused};

    #[test]
    fn every_member_is_read() {
        let text = r#"{"TableName": "T", "IndexName": "i", "Select": "COUNT", "Limit": 5,
            "ConsistentRead": true, "ScanIndexForward": false, "FilterExpression": "f",
            "KeyConditionExpression": "k", "ProjectionExpression": "p",
            "ExclusiveStartKey": {"pk": {"S": "a"}, "n": {"N": "1.5"}},
            "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}},
            "QueryFilter": {"b": {"ComparisonOperator": "NULL"}}}"#;
        let Request::Query(request) = accepted(Query, text) else { panic!() };
        let read = request.read;
        assert_eq!(read.index, Some(index("i")));
        assert_eq!((read.select, read.limit), (Some(Select::Count), Some(5)));
        assert_eq!(read.exclusive_start_key, Some(Ok(item())));
        assert_eq!(read.filter_expression.as_deref(), Some("f"));
        assert_eq!(read.projection_expression.as_deref(), Some("p"));
        assert_eq!(read.filter.unwrap()[0].operator, ComparisonOperator::Null);
        assert!(read.consistent_read && !request.scan_index_forward);
        assert_eq!(request.key_condition_expression.as_deref(), Some("k"));
        assert_eq!(request.key_conditions.unwrap()[0].operator, ComparisonOperator::Eq);
    }

    #[test]
    fn sort_keys_ascend_unless_the_request_says_otherwise() {
        let Request::Query(request) = accepted(Query, r#"{"TableName": "T"}"#) else { panic!() };
        assert!(request.scan_index_forward);
    }

    #[test]
    fn a_limit_below_one_is_refused_in_querys_own_words() {
        assert_eq!(
            refused(Query, r#"{"TableName": "T", "Limit": 0}"#),
            "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member \
             must have value greater than or equal to 1"
        );
    }

    #[test]
    fn a_limit_that_is_no_number_is_a_matter_of_types_and_a_huge_one_is_no_limit() {
        let (message, place) = mismatch(Query, r#"{"TableName": "T", "Limit": "ten"}"#);
        assert_eq!(message, "STRING_VALUE cannot be converted to Integer");
        assert_eq!(place, "\"ten\"");
        let text = r#"{"TableName": "T", "Limit": 1e30}"#;
        let Request::Query(request) = accepted(Query, text) else { panic!() };
        assert_eq!(request.read.limit, Some(u32::MAX));
    }

    #[test]
    fn select_and_the_name_of_the_index_are_constrained() {
        let message = refused(Query, r#"{"TableName": "T", "IndexName": "", "Select": "X"}"#);
        assert!(message.starts_with("2 validation errors detected: "), "{message}");
        assert!(message.contains(
            "enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
        ));
        assert!(message.contains("Value '' at 'indexName'"));
    }

    #[test]
    fn a_legacy_condition_must_name_its_operator() {
        let text = r#"{"TableName": "T", "KeyConditions": {"a": {}}}"#;
        assert!(
            refused(Query, text)
                .contains("Value null at 'keyConditions.a.member.comparisonOperator'")
        );
    }

    #[test]
    fn a_page_without_items_is_a_count() {
        let mut page = PageResponse {
            items: None,
            count: 1,
            scanned_count: 2,
            last_evaluated_key: None,
            consumed: consumed(ReturnConsumedCapacity::None),
        };
        let count = encoded(&Response::Query(page.clone()));
        assert_eq!(count, r#"{"Count":1,"ScannedCount":2}"#);
        page.items = Some(vec![item()]);
        page.last_evaluated_key = Some(item());
        let item = r#"{"pk":{"S":"a"},"n":{"N":"1.5"}}"#;
        assert_eq!(
            encoded(&Response::Scan(page)),
            format!(r#"{{"Items":[{item}],"Count":1,"ScannedCount":2,"LastEvaluatedKey":{item}}}"#)
        );
    }
}
