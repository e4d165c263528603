//! BatchExecuteStatement on the wire.

use hashrange_types::limits::BATCH_STATEMENTS_MAX;
use hashrange_types::operation::{
    BatchExecuteStatementRequest, BatchExecuteStatementResponse, BatchStatementResponse,
};
use hashrange_types::{ApiError, Request};

use super::{capacity, statement};
use crate::constraint::{Constraints, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let names = ("Statements", "BatchStatementRequest");
    let statements = statement::list(members, names, BATCH_STATEMENTS_MAX, &mut constraints)?;
    constraints.finish()?;
    Ok(Request::BatchExecuteStatement(BatchExecuteStatementRequest {
        statements,
        return_consumed_capacity,
    }))
}

pub(super) fn encode(response: &BatchExecuteStatementResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("Responses").list(&response.responses, one);
        capacity::consumed_list(object, &response.consumed);
    });
}

fn one(writer: &mut Writer, response: &BatchStatementResponse) {
    writer.object(|object| {
        if let Some(error) = &response.error {
            object.member("Error").object(|object| {
                object.text("Code", code(error));
                let message = error.message(object.voice());
                object.text("Message", &message);
                if let ApiError::ConditionalCheckFailed(Some(item)) = error {
                    object.item("Item", Some(item));
                }
            });
        }
        if let Some(table) = &response.table_name {
            object.text("TableName", table);
        }
        object.item("Item", response.item.as_ref());
    });
}

/// The short code of an error in a batch.
fn code(error: &ApiError) -> &'static str {
    match error {
        ApiError::Validation(_) => "ValidationError",
        ApiError::Throttled(throttling) => throttling.reason_code(),
        other => other.name().trim_end_matches("Exception"),
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ReturnConsumedCapacity;
    use hashrange_types::{Operation::BatchExecuteStatement, Response, ValidationError};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, refused};

    #[test]
    fn statements_are_read_in_their_order() {
        let text =
            r#"{"Statements": [{"Statement": "a", "ConsistentRead": true}, {"Statement": "b"}]}"#;
        let Request::BatchExecuteStatement(request) = accepted(BatchExecuteStatement, text) else {
            panic!()
        };
        let read: Vec<_> = request
            .statements
            .iter()
            .map(|one| (one.statement.as_str(), one.consistent_read))
            .collect();
        assert_eq!(read, [("a", true), ("b", false)]);
    }

    #[test]
    fn a_batch_takes_1_to_25_statements() {
        assert_eq!(
            refused(BatchExecuteStatement, r#"{"Statements": []}"#),
            "1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: \
             Member must have length greater than or equal to 1"
        );
        let many = vec![r#"{"Statement": "a"}"#; 26].join(",");
        let message = refused(BatchExecuteStatement, &format!(r#"{{"Statements": [{many}]}}"#));
        assert!(message.ends_with("less than or equal to 25"), "{message}");
        let message = refused(BatchExecuteStatement, r#"{"Statements": [{}]}"#);
        assert!(message.contains("Value null at 'statements.1.member.statement'"), "{message}");
    }

    #[test]
    fn members_that_failed_have_a_short_code() {
        let failed = |error, table_name: Option<&str>| BatchStatementResponse {
            error: Some(error),
            table_name: table_name.map(Into::into),
            item: None,
        };
        let response = BatchExecuteStatementResponse {
            responses: vec![
                failed(ValidationError::new("m").into(), None),
                failed(ApiError::DuplicateItem, Some("T")),
                BatchStatementResponse {
                    error: None,
                    table_name: Some("T".into()),
                    item: Some(item()),
                },
            ],
            consumed: vec![consumed(ReturnConsumedCapacity::Total)],
        };
        assert_eq!(
            encoded(&Response::BatchExecuteStatement(response)),
            r#"{"Responses":[{"Error":{"Code":"ValidationError","Message":"m"}},{"Error":{"Code":"DuplicateItem","Message":"Duplicate primary key exists in table"},"TableName":"T"},{"TableName":"T","Item":{"pk":{"S":"a"},"n":{"N":"1.5"}}}],"ConsumedCapacity":[{"TableName":"T","CapacityUnits":1.5}]}"#
        );
    }
}
