//! Tables, indexes and changes, in memory, ordered, cheap to clone.
//!
//! Invariant: storage stores and finds; it decides nothing. Applying a [`Change`] and then its
//! [`Change::invert`] leaves the store as it was. A clone of a [`Store`] shares structure and costs next to
//! nothing, however large the tables.
//!
//! Not here: whether a write is allowed and what it costs (`hashrange-engine`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod account;
mod change;
mod delays;
mod index;
mod log;
mod range;
mod store;
mod table;
mod token;
mod tree;

pub use account::{Account, AccountChange, Backup, STREAM_RETENTION_MS, Stream, StreamShard};
pub use change::{Change, IndexEntryChange, ItemChange, TableChange};
pub use delays::Delays;
pub use index::index_changes;
pub use log::{Log, LogChange, LogRecord};
pub use range::KeyRange;
pub use store::Store;
pub use table::{GlobalIndexTree, Table, TreeRef};
pub use token::{Token, TokenChange, TokenKey};
pub use tree::{Partition, Row};
