//! A whole database as text, a line for each part, and back.
//!
//! Invariant: what is written reads back equal; text without its last line was cut and is refused.
//!
//! Not here: which lines there are (`hashrange-engine`) and how they are spelled (`hashrange-wire`), where the
//! text is kept (`database_file`).

use std::io::{self, BufRead, ErrorKind, Write};

use hashrange_engine::{Rebuild, snapshot};
use hashrange_storage::Store;
use hashrange_wire::{
    SNAPSHOT_FORMAT, snapshot_format, snapshot_head, snapshot_line_from_text, snapshot_line_to_text,
};

/// Bytes gathered before they are written.
const WRITE_BYTES: usize = 64 * 1_024;

/// Why text is no database.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// It does not begin like one.
    Foreign,
    /// A later build wrote it.
    NewerFormat(u64),
    /// It ends before its last line.
    Cut {
        /// Items before the end.
        n_items: u64,
    },
    /// A line is wrong.
    Damaged {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The machine does not give it.
    Machine(io::Error),
}

/// Writes everything the store holds.
///
/// # Errors
/// The writer's own.
pub(crate) fn write(store: &Store, out: &mut impl Write) -> io::Result<()> {
    let mut text = snapshot_head();
    snapshot(store, &mut |line| {
        snapshot_line_to_text(&line, &mut text);
        if text.len() < WRITE_BYTES {
            return Ok(());
        }
        let written = out.write_all(text.as_bytes());
        text.clear();
        written
    })?;
    out.write_all(text.as_bytes())
}

/// Reads what [`write`] wrote. No text at all is a database without tables.
///
/// # Errors
/// See [`Unreadable`]; input that breaks off is cut.
pub(crate) fn read(mut input: impl BufRead) -> Result<Store, Unreadable> {
    let mut rebuild = Rebuild::default();
    let mut line = Vec::new();
    let mut n_lines = 0;
    loop {
        line.clear();
        n_lines += 1;
        let read = input.read_until(b'\n', &mut line);
        let n_bytes = read.map_err(|error| unreadable(error, n_lines, rebuild.n_items()))?;
        if n_bytes == 0 {
            break;
        }
        let is_whole = line.ends_with(b"\n");
        let text = str::from_utf8(&line).map_err(|error| error.to_string());
        if n_lines == 1 {
            check_head(text.unwrap_or_default(), is_whole)?;
            continue;
        }
        let taken = text.and_then(snapshot_line_from_text).and_then(|line| rebuild.take(line));
        taken.map_err(|reason| {
            if is_whole {
                Unreadable::Damaged { line: n_lines, reason }
            } else {
                Unreadable::Cut { n_items: rebuild.n_items() }
            }
        })?;
    }
    if n_lines == 1 {
        return Ok(Store::default());
    }
    let n_items = rebuild.n_items();
    rebuild.finish().ok_or(Unreadable::Cut { n_items })
}

fn check_head(line: &str, is_whole: bool) -> Result<(), Unreadable> {
    match snapshot_format(line) {
        Some(1..=SNAPSHOT_FORMAT) => Ok(()),
        Some(later) => Err(Unreadable::NewerFormat(later)),
        None if !is_whole && snapshot_head().starts_with(line) => {
            Err(Unreadable::Cut { n_items: 0 })
        }
        None => Err(Unreadable::Foreign),
    }
}

/// Why bytes can't be had: what was compressed may be cut or damaged, a disk may fail.
fn unreadable(error: io::Error, line: usize, n_items: u64) -> Unreadable {
    match error.kind() {
        ErrorKind::UnexpectedEof => Unreadable::Cut { n_items },
        ErrorKind::InvalidInput | ErrorKind::InvalidData => {
            Unreadable::Damaged { line, reason: error.to_string() }
        }
        _ => Unreadable::Machine(error),
    }
}

#[cfg(test)]
mod tests {
    use hashrange_engine::{create_table, put_item};
    use hashrange_types::{Operation, TableName, Timestamp};

    use super::*;

    const TABLE: &str = r#"{"TableName": "Orders",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "g", "AttributeType": "N"}],
        "GlobalSecondaryIndexes": [{"IndexName": "byG",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"}}],
        "BillingMode": "PAY_PER_REQUEST"}"#;
    const ITEMS: [&str; 2] = [
        r#"{"pk":{"S":"a\n\"é"},"g":{"N":"1.5"},"rest":{"M":{"":{"L":[]}}}}"#,
        r#"{"pk":{"S":"b"},"bytes":{"B":"AAE="},"set":{"NS":["1","2"]}}"#,
    ];
    const CREATED_AT: Timestamp = Timestamp(1_767_225_600_123_456);

    fn store() -> Store {
        let mut store = Store::default();
        let request = hashrange_wire::decode(Operation::CreateTable, TABLE).unwrap();
        create_table(&mut store, request, CREATED_AT).unwrap();
        for item in ITEMS {
            let item = hashrange_wire::item_from_json(&serde_json::from_str(item).unwrap());
            put_item(&mut store, &TableName::new("Orders").unwrap(), item.unwrap()).unwrap();
        }
        store
    }

    fn text(store: &Store) -> String {
        let mut out = Vec::new();
        write(store, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[track_caller]
    fn refusal(text: &[u8]) -> Unreadable {
        read(text).expect_err("the text is no database")
    }

    #[test]
    fn what_is_written_reads_back_with_its_indexes() {
        let again = read(text(&store()).as_bytes()).unwrap();
        assert_eq!(again, store());
        assert_eq!(again.table("Orders").unwrap().index("byG").unwrap().n_rows(), 1);
        assert_eq!(text(&read(text(&Store::default()).as_bytes()).unwrap()).lines().count(), 2);
    }

    #[test]
    fn a_database_of_format_1_is_read() {
        let (a, b) = (ITEMS[0], ITEMS[1]);
        let table = TABLE.replace('\n', " ");
        let first = format!(
            "{{\"hashrange\":\"database\",\"format\":1}}\n\
             {{\"table\":{table},\"created_at\":{}}}\n{{\"item\":{a}}}\n{{\"item\":{b}}}\n\
             {{\"end\":{{\"tables\":1,\"items\":2}}}}\n",
            CREATED_AT.0
        );
        assert_eq!(read(first.as_bytes()).unwrap(), store());
    }

    #[test]
    fn text_cut_anywhere_is_refused() {
        let whole = text(&store());
        for end in 1..whole.len() - 1 {
            let cut = refusal(&whole.as_bytes()[..end]);
            assert!(matches!(cut, Unreadable::Cut { .. }), "{end}: {cut:?}");
        }
    }

    #[test]
    fn no_text_is_a_database_without_tables() {
        assert_eq!(read(&b""[..]).unwrap(), Store::default());
    }

    #[test]
    fn other_text_and_other_formats_are_told_apart() {
        let foreign = ["{}\n", "hello\n", "{\"format\": 1}\n", "\n", "[1]\n", "\u{1f}", "{\"a"];
        for foreign in foreign {
            let refusal = refusal(foreign.as_bytes());
            assert!(matches!(refusal, Unreadable::Foreign), "{foreign}: {refusal:?}");
        }
        let newer = refusal(b"{\"hashrange\": \"database\", \"format\": 3}\n");
        assert!(matches!(newer, Unreadable::NewerFormat(3)), "{newer:?}");
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        let whole = text(&store());
        let check = |from: &str, to: &str, line: usize, expected: &str| {
            assert!(whole.contains(from), "{from}");
            let damaged = whole.replacen(from, to, 1);
            let Unreadable::Damaged { line: found, reason } = refusal(damaged.as_bytes()) else {
                panic!("{to}")
            };
            assert_eq!((found, reason.as_str()), (line, expected));
        };
        check(r#"{"item":"#, r#"{"itme":"#, 3, "it is nothing that a database has");
        let counts = "there are 1 tables and 2 items, not 1 and 3";
        check(r#""items":2"#, r#""items":3"#, 5, counts);
        let no_key = "an item of the table Orders lacks its key";
        check(r#""pk":{"S":"b"}"#, r#""qk":{"S":"b"}"#, 4, no_key);
        let missing = |path: &str| format!("its member {path} is missing, wrong or unknown");
        let status = missing("table.state.status");
        check(r#""status":"ACTIVE""#, r#""status":"ATCIVE""#, 2, &status);
        check(r#""created_at""#, r#""created_ta""#, 2, &missing("table.created_at"));
        check(r#""class":"#, r#""colour":1,"class":"#, 2, &missing("table.state.colour"));
        check(r#"{"item":"#, r#"{"item";"#, 3, "it is not JSON at column 8");
    }
}
