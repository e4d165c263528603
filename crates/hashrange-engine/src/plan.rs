//! `Plan`: a request that was checked against the store's schemas, ready to execute.
//!
//! Invariant: a plan owns its bound expressions, so executing it cannot meet a syntax error.

use hashrange_storage::Store;
use hashrange_types::{ApiError, Request, Timestamp};

use crate::log;
use crate::operation::{
    batch_execute_statement, batch_get_item, batch_write_item, create_table, delete_item,
    delete_table, describe_stream, describe_table, describe_time_to_live, execute_statement,
    execute_transaction, get_item, get_records, get_shard_iterator, list_streams, list_tables,
    list_tags_of_resource, put_item, query, scan, tag_resource, transact_get_items,
    transact_write_items, untag_resource, update_item, update_table, update_time_to_live,
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
            match request {
                $(Request::$name(request) => {
                    $module::plan(store, request).map(|plan| Plan::$name(Box::new(plan)))
                })*
            }
        }

        /// Finds out what follows from a plan, at the moment `now`. Pure: the store is not changed.
        pub fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
            let mut outcome = match plan {
                $(Plan::$name(plan) => $module::execute(store, plan, now),)*
            };
            log::record(store, &mut outcome.changes, now, false);
            outcome
        }
    };
}

plans! {
    BatchExecuteStatement => batch_execute_statement,
    BatchGetItem => batch_get_item,
    BatchWriteItem => batch_write_item,
    CreateTable => create_table,
    DeleteItem => delete_item,
    DeleteTable => delete_table,
    DescribeStream => describe_stream,
    DescribeTable => describe_table,
    DescribeTimeToLive => describe_time_to_live,
    ExecuteStatement => execute_statement,
    ExecuteTransaction => execute_transaction,
    GetItem => get_item,
    GetRecords => get_records,
    GetShardIterator => get_shard_iterator,
    ListStreams => list_streams,
    ListTables => list_tables,
    ListTagsOfResource => list_tags_of_resource,
    PutItem => put_item,
    Query => query,
    Scan => scan,
    TagResource => tag_resource,
    TransactGetItems => transact_get_items,
    TransactWriteItems => transact_write_items,
    UntagResource => untag_resource,
    UpdateItem => update_item,
    UpdateTable => update_table,
    UpdateTimeToLive => update_time_to_live,
}
