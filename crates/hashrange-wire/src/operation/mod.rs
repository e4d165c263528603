//! One file per operation, each with both directions: `decode` from members, `encode` to a writer.

mod backup;
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
mod settings;
mod statement;
mod streams;
mod table_options;
mod tags;
mod time_to_live;
mod transact;
mod transact_get_items;
mod transact_write_items;
mod transfer;
mod update_item;
mod update_table;

use hashrange_types::operation::{
    DescribeEndpointsRequest, DescribeLimitsRequest, ListGlobalTablesRequest,
};
use hashrange_types::{Operation, Request, Response};

pub use create_table::{create_table_to_json, table_to_json};

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
        Operation::CreateBackup => backup::decode_create(members),
        Operation::DeleteBackup => backup::decode_delete(members),
        Operation::DeleteResourcePolicy => settings::decode_delete_policy(members),
        Operation::DescribeBackup => backup::decode_describe(members),
        Operation::DescribeContinuousBackups => backup::decode_describe_continuous(members),
        Operation::DescribeContributorInsights => settings::decode_describe_insights(members),
        Operation::DescribeExport => transfer::decode_describe_export(members),
        Operation::DescribeImport => transfer::decode_describe_import(members),
        Operation::DescribeKinesisStreamingDestination => {
            settings::decode_describe_kinesis(members)
        }
        Operation::ExportTableToPointInTime => transfer::decode_export(members),
        Operation::GetResourcePolicy => settings::decode_get_policy(members),
        Operation::ImportTable => transfer::decode_import(members),
        Operation::ListBackups => backup::decode_list(members),
        Operation::ListContributorInsights => settings::decode_list_insights(members),
        Operation::ListExports => transfer::decode_list_exports(members),
        Operation::ListImports => transfer::decode_list_imports(members),
        Operation::PutResourcePolicy => settings::decode_put_policy(members),
        Operation::RestoreTableFromBackup => backup::decode_restore(members),
        Operation::RestoreTableToPointInTime => backup::decode_restore_to_time(members),
        Operation::UpdateContinuousBackups => backup::decode_update(members),
        Operation::UpdateContributorInsights => settings::decode_update_insights(members),
        Operation::DisableKinesisStreamingDestination => {
            settings::decode_kinesis(members, Request::DisableKinesisStreamingDestination)
        }
        Operation::EnableKinesisStreamingDestination => {
            settings::decode_kinesis(members, Request::EnableKinesisStreamingDestination)
        }
        Operation::UpdateKinesisStreamingDestination => {
            settings::decode_kinesis(members, Request::UpdateKinesisStreamingDestination)
        }
        Operation::CreateGlobalTable
        | Operation::DescribeGlobalTable
        | Operation::DescribeGlobalTableSettings
        | Operation::UpdateGlobalTable
        | Operation::UpdateGlobalTableSettings => settings::decode_global_table(operation, members),
        Operation::DescribeEndpoints => Ok(Request::DescribeEndpoints(DescribeEndpointsRequest)),
        Operation::DescribeLimits => Ok(Request::DescribeLimits(DescribeLimitsRequest)),
        Operation::ListGlobalTables => Ok(Request::ListGlobalTables(ListGlobalTablesRequest)),
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
        Response::CreateBackup(backup) => backup::encode_created(backup, writer),
        Response::DeleteBackup(backup) | Response::DescribeBackup(backup) => {
            backup::encode(backup, writer);
        }
        Response::ListBackups(response) => backup::encode_list(response, writer),
        Response::DescribeContinuousBackups(response)
        | Response::UpdateContinuousBackups(response) => {
            backup::encode_continuous(response, writer);
        }
        Response::DeleteResourcePolicy(response) | Response::PutResourcePolicy(response) => {
            settings::encode_revision(response, writer);
        }
        Response::GetResourcePolicy(response) => settings::encode_policy(response, writer),
        Response::UpdateContributorInsights(response) => {
            settings::encode_updated_insights(response, writer);
        }
        Response::DescribeContributorInsights(response) => {
            settings::encode_insights(response, writer);
        }
        Response::ListContributorInsights(response) => {
            settings::encode_list_insights(response, writer);
        }
        Response::EnableKinesisStreamingDestination(response)
        | Response::DisableKinesisStreamingDestination(response) => {
            settings::encode_kinesis(response, false, writer);
        }
        Response::UpdateKinesisStreamingDestination(response) => {
            settings::encode_kinesis(response, true, writer);
        }
        Response::DescribeKinesisStreamingDestination(response) => {
            settings::encode_destinations(response, writer);
        }
        Response::ExportTableToPointInTime(transfer) | Response::ImportTable(transfer) => {
            transfer::encode(transfer, false, writer);
        }
        Response::DescribeExport(transfer) | Response::DescribeImport(transfer) => {
            transfer::encode(transfer, true, writer);
        }
        Response::ListExports(response) => {
            transfer::encode_list(response, "ExportSummaries", writer);
        }
        Response::ListImports(response) => {
            transfer::encode_list(response, "ImportSummaryList", writer);
        }
        Response::DescribeLimits(()) => settings::encode_limits(writer),
        Response::DescribeEndpoints(()) => settings::encode_endpoints(writer),
        Response::ListGlobalTables(()) => writer.object(|object| {
            object.member("GlobalTables").list([0_u64; 0], Writer::integer);
        }),
        // Refused always, so there is nothing to write.
        Response::CreateGlobalTable(())
        | Response::DescribeGlobalTable(())
        | Response::DescribeGlobalTableSettings(())
        | Response::UpdateGlobalTable(())
        | Response::UpdateGlobalTableSettings(()) => writer.object(|_| {}),
        Response::CreateTable(table)
        | Response::DeleteTable(table)
        | Response::RestoreTableFromBackup(table)
        | Response::RestoreTableToPointInTime(table)
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
