//! One file per operation, each with both directions: `decode` from members, `encode` to a writer.

mod batch;
mod batch_execute_statement;
mod batch_get_item;
mod batch_write_item;
mod capacity;
mod create_table;
mod delete_item;
mod describe_table;
mod execute_statement;
mod execute_transaction;
mod expression;
mod get_item;
mod legacy;
mod list_tables;
mod put_item;
mod query;
mod return_values;
mod scan;
mod statement;
mod streams;
mod table_options;
mod tags;
mod time_to_live;
mod transact;
mod transact_get_items;
mod transact_write_items;
mod update_item;
mod update_table;

use hashrange_types::{Operation, Request, Response};

pub use create_table::create_table_to_json;

use crate::constraint::Refusal;
use crate::json::Json;
use crate::members::Members;
use crate::writer::Writer;

/// Reads a request of `operation`.
pub(crate) fn decode(operation: Operation, json: Json) -> Result<Request, Refusal> {
    let members = Members::read(json, &format!("{}Input", operation.name()))?;
    match operation {
        Operation::BatchExecuteStatement => batch_execute_statement::decode(members),
        Operation::BatchGetItem => batch_get_item::decode(members),
        Operation::BatchWriteItem => batch_write_item::decode(members),
        Operation::CreateTable => create_table::decode(members),
        Operation::DeleteItem => delete_item::decode(members),
        Operation::DeleteTable => describe_table::decode_delete(members),
        Operation::DescribeStream => streams::decode_describe(members),
        Operation::DescribeTable => describe_table::decode(members),
        Operation::DescribeTimeToLive => time_to_live::decode_describe(members),
        Operation::ExecuteStatement => execute_statement::decode(members),
        Operation::ExecuteTransaction => execute_transaction::decode(members),
        Operation::GetItem => get_item::decode(members),
        Operation::GetRecords => streams::decode_records(members),
        Operation::GetShardIterator => streams::decode_iterator(members),
        Operation::ListStreams => streams::decode_list(members),
        Operation::ListTables => list_tables::decode(members),
        Operation::ListTagsOfResource => tags::decode_list(members),
        Operation::PutItem => put_item::decode(members),
        Operation::Query => query::decode(members),
        Operation::Scan => scan::decode(members),
        Operation::TagResource => tags::decode_tag(members),
        Operation::TransactGetItems => transact_get_items::decode(members),
        Operation::TransactWriteItems => transact_write_items::decode(members),
        Operation::UntagResource => tags::decode_untag(members),
        Operation::UpdateItem => update_item::decode(members),
        Operation::UpdateTable => update_table::decode(members),
        Operation::UpdateTimeToLive => time_to_live::decode(members),
    }
}

/// Writes a response.
pub(crate) fn encode(response: &Response, writer: &mut Writer) {
    match response {
        Response::BatchExecuteStatement(response) => {
            batch_execute_statement::encode(response, writer);
        }
        Response::BatchGetItem(response) => batch_get_item::encode(response, writer),
        Response::BatchWriteItem(response) => batch_write_item::encode(response, writer),
        Response::CreateTable(table)
        | Response::DeleteTable(table)
        | Response::UpdateTable(table) => {
            describe_table::encode("TableDescription", table, writer);
        }
        Response::DeleteItem(response) => delete_item::encode(response, writer),
        Response::DescribeStream(response) => streams::encode_describe(response, writer),
        Response::DescribeTable(table) => describe_table::encode("Table", table, writer),
        Response::DescribeTimeToLive(response) => {
            time_to_live::encode_describe(response, writer);
        }
        Response::ExecuteStatement(response) => execute_statement::encode(response, writer),
        Response::ExecuteTransaction(response) => execute_transaction::encode(response, writer),
        Response::GetItem(response) => get_item::encode(response, writer),
        Response::GetRecords(response) => streams::encode_records(response, writer),
        Response::GetShardIterator(response) => streams::encode_iterator(response, writer),
        Response::ListStreams(response) => streams::encode_list(response, writer),
        Response::ListTables(response) => list_tables::encode(response, writer),
        Response::ListTagsOfResource(response) => tags::encode(response, writer),
        Response::PutItem(response) => put_item::encode(response, writer),
        Response::Query(page) | Response::Scan(page) => query::encode(page, writer),
        // These two answer with an empty body.
        Response::TagResource(()) | Response::UntagResource(()) => {}
        Response::UpdateTimeToLive(specification) => time_to_live::encode(specification, writer),
        Response::TransactGetItems(response) => transact_get_items::encode(response, writer),
        Response::TransactWriteItems(response) => transact_write_items::encode(response, writer),
        Response::UpdateItem(response) => update_item::encode(response, writer),
    }
}
