//! `Account`: what outlives tables or belongs to none of them: streams, backups, exports and imports.
//!
//! Invariant: a stream or backup is found by the part of its ARN after the account. Changes replace the whole
//! account, which is cheap: everything in it is shared.

use std::sync::Arc;

use hashrange_types::limits::ITEM_COLLECTION_BYTES_MAX;
use hashrange_types::operation::{SequenceNumber, StreamName, Transfer};
use hashrange_types::table_state::StreamViewType;
use hashrange_types::voice::DEFAULT_REGION;
use hashrange_types::{EncodedKey, KeySchema, SortedMap, TableName, Timestamp};
use smol_str::SmolStr;

use crate::delays::Delays;
use crate::log::{Log, LogRecord};
use crate::table::Table;

/// Milliseconds for which the records of a stream are kept.
pub const STREAM_RETENTION_MS: i64 = 24 * 3_600 * 1_000;

/// Everything of an account that is not a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The Region it is in. Not kept with a database: who serves it says so.
    pub region: SmolStr,
    /// How long changes of tables take.
    pub delays: Delays,
    /// Bytes that an item collection may have in a table with local indexes. Not kept with a database.
    pub item_collection_bytes_max: u64,
    /// Streams by table and label.
    pub streams: SortedMap<(TableName, SmolStr), Arc<Stream>>,
    /// Backups by the part of their ARN after the account.
    pub backups: SortedMap<SmolStr, Arc<Backup>>,
    /// Exports and imports by the part of their ARN after the account.
    pub transfers: SortedMap<SmolStr, Arc<Transfer>>,
}

impl Default for Account {
    /// An empty account in the default Region.
    fn default() -> Self {
        Self {
            region: DEFAULT_REGION,
            delays: Delays::default(),
            item_collection_bytes_max: ITEM_COLLECTION_BYTES_MAX,
            streams: SortedMap::new(),
            backups: SortedMap::new(),
            transfers: SortedMap::new(),
        }
    }
}

/// The account before and after.
#[derive(Debug, Clone)]
pub struct AccountChange {
    /// The account that was there.
    pub before: Arc<Account>,
    /// The account that is there now.
    pub after: Arc<Account>,
}

/// A stream of a table that may be gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// Its table and label.
    pub name: StreamName,
    /// What its records show.
    pub view_type: StreamViewType,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was switched off; its shards are closed then.
    pub disabled_at: Option<Timestamp>,
    /// Its table's key.
    pub key: KeySchema,
    /// Number of the first record it could have.
    pub first: SequenceNumber,
    /// Its records.
    pub log: Log,
    /// Its shards, by their numbers; empty for one shard of all keys. Who divides partitions divides these, and
    /// they are not kept with a database.
    pub shards: Vec<StreamShard>,
}

/// A shard of a stream: the records of a range of keys, from its beginning to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamShard {
    /// Its number in the stream, which it keeps for life.
    pub number: u32,
    /// Number of the shard it came from.
    pub parent: Option<u32>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// Number of the first record it could have.
    pub first: SequenceNumber,
    /// When it was closed, and the number of the last record it could have.
    pub closed: Option<(Timestamp, SequenceNumber)>,
    /// Its keys are not below this one.
    pub from: EncodedKey,
    /// Its keys are below this one.
    pub until: Option<EncodedKey>,
}

impl StreamShard {
    /// True if the record is one of this shard's.
    pub fn holds(&self, record: &LogRecord) -> bool {
        record.sequence >= self.first
            && self.closed.is_none_or(|(_, last)| record.sequence <= last)
            && record.key >= self.from
            && self.until.as_ref().is_none_or(|until| record.key < *until)
    }
}

/// A backup: the table as it was, without its log.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// Its name, which need not be unique.
    pub name: SmolStr,
    /// The table as it was.
    pub table: Arc<Table>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it can be used.
    pub available_at: Timestamp,
    /// When it goes by itself; a backup by the service goes after 35 days.
    pub expires_at: Option<Timestamp>,
}

impl Account {
    /// When something is due next.
    pub fn due_at(&self) -> Option<Timestamp> {
        let streams = self.streams.values().filter_map(|stream| stream.due_at());
        streams.chain(self.backups.values().filter_map(|backup| backup.expires_at)).min()
    }
}

impl Stream {
    /// When its oldest record is to be forgotten, or the stream itself.
    pub fn due_at(&self) -> Option<Timestamp> {
        let oldest = self.log.first().map(|record| record.at);
        oldest.or(self.disabled_at).map(|at| at.plus_millis(STREAM_RETENTION_MS + 1))
    }
}
