//! Recognising what a text is, and its rows.
//!
//! Invariant: whatever text is given, the answer is rows, one sentence, or that it holds no items.

use hashrange_design::format::workbench::BYTES_MAX;
use hashrange_types::Number;
use serde_json::{Map, Value};

use super::{RowLeftOut, SourceColumn, csv};
use crate::edit::KINDS;
use crate::format::{self, counted, one_line};
use crate::session::Session;

/// Characters of a value that are shown of a column.
const SAMPLE_CHARACTERS_MAX: usize = 40;

/// Rows that are looked at to guess the type of a column.
const GUESSED_ROWS_MAX: usize = 1_000;

/// Items of a text that was read; nothing has been done with them.
#[derive(Debug, Clone, Default)]
pub struct PendingItems {
    /// `CSV, 3 rows, 4 columns`.
    pub summary: String,
    /// Its columns: header cells, or all attributes that items have.
    pub columns: Vec<SourceColumn>,
    pub(super) rows: Vec<SourceRow>,
    /// What was left out on reading.
    pub(super) left_out: Vec<RowLeftOut>,
    /// True for a text from the clipboard.
    pub(super) is_pasted: bool,
}

/// A row of what is imported.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceRow {
    pub(super) place: String,
    /// The table it names.
    pub(super) table: Option<String>,
    pub(super) cells: Cells,
}

/// The values of a row.
#[derive(Debug, Clone)]
pub(super) enum Cells {
    /// Texts in the order of the columns; an empty one is no value.
    Texts(Vec<String>),
    /// Attributes in DynamoDB JSON.
    Json(Map<String, Value>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Texts(Vec::new())
    }
}

impl Session {
    /// Reads a file that holds items; none if it is something else, such as a design.
    pub fn read_items(file_name: &str, bytes: &[u8]) -> Option<Result<PendingItems, String>> {
        let in_file = |reason: &str| format!("{file_name} cannot be imported. {reason}");
        let name = file_name.to_ascii_lowercase();
        let is_table = [".csv", ".tsv", ".txt"].iter().any(|ending| name.ends_with(ending));
        if bytes.len() > BYTES_MAX {
            return None;
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            let reason = "It is not text in UTF-8; save it as CSV UTF-8 and choose it again.";
            return is_table.then(|| Err(in_file(reason)));
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if is_table && !text.trim_start().starts_with(['{', '[']) {
            return Some(table(text).map_err(|reason| in_file(&reason)));
        }
        json(text)
    }

    /// Reads items from the clipboard: rows of a spreadsheet with their names above them, or DynamoDB JSON.
    ///
    /// # Errors
    /// One sentence where it holds no items.
    pub fn read_pasted(text: &str) -> Result<PendingItems, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let read = if text.trim_start().starts_with(['{', '[']) {
            json(text).unwrap_or_else(|| {
                Err("What was pasted is JSON, but holds no items. An item is an object, a list of them, or a line each."
                    .to_owned())
            })
        } else {
            table(text)
        };
        read.map(|items| PendingItems { is_pasted: true, ..items })
    }
}

/// Rows of a table whose first line has the names.
fn table(text: &str) -> Result<PendingItems, String> {
    let (separator, mut lines) = csv::rows(text);
    if lines.len() < 2 {
        return Err(
            "It has no rows. The first line names the attributes, and each line below it is an item."
                .to_owned(),
        );
    }
    let (_, header) = lines.remove(0);
    let mut columns: Vec<SourceColumn> = Vec::new();
    for (at, name) in header.iter().enumerate() {
        let trimmed = name.trim();
        let name =
            if trimmed.is_empty() { format!("column {}", at + 1) } else { trimmed.to_owned() };
        columns.push(SourceColumn { name, ..SourceColumn::default() });
    }
    let mut left_out = Vec::new();
    let mut rows = Vec::new();
    for (line, cells) in lines {
        let place = format!("Line {line}");
        if cells.len() > columns.len() {
            let reason = format!(
                "It has {}, and the first line names {}. Put values that contain a separator in quotes.",
                counted(cells.len() as u64, "value"),
                columns.len()
            );
            left_out.push(RowLeftOut { place, reason });
            continue;
        }
        rows.push(SourceRow { place, table: None, cells: Cells::Texts(cells) });
    }
    for (at, column) in columns.iter_mut().enumerate() {
        let texts = || {
            rows.iter().take(GUESSED_ROWS_MAX).filter_map(move |row| match &row.cells {
                Cells::Texts(cells) => {
                    cells.get(at).map(String::as_str).filter(|it| !it.is_empty())
                }
                Cells::Json(_) => None,
            })
        };
        column.kind = guess(&mut texts());
        column.sample = one_line(texts().next().unwrap_or_default(), SAMPLE_CHARACTERS_MAX);
    }
    let kind = match separator {
        '\t' => "Rows of a spreadsheet",
        _ => "CSV",
    };
    Ok(PendingItems {
        summary: summary(kind, rows.len(), columns.len()),
        columns,
        rows,
        left_out,
        is_pasted: false,
    })
}

fn summary(kind: &str, n_rows: usize, n_columns: usize) -> String {
    let rows = counted(n_rows as u64, "row");
    format!("{kind}, {rows}, {}", counted(n_columns as u64, "column"))
}

/// The type that all these texts can have; text if there are none.
fn guess(texts: &mut dyn Iterator<Item = &str>) -> &'static str {
    let mut kind = "";
    for text in texts {
        let own = kind_of(text);
        if kind.is_empty() || kind == own {
            kind = own;
        } else {
            return "S";
        }
    }
    if kind.is_empty() { "S" } else { kind }
}

/// The type a text seems to have. Digits with a zero before them are a name, such as `007`.
pub(super) fn kind_of(text: &str) -> &'static str {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|it: char| it.is_ascii_digit())
        && (!digits.starts_with('0') || digits.len() == 1 || digits.starts_with("0."))
        && Number::parse(text).is_ok();
    if is_number {
        return "N";
    }
    if matches!(text, "true" | "false" | "TRUE" | "FALSE") {
        return "BOOL";
    }
    if !text.starts_with(['{', '[']) {
        return "S";
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) if is_typed(&value) => "",
        Ok(Value::Object(entries)) if !entries.is_empty() && entries.values().all(is_typed) => "M",
        Ok(Value::Array(values)) if !values.is_empty() && values.iter().all(is_typed) => "L",
        _ => "S",
    }
}

/// True for `{"S": "a"}` and the like.
fn is_typed(value: &Value) -> bool {
    let Some(members) = value.as_object().filter(|members| members.len() == 1) else {
        return false;
    };
    let Some((kind, value)) = members.iter().next() else { return false };
    let is_known = KINDS.contains(&kind.as_str());
    is_known
        && match kind.as_str() {
            "S" | "N" | "B" => value.is_string(),
            "BOOL" | "NULL" => value.is_boolean(),
            "M" => value.is_object(),
            _ => value.is_array(),
        }
}

/// Items in JSON, if there are any.
fn json(text: &str) -> Option<Result<PendingItems, String>> {
    let mut found = Found::default();
    let kind = match serde_json::from_str::<Value>(text) {
        Ok(value) => found.document(value)?,
        // Several documents, a line each.
        Err(_) if text.trim_start().starts_with('{') => found.lines(text)?,
        Err(_) => return None,
    };
    if found.rows.is_empty() && found.left_out.is_empty() {
        return None;
    }
    Some(Ok(found.finish(kind)))
}

#[derive(Default)]
struct Found {
    rows: Vec<SourceRow>,
    left_out: Vec<RowLeftOut>,
    columns: indexmap::IndexMap<String, SourceColumn>,
}

impl Found {
    fn document(&mut self, value: Value) -> Option<&'static str> {
        match value {
            Value::Array(values) => {
                for (at, value) in values.into_iter().enumerate() {
                    self.item(format!("Item {}", at + 1), None, value);
                }
                Some("JSON")
            }
            Value::Object(mut members) => {
                let is_something_else = ["DataModel", "format", "groups"];
                if is_something_else.iter().any(|name| members.contains_key(*name)) {
                    return None;
                }
                if let Some(Value::Array(items)) = members.get_mut("Items").map(Value::take) {
                    return self.document(Value::Array(items));
                }
                if let Some(item @ Value::Object(_)) = members.get_mut("Item").map(Value::take) {
                    self.item("Item 1".to_owned(), None, item);
                    return Some("DynamoDB JSON");
                }
                if let Some(Value::Object(tables)) =
                    members.get_mut("RequestItems").map(Value::take)
                {
                    return self.batch(tables);
                }
                if members.values().all(is_typed) && !members.is_empty() {
                    self.item("Item 1".to_owned(), None, Value::Object(members));
                    return Some("DynamoDB JSON");
                }
                self.batch(members)
            }
            _ => None,
        }
    }

    /// The tables of a BatchWriteItem.
    fn batch(&mut self, tables: Map<String, Value>) -> Option<&'static str> {
        let is_request = |value: &Value| {
            value.get("PutRequest").is_some() || value.get("DeleteRequest").is_some()
        };
        let is_table = |value: &Value| {
            value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(is_request))
        };
        if tables.is_empty() || !tables.values().all(is_table) {
            return None;
        }
        for (table, requests) in tables {
            let Value::Array(requests) = requests else { continue };
            for (at, mut request) in requests.into_iter().enumerate() {
                let place = format!("{table}, request {}", at + 1);
                match request.pointer_mut("/PutRequest/Item").map(Value::take) {
                    Some(item) => self.item(place, Some(table.clone()), item),
                    None => {
                        self.leave_out(place, "It puts no item: a DeleteRequest names only a key.");
                    }
                }
            }
        }
        Some("BatchWriteItem")
    }

    fn lines(&mut self, text: &str) -> Option<&'static str> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let mut n_good = 0;
        for (number, line) in lines {
            let place = format!("Line {number}");
            match serde_json::from_str::<Value>(line) {
                Ok(mut value) => {
                    n_good += 1;
                    let inner = value.get_mut("Item").map(Value::take);
                    self.item(place, None, inner.unwrap_or(value));
                }
                Err(error) => {
                    self.leave_out(
                        place,
                        &format!("It is not JSON: {error}. A line holds one item."),
                    );
                }
            }
        }
        (n_good > 0).then_some("DynamoDB JSON, a line an item")
    }

    fn leave_out(&mut self, place: String, reason: &str) {
        self.left_out.push(RowLeftOut { place, reason: reason.to_owned() });
    }

    fn item(&mut self, place: String, table: Option<String>, value: Value) {
        let Value::Object(mut item) = value else {
            return self.leave_out(place, "It is no object, and an item is one.");
        };
        if !item.values().all(is_typed) {
            for value in item.values_mut() {
                *value = typed(value.take());
            }
        }
        for (name, value) in &item {
            if !self.columns.contains_key(name) {
                let sample = hashrange_wire::value_from_json(value).map(|it| format::cell(&it));
                let sample = one_line(&sample.unwrap_or_default(), SAMPLE_CHARACTERS_MAX);
                let column = SourceColumn { name: name.clone(), sample, kind: "" };
                self.columns.insert(name.clone(), column);
            }
        }
        self.rows.push(SourceRow { place, table, cells: Cells::Json(item) });
    }

    fn finish(self, kind: &'static str) -> PendingItems {
        let columns: Vec<SourceColumn> = self.columns.into_values().collect();
        let n = self.rows.len() as u64;
        let summary = format!(
            "{kind}, {}, {}",
            counted(n, "item"),
            counted(columns.len() as u64, "attribute")
        );
        PendingItems {
            summary,
            columns,
            rows: self.rows,
            left_out: self.left_out,
            is_pasted: false,
        }
    }
}

/// Plain JSON as DynamoDB JSON.
fn typed(value: Value) -> Value {
    let (kind, value) = match value {
        Value::Null => ("NULL", Value::Bool(true)),
        Value::Bool(_) => ("BOOL", value),
        Value::Number(number) => ("N", Value::String(number.to_string())),
        Value::String(_) => ("S", value),
        Value::Array(values) => ("L", values.into_iter().map(typed).collect()),
        Value::Object(entries) => {
            let entries = entries.into_iter().map(|(name, value)| (name, typed(value)));
            ("M", Value::Object(entries.collect()))
        }
    };
    Value::Object(Map::from_iter([(kind.to_owned(), value)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Option<Result<PendingItems, String>> {
        Session::read_items(name, text.as_bytes())
    }

    #[test]
    fn each_spelling_of_items_is_recognised() {
        for (name, text, summary) in [
            ("a.csv", "\u{feff}id,n\na,1\nb,2\n", "CSV, 2 rows, 2 columns"),
            ("a.tsv", "id\tn\na\t1\n", "Rows of a spreadsheet, 1 row, 2 columns"),
            (
                "export.json",
                "{\"Item\":{\"id\":{\"S\":\"a\"}}}\n{\"Item\":{\"id\":{\"S\":\"b\"}}}\n",
                "DynamoDB JSON, a line an item, 2 items, 1 attribute",
            ),
            ("one.json", "{\"Item\":{\"id\":{\"S\":\"a\"}}}", "DynamoDB JSON, 1 item, 1 attribute"),
            ("list.json", "[{\"id\":{\"S\":\"a\"}}]", "JSON, 1 item, 1 attribute"),
            ("plain.json", "[{\"id\":\"a\",\"n\":1}]", "JSON, 1 item, 2 attributes"),
            (
                "scan.json",
                "{\"Items\":[{\"id\":{\"S\":\"a\"}}],\"Count\":1}",
                "JSON, 1 item, 1 attribute",
            ),
            (
                "batch.json",
                "{\"T\":[{\"PutRequest\":{\"Item\":{\"id\":{\"S\":\"a\"}}}},{\"DeleteRequest\":{\"Key\":{}}}]}",
                "BatchWriteItem, 1 item, 1 attribute",
            ),
            (
                "batch.json",
                "{\"RequestItems\":{\"T\":[{\"PutRequest\":{\"Item\":{\"id\":{\"S\":\"a\"}}}}]}}",
                "BatchWriteItem, 1 item, 1 attribute",
            ),
        ] {
            let items = read(name, text).expect(name).expect(name);
            assert_eq!(items.summary, summary, "{name}");
        }
    }

    #[test]
    fn designs_models_and_other_json_are_not_items() {
        for text in
            ["{\"DataModel\":[]}", "{\"format\":1}", "[]", "{\"hello\":[1,2]}", "[[[", "\"text\""]
        {
            assert!(read("a.json", text).is_none(), "{text}");
        }
        assert!(Session::read_items("a.png", &[0xff, 0xfe]).is_none());
        assert!(Session::read_items("a.csv", &[0xff, 0xfe]).expect("an answer").is_err());
    }

    #[test]
    fn types_are_guessed_from_all_rows() {
        let items = read("a.csv", "n,zip,ok,m,mixed,none\n1,01234,true,\"{\"\"a\"\":{\"\"S\"\":\"\"b\"\"}}\",1,\n-2.5,7,false,,x,\n")
            .expect("items")
            .expect("items");
        let kinds: Vec<&str> = items.columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds, ["N", "S", "BOOL", "M", "S", "S"]);
        assert_eq!(items.columns[3].sample, "{\"a\":{\"S\":\"b\"}}");
    }

    #[test]
    fn a_line_with_too_many_values_is_left_out_with_its_line() {
        let items = read("a.csv", "a,b\n1,2,3\n4,5\n").expect("items").expect("items");
        assert_eq!(items.rows.len(), 1);
        assert_eq!(items.left_out[0].place, "Line 2");
        assert!(
            items.left_out[0].reason.starts_with("It has 3 values, and the first line names 2.")
        );
    }

    #[test]
    fn what_is_pasted_without_rows_is_said() {
        assert!(Session::read_pasted("only one line").is_err());
        assert!(Session::read_pasted("{\"a\": 1").is_err());
        assert!(Session::read_pasted("").is_err());
    }
}
