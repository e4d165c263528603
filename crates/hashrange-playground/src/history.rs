//! What was run: each request with its pages, and the facts its panels are made of.
//!
//! Invariant: numbers go up from 1 and are never used again; a page keeps what was true when it ran.
//!
//! Not here: running ([`crate::run`]), wording ([`crate::sentence`]).

use std::collections::VecDeque;
use std::sync::Arc;

use hashrange_engine::Evaluated;
use hashrange_storage::Store;
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{CapacityUnits, Operation, Response, SortedMap};

use crate::asked::Asked;
use crate::better_index::BetterIndex;
use crate::grid::ReadShown;
use crate::request;
use crate::view::{ErrorView, HistoryRow, Target};

/// Entries kept; older ones are forgotten.
pub(crate) const ENTRIES_MAX: usize = 200;

/// So many entries are kept whole; of older ones large replies are let go.
const WHOLE_ENTRIES_MAX: usize = 40;

/// A reply that read more than this is large.
const LARGE_REPLY_BYTES: u64 = 65_536;

/// What the names of operations that change nothing begin with. Shard iterators are made for their moment.
const READS: [&str; 9] = [
    "GetItem",
    "GetResourcePolicy",
    "BatchGet",
    "TransactGet",
    "Query",
    "Scan",
    "DescribeTable",
    "DescribeTimeToLive",
    "List",
];

/// All requests that were run, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    entries: VecDeque<Entry>,
    last_number: u32,
}

/// A request that was run.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) number: u32,
    /// The operation as asked for, known or not.
    pub(crate) operation: String,
    pub(crate) request: String,
    /// The access pattern it came from.
    pub(crate) pattern: Option<u32>,
    /// The version of the data it left; `u64::MAX` where its pages saw several.
    pub(crate) data_version: u64,
    pub(crate) result: RunResult,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub(crate) enum RunResult {
    /// It ran, or was refused.
    Ran(Box<Ran>),
    /// It ran before the session was saved, and the data has changed since: its row is all that is left.
    Remembered(Box<HistoryRow>),
}

/// The facts of a request that ran.
#[derive(Debug, Clone)]
pub(crate) struct Ran {
    /// The operation; none where there is no such operation.
    pub(crate) operation: Option<Operation>,
    /// What its reply does not repeat.
    pub(crate) asked: Asked,
    /// Pages followed so far; at least one.
    pub(crate) pages: Vec<Page>,
    /// The table or index named, if it is one.
    pub(crate) target: Option<Target>,
    /// What it read, target by target, for the lit band.
    pub(crate) shown: SortedMap<Target, Arc<ReadShown>>,
    /// For reads: true if strongly consistent.
    pub(crate) is_consistent: Option<bool>,
    /// True if the target is a global index, which has no strongly consistent reads.
    pub(crate) is_global_index: bool,
    /// The partition key's value, or the whole key, that the request is about.
    pub(crate) about: Option<String>,
    /// Items or entries in the target when it began.
    pub(crate) n_target_rows: u64,
    /// Limit as given.
    pub(crate) limit: Option<u32>,
    /// True if some attributes of each item were asked for.
    pub(crate) is_projected: bool,
    /// True if items were counted only.
    pub(crate) is_count: bool,
    /// Units of all pages read without Limit, where there is a Limit and it is affordable to find out.
    pub(crate) without_limit: Option<CapacityUnits>,
    /// An index that would answer for less.
    pub(crate) better_index: Option<BetterIndex>,
    /// Why nothing was found, where nothing was.
    pub(crate) cause: Option<String>,
}

/// One exchange.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) reply: Result<Arc<Response>, Box<ErrorView>>,
    pub(crate) evaluated: Evaluated,
    pub(crate) consumed: Vec<ConsumedCapacity>,
    /// Bytes read: those evaluated, and those of items fetched for index entries.
    pub(crate) bytes_read: u64,
    /// Of these, what passed the filter.
    pub(crate) bytes_returned: u64,
    /// Bytes the read units pay for: whole blocks of 4 KB.
    pub(crate) bytes_billed: u64,
    /// What was written, the table first.
    pub(crate) written: Vec<Written>,
    /// Words for where it ended; none where the range was read to its end.
    pub(crate) end: Option<String>,
    /// The request for the page behind this one.
    pub(crate) next_request: Option<String>,
    /// The store as it was before; a snapshot that shares structure.
    pub(crate) before: Store,
}

/// What was written to one table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// `Base table`, or the index's name; with the table's name in front where several tables are written.
    pub(crate) label: String,
    pub(crate) is_index: bool,
    /// Of each write the larger of the sizes before and after: what is charged.
    pub(crate) bytes: u64,
    pub(crate) units: CapacityUnits,
    pub(crate) n_put: u32,
    pub(crate) n_replaced: u32,
    pub(crate) n_deleted: u32,
}

impl Written {
    pub(crate) const fn n(&self) -> u32 {
        self.n_put + self.n_replaced + self.n_deleted
    }
}

impl History {
    /// The number the next entry gets.
    pub(crate) const fn next_number(&self) -> u32 {
        self.last_number.saturating_add(1)
    }

    /// Adds an entry; its number is taken from it and must be a new one.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.last_number = self.last_number.max(entry.number);
        self.entries.push_back(entry);
        if self.entries.len() > ENTRIES_MAX {
            self.entries.pop_front();
        }
    }

    /// Makes the entry that has just become old smaller; `row` gives what stays of it.
    pub(crate) fn thin_out(&mut self, row: impl FnOnce(&Entry) -> Option<HistoryRow>) {
        if let Some(old) = self.entries.len().checked_sub(WHOLE_ENTRIES_MAX + 1) {
            self.entries[old].thin_out(row);
        }
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Entry> {
        let at = self.entries.binary_search_by_key(&number, |entry| entry.number).ok()?;
        self.entries.get(at)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Entry> {
        let at = self.entries.binary_search_by_key(&number, |entry| entry.number).ok()?;
        self.entries.get_mut(at)
    }

    /// Entries, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().rev()
    }

    /// Entries, oldest first.
    pub(crate) fn oldest_first(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Goes on counting after `number`.
    pub(crate) fn count_on_from(&mut self, number: u32) {
        self.last_number = self.last_number.max(number);
    }
}

impl Entry {
    pub(crate) fn ran(&self) -> Option<&Ran> {
        match &self.result {
            RunResult::Ran(ran) => Some(ran),
            RunResult::Remembered(_) => None,
        }
    }

    /// Lets go of what keeps old versions of tables and large replies alive; `row` is what stays of the latter.
    fn thin_out(&mut self, row: impl FnOnce(&Self) -> Option<HistoryRow>) {
        let RunResult::Ran(ran) = &mut self.result else { return };
        for page in &mut ran.pages {
            page.before = Store::default();
        }
        if ran.bytes_read() > LARGE_REPLY_BYTES
            && let Some(row) = row(self)
        {
            self.result = RunResult::Remembered(Box::new(row));
        }
    }
}

impl Ran {
    /// The last page.
    pub(crate) fn last(&self) -> &Page {
        self.pages.last().expect("a request that ran has a page")
    }

    /// Units of all pages.
    pub(crate) fn units(&self) -> CapacityUnits {
        self.pages.iter().flat_map(|page| &page.consumed).map(ConsumedCapacity::total).sum()
    }

    /// True if units are write units.
    pub(crate) fn is_write(&self) -> bool {
        self.pages.iter().flat_map(|page| &page.consumed).any(|consumed| consumed.is_write)
    }

    /// True for transactions, which pay the table's part twice: to prepare and to commit.
    pub(crate) fn is_transaction(&self) -> bool {
        self.operation.is_some_and(request::is_transaction)
    }

    /// The operation it amounts to: for statements of PartiQL the one they became.
    pub(crate) fn acts_as(&self) -> Option<Operation> {
        self.asked.became.or(self.operation)
    }

    pub(crate) fn n_examined(&self) -> u64 {
        self.pages.iter().map(|page| u64::from(page.evaluated.n_examined)).sum()
    }

    pub(crate) fn n_returned(&self) -> u64 {
        self.pages.iter().map(|page| u64::from(page.evaluated.n_returned)).sum()
    }

    pub(crate) fn bytes_read(&self) -> u64 {
        self.pages.iter().map(|page| page.bytes_read).sum()
    }

    pub(crate) fn bytes_returned(&self) -> u64 {
        self.pages.iter().map(|page| page.bytes_returned).sum()
    }

    pub(crate) fn bytes_billed(&self) -> u64 {
        self.pages.iter().map(|page| page.bytes_billed).sum()
    }

    pub(crate) fn n_partitions(&self) -> u32 {
        self.pages.iter().map(|page| page.evaluated.n_partitions).max().unwrap_or(0)
    }

    /// True for requests that only read, so that running them again on the same data gives the same.
    pub(crate) fn is_repeatable(&self) -> bool {
        let Some(acts_as) = self.acts_as().map(Operation::name) else { return true };
        READS.iter().any(|read| acts_as.starts_with(read))
            || (self.refusal().is_some() && self.units().is_zero())
    }

    /// The refusal of the last page, if it is one.
    pub(crate) fn refusal(&self) -> Option<&ErrorView> {
        self.last().reply.as_ref().err().map(AsRef::as_ref)
    }
}
