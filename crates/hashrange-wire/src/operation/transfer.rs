//! Export to S3 and import from S3 on the wire.

use hashrange_types::Request;
use hashrange_types::arn::Resource;
use hashrange_types::operation::{
    DescribeTransferRequest, ExportTableRequest, ImportTableRequest, ListTransfersRequest,
    ListTransfersResponse, Transfer,
};
use smol_str::SmolStr;

use super::backup::start;
use super::create_table;
use super::create_table::required_choice;
use super::streams::time;
use super::tags::arn;
use crate::constraint::{Choices, Constraints, Place, Refusal};
use crate::members::Members;
use crate::writer::{ObjectWriter, Writer};

const ARN_LENGTHS: (usize, usize) = (37, 1_024);
const TABLE_ARN_LENGTHS: (usize, usize) = (1, 1_024);
const LIST_MAX: i64 = 25;
const EXPORT_FORMAT: &Choices<&str> = &[("DYNAMODB_JSON", "DYNAMODB_JSON"), ("ION", "ION")];
const EXPORT_TYPE: &Choices<&str> =
    &[("FULL_EXPORT", "FULL_EXPORT"), ("INCREMENTAL_EXPORT", "INCREMENTAL_EXPORT")];
const INPUT_FORMAT: &Choices<&str> =
    &[("DYNAMODB_JSON", "DYNAMODB_JSON"), ("ION", "ION"), ("CSV", "CSV")];

pub(super) fn decode_export(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let root = &Place::Root;
    let table = arn(members, "TableArn", TABLE_ARN_LENGTHS, &mut constraints)?;
    let at = members.read_with("ExportTime", |json| time(&json))?;
    let bucket = members.text("S3Bucket")?.map(SmolStr::from);
    let bucket = constraints.required(bucket, &root.member("S3Bucket")).unwrap_or_default();
    let prefix = members.text("S3Prefix")?.map(SmolStr::from);
    let token = members.text("ClientToken")?.map(SmolStr::from);
    let format = constraints.choice(members, "ExportFormat", EXPORT_FORMAT, root)?;
    let kind = constraints.choice(members, "ExportType", EXPORT_TYPE, root)?;
    constraints.finish()?;
    Ok(Request::ExportTableToPointInTime(ExportTableRequest {
        table,
        at,
        bucket,
        prefix,
        token,
        format: format.unwrap_or("DYNAMODB_JSON").into(),
        kind: kind.unwrap_or("FULL_EXPORT").into(),
    }))
}

pub(super) fn decode_import(mut members: Members) -> Result<Request, Refusal> {
    let members = &mut members;
    let mut constraints = Constraints::default();
    let root = &Place::Root;
    let source = members.read_with("S3BucketSource", |json| {
        let mut members = Members::read(json, "S3BucketSource")?;
        let bucket = members.text("S3Bucket")?.map(SmolStr::from);
        Ok((bucket, members.text("S3KeyPrefix")?.map(SmolStr::from)))
    })?;
    let place = root.member("S3BucketSource");
    let source = constraints.required(source, &place).unwrap_or_default();
    let bucket = constraints.required(source.0, &place.member("S3Bucket")).unwrap_or_default();
    let format = required_choice(members, "InputFormat", INPUT_FORMAT, root, &mut constraints)?;
    let token = members.text("ClientToken")?.map(SmolStr::from);
    let parameters = members.take("TableCreationParameters");
    let place = root.member("TableCreationParameters");
    let parameters = constraints.required(parameters, &place);
    constraints.finish()?;
    let parameters = parameters.expect("its absence was refused");
    let parameters = Members::read(parameters, "TableCreationParameters")?;
    let Request::CreateTable(table) = create_table::decode(parameters)? else {
        unreachable!("CreateTable decodes to itself")
    };
    Ok(Request::ImportTable(ImportTableRequest {
        table: Box::new(table),
        bucket,
        prefix: source.1,
        format: format.unwrap_or_default().into(),
        token,
    }))
}

/// Reads the ARN of an export or import.
fn transfer(members: &mut Members, name: &str) -> Result<DescribeTransferRequest, Refusal> {
    let mut constraints = Constraints::default();
    let transfer = arn(members, name, ARN_LENGTHS, &mut constraints)?;
    constraints.finish()?;
    Ok(DescribeTransferRequest { transfer })
}

pub(super) fn decode_describe_export(mut members: Members) -> Result<Request, Refusal> {
    transfer(&mut members, "ExportArn").map(Request::DescribeExport)
}

pub(super) fn decode_describe_import(mut members: Members) -> Result<Request, Refusal> {
    transfer(&mut members, "ImportArn").map(Request::DescribeImport)
}

fn list(members: &mut Members, limit: &str) -> Result<ListTransfersRequest, Refusal> {
    let mut constraints = Constraints::default();
    let table = members.text("TableArn")?.map(|given| Resource::new(&given));
    let place = Place::Root.member(limit);
    let limit = members.integer(limit)?;
    if let Some(limit) = limit {
        constraints.range(limit, 1, LIST_MAX, &place);
    }
    let start = start(members)?;
    constraints.finish()?;
    let limit = limit.and_then(|limit| u32::try_from(limit).ok());
    Ok(ListTransfersRequest { table, limit, start })
}

pub(super) fn decode_list_exports(mut members: Members) -> Result<Request, Refusal> {
    list(&mut members, "MaxResults").map(Request::ListExports)
}

pub(super) fn decode_list_imports(mut members: Members) -> Result<Request, Refusal> {
    list(&mut members, "PageSize").map(Request::ListImports)
}

/// Writes an export or import that was asked for just now.
pub(super) fn encode_started(transfer: &Transfer, writer: &mut Writer) {
    encode(transfer, "IN_PROGRESS", writer);
}

/// Writes an export or import of before.
pub(super) fn encode_complete(transfer: &Transfer, writer: &mut Writer) {
    encode(transfer, "COMPLETED", writer);
}

fn encode(transfer: &Transfer, status: &str, writer: &mut Writer) {
    writer.object(|object| {
        if transfer.is_import {
            object
                .member("ImportTableDescription")
                .object(|object| import(object, transfer, status));
        } else {
            object.member("ExportDescription").object(|object| export(object, transfer, status));
        }
    });
}

fn export(object: &mut ObjectWriter, transfer: &Transfer, status: &str) {
    object.arn("ExportArn", &transfer.path);
    object.text("ExportStatus", status);
    object.time("StartTime", transfer.started_at);
    table(object, transfer);
    object.time("ExportTime", transfer.at);
    if let Some(token) = &transfer.token {
        object.text("ClientToken", token);
    }
    object.text("S3Bucket", &transfer.bucket);
    if let Some(prefix) = &transfer.prefix {
        object.text("S3Prefix", prefix);
    }
    object.text("ExportFormat", &transfer.format);
    object.text("ExportType", &transfer.kind);
    if status == "COMPLETED" {
        object.time("EndTime", transfer.started_at);
        object.member("BilledSizeBytes").integer(transfer.table.size_bytes);
        object.member("ItemCount").integer(transfer.table.item_count);
    }
}

fn import(object: &mut ObjectWriter, transfer: &Transfer, status: &str) {
    object.arn("ImportArn", &transfer.path);
    object.text("ImportStatus", status);
    object.time("StartTime", transfer.started_at);
    table(object, transfer);
    if let Some(token) = &transfer.token {
        object.text("ClientToken", token);
    }
    object.member("S3BucketSource").object(|object| {
        object.text("S3Bucket", &transfer.bucket);
        if let Some(prefix) = &transfer.prefix {
            object.text("S3KeyPrefix", prefix);
        }
    });
    object.text("InputFormat", &transfer.format);
    if status == "COMPLETED" {
        object.time("EndTime", transfer.started_at);
        object.member("ImportedItemCount").integer(0);
    }
}

fn table(object: &mut ObjectWriter, transfer: &Transfer) {
    object.arn("TableArn", &format!("table/{}", transfer.table.schema.name));
    object.text("TableId", &transfer.table.table_id);
}

pub(super) fn encode_exports(response: &ListTransfersResponse, writer: &mut Writer) {
    encode_list(response, "ExportSummaries", writer);
}

pub(super) fn encode_imports(response: &ListTransfersResponse, writer: &mut Writer) {
    encode_list(response, "ImportSummaryList", writer);
}

fn encode_list(response: &ListTransfersResponse, name: &str, writer: &mut Writer) {
    writer.object(|object| {
        object.member(name).list(&response.transfers, |w, transfer| {
            w.object(|object| {
                if transfer.is_import {
                    import(object, transfer, "COMPLETED");
                } else {
                    object.arn("ExportArn", &transfer.path);
                    object.text("ExportStatus", "COMPLETED");
                    object.text("ExportType", &transfer.kind);
                }
            });
        });
        if let Some(next) = &response.next {
            object.text("NextToken", next);
        }
    });
}
