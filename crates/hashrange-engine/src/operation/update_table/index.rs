//! GlobalSecondaryIndexUpdates.

use hashrange_storage::Table;
use hashrange_types::limits::GLOBAL_INDEXES_MAX;
use hashrange_types::operation::{
    GlobalIndexChange, GlobalIndexRequest, GlobalIndexUpdate, UpdateTableRequest,
};
use hashrange_types::table_state::{IndexState, ON_DEMAND_WARM};
use hashrange_types::{
    ApiError, BillingMode, IndexName, ScalarType, TableSchema, TableStatus, Timestamp,
    ValidationError,
};

use super::capacity::{check_change, check_decreases};
use super::in_use;
use super::step::Step;
use crate::operation::create_table::definition::{
    Definitions, check_capacity_quota, check_positive, invalid,
};
use crate::operation::create_table::index::global_index;
use crate::operation::create_table::options::{check_maximum, warmer};

/// The steps of all updates of indexes.
///
/// # Errors
/// The index rows of facts 4.10.1.
pub(super) fn steps(
    table: &Table,
    request: &UpdateTableRequest,
    updates: &[GlobalIndexUpdate],
    now: Timestamp,
) -> Result<Vec<Step>, ApiError> {
    if updates.is_empty() {
        return Err(invalid("List of GlobalSecondaryIndexUpdates is empty").into());
    }
    let is_online = |it: &&GlobalIndexUpdate| it.create.is_some() || it.delete.is_some();
    let n_online = updates.iter().filter(is_online).count();
    let is_busy = table
        .state()
        .indexes
        .values()
        .any(|index| matches!(index.status, TableStatus::Creating | TableStatus::Deleting));
    let deletes_new = updates.iter().any(|it| it.delete.is_some()) && n_online == 1;
    if n_online > 1 || (n_online == 1 && is_busy && !deletes_new) {
        return Err(ApiError::LimitExceeded(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously \
             per table"
                .to_owned(),
        ));
    }
    let mut steps = Vec::new();
    for (position, update) in updates.iter().enumerate() {
        let place = format!("globalSecondaryIndexUpdates.{}.member", position + 1);
        match update {
            GlobalIndexUpdate { create: Some(asked), update: None, delete: None } => {
                steps.push(created(table, request, asked, &format!("{place}.create"))?);
            }
            GlobalIndexUpdate { create: None, update: Some(asked), delete: None } => {
                changed(table, request, asked, &format!("{place}.update"), now, &mut steps)?;
            }
            GlobalIndexUpdate { create: None, update: None, delete: Some(name) } => {
                steps.push(deleted(table, name)?);
            }
            _ => {
                let rest =
                    "Each GlobalSecondaryIndexUpdate has exactly one of Create, Update and Delete";
                return Err(invalid(rest).into());
            }
        }
    }
    Ok(steps)
}

fn created(
    table: &Table,
    request: &UpdateTableRequest,
    asked: &GlobalIndexRequest,
    place: &str,
) -> Result<Step, ApiError> {
    let schema = table.schema();
    if schema.index(&asked.index.name).is_some() {
        return Err(
            ValidationError::new("Attempting to create an index which already exists").into()
        );
    }
    if schema.global_indexes.len() >= GLOBAL_INDEXES_MAX {
        return Err(ApiError::LimitExceeded(format!(
            "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of \
             {GLOBAL_INDEXES_MAX}"
        )));
    }
    let requested: Vec<&str> =
        request.attribute_definitions.iter().map(|it| it.attribute.as_str()).collect();
    let keys: Vec<&str> = asked.index.key_schema.iter().map(|it| it.attribute.as_str()).collect();
    if keys.iter().any(|key| !requested.contains(key)) {
        let rest = format!(
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], \
             AttributeDefinitions: [{}]",
            keys.join(", "),
            requested.join(", ")
        );
        return Err(invalid(&rest).into());
    }
    let mut definitions: Definitions<'_> =
        request.attribute_definitions.iter().map(|it| (it.attribute.as_str(), it.scalar)).collect();
    // A type that the table has already stands, whatever the request says.
    definitions.extend(known(schema));
    let index = global_index(asked, schema.billing, &definitions, place)?;
    check_capacity_quota("index", index.throughput)?;
    let resource = format!("index: {}", index.name);
    let mut state = IndexState::active(index.throughput.unwrap_or(ON_DEMAND_WARM));
    if let Some(maximum) = asked.on_demand_maximum {
        let rest = "when the table BillingMode is PROVISIONED";
        check_maximum(maximum, schema.billing, &resource, rest)?;
        state.on_demand_maximum = maximum;
    }
    if let Some(warm) = asked.warm {
        state.warm = warmer(warm, state.warm, &resource)?;
    }
    Ok(Step::CreateIndex(index, state))
}

/// Types of the key attributes a table has already.
fn known(schema: &TableSchema) -> impl Iterator<Item = (&str, ScalarType)> {
    let indexes = schema.indexes().flat_map(|index| index.key.attributes());
    schema.key.attributes().chain(indexes).map(|it| (it.name.as_str(), it.scalar))
}

fn deleted(table: &Table, name: &str) -> Result<Step, ApiError> {
    let (name, state) = find(table, name)?;
    match state.status {
        TableStatus::Deleting => Err(in_use(&format!(
            "Index is being deleted. Table: {} Index: {name}",
            table.schema().name
        ))),
        TableStatus::Creating if !state.is_backfilling => Err(in_use(&format!(
            "Index creation is in resource allocation phase. Retry deletion during backfilling phase \
             or when the index is active. Table: {} Index: {name}",
            table.schema().name
        ))),
        _ => Ok(Step::DeleteIndex(name.clone())),
    }
}

fn changed(
    table: &Table,
    request: &UpdateTableRequest,
    asked: &GlobalIndexChange,
    place: &str,
    now: Timestamp,
    steps: &mut Vec<Step>,
) -> Result<(), ApiError> {
    let schema = table.schema();
    let (name, state) = find(table, &asked.name)?;
    if state.status != TableStatus::Active {
        let table = &schema.name;
        return Err(in_use(&format!("Index is being updated. Table: {table} Index: {name}")));
    }
    let index = schema.global_indexes.iter().find(|index| index.name == *name);
    let current = index.and_then(|index| index.throughput);
    let is_on_demand =
        request.is_pay_per_request.unwrap_or(schema.billing == BillingMode::PayPerRequest);
    let resource = format!("index: {name}");
    if let Some(throughput) = asked.provisioned_throughput {
        if is_on_demand {
            let rest = format!(
                "ProvisionedThroughput should not be specified for {resource} when BillingMode is \
                 PAY_PER_REQUEST"
            );
            return Err(invalid(&rest).into());
        }
        check_positive(throughput, &format!("{place}.provisionedThroughput"))?;
        check_capacity_quota("index", Some(throughput))?;
        if let Some(current) = current {
            check_change(&format!("index {name}"), "index", current, throughput)?;
            check_decreases(state.throughput, current, throughput, now)?;
        }
        steps.push(Step::IndexThroughput(name.clone(), throughput));
    }
    if let Some(maximum) = asked.on_demand_maximum {
        let rest = "when the table BillingMode is PROVISIONED";
        check_maximum(maximum, schema.billing, &resource, rest)?;
        steps.push(Step::IndexMaximum(name.clone(), maximum));
    }
    if let Some(warm) = asked.warm {
        steps.push(Step::IndexWarm(name.clone(), warmer(warm, state.warm, &resource)?));
    }
    Ok(())
}

/// The global index called `name`.
fn find<'a>(table: &'a Table, name: &str) -> Result<(&'a IndexName, &'a IndexState), ApiError> {
    table.state().indexes.get_key_value(name).ok_or_else(|| {
        let message =
            format!("Requested resource not found: Index {name} for table {}", table.schema().name);
        ApiError::exception("ResourceNotFoundException", message)
    })
}
