//! RestoreTableFromBackup and RestoreTableToPointInTime.
//!
//! A restore makes a new table with the items, indexes, billing and encryption of its source, and none of its
//! streams, tags, protection and the like.
//!
//! Source: facts 3.9.

use std::sync::Arc;

use hashrange_storage::{Change, Store, Table, TableChange};
use hashrange_types::operation::{
    GlobalIndexRequest, IndexRequest, KeyType, RestoreOverrides, RestoreTableFromBackupRequest,
    RestoreTableToPointInTimeRequest,
};
use hashrange_types::table_state::RestoreSummary;
use hashrange_types::{
    ApiError, BillingMode, IndexName, KeySchema, Response, TableName, TableSchema, Timestamp,
    ValidationError,
};

use super::Answer;
use super::backup::{check_unused, find, find_table};
use super::create_table::definition::{check_capacity_quota, invalid};
use super::create_table::options::{check_maximum, encryption};
use super::create_table::{begin, new_table};
use super::describe_table::describe;
use super::recovery::window;
use crate::life::settled;

pub(super) fn from_backup(
    store: &Store,
    request: &RestoreTableFromBackupRequest,
    now: Timestamp,
) -> Answer {
    check_target(store, &request.target)?;
    let (path, backup) = find(store, &request.backup)?;
    check_unused(store, path)?;
    if backup.available_at > now {
        let message = "Backup is being created";
        return Err(ApiError::exception("BackupInUseException", message));
    }
    let summary = RestoreSummary {
        backup: Some(path.clone()),
        table: backup.table.schema().name.as_str().into(),
        restored_to: backup.created_at,
    };
    let source = &backup.table;
    let (table, change) =
        restored(store, source, &request.target, &request.overrides, summary, now)?;
    Ok((Response::RestoreTableFromBackup(describe(&table, now)), vec![change]))
}

pub(super) fn to_point_in_time(
    store: &Store,
    request: &RestoreTableToPointInTimeRequest,
    now: Timestamp,
) -> Answer {
    let Some(source) = &request.source else {
        let rest = "One of SourceTableArn or SourceTableName must be specified";
        return Err(invalid(rest).into());
    };
    if request.uses_latest == request.at.is_some() {
        let rest = "Exactly one of UseLatestRestorableTime and RestoreDateTime must be specified";
        return Err(invalid(rest).into());
    }
    let source = find_table(store, source)?;
    check_target(store, &request.target)?;
    let name = &source.schema().name;
    let Some((earliest, latest)) = window(&source, now) else {
        let message = format!("Point in time recovery is not enabled for table '{name}'");
        return Err(ApiError::exception("PointInTimeRecoveryUnavailableException", message));
    };
    let at = request.at.unwrap_or(latest);
    // Both ends of the window are shown to the second, so a client may send them so.
    if at.whole_seconds() < earliest.whole_seconds() || at > latest {
        let message = format!(
            "The specified time is not between EarliestRestorableDateTime {}Z and \
             LatestRestorableDateTime {}Z",
            earliest.to_iso(),
            latest.to_iso()
        );
        return Err(ApiError::exception("InvalidRestoreTimeException", message));
    }
    let summary = RestoreSummary { backup: None, table: name.as_str().into(), restored_to: at };
    let (table, change) =
        restored(store, &source, &request.target, &request.overrides, summary, now)?;
    Ok((Response::RestoreTableToPointInTime(describe(&table, now)), vec![change]))
}

fn check_target(store: &Store, target: &TableName) -> Result<(), ApiError> {
    if store.table(target.as_str()).is_none() {
        return Ok(());
    }
    let message = format!("Table already exists: {target}");
    Err(ApiError::exception("TableAlreadyExistsException", message))
}

/// The new table, and the change that brings it.
fn restored(
    store: &Store,
    source: &Table,
    target: &TableName,
    overrides: &RestoreOverrides,
    summary: RestoreSummary,
    now: Timestamp,
) -> Result<(Table, Change), ApiError> {
    let schema = schema_of(source.schema(), target, overrides)?;
    let rows = source.items_at(summary.restored_to);
    let table = new_table(&schema, now).filled(rows);
    let mut state = table.state().clone();
    state.encryption = match &overrides.encryption {
        Some(asked) => encryption(asked)?,
        None => source.state().encryption.clone(),
    };
    if let Some(maximum) = overrides.on_demand_maximum {
        let rest = "when table BillingMode is PROVISIONED.";
        check_maximum(maximum, schema.billing, "table", rest)?;
        state.on_demand_maximum = maximum;
    } else if schema.billing == source.schema().billing {
        state.on_demand_maximum = source.state().on_demand_maximum;
    }
    state.restore = Some(summary);
    begin(&mut state, now.plus_millis(store.delays().restore));
    let table = settled(table.with_state(state), now).expect("a new table does not go");
    let after = Some(Arc::new(table.clone()));
    Ok((table, Change::Table(TableChange { name: target.clone(), before: None, after })))
}

/// The source's schema under a new name, with what the request overrides.
fn schema_of(
    source: &TableSchema,
    target: &TableName,
    overrides: &RestoreOverrides,
) -> Result<TableSchema, ApiError> {
    let mut schema = TableSchema { name: target.clone(), ..source.clone() };
    let is_on_demand = match overrides.is_pay_per_request {
        Some(is_on_demand) => is_on_demand,
        None => source.billing == BillingMode::PayPerRequest,
    };
    let current = crate::life::throughput_of(source.billing);
    schema.billing = match (is_on_demand, overrides.provisioned_throughput.or(current)) {
        (true, _) if overrides.provisioned_throughput.is_some() => {
            let rest = "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when \
                        BillingMode is PAY_PER_REQUEST";
            return Err(invalid(rest).into());
        }
        (true, _) => BillingMode::PayPerRequest,
        (false, Some(throughput)) => BillingMode::Provisioned(throughput),
        (false, None) => {
            let rest = "ProvisionedThroughput must be specified when BillingMode is PROVISIONED";
            return Err(invalid(rest).into());
        }
    };
    check_capacity_quota("table", crate::life::throughput_of(schema.billing))?;
    if let Some(kept) = &overrides.global_indexes {
        schema.global_indexes = kept
            .iter()
            .map(|asked| {
                let GlobalIndexRequest { index, provisioned_throughput, .. } = asked;
                let found = source.global_indexes.iter().find(|old| is_key(&old.key, index));
                let mut found = found.cloned().ok_or_else(|| unknown(index))?;
                found.name = name_of(index)?;
                found.throughput = provisioned_throughput.or(found.throughput);
                Ok(found)
            })
            .collect::<Result<_, ValidationError>>()?;
    }
    if let Some(kept) = &overrides.local_indexes {
        schema.local_indexes = kept
            .iter()
            .map(|asked| {
                let found = source.local_indexes.iter().find(|old| is_key(&old.key, asked));
                let mut found = found.cloned().ok_or_else(|| unknown(asked))?;
                found.name = name_of(asked)?;
                Ok(found)
            })
            .collect::<Result<_, ValidationError>>()?;
    }
    for index in &mut schema.global_indexes {
        if is_on_demand {
            index.throughput = None;
        } else if index.throughput.is_none() {
            let rest = format!("ProvisionedThroughput is not specified for index: {}", index.name);
            return Err(invalid(&rest).into());
        }
    }
    Ok(schema)
}

/// True if the index asked for has this key.
fn is_key(key: &KeySchema, asked: &IndexRequest) -> bool {
    let partition = key.partition.iter().map(|it| (it.name.as_str(), KeyType::Hash));
    let sort = key.sort.iter().map(|it| (it.name.as_str(), KeyType::Range));
    let asked = asked.key_schema.iter().map(|it| (it.attribute.as_str(), it.key_type));
    partition.chain(sort).eq(asked)
}

fn name_of(index: &IndexRequest) -> Result<IndexName, ValidationError> {
    IndexName::new(&index.name).ok_or_else(|| unknown(index))
}

fn unknown(index: &IndexRequest) -> ValidationError {
    let rest = format!(
        "Index {} is not an index of the source table: indexes can be left out of a \
                        restore or renamed, not added",
        index.name
    );
    invalid(&rest)
}
