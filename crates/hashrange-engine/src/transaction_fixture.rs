//! Requests for the tests of transactions.

use hashrange_types::operation::{
    ReturnConsumedCapacity, TransactAction, TransactGetItem, TransactGetItemsRequest,
    TransactWriteItem, TransactWriteItemsRequest,
};
use hashrange_types::{ApiError, AttributeValue, CancellationReason, Item, Request, Wording};

use crate::read_fixture::table_reference;
use crate::write_fixture::named;

fn element(action: TransactAction) -> TransactWriteItem {
    TransactWriteItem {
        table: table_reference(),
        action,
        condition_expression: None,
        names: None,
        values: None,
        returns_item_on_failure: false,
    }
}

pub(crate) fn put(item: Item) -> TransactWriteItem {
    element(TransactAction::Put { item: Ok(item) })
}

pub(crate) fn delete(key: Item) -> TransactWriteItem {
    element(TransactAction::Delete { key: Ok(key) })
}

/// An Update with values for `:a`, `:b` and so on, in this order.
pub(crate) fn update(key: Item, expression: &str, values: &[AttributeValue]) -> TransactWriteItem {
    let update_expression = expression.to_owned();
    TransactWriteItem {
        values: named(values),
        ..element(TransactAction::Update { key: Ok(key), update_expression })
    }
}

/// A ConditionCheck with values for `:a`, `:b` and so on, in this order.
pub(crate) fn check(key: Item, condition: &str, values: &[AttributeValue]) -> TransactWriteItem {
    when(element(TransactAction::ConditionCheck { key: Ok(key) }), condition, values)
}

/// The element with a condition, and values for it where the element has none of its own.
pub(crate) fn when(
    item: TransactWriteItem,
    condition: &str,
    values: &[AttributeValue],
) -> TransactWriteItem {
    TransactWriteItem {
        condition_expression: Some(condition.to_owned()),
        values: named(values).or(item.values),
        ..item
    }
}

pub(crate) fn transaction(items: Vec<TransactWriteItem>) -> TransactWriteItemsRequest {
    TransactWriteItemsRequest {
        items,
        client_request_token: None,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
        returns_collection_metrics: false,
    }
}

pub(crate) fn write(items: Vec<TransactWriteItem>) -> Request {
    Request::TransactWriteItems(transaction(items))
}

pub(crate) fn write_once(token: &str, items: Vec<TransactWriteItem>) -> Request {
    Request::TransactWriteItems(TransactWriteItemsRequest {
        client_request_token: Some(token.into()),
        ..transaction(items)
    })
}

pub(crate) fn read(keys: Vec<Item>) -> TransactGetItemsRequest {
    let get = |key| TransactGetItem {
        table: table_reference(),
        key: Ok(key),
        projection_expression: None,
        names: None,
    };
    TransactGetItemsRequest {
        items: keys.into_iter().map(get).collect(),
        return_consumed_capacity: ReturnConsumedCapacity::Total,
    }
}

/// The codes of the reasons that cancelled a transaction, and the first message among them.
pub(crate) fn reasons(error: &ApiError) -> (Vec<&'static str>, Option<String>) {
    let ApiError::TransactionCanceled(reasons) = error else {
        panic!("the transaction was not cancelled: {error:?}")
    };
    let codes = reasons.iter().map(CancellationReason::code).collect();
    (codes, reasons.iter().find_map(|reason| reason.message(Wording::default())))
}
