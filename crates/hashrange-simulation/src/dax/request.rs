//! What requests mean to a cache: which it answers, and what it asks the database instead.
//!
//! Source: facts 5.6.

use std::collections::BTreeMap;

use hashrange_storage::{Row, Store};
use hashrange_types::operation::{
    ReturnConsumedCapacity, TransactAction, TransactGetItem, TransactGetItemsRequest,
};
use hashrange_types::{Item, Request, Response, TableName};

use super::ItemName;

/// What a cache does with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Items by their keys, from the item cache.
    Items,
    /// A page, from the query cache.
    Page,
    /// A write, which goes through.
    Write,
    /// Passed on and not remembered.
    Pass,
    /// Not taken at all.
    Foreign,
}

pub(super) fn kind(request: &Request) -> Kind {
    match request {
        Request::GetItem(get) if !get.consistent_read => Kind::Items,
        Request::BatchGetItem(batch) if !batch.tables.iter().any(|it| it.consistent_read) => {
            Kind::Items
        }
        Request::Query(query) if !query.read.consistent_read => Kind::Page,
        Request::Scan(scan) if !scan.read.consistent_read => Kind::Page,
        Request::PutItem(_)
        | Request::UpdateItem(_)
        | Request::DeleteItem(_)
        | Request::BatchWriteItem(_)
        | Request::TransactWriteItems(_) => Kind::Write,
        Request::GetItem(_)
        | Request::BatchGetItem(_)
        | Request::Query(_)
        | Request::Scan(_)
        | Request::TransactGetItems(_) => Kind::Pass,
        _ => Kind::Foreign,
    }
}

/// The request that reads the missing items whole.
pub(super) fn fetch(store: &Store, request: &Request, missing: &[ItemName]) -> Request {
    let mut request = request.clone();
    match &mut request {
        Request::GetItem(get) => {
            (get.projection_expression, get.attributes_to_get, get.names) = (None, None, None);
        }
        Request::BatchGetItem(batch) => {
            for of in &mut batch.tables {
                (of.projection_expression, of.attributes_to_get, of.names) = (None, None, None);
                let name = &of.table.name;
                of.keys.retain(|key| {
                    let item = key.as_ref().ok().and_then(|key| item_name(store, name, key));
                    item.is_some_and(|item| missing.contains(&item))
                });
            }
            batch.tables.retain(|of| !of.keys.is_empty());
        }
        _ => {}
    }
    request
}

/// The read that follows a transaction's writes; none where the request is not one, or breaks a rule.
pub(super) fn refill(store: &Store, request: &Request) -> Option<Request> {
    let Request::TransactWriteItems(transaction) = request else { return None };
    let mut items = Vec::new();
    for element in &transaction.items {
        if matches!(element.action, TransactAction::ConditionCheck { .. }) {
            continue;
        }
        let schema = store.table(element.table.name.as_str())?.schema();
        let key = schema.key.key_of(element.action.item().as_ref().ok()?);
        let table = element.table.clone();
        let (projection_expression, names) = (None, None);
        items.push(TransactGetItem { table, key: Ok(key), projection_expression, names });
    }
    let return_consumed_capacity = ReturnConsumedCapacity::None;
    (!items.is_empty()).then_some(Request::TransactGetItems(TransactGetItemsRequest {
        items,
        return_consumed_capacity,
    }))
}

/// The items in an answer to `request`; none where some were left for another go.
pub(super) fn found(
    store: &Store,
    request: &Request,
    response: &Response,
) -> Option<BTreeMap<ItemName, Row>> {
    let mut found = BTreeMap::new();
    let mut add = |table: &TableName, item: &Item| {
        if let Some(name) = item_name(store, table, item) {
            found.insert(name, Row::new(item.clone()));
        }
    };
    match (request, response) {
        (Request::GetItem(get), Response::GetItem(got)) => {
            got.item.iter().for_each(|item| add(&get.table.name, item));
        }
        (Request::BatchGetItem(batch), Response::BatchGetItem(got)) => {
            if !got.unprocessed.is_empty() {
                return None;
            }
            for of in &batch.tables {
                let given = got.responses.iter().filter(|(given, _)| *given == of.table.given);
                given.flat_map(|(_, items)| items).for_each(|item| add(&of.table.name, item));
            }
        }
        (Request::TransactGetItems(gets), Response::TransactGetItems(got)) => {
            for (get, item) in gets.items.iter().zip(&got.responses) {
                if let Some(item) = item {
                    add(&get.table.name, item);
                }
            }
        }
        _ => return None,
    }
    Some(found)
}

fn item_name(store: &Store, table: &TableName, item: &Item) -> Option<ItemName> {
    let key = store.table(table.as_str())?.schema().key.encode(item)?;
    Some((table.clone(), key))
}
