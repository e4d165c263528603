//! One file per operation, or per family of small ones: how it is planned and executed.

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
pub(crate) mod scan;
mod streams;
mod tags;
mod time_to_live;
pub(crate) mod transact_get_items;
pub(crate) mod transact_write_items;
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
    describe_stream(DescribeStreamRequest) => streams::describe,
    describe_time_to_live(DescribeTimeToLiveRequest) => time_to_live::describe,
    get_records(GetRecordsRequest) => streams::records,
    get_shard_iterator(GetShardIteratorRequest) => streams::iterator,
    list_streams(ListStreamsRequest) => streams::list,
    list_tags_of_resource(ListTagsOfResourceRequest) => tags::list,
    tag_resource(TagResourceRequest) => tags::tag,
    untag_resource(UntagResourceRequest) => tags::untag,
    update_time_to_live(UpdateTimeToLiveRequest) => time_to_live::update,
}

fn outcome(answer: Answer) -> Outcome {
    match answer {
        Ok((response, changes)) => Outcome { changes, ..Outcome::free(Ok(response)) },
        Err(error) => Outcome::free(Err(error)),
    }
}
