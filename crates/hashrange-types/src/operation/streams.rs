//! DynamoDB Streams: ListStreams, DescribeStream, GetShardIterator and GetRecords.

use smol_str::SmolStr;

use crate::arn::Resource;
use crate::table_state::StreamViewType;
use crate::{Item, KeySchema, TableName, Timestamp};

/// A ListStreams request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListStreamsRequest {
    /// Streams of this table alone.
    pub table_name: Option<TableName>,
    /// Most streams to return, 1 to 100.
    pub limit: Option<u32>,
    /// Streams after this one.
    pub start: Option<Resource>,
}

/// A stream by its table and label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamName {
    /// The table.
    pub table: TableName,
    /// The label, an ISO time.
    pub label: SmolStr,
}

/// A ListStreams response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListStreamsResponse {
    /// The streams.
    pub streams: Vec<StreamName>,
    /// The last one returned, where there are more.
    pub last: Option<StreamName>,
}

/// A DescribeStream request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeStreamRequest {
    /// The stream.
    pub stream: Resource,
    /// Most shards to return, 1 to 100.
    pub limit: Option<u32>,
    /// Shards after this one.
    pub start_shard: Option<SmolStr>,
    /// ShardFilter of type CHILD_SHARDS: the children of this shard alone.
    pub children_of: Option<SmolStr>,
}

/// A DescribeStream response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeStreamResponse {
    /// The stream.
    pub name: StreamName,
    /// ENABLED, DISABLING or DISABLED.
    pub status: &'static str,
    /// What its records hold.
    pub view_type: StreamViewType,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// Its table's key.
    pub key: KeySchema,
    /// Its shards.
    pub shards: Vec<Shard>,
    /// The last shard returned, where there are more.
    pub last_shard: Option<SmolStr>,
}

/// A shard of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Its id.
    pub id: SmolStr,
    /// Id of the shard it came from, where that one was divided.
    pub parent: Option<SmolStr>,
    /// The sequence number it starts with.
    pub first: SequenceNumber,
    /// The last one, once it is closed.
    pub last: Option<SequenceNumber>,
}

/// Orders the records of all streams of a database; written with 21 digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SequenceNumber(pub u64);

impl std::fmt::Display for SequenceNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "1{:020}", self.0)
    }
}

impl SequenceNumber {
    /// The number written `text`; none where no record could have it.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('1').filter(|digits| digits.len() == 20)?;
        digits.parse().ok().map(Self)
    }
}

/// Where reading a shard starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShardIteratorType {
    /// At the oldest record kept.
    TrimHorizon,
    /// After the newest record.
    Latest,
    /// At this record.
    AtSequenceNumber(SmolStr),
    /// After this record.
    AfterSequenceNumber(SmolStr),
    /// At the first record not older.
    AtTimestamp(Timestamp),
}

/// A GetShardIterator request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetShardIteratorRequest {
    /// The stream.
    pub stream: Resource,
    /// The shard.
    pub shard: SmolStr,
    /// Where reading starts.
    pub start: ShardIteratorType,
}

/// A position in a shard. Its text is this build's own: `stream|sequence number|moment`, and `|shard` after the
/// first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardIterator {
    /// The stream.
    pub stream: StreamName,
    /// Number of the shard in the stream.
    pub shard: u32,
    /// The next record has at least this number.
    pub next: SequenceNumber,
    /// When the iterator was made; it lives 15 minutes.
    pub made_at: Timestamp,
}

/// A GetShardIterator response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetShardIteratorResponse {
    /// The position.
    pub iterator: ShardIterator,
}

/// A GetRecords request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetRecordsRequest {
    /// The position; none where the text is not one of this build's.
    pub iterator: Option<ShardIterator>,
    /// Most records to return, 1 to 1,000 (the default).
    pub limit: Option<u32>,
}

/// A GetRecords response.
#[derive(Debug, Clone, PartialEq)]
pub struct GetRecordsResponse {
    /// The records.
    pub records: Vec<StreamRecord>,
    /// Where to read on; none where the shard is closed and read to its end.
    pub next: Option<ShardIterator>,
}

/// A record of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRecord {
    /// Its number.
    pub sequence: SequenceNumber,
    /// INSERT, MODIFY or REMOVE.
    pub event_name: &'static str,
    /// When the item changed.
    pub at: Timestamp,
    /// The item's key.
    pub keys: Item,
    /// The item as it is now, if the view shows it.
    pub new_image: Option<Item>,
    /// The item as it was, if the view shows it.
    pub old_image: Option<Item>,
    /// Bytes of key and images.
    pub size_bytes: u64,
    /// What the record shows.
    pub view_type: StreamViewType,
    /// True where DynamoDB itself removed an expired item.
    pub is_expiry: bool,
}
