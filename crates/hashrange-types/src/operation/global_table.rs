//! The global-table calls of 2017. Replicas of today are an UpdateTable.

use smol_str::SmolStr;

/// A request that names a global table of 2017.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalTableRequest {
    /// GlobalTableName.
    pub name: SmolStr,
}

/// A ListGlobalTables request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListGlobalTablesRequest;
