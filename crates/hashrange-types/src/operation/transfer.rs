//! Export to S3 and import from S3, kept as records: no file is read or written.

use smol_str::SmolStr;

use super::create_table::CreateTableRequest;
use super::describe_table::TableDescription;
use crate::Timestamp;
use crate::arn::Resource;

/// An ExportTableToPointInTime request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportTableRequest {
    /// The table.
    pub table: Resource,
    /// ExportTime; none for now.
    pub at: Option<Timestamp>,
    /// S3Bucket.
    pub bucket: SmolStr,
    /// S3Prefix.
    pub prefix: Option<SmolStr>,
    /// ClientToken.
    pub token: Option<SmolStr>,
    /// ExportFormat: `DYNAMODB_JSON` or `ION`.
    pub format: SmolStr,
    /// ExportType: `FULL_EXPORT` or `INCREMENTAL_EXPORT`.
    pub kind: SmolStr,
}

/// A DescribeExport or DescribeImport request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTransferRequest {
    /// The export or import.
    pub transfer: Resource,
}

/// A ListExports or ListImports request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTransfersRequest {
    /// Those of this table alone.
    pub table: Option<Resource>,
    /// Most to return, 1 to 25.
    pub limit: Option<u32>,
    /// Those after this path.
    pub start: Option<SmolStr>,
}

/// An ImportTable request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportTableRequest {
    /// The new table.
    pub table: Box<CreateTableRequest>,
    /// S3Bucket.
    pub bucket: SmolStr,
    /// S3KeyPrefix.
    pub prefix: Option<SmolStr>,
    /// InputFormat: `DYNAMODB_JSON`, `ION` or `CSV`.
    pub format: SmolStr,
    /// ClientToken.
    pub token: Option<SmolStr>,
}

/// An export or import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The part of its ARN after the account.
    pub path: SmolStr,
    /// True for an import.
    pub is_import: bool,
    /// The table as it was then.
    pub table: TableDescription,
    /// When it was asked for; it is complete at once.
    pub started_at: Timestamp,
    /// The moment exported.
    pub at: Timestamp,
    /// The bucket.
    pub bucket: SmolStr,
    /// The prefix.
    pub prefix: Option<SmolStr>,
    /// The file format.
    pub format: SmolStr,
    /// FULL_EXPORT or INCREMENTAL_EXPORT; empty for an import.
    pub kind: SmolStr,
    /// ClientToken.
    pub token: Option<SmolStr>,
}

/// A ListExports or ListImports response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTransfersResponse {
    /// The exports or imports.
    pub transfers: Vec<Transfer>,
    /// Where to read on.
    pub next: Option<SmolStr>,
}
