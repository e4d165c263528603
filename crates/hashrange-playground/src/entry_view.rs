//! From an entry of the history to what its panels and its row show.
//!
//! Invariant: derived anew each time it is asked for; nothing here runs a request.

use std::sync::Arc;

use hashrange_storage::Table;
use hashrange_types::operation::PageResponse;
use hashrange_types::{Item, KeySchema, Operation, Response, ScalarType};

use crate::capacity_view::{capacity_view, little_bar, segments};
use crate::format::{self, counted};
use crate::grid::columns::Columns;
use crate::history::{Entry, Page, Ran, RunResult, Written};
use crate::request::pretty;
use crate::view::{
    EntryView, ErrorView, GridColumn, HistoryRow, ItemsTable, PageView, ResultView, SegmentKind,
    Target,
};
use crate::{sentence, told};

/// Rows of items shown in a result.
const RESULT_ROWS_MAX: usize = 200;

/// Columns of a result's table beside the key.
const RESULT_COLUMNS_MAX: usize = 4;

/// All that the panels show of an entry.
pub(crate) fn entry_view(entry: &Entry) -> EntryView {
    let base = EntryView {
        number: entry.number,
        operation: entry.operation.clone(),
        request: entry.request.clone(),
        sentence: String::new(),
        outcome: Err(not_kept()),
        capacity: None,
        read_target: None,
    };
    match &entry.result {
        RunResult::Remembered(_) => EntryView { sentence: not_kept().message, ..base },
        RunResult::Ran(ran) => EntryView {
            sentence: sentence::did(entry, ran),
            outcome: match ran.refusal() {
                Some(refusal) => Err(refusal.clone()),
                None => Ok(result_view(ran)),
            },
            capacity: capacity_view(ran),
            read_target: read_target(ran),
            ..base
        },
    }
}

/// What stands for the result of a request whose data is gone.
fn not_kept() -> ErrorView {
    ErrorView {
        is_refusal: false,
        name: "Result not kept",
        message:
            "The result of this request is not kept: the data has changed or many requests ran since."
                .to_owned(),
        explanation: "Run it again to see what it reads now.",
        reasons: Box::default(),
        place: None,
        item_json: None,
    }
}

/// The target whose rows the grid lights up.
fn read_target(ran: &Ran) -> Option<Target> {
    match &ran.target {
        Some(target) if ran.shown.contains_key(target) => Some(target.clone()),
        _ => ran.shown.keys().next().cloned(),
    }
}

fn result_view(ran: &Ran) -> ResultView {
    let last = ran.last();
    ResultView {
        summary: summary(ran),
        pages: ran.pages.iter().map(|page| page_view(ran, page)).collect(),
        table: items_table(ran),
        json: last.reply.as_deref().map_or_else(|_| String::new(), reply_json),
        next_page_request: last.next_request.clone(),
        next_member: match ran.operation {
            Some(Operation::ExecuteStatement) => "NextToken",
            Some(Operation::ListTables) => "LastEvaluatedTableName",
            Some(Operation::BatchGetItem) => "UnprocessedKeys",
            _ => "LastEvaluatedKey",
        },
    }
}

fn reply_json(reply: &Response) -> String {
    pretty(&hashrange_wire::encode(reply))
}

fn page_view(ran: &Ran, page: &Page) -> PageView {
    let evaluated = &page.evaluated;
    let text = match ran.acts_as() {
        Some(Operation::Query | Operation::Scan) => {
            let verb = if ran.is_count { "counted" } else { "returned" };
            let (read, returned) = (evaluated.n_examined, evaluated.n_returned);
            format!(
                "{} read, {} {verb}",
                format::count(read.into()),
                format::count(returned.into())
            )
        }
        _ => summary_of_page(page),
    };
    let end_text = match &page.end {
        Some(end) if matches!(ran.operation, Some(Operation::BatchGetItem)) => end.clone(),
        Some(end) => format!("ended at {end}"),
        None => "no more pages".to_owned(),
    };
    PageView { text, end_text }
}

fn summary_of_page(page: &Page) -> String {
    match page.reply.as_deref() {
        Ok(Response::ListTables(list)) => counted(list.table_names.len() as u64, "table"),
        Ok(Response::BatchGetItem(_)) => {
            format!("{} found", counted(page.evaluated.n_returned.into(), "item"))
        }
        _ => "one reply".to_owned(),
    }
}

fn summary(ran: &Ran) -> String {
    let n_pages = ran.pages.len() as u64;
    let in_pages =
        if n_pages > 1 { format!(" in {}", counted(n_pages, "page")) } else { String::new() };
    let written = &ran.last().written;
    let n = |of: fn(&Written) -> u32| -> u64 {
        written.iter().filter(|it| !it.is_index).map(|it| u64::from(of(it))).sum()
    };
    match ran.last().reply.as_deref() {
        Ok(Response::Query(_) | Response::Scan(_)) => {
            let returned = ran.n_returned();
            if ran.is_count {
                format!("Count {}{in_pages}", format::count(returned))
            } else if returned == 0 {
                format!("0 items{in_pages}")
            } else {
                format!("{}{in_pages}", counted(returned, "item"))
            }
        }
        Ok(Response::GetItem(reply)) if reply.item.is_some() => "1 item".to_owned(),
        Ok(Response::GetItem(_)) if ran.n_examined() > 0 => {
            "1 item, but none of the attributes asked for".to_owned()
        }
        Ok(Response::GetItem(_)) => "No item has this key".to_owned(),
        Ok(Response::BatchGetItem(_)) => format!("{}{in_pages}", counted(ran.n_returned(), "item")),
        Ok(Response::BatchWriteItem(_) | Response::TransactWriteItems(_)) => {
            format!("{} written", counted(n(Written::n), "item"))
        }
        Ok(Response::TransactGetItems(_)) => counted(ran.n_returned(), "item"),
        Ok(
            Response::ExecuteStatement(_)
            | Response::BatchExecuteStatement(_)
            | Response::ExecuteTransaction(_),
        ) => match n(Written::n) {
            0 => format!("{}{in_pages}", counted(ran.n_returned(), "item")),
            n_written => format!("{} written", counted(n_written, "item")),
        },
        Ok(Response::DeleteItem(_)) if n(|it| it.n_deleted) == 0 => "Nothing to delete".to_owned(),
        Ok(Response::DeleteItem(_)) => "Deleted".to_owned(),
        Ok(Response::PutItem(_) | Response::UpdateItem(_)) if n(|it| it.n_put) > 0 => {
            "Written".to_owned()
        }
        Ok(Response::PutItem(_) | Response::UpdateItem(_)) if n(|it| it.n_replaced) == 0 => {
            "Unchanged".to_owned()
        }
        Ok(Response::PutItem(_)) => "Replaced".to_owned(),
        Ok(Response::UpdateItem(_)) => "Updated".to_owned(),
        Ok(Response::ListTables(_)) => {
            let lists = ran.pages.iter().filter_map(|page| page.reply.as_deref().ok());
            let n: usize = lists
                .map(|reply| match reply {
                    Response::ListTables(list) => list.table_names.len(),
                    _ => 0,
                })
                .sum();
            format!("{}{in_pages}", counted(n as u64, "table"))
        }
        Ok(reply) => told::summary(ran, reply).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// The items of all pages, or what a write returned.
fn items_table(ran: &Ran) -> Option<ItemsTable> {
    let replies: Vec<Arc<Response>> =
        ran.pages.iter().filter_map(|page| page.reply.as_ref().ok().cloned()).collect();
    let mut items: Vec<&Item> = Vec::new();
    let mut has_items = false;
    for reply in &replies {
        has_items |= collect_items(reply, &mut items);
    }
    if !has_items {
        return None;
    }
    let table = ran.target.as_ref().and_then(|target| ran.pages[0].before.table(&target.table));
    let index = ran.target.as_ref().and_then(|target| target.index.as_deref());
    let is_query = matches!(ran.acts_as(), Some(Operation::Query));
    Some(table_of(&items, table, index, is_query))
}

/// Adds a reply's items; false for replies that have none to show.
fn collect_items<'a>(reply: &'a Response, items: &mut Vec<&'a Item>) -> bool {
    match reply {
        Response::Query(PageResponse { items: Some(found), .. })
        | Response::Scan(PageResponse { items: Some(found), .. }) => items.extend(found),
        Response::GetItem(reply) => items.extend(&reply.item),
        Response::BatchGetItem(reply) => {
            items.extend(reply.responses.iter().flat_map(|(_, found)| found));
        }
        Response::TransactGetItems(reply) => items.extend(reply.responses.iter().flatten()),
        Response::ExecuteStatement(reply) => items.extend(&reply.items),
        Response::BatchExecuteStatement(reply) => {
            items.extend(reply.responses.iter().filter_map(|response| response.item.as_ref()));
        }
        Response::ExecuteTransaction(reply) => items.extend(reply.responses.iter().flatten()),
        Response::PutItem(reply) => return extend(items, reply.attributes.as_ref()),
        Response::UpdateItem(reply) => return extend(items, reply.attributes.as_ref()),
        Response::DeleteItem(reply) => return extend(items, reply.attributes.as_ref()),
        _ => return false,
    }
    true
}

fn extend<'a>(items: &mut Vec<&'a Item>, item: Option<&'a Item>) -> bool {
    items.extend(item);
    item.is_some()
}

fn table_of(
    items: &[&Item],
    table: Option<&Table>,
    index: Option<&str>,
    is_query: bool,
) -> ItemsTable {
    let schema = table.map(Table::schema);
    let key: Option<&KeySchema> = schema.and_then(|schema| match index {
        None => Some(&schema.key),
        Some(index) => schema.index(index).map(|index| index.key),
    });
    let is_asked = |name: &str| {
        is_query
            && key.is_some_and(|key| {
                !key.sort.is_empty()
                    && key.partition.iter().any(|attribute| attribute.name.as_str() == name)
            })
    };
    let key_names: Vec<String> = key
        .map(|key| key.attributes().map(|attribute| attribute.name.to_string()).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        .filter(|name| !is_asked(name))
        .filter(|name| items.iter().any(|item| item.contains(name)))
        .collect();
    let columns = Columns::of(
        items.iter().take(RESULT_ROWS_MAX).copied(),
        |name| is_asked(name) || key_names.iter().any(|key| key == name),
        |name| schema.is_some_and(|schema| schema.indexes().any(|index| index.key.contains(name))),
        RESULT_COLUMNS_MAX,
    );
    let is_number = |name: &str| {
        key.is_some_and(|key| {
            key.attributes().any(|it| it.name.as_str() == name && it.scalar == ScalarType::N)
        })
    };
    let key_columns = key_names.iter().map(|name| GridColumn {
        name: name.clone(),
        attribute: name.clone(),
        is_number: is_number(name),
    });
    let rows = items
        .iter()
        .take(RESULT_ROWS_MAX)
        .map(|item| {
            let keys = key_names
                .iter()
                .map(|name| item.get(name).map(format::key_value).unwrap_or_default());
            let cells = keys.chain(columns.cells(item)).collect();
            (cells, format::size(u64::from(item.size_bytes())))
        })
        .collect();
    ItemsTable {
        columns: key_columns.chain(columns.heading.iter().cloned()).collect(),
        rows,
        n_left_out: u32::try_from(items.len().saturating_sub(RESULT_ROWS_MAX)).unwrap_or(u32::MAX),
    }
}

/// The rows of the history, newest first, their bars on one scale.
pub(crate) fn history_rows<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    words_of_pattern: impl Fn(u32) -> Option<String>,
) -> Vec<HistoryRow> {
    let mut rows: Vec<(HistoryRow, Vec<(SegmentKind, u64)>)> = entries
        .map(|entry| match &entry.result {
            RunResult::Remembered(row) => {
                let pieces =
                    row.bar.iter().map(|piece| (piece.kind, u64::from(piece.bytes))).collect();
                ((**row).clone(), pieces)
            }
            RunResult::Ran(ran) => {
                let words = entry.pattern.and_then(&words_of_pattern);
                (history_row(entry, ran, words), little_bar(ran))
            }
        })
        .collect();
    let longest = rows
        .iter()
        .map(|(_, pieces)| pieces.iter().map(|(_, bytes)| bytes).sum::<u64>())
        .max()
        .unwrap_or(0);
    for (row, pieces) in &mut rows {
        row.bar = segments(pieces, longest);
    }
    rows.into_iter().map(|(row, _)| row).collect()
}

fn history_row(entry: &Entry, ran: &Ran, pattern_words: Option<String>) -> HistoryRow {
    let label = match (entry.pattern, pattern_words) {
        (Some(number), Some(words)) => format!("{number} · {words}"),
        _ => own_label(ran),
    };
    let units = ran.units();
    let is_write = ran.is_write();
    let bytes = if is_write {
        ran.pages.iter().flat_map(|page| &page.written).map(|it| it.bytes).sum()
    } else {
        ran.bytes_read()
    };
    HistoryRow {
        number: entry.number,
        operation: entry.operation.clone(),
        label,
        outcome_text: outcome_text(ran, is_write),
        size_text: if units.is_zero() { String::new() } else { format::size(bytes) },
        units_text: if units.is_zero() { String::new() } else { format::units(units, is_write) },
        bar: Vec::new(),
        is_error: ran.refusal().is_some(),
    }
}

fn outcome_text(ran: &Ran, is_write: bool) -> String {
    if let Some(refusal) = ran.refusal() {
        return refusal.name.to_owned();
    }
    if is_write {
        let written = ran.pages.iter().flat_map(|page| &page.written);
        let n: u64 = written.filter(|it| !it.is_index).map(|it| u64::from(it.n())).sum();
        return if n == 0 { "no change".to_owned() } else { counted(n, "write") };
    }
    match ran.last().reply.as_deref() {
        Ok(
            Response::Query(_)
            | Response::Scan(_)
            | Response::GetItem(_)
            | Response::BatchGetItem(_)
            | Response::TransactGetItems(_)
            | Response::ExecuteStatement(_)
            | Response::BatchExecuteStatement(_)
            | Response::ExecuteTransaction(_),
        ) => format!("{} → {}", format::count(ran.n_examined()), format::count(ran.n_returned())),
        Ok(Response::CreateTable(_)) => "created".to_owned(),
        Ok(Response::DeleteTable(_)) => "deleted".to_owned(),
        _ => summary(ran),
    }
}

/// The target and what in it, where no pattern names the request.
fn own_label(ran: &Ran) -> String {
    let target = ran.target.as_ref().map(|target| match &target.index {
        Some(index) => format!("{}.{index}", target.table),
        None => target.table.clone(),
    });
    match (&ran.about, target) {
        (Some(about), Some(target)) if *about != target => format!("{about} in {target}"),
        (Some(about), _) => about.clone(),
        (None, Some(target)) => target,
        (None, None) => String::new(),
    }
}
