//! ListTables: the names of tables, byte by byte in order.

use crate::TableName;

/// A ListTables request.
#[derive(Debug, Clone, PartialEq)]
pub struct ListTablesRequest {
    /// Names after this one only; it need not exist.
    pub exclusive_start_table_name: Option<TableName>,
    /// Most names to return, 1 to 100 (the default).
    pub limit: Option<u32>,
}

/// A ListTables response.
#[derive(Debug, Clone, PartialEq)]
pub struct ListTablesResponse {
    /// The names.
    pub table_names: Vec<TableName>,
    /// The last name returned, where there are more.
    pub last_evaluated_table_name: Option<TableName>,
}
