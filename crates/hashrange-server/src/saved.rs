//! A whole database as text, a line for each table and item, and back.
//!
//! ```text
//! {"hashrange":"database","format":1}
//! {"table":{"TableName":"Orders",…},"created_at":1767225600000000}
//! {"item":{"pk":{"S":"a"}}}
//! {"end":{"tables":1,"items":1}}
//! ```
//!
//! Invariant: what is written reads back equal; text without its last line was cut and is refused.
//!
//! Not here: where the text is kept (`database_file`).

use std::io::{self, BufRead, Write};

use hashrange_storage::{KeyRange, Store};
use hashrange_types::{TableName, Timestamp};
use serde_json::Value;

use crate::fill::{create_table, put};

/// The format this build writes, and the newest it reads.
pub(crate) const FORMAT: u64 = 1;

/// Why text is no database.
#[derive(Debug, PartialEq, Eq)]
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
}

/// Writes everything the store holds.
///
/// # Errors
/// The writer's own.
pub(crate) fn write(store: &Store, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, r#"{{"hashrange":"database","format":{FORMAT}}}"#)?;
    let (mut n_tables, mut n_items) = (0_u64, 0_u64);
    for table in store.tables() {
        let create = hashrange_wire::table_to_json(table.schema(), table.state());
        let Timestamp(created_at) = table.created_at();
        writeln!(out, r#"{{"table":{create},"created_at":{created_at}}}"#)?;
        n_tables += 1;
        for (_, row) in table.items().range(&KeyRange::all(), true) {
            writeln!(out, r#"{{"item":{}}}"#, hashrange_wire::item_to_text(&row.item))?;
            n_items += 1;
        }
    }
    writeln!(out, r#"{{"end":{{"tables":{n_tables},"items":{n_items}}}}}"#)
}

/// A database being read.
#[derive(Default)]
struct Reading {
    store: Store,
    table: Option<TableName>,
    n_tables: u64,
    n_items: u64,
    is_ended: bool,
}

/// Reads what [`write`] wrote. No text at all is a database without tables.
///
/// # Errors
/// See [`Unreadable`]; input that breaks off is cut.
pub(crate) fn read(mut input: impl BufRead) -> Result<Store, Unreadable> {
    let mut reading = Reading::default();
    let mut line = Vec::new();
    let mut n_lines = 0;
    loop {
        line.clear();
        let n_bytes = input
            .read_until(b'\n', &mut line)
            .map_err(|_| Unreadable::Cut { n_items: reading.n_items })?;
        if n_bytes == 0 {
            break;
        }
        n_lines += 1;
        let is_whole = line.ends_with(b"\n");
        let value = serde_json::from_slice(&line).map_err(|error| error.to_string());
        if n_lines == 1 {
            check_head(value.ok())?;
            continue;
        }
        value.and_then(|value| reading.take(&value)).map_err(|reason| {
            if is_whole {
                Unreadable::Damaged { line: n_lines, reason }
            } else {
                Unreadable::Cut { n_items: reading.n_items }
            }
        })?;
    }
    if n_lines > 0 && !reading.is_ended {
        return Err(Unreadable::Cut { n_items: reading.n_items });
    }
    Ok(reading.store)
}

fn check_head(head: Option<Value>) -> Result<(), Unreadable> {
    let head = head.filter(|head| head["hashrange"] == "database").ok_or(Unreadable::Foreign)?;
    match head["format"].as_u64() {
        Some(FORMAT) => Ok(()),
        Some(later) if later > FORMAT => Err(Unreadable::NewerFormat(later)),
        _ => Err(Unreadable::Foreign),
    }
}

impl Reading {
    /// Takes one line after the first.
    fn take(&mut self, line: &Value) -> Result<(), String> {
        if self.is_ended {
            return Err("something stands after the end".to_owned());
        }
        if let Some(item) = line.get("item") {
            let table = self.table.as_ref().ok_or("an item stands before the first table")?;
            let item = hashrange_wire::item_from_json(item).map_err(|error| error.to_string())?;
            put(&mut self.store, table, item)?;
            self.n_items += 1;
        } else if let Some(create) = line.get("table") {
            let created_at = line["created_at"].as_i64().ok_or("created_at is missing")?;
            let created_at = Timestamp(created_at);
            self.table = Some(create_table(&mut self.store, &create.to_string(), created_at)?);
            self.n_tables += 1;
        } else if let Some(end) = line.get("end") {
            let counts = (end["tables"].as_u64(), end["items"].as_u64());
            if counts != (Some(self.n_tables), Some(self.n_items)) {
                let (n_tables, n_items) = (self.n_tables, self.n_items);
                return Err(format!("there are {n_tables} tables and {n_items} items, not {end}"));
            }
            self.is_ended = true;
        } else {
            return Err("it is neither a table, an item nor the end".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r#"{"TableName": "Orders",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "g", "AttributeType": "N"}],
        "GlobalSecondaryIndexes": [{"IndexName": "byG",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"}}],
        "BillingMode": "PAY_PER_REQUEST"}"#;

    fn store() -> Store {
        let mut store = Store::default();
        let name = create_table(&mut store, TABLE, Timestamp(1_767_225_600_123_456)).unwrap();
        for item in [
            r#"{"pk": {"S": "a\n\"é"}, "g": {"N": "1.50"}, "rest": {"M": {"": {"L": []}}}}"#,
            r#"{"pk": {"S": "b"}, "bytes": {"B": "AAE="}, "set": {"NS": ["1", "2"]}}"#,
        ] {
            let item = serde_json::from_str(item).unwrap();
            put(&mut store, &name, hashrange_wire::item_from_json(&item).unwrap()).unwrap();
        }
        store
    }

    fn text(store: &Store) -> String {
        let mut out = Vec::new();
        write(store, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn refusal(text: &str) -> Unreadable {
        read(text.as_bytes()).expect_err("the text is no database")
    }

    #[test]
    fn what_is_written_reads_back_with_its_indexes() {
        let written = text(&store());
        let again = read(written.as_bytes()).unwrap();
        assert_eq!(text(&again), written);
        let table = again.table("Orders").unwrap();
        assert_eq!(table.created_at(), Timestamp(1_767_225_600_123_456));
        assert_eq!(table.index("byG").unwrap().n_rows(), 1);
        assert_eq!(text(&read(text(&Store::default()).as_bytes()).unwrap()).lines().count(), 2);
    }

    #[test]
    fn text_cut_anywhere_is_refused() {
        let whole = text(&store());
        let head = whole.find('\n').unwrap() + 1;
        for end in head..whole.len() - 1 {
            if whole.is_char_boundary(end) {
                let cut = refusal(&whole[..end]);
                assert!(matches!(cut, Unreadable::Cut { .. }), "{end}: {cut:?}");
            }
        }
        assert_eq!(refusal(&whole[..head - 9]), Unreadable::Foreign);
    }

    #[test]
    fn no_text_is_a_database_without_tables() {
        assert_eq!(read(&b""[..]).unwrap().tables().count(), 0);
    }

    #[test]
    fn other_text_and_other_formats_are_told_apart() {
        for foreign in ["{}\n", "hello\n", "{\"format\": 1}\n", "\n", "[1]\n"] {
            assert_eq!(refusal(foreign), Unreadable::Foreign, "{foreign}");
        }
        let newer = "{\"hashrange\": \"database\", \"format\": 2}\n";
        assert_eq!(refusal(newer), Unreadable::NewerFormat(2));
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        let whole = text(&store());
        let check = |from: &str, to: &str, line: usize, expected: &str| {
            let Unreadable::Damaged { line: found, reason } = refusal(&whole.replacen(from, to, 1))
            else {
                panic!("{to}")
            };
            assert_eq!((found, reason.as_str()), (line, expected));
        };
        check(r#"{"item":"#, r#"{"itme":"#, 3, "it is neither a table, an item nor the end");
        check(
            r#""items":2"#,
            r#""items":3"#,
            5,
            "there are 1 tables and 2 items, not {\"tables\":1,\"items\":3}",
        );
        check(
            r#""pk":{"S":"b"}"#,
            r#""qk":{"S":"b"}"#,
            4,
            "an item of the table Orders lacks its key",
        );
        check(
            "PAY_PER_REQUEST",
            "PROVISIONED",
            2,
            "the table Orders can't be made: One or more \
            parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be \
            specified when BillingMode is PROVISIONED",
        );
    }
}
