//! ExecuteStatement on the wire. Its NextToken is base64 of what the engine gives.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hashrange_types::Request;
use hashrange_types::limits::NEXT_TOKEN_LENGTH_MAX;
use hashrange_types::operation::{ExecuteStatementRequest, ExecuteStatementResponse};

use super::{capacity, statement};
use crate::constraint::{Constraints, Place, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let statement = statement::parameterized(members, &Place::Root, &mut constraints)?;
    let next_token = members.text("NextToken")?;
    if let Some(token) = &next_token {
        let place = Place::Root.member("NextToken");
        let legal = (1, NEXT_TOKEN_LENGTH_MAX);
        constraints.length(token.chars().count(), legal, &place, || token.to_string());
    }
    let limit = members.integer("Limit")?;
    if let Some(limit) = limit {
        constraints.range(limit, 1, i64::MAX, &Place::Root.member("Limit"));
    }
    constraints.finish()?;
    Ok(Request::ExecuteStatement(ExecuteStatementRequest {
        statement,
        next_token: next_token
            .map(|token| STANDARD.decode(token.as_bytes()).map_or(Bytes::new(), Bytes::from)),
        limit: limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX)),
        return_consumed_capacity,
    }))
}

pub(super) fn encode(response: &ExecuteStatementResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("Items").list(&response.items, Writer::item);
        if let Some(token) = &response.next_token {
            object.text("NextToken", &STANDARD.encode(token));
        }
        object.item("LastEvaluatedKey", response.last_evaluated_key.as_ref());
        capacity::consumed(object, &response.consumed);
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{ParameterizedStatement, ReturnConsumedCapacity};
    use hashrange_types::{AttributeValue, Operation::ExecuteStatement, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, mismatch, refused};

    #[test]
    fn every_member_is_read() {
        let text = r#"{"Statement": "SELECT", "Parameters": [{"S": "a"}], "ConsistentRead": true,
            "NextToken": "AAE=", "Limit": 5, "ReturnConsumedCapacity": "TOTAL",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}"#;
        let expected = ExecuteStatementRequest {
            statement: ParameterizedStatement {
                statement: "SELECT".to_owned(),
                parameters: vec![Ok(AttributeValue::S("a".into()))],
                consistent_read: true,
                returns_item_on_failure: true,
            },
            next_token: Some(Bytes::from_static(&[0, 1])),
            limit: Some(5),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        };
        assert_eq!(accepted(ExecuteStatement, text), Request::ExecuteStatement(expected));
    }

    #[test]
    fn a_token_that_is_no_base64_fits_no_statement() {
        let text = r#"{"Statement": "SELECT", "NextToken": "not base64"}"#;
        let Request::ExecuteStatement(request) = accepted(ExecuteStatement, text) else { panic!() };
        assert_eq!(request.next_token, Some(Bytes::new()));
    }

    #[test]
    fn a_statement_is_required_and_neither_empty_nor_endless() {
        assert_eq!(
            refused(ExecuteStatement, "{}"),
            "1 validation error detected: Value null at 'statement' failed to satisfy constraint: \
             Member must not be null"
        );
        let message =
            refused(ExecuteStatement, r#"{"Statement": "", "Parameters": [], "Limit": 0}"#);
        assert!(message.starts_with("3 validation errors detected: Value '' at 'statement'"));
        let long = format!(r#"{{"Statement": "{}"}}"#, "x".repeat(8_193));
        assert!(refused(ExecuteStatement, &long).ends_with("less than or equal to 8192"));
        assert_eq!(mismatch(ExecuteStatement, r#"{"Statement": 5}"#).1, "5");
    }

    #[test]
    fn a_reply_always_has_items() {
        let mut response = ExecuteStatementResponse {
            items: Vec::new(),
            next_token: None,
            last_evaluated_key: None,
            consumed: consumed(ReturnConsumedCapacity::None),
        };
        assert_eq!(encoded(&Response::ExecuteStatement(response.clone())), r#"{"Items":[]}"#);
        response.items = vec![item()];
        response.next_token = Some(Bytes::from_static(&[0, 1]));
        response.last_evaluated_key = Some(item());
        let item = r#"{"pk":{"S":"a"},"n":{"N":"1.5"}}"#;
        assert_eq!(
            encoded(&Response::ExecuteStatement(response)),
            format!(r#"{{"Items":[{item}],"NextToken":"AAE=","LastEvaluatedKey":{item}}}"#)
        );
    }
}
