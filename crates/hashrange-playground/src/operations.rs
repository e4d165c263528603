//! The operations a person can choose, by what they do.
//!
//! Invariant: every operation of the engine is in one group. Within a group those that switch something on come
//! before those that need it.

/// Each group's label with its operations.
pub const OPERATIONS: [(&str, &[&str]); 13] = [
    ("Read", &["GetItem", "Query", "Scan", "BatchGetItem"]),
    ("Write", &["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"]),
    ("Transactions", &["TransactGetItems", "TransactWriteItems"]),
    ("PartiQL", &["ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"]),
    ("Tables", &["CreateTable", "DescribeTable", "ListTables", "UpdateTable", "DeleteTable"]),
    ("Streams", &["ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"]),
    ("Time to live", &["UpdateTimeToLive", "DescribeTimeToLive"]),
    (
        "Backups",
        &[
            "CreateBackup",
            "DescribeBackup",
            "ListBackups",
            "RestoreTableFromBackup",
            "DeleteBackup",
            "UpdateContinuousBackups",
            "DescribeContinuousBackups",
            "RestoreTableToPointInTime",
        ],
    ),
    ("Tags", &["TagResource", "ListTagsOfResource", "UntagResource"]),
    ("Export and import", &EXPORT_AND_IMPORT),
    ("Policies and insights", &POLICIES_AND_INSIGHTS),
    ("Kinesis", &KINESIS),
    ("Account and global tables", &ACCOUNT),
];

const EXPORT_AND_IMPORT: [&str; 6] = [
    "ExportTableToPointInTime",
    "DescribeExport",
    "ListExports",
    "ImportTable",
    "DescribeImport",
    "ListImports",
];

const POLICIES_AND_INSIGHTS: [&str; 6] = [
    "PutResourcePolicy",
    "GetResourcePolicy",
    "DeleteResourcePolicy",
    "UpdateContributorInsights",
    "DescribeContributorInsights",
    "ListContributorInsights",
];

const KINESIS: [&str; 4] = [
    "EnableKinesisStreamingDestination",
    "UpdateKinesisStreamingDestination",
    "DescribeKinesisStreamingDestination",
    "DisableKinesisStreamingDestination",
];

const ACCOUNT: [&str; 8] = [
    "DescribeLimits",
    "DescribeEndpoints",
    "ListGlobalTables",
    "CreateGlobalTable",
    "DescribeGlobalTable",
    "UpdateGlobalTable",
    "DescribeGlobalTableSettings",
    "UpdateGlobalTableSettings",
];

#[cfg(test)]
mod tests {
    use hashrange_types::Operation;

    use super::*;

    #[test]
    fn every_operation_can_be_chosen_once() {
        let mut offered: Vec<&str> =
            OPERATIONS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        offered.sort_unstable();
        let all: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
        assert_eq!(offered, all);
    }
}
