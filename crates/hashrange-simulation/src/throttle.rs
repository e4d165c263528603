//! Why a request is throttled, and the error that says so.
//!
//! Source: facts 6.6 and 6.8.

use hashrange_types::{ApiError, IndexName, TableName, Throttling, ThrottlingReason};

/// Which limit was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Provisioned capacity of the table or index, burst included.
    Provisioned,
    /// What one partition serves.
    KeyRange,
    /// The account's quota for one table.
    Account,
    /// The most that was set for an on-demand table.
    MaxOnDemand,
}

/// What throttled a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// True where an index throttled, false for the table.
    pub is_index: bool,
    /// True for writes.
    pub is_write: bool,
    /// Which limit was met.
    pub limit: Limit,
}

const PROVISIONED: &str = "The level of configured provisioned throughput for the table was exceeded. \
    Consider increasing your provisioning level with the UpdateTable API.";
const PROVISIONED_INDEX: &str = "The level of configured provisioned throughput for one or more global secondary \
    indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned \
    global secondary indexes with the UpdateTable API.";
const ON_DEMAND: &str = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically \
    scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: \
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
const ON_DEMAND_INDEX: &str = "Throughput exceeds the current capacity for one or more global secondary indexes. \
    DynamoDB is automatically scaling your index so please try again shortly.";
const ACCOUNT: &str = "Throughput exceeds the current throughput limit for your account. Please contact AWS Support \
    at https://aws.amazon.com/support request a limit increase";

impl Reason {
    /// The reason as `ThrottlingReasons` spells it.
    pub fn spelled(self) -> String {
        let resource = if self.is_index { "Index" } else { "Table" };
        let operation = if self.is_write { "Write" } else { "Read" };
        let limit = match self.limit {
            Limit::Provisioned => "ProvisionedThroughput",
            Limit::KeyRange => "KeyRangeThroughput",
            Limit::Account => "AccountLimit",
            Limit::MaxOnDemand => "MaxOnDemandThroughput",
        };
        format!("{resource}{operation}{limit}Exceeded")
    }

    /// The error a client gets.
    pub fn error(
        self,
        table: &TableName,
        index: Option<&IndexName>,
        is_on_demand: bool,
    ) -> ApiError {
        let index_throttles_writes = self.is_index && self.is_write;
        let (exception, message) = match (self.limit, is_on_demand) {
            (Limit::Account, _) => ("RequestLimitExceeded", ACCOUNT),
            (_, true) if index_throttles_writes => ("ThrottlingException", ON_DEMAND_INDEX),
            (_, true) => ("ThrottlingException", ON_DEMAND),
            (_, false) if self.is_index => {
                ("ProvisionedThroughputExceededException", PROVISIONED_INDEX)
            }
            (_, false) => ("ProvisionedThroughputExceededException", PROVISIONED),
        };
        let index = index.map(|index| format!("/index/{index}")).unwrap_or_default();
        let reason =
            ThrottlingReason { reason: self.spelled(), resource: format!("table/{table}{index}") };
        ApiError::Throttled(Box::new(Throttling { exception, message, reasons: vec![reason] }))
    }
}
