//! Changes: what a request did to the store, as values.
//!
//! The engine never edits a store. It returns changes and its driver applies them: `Database` at once, the
//! simulator when its schedule says so. One value therefore serves writes, index upkeep, replication, undo
//! and export.
//!
//! Invariant: applying a change and then its [`Change::invert`] leaves the store as it was.
//!
//! Not here: *what* changes (`engine::execute`).

use std::sync::Arc;

use hashrange_types::{EncodedKey, IndexName, TableName};

use crate::account::AccountChange;
use crate::log::LogChange;
use crate::table::Table;
use crate::token::TokenChange;
use crate::tree::Row;

/// One thing that happened to a store.
#[derive(Debug, Clone)]
pub enum Change {
    /// An item was put, replaced or removed.
    Item(ItemChange),
    /// An index entry was put, replaced or removed.
    IndexEntry(IndexEntryChange),
    /// A table was created, deleted or changed in its settings.
    Table(TableChange),
    /// An item change was logged for a stream or for point-in-time recovery.
    Log(LogChange),
    /// A stream, a backup or the like came, changed or went.
    Account(AccountChange),
    /// An idempotency token was remembered or forgotten.
    Token(TokenChange),
}

/// An item before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemChange {
    /// Its table.
    pub table: TableName,
    /// Its key.
    pub key: EncodedKey,
    /// The item that was there.
    pub before: Option<Row>,
    /// The item that is there now.
    pub after: Option<Row>,
}

/// An index entry before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntryChange {
    /// The table the index belongs to.
    pub table: TableName,
    /// The index.
    pub index: IndexName,
    /// True for a local index.
    pub is_local: bool,
    /// The entry's key: index key, then table key.
    pub key: EncodedKey,
    /// The entry that was there.
    pub before: Option<Row>,
    /// The entry that is there now.
    pub after: Option<Row>,
}

/// A table before and after. Keeping the whole table is cheap: it shares structure with the store's.
#[derive(Debug, Clone)]
pub struct TableChange {
    /// Its name.
    pub name: TableName,
    /// The table that was there.
    pub before: Option<Arc<Table>>,
    /// The table that is there now.
    pub after: Option<Arc<Table>>,
}

impl Change {
    /// The change that takes this one back.
    #[must_use]
    pub fn invert(&self) -> Self {
        match self.clone() {
            Self::Item(ItemChange { table, key, before, after }) => {
                Self::Item(ItemChange { table, key, before: after, after: before })
            }
            Self::IndexEntry(IndexEntryChange { table, index, is_local, key, before, after }) => {
                Self::IndexEntry(IndexEntryChange {
                    table,
                    index,
                    is_local,
                    key,
                    before: after,
                    after: before,
                })
            }
            Self::Table(TableChange { name, before, after }) => {
                Self::Table(TableChange { name, before: after, after: before })
            }
            Self::Log(change) => Self::Log(LogChange { is_added: !change.is_added, ..change }),
            Self::Account(AccountChange { before, after }) => {
                Self::Account(AccountChange { before: after, after: before })
            }
            Self::Token(TokenChange { key, before, after }) => {
                Self::Token(TokenChange { key, before: after, after: before })
            }
        }
    }
}
