//! Files from outside: NoSQL Workbench models, designs and saved sessions, with a report before anything changes.
//!
//! Invariant: whatever bytes are given, the answer is an import or one sentence.
//!
//! Not here: the formats themselves (`hashrange-design`, [`crate::save`]).

use hashrange_design::Design;
use hashrange_design::format::workbench::{BYTES_MAX, import_workbench};
use hashrange_storage::Store;
use hashrange_types::{Item, TableName};
use serde_json::Value;

use crate::format::{self, counted};
use crate::session::Session;
use crate::view::{ImportRepair, ImportReport};
use crate::{file, load, save};

/// A file that was read and waits to be taken.
#[derive(Debug, Clone)]
pub struct PendingImport {
    report: ImportReport,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Design { design: Box<Design>, items: Vec<(TableName, Item)> },
    Session(Box<Session>),
}

impl PendingImport {
    /// What was found and repaired.
    pub fn report(&self) -> ImportReport {
        self.report.clone()
    }

    /// Takes the import. `now` is in milliseconds since 1970.
    pub fn into_session(self, now: i64) -> Session {
        match self.content {
            Content::Session(session) => *session,
            Content::Design { design, items } => {
                let mut store = Store::default();
                // The report named the tables that cannot be made; their items have nowhere to go.
                for table in &design.tables {
                    let _ = load::create_table(&mut store, table, now);
                }
                for (table, item) in items {
                    let _ = load::put(&mut store, &table, item);
                }
                Session::over(*design, store)
            }
        }
    }
}

/// Reads a file.
///
/// # Errors
/// One sentence on what is wrong with it.
pub(crate) fn read(file_name: &str, bytes: &[u8]) -> Result<PendingImport, String> {
    let size = bytes.len() as u64;
    if size > BYTES_MAX as u64 {
        let limit = format::size(BYTES_MAX as u64);
        return Err(format!(
            "{file_name} has {}; files of up to {limit} can be imported. Nothing was changed.",
            format::size(size),
        ));
    }
    let in_file = |reason: String| format!("{file_name} cannot be imported. {reason}");
    if bytes.is_empty() {
        return Err(in_file("The file is empty.".to_owned()));
    }
    if save::is_saved_session(bytes) {
        let session = save::restore(bytes).map_err(in_file)?;
        return Ok(of_session(session));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| in_file("It is not a text, so neither a model nor a design.".to_owned()))?;
    match kind_of(text) {
        Kind::Workbench => {
            let import = import_workbench(bytes).map_err(|error| in_file(error.to_string()))?;
            let repairs = import
                .repairs
                .into_iter()
                .map(|repair| ImportRepair {
                    found: repair.found,
                    done: repair.done,
                    place: repair.place,
                })
                .collect();
            Ok(of_design(import.design, import.items, repairs))
        }
        Kind::Design => {
            let design = Design::from_json(text).map_err(|error| in_file(error.to_string()))?;
            Ok(of_design(design, Vec::new(), Vec::new()))
        }
        Kind::File(file) => file::read(file).map(of_session).map_err(in_file),
        Kind::Recipe => Err(in_file(
            "It is a recipe for sample data; import the design.json beside it.".to_owned(),
        )),
        Kind::Other => Err(in_file(
            "It is JSON, but neither a NoSQL Workbench model (DataModel) nor a design (format)."
                .to_owned(),
        )),
    }
}

enum Kind {
    Workbench,
    /// As the page saves one.
    File(Value),
    Design,
    Recipe,
    Other,
}

/// What a text seems to be. One that is not JSON is taken for a design, whose reader says where it breaks.
fn kind_of(text: &str) -> Kind {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match serde_json::from_str::<Value>(text) {
        Err(_) if text.contains("\"DataModel\"") => Kind::Workbench,
        Err(_) => Kind::Design,
        Ok(Value::Object(members)) if members.contains_key("DataModel") => Kind::Workbench,
        Ok(Value::Object(members)) if members.contains_key(file::MARK) => {
            Kind::File(Value::Object(members))
        }
        Ok(Value::Object(members)) if members.contains_key("format") => Kind::Design,
        Ok(Value::Object(members)) if members.contains_key("groups") => Kind::Recipe,
        Ok(_) => Kind::Other,
    }
}

fn of_session(session: Session) -> PendingImport {
    let store = &session.data().store;
    let n_items = store.tables().map(|table| table.items().n_rows()).sum();
    let n_indexes = store.tables().map(|table| table.schema().indexes().count()).sum::<usize>();
    let report = ImportReport {
        title: session.title(),
        summary: summary(store.tables().count(), n_indexes, n_items),
        repairs: Vec::new(),
    };
    PendingImport { report, content: Content::Session(Box::new(session)) }
}

fn of_design(
    design: Design,
    items: Vec<(TableName, Item)>,
    mut repairs: Vec<ImportRepair>,
) -> PendingImport {
    let mut trial = Store::default();
    for (at, table) in design.tables.iter().enumerate() {
        if let Err(reason) = load::create_table(&mut trial, table, 0) {
            repairs.push(ImportRepair {
                found: reason,
                done: "The table and its items were left out.".to_owned(),
                place: format!("tables[{at}]"),
            });
        }
    }
    let n_indexes = trial.tables().map(|table| table.schema().indexes().count()).sum::<usize>();
    let is_kept = |table: &TableName| trial.table(table.as_str()).is_some();
    let n_items = items.iter().filter(|(table, _)| is_kept(table)).count() as u64;
    let title =
        if design.title.is_empty() { "Untitled design".to_owned() } else { design.title.clone() };
    PendingImport {
        report: ImportReport {
            title,
            summary: summary(trial.tables().count(), n_indexes, n_items),
            repairs,
        },
        content: Content::Design { design: Box::new(design), items },
    }
}

/// `2 tables, 3 indexes, 41 items`.
fn summary(n_tables: usize, n_indexes: usize, n_items: u64) -> String {
    [(n_tables as u64, "table"), (n_indexes as u64, "index"), (n_items, "item")]
        .map(|(n, noun)| counted(n, noun))
        .join(", ")
}
