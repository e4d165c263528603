//! `PatternShape`: what a request says, in words: table, index, key condition, filter.
//!
//! Invariant: `#names` and `:values` are written out; nothing here needs a store but the keys of a put item.
//!
//! Not here: whether the request is right, which the engine decides.

use hashrange_expressions::{TokenKind, tokens};
use hashrange_storage::Store;
use hashrange_types::operation::{ExpressionNames, ExpressionValues, ReadRequest, Select};
use hashrange_types::{Deferred, IndexName, Item, Request, TableName, TableReference};

use crate::words;

/// What a pattern's request says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatternShape {
    /// The table it names first.
    pub table: Option<TableName>,
    /// The index it reads.
    pub index: Option<IndexName>,
    /// What its key condition, its keys or its statement say; empty for a Scan.
    pub key_condition: String,
    /// What its filter says; empty where there is none.
    pub filter: String,
    /// The attributes it asks for; empty for all, `COUNT` for none.
    pub projection: String,
    /// True for strongly consistent reads.
    pub is_consistent: bool,
    /// Limit.
    pub limit: Option<u32>,
}

impl PatternShape {
    /// What `request` says; `store` tells which attributes of a put item are its key.
    pub(crate) fn of(request: &Request, store: &Store) -> Self {
        let item = |table: &TableReference, key: &Deferred<Item>, is_consistent: bool| Self {
            table: Some(table.name.clone()),
            key_condition: key_words(store, table, key),
            is_consistent,
            ..Self::default()
        };
        match request {
            Request::GetItem(it) => Self {
                projection: written(it.projection_expression.as_deref(), it.names.as_ref(), None),
                ..item(&it.table, &it.key, it.consistent_read)
            },
            Request::PutItem(it) => item(&it.table, &it.item, false),
            Request::UpdateItem(it) => item(&it.table, &it.key, false),
            Request::DeleteItem(it) => item(&it.table, &it.key, false),
            Request::Query(it) => {
                let names = it.read.names.as_ref();
                let key = it.key_condition_expression.as_deref();
                Self {
                    key_condition: written(key, names, it.read.values.as_ref()),
                    ..Self::of_read(&it.read)
                }
            }
            Request::Scan(it) => Self::of_read(&it.read),
            Request::BatchGetItem(it) => Self {
                table: it.tables.first().map(|table| table.table.name.clone()),
                key_condition: words::counted(
                    it.tables.iter().map(|table| table.keys.len() as u64).sum(),
                    "key",
                ),
                is_consistent: it.tables.iter().all(|table| table.consistent_read),
                ..Self::default()
            },
            Request::TransactGetItems(it) => Self {
                table: it.items.first().map(|get| get.table.name.clone()),
                key_condition: words::counted(it.items.len() as u64, "key"),
                is_consistent: true,
                ..Self::default()
            },
            Request::TransactWriteItems(it) => {
                let parts = it.items.iter().map(|element| {
                    let name = &element.table;
                    let key = key_words(store, name, element.action.item());
                    format!("{} {}: {key}", element.action.name(), name.name)
                });
                Self {
                    table: it.items.first().map(|element| element.table.name.clone()),
                    key_condition: parts.collect::<Vec<_>>().join(", "),
                    ..Self::default()
                }
            }
            Request::ExecuteStatement(it) => Self {
                key_condition: it.statement.statement.trim().to_owned(),
                is_consistent: it.statement.consistent_read,
                limit: it.limit,
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    fn of_read(read: &ReadRequest) -> Self {
        let names = read.names.as_ref();
        let projection = if read.select == Some(Select::Count) {
            "COUNT".to_owned()
        } else {
            written(read.projection_expression.as_deref(), names, None)
        };
        Self {
            table: Some(read.table.name.clone()),
            index: read.index.clone(),
            key_condition: String::new(),
            filter: written(read.filter_expression.as_deref(), names, read.values.as_ref()),
            projection,
            is_consistent: read.consistent_read,
            limit: read.limit,
        }
    }

    /// Where it reads or writes: `OrgDirectory`, or `GSI1` of it.
    pub fn place(&self) -> String {
        match (&self.table, &self.index) {
            (Some(table), Some(index)) => format!("{table}'s index {index}"),
            (Some(table), None) => table.to_string(),
            (None, _) => "its table".to_owned(),
        }
    }

    /// What is counted there: entries of an index, items of a table.
    pub(crate) const fn noun(&self) -> &'static str {
        if self.index.is_some() { "entry" } else { "item" }
    }
}

/// The key of an item or a key as given, in words.
fn key_words(store: &Store, table: &TableReference, item: &Deferred<Item>) -> String {
    let Ok(item) = item else { return String::new() };
    match store.table(table.name.as_str()) {
        Some(table) => words::key(&table.schema().key.key_of(item)),
        None => words::key(item),
    }
}

/// An expression with its names and values written out.
pub(crate) fn written(
    text: Option<&str>,
    names: Option<&ExpressionNames>,
    values: Option<&ExpressionValues>,
) -> String {
    let Some(text) = text else { return String::new() };
    let mut written = String::new();
    let mut end = 0;
    for (kind, span) in tokens(text) {
        let token = span.of(text);
        written.push_str(text.get(end..span.start as usize).unwrap_or_default());
        end = span.end as usize;
        let found = match kind {
            TokenKind::Name => names
                .and_then(|names| names.iter().find(|(name, _)| name == token))
                .map(|(_, name)| name.to_string()),
            TokenKind::Value => values
                .and_then(|values| values.iter().find(|(name, _)| name == token))
                .and_then(|(_, value)| value.as_ref().ok())
                .map(words::value),
            _ => None,
        };
        match found {
            Some(found) => written.push_str(&found),
            None => written.push_str(token),
        }
    }
    written.push_str(text.get(end..).unwrap_or_default());
    written
}
