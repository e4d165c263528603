//! ExecuteTransaction on the wire.

use hashrange_types::Request;
use hashrange_types::limits::{CLIENT_REQUEST_TOKEN_LENGTH_MAX, TRANSACT_ITEMS_MAX};
use hashrange_types::operation::{ExecuteTransactionRequest, ExecuteTransactionResponse};

use super::{capacity, statement};
use crate::constraint::{Constraints, Place, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let return_consumed_capacity = capacity::return_consumed_capacity(members, &mut constraints)?;
    let token = members.text("ClientRequestToken")?;
    if let Some(token) = &token {
        let place = Place::Root.member("ClientRequestToken");
        let legal = (1, CLIENT_REQUEST_TOKEN_LENGTH_MAX);
        constraints.length(token.chars().count(), legal, &place, || token.to_string());
    }
    let names = ("TransactStatements", "ParameterizedStatement");
    let statements = statement::list(members, names, TRANSACT_ITEMS_MAX, &mut constraints)?;
    constraints.finish()?;
    Ok(Request::ExecuteTransaction(ExecuteTransactionRequest {
        statements,
        client_request_token: token.map(Into::into),
        return_consumed_capacity,
    }))
}

pub(super) fn encode(response: &ExecuteTransactionResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("Responses").list(&response.responses, |writer, item| {
            writer.object(|object| object.item("Item", item.as_ref()));
        });
        capacity::consumed_by_transaction(object, &response.consumed);
    });
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ReturnConsumedCapacity;
    use hashrange_types::{Operation::ExecuteTransaction, Response};

    use super::*;
    use crate::expect::{accepted, consumed, encoded, item, refused};

    #[test]
    fn the_token_and_the_statements_are_read() {
        let text = r#"{"ClientRequestToken": "t", "TransactStatements": [{"Statement": "a"}]}"#;
        let Request::ExecuteTransaction(request) = accepted(ExecuteTransaction, text) else {
            panic!()
        };
        assert_eq!(request.client_request_token.as_deref(), Some("t"));
        assert_eq!(request.statements[0].statement, "a");
    }

    #[test]
    fn a_transaction_takes_1_to_100_statements() {
        let message = refused(ExecuteTransaction, r#"{"TransactStatements": []}"#);
        assert!(message.contains("at 'transactStatements' failed"), "{message}");
        assert!(refused(ExecuteTransaction, "{}").contains("Value null at 'transactStatements'"));
    }

    #[test]
    fn a_missing_item_is_an_empty_object() {
        let response = ExecuteTransactionResponse {
            responses: vec![Some(item()), None],
            consumed: vec![consumed(ReturnConsumedCapacity::Total)],
        };
        assert_eq!(
            encoded(&Response::ExecuteTransaction(response)),
            r#"{"Responses":[{"Item":{"pk":{"S":"a"},"n":{"N":"1.5"}}},{}],"ConsumedCapacity":[{"TableName":"T","CapacityUnits":1.5,"ReadCapacityUnits":1.5}]}"#
        );
    }
}
