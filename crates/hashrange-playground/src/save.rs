//! A session as one compact value, and back: a line with the version, then compressed JSON.
//!
//! Invariant: what is saved restores to the same design, tables, items and history. Reads whose data has not
//! changed since are run again, so they show what they showed; of other requests their row is kept.
//!
//! Not here: where the value is kept (the page).

use hashrange_design::Design;
use hashrange_storage::{KeyRange, Store};
use hashrange_types::TableName;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::history::{Entry, RunResult};
use crate::session::Session;
use crate::view::{BarSegment, HistoryRow, SegmentKind};
use crate::{load, run};

/// What every saved session begins with; the version and a line end follow.
const MAGIC: &[u8] = b"hashrange session ";

/// The version this build writes, and the newest it reads.
const VERSION: u32 = 1;

/// Most bytes of JSON in a saved session.
const JSON_BYTES_MAX: usize = 512 * 1_024 * 1_024;

/// Fast enough for every save, and small enough to keep.
const COMPRESSION_LEVEL: u8 = 4;

/// Requests that are run again when a session is restored; of earlier ones their row is kept.
const REPLAYED_MAX: usize = 12;

/// Pages that are read again of one request.
const REPLAYED_PAGES_MAX: usize = 40;

#[derive(Deserialize)]
struct Saved {
    design: Value,
    tables: Vec<SavedTable>,
    history: Vec<SavedEntry>,
    next_number: u32,
}

#[derive(Deserialize)]
struct SavedTable {
    /// Milliseconds since 1970.
    created_at: i64,
    create: Value,
    items: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
struct SavedEntry {
    number: u32,
    operation: String,
    request: String,
    #[serde(default)]
    pattern: Option<u32>,
    /// Pages that were read; none where running the request again would give something else.
    #[serde(default)]
    n_pages: Option<usize>,
    label: String,
    outcome: String,
    size: String,
    units: String,
    is_error: bool,
    /// Letter and bytes of each segment of the bar.
    bar: Vec<(char, u32)>,
}

/// True if the bytes begin like a saved session of any version.
pub(crate) fn is_saved_session(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The session as one value.
pub(crate) fn save(session: &Session) -> Vec<u8> {
    let rows = session.history();
    let history: Vec<SavedEntry> = session
        .history
        .oldest_first()
        .zip(rows.into_iter().rev())
        .map(|(entry, row)| saved_entry(session, entry, row))
        .collect();
    let design = serde_json::to_string(&session.design).expect("a design has text keys alone");
    let history = serde_json::to_string(&history).expect("an entry has text keys alone");
    // Items become text one by one: a tree of all of them would take several times their memory.
    let mut json = format!("{{\"design\":{design},\"history\":{history},\"tables\":[");
    for (at, table) in session.data.store.tables().enumerate() {
        json.push_str(if at == 0 { "" } else { "," });
        push_table(&mut json, table);
    }
    json.push_str("],\"next_number\":");
    json.push_str(&session.history.next_number().to_string());
    json.push('}');
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(format!("{VERSION}\n").as_bytes());
    bytes.extend(compress_to_vec_zlib(json.as_bytes(), COMPRESSION_LEVEL));
    bytes
}

fn push_table(json: &mut String, table: &hashrange_storage::Table) {
    let created_at = table.created_at().0 / 1_000;
    let create = hashrange_wire::table_to_json(table.schema(), table.state());
    json.push_str("{\"created_at\":");
    json.push_str(&created_at.to_string());
    json.push_str(",\"create\":");
    json.push_str(&create.to_string());
    json.push_str(",\"items\":[");
    for (at, (_, row)) in table.items().range(&KeyRange::all(), true).enumerate() {
        json.push_str(if at == 0 { "" } else { "," });
        json.push_str(&hashrange_wire::item_to_json(&row.item).to_string());
    }
    json.push_str("]}");
}

fn saved_entry(session: &Session, entry: &Entry, row: HistoryRow) -> SavedEntry {
    let n_pages = entry.ran().filter(|ran| {
        entry.data_version == session.data_version && !ran.is_write() && ran.is_repeatable()
    });
    SavedEntry {
        number: entry.number,
        operation: entry.operation.clone(),
        request: entry.request.clone(),
        pattern: entry.pattern,
        n_pages: n_pages.map(|ran| ran.pages.len()),
        label: row.label,
        outcome: row.outcome_text,
        size: row.size_text,
        units: row.units_text,
        is_error: row.is_error,
        bar: row.bar.iter().map(|segment| (letter(segment.kind), segment.bytes)).collect(),
    }
}

const LETTERS: [(SegmentKind, char); 5] = [
    (SegmentKind::Returned, 'r'),
    (SegmentKind::Filtered, 'f'),
    (SegmentKind::Rounding, 'u'),
    (SegmentKind::Written, 'w'),
    (SegmentKind::IndexWritten, 'i'),
];

fn letter(kind: SegmentKind) -> char {
    LETTERS.iter().find(|(known, _)| *known == kind).map_or('u', |(_, letter)| *letter)
}

/// The session of a saved value.
///
/// # Errors
/// One sentence if it is damaged, is something else, or was written by a newer version.
pub(crate) fn restore(bytes: &[u8]) -> Result<Session, String> {
    let json = json_of(bytes)?;
    let saved: Saved = serde_json::from_slice(&json)
        .map_err(|_| "The saved session is damaged: its contents cannot be read.".to_owned())?;
    let design = Design::from_value(saved.design)
        .map_err(|error| format!("The design of the saved session cannot be read. {error}"))?;
    let mut store = Store::default();
    for table in saved.tables {
        load::create_table(&mut store, &table.create, table.created_at)?;
        let name = table.create.get("TableName").and_then(Value::as_str).and_then(TableName::new);
        let Some(name) = name else { continue };
        for item in &table.items {
            let item = hashrange_wire::item_from_json(item)
                .map_err(|error| format!("An item of the table {name} is damaged: {error}."))?;
            load::put(&mut store, &name, item)?;
        }
    }
    let mut session = Session::over(design, store);
    restore_history(&mut session, saved.history);
    session.history.count_on_from(saved.next_number.saturating_sub(1));
    Ok(session)
}

/// The JSON inside a saved value.
fn json_of(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| "This is not a saved session of Hashrange.".to_owned())?;
    let line_end = rest.iter().take(12).position(|byte| *byte == b'\n');
    let version = line_end
        .and_then(|end| std::str::from_utf8(&rest[..end]).ok())
        .and_then(|text| text.parse::<u32>().ok());
    let (Some(end), Some(version)) = (line_end, version) else {
        return Err("The saved session is damaged: its version cannot be read.".to_owned());
    };
    if version != VERSION {
        return Err(format!(
            "This session was saved by another version of Hashrange: it has format {version}, this page reads \
             format {VERSION}. Reload the page to get the newest version. Nothing was changed."
        ));
    }
    decompress_to_vec_zlib_with_limit(&rest[end + 1..], JSON_BYTES_MAX).map_err(|error| {
        if error.status == TINFLStatus::HasMoreOutput {
            "The saved session is too large to be opened here.".to_owned()
        } else {
            "The saved session is damaged: part of it is missing or was changed.".to_owned()
        }
    })
}

fn restore_history(session: &mut Session, saved: Vec<SavedEntry>) {
    let first_replayed = saved
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.n_pages.is_some())
        .map(|(at, _)| at)
        .rev()
        .take(REPLAYED_MAX)
        .last()
        .unwrap_or(saved.len());
    let mut last_number = 0;
    for (at, entry) in saved.into_iter().enumerate() {
        // Numbers only go up; an entry that says otherwise was not written by us.
        if entry.number <= last_number {
            continue;
        }
        last_number = entry.number;
        let replayed = entry
            .n_pages
            .filter(|_| at >= first_replayed)
            .and_then(|n_pages| replay(session, &entry, n_pages));
        let result = replayed.unwrap_or_else(|| RunResult::Remembered(Box::new(row_of(&entry))));
        session.history.push(Entry {
            number: entry.number,
            operation: entry.operation,
            request: entry.request,
            pattern: entry.pattern,
            data_version: session.data_version,
            result,
        });
    }
}

/// Reads again what a request read; none if it would write.
fn replay(session: &Session, entry: &SavedEntry, n_pages: usize) -> Option<RunResult> {
    // On a copy, so that a file which claims a write to be a read cannot change the data.
    let mut store = session.data.store.clone();
    let first = run::exchange(&mut store, &entry.operation, &entry.request, 0);
    if !first.changes.is_empty() {
        return None;
    }
    let mut ran = first.begin(&entry.operation, &session.recognition);
    for _ in 1..n_pages.min(REPLAYED_PAGES_MAX) {
        let Some(text) = ran.last().next_request.clone() else { break };
        run::exchange(&mut store, &entry.operation, &text, 0).append_to(&mut ran);
    }
    Some(RunResult::Ran(Box::new(ran)))
}

fn row_of(entry: &SavedEntry) -> HistoryRow {
    HistoryRow {
        number: entry.number,
        operation: entry.operation.clone(),
        label: entry.label.clone(),
        outcome_text: entry.outcome.clone(),
        size_text: entry.size.clone(),
        units_text: entry.units.clone(),
        bar: entry
            .bar
            .iter()
            .filter_map(|(letter, bytes)| {
                let (kind, _) = LETTERS.iter().find(|(_, known)| known == letter)?;
                Some(BarSegment { kind: *kind, bytes: *bytes, share: 0.0, label: String::new() })
            })
            .collect(),
        is_error: entry.is_error,
    }
}
