//! One file per operation, each with both directions: `decode` from members, `encode` to a writer.

mod account;
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
mod global_table;
mod kinesis;
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

use hashrange_types::{Operation, Request, Response};

pub use create_table::create_table_to_json;

use crate::constraint::Refusal;
use crate::json::Json;
use crate::members::Members;
use crate::writer::Writer;

/// Both directions of every operation: how its request is read and how its response is written.
macro_rules! directions {
    ($($name:ident => $decode:path, $encode:path;)*) => {
        /// Reads a request of `operation`.
        pub(crate) fn decode(operation: Operation, json: Json) -> Result<Request, Refusal> {
            let members = Members::read(json, &format!("{}Input", operation.name()))?;
            match operation {
                $(Operation::$name => $decode(members),)*
            }
        }

        /// Writes a response.
        pub(crate) fn encode(response: &Response, writer: &mut Writer) {
            match response {
                $(Response::$name(response) => $encode(response, writer),)*
            }
        }
    };
}

directions! {
    BatchExecuteStatement => batch_execute_statement::decode, batch_execute_statement::encode;
    BatchGetItem => batch_get_item::decode, batch_get_item::encode;
    BatchWriteItem => batch_write_item::decode, batch_write_item::encode;
    CreateBackup => backup::decode_create, backup::encode_created;
    CreateGlobalTable => global_table::decode_create, global_table::encode_nothing;
    CreateTable => create_table::decode, describe_table::encode_description;
    DeleteBackup => backup::decode_delete, backup::encode;
    DeleteItem => delete_item::decode, delete_item::encode;
    DeleteResourcePolicy => settings::decode_delete_policy, settings::encode_revision;
    DeleteTable => describe_table::decode_delete, describe_table::encode_description;
    DescribeBackup => backup::decode_describe, backup::encode;
    DescribeContinuousBackups => backup::decode_describe_continuous, backup::encode_continuous;
    DescribeContributorInsights => settings::decode_describe_insights, settings::encode_insights;
    DescribeEndpoints => account::decode_endpoints, account::encode_endpoints;
    DescribeExport => transfer::decode_describe_export, transfer::encode_complete;
    DescribeGlobalTable => global_table::decode_describe, global_table::encode_nothing;
    DescribeGlobalTableSettings => global_table::decode_describe_settings, global_table::encode_nothing;
    DescribeImport => transfer::decode_describe_import, transfer::encode_complete;
    DescribeKinesisStreamingDestination => kinesis::decode_describe, kinesis::encode_describe;
    DescribeLimits => account::decode_limits, account::encode_limits;
    DescribeStream => streams::decode_describe, streams::encode_describe;
    DescribeTable => describe_table::decode, describe_table::encode;
    DescribeTimeToLive => time_to_live::decode_describe, time_to_live::encode_describe;
    DisableKinesisStreamingDestination => kinesis::decode_disable, kinesis::encode;
    EnableKinesisStreamingDestination => kinesis::decode_enable, kinesis::encode;
    ExecuteStatement => execute_statement::decode, execute_statement::encode;
    ExecuteTransaction => execute_transaction::decode, execute_transaction::encode;
    ExportTableToPointInTime => transfer::decode_export, transfer::encode_started;
    GetItem => get_item::decode, get_item::encode;
    GetRecords => streams::decode_records, streams::encode_records;
    GetResourcePolicy => settings::decode_get_policy, settings::encode_policy;
    GetShardIterator => streams::decode_iterator, streams::encode_iterator;
    ImportTable => transfer::decode_import, transfer::encode_started;
    ListBackups => backup::decode_list, backup::encode_list;
    ListContributorInsights => settings::decode_list_insights, settings::encode_list_insights;
    ListExports => transfer::decode_list_exports, transfer::encode_exports;
    ListGlobalTables => global_table::decode_list, global_table::encode_list;
    ListImports => transfer::decode_list_imports, transfer::encode_imports;
    ListStreams => streams::decode_list, streams::encode_list;
    ListTables => list_tables::decode, list_tables::encode;
    ListTagsOfResource => tags::decode_list, tags::encode;
    PutItem => put_item::decode, put_item::encode;
    PutResourcePolicy => settings::decode_put_policy, settings::encode_revision;
    Query => query::decode, query::encode;
    RestoreTableFromBackup => backup::decode_restore, describe_table::encode_description;
    RestoreTableToPointInTime => backup::decode_restore_to_time, describe_table::encode_description;
    Scan => scan::decode, query::encode;
    TagResource => tags::decode_tag, tags::encode_nothing;
    TransactGetItems => transact_get_items::decode, transact_get_items::encode;
    TransactWriteItems => transact_write_items::decode, transact_write_items::encode;
    UntagResource => tags::decode_untag, tags::encode_nothing;
    UpdateContinuousBackups => backup::decode_update, backup::encode_continuous;
    UpdateContributorInsights => settings::decode_update_insights, settings::encode_updated_insights;
    UpdateGlobalTable => global_table::decode_update, global_table::encode_nothing;
    UpdateGlobalTableSettings => global_table::decode_update_settings, global_table::encode_nothing;
    UpdateItem => update_item::decode, update_item::encode;
    UpdateKinesisStreamingDestination => kinesis::decode_update, kinesis::encode_updated;
    UpdateTable => update_table::decode, describe_table::encode_description;
    UpdateTimeToLive => time_to_live::decode, time_to_live::encode;
}
