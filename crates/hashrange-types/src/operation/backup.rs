//! Backups and point-in-time recovery.

use smol_str::SmolStr;

use super::create_table::{EncryptionSpecification, GlobalIndexRequest, IndexRequest};
use super::describe_table::TableDescription;
use crate::arn::Resource;
use crate::table_state::{OnDemandThroughput, PointInTimeRecovery};
use crate::{ProvisionedThroughput, TableName, TableReference, Timestamp};

/// A CreateBackup request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateBackupRequest {
    /// The table.
    pub table: TableReference,
    /// The backup's name.
    pub name: SmolStr,
}

/// A DescribeBackup request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeBackupRequest {
    /// The backup.
    pub backup: Resource,
}

/// A DeleteBackup request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteBackupRequest {
    /// The backup.
    pub backup: Resource,
}

/// Which backups are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupFilter {
    /// Those that were asked for.
    User,
    /// Those the service made of deleted tables.
    System,
    /// Those of AWS Backup, of which there are none.
    AwsBackup,
    /// All.
    All,
}

/// A ListBackups request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListBackupsRequest {
    /// Backups of this table alone.
    pub table: Option<TableReference>,
    /// Most backups to return, 1 to 100.
    pub limit: Option<u32>,
    /// Backups made then or later.
    pub from: Option<Timestamp>,
    /// Backups made before.
    pub to: Option<Timestamp>,
    /// Backups after this one.
    pub start: Option<Resource>,
    /// Which kinds.
    pub filter: BackupFilter,
}

/// A backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupDetails {
    /// The part of its ARN after the account.
    pub path: SmolStr,
    /// Its name.
    pub name: SmolStr,
    /// CREATING, AVAILABLE or DELETED.
    pub status: &'static str,
    /// True if the service made it of a deleted table.
    pub is_system: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it goes by itself.
    pub expires_at: Option<Timestamp>,
    /// The table as it was.
    pub table: TableDescription,
}

/// A ListBackups response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListBackupsResponse {
    /// The backups.
    pub backups: Vec<BackupDetails>,
    /// The path of the last one, where there are more.
    pub last: Option<SmolStr>,
}

/// What a restored table has otherwise than its source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RestoreOverrides {
    /// BillingModeOverride: true for PAY_PER_REQUEST.
    pub is_pay_per_request: Option<bool>,
    /// ProvisionedThroughputOverride.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// OnDemandThroughputOverride.
    pub on_demand_maximum: Option<OnDemandThroughput>,
    /// GlobalSecondaryIndexOverride: the indexes to keep.
    pub global_indexes: Option<Vec<GlobalIndexRequest>>,
    /// LocalSecondaryIndexOverride: the indexes to keep.
    pub local_indexes: Option<Vec<IndexRequest>>,
    /// SSESpecificationOverride.
    pub encryption: Option<EncryptionSpecification>,
}

/// A RestoreTableFromBackup request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreTableFromBackupRequest {
    /// The new table.
    pub target: TableName,
    /// The backup.
    pub backup: Resource,
    /// What the new table has otherwise.
    pub overrides: RestoreOverrides,
}

/// A RestoreTableToPointInTime request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreTableToPointInTimeRequest {
    /// The table restored; none where the request names none.
    pub source: Option<TableName>,
    /// The new table.
    pub target: TableName,
    /// UseLatestRestorableTime.
    pub uses_latest: bool,
    /// RestoreDateTime.
    pub at: Option<Timestamp>,
    /// What the new table has otherwise.
    pub overrides: RestoreOverrides,
}

/// An UpdateContinuousBackups request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateContinuousBackupsRequest {
    /// The table.
    pub table: TableReference,
    /// PointInTimeRecoveryEnabled.
    pub is_enabled: bool,
    /// RecoveryPeriodInDays, 1 to 35.
    pub period_days: Option<u32>,
}

/// A DescribeContinuousBackups request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeContinuousBackupsRequest {
    /// The table.
    pub table: TableReference,
}

/// What both answer with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContinuousBackups {
    /// ContinuousBackupsStatus: the table can be backed up, which it cannot before it is made.
    pub is_enabled: bool,
    /// Point-in-time recovery, if it is on.
    pub recovery: Option<PointInTimeRecovery>,
    /// The earliest and latest moment that can be restored.
    pub window: Option<(Timestamp, Timestamp)>,
}
