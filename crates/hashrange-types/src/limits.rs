//! Every documented limit, with its unit and source.
//!
//! Source: Developer Guide, "Service, account, and table quotas", and facts sections 1.4, 1.5 and 4.4.

/// Largest item in bytes, attribute names and values together.
pub const ITEM_BYTES_MAX: u32 = 409_600;
/// Largest partition key value in bytes.
pub const PARTITION_KEY_BYTES_MAX: u32 = 2_048;
/// Largest sort key value in bytes.
pub const SORT_KEY_BYTES_MAX: u32 = 1_024;
/// Evaluated bytes that end a page of Query or Scan.
pub const PAGE_BYTES_MAX: u32 = 1_048_576;
/// Levels of nesting a value may have, the top-level value counting as the first.
pub const NESTING_LEVELS_MAX: usize = 32;
/// Bytes of one expression as sent.
pub const EXPRESSION_BYTES_MAX: usize = 4_096;
/// Operators in one expression.
pub const EXPRESSION_OPERATORS_MAX: usize = 300;
/// Operands on the right of IN.
pub const IN_OPERANDS_MAX: usize = 100;
/// Dereferences (`.name` and `[n]`) in one document path.
pub const PATH_DEREFERENCES_MAX: usize = 32;
/// Bytes of one `#name` or `:value` token, sigil included.
pub const SUBSTITUTION_TOKEN_BYTES_MAX: usize = 255;
/// Keys in one BatchGetItem, over all tables.
pub const BATCH_GET_KEYS_MAX: usize = 100;
/// Requests in one BatchWriteItem, over all tables.
pub const BATCH_WRITE_REQUESTS_MAX: usize = 25;
/// Elements of one transaction.
pub const TRANSACT_ITEMS_MAX: usize = 100;
/// Bytes of the items, keys and values one TransactWriteItems sends, and of the items one TransactGetItems
/// reads.
pub const TRANSACT_BYTES_MAX: u64 = 4 * 1_024 * 1_024;
/// Characters of a ClientRequestToken.
pub const CLIENT_REQUEST_TOKEN_LENGTH_MAX: usize = 36;
/// Microseconds for which a ClientRequestToken is remembered after its transaction was done.
pub const CLIENT_REQUEST_TOKEN_LIFETIME: i64 = 10 * 60 * 1_000_000;
/// Bytes of one request, and of the items one BatchGetItem returns.
pub const REQUEST_BYTES_MAX: usize = 16 * 1_024 * 1_024;
/// Bytes of one item collection of a table with local indexes, items and index entries together.
pub const ITEM_COLLECTION_BYTES_MAX: u64 = 10 * 1_024 * 1_024 * 1_024;
/// Local secondary indexes of a table.
pub const LOCAL_INDEXES_MAX: usize = 5;
/// Global secondary indexes of a table, by default.
pub const GLOBAL_INDEXES_MAX: usize = 20;
/// Non-key attributes one index may project by name.
pub const NON_KEY_ATTRIBUTES_MAX: usize = 20;
/// Non-key attributes all indexes of a table may project by name.
pub const NON_KEY_ATTRIBUTES_TOTAL_MAX: usize = 100;
/// Bytes of a key attribute's name.
pub const KEY_NAME_BYTES_MAX: usize = 255;
/// Parts of a parallel scan.
pub const TOTAL_SEGMENTS_MAX: u32 = 1_000_000;
/// Tables one ListTables call returns.
pub const LIST_TABLES_MAX: u32 = 100;
/// Bytes one read unit covers.
pub const READ_UNIT_BYTES: u32 = 4_096;
/// Bytes one write unit covers.
pub const WRITE_UNIT_BYTES: u32 = 1_024;
/// Read units a provisioned table may ask for.
pub const TABLE_CAPACITY_UNITS_MAX: u64 = 40_000;
/// Partitions a new on-demand table starts with (facts 6.1).
pub const ON_DEMAND_PARTITIONS: u32 = 4;
/// Read units a second that one partition serves.
pub const PARTITION_READ_UNITS: u64 = 3_000;
/// Write units a second that one partition serves.
pub const PARTITION_WRITE_UNITS: u64 = 1_000;
/// Characters of one PartiQL statement.
pub const STATEMENT_LENGTH_MAX: usize = 8_192;
/// Characters of the token with which the next page of a PartiQL statement is asked for.
pub const NEXT_TOKEN_LENGTH_MAX: usize = 32_768;
/// Statements of one BatchExecuteStatement.
pub const BATCH_STATEMENTS_MAX: usize = 25;
/// Reads by key into which one PartiQL SELECT may be divided.
pub const STATEMENT_READS_MAX: usize = 50;

/// Bytes that DynamoDB adds to each item and index entry when it bills storage. Source: facts 7.2.
pub const STORAGE_OVERHEAD_BYTES: u64 = 100;
