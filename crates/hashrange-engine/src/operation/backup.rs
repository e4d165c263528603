//! CreateBackup, DescribeBackup, ListBackups and DeleteBackup.
//!
//! Source: facts 3.9. Restoring is `restore`'s.

use std::sync::Arc;

use hashrange_storage::{Backup, Log, Store, Table};
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    BackupDetails, BackupFilter, CreateBackupRequest, DeleteBackupRequest, DescribeBackupRequest,
    ListBackupsRequest, ListBackupsResponse, TableStatus,
};
use hashrange_types::{ApiError, Response, TableName, Timestamp, ValidationError};
use smol_str::SmolStr;

use super::Answer;
use super::describe_table::describe as describe_table;
use crate::life::{account_change, backup_path};

/// Backups of one page of ListBackups.
const LIST_MAX: u32 = 100;

pub(super) fn create(store: &Store, request: &CreateBackupRequest, now: Timestamp) -> Answer {
    let table = find_table(store, &request.table.name)?;
    check_backed_up(&table)?;
    let mut account = store.account().clone();
    let path = backup_path(&account, &request.table.name, now);
    let backup = Backup {
        name: request.name.clone(),
        // Nobody reads its log, which would keep what point-in-time recovery forgets.
        table: Arc::new(table.with_log(Log::default())),
        created_at: now,
        available_at: now.plus_millis(store.delays().backup),
        expires_at: None,
    };
    let details = details(&path, &backup, now);
    account.backups.insert(path, Arc::new(backup));
    Ok((Response::CreateBackup(details), vec![account_change(store, account)]))
}

pub(super) fn describe(store: &Store, request: &DescribeBackupRequest, now: Timestamp) -> Answer {
    let (path, backup) = find(store, &request.backup)?;
    Ok((Response::DescribeBackup(details(path, backup, now)), Vec::new()))
}

pub(super) fn delete(store: &Store, request: &DeleteBackupRequest, now: Timestamp) -> Answer {
    let (path, backup) = find(store, &request.backup)?;
    if is_system(backup) {
        let message = "A backup of type SYSTEM cannot be deleted";
        return Err(ValidationError::new(message).into());
    }
    check_unused(store, path)?;
    let mut details = details(path, backup, now);
    details.status = "DELETED";
    let mut account = store.account().clone();
    account.backups.remove(path);
    Ok((Response::DeleteBackup(details), vec![account_change(store, account)]))
}

pub(super) fn list(store: &Store, request: &ListBackupsRequest, now: Timestamp) -> Answer {
    let start = request.start.as_ref().map(|start| {
        let message = format!("Invalid ExclusiveStartBackupArn: {}", start.given);
        start.path.clone().ok_or_else(|| ValidationError::new(message))
    });
    let start = start.transpose()?;
    let is_wanted = |backup: &Backup| {
        let kind = match request.filter {
            BackupFilter::User => !is_system(backup),
            BackupFilter::System => is_system(backup),
            BackupFilter::AwsBackup => false,
            BackupFilter::All => true,
        };
        let table = &backup.table.schema().name;
        kind && request.table.as_ref().is_none_or(|wanted| wanted.name == *table)
            && request.from.is_none_or(|from| backup.created_at >= from)
            && request.to.is_none_or(|to| backup.created_at < to)
    };
    let limit = usize::try_from(request.limit.unwrap_or(LIST_MAX)).unwrap_or(usize::MAX);
    let backups = store.account().backups.iter();
    let mut found = backups
        .filter(|(path, _)| start.as_ref().is_none_or(|start| *path > start))
        .filter(|(_, backup)| is_wanted(backup));
    let backups: Vec<BackupDetails> =
        found.by_ref().take(limit).map(|(path, backup)| details(path, backup, now)).collect();
    let last = found.next().and_then(|_| backups.last().map(|backup| backup.path.clone()));
    Ok((Response::ListBackups(ListBackupsResponse { backups, last }), Vec::new()))
}

/// True for a backup that the service made of a deleted table.
fn is_system(backup: &Backup) -> bool {
    backup.expires_at.is_some()
}

fn details(path: &SmolStr, backup: &Backup, now: Timestamp) -> BackupDetails {
    BackupDetails {
        path: path.clone(),
        name: backup.name.clone(),
        status: if backup.available_at > now { "CREATING" } else { "AVAILABLE" },
        is_system: is_system(backup),
        created_at: backup.created_at,
        expires_at: backup.expires_at,
        table: describe_table(&backup.table, now),
    }
}

/// The backup an ARN names.
pub(super) fn find<'a>(
    store: &'a Store,
    resource: &Resource,
) -> Result<(&'a SmolStr, &'a Backup), ApiError> {
    let found = resource.path.as_ref().and_then(|path| store.account().backups.get_key_value(path));
    found.map(|(path, backup)| (path, backup.as_ref())).ok_or_else(|| {
        let message = format!("Backup not found: {}", resource.given);
        ApiError::exception("BackupNotFoundException", message)
    })
}

/// Refuses a backup that a table is being restored from: it feeds one restore at a time.
pub(super) fn check_unused(store: &Store, path: &SmolStr) -> Result<(), ApiError> {
    let is_used = store.tables().any(|table| {
        let restore = table.state().restore.as_ref();
        restore.is_some_and(|restore| restore.backup.as_ref() == Some(path))
    });
    if !is_used {
        return Ok(());
    }
    let message = "Backup is being used to restore another table";
    Err(ApiError::exception("BackupInUseException", message))
}

/// The table called `name`, or the refusal of the backup family.
pub(super) fn find_table(store: &Store, name: &TableName) -> Result<Arc<Table>, ApiError> {
    store.shared_table(name.as_str()).ok_or_else(|| {
        ApiError::exception("TableNotFoundException", format!("Table not found: {name}"))
    })
}

/// Refuses a table whose backups are not enabled yet.
pub(super) fn check_backed_up(table: &Table) -> Result<(), ApiError> {
    let name = &table.schema().name;
    match table.state().status {
        TableStatus::Creating => {
            let message =
                format!("Backups are being enabled for the table: {name}. Please retry later");
            Err(ApiError::exception("ContinuousBackupsUnavailableException", message))
        }
        TableStatus::Deleting => {
            let message = format!("Table is being deleted: {name}");
            Err(ApiError::exception("TableInUseException", message))
        }
        TableStatus::Active | TableStatus::Updating => Ok(()),
    }
}
