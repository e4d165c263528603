//! `Plan`: a request that was checked against the store's schemas, ready to execute.
//!
//! Invariant: a plan owns its bound expressions, so executing it cannot meet a syntax error.

use hashrange_storage::Store;
use hashrange_types::{ApiError, Request, Timestamp};

use crate::operation::{
    batch_execute_statement, batch_get_item, batch_write_item, create_table, delete_item,
    delete_table, describe_table, execute_statement, execute_transaction, get_item, list_tables,
    put_item, query, scan, transact_get_items, transact_write_items, update_item,
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
            match plan {
                $(Plan::$name(plan) => $module::execute(store, plan, now),)*
            }
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
    DescribeTable => describe_table,
    ExecuteStatement => execute_statement,
    ExecuteTransaction => execute_transaction,
    GetItem => get_item,
    ListTables => list_tables,
    PutItem => put_item,
    Query => query,
    Scan => scan,
    TransactGetItems => transact_get_items,
    TransactWriteItems => transact_write_items,
    UpdateItem => update_item,
}
