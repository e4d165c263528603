//! `Log`: the item changes of a table in the order they happened, for streams and point-in-time recovery.
//!
//! Invariant: sequence numbers rise from record to record. A clone shares all full chunks.

use std::sync::Arc;

use hashrange_types::operation::SequenceNumber;
use hashrange_types::{EncodedKey, TableName, Timestamp};
use smol_str::SmolStr;

use crate::tree::Row;

/// Records of one chunk. A shared log copies at most so many pointers when it grows.
const CHUNK: usize = 128;

/// One change of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRecord {
    /// Its number.
    pub sequence: SequenceNumber,
    /// When it happened.
    pub at: Timestamp,
    /// The item's key.
    pub key: EncodedKey,
    /// The item that was there.
    pub before: Option<Row>,
    /// The item that is there now.
    pub after: Option<Row>,
    /// True where DynamoDB itself removed an expired item.
    pub is_expiry: bool,
}

/// A record added to the logs of a table, or taken back.
#[derive(Debug, Clone)]
pub struct LogChange {
    /// The table.
    pub table: TableName,
    /// Label of the stream it goes to, if the table has one.
    pub stream: Option<SmolStr>,
    /// The record.
    pub record: Arc<LogRecord>,
    /// False if the record is taken back.
    pub is_added: bool,
}

/// Records in order.
#[derive(Debug, Clone, Default)]
pub struct Log {
    chunks: Vec<Arc<Vec<Arc<LogRecord>>>>,
}

impl PartialEq for Log {
    /// How records share chunks does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl FromIterator<Arc<LogRecord>> for Log {
    /// A log of these records, oldest first.
    fn from_iter<I: IntoIterator<Item = Arc<LogRecord>>>(records: I) -> Self {
        let mut log = Self::default();
        for record in records {
            log.push(record);
        }
        log
    }
}

impl Log {
    /// Adds a record, which is newer than all others.
    pub(crate) fn push(&mut self, record: Arc<LogRecord>) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => Arc::make_mut(chunk).push(record),
            _ => self.chunks.push(Arc::new(vec![record])),
        }
    }

    /// Takes the newest record back if it has this number.
    pub(crate) fn pop(&mut self, sequence: SequenceNumber) {
        if self.last().is_some_and(|record| record.sequence == sequence)
            && let Some(chunk) = self.chunks.last_mut()
        {
            Arc::make_mut(chunk).pop();
            if chunk.is_empty() {
                self.chunks.pop();
            }
        }
    }

    /// The oldest record.
    pub fn first(&self) -> Option<&LogRecord> {
        self.chunks.first()?.first().map(AsRef::as_ref)
    }

    /// The newest record.
    pub fn last(&self) -> Option<&LogRecord> {
        self.chunks.last()?.last().map(AsRef::as_ref)
    }

    /// True if there is no record.
    pub const fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// All records, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &LogRecord> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().map(AsRef::as_ref))
    }

    /// The record with this number, to keep.
    pub fn shared(&self, sequence: SequenceNumber) -> Option<Arc<LogRecord>> {
        let is_before = |chunk: &Arc<Vec<Arc<LogRecord>>>| {
            chunk.last().is_some_and(|record| record.sequence < sequence)
        };
        let chunk = self.chunks.get(self.chunks.partition_point(is_before))?;
        let position = chunk.binary_search_by_key(&sequence, |record| record.sequence).ok()?;
        chunk.get(position).cloned()
    }

    /// The records from this number on, oldest first.
    pub fn since(&self, sequence: SequenceNumber) -> impl Iterator<Item = &LogRecord> {
        let is_before = |chunk: &Arc<Vec<Arc<LogRecord>>>| {
            chunk.last().is_some_and(|record| record.sequence < sequence)
        };
        let first = self.chunks.partition_point(is_before);
        let records = self.chunks[first..].iter().flat_map(|chunk| chunk.iter().map(AsRef::as_ref));
        records.skip_while(move |record| record.sequence < sequence)
    }

    /// The log without the records older than `moment`.
    #[must_use]
    pub fn without_before(&self, moment: Timestamp) -> Self {
        let is_old = |chunk: &Arc<Vec<Arc<LogRecord>>>| {
            chunk.last().is_some_and(|record| record.at < moment)
        };
        let mut chunks = self.chunks[self.chunks.partition_point(is_old)..].to_vec();
        if let Some(chunk) = chunks.first_mut() {
            let n_old = chunk.partition_point(|record| record.at < moment);
            if n_old > 0 {
                Arc::make_mut(chunk).drain(..n_old);
            }
        }
        Self { chunks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(n: u64) -> Arc<LogRecord> {
        Arc::new(LogRecord {
            sequence: SequenceNumber(n),
            at: Timestamp(i64::try_from(n).unwrap() * 10),
            key: EncodedKey::from_bytes(&[]),
            before: None,
            after: None,
            is_expiry: false,
        })
    }

    fn numbers<'a>(records: impl Iterator<Item = &'a LogRecord>) -> Vec<u64> {
        records.map(|record| record.sequence.0).collect()
    }

    #[test]
    fn a_log_reads_from_any_number_and_forgets_what_is_old() {
        let mut log = Log::default();
        for n in 0..300 {
            log.push(record(n));
        }
        assert_eq!(numbers(log.since(SequenceNumber(150))), (150..300).collect::<Vec<_>>());
        assert_eq!(numbers(log.since(SequenceNumber(300))), []);
        let shared = log.clone();
        let young = log.without_before(Timestamp(2_005));
        assert_eq!(numbers(young.iter()), (201..300).collect::<Vec<_>>());
        for n in (0..300).rev() {
            log.pop(SequenceNumber(n));
        }
        assert!(log.is_empty());
        assert_eq!(shared.iter().count(), 300);
    }
}
