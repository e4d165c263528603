//! From an UpdateTable request to the steps it takes, rule by rule.

use hashrange_storage::{Account, Delays, Table};
use hashrange_types::operation::{
    ReplicaAction, ReplicaUpdate, StreamSpecification, UpdateTableRequest,
};
use hashrange_types::table_state::{Encryption, StreamViewType};
use hashrange_types::{ApiError, BillingMode, Timestamp, ValidationError};

use super::step::Step;
use super::{capacity, index};
use crate::operation::create_table::definition::{invalid, refuse_unsupported};
use crate::operation::create_table::options::{check_maximum, encryption, view_type, warmer};

/// Milliseconds between two changes of deletion protection.
const PROTECTION_COOL_DOWN_MS: i64 = 15_000;
/// Changes of the table class, and the days they count for.
const CLASS_CHANGES_MAX: usize = 2;
const CLASS_CHANGES_DAYS: i64 = 30;

/// Refuses a request that asks for nothing, or for two things that cannot go together.
///
/// # Errors
/// The "At least one of" and "only operation" rows of facts 4.10.1.
pub(super) fn check_concerns(request: &UpdateTableRequest) -> Result<(), ValidationError> {
    refuse_unsupported(&request.unsupported)?;
    let options = &request.options;
    let updates = request.index_updates.iter().flatten();
    let makes_index = updates.clone().any(|it| it.create.is_some() || it.delete.is_some());
    // Each may only stand alone; the first column is how the refusal names it.
    let alone = [
        ("DeletionProtection modification", options.is_protected.is_some()),
        ("Server-Side Encryption modification", options.encryption.is_some()),
        ("TableClass modification", options.class.is_some()),
        ("WarmThroughput", options.warm.is_some()),
        ("Replica modification", request.replica_updates.is_some()),
        ("GlobalSecondaryIndex creation or deletion", makes_index),
    ];
    let changes_capacity = request.provisioned_throughput.is_some()
        || (request.index_updates.is_some() && !makes_index);
    let with_on_demand = [
        ("StreamSpecification modification", options.stream.is_some()),
        ("OnDemandThroughput modification", options.on_demand_maximum.is_some()),
    ];
    let n_alone = count(&alone);
    let n_with = count(&with_on_demand);
    let changes_billing = request.is_pay_per_request.is_some() || changes_capacity;
    if n_alone + n_with + usize::from(changes_billing) == 0 {
        return Err(ValidationError::new(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
             GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
             MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, \
             DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required",
        ));
    }
    let only = |concerns: &[(&str, bool)]| {
        let found = concerns.iter().find(|(_, is_given)| *is_given);
        let name = found.map_or("", |(name, _)| *name);
        invalid(&format!("{name} must be the only operation in the request"))
    };
    if n_alone > 1 || (n_alone == 1 && (n_with > 0 || changes_billing)) {
        return Err(only(&alone));
    }
    let is_to_on_demand = request.is_pay_per_request == Some(true) && !changes_capacity;
    if n_with > 1 || (n_with == 1 && changes_billing && !is_to_on_demand) {
        return Err(only(&with_on_demand));
    }
    Ok(())
}

fn count(concerns: &[(&str, bool)]) -> usize {
    concerns.iter().filter(|(_, is_given)| *is_given).count()
}

/// The steps a request takes on a table that is ready.
///
/// # Errors
/// The first rule it breaks.
pub(super) fn steps(
    table: &Table,
    request: &UpdateTableRequest,
    account: &Account,
    now: Timestamp,
) -> Result<Vec<Step>, ApiError> {
    let mut steps = capacity::steps(table, request, now)?;
    if let Some(updates) = &request.index_updates {
        steps.extend(index::steps(table, request, updates, now)?);
    }
    let options = &request.options;
    steps.extend(options.stream.map(|stream| stream_step(table, stream)).transpose()?);
    let protected = options.is_protected;
    steps.extend(protected.map(|it| protection_step(table, it, &account.delays, now)).transpose()?);
    if let Some(class) = options.class.filter(|class| *class != table.state().class) {
        check_class_changes(&table.state().class_changes, now)?;
        steps.push(Step::Class(class));
    }
    if let Some(maximum) = options.on_demand_maximum {
        let billing = match request.is_pay_per_request {
            Some(true) => BillingMode::PayPerRequest,
            _ => table.schema().billing,
        };
        check_maximum(maximum, billing, "table", "when the table BillingMode is PROVISIONED")?;
        steps.push(Step::Maximum(maximum));
    }
    if let Some(warm) = options.warm {
        steps.push(Step::Warm(warmer(warm, table.state().warm, "table")?));
    }
    if let Some(asked) = &options.encryption {
        let wanted = encryption(asked)?;
        let key = |it: &Option<Encryption>| it.as_ref().map(|it| it.key.clone());
        if key(&wanted) == key(&table.state().encryption) {
            return Err(invalid("Table is already encrypted by given KMSMasterKeyId").into());
        }
        steps.push(Step::Encryption(wanted));
    }
    if let Some(updates) = &request.replica_updates {
        check_replicas(table, updates, &account.region)?;
        // Replication goes by a stream of both images, which DynamoDB switches on by itself.
        if updates[0].action == ReplicaAction::Create && table.state().enabled_stream().is_none() {
            steps.push(Step::Stream(Some(StreamViewType::NewAndOldImages)));
        }
        steps.push(Step::Replicas(updates.clone()));
    }
    Ok(steps)
}

/// Refuses no action, two kinds of action, the Region of the table itself, a replica twice and one that is not
/// there.
///
/// Source: ACK quirks DDB-TABLE-203 and 223, October 2026 (facts 0.2); the Region of the table: aws-cli issue 4906.
fn check_replicas(
    table: &Table,
    updates: &[ReplicaUpdate],
    own_region: &str,
) -> Result<(), ValidationError> {
    let Some(action) = updates.first().map(|update| update.action) else {
        return Err(ValidationError::new(
            "There are no actions specified in the Replica Update Action of the request.",
        ));
    };
    if updates.iter().any(|update| update.action != action) {
        return Err(ValidationError::new(
            "Update table operation with more than one type of replica actions not allowed.",
        ));
    }
    if updates.iter().any(|update| update.region == own_region) {
        return Err(ValidationError::new(
            "Cannot add, delete, or update the local region through ReplicaUpdates. Use CreateTable, \
             DeleteTable, or UpdateTable as required.",
        ));
    }
    let adds = action == ReplicaAction::Create;
    let replicas = &table.state().replicas;
    let wrong: Vec<&str> = updates
        .iter()
        .map(|update| update.region.as_str())
        .filter(|region| adds == replicas.iter().any(|replica| replica.region == *region))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(ValidationError::new(if adds {
        format!(
            "Failed to create a the new replica of table with name: '{}' because one or more replicas \
             already existed as tables.",
            table.schema().name
        )
    } else {
        format!(
            "Update global table operation failed because one or more replicas were not part of the \
             global table. Please retry the request without these replicas: [{}].",
            wrong.join(", ")
        )
    }))
}

fn stream_step(table: &Table, stream: StreamSpecification) -> Result<Step, ValidationError> {
    let name = &table.schema().name;
    let is_enabled = table.state().enabled_stream().is_some();
    let message = match (stream.is_enabled, is_enabled) {
        (true, true) => format!("Table already has an enabled stream: TableName: {name}"),
        (false, false) => format!("Table has no stream to disable: TableName: {name}"),
        // Replication goes by it (facts 3.11; wording: terraform-provider-aws issue 34450).
        (false, true) if !table.state().replicas.is_empty() => {
            return Err(invalid("Disabling Stream is not allowed for a Global Table replica."));
        }
        _ => return Ok(Step::Stream(view_type(stream, "updated")?)),
    };
    Err(ValidationError::new(message))
}

fn protection_step(
    table: &Table,
    is_protected: bool,
    delays: &Delays,
    now: Timestamp,
) -> Result<Step, ApiError> {
    let last = table.state().protection_changed_at.filter(|_| delays.has_cool_downs);
    let until = last.map(|at| at.plus_millis(PROTECTION_COOL_DOWN_MS));
    let Some(until) = until.filter(|until| *until > now) else {
        return Ok(Step::Protection(is_protected));
    };
    let message = format!(
        "Deletion protection setting for table {} modified within the previous \
         {PROTECTION_COOL_DOWN_MS} milliseconds. Please try again after {}Z",
        table.schema().name,
        until.to_iso()
    );
    Err(ApiError::exception("ThrottlingException", message))
}

fn check_class_changes(changes: &[Timestamp], now: Timestamp) -> Result<(), ApiError> {
    let since = now.plus_millis(-CLASS_CHANGES_DAYS * 24 * 3_600 * 1_000);
    if changes.iter().filter(|at| **at > since).count() < CLASS_CHANGES_MAX {
        return Ok(());
    }
    Err(ApiError::LimitExceeded(format!(
        "Subscriber limit exceeded: Updates to TableClass are limited to {CLASS_CHANGES_MAX} times in \
         {CLASS_CHANGES_DAYS} day(s)."
    )))
}
