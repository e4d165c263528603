//! `Plan`: a request that was checked against the store's schemas, ready to execute.
//!
//! Invariant: a plan owns its bound expressions, so executing it cannot meet a syntax error.

use hashrange_storage::{Row, Store};
use hashrange_types::{ApiError, Operation, Request, Timestamp};

use crate::log;
use crate::operation::{
    batch_execute_statement, batch_get_item, batch_write_item, create_backup, create_global_table,
    create_table, delete_backup, delete_item, delete_resource_policy, delete_table,
    describe_backup, describe_continuous_backups, describe_contributor_insights,
    describe_endpoints, describe_export, describe_global_table, describe_global_table_settings,
    describe_import, describe_kinesis_streaming_destination, describe_limits, describe_stream,
    describe_table, describe_time_to_live, disable_kinesis_streaming_destination,
    enable_kinesis_streaming_destination, execute_statement, execute_transaction,
    export_table_to_point_in_time, get_item, get_records, get_resource_policy, get_shard_iterator,
    import_table, list_backups, list_contributor_insights, list_exports, list_global_tables,
    list_imports, list_streams, list_tables, list_tags_of_resource, put_item, put_resource_policy,
    query, restore_table_from_backup, restore_table_to_point_in_time, scan, tag_resource,
    transact_get_items, transact_write_items, untag_resource, update_continuous_backups,
    update_contributor_insights, update_global_table, update_global_table_settings, update_item,
    update_kinesis_streaming_destination, update_table, update_time_to_live,
};
use crate::outcome::Outcome;

macro_rules! plans {
    ($($name:ident => $module:ident),* $(,)?) => {
        /// A checked request.
        #[derive(Debug, Clone)]
        pub enum Plan {
            $(#[doc = concat!("A planned ", stringify!($name), ".")] $name(Box<$module::Plan>),)*
        }

        /// Checks a request in DynamoDB's order (facts 4.10.3, steps 4 to 12). Costs nothing.
        ///
        /// # Errors
        /// The first rule the request breaks.
        pub fn plan(store: &Store, request: Request) -> Result<Plan, ApiError> {
            let operation = request.operation();
            let plan = match request {
                $(Request::$name(request) => {
                    $module::plan(store, request).map(|plan| Plan::$name(Box::new(plan)))
                })*
            };
            plan.map_err(|error| error.within(operation))
        }

        /// Finds out what follows from a plan, at the moment `now`. Pure: the store is not changed.
        pub fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
            let (operation, mut outcome) = match plan {
                $(Plan::$name(plan) => {
                    (Operation::$name, $module::execute(store, plan, now))
                })*
            };
            if let Err(error) = outcome.reply {
                outcome.reply = Err(error.within(operation));
            }
            log::record(store, &mut outcome.changes, now, false);
            outcome
        }
    };
}

/// The same for a GetItem of which a replica answers that has this image of the item. Other plans are executed as ever.
pub fn execute_seeing(store: &Store, plan: &Plan, image: Option<&Row>, now: Timestamp) -> Outcome {
    match plan {
        Plan::GetItem(plan) => get_item::answer(plan, image),
        plan => execute(store, plan, now),
    }
}

plans! {
    BatchExecuteStatement => batch_execute_statement,
    BatchGetItem => batch_get_item,
    BatchWriteItem => batch_write_item,
    CreateBackup => create_backup,
    CreateGlobalTable => create_global_table,
    CreateTable => create_table,
    DeleteBackup => delete_backup,
    DeleteItem => delete_item,
    DeleteResourcePolicy => delete_resource_policy,
    DeleteTable => delete_table,
    DescribeBackup => describe_backup,
    DescribeContinuousBackups => describe_continuous_backups,
    DescribeContributorInsights => describe_contributor_insights,
    DescribeEndpoints => describe_endpoints,
    DescribeExport => describe_export,
    DescribeGlobalTable => describe_global_table,
    DescribeGlobalTableSettings => describe_global_table_settings,
    DescribeImport => describe_import,
    DescribeKinesisStreamingDestination => describe_kinesis_streaming_destination,
    DescribeLimits => describe_limits,
    DescribeStream => describe_stream,
    DescribeTable => describe_table,
    DescribeTimeToLive => describe_time_to_live,
    DisableKinesisStreamingDestination => disable_kinesis_streaming_destination,
    EnableKinesisStreamingDestination => enable_kinesis_streaming_destination,
    ExecuteStatement => execute_statement,
    ExecuteTransaction => execute_transaction,
    ExportTableToPointInTime => export_table_to_point_in_time,
    GetItem => get_item,
    GetRecords => get_records,
    GetResourcePolicy => get_resource_policy,
    GetShardIterator => get_shard_iterator,
    ImportTable => import_table,
    ListBackups => list_backups,
    ListContributorInsights => list_contributor_insights,
    ListExports => list_exports,
    ListGlobalTables => list_global_tables,
    ListImports => list_imports,
    ListStreams => list_streams,
    ListTables => list_tables,
    ListTagsOfResource => list_tags_of_resource,
    PutItem => put_item,
    PutResourcePolicy => put_resource_policy,
    Query => query,
    RestoreTableFromBackup => restore_table_from_backup,
    RestoreTableToPointInTime => restore_table_to_point_in_time,
    Scan => scan,
    TagResource => tag_resource,
    TransactGetItems => transact_get_items,
    TransactWriteItems => transact_write_items,
    UntagResource => untag_resource,
    UpdateContinuousBackups => update_continuous_backups,
    UpdateContributorInsights => update_contributor_insights,
    UpdateGlobalTable => update_global_table,
    UpdateGlobalTableSettings => update_global_table_settings,
    UpdateItem => update_item,
    UpdateKinesisStreamingDestination => update_kinesis_streaming_destination,
    UpdateTable => update_table,
    UpdateTimeToLive => update_time_to_live,
}
