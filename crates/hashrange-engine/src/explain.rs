//! `explain`: every item a read examines, and whether it was returned.
//!
//! Invariant: what is listed is what executing the same plan on the same store reads, because both take the
//! same walk. Nothing is charged and nothing changes.
//!
//! Not here: which conditions of a filter an item failed (`hashrange-expressions`).

use hashrange_storage::{KeyRange, Row, Store};
use hashrange_types::{EncodedKey, IndexName, Item, TableName};
use std::ops::Bound::Included;

use crate::operation::batch_execute_statement::{self, Member};
use crate::operation::batch_get_item::{self, KeyRead};
use crate::operation::execute_statement::StatementPlan;
use crate::operation::{execute_transaction, get_item, transact_get_items};
use crate::page::{Examined, PageRead};
use crate::plan::Plan;

/// What a plan reads, one entry for each table or index, in the order read. Empty for other operations.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    /// The reads.
    pub reads: Vec<ExplainedRead>,
}

/// The items or entries read of one table or index.
#[derive(Debug, Clone)]
pub struct ExplainedRead {
    /// The table.
    pub table: TableName,
    /// The index, if it is one that is read.
    pub index: Option<IndexName>,
    /// The ranges the request asks for: one for Query and Scan, one for each key for GetItem and BatchGetItem.
    pub ranges: Vec<KeyRange>,
    /// True if keys are read upwards.
    pub is_forward: bool,
    /// The first items or entries examined, in the order read.
    pub rows: Vec<ExaminedRow>,
    /// How many more were examined than `rows` holds.
    pub n_rows_left_out: u32,
}

/// One item or index entry that was examined.
#[derive(Debug, Clone)]
pub struct ExaminedRow {
    /// Its key in the table or index read.
    pub key: EncodedKey,
    /// The item or entry as it is stored there.
    pub item: Item,
    /// Its bytes.
    pub size_bytes: u32,
    /// True if it passed the filter.
    pub is_returned: bool,
    /// Bytes of the table's item that was fetched for it, if one was.
    pub fetched_size_bytes: Option<u32>,
}

/// Lists what executing `plan` on `store` examines, at most `max_rows` rows of each table or index.
pub fn explain(store: &Store, plan: &Plan, max_rows: usize) -> Explanation {
    let reads = match plan {
        Plan::GetItem(plan) => vec![explain_get(store, plan, max_rows)],
        Plan::BatchGetItem(plan) => explain_batch(store, plan, max_rows),
        Plan::TransactGetItems(plan) => explain_transaction(store, plan, max_rows),
        Plan::ExecuteStatement(plan) => explain_statement(store, &plan.0, max_rows),
        Plan::BatchExecuteStatement(plan) => explain_statements(store, plan, max_rows),
        Plan::ExecuteTransaction(plan) => match plan.as_ref() {
            execute_transaction::Plan::Reads(plan, _) => explain_transaction(store, plan, max_rows),
            execute_transaction::Plan::Writes(..) => Vec::new(),
        },
        Plan::Query(plan) => vec![explain_page(store, &plan.0, max_rows)],
        Plan::Scan(plan) => vec![explain_page(store, &plan.0, max_rows)],
        _ => Vec::new(),
    };
    Explanation { reads }
}

fn explain_get(store: &Store, plan: &get_item::Plan, max_rows: usize) -> ExplainedRead {
    let mut read = ExplainedRead::of_keys(&plan.table.name, std::slice::from_ref(&plan.key));
    if let Some(row) = store.table(plan.table.name.as_str()).and_then(|table| table.get(&plan.key))
    {
        read.push(max_rows, || ExaminedRow::whole(&plan.key, row));
    }
    read
}

fn explain_batch(
    store: &Store,
    plan: &batch_get_item::Plan,
    max_rows: usize,
) -> Vec<ExplainedRead> {
    let mut returned_bytes = 0;
    let explain_table = |table_keys: &batch_get_item::TableKeys| {
        let name = &table_keys.request.table.name;
        let mut read = ExplainedRead::of_keys(name, &table_keys.keys);
        if let Some(table) = store.table(name.as_str()) {
            table_keys.read(table, &mut returned_bytes, |position, found| {
                if let KeyRead::Found(row) = found {
                    read.push(max_rows, || ExaminedRow::whole(&table_keys.keys[position], row));
                }
            });
        }
        read
    };
    plan.tables.iter().map(explain_table).collect()
}

/// One entry for each table, in the order in which the transaction names them first.
fn explain_transaction(
    store: &Store,
    plan: &transact_get_items::Plan,
    max_rows: usize,
) -> Vec<ExplainedRead> {
    let gets = plan.gets.iter().map(|get| (&get.table.name, &get.key));
    explain_keys(store, gets, max_rows)
}

/// The reads of a batch of statements.
fn explain_statements(
    store: &Store,
    plan: &batch_execute_statement::Plan,
    max_rows: usize,
) -> Vec<ExplainedRead> {
    let reads = plan.members.iter().flatten().filter_map(|member| match member {
        Member::Read(read) => Some((&read.table.name, &read.key)),
        Member::Write(..) => None,
    });
    explain_keys(store, reads, max_rows)
}

/// One entry for each table, in the order in which the keys name them first.
fn explain_keys<'a>(
    store: &Store,
    keys: impl Iterator<Item = (&'a TableName, &'a EncodedKey)>,
    max_rows: usize,
) -> Vec<ExplainedRead> {
    let mut reads: Vec<ExplainedRead> = Vec::new();
    for (name, key) in keys {
        let position = reads.iter().position(|read| read.table == *name).unwrap_or_else(|| {
            reads.push(ExplainedRead::of_keys(name, &[]));
            reads.len() - 1
        });
        let read = &mut reads[position];
        read.ranges.extend(ExplainedRead::of_keys(name, std::slice::from_ref(key)).ranges);
        if let Some(row) = store.table(name.as_str()).and_then(|table| table.get(key)) {
            read.push(max_rows, || ExaminedRow::whole(key, row));
        }
    }
    reads
}

/// A SELECT reads one table or index, in one range or several.
fn explain_statement(store: &Store, plan: &StatementPlan, max_rows: usize) -> Vec<ExplainedRead> {
    let StatementPlan::Select(select) = plan else { return Vec::new() };
    let first = &select.reads[0];
    let mut explained = ExplainedRead {
        index: first.index.as_ref().map(|index| index.name.clone()),
        ranges: select.reads.iter().map(|read| read.range.clone()).collect(),
        is_forward: first.is_forward,
        ..ExplainedRead::of_keys(&first.table.name, &[])
    };
    select.examine(store, |_, examined| {
        explained.push(max_rows, || ExaminedRow::of(examined));
    });
    vec![explained]
}

fn explain_page(store: &Store, page: &PageRead, max_rows: usize) -> ExplainedRead {
    let mut read = ExplainedRead {
        index: page.index.as_ref().map(|index| index.name.clone()),
        ranges: vec![page.range.clone()],
        is_forward: page.is_forward,
        ..ExplainedRead::of_keys(&page.table.name, &[])
    };
    page.walk(store, |examined| {
        read.push(max_rows, || ExaminedRow::of(examined));
    });
    read
}

impl ExplainedRead {
    fn of_keys(table: &TableName, keys: &[EncodedKey]) -> Self {
        let range = |key: &EncodedKey| KeyRange {
            lower: Included(key.clone()),
            upper: Included(key.clone()),
        };
        Self {
            table: table.clone(),
            index: None,
            ranges: keys.iter().map(range).collect(),
            is_forward: true,
            rows: Vec::new(),
            n_rows_left_out: 0,
        }
    }

    fn push(&mut self, max_rows: usize, row: impl FnOnce() -> ExaminedRow) {
        if self.rows.len() < max_rows {
            self.rows.push(row());
        } else {
            self.n_rows_left_out += 1;
        }
    }
}

impl ExaminedRow {
    /// A row of a page.
    fn of(examined: Examined<'_>) -> Self {
        Self {
            is_returned: examined.is_returned,
            fetched_size_bytes: examined.fetched.map(|row| row.size_bytes),
            ..Self::whole(examined.key, examined.row)
        }
    }

    /// A row that no filter was applied to.
    fn whole(key: &EncodedKey, row: &Row) -> Self {
        Self {
            key: key.clone(),
            item: row.item.clone(),
            size_bytes: row.size_bytes,
            is_returned: true,
            fetched_size_bytes: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::{Request, Timestamp};

    use super::*;
    use crate::plan::execute;
    use crate::read_fixture::{Shelf, item, n, query, s, schema};

    fn shelf() -> Shelf {
        let one = |number: usize| {
            item([("pk", s("a")), ("sk", s(&number.to_string())), ("v", n(number % 2))])
        };
        Shelf::with_items(schema(), 4, (0..6).map(one))
    }

    #[test]
    fn the_rows_explained_are_the_rows_executing_reads() {
        let shelf = shelf();
        let mut request = query("pk = :a", &[s("a"), n(1)]);
        request.read.filter_expression = Some("v = :b".to_owned());
        request.read.limit = Some(5);
        request.scan_index_forward = false;
        let plan = shelf.plan(Request::Query(request)).unwrap();
        let explanation = explain(&shelf.store, &plan, 100);
        let evaluated = execute(&shelf.store, &plan, Timestamp(0)).evaluated;
        let [read] = explanation.reads.as_slice() else { panic!("a Query is one read") };
        assert!(!read.is_forward);
        assert_eq!(read.rows.first().map(|row| row.key.clone()), evaluated.first_key);
        assert_eq!(read.rows.last().map(|row| row.key.clone()), evaluated.last_key);
        let returned = read.rows.iter().filter(|row| row.is_returned).count();
        assert_eq!((read.rows.len(), returned), (5, 3));
        let bytes: u64 = read.rows.iter().map(|row| u64::from(row.size_bytes)).sum();
        assert_eq!(bytes, evaluated.bytes_examined);
    }

    #[test]
    fn rows_beyond_the_cap_are_only_counted() {
        let shelf = shelf();
        let plan = shelf.plan(Request::Query(query("pk = :a", &[s("a")]))).unwrap();
        let read = explain(&shelf.store, &plan, 2).reads.remove(0);
        assert_eq!((read.rows.len(), read.n_rows_left_out), (2, 4));
    }
}
