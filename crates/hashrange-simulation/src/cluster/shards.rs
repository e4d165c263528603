//! Shards of streams: one for each partition of the table, divided when it is.
//!
//! Invariant: the open shards of a stream that is on begin where the partitions of its table do. A record lies in one
//! shard, since a shard ends with the record before its children's first.
//!
//! Source: facts 8.2.

use std::sync::Arc;

use hashrange_storage::{Account, AccountChange, Change, STREAM_RETENTION_MS, Stream, StreamShard};
use hashrange_types::operation::SequenceNumber;
use hashrange_types::{EncodedKey, Timestamp};

use super::Cluster;

impl Cluster {
    /// Opens the shards of new streams, and divides those of partitions that were divided.
    pub(super) fn follow_shards(&mut self) {
        if !self.settings.has_stream_shards {
            return;
        }
        let newest = self.store.sequence();
        let mut followed = Vec::new();
        for (name, stream) in self.store.account().streams.iter() {
            let starts = self.placement.starts(&(name.0.clone(), None));
            if stream.disabled_at.is_none()
                && let Some(shards) = divided(stream, &starts, newest, self.now)
            {
                let stream = Stream { shards, ..stream.as_ref().clone() };
                followed.push((name.clone(), Arc::new(stream)));
            }
        }
        if followed.is_empty() {
            return;
        }
        let before = self.store.shared_account();
        let mut after = Account::clone(&before);
        for (name, stream) in followed {
            after.streams.insert(name, stream);
        }
        self.store.apply(&Change::Account(AccountChange { before, after: Arc::new(after) }));
    }
}

/// The shards of a stream whose table's partitions begin at these keys; none if it has them.
fn divided(
    stream: &Stream,
    starts: &[EncodedKey],
    newest: SequenceNumber,
    now: Timestamp,
) -> Option<Vec<StreamShard>> {
    let mut shards = stream.shards.clone();
    if shards.is_empty() {
        let untils = starts.iter().skip(1).cloned().map(Some).chain([None]);
        let opened =
            (0..).zip(starts.iter().zip(untils)).map(|(number, (from, until))| StreamShard {
                number,
                parent: None,
                opened_at: stream.created_at,
                first: stream.first,
                closed: None,
                from: from.clone(),
                until,
            });
        shards.extend(opened);
        return (!shards.is_empty()).then_some(shards);
    }
    let mut is_divided = false;
    for at in starts {
        let is_open = |shard: &&mut StreamShard| shard.closed.is_none();
        // Starts are those of partitions, so the last shard not above is the one that holds it.
        let below = shards.iter_mut().filter(is_open).filter(|shard| shard.from <= *at);
        let Some(parent) = below.max_by(|one, other| one.from.cmp(&other.from)) else { continue };
        if parent.from == *at {
            continue;
        }
        parent.closed = Some((now, newest));
        let child = StreamShard {
            number: 0,
            parent: Some(parent.number),
            opened_at: now,
            first: SequenceNumber(newest.0 + 1),
            closed: None,
            from: parent.from.clone(),
            until: Some(at.clone()),
        };
        let upper = StreamShard { from: at.clone(), until: parent.until.clone(), ..child.clone() };
        let number = shards.last().map_or(0, |last| last.number + 1);
        shards.push(StreamShard { number, ..child });
        shards.push(StreamShard { number: number + 1, ..upper });
        is_divided = true;
    }
    let oldest = now.plus_millis(-STREAM_RETENTION_MS);
    shards.retain(|shard| shard.closed.is_none_or(|(at, _)| at >= oldest));
    is_divided.then_some(shards)
}
