//! One file per operation: how it is planned and executed.

pub(crate) mod batch_execute_statement;
pub(crate) mod batch_get_item;
pub(crate) mod batch_write_item;
pub(crate) mod create_table;
pub(crate) mod delete_item;
pub(crate) mod delete_table;
pub(crate) mod describe_table;
pub(crate) mod execute_statement;
pub(crate) mod execute_transaction;
pub(crate) mod get_item;
pub(crate) mod list_tables;
pub(crate) mod put_item;
pub(crate) mod query;
pub(crate) mod scan;
pub(crate) mod transact_get_items;
pub(crate) mod transact_write_items;
pub(crate) mod update_item;
