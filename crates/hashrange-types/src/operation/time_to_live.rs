//! UpdateTimeToLive and DescribeTimeToLive.

use crate::{AttributeName, TableReference};

/// An UpdateTimeToLive request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTimeToLiveRequest {
    /// The table.
    pub table: TableReference,
    /// What is asked for; the response repeats it.
    pub specification: TimeToLiveSpecification,
}

/// A TimeToLiveSpecification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeToLiveSpecification {
    /// Enabled.
    pub is_enabled: bool,
    /// AttributeName.
    pub attribute: AttributeName,
}

/// A DescribeTimeToLive request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTimeToLiveRequest {
    /// The table.
    pub table: TableReference,
}

/// A DescribeTimeToLive response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeTimeToLiveResponse {
    /// The attribute, while expiry is on.
    pub attribute: Option<AttributeName>,
}
