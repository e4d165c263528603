//! CreateTable: check a table's definition and make the empty table.
//!
//! The table is ACTIVE as soon as the change is applied.
//!
//! Source: facts 3.8 and the control-plane rows of 4.10.1.

mod definition;
mod index;

use std::sync::Arc;

use hashrange_storage::{Change, Store, Table, TableChange};
use hashrange_types::limits::{ON_DEMAND_PARTITIONS, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use hashrange_types::operation::{CreateTableRequest, TableStatus};
use hashrange_types::{
    ApiError, BillingMode, ProvisionedThroughput, Response, TableSchema, Timestamp,
};

use crate::operation::describe_table::describe;
use crate::outcome::Outcome;

/// A checked CreateTable request.
#[derive(Debug, Clone)]
pub struct Plan {
    schema: TableSchema,
}

#[expect(clippy::needless_pass_by_value, reason = "every operation is planned by one signature")]
pub(crate) fn plan(store: &Store, request: CreateTableRequest) -> Result<Plan, ApiError> {
    let schema = definition::schema_of(&request)?;
    if store.table(schema.name.as_str()).is_some() {
        return Err(already_exists(&schema));
    }
    Ok(Plan { schema })
}

pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    let schema = &plan.schema;
    if store.table(schema.name.as_str()).is_some() {
        return Outcome::free(Err(already_exists(schema)));
    }
    let (n_partitions, n_index_partitions) = initial_partitions(schema);
    let table = Table::new(schema.clone(), now, n_partitions, &n_index_partitions);
    let description = describe(&table, TableStatus::Active);
    let mut outcome = Outcome::free(Ok(Response::CreateTable(description)));
    outcome.changes.push(Change::Table(TableChange {
        name: schema.name.clone(),
        before: None,
        after: Some(Arc::new(table)),
    }));
    outcome
}

fn already_exists(schema: &TableSchema) -> ApiError {
    ApiError::ResourceInUse(format!("Table already exists: {}", schema.name))
}

/// Partitions a new table starts with, and each of its global indexes in schema order.
fn initial_partitions(schema: &TableSchema) -> (u32, Vec<u32>) {
    let n_partitions = match schema.billing {
        BillingMode::PayPerRequest => ON_DEMAND_PARTITIONS,
        BillingMode::Provisioned(throughput) => provisioned_partitions(throughput),
    };
    let of_index = |throughput: Option<ProvisionedThroughput>| {
        throughput.map_or(ON_DEMAND_PARTITIONS, provisioned_partitions)
    };
    let n_index_partitions =
        schema.global_indexes.iter().map(|index| of_index(index.throughput)).collect();
    (n_partitions, n_index_partitions)
}

/// Read units by 3,000 plus write units by 1,000, rounded up (facts 6.1).
fn provisioned_partitions(throughput: ProvisionedThroughput) -> u32 {
    let writes_as_reads = throughput.write * (PARTITION_READ_UNITS / PARTITION_WRITE_UNITS);
    let n = (throughput.read + writes_as_reads).div_ceil(PARTITION_READ_UNITS).max(1);
    u32::try_from(n).expect("throughput is at most 40,000 of each")
}
