//! Kinesis streaming destinations, kept as settings: nothing is sent anywhere.

use smol_str::SmolStr;

use crate::table_state::KinesisDestination;
use crate::{TableName, TableReference};

/// A request that enables, disables or updates a destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KinesisRequest {
    /// The table.
    pub table: TableReference,
    /// ARN of the Kinesis stream.
    pub stream_arn: SmolStr,
    /// ApproximateCreationDateTimePrecision.
    pub precision: Option<SmolStr>,
}

/// What such a request answers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KinesisResponse {
    /// The table.
    pub table: TableName,
    /// ARN of the Kinesis stream.
    pub stream_arn: SmolStr,
    /// ENABLING, DISABLING or UPDATING.
    pub status: &'static str,
    /// ApproximateCreationDateTimePrecision.
    pub precision: Option<SmolStr>,
}

/// A DescribeKinesisStreamingDestination request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeKinesisRequest {
    /// The table.
    pub table: TableReference,
}

/// A DescribeKinesisStreamingDestination response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeKinesisResponse {
    /// The table.
    pub table: TableName,
    /// Its destinations.
    pub destinations: Vec<KinesisDestination>,
}
