//! A session as one compact value, and back: a line with the version, then compressed: a line of JSON with design
//! and history, then the text of its database.
//!
//! Version 1 had one JSON object, tables and items in it; it is still read.
//!
//! Invariant: what is saved restores to the same design, database and history. Reads whose data has not
//! changed since are run again, so they show what they showed; of other requests their row is kept.
//!
//! Not here: the text of a database (`hashrange-engine`, `hashrange-wire`), where the value is kept (the page).

use std::convert::Infallible;

use hashrange_design::Design;
use hashrange_engine::{Rebuild, snapshot};
use hashrange_storage::Store;
use hashrange_types::snapshot::{SnapshotEnd, SnapshotLine};
use hashrange_types::{Operation, Request, Timestamp};
use hashrange_wire::SNAPSHOT_FORMAT;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::history::{Entry, RunResult};
use crate::run;
use crate::session::Session;
use crate::view::{BarSegment, HistoryRow, SegmentKind};

/// What every saved session begins with; the version and a line end follow.
const MAGIC: &[u8] = b"hashrange session ";

/// The version this build writes, and the newest it reads.
const VERSION: u32 = 2;

/// Most bytes of text in a saved session.
const TEXT_BYTES_MAX: usize = 512 * 1_024 * 1_024;

/// Fast enough for every save, and small enough to keep.
const COMPRESSION_LEVEL: u8 = 4;

/// Requests that are run again when a session is restored; of earlier ones their row is kept.
const REPLAYED_MAX: usize = 12;

/// Pages that are read again of one request.
const REPLAYED_PAGES_MAX: usize = 40;

#[derive(Deserialize)]
struct Saved {
    design: Value,
    /// Tables of version 1.
    #[serde(default)]
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
    let design = serde_json::to_string(session.design()).expect("a design has text keys alone");
    let history = serde_json::to_string(&history).expect("an entry has text keys alone");
    let mut text = format!(
        "{{\"design\":{design},\"history\":{history},\"next_number\":{}}}\n",
        session.history.next_number()
    );
    text.push_str(&hashrange_wire::snapshot_head());
    let written: Result<(), Infallible> = snapshot(&session.data().store, &mut |line| {
        hashrange_wire::snapshot_line_to_text(&line, &mut text);
        Ok(())
    });
    let Ok(()) = written;
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(format!("{VERSION}\n").as_bytes());
    bytes.extend(compress_to_vec_zlib(text.as_bytes(), COMPRESSION_LEVEL));
    bytes
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
    let (version, text) = text_of(bytes)?;
    let (head, database) = match text.split_once('\n') {
        Some(parts) if version > 1 => parts,
        _ => (text.as_str(), ""),
    };
    let saved: Saved = serde_json::from_str(head)
        .map_err(|_| "The saved session is damaged: its contents cannot be read.".to_owned())?;
    let design = Design::from_value(saved.design)
        .map_err(|error| format!("The design of the saved session cannot be read. {error}"))?;
    let store = if version == 1 { store_of(saved.tables) } else { rebuilt(database) };
    let store = store.map_err(|reason| format!("The saved session is damaged: {reason}."))?;
    let mut session = Session::over(design, store);
    restore_history(&mut session, saved.history);
    session.history.count_on_from(saved.next_number.saturating_sub(1));
    Ok(session)
}

/// The store of a database's text.
pub(crate) fn rebuilt(database: &str) -> Result<Store, String> {
    let mut rebuild = Rebuild::default();
    let (head, lines) = database.split_once('\n').unwrap_or_default();
    if hashrange_wire::snapshot_format(head).is_none_or(|it| it > SNAPSHOT_FORMAT) {
        return Err("its database has another format".to_owned());
    }
    for line in lines.lines() {
        rebuild.take(hashrange_wire::snapshot_line_from_text(line)?)?;
    }
    rebuild.finish().ok_or_else(|| "the end of its database is missing".to_owned())
}

/// The store of a session of version 1.
fn store_of(tables: Vec<SavedTable>) -> Result<Store, String> {
    let mut rebuild = Rebuild::default();
    let mut end = SnapshotEnd::default();
    for table in tables {
        let text = table.create.to_string();
        let request = hashrange_wire::decode(Operation::CreateTable, &text);
        let Ok(Request::CreateTable(request)) = request else {
            return Err("a table cannot be read".to_owned());
        };
        let (request, created_at) = (Box::new(request), Timestamp::from_millis(table.created_at));
        rebuild.take(SnapshotLine::Create { request, created_at })?;
        end.n_tables += 1;
        for item in &table.items {
            let item = hashrange_wire::item_from_json(item).map_err(|error| error.to_string())?;
            rebuild.take(SnapshotLine::Item(item))?;
            end.n_items += 1;
        }
    }
    rebuild.take(SnapshotLine::End(end))?;
    Ok(rebuild.finish().expect("the end was just read"))
}

/// Version and text of a saved value.
fn text_of(bytes: &[u8]) -> Result<(u32, String), String> {
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
    if !(1..=VERSION).contains(&version) {
        return Err(format!(
            "This session was saved by another version of Hashrange: it has format {version}, this page reads \
             format {VERSION}. Reload the page to get the newest version. Nothing was changed."
        ));
    }
    let inflated = decompress_to_vec_zlib_with_limit(&rest[end + 1..], TEXT_BYTES_MAX);
    let inflated = inflated.map_err(|error| {
        if error.status == TINFLStatus::HasMoreOutput {
            "The saved session is too large to be opened here."
        } else {
            "The saved session is damaged: part of it is missing or was changed."
        }
    })?;
    let text = String::from_utf8(inflated)
        .map_err(|_| "The saved session is damaged: it is not text.".to_owned())?;
    Ok((version, text))
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
    let mut store = session.data().store.clone();
    let first = run::exchange(&mut store, &entry.operation, &entry.request, 0);
    if !first.changes.is_empty() {
        return None;
    }
    let mut ran = first.begin(&entry.operation, &session.work.recognition);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(version: u32, text: &str) -> Vec<u8> {
        let mut bytes = format!("hashrange session {version}\n").into_bytes();
        bytes.extend(compress_to_vec_zlib(text.as_bytes(), 1));
        bytes
    }

    const FIRST_VERSION: &str = r#"{"design":{"format":1,"title":"Old"},"history":[],"tables":[
        {"created_at":1767225600123,"create":{"TableName":"Orders","BillingMode":"PAY_PER_REQUEST",
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]},
        "items":[{"pk":{"S":"a"}}]}],"next_number":7}"#;

    #[test]
    fn a_session_of_version_1_is_restored_and_saved_anew() {
        let session = restore(&packed(1, FIRST_VERSION)).unwrap();
        assert_eq!((session.title().as_str(), session.history.next_number()), ("Old", 7));
        let table = session.data().store.table("Orders").unwrap();
        assert_eq!(table.items().n_rows(), 1);
        assert_eq!(table.created_at(), Timestamp::from_millis(1_767_225_600_123));
        let again = restore(&save(&session)).unwrap();
        assert_eq!(again.data().store, session.data().store);
    }

    #[test]
    fn settings_that_no_create_table_request_has_survive_a_reload() {
        let mut session = restore(&packed(1, FIRST_VERSION)).unwrap();
        for (operation, request) in [
            (
                "UpdateTimeToLive",
                r#"{"TableName":"Orders","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}"#,
            ),
            (
                "UpdateContinuousBackups",
                r#"{"TableName":"Orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}"#,
            ),
            (
                "UpdateTable",
                r#"{"TableName":"Orders","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}"#,
            ),
            ("CreateBackup", r#"{"TableName":"Orders","BackupName":"one"}"#),
            ("PutItem", r#"{"TableName":"Orders","Item":{"pk":{"S":"b"},"t":{"N":"1767225700"}}}"#),
        ] {
            let number = session.run(operation, request, 1_767_225_601_000);
            assert!(session.entry(number).unwrap().outcome.is_ok(), "{operation}");
        }
        let restored = restore(&save(&session)).unwrap();
        assert_eq!(restored.data().store, session.data().store);
    }

    #[test]
    fn a_database_that_is_cut_is_refused() {
        let session = restore(&packed(1, FIRST_VERSION)).unwrap();
        let saved = save(&session);
        let (_, text) = text_of(&saved).unwrap();
        let without_end = &text[..text.trim_end().rfind('\n').unwrap()];
        let refusal = restore(&packed(2, without_end)).unwrap_err();
        assert_eq!(refusal, "The saved session is damaged: the end of its database is missing.");
        let later = text.replace("\"format\":2", "\"format\":3");
        let refusal = restore(&packed(2, &later)).unwrap_err();
        assert_eq!(refusal, "The saved session is damaged: its database has another format.");
    }
}
