//! `Lane`: what waits for a function in one shard of its stream.
//!
//! Invariant: records leave a lane in the order of the shard, and a shard's records come after all of the shards that
//! it came from.

use std::collections::{BTreeSet, VecDeque};

use hashrange_storage::{LogRecord, Stream, StreamShard};
use hashrange_types::Timestamp;
use hashrange_types::operation::SequenceNumber;

/// A record that a function has not answered for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub(super) sequence: SequenceNumber,
    pub(super) at: Timestamp,
    pub(super) arrives_at: Timestamp,
}

/// A batch, or a part of one.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) records: Vec<Waiting>,
    pub(super) n_retries: u32,
}

/// What waits in one shard.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    /// Number of the shard.
    pub(super) shard: u32,
    /// Numbers of the shards it came from.
    ancestors: Vec<u32>,
    /// True while the function runs on it, or waits before a retry.
    pub(super) is_busy: bool,
    pub(super) waiting: VecDeque<Waiting>,
    /// The batch it runs on, or its halves.
    pub(super) pieces: VecDeque<Piece>,
    /// Records that an idempotent function counted and has not answered for.
    pub(super) counted: BTreeSet<SequenceNumber>,
}

impl Lane {
    fn new(shard: Option<&StreamShard>, stream: &Stream) -> Self {
        let mut ancestors = Vec::new();
        let mut next = shard.and_then(|shard| shard.parent);
        while let Some(number) = next {
            ancestors.push(number);
            let parent = stream.shards.iter().find(|shard| shard.number == number);
            next = parent.and_then(|parent| parent.parent);
        }
        Self {
            shard: shard.map_or(0, |shard| shard.number),
            ancestors,
            is_busy: false,
            waiting: VecDeque::new(),
            pieces: VecDeque::new(),
            counted: BTreeSet::new(),
        }
    }

    /// True if nothing waits.
    fn is_empty(&self) -> bool {
        !self.is_busy && self.waiting.is_empty() && self.pieces.is_empty()
    }

    /// The oldest record that waits.
    pub(super) fn oldest(&self) -> Option<&Waiting> {
        let pieces = self.pieces.iter().flat_map(|piece| &piece.records);
        pieces.chain(&self.waiting).next()
    }

    /// True if it may begin a batch: it is free, and nothing waits in a shard that it came from.
    pub(super) fn is_ready(&self, lanes: &[Self]) -> bool {
        let is_before = |other: &&Self| self.ancestors.contains(&other.shard);
        !self.is_busy && lanes.iter().filter(is_before).all(Self::is_empty)
    }
}

/// The lane of a record, which is made if it is not there.
pub(super) fn lane_of<'l>(
    lanes: &'l mut Vec<Lane>,
    record: &LogRecord,
    stream: &Stream,
) -> &'l mut Lane {
    let shard = stream.shards.iter().find(|shard| shard.holds(record));
    let number = shard.map_or(0, |shard| shard.number);
    let found = lanes.iter().position(|lane| lane.shard == number);
    let at = found.unwrap_or_else(|| {
        lanes.push(Lane::new(shard, stream));
        lanes.len() - 1
    });
    &mut lanes[at]
}

/// Forgets the lanes of closed shards that were read to their ends.
pub(super) fn forget_read(lanes: &mut Vec<Lane>, stream: &Stream) {
    let is_open = |lane: &Lane| {
        let mut open = stream.shards.iter().filter(|shard| shard.closed.is_none());
        stream.shards.is_empty() || open.any(|shard| shard.number == lane.shard)
    };
    lanes.retain(|lane| is_open(lane) || !lane.is_empty());
}
