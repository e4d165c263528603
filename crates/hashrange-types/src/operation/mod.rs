//! Requests and responses, one file per operation, and the closed enums over them.
//!
//! Invariant: a request holds what decoding could settle (facts 4.10.3, steps 1 to 3). Attribute values stay
//! [`Deferred`](crate::Deferred), expressions stay text: the plan checks them at their step.

mod account;
mod backup;
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
mod insights;
mod kinesis;
mod legacy;
mod list_tables;
mod policy;
mod put_item;
mod query;
mod scan;
mod streams;
mod tags;
mod time_to_live;
mod transact_get_items;
mod transact_write_items;
mod transfer;
mod update_item;
mod update_table;

pub use account::{DescribeEndpointsRequest, DescribeLimitsRequest};
pub use backup::{
    BackupDetails, BackupFilter, ContinuousBackups, CreateBackupRequest, DeleteBackupRequest,
    DescribeBackupRequest, DescribeContinuousBackupsRequest, ListBackupsRequest,
    ListBackupsResponse, RestoreOverrides, RestoreTableFromBackupRequest,
    RestoreTableToPointInTimeRequest, UpdateContinuousBackupsRequest,
};
pub use batch_execute_statement::{
    BatchExecuteStatementRequest, BatchExecuteStatementResponse, BatchStatementResponse,
};
pub use batch_get_item::{BatchGetItemRequest, BatchGetItemResponse, KeysAndAttributes};
pub use batch_write_item::{BatchWriteItemRequest, BatchWriteItemResponse, WriteRequest};
pub use capacity::{ConsumedCapacity, ItemCollectionMetrics, ReturnConsumedCapacity};
pub use create_table::{
    AttributeDefinition, CreateTableRequest, EncryptionSpecification, GlobalIndexRequest,
    IndexRequest, KeySchemaElement, KeyType, ProjectionRequest, StreamSpecification, TableOptions,
    WarmThroughput,
};
pub use delete_item::{DeleteItemRequest, DeleteItemResponse};
pub use describe_table::{
    DeleteTableRequest, DescribeTableRequest, IndexDescription, TableDescription, TableStatus,
};
pub use execute_statement::{
    ExecuteStatementRequest, ExecuteStatementResponse, ParameterizedStatement,
};
pub use execute_transaction::{ExecuteTransactionRequest, ExecuteTransactionResponse};
pub use expression::{ExpressionNames, ExpressionValues};
pub use get_item::{GetItemRequest, GetItemResponse};
pub use global_table::{GlobalTableRequest, ListGlobalTablesRequest};
pub use insights::{
    DescribeContributorInsightsRequest, InsightsOfTable, ListContributorInsightsRequest,
    UpdateContributorInsightsRequest,
};
pub use kinesis::{
    DescribeKinesisRequest, DescribeKinesisResponse, KinesisRequest, KinesisResponse,
};
pub use legacy::{
    AttributeAction, AttributeUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttribute,
    LegacyCondition,
};
pub use list_tables::{ListTablesRequest, ListTablesResponse};
pub use policy::{
    DeleteResourcePolicyRequest, GetResourcePolicyRequest, GetResourcePolicyResponse,
    PolicyRevision, PutResourcePolicyRequest,
};
pub use put_item::{PutItemRequest, PutItemResponse};
pub use query::{PageResponse, QueryRequest, ReadRequest, Select};
pub use scan::ScanRequest;
pub use streams::{
    DescribeStreamRequest, DescribeStreamResponse, GetRecordsRequest, GetRecordsResponse,
    GetShardIteratorRequest, GetShardIteratorResponse, ListStreamsRequest, ListStreamsResponse,
    SequenceNumber, Shard, ShardIterator, ShardIteratorType, StreamName, StreamRecord,
};
pub use tags::{
    ListTagsOfResourceRequest, ListTagsOfResourceResponse, TagResourceRequest, UntagResourceRequest,
};
pub use time_to_live::{
    DescribeTimeToLiveRequest, DescribeTimeToLiveResponse, TimeToLiveSpecification,
    UpdateTimeToLiveRequest,
};
pub use transact_get_items::{TransactGetItem, TransactGetItemsRequest, TransactGetItemsResponse};
pub use transact_write_items::{
    TransactAction, TransactWriteItem, TransactWriteItemsRequest, TransactWriteItemsResponse,
};
pub use transfer::{
    DescribeTransferRequest, ExportTableRequest, ImportTableRequest, ListTransfersRequest,
    ListTransfersResponse, Transfer,
};
pub use update_item::{ReturnValues, UpdateItemRequest, UpdateItemResponse};
pub use update_table::{
    GlobalIndexChange, GlobalIndexUpdate, ReplicaAction, ReplicaUpdate, UpdateTableRequest,
};

/// The response of an operation that answers nothing, or the same always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyResponse;

macro_rules! operations {
    ($($name:ident($request:ty, $response:ty)),* $(,)?) => {
        /// Every operation this build answers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Operation {
            $(#[doc = concat!("The operation ", stringify!($name), ".")] $name,)*
        }

        impl Operation {
            /// All operations, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The operation's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The operation called `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|operation| operation.name() == name)
            }
        }

        /// A decoded request.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Request {
            $(#[doc = concat!("A ", stringify!($name), " request.")] $name($request),)*
        }

        impl Request {
            /// The operation asked for.
            pub const fn operation(&self) -> Operation {
                match self { $(Self::$name(_) => Operation::$name,)* }
            }
        }

        /// The answer to a request that was not refused.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Response {
            $(#[doc = concat!("A ", stringify!($name), " response.")] $name($response),)*
        }
    };
}

operations! {
    BatchExecuteStatement(BatchExecuteStatementRequest, BatchExecuteStatementResponse),
    BatchGetItem(BatchGetItemRequest, BatchGetItemResponse),
    BatchWriteItem(BatchWriteItemRequest, BatchWriteItemResponse),
    CreateBackup(CreateBackupRequest, BackupDetails),
    CreateGlobalTable(GlobalTableRequest, EmptyResponse),
    CreateTable(CreateTableRequest, TableDescription),
    DeleteBackup(DeleteBackupRequest, BackupDetails),
    DeleteItem(DeleteItemRequest, DeleteItemResponse),
    DeleteResourcePolicy(DeleteResourcePolicyRequest, PolicyRevision),
    DeleteTable(DeleteTableRequest, TableDescription),
    DescribeBackup(DescribeBackupRequest, BackupDetails),
    DescribeContinuousBackups(DescribeContinuousBackupsRequest, ContinuousBackups),
    DescribeContributorInsights(DescribeContributorInsightsRequest, InsightsOfTable),
    DescribeEndpoints(DescribeEndpointsRequest, EmptyResponse),
    DescribeExport(DescribeTransferRequest, Transfer),
    DescribeGlobalTable(GlobalTableRequest, EmptyResponse),
    DescribeGlobalTableSettings(GlobalTableRequest, EmptyResponse),
    DescribeImport(DescribeTransferRequest, Transfer),
    DescribeKinesisStreamingDestination(DescribeKinesisRequest, DescribeKinesisResponse),
    DescribeLimits(DescribeLimitsRequest, EmptyResponse),
    DescribeStream(DescribeStreamRequest, DescribeStreamResponse),
    DescribeTable(DescribeTableRequest, TableDescription),
    DescribeTimeToLive(DescribeTimeToLiveRequest, DescribeTimeToLiveResponse),
    DisableKinesisStreamingDestination(KinesisRequest, KinesisResponse),
    EnableKinesisStreamingDestination(KinesisRequest, KinesisResponse),
    ExecuteStatement(ExecuteStatementRequest, ExecuteStatementResponse),
    ExecuteTransaction(ExecuteTransactionRequest, ExecuteTransactionResponse),
    ExportTableToPointInTime(ExportTableRequest, Transfer),
    GetItem(GetItemRequest, GetItemResponse),
    GetRecords(GetRecordsRequest, GetRecordsResponse),
    GetResourcePolicy(GetResourcePolicyRequest, GetResourcePolicyResponse),
    GetShardIterator(GetShardIteratorRequest, GetShardIteratorResponse),
    ImportTable(ImportTableRequest, Transfer),
    ListBackups(ListBackupsRequest, ListBackupsResponse),
    ListContributorInsights(ListContributorInsightsRequest, Vec<InsightsOfTable>),
    ListExports(ListTransfersRequest, ListTransfersResponse),
    ListGlobalTables(ListGlobalTablesRequest, EmptyResponse),
    ListImports(ListTransfersRequest, ListTransfersResponse),
    ListStreams(ListStreamsRequest, ListStreamsResponse),
    ListTables(ListTablesRequest, ListTablesResponse),
    ListTagsOfResource(ListTagsOfResourceRequest, ListTagsOfResourceResponse),
    PutItem(PutItemRequest, PutItemResponse),
    PutResourcePolicy(PutResourcePolicyRequest, PolicyRevision),
    Query(QueryRequest, PageResponse),
    RestoreTableFromBackup(RestoreTableFromBackupRequest, TableDescription),
    RestoreTableToPointInTime(RestoreTableToPointInTimeRequest, TableDescription),
    Scan(ScanRequest, PageResponse),
    TagResource(TagResourceRequest, EmptyResponse),
    TransactGetItems(TransactGetItemsRequest, TransactGetItemsResponse),
    TransactWriteItems(TransactWriteItemsRequest, TransactWriteItemsResponse),
    UntagResource(UntagResourceRequest, EmptyResponse),
    UpdateContinuousBackups(UpdateContinuousBackupsRequest, ContinuousBackups),
    UpdateContributorInsights(UpdateContributorInsightsRequest, InsightsOfTable),
    UpdateGlobalTable(GlobalTableRequest, EmptyResponse),
    UpdateGlobalTableSettings(GlobalTableRequest, EmptyResponse),
    UpdateItem(UpdateItemRequest, UpdateItemResponse),
    UpdateKinesisStreamingDestination(KinesisRequest, KinesisResponse),
    UpdateTable(UpdateTableRequest, TableDescription),
    UpdateTimeToLive(UpdateTimeToLiveRequest, TimeToLiveSpecification),
}
