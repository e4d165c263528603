//! Contributor insights, kept as settings.

use crate::table_state::{ContributorInsights, InsightsMode};
use crate::{IndexName, TableName, TableReference};

/// An UpdateContributorInsights request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateContributorInsightsRequest {
    /// The table.
    pub table: TableReference,
    /// The index; none for the table itself.
    pub index: Option<IndexName>,
    /// True for ENABLE.
    pub enables: bool,
    /// ContributorInsightsMode.
    pub mode: Option<InsightsMode>,
}

/// A DescribeContributorInsights request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeContributorInsightsRequest {
    /// The table.
    pub table: TableReference,
    /// The index; none for the table itself.
    pub index: Option<IndexName>,
}

/// A ListContributorInsights request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListContributorInsightsRequest {
    /// Those of this table alone.
    pub table: Option<TableReference>,
}

/// Contributor insights with their table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsightsOfTable {
    /// The table.
    pub table: TableName,
    /// The index; none for the table itself.
    pub index: Option<IndexName>,
    /// Their settings; none if they were never set.
    pub insights: Option<ContributorInsights>,
}
