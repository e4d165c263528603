//! The lines of a database's text: a JSON object each, whose one member says what the line is.
//!
//! ```text
//! {"hashrange":"database","format":2}
//! {"table":{"schema":{"name":"Orders",…},"state":{…},"created_at":1767225600000000,"partitions":{"n":4}}}
//! {"item":{"pk":{"S":"a"}}}
//! {"stream":{"table":"Orders","label":"2026-01-01T00:00:00.000",…}}
//! {"record":{"n":1,"at":1767225600000000,"after":{"pk":{"S":"a"}}}}
//! {"end":{"tables":1,"items":1,"sequence":1}}
//! ```
//!
//! Format 1 had tables, items and the end alone, and said a table as the CreateTable request that makes it:
//! `{"table":{"TableName":"Orders",…},"created_at":1767225600000000}`. Such lines are still read.
//!
//! Invariant: a line that is written reads back equal, and is one line.
//!
//! Not here: how table settings are spelled (`state`), where the text is kept (drivers).

mod state;

use std::sync::Arc;

use hashrange_types::operation::{SequenceNumber, StreamName, TableDescription, Transfer};
use hashrange_types::snapshot::{
    SnapshotBackup, SnapshotEnd, SnapshotLine, SnapshotPartitions, SnapshotRecord, SnapshotStream,
    SnapshotTable, SnapshotToken,
};
use hashrange_types::table_state::StreamViewType;
use hashrange_types::{BillingMode, Item, Operation, Request, TableName, TableState, Timestamp};
use smol_str::SmolStr;

use crate::constraint::Refusal;
use crate::document::flatten;
use crate::fields::{self, Describe, Fields};
use crate::json::Json;
use crate::value;
use crate::writer::Writer;
use state::{empty_key, empty_schema};

/// The format of database text that this build writes, and the newest it reads.
pub const SNAPSHOT_FORMAT: u64 = 2;

/// The line with which the text of a database begins, with its line end.
pub fn snapshot_head() -> String {
    format!("{{\"hashrange\":\"database\",\"format\":{SNAPSHOT_FORMAT}}}\n")
}

/// The format of the database whose text begins with this line, from 1; none for other text.
pub fn snapshot_format(line: &str) -> Option<u64> {
    let Ok(Json::Object(members)) = serde_json::from_str(line) else { return None };
    match members.as_slice() {
        [(kind, Json::Text(database)), (format, Json::Integer(number))]
            if kind == "hashrange" && database == "database" && format == "format" =>
        {
            u64::try_from(*number).ok().filter(|format| *format > 0)
        }
        _ => None,
    }
}

/// Adds the line's text with its line end.
///
/// # Panics
/// For [`SnapshotLine::Create`], which is read only: every table is written as [`SnapshotLine::Table`].
pub fn snapshot_line_to_text(line: &SnapshotLine, out: &mut String) {
    let mut writer = Writer::onto(std::mem::take(out));
    writer.object(|object| match line {
        SnapshotLine::Item(item) => object.member("item").item(item),
        SnapshotLine::Record(record) => object.member("record").object(|object| {
            object.member("n").integer(record.sequence.0);
            object.member("at").signed(record.at.0);
            object.item("before", record.before.as_ref());
            object.item("after", record.after.as_ref());
            object.item("current_key", record.current_key.as_ref());
            if record.is_expiry {
                object.member("is_expiry").boolean(true);
            }
        }),
        SnapshotLine::SharedRecord(number) => object.member("shared_record").integer(number.0),
        other => {
            let (name, json) = described(other);
            fields::print(object.member(name), &json);
        }
    });
    *out = writer.finish();
    out.push('\n');
}

/// Name and content of a line without items.
fn described(line: &SnapshotLine) -> (&'static str, Json<'static>) {
    match line {
        SnapshotLine::Table(it) => ("table", fields::written(&mut (**it).clone(), table)),
        SnapshotLine::Stream(it) => ("stream", fields::written(&mut (**it).clone(), stream)),
        SnapshotLine::Transfer(it) => ("transfer", fields::written(&mut (**it).clone(), transfer)),
        SnapshotLine::Token(it) => ("token", fields::written(&mut (**it).clone(), token)),
        SnapshotLine::End(it) => ("end", fields::written(&mut it.clone(), end)),
        SnapshotLine::Create { .. }
        | SnapshotLine::Item(_)
        | SnapshotLine::Record(_)
        | SnapshotLine::SharedRecord(_) => unreachable!("it is written elsewhere or not at all"),
    }
}

/// Reads one line after the first, of any format up to [`SNAPSHOT_FORMAT`].
///
/// # Errors
/// One sentence without its full stop.
pub fn snapshot_line_from_text(text: &str) -> Result<SnapshotLine, String> {
    let json = serde_json::from_str(text)
        .map_err(|error| format!("it is not JSON at column {}", error.column()))?;
    let Json::Object(members) = json else { return Err(UNKNOWN.to_owned()) };
    let mut members = members.into_iter();
    let Some((kind, content)) = members.next() else { return Err(UNKNOWN.to_owned()) };
    let rest = members.next();
    match (kind.as_ref(), rest) {
        ("table", Some((name, Json::Integer(created_at)))) if name == "created_at" => {
            create(content, Timestamp(created_at))
        }
        (_, Some(_)) => Err(UNKNOWN.to_owned()),
        ("item", None) => Ok(SnapshotLine::Item(item(content)?)),
        ("record", None) => record(content),
        ("shared_record", None) => match content {
            Json::Integer(number) => Ok(SnapshotLine::SharedRecord(sequence(number)?)),
            _ => Err(wrong("shared_record")),
        },
        (kind, None) => undescribed(kind, content),
    }
}

const UNKNOWN: &str = "it is nothing that a database has";

fn undescribed(kind: &str, content: Json<'_>) -> Result<SnapshotLine, String> {
    Ok(match kind {
        "table" => SnapshotLine::Table(Box::new(read(kind, content, empty_table(), table)?)),
        "stream" => SnapshotLine::Stream(Box::new(read(kind, content, empty_stream(), stream)?)),
        "transfer" => {
            SnapshotLine::Transfer(Box::new(read(kind, content, empty_transfer(), transfer)?))
        }
        "token" => SnapshotLine::Token(Box::new(read(kind, content, empty_token(), token)?)),
        "end" => SnapshotLine::End(read(kind, content, SnapshotEnd::default(), end)?),
        _ => return Err(UNKNOWN.to_owned()),
    })
}

fn read<T>(kind: &str, json: Json<'_>, mut value: T, describe: Describe<T>) -> Result<T, String> {
    match fields::read(json, &mut value, describe) {
        Ok(()) => Ok(value),
        Err(path) if path.is_empty() => Err(wrong(kind)),
        Err(path) => Err(wrong(&format!("{kind}.{path}"))),
    }
}

fn wrong(path: &str) -> String {
    format!("its member {path} is missing, wrong or unknown")
}

fn create(json: Json<'_>, created_at: Timestamp) -> Result<SnapshotLine, String> {
    match crate::operation::decode(Operation::CreateTable, json) {
        Ok(Request::CreateTable(request)) => {
            Ok(SnapshotLine::Create { request: Box::new(request), created_at })
        }
        Ok(_) => unreachable!("decoded as CreateTable"),
        Err(Refusal::Api(error)) => Err(error.to_string()),
        Err(Refusal::Mismatch(mismatch)) => Err(mismatch.into_parts().0),
    }
}

fn item(json: Json<'_>) -> Result<Item, String> {
    flatten(value::item(json)).map_err(|error| error.to_string())
}

fn sequence(number: i64) -> Result<SequenceNumber, String> {
    u64::try_from(number).map(SequenceNumber).map_err(|_| wrong("n"))
}

fn record(json: Json<'_>) -> Result<SnapshotLine, String> {
    let Json::Object(members) = json else { return Err(wrong("record")) };
    let (mut n, mut at, mut is_expiry) = (None, None, false);
    let mut images = [None, None, None];
    for (name, value) in members {
        match (name.as_ref(), value) {
            ("n", Json::Integer(number)) => n = Some(sequence(number)?),
            ("at", Json::Integer(number)) => at = Some(Timestamp(number)),
            ("is_expiry", Json::Bool(truth)) => is_expiry = truth,
            (name, value) => {
                let position = IMAGES.iter().position(|image| *image == name);
                let position = position.ok_or_else(|| wrong(&format!("record.{name}")))?;
                images[position] = Some(item(value)?);
            }
        }
    }
    let sequence = n.ok_or_else(|| wrong("record.n"))?;
    let at = at.ok_or_else(|| wrong("record.at"))?;
    let [before, after, current_key] = images;
    let record = SnapshotRecord { sequence, at, before, after, current_key, is_expiry };
    Ok(SnapshotLine::Record(record))
}

const IMAGES: [&str; 3] = ["before", "after", "current_key"];

fn table_name(f: &mut Fields<'_>, name: &'static str, slot: &mut TableName) {
    f.name(name, slot, TableName::new);
}

const NOT_SPLIT: SnapshotPartitions = SnapshotPartitions { n: 1, starts: Vec::new() };

fn table(it: &mut SnapshotTable, f: &mut Fields<'_>) {
    f.object("schema", &mut it.schema, state::schema);
    f.object("state", &mut it.state, state::state);
    f.time("created_at", &mut it.created_at);
    f.object("partitions", &mut it.partitions, state::partitions);
    f.objects("index_partitions", &mut it.index_partitions, &NOT_SPLIT, state::partitions);
    let empty = SnapshotBackup {
        path: SmolStr::default(),
        name: SmolStr::default(),
        created_at: Timestamp(0),
        available_at: Timestamp(0),
        expires_at: None,
    };
    f.maybe_object("backup", &mut it.backup, empty, |it, f| {
        f.text("path", &mut it.path);
        f.text("name", &mut it.name);
        f.time("created_at", &mut it.created_at);
        f.time("available_at", &mut it.available_at);
        f.maybe_time("expires_at", &mut it.expires_at);
    });
}

fn empty_table() -> SnapshotTable {
    SnapshotTable {
        schema: empty_schema(),
        state: empty_state(),
        created_at: Timestamp(0),
        partitions: NOT_SPLIT,
        index_partitions: Vec::new(),
        backup: None,
    }
}

fn empty_state() -> TableState {
    TableState::active(BillingMode::PayPerRequest, Timestamp(0))
}

fn stream(it: &mut SnapshotStream, f: &mut Fields<'_>) {
    table_name(f, "table", &mut it.name.table);
    f.text("label", &mut it.name.label);
    f.word("view_type", &mut it.view_type, StreamViewType::ALL);
    f.time("created_at", &mut it.created_at);
    f.maybe_time("disabled_at", &mut it.disabled_at);
    f.object("key", &mut it.key, state::key);
    f.count("first", &mut it.first.0);
}

fn empty_stream() -> SnapshotStream {
    SnapshotStream {
        name: StreamName { table: empty_schema().name, label: SmolStr::default() },
        view_type: StreamViewType::KeysOnly,
        created_at: Timestamp(0),
        disabled_at: None,
        key: empty_key(),
        first: SequenceNumber(0),
    }
}

fn transfer(it: &mut Transfer, f: &mut Fields<'_>) {
    f.text("path", &mut it.path);
    f.flag("is_import", &mut it.is_import);
    f.object("table", &mut it.table, state::description);
    f.time("started_at", &mut it.started_at);
    f.time("at", &mut it.at);
    f.text("bucket", &mut it.bucket);
    f.maybe_text("prefix", &mut it.prefix);
    f.text("format", &mut it.format);
    f.text("kind", &mut it.kind);
    f.maybe_text("token", &mut it.token);
}

fn empty_transfer() -> Transfer {
    let table = TableDescription {
        schema: empty_schema(),
        status: hashrange_types::TableStatus::Active,
        state: Arc::new(empty_state()),
        now: Timestamp(0),
        created_at: Timestamp(0),
        table_id: String::new(),
        item_count: 0,
        size_bytes: 0,
        indexes: Vec::new(),
    };
    Transfer {
        path: SmolStr::default(),
        is_import: false,
        table,
        started_at: Timestamp(0),
        at: Timestamp(0),
        bucket: SmolStr::default(),
        prefix: None,
        format: SmolStr::default(),
        kind: SmolStr::default(),
        token: None,
    }
}

fn token(it: &mut SnapshotToken, f: &mut Fields<'_>) {
    let mut operation = SmolStr::new_static(it.operation.name());
    f.text("operation", &mut operation);
    match Operation::from_name(&operation) {
        Some(operation) => it.operation = operation,
        None => f.complain("operation"),
    }
    f.text("token", &mut it.token);
    f.time("completed_at", &mut it.completed_at);
    // All 64 bits count; a JSON number here has a sign.
    let mut fingerprint = it.fingerprint.cast_signed();
    f.whole("fingerprint", &mut fingerprint);
    it.fingerprint = fingerprint.cast_unsigned();
    f.small_counts("image_bytes", &mut it.image_bytes);
}

fn empty_token() -> SnapshotToken {
    SnapshotToken {
        operation: Operation::TransactWriteItems,
        token: SmolStr::default(),
        completed_at: Timestamp(0),
        fingerprint: 0,
        image_bytes: Vec::new(),
    }
}

fn end(it: &mut SnapshotEnd, f: &mut Fields<'_>) {
    f.count("tables", &mut it.n_tables);
    f.count("items", &mut it.n_items);
    // Format 1 has none.
    let mut sequence = Some(it.sequence.0.cast_signed()).filter(|number| *number != 0);
    f.maybe_whole("sequence", &mut sequence);
    match u64::try_from(sequence.unwrap_or(0)) {
        Ok(number) => it.sequence = SequenceNumber(number),
        Err(_) => f.complain("sequence"),
    }
}
