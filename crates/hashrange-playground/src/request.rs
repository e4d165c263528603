//! Requests and keys as DynamoDB JSON text: a key on one line, an item indented, the request for the next page.
//!
//! Invariant: values are spelled by the wire crate; member names of requests that are written here decode again.

use hashrange_types::operation::KeysAndAttributes;
use hashrange_types::{Item, Operation, Request, Response};
use serde_json::{Map, Value};

/// A key as compact DynamoDB JSON.
pub(crate) fn key_json(key: &Item) -> String {
    hashrange_wire::item_to_json(key).to_string()
}

/// An item as indented DynamoDB JSON.
pub(crate) fn pretty_item(item: &Item) -> String {
    pretty(&hashrange_wire::item_to_json(item).to_string())
}

/// JSON indented; a text that is not JSON stays as it is.
pub(crate) fn pretty(text: &str) -> String {
    hashrange_wire::pretty(text).unwrap_or_else(|| text.to_owned())
}

/// The request that reads on where `reply` ended; none where it is the end.
pub(crate) fn next_page_request(text: &str, reply: &Response) -> Option<String> {
    let (member, value) = match reply {
        Response::Query(page) | Response::Scan(page) => {
            let key = page.last_evaluated_key.as_ref()?;
            ("ExclusiveStartKey", hashrange_wire::item_to_json(key))
        }
        Response::ListTables(list) => {
            let name = list.last_evaluated_table_name.as_ref()?;
            ("ExclusiveStartTableName", Value::from(name.as_str()))
        }
        Response::BatchGetItem(batch) if !batch.unprocessed.is_empty() => {
            ("RequestItems", unprocessed(text, &batch.unprocessed)?)
        }
        Response::ExecuteStatement(page) => {
            page.next_token.as_ref()?;
            let reply = hashrange_wire::encode(reply);
            let mut reply: Map<String, Value> = serde_json::from_str(&reply).ok()?;
            ("NextToken", reply.remove("NextToken")?)
        }
        _ => return None,
    };
    let mut request: Map<String, Value> = serde_json::from_str(text).ok()?;
    request.insert(member.to_owned(), value);
    Some(pretty(&Value::Object(request).to_string()))
}

/// The tables of a BatchGetItem with the keys that are left.
fn unprocessed(text: &str, left: &[KeysAndAttributes]) -> Option<Value> {
    let request: Map<String, Value> = serde_json::from_str(text).ok()?;
    let asked = request.get("RequestItems")?.as_object()?;
    let mut tables = Map::new();
    for table in left {
        let mut members = asked.get(table.table.given.as_str())?.as_object()?.clone();
        let keys = table.keys.iter().flatten().map(hashrange_wire::item_to_json).collect();
        members.insert("Keys".to_owned(), keys);
        tables.insert(table.table.given.to_string(), Value::Object(members));
    }
    Some(Value::Object(tables))
}

/// True for operations that are a transaction.
pub(crate) fn is_transaction(operation: Operation) -> bool {
    operation.name().contains("Transact")
}

/// True for requests whose every read is strongly consistent; none for requests that read nothing.
pub(crate) fn is_consistent(request: &Request) -> Option<bool> {
    match request {
        Request::GetItem(request) => Some(request.consistent_read),
        Request::BatchGetItem(request) => {
            Some(request.tables.iter().all(|table| table.consistent_read))
        }
        Request::Query(request) => Some(request.read.consistent_read),
        Request::Scan(request) => Some(request.read.consistent_read),
        Request::ExecuteStatement(request) => Some(request.statement.consistent_read),
        Request::BatchExecuteStatement(request) => {
            Some(request.statements.iter().all(|statement| statement.consistent_read))
        }
        _ => None,
    }
}
