//! Export to S3 and import from S3, kept as records.
//!
//! No file is read or written: an export is complete at once, and an import makes an empty table.
//!
//! Source: facts 3.12 and Appendix A.

use std::sync::Arc;

use hashrange_storage::{Account, Store};
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    DescribeTransferRequest, ExportTableRequest, ImportTableRequest, ListTransfersRequest,
    ListTransfersResponse, Transfer,
};
use hashrange_types::{ApiError, Response, TableName, Timestamp, ValidationError};
use smol_str::SmolStr;

use super::backup::find_table;
use super::describe_table::describe;
use super::recovery::window;
use super::{Answer, create_table};
use crate::life::account_change;

/// Records of one page.
const LIST_MAX: u32 = 25;

pub(super) fn start_export(store: &Store, request: &ExportTableRequest, now: Timestamp) -> Answer {
    let name = request.table.table().filter(|_| request.table.is_table());
    let name =
        name.ok_or_else(|| ValidationError::new("Invalid Request: TableArn is not valid"))?;
    let table = find_table(store, &name)?;
    let Some((earliest, latest)) = window(&table, now) else {
        let message = format!("Point in time recovery is not enabled for table '{name}'");
        return Err(ApiError::exception("PointInTimeRecoveryUnavailableException", message));
    };
    let at = request.at.unwrap_or(now);
    if request.at.is_some() && (at < earliest || at > latest.max(now)) {
        let message = "The specified ExportTime is outside of the point in time recovery window";
        return Err(ApiError::exception("InvalidExportTimeException", message));
    }
    let transfer = Transfer {
        path: path(store.account(), &name, "export", now),
        is_import: false,
        table: describe(&table, now),
        started_at: now,
        at,
        bucket: request.bucket.clone(),
        prefix: request.prefix.clone(),
        format: request.format.clone(),
        kind: request.kind.clone(),
        token: request.token.clone(),
    };
    let account = with(store, &transfer);
    Ok((Response::ExportTableToPointInTime(transfer), vec![account_change(store, account)]))
}

pub(super) fn start_import(store: &Store, request: &ImportTableRequest, now: Timestamp) -> Answer {
    let plan = create_table::plan(store, (*request.table).clone())?;
    let created = create_table::execute(store, &plan, now);
    let Response::CreateTable(table) = created.reply? else {
        unreachable!("CreateTable answers with a table")
    };
    let transfer = Transfer {
        path: path(store.account(), &request.table.table_name, "import", now),
        is_import: true,
        table,
        started_at: now,
        at: now,
        bucket: request.bucket.clone(),
        prefix: request.prefix.clone(),
        format: request.format.clone(),
        kind: SmolStr::default(),
        token: request.token.clone(),
    };
    let account = with(store, &transfer);
    let mut changes = created.changes;
    changes.push(account_change(store, account));
    Ok((Response::ImportTable(transfer), changes))
}

fn with(store: &Store, transfer: &Transfer) -> Account {
    let mut account = store.account().clone();
    account.transfers.insert(transfer.path.clone(), Arc::new(transfer.clone()));
    account
}

/// A path no record has: `table/NAME/export/MS-HEX`.
fn path(account: &Account, table: &TableName, kind: &str, now: Timestamp) -> SmolStr {
    let ms = now.0.div_euclid(1_000);
    format!("table/{table}/{kind}/{ms:014}-{:08x}", account.transfers.len()).into()
}

fn find(store: &Store, resource: &Resource, is_import: bool) -> Result<Transfer, ApiError> {
    let found = resource.path.as_ref().and_then(|path| store.account().transfers.get(path));
    let found = found.filter(|transfer| transfer.is_import == is_import);
    found.map(|transfer| (**transfer).clone()).ok_or_else(|| {
        let (name, word) = if is_import {
            ("ImportNotFoundException", "Import")
        } else {
            ("ExportNotFoundException", "Export")
        };
        ApiError::exception(name, format!("{word} not found: {}", resource.given))
    })
}

pub(super) fn export(store: &Store, request: &DescribeTransferRequest, _now: Timestamp) -> Answer {
    Ok((Response::DescribeExport(find(store, &request.transfer, false)?), Vec::new()))
}

pub(super) fn import(store: &Store, request: &DescribeTransferRequest, _now: Timestamp) -> Answer {
    Ok((Response::DescribeImport(find(store, &request.transfer, true)?), Vec::new()))
}

fn list(
    store: &Store,
    request: &ListTransfersRequest,
    is_import: bool,
) -> Result<ListTransfersResponse, ValidationError> {
    let table = request.table.as_ref().map(|resource| {
        let invalid = || ValidationError::new("Invalid Request: TableArn is not valid");
        resource.table().ok_or_else(invalid)
    });
    let table = table.transpose()?;
    let limit = usize::try_from(request.limit.unwrap_or(LIST_MAX)).unwrap_or(usize::MAX);
    let transfers = store.account().transfers.values();
    let mut found = transfers
        .filter(|transfer| transfer.is_import == is_import)
        .filter(|transfer| table.as_ref().is_none_or(|name| *name == transfer.table.schema.name))
        .filter(|transfer| request.start.as_ref().is_none_or(|start| transfer.path > *start));
    let transfers: Vec<Transfer> =
        found.by_ref().take(limit).map(|transfer| (**transfer).clone()).collect();
    let next = found.next().and_then(|_| transfers.last().map(|transfer| transfer.path.clone()));
    Ok(ListTransfersResponse { transfers, next })
}

pub(super) fn exports(store: &Store, request: &ListTransfersRequest, _now: Timestamp) -> Answer {
    Ok((Response::ListExports(list(store, request, false)?), Vec::new()))
}

pub(super) fn imports(store: &Store, request: &ListTransfersRequest, _now: Timestamp) -> Answer {
    Ok((Response::ListImports(list(store, request, true)?), Vec::new()))
}
