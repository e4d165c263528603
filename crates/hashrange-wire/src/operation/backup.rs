//! Backups and point-in-time recovery on the wire.

use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    BackupDetails, BackupFilter, ContinuousBackups, CreateBackupRequest, DeleteBackupRequest,
    DescribeBackupRequest, DescribeContinuousBackupsRequest, ListBackupsRequest,
    ListBackupsResponse, RestoreOverrides, RestoreTableFromBackupRequest,
    RestoreTableToPointInTimeRequest, UpdateContinuousBackupsRequest,
};
use hashrange_types::{
    BillingMode, ProvisionedThroughput, Request, TableName, TableReference, ValidationError,
};
use smol_str::SmolStr;

use super::create_table::{
    BILLING_MODE, GLOBAL_KEY_ELEMENTS_MAX, global_index, index, index_list, throughput_at,
};
use super::describe_table;
use super::streams::time;
use super::table_options::{encryption, on_demand_throughput_at};
use super::tags::arn;
use crate::constraint::{self, Choices, Constraints, Place, Plane, Refusal};
use crate::members::Members;
use crate::writer::{ObjectWriter, Writer};

const ARN_LENGTHS: (usize, usize) = (37, 1_024);
const LIST_MAX: i64 = 100;
const PERIOD_DAYS_MAX: i64 = 35;

pub(super) fn decode_create(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let place = Place::Root.member("BackupName");
    let name = constraints.required(members.text("BackupName")?, &place);
    if let Some(name) = &name {
        constraints.name(name, 3, &place);
    }
    let table = constraint::table(table, Plane::Control)?;
    constraints.finish()?;
    Ok(Request::CreateBackup(CreateBackupRequest { table, name: name.unwrap_or_default().into() }))
}

/// Reads BackupArn.
fn backup(members: &mut Members) -> Result<Resource, Refusal> {
    let mut constraints = Constraints::default();
    let backup = arn(members, "BackupArn", ARN_LENGTHS, &mut constraints)?;
    constraints.finish()?;
    Ok(backup)
}

pub(super) fn decode_describe(mut members: Members) -> Result<Request, Refusal> {
    let backup = backup(&mut members)?;
    Ok(Request::DescribeBackup(DescribeBackupRequest { backup }))
}

pub(super) fn decode_delete(mut members: Members) -> Result<Request, Refusal> {
    let backup = backup(&mut members)?;
    Ok(Request::DeleteBackup(DeleteBackupRequest { backup }))
}

const FILTER: &Choices<BackupFilter> = &[
    ("USER", BackupFilter::User),
    ("SYSTEM", BackupFilter::System),
    ("AWS_BACKUP", BackupFilter::AwsBackup),
    ("ALL", BackupFilter::All),
];

pub(super) fn decode_list(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let table = members.text("TableName")?;
    let limit = members.integer("Limit")?;
    if let Some(limit) = limit {
        constraints.range(limit, 1, LIST_MAX, &Place::Root.member("Limit"));
    }
    let from = members.read_with("TimeRangeLowerBound", |json| time(&json))?;
    let to = members.read_with("TimeRangeUpperBound", |json| time(&json))?;
    let start = members.text("ExclusiveStartBackupArn")?.map(|given| Resource::new(&given));
    let filter = constraints.choice(members, "BackupType", FILTER, &Place::Root)?;
    let table = table.map(|table| constraint::table(Some(table), Plane::Control)).transpose()?;
    constraints.finish()?;
    Ok(Request::ListBackups(ListBackupsRequest {
        table,
        limit: limit.and_then(|limit| u32::try_from(limit).ok()),
        from,
        to,
        start,
        filter: filter.unwrap_or(BackupFilter::User),
    }))
}

fn overrides(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Result<RestoreOverrides, Refusal> {
    let root = &Place::Root;
    let global = "GlobalSecondaryIndexOverride";
    let global_indexes = index_list(members, global, "GlobalSecondaryIndex", |members, place| {
        let index = index(members, GLOBAL_KEY_ELEMENTS_MAX, place, constraints)?;
        global_index(index, members, place, constraints)
    })?;
    let local = "LocalSecondaryIndexOverride";
    let local_indexes = index_list(members, local, "LocalSecondaryIndex", |members, place| {
        index(members, 2, place, constraints)
    })?;
    Ok(RestoreOverrides {
        is_pay_per_request: constraints.choice(
            members,
            "BillingModeOverride",
            BILLING_MODE,
            root,
        )?,
        provisioned_throughput: throughput_at(
            members,
            "ProvisionedThroughputOverride",
            root,
            constraints,
        )?,
        on_demand_maximum: on_demand_throughput_at(members, "OnDemandThroughputOverride")?,
        global_indexes,
        local_indexes,
        encryption: encryption(members, "SSESpecificationOverride", constraints)?,
    })
}

/// Reads the name of a table as member `name`.
fn table_name(
    members: &mut Members,
    name: &str,
    constraints: &mut Constraints,
) -> Result<Option<TableName>, Refusal> {
    let Some(given) = members.text(name)? else { return Ok(None) };
    constraints.name(&given, 3, &Place::Root.member(name));
    Ok(TableName::new(&given))
}

/// Reads TargetTableName.
fn target(
    members: &mut Members,
    constraints: &mut Constraints,
) -> Result<Option<TableName>, Refusal> {
    let name = "TargetTableName";
    if !members.has(name) {
        constraints.required(None::<()>, &Place::Root.member(name));
    }
    table_name(members, name, constraints)
}

pub(super) fn decode_restore(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let target = target(&mut members, &mut constraints)?;
    let backup = arn(&mut members, "BackupArn", ARN_LENGTHS, &mut constraints)?;
    let overrides = overrides(&mut members, &mut constraints)?;
    constraints.finish()?;
    let target = target.expect("its absence was refused");
    Ok(Request::RestoreTableFromBackup(RestoreTableFromBackupRequest { target, backup, overrides }))
}

pub(super) fn decode_restore_to_time(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let target = target(&mut members, &mut constraints)?;
    let named = table_name(&mut members, "SourceTableName", &mut constraints)?;
    let of_arn = members.text("SourceTableArn")?.and_then(|given| Resource::new(&given).table());
    let uses_latest = members.boolean("UseLatestRestorableTime")?.unwrap_or_default();
    let at = members.read_with("RestoreDateTime", |json| time(&json))?;
    let overrides = overrides(&mut members, &mut constraints)?;
    constraints.finish()?;
    Ok(Request::RestoreTableToPointInTime(RestoreTableToPointInTimeRequest {
        source: named.or(of_arn),
        target: target.expect("its absence was refused"),
        uses_latest,
        at,
        overrides,
    }))
}

/// Reads TableName as the backup family does: an unknown table is another exception, a wrong one is not.
fn table(members: &mut Members) -> Result<TableReference, Refusal> {
    constraint::table(members.text("TableName")?, Plane::Control)
}

pub(super) fn decode_update(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let table = table(&mut members)?;
    let name = "PointInTimeRecoverySpecification";
    let place = Place::Root.member(name);
    let read = members.read_with(name, |json| {
        let mut members = Members::read(json, name)?;
        let enabled = members.boolean("PointInTimeRecoveryEnabled")?;
        let enabled = constraints.required(enabled, &place.member("PointInTimeRecoveryEnabled"));
        let days = members.integer("RecoveryPeriodInDays")?;
        if let Some(days) = days {
            constraints.range(days, 1, PERIOD_DAYS_MAX, &place.member("RecoveryPeriodInDays"));
        }
        Ok((enabled.unwrap_or_default(), days))
    })?;
    let read = constraints.required(read, &place);
    constraints.finish()?;
    let (is_enabled, days) = read.expect("its absence was refused");
    if !is_enabled && days.is_some() {
        return Err(ValidationError::new(
            "One or more parameter values were invalid: RecoveryPeriodInDays cannot be specified when \
             PointInTimeRecoveryEnabled is false",
        )
        .into());
    }
    let period_days = days.and_then(|days| u32::try_from(days).ok());
    Ok(Request::UpdateContinuousBackups(UpdateContinuousBackupsRequest {
        table,
        is_enabled,
        period_days,
    }))
}

pub(super) fn decode_describe_continuous(mut members: Members) -> Result<Request, Refusal> {
    let table = table(&mut members)?;
    Ok(Request::DescribeContinuousBackups(DescribeContinuousBackupsRequest { table }))
}

pub(super) fn encode_created(backup: &BackupDetails, writer: &mut Writer) {
    writer.object(|object| {
        object.member("BackupDetails").object(|object| details(object, backup));
    });
}

pub(super) fn encode(backup: &BackupDetails, writer: &mut Writer) {
    writer.object(|object| {
        object.member("BackupDescription").object(|object| {
            object.member("BackupDetails").object(|object| details(object, backup));
            object.member("SourceTableDetails").object(|object| source(object, backup));
            object.member("SourceTableFeatureDetails").object(|object| features(object, backup));
        });
    });
}

fn details(object: &mut ObjectWriter, backup: &BackupDetails) {
    object.arn("BackupArn", &backup.path);
    object.text("BackupName", &backup.name);
    object.member("BackupSizeBytes").integer(backup.table.size_bytes);
    object.text("BackupStatus", backup.status);
    object.text("BackupType", if backup.is_system { "SYSTEM" } else { "USER" });
    object.time("BackupCreationDateTime", backup.created_at);
    if let Some(at) = backup.expires_at {
        object.time("BackupExpiryDateTime", at);
    }
}

fn source(object: &mut ObjectWriter, backup: &BackupDetails) {
    let table = &backup.table;
    let schema = &table.schema;
    object.text("TableName", schema.name.as_str());
    object.text("TableId", &table.table_id);
    object.arn("TableArn", &format!("table/{}", schema.name));
    object.member("TableSizeBytes").integer(table.size_bytes);
    describe_table::key_schema(object, &schema.key);
    object.time("TableCreationDateTime", table.created_at);
    let (mode, throughput) = match schema.billing {
        BillingMode::PayPerRequest => {
            ("PAY_PER_REQUEST", ProvisionedThroughput { read: 0, write: 0 })
        }
        BillingMode::Provisioned(throughput) => ("PROVISIONED", throughput),
    };
    describe_table::throughput(object, throughput, None);
    object.member("ItemCount").integer(table.item_count);
    object.text("BillingMode", mode);
}

fn features(object: &mut ObjectWriter, backup: &BackupDetails) {
    let table = &backup.table;
    let schema = &table.schema;
    describe_table::local_indexes(object, schema);
    if !schema.global_indexes.is_empty() {
        object.member("GlobalSecondaryIndexes").list(&schema.global_indexes, |w, index| {
            w.object(|object| {
                describe_table::index(object, &index.name, &index.key, &index.projection);
                let none = ProvisionedThroughput { read: 0, write: 0 };
                describe_table::throughput(object, index.throughput.unwrap_or(none), None);
            });
        });
    }
    if let Some((_, view_type)) = table.state.enabled_stream() {
        object.member("StreamDescription").object(|object| {
            object.member("StreamEnabled").boolean(true);
            object.text("StreamViewType", view_type.name());
        });
    }
    if let Some(attribute) = &table.state.time_to_live.attribute {
        object.member("TimeToLiveDescription").object(|object| {
            object.text("TimeToLiveStatus", "ENABLED");
            object.text("AttributeName", attribute.as_str());
        });
    }
}

pub(super) fn encode_list(response: &ListBackupsResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("BackupSummaries").list(&response.backups, |w, backup| {
            w.object(|object| {
                let name = &backup.table.schema.name;
                object.text("TableName", name.as_str());
                object.text("TableId", &backup.table.table_id);
                object.arn("TableArn", &format!("table/{name}"));
                details(object, backup);
            });
        });
        if let Some(last) = &response.last {
            object.arn("LastEvaluatedBackupArn", last);
        }
    });
}

pub(super) fn encode_continuous(response: &ContinuousBackups, writer: &mut Writer) {
    writer.object(|object| {
        object.member("ContinuousBackupsDescription").object(|object| {
            let status = if response.is_enabled { "ENABLED" } else { "DISABLED" };
            object.text("ContinuousBackupsStatus", status);
            object.member("PointInTimeRecoveryDescription").object(|object| {
                let status = if response.recovery.is_some() { "ENABLED" } else { "DISABLED" };
                object.text("PointInTimeRecoveryStatus", status);
                if let Some(recovery) = response.recovery {
                    object.member("RecoveryPeriodInDays").integer(recovery.period_days.into());
                }
                if let Some((earliest, latest)) = response.window {
                    object.time("EarliestRestorableDateTime", earliest);
                    object.time("LatestRestorableDateTime", latest);
                }
            });
        });
    });
}

/// The path that stands in a token for reading on.
pub(super) fn start(members: &mut Members) -> Result<Option<SmolStr>, Refusal> {
    Ok(members.text("NextToken")?.map(SmolStr::from))
}
