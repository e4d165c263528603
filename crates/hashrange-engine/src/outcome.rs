//! `Outcome`: everything that follows from executing a plan.

use hashrange_storage::{Change, IndexEntryChange, Row};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{ApiError, EncodedKey, Response};

/// What executing a plan gives. Nothing has happened yet: whoever called applies the changes.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The answer, or the refusal that reading the store brought.
    pub reply: Result<Response, ApiError>,
    /// What happens to tables and items, in order.
    pub changes: Vec<Change>,
    /// What follows for index entries; the driver may apply these later than the items.
    pub index_entries: Vec<IndexEntryChange>,
    /// What was consumed, table by table; present for a refused condition too, since DynamoDB charges it.
    pub consumed: Vec<ConsumedCapacity>,
    /// What was read to find the answer.
    pub evaluated: Evaluated,
}

impl Outcome {
    /// An outcome that changes and consumes nothing.
    pub const fn free(reply: Result<Response, ApiError>) -> Self {
        Self {
            reply,
            changes: Vec::new(),
            index_entries: Vec::new(),
            consumed: Vec::new(),
            evaluated: Evaluated::NOTHING,
        }
    }
}

/// What a read examined. Bytes are stored sizes, before filter and projection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// Items or entries examined.
    pub n_examined: u32,
    /// Of these, how many passed the filter.
    pub n_returned: u32,
    /// Bytes of those examined.
    pub bytes_examined: u64,
    /// Bytes of those that passed the filter.
    pub bytes_returned: u64,
    /// Key of the first one examined.
    pub first_key: Option<EncodedKey>,
    /// Key of the last one examined.
    pub last_key: Option<EncodedKey>,
    /// Partitions touched, empty ones included.
    pub n_partitions: u32,
    /// Why the page ended, for Query and Scan.
    pub page_end: Option<PageEnd>,
}

impl Evaluated {
    /// Nothing was read.
    pub const NOTHING: Self = Self {
        n_examined: 0,
        n_returned: 0,
        bytes_examined: 0,
        bytes_returned: 0,
        first_key: None,
        last_key: None,
        n_partitions: 0,
        page_end: None,
    };

    /// Counts what another read of the same request examined after this one.
    pub(crate) fn add(&mut self, more: &Self) {
        self.n_examined += more.n_examined;
        self.n_returned += more.n_returned;
        self.bytes_examined += more.bytes_examined;
        self.bytes_returned += more.bytes_returned;
        self.first_key = self.first_key.take().or_else(|| more.first_key.clone());
        self.last_key = more.last_key.clone().or_else(|| self.last_key.take());
        self.n_partitions += more.n_partitions;
        self.page_end = more.page_end;
    }

    /// Counts an item that was read by its key and returned.
    pub(crate) fn add_returned(&mut self, key: &EncodedKey, row: &Row) {
        self.n_examined += 1;
        self.n_returned += 1;
        self.bytes_examined += u64::from(row.size_bytes);
        self.bytes_returned += u64::from(row.size_bytes);
        self.first_key.get_or_insert_with(|| key.clone());
        self.last_key = Some(key.clone());
    }
}

/// Why a page of a Query or Scan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageEnd {
    /// The range was read to its end: there is no LastEvaluatedKey.
    EndOfRange,
    /// `Limit` items were evaluated.
    Limit,
    /// 1 MB was evaluated.
    Size,
}
