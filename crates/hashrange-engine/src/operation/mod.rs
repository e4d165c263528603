//! One file per operation, or per family of small ones: how it is planned and executed.

mod backup;
pub(crate) mod batch_execute_statement;
pub(crate) mod batch_get_item;
pub(crate) mod batch_write_item;
pub(crate) mod create_table;
pub(crate) mod delete_item;
pub(crate) mod delete_table;
pub(crate) mod describe_table;
pub(crate) mod execute_statement;
pub(crate) mod execute_transaction;
pub(crate) mod get_item;
pub(crate) mod list_tables;
pub(crate) mod put_item;
pub(crate) mod query;
mod recovery;
mod restore;
pub(crate) mod scan;
mod settings;
mod streams;
mod tags;
mod time_to_live;
pub(crate) mod transact_get_items;
pub(crate) mod transact_write_items;
mod transfer;
pub(crate) mod update_item;
pub(crate) mod update_table;

use hashrange_storage::{Change, Store};
use hashrange_types::{ApiError, Response, Timestamp};

use crate::outcome::Outcome;

/// What an operation on tables, streams or backups brings.
type Answer = Result<(Response, Vec<Change>), ApiError>;

/// Modules for operations that are checked when they are executed: what they may do depends on the moment.
macro_rules! control {
    ($($module:ident($request:ident) => $answer:path),* $(,)?) => {
        $(pub(crate) mod $module {
            use hashrange_types::operation::$request;

            use super::*;

            /// The request.
            #[derive(Debug, Clone)]
            pub struct Plan($request);

            pub(crate) fn plan(_store: &Store, request: $request) -> Result<Plan, ApiError> {
                Ok(Plan(request))
            }

            pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
                outcome($answer(store, &plan.0, now))
            }
        })*
    };
}

control! {
    create_backup(CreateBackupRequest) => backup::create,
    create_global_table(GlobalTableRequest) => settings::no_global_table_of_2017,
    delete_backup(DeleteBackupRequest) => backup::delete,
    delete_resource_policy(DeleteResourcePolicyRequest) => settings::delete_policy,
    describe_backup(DescribeBackupRequest) => backup::describe,
    describe_continuous_backups(DescribeContinuousBackupsRequest) => recovery::describe,
    describe_contributor_insights(DescribeContributorInsightsRequest) => settings::insights,
    describe_endpoints(DescribeEndpointsRequest) => settings::endpoints,
    describe_export(DescribeTransferRequest) => transfer::export,
    describe_global_table(GlobalTableRequest) => settings::global_table,
    describe_global_table_settings(GlobalTableRequest) => settings::global_table,
    describe_import(DescribeTransferRequest) => transfer::import,
    describe_kinesis_streaming_destination(DescribeKinesisRequest) => settings::destinations,
    describe_limits(DescribeLimitsRequest) => settings::limits,
    describe_stream(DescribeStreamRequest) => streams::describe,
    describe_time_to_live(DescribeTimeToLiveRequest) => time_to_live::describe,
    disable_kinesis_streaming_destination(KinesisRequest) => settings::disable_kinesis,
    enable_kinesis_streaming_destination(KinesisRequest) => settings::enable_kinesis,
    export_table_to_point_in_time(ExportTableRequest) => transfer::start_export,
    get_records(GetRecordsRequest) => streams::records,
    get_resource_policy(GetResourcePolicyRequest) => settings::policy,
    get_shard_iterator(GetShardIteratorRequest) => streams::iterator,
    import_table(ImportTableRequest) => transfer::start_import,
    list_backups(ListBackupsRequest) => backup::list,
    list_contributor_insights(ListContributorInsightsRequest) => settings::list_insights,
    list_exports(ListTransfersRequest) => transfer::exports,
    list_global_tables(ListGlobalTablesRequest) => settings::global_tables,
    list_imports(ListTransfersRequest) => transfer::imports,
    list_streams(ListStreamsRequest) => streams::list,
    list_tags_of_resource(ListTagsOfResourceRequest) => tags::list,
    put_resource_policy(PutResourcePolicyRequest) => settings::put_policy,
    restore_table_from_backup(RestoreTableFromBackupRequest) => restore::from_backup,
    restore_table_to_point_in_time(RestoreTableToPointInTimeRequest) => restore::to_point_in_time,
    tag_resource(TagResourceRequest) => tags::tag,
    untag_resource(UntagResourceRequest) => tags::untag,
    update_continuous_backups(UpdateContinuousBackupsRequest) => recovery::update,
    update_contributor_insights(UpdateContributorInsightsRequest) => settings::update_insights,
    update_global_table(GlobalTableRequest) => settings::global_table,
    update_global_table_settings(GlobalTableRequest) => settings::global_table,
    update_kinesis_streaming_destination(KinesisRequest) => settings::update_kinesis,
    update_time_to_live(UpdateTimeToLiveRequest) => time_to_live::update,
}

fn outcome(answer: Answer) -> Outcome {
    match answer {
        Ok((response, changes)) => Outcome { changes, ..Outcome::free(Ok(response)) },
        Err(error) => Outcome::free(Err(error)),
    }
}
