//! `Store`: tables by name, idempotency tokens, and the one method that changes anything.
//!
//! Invariant: [`Store::apply`] is the only way to change a store.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashrange_types::TableName;

use crate::change::{Change, TableChange};
use crate::table::Table;
use crate::token::{Token, TokenKey, Tokens};

/// All tables of a database. Cloning is cheap and gives a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Store {
    tables: Arc<BTreeMap<TableName, Arc<Table>>>,
    tokens: Tokens,
}

impl Store {
    /// The table called `name`.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name).map(AsRef::as_ref)
    }

    /// The table called `name`, to keep in a [`TableChange`].
    pub fn shared_table(&self, name: &str) -> Option<Arc<Table>> {
        self.tables.get(name).cloned()
    }

    /// All tables, by name byte by byte.
    pub fn tables(&self) -> impl DoubleEndedIterator<Item = &Table> {
        self.tables.values().map(AsRef::as_ref)
    }

    /// Tables whose name comes after `start`, or all.
    pub fn tables_after(&self, start: Option<&TableName>) -> impl Iterator<Item = &Table> {
        use std::ops::Bound::{Excluded, Unbounded};
        let lower = start.map_or(Unbounded, Excluded);
        self.tables.range::<TableName, _>((lower, Unbounded)).map(|(_, table)| table.as_ref())
    }

    /// What is remembered of the transaction done under a token.
    pub fn token(&self, key: &TokenKey) -> Option<&Arc<Token>> {
        self.tokens.get(key)
    }

    /// All tokens remembered, in the order in which their transactions were done.
    pub fn tokens_oldest_first(&self) -> impl Iterator<Item = (&TokenKey, &Arc<Token>)> {
        self.tokens.oldest_first()
    }

    /// Makes the change. A change of a table that is not there does nothing: its table was deleted since.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Item(change) => {
                if let Some(table) = Arc::make_mut(&mut self.tables).get_mut(&change.table) {
                    Arc::make_mut(table).apply_item(change);
                }
            }
            Change::IndexEntry(change) => {
                if let Some(table) = Arc::make_mut(&mut self.tables).get_mut(&change.table) {
                    Arc::make_mut(table).apply_entry(change);
                }
            }
            Change::Table(TableChange { name, after, .. }) => {
                let tables = Arc::make_mut(&mut self.tables);
                match after {
                    Some(table) => tables.insert(name.clone(), Arc::clone(table)),
                    None => tables.remove(name),
                };
            }
            Change::Token(change) => self.tokens.apply(change),
        }
    }
}
