//! What a request is about, in words: its target, its key, where a page ended, and why nothing was found.
//!
//! Invariant: reads the store, changes nothing; what cannot be found out is left unsaid.

use hashrange_engine::Explanation;
use hashrange_storage::{KeyRange, Store, Table, TreeRef};
use hashrange_types::letter_case::lowercase;
use hashrange_types::operation::ReadRequest;
use hashrange_types::{Item, KeyAttribute, KeySchema, Request, Response, ScalarType};

use crate::format;
use crate::recognition::{Recognition, key_text, whole};
use crate::view::Target;

/// Collections looked through for a key that is nearly the one asked for.
const COLLECTIONS_SEARCHED_MAX: usize = 2_000;

/// What surrounds a request.
pub(crate) struct Context<'a> {
    /// The store as it was before.
    pub(crate) store: &'a Store,
    pub(crate) recognition: &'a Recognition,
    pub(crate) explanation: &'a Explanation,
    /// True if it is a Query, or a statement that became one with a single key.
    pub(crate) is_query: bool,
}

/// The table or index a request names, if there is one.
pub(crate) fn target(request: &Request, store: &Store) -> Option<Target> {
    let of = |name: &str, index: Option<String>| {
        let table = store.table(name)?;
        let is_known = index.as_deref().is_none_or(|index| table.index(index).is_some());
        is_known.then(|| Target { table: name.to_owned(), index })
    };
    let of_read = |read: &ReadRequest| {
        of(read.table.name.as_str(), read.index.as_ref().map(ToString::to_string))
    };
    match request {
        Request::GetItem(request) => of(request.table.name.as_str(), None),
        Request::PutItem(request) => of(request.table.name.as_str(), None),
        Request::UpdateItem(request) => of(request.table.name.as_str(), None),
        Request::DeleteItem(request) => of(request.table.name.as_str(), None),
        Request::DescribeTable(request) => of(request.table.name.as_str(), None),
        Request::Query(request) => of_read(&request.read),
        Request::Scan(request) => of_read(&request.read),
        Request::BatchGetItem(request) => of(request.tables.first()?.table.name.as_str(), None),
        Request::BatchWriteItem(request) => of(request.tables.first()?.0.name.as_str(), None),
        Request::TransactGetItems(request) => of(request.items.first()?.table.name.as_str(), None),
        Request::TransactWriteItems(request) => {
            of(request.items.first()?.table.name.as_str(), None)
        }
        _ => None,
    }
}

/// The table or index that a plan touches first.
pub(crate) fn planned_target(targets: &[hashrange_engine::Target]) -> Option<Target> {
    let first = targets.first()?;
    Some(Target {
        table: first.table.to_string(),
        index: first.index.as_ref().map(ToString::to_string),
    })
}

/// An item's key in its table: `ORG#1234 / PROJECT#p-07`.
pub(crate) fn whole_key(store: &Store, table: &str, item: &Item) -> Option<String> {
    let key = &store.table(table)?.schema().key;
    let of = |attributes: &[KeyAttribute]| whole(&key_text(item, attributes, None));
    let partition = of(&key.partition);
    Some(if key.sort.is_empty() { partition } else { format!("{partition} / {}", of(&key.sort)) })
}

/// The items or entries of a target.
pub(crate) fn tree<'a>(store: &'a Store, target: &Target) -> Option<TreeRef<'a>> {
    let table = store.table(&target.table)?;
    match &target.index {
        None => Some(table.items()),
        Some(index) => table.index(index),
    }
}

/// Where a page ended, as its chip and its mark in the grid say it; none where there are no more pages.
pub(crate) fn page_end(reply: &Response, store: &Store, target: Option<&Target>) -> Option<String> {
    let last = match reply {
        Response::Query(page) | Response::Scan(page) => page.last_evaluated_key.as_ref(),
        Response::ExecuteStatement(page) => page.last_evaluated_key.as_ref(),
        _ => None,
    };
    if let (Some(last), Some(target)) = (last, target) {
        let key = key_schema(store.table(&target.table)?, target)?;
        return Some(short_key(last, key));
    }
    match reply {
        Response::ListTables(tables) => {
            tables.last_evaluated_table_name.as_ref().map(ToString::to_string)
        }
        Response::BatchGetItem(batch) if !batch.unprocessed.is_empty() => {
            let n: usize = batch.unprocessed.iter().map(|table| table.keys.len()).sum();
            Some(format::counted(n as u64, "key left over"))
        }
        _ => None,
    }
}

/// The sort key's value, else the partition key's.
fn short_key(key: &Item, schema: &KeySchema) -> String {
    let attributes = if schema.sort.is_empty() { &schema.partition } else { &schema.sort };
    whole(&key_text(key, attributes, None))
}

fn key_schema<'a>(table: &'a Table, target: &Target) -> Option<&'a KeySchema> {
    match &target.index {
        None => Some(&table.schema().key),
        Some(index) => table.schema().index(index).map(|index| index.key),
    }
}

impl Context<'_> {
    /// The item or collection a request is about: `ORG#1234` or `ORG#1234 / PROJECT#p-07`.
    pub(crate) fn about(&self, request: &Request, target: Option<&Target>) -> Option<String> {
        let item_of =
            |table: &str, item: Result<&Item, _>| whole_key(self.store, table, item.ok()?);
        match request {
            Request::GetItem(it) => item_of(it.table.name.as_str(), it.key.as_ref()),
            Request::PutItem(it) => item_of(it.table.name.as_str(), it.item.as_ref()),
            Request::UpdateItem(it) => item_of(it.table.name.as_str(), it.key.as_ref()),
            Request::DeleteItem(it) => item_of(it.table.name.as_str(), it.key.as_ref()),
            Request::CreateTable(it) => Some(it.table_name.to_string()),
            Request::GetRecords(it) => Some(it.iterator.as_ref()?.stream.table.to_string()),
            Request::Query(_) => self.partition_read(target?),
            Request::ExecuteStatement(_) if self.is_query => self.partition_read(target?),
            _ => None,
        }
    }

    /// The partition key's value of a Query.
    fn partition_read(&self, target: &Target) -> Option<String> {
        let table = self.store.table(&target.table)?;
        let key = key_schema(table, target)?;
        let read = self.explanation.reads.first()?;
        if let Some(row) = read.rows.first() {
            let name = table.schema().name.as_str();
            let entity = self.recognition.entity_of(name, &row.item);
            let face = self.recognition.face(entity);
            return Some(whole(&key_text(&row.item, &key.partition, face)));
        }
        asked_text(key, self.asked_bytes()?)
    }

    /// First bytes of the range that was asked for.
    fn asked_bytes(&self) -> Option<&[u8]> {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        match &self.explanation.reads.first()?.ranges.first()?.lower {
            Included(key) | Excluded(key) => Some(key.as_bytes()),
            Unbounded => None,
        }
    }

    /// Why a read found nothing.
    pub(crate) fn cause(&self, request: &Request, target: Option<&Target>) -> Option<String> {
        let target = target?;
        let table = self.store.table(&target.table)?;
        let tree = tree(self.store, target)?;
        if tree.n_rows() == 0 {
            return Some(match &target.index {
                Some(index) => {
                    format!("The index {index} is empty: no item has all of its key attributes.")
                }
                None => format!("The table {} is empty.", target.table),
            });
        }
        match request {
            Request::Query(_) => self.query_cause(key_schema(table, target)?, tree),
            Request::ExecuteStatement(_) if self.is_query => {
                self.query_cause(key_schema(table, target)?, tree)
            }
            Request::GetItem(request) => get_cause(table, request.key.as_ref().ok()?),
            _ => None,
        }
    }

    fn query_cause(&self, key: &KeySchema, tree: TreeRef<'_>) -> Option<String> {
        let asked = self.asked_bytes()?;
        let hash = u64::from_be_bytes(*asked.first_chunk::<8>()?);
        let asked_text = asked_text(key, asked);
        let named = asked_text.clone().unwrap_or_else(|| "this partition key".to_owned());
        let neighbours = KeyRange::of_hashes(hash, hash);
        let n = tree.range(&neighbours, true).take(1_000).count();
        if n > 0 {
            let many =
                if n == 1_000 { "1,000 or more".to_owned() } else { format::count(n as u64) };
            let items = if n == 1 { "item" } else { "items" };
            return Some(format!(
                "{named} has {many} {items}, but no sort key among them fits the condition."
            ));
        }
        let similar = similar_partition(key, tree, asked_text.as_deref());
        Some(match similar {
            Some(similar) => {
                format!("Keys are case-sensitive: there is {similar}, but no {named}.")
            }
            None => format!("Nothing has the partition key {named}."),
        })
    }
}

/// Why no item has the key asked for.
fn get_cause(table: &Table, asked: &Item) -> Option<String> {
    let key = &table.schema().key;
    let partition = key_text(asked, &key.partition, None);
    let prefix = key.encode_partition(asked)?;
    let has_collection =
        table.items().range(&KeyRange::starting_with(&prefix), true).next().is_some();
    let partition = whole(&partition);
    if has_collection {
        let sort = whole(&key_text(asked, &key.sort, None));
        return Some(format!(
            "There are items under {partition}, but none with the sort key {sort}."
        ));
    }
    Some(match similar_partition(key, table.items(), Some(&partition)) {
        Some(similar) => {
            format!("Keys are case-sensitive: there is {similar}, but no {partition}.")
        }
        None => format!("Nothing has the partition key {partition}."),
    })
}

/// A partition key that differs from `asked` in case or surrounding spaces only.
fn similar_partition(key: &KeySchema, tree: TreeRef<'_>, asked: Option<&str>) -> Option<String> {
    let asked = lowercase(asked?.trim());
    let mut range = KeyRange::all();
    for _ in 0..COLLECTIONS_SEARCHED_MAX {
        let (_, row) = tree.range(&range, true).next()?;
        let text = whole(&key_text(&row.item, &key.partition, None));
        if lowercase(text.trim()) == asked {
            return Some(text);
        }
        range.lower = KeyRange::from_past(&key.encode_partition(&row.item)?);
    }
    None
}

/// The partition key's value in the bytes a range begins with; none for numbers and several attributes, which
/// do not read back.
fn asked_text(key: &KeySchema, bytes: &[u8]) -> Option<String> {
    let [KeyAttribute { scalar: ScalarType::S, .. }] = key.partition.as_slice() else {
        return None;
    };
    let mut text = Vec::new();
    let mut rest = bytes.get(8..)?.iter().peekable();
    while let Some(byte) = rest.next() {
        match (byte, rest.peek()) {
            (0, Some(0xFF)) => {
                rest.next();
                text.push(0);
            }
            (0, _) => break,
            (byte, _) => text.push(*byte),
        }
    }
    String::from_utf8(text).ok().map(|text| format::one_line(&text, usize::MAX))
}
