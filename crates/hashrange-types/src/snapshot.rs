//! A whole database as a sequence of small plain values, one a line of the text it is kept in.
//!
//! Invariant: the lines of a store, read in order, make an equal store. What follows from them is not among
//! them: index entries, sizes, keys of items and records.
//!
//! Not here: which lines a store has and what they build (`hashrange-engine`), how a line is spelled
//! (`hashrange-wire`), where the text is kept (drivers).

use smol_str::SmolStr;

use crate::operation::{CreateTableRequest, SequenceNumber, StreamName, Transfer};
use crate::table_state::StreamViewType;
use crate::{EncodedKey, Item, KeySchema, Operation, TableSchema, TableState, Timestamp};

/// One part of a database.
#[derive(Debug, Clone, PartialEq)]
pub enum SnapshotLine {
    /// A table begins; its items and records follow.
    Table(Box<SnapshotTable>),
    /// A table begins that has no more than CreateTable gives it, as older files say it.
    Create {
        /// The request that makes it.
        request: Box<CreateTableRequest>,
        /// When it was created.
        created_at: Timestamp,
    },
    /// An item of the table that began last.
    Item(Item),
    /// A record of the table or stream that began last.
    Record(SnapshotRecord),
    /// A record of the stream that began last, which its table's log has as well.
    SharedRecord(SequenceNumber),
    /// A stream begins; its records follow.
    Stream(Box<SnapshotStream>),
    /// An export or import.
    Transfer(Box<Transfer>),
    /// A transaction done under an idempotency token.
    Token(Box<SnapshotToken>),
    /// The last line.
    End(SnapshotEnd),
}

/// A table without its items.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotTable {
    /// Its keys and indexes.
    pub schema: TableSchema,
    /// Its settings and where it is in its life.
    pub state: TableState,
    /// When it was created.
    pub created_at: Timestamp,
    /// Partitions of its items.
    pub partitions: SnapshotPartitions,
    /// Partitions of each global index, in the schema's order.
    pub index_partitions: Vec<SnapshotPartitions>,
    /// What makes it a backup; none for a table that is there.
    pub backup: Option<SnapshotBackup>,
}

/// The partitions of a table or global index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotPartitions {
    /// How many, where they share the space of hashes evenly; at least 1.
    pub n: u32,
    /// Where each begins, by a hash or a key, where they do not.
    pub starts: Vec<EncodedKey>,
}

/// What is known of a backup besides its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotBackup {
    /// The part of its ARN after the account.
    pub path: SmolStr,
    /// Its name.
    pub name: SmolStr,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it can be used.
    pub available_at: Timestamp,
    /// When it goes by itself.
    pub expires_at: Option<Timestamp>,
}

/// A stream without its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotStream {
    /// Its table and label.
    pub name: StreamName,
    /// What its records show.
    pub view_type: StreamViewType,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was switched off.
    pub disabled_at: Option<Timestamp>,
    /// Its table's key.
    pub key: KeySchema,
    /// Number of the first record it could have.
    pub first: SequenceNumber,
}

/// One change of one item. At least one of the three items is there; they have the same key.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotRecord {
    /// Its number.
    pub sequence: SequenceNumber,
    /// When it happened.
    pub at: Timestamp,
    /// The item that was there.
    pub before: Option<Item>,
    /// The item that was there then.
    pub after: Option<Item>,
    /// The item's key alone, where what was there then is what the table has now.
    pub current_key: Option<Item>,
    /// True where DynamoDB itself removed an expired item.
    pub is_expiry: bool,
}

/// A transaction done under an idempotency token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotToken {
    /// The operation that was called.
    pub operation: Operation,
    /// The token the client made up.
    pub token: SmolStr,
    /// When it was done.
    pub completed_at: Timestamp,
    /// What stands for the request's parameters.
    pub fingerprint: u64,
    /// Bytes of the larger image of each item.
    pub image_bytes: Vec<u32>,
}

/// What must have been read by the end, to notice what is missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SnapshotEnd {
    /// Tables, backups included.
    pub n_tables: u64,
    /// Items of all of them.
    pub n_items: u64,
    /// Number of the newest log record; 0 in a database that never had one.
    pub sequence: SequenceNumber,
}
