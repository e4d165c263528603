//! `Store`: tables by name, idempotency tokens, and the one method that changes anything.
//!
//! Invariant: [`Store::apply`] is the only way to change a store.

use std::sync::Arc;

use hashrange_types::operation::SequenceNumber;
use hashrange_types::{SortedMap, TableName, Timestamp};
use smol_str::SmolStr;

use crate::account::Account;
use crate::change::{Change, TableChange};
use crate::delays::Delays;
use crate::log::LogChange;
use crate::table::Table;
use crate::token::{Token, TokenKey, Tokens};

/// All tables of a database. Cloning is cheap and gives a snapshot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Store {
    tables: Arc<SortedMap<TableName, Arc<Table>>>,
    account: Arc<Account>,
    /// Number of the newest log record.
    sequence: SequenceNumber,
    /// When time brings something next.
    due_at: Option<Timestamp>,
    tokens: Tokens,
}

impl Store {
    /// An empty store in which changes of tables take this long. The default takes no time.
    pub fn with_delays(delays: Delays) -> Self {
        Self::default().delayed(delays)
    }

    /// The same store in which changes of tables take this long from now on.
    #[must_use]
    pub fn delayed(mut self, delays: Delays) -> Self {
        Arc::make_mut(&mut self.account).delays = delays;
        self
    }

    /// The same store in this Region.
    #[must_use]
    pub fn in_region(mut self, region: SmolStr) -> Self {
        Arc::make_mut(&mut self.account).region = region;
        self
    }

    /// The same store in which item collections of tables with local indexes grow up to so many bytes.
    #[must_use]
    pub fn with_collections_up_to(mut self, bytes: u64) -> Self {
        Arc::make_mut(&mut self.account).item_collection_bytes_max = bytes;
        self
    }

    /// The same store with log records numbered after this one from now on.
    #[must_use]
    pub const fn numbered_after(mut self, newest: SequenceNumber) -> Self {
        self.sequence = newest;
        self
    }

    /// Streams, backups and the like.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The account, to keep in an [`AccountChange`](crate::AccountChange).
    pub fn shared_account(&self) -> Arc<Account> {
        Arc::clone(&self.account)
    }

    /// How long changes of tables take.
    pub fn delays(&self) -> &Delays {
        &self.account.delays
    }

    /// Number of the newest log record.
    pub const fn sequence(&self) -> SequenceNumber {
        self.sequence
    }

    /// When time brings something next: a table becomes ready, an item expires, a record is forgotten.
    pub const fn due_at(&self) -> Option<Timestamp> {
        self.due_at
    }

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
        self.tables.after(start).map(|(_, table)| table.as_ref())
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
                self.find_due();
            }
            Change::Log(change) => self.apply_log(change),
            Change::Account(change) => {
                self.account = Arc::clone(&change.after);
                self.find_due();
            }
            Change::Token(change) => self.tokens.apply(change),
        }
    }

    fn apply_log(&mut self, change: &LogChange) {
        let mut is_first = false;
        if let Some(table) = Arc::make_mut(&mut self.tables).get_mut(&change.table) {
            is_first |= table.log().is_empty();
            Arc::make_mut(table).apply_log(change);
        }
        if let Some(label) = &change.stream {
            let key = (change.table.clone(), label.clone());
            if let Some(stream) = Arc::make_mut(&mut self.account).streams.get_mut(&key) {
                let stream = Arc::make_mut(stream);
                is_first |= stream.log.is_empty();
                if change.is_added {
                    stream.log.push(Arc::clone(&change.record));
                } else {
                    stream.log.pop(change.record.sequence);
                }
            }
        }
        let number = change.record.sequence.0;
        self.sequence = SequenceNumber(if change.is_added { number } else { number - 1 });
        if is_first || !change.is_added {
            self.find_due();
        }
    }

    fn find_due(&mut self) {
        let tables = self.tables.values().filter_map(|table| table.due_at());
        self.due_at = tables.chain(self.account.due_at()).min();
    }
}
