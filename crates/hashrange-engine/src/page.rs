//! The ordered, size-limited, filtered read that Query and Scan share.
//!
//! Invariant: one walk ([`PageRead::walk`]) serves the answer and the explanation, so they cannot disagree.
//! The item that makes a page full is part of it.
//!
//! Not here: which range to read, and whether the request is right (`read_validation`, `operation`).
//!
//! Source: facts 2.2, 2.4 and 3.3.

use std::ops::Bound::Included;

use hashrange_expressions::partiql::Column;
use hashrange_expressions::{Condition, ProjectionPaths};
use hashrange_storage::{KeyRange, Row, Store, Table, TreeRef};
use hashrange_types::limits::{PAGE_BYTES_MAX, READ_UNIT_BYTES};
use hashrange_types::operation::{ConsumedCapacity, PageResponse, ReturnConsumedCapacity};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, IndexName, Item, Response, TableReference,
};

use crate::capacity::read_units;
use crate::outcome::{Evaluated, Outcome, PageEnd};
use crate::target::Target;

/// Which attributes of the items that passed the filter are returned.
#[derive(Debug, Clone)]
pub(crate) enum Output {
    /// None: only how many there are.
    Count,
    /// All of the item or index entry.
    Entry,
    /// All of the table's item that an index entry stands for.
    TableItem,
    /// These paths.
    Paths(ProjectionPaths),
    /// These columns of a PartiQL statement.
    Columns(Vec<Column>),
}

/// The index that is read.
#[derive(Debug, Clone)]
pub(crate) struct PageIndex {
    pub(crate) name: IndexName,
    pub(crate) is_local: bool,
    /// True if each entry's item is fetched from the table, because the entry lacks something asked for.
    pub(crate) fetches_items: bool,
}

/// One page to read: where, in which direction, how far, and what to keep.
#[derive(Debug, Clone)]
pub(crate) struct PageRead {
    pub(crate) table: TableReference,
    pub(crate) index: Option<PageIndex>,
    pub(crate) range: KeyRange,
    pub(crate) is_forward: bool,
    /// Most items to evaluate.
    pub(crate) limit: Option<u32>,
    pub(crate) is_consistent: bool,
    pub(crate) filter: Option<Condition>,
    pub(crate) output: Output,
    /// True for a Scan: each partition touched costs at least one unit.
    pub(crate) pays_per_partition: bool,
    pub(crate) shown: ReturnConsumedCapacity,
}

/// One item or index entry that was evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Examined<'a> {
    pub(crate) key: &'a EncodedKey,
    pub(crate) row: &'a Row,
    /// The table's item, if it was fetched and is there.
    pub(crate) fetched: Option<&'a Row>,
    /// True if it passed the filter.
    pub(crate) is_returned: bool,
}

/// What a walk found besides the items themselves.
#[derive(Debug, Clone)]
pub(crate) struct Walked<'a> {
    pub(crate) evaluated: Evaluated,
    /// The last item or entry evaluated.
    pub(crate) last: Option<&'a Row>,
    /// Units the fetched items cost, each rounded alone.
    fetch_units: CapacityUnits,
}

impl PageRead {
    /// Evaluates items from the beginning of the range until it ends, the limit is reached or 1 MB is read.
    /// `visit` sees each of them in order. None if the table or index is not in the store.
    pub(crate) fn walk<'a>(
        &self,
        store: &'a Store,
        mut visit: impl FnMut(Examined<'a>),
    ) -> Option<Walked<'a>> {
        let table = store.table(self.table.name.as_str())?;
        let tree = self.tree(table)?;
        let mut walked = Walked {
            evaluated: Evaluated { page_end: Some(PageEnd::EndOfRange), ..Evaluated::NOTHING },
            last: None,
            fetch_units: CapacityUnits::ZERO,
        };
        for (key, row) in tree.range(&self.range, self.is_forward) {
            let fetched = self.fetch(table, row);
            if self.fetches_items() {
                let size_bytes = fetched.map_or(0, |row| u64::from(row.size_bytes));
                walked.fetch_units += read_units(size_bytes, self.is_consistent);
            }
            let is_returned = self.matches(row, fetched);
            walked.count(key, row, is_returned);
            visit(Examined { key, row, fetched, is_returned });
            if walked.evaluated.bytes_examined >= u64::from(PAGE_BYTES_MAX) {
                walked.evaluated.page_end = Some(PageEnd::Size);
                break;
            }
            if self.limit.is_some_and(|limit| walked.evaluated.n_examined >= limit) {
                walked.evaluated.page_end = Some(PageEnd::Limit);
                break;
            }
        }
        walked.evaluated.n_partitions = self.n_partitions(tree, &walked.evaluated);
        Some(walked)
    }

    /// The page as an outcome.
    pub(crate) fn execute(&self, store: &Store) -> Outcome {
        let mut items = Vec::new();
        let walked = self.walk(store, |examined| {
            if examined.is_returned
                && let Some(item) = self.returned(examined)
            {
                items.push(item);
            }
        });
        let Some((table, walked)) = store.table(self.table.name.as_str()).zip(walked) else {
            return Outcome::free(Err(ApiError::ResourceNotFound));
        };
        let evaluated = walked.evaluated.clone();
        let is_cut_short = evaluated.page_end != Some(PageEnd::EndOfRange);
        let last = walked.last.filter(|_| is_cut_short);
        let consumed = self.consumed(&walked);
        let response = PageResponse {
            items: if matches!(self.output, Output::Count) { None } else { Some(items) },
            count: evaluated.n_returned,
            scanned_count: evaluated.n_examined,
            last_evaluated_key: last.map(|row| self.position_key(table, &row.item)),
            consumed: consumed.clone(),
        };
        let response = if self.pays_per_partition {
            Response::Scan(response)
        } else {
            Response::Query(response)
        };
        Outcome { consumed: vec![consumed], evaluated, ..Outcome::free(Ok(response)) }
    }

    /// What the page reads, for [`Plan::targets`](crate::Plan::targets).
    pub(crate) fn target(&self) -> Target {
        Target {
            table: self.table.name.clone(),
            index: self.index.as_ref().map(|index| index.name.clone()),
            range: self.range.clone(),
            is_consistent: self.is_consistent,
        }
    }

    fn tree<'a>(&self, table: &'a Table) -> Option<TreeRef<'a>> {
        match &self.index {
            Some(index) => table.index(index.name.as_str()),
            None => Some(table.items()),
        }
    }

    fn fetches_items(&self) -> bool {
        self.index.as_ref().is_some_and(|index| index.fetches_items)
    }

    /// The table's item behind an index entry, where the read needs it.
    fn fetch<'a>(&self, table: &'a Table, entry: &Row) -> Option<&'a Row> {
        if !self.fetches_items() {
            return None;
        }
        table.get(&table.schema().key.encode(&entry.item)?)
    }

    fn matches(&self, row: &Row, fetched: Option<&Row>) -> bool {
        let seen = fetched.unwrap_or(row);
        self.filter.as_ref().is_none_or(|filter| filter.holds(&seen.item))
    }

    /// What is returned of an item that passed the filter; none for a count.
    pub(crate) fn returned(&self, examined: Examined<'_>) -> Option<Item> {
        let entry = &examined.row.item;
        let table_item = examined.fetched.map_or(entry, |row| &row.item);
        match &self.output {
            Output::Count => None,
            Output::Entry => Some(Item::clone(entry)),
            Output::TableItem => Some(Item::clone(table_item)),
            Output::Paths(paths) => Some(paths.project(table_item)),
            Output::Columns(columns) => Some(Column::project(columns, table_item)),
        }
    }

    /// The key that says where in the table or index an item stands: table key, and index key for an index.
    pub(crate) fn position_key(&self, table: &Table, entry: &Item) -> Item {
        let schema = table.schema();
        let mut key = schema.key.key_of(entry);
        if let Some(index) = self.index.as_ref().and_then(|index| schema.index(index.name.as_str()))
        {
            for (name, value) in index.key.key_of(entry) {
                key.insert(name, value);
            }
        }
        key
    }

    /// Partitions from where the page began to where it ended, empty ones included; one at least.
    fn n_partitions(&self, tree: TreeRef<'_>, evaluated: &Evaluated) -> u32 {
        let mut walked = self.range.clone();
        if let (Some(PageEnd::Limit | PageEnd::Size), Some(last)) =
            (evaluated.page_end, &evaluated.last_key)
        {
            if self.is_forward {
                walked.upper = Included(last.clone());
            } else {
                walked.lower = Included(last.clone());
            }
        }
        u32::try_from(tree.partitions_in(&walked).len()).unwrap_or(u32::MAX).max(1)
    }

    /// What a walk of this page consumed.
    pub(crate) fn consumed(&self, walked: &Walked<'_>) -> ConsumedCapacity {
        let floor = if self.pays_per_partition { walked.evaluated.n_partitions } else { 1 };
        let charged_bytes =
            walked.evaluated.bytes_examined.max(u64::from(floor) * u64::from(READ_UNIT_BYTES));
        let units = read_units(charged_bytes, self.is_consistent);
        let mut consumed = ConsumedCapacity {
            table_name: self.table.given.clone(),
            table: walked.fetch_units,
            local_indexes: Vec::new(),
            global_indexes: Vec::new(),
            failed: CapacityUnits::ZERO,
            is_write: false,
            shown: self.shown,
        };
        match &self.index {
            None => consumed.table = units,
            Some(index) if index.is_local => {
                consumed.local_indexes.push((index.name.clone(), units));
            }
            Some(index) => consumed.global_indexes.push((index.name.clone(), units)),
        }
        consumed
    }
}

impl<'a> Walked<'a> {
    fn count(&mut self, key: &EncodedKey, row: &'a Row, is_returned: bool) {
        let evaluated = &mut self.evaluated;
        let size_bytes = u64::from(row.size_bytes);
        evaluated.n_examined += 1;
        evaluated.bytes_examined += size_bytes;
        if is_returned {
            evaluated.n_returned += 1;
            evaluated.bytes_returned += size_bytes;
        }
        evaluated.first_key.get_or_insert_with(|| key.clone());
        evaluated.last_key = Some(key.clone());
        self.last = Some(row);
    }
}
