//! Rules about tables: refused, late local indexes, sizes near a limit.

use hashrange_engine::create_table;
use hashrange_storage::Store;
use hashrange_types::limits::ITEM_BYTES_MAX;
use hashrange_types::{Operation, TableSchema, Timestamp};
use serde_json::Value;

use super::{Finding, LintRule, Seriousness, Subject};
use crate::document::Design;
use crate::pattern::PatternSuite;
use crate::survey::Survey;
use crate::words::{counted, percent, rate, size};

/// Most bytes of an item collection of a table with local indexes.
///
/// Source: facts 1.5: 10 GB, items and local index entries together.
const COLLECTION_BYTES_MAX: u64 = 10 * 1_024 * 1_024 * 1_024;

/// A collection that is full within so many days is worth a word: five years.
const DAYS_MAX: f64 = 5.0 * 365.0;

pub(super) fn find(design: &Design, suite: &PatternSuite, found: &mut Vec<Finding>) {
    for table in &design.tables {
        let name = table.get("TableName").and_then(Value::as_str).unwrap_or_default();
        let subject = || Subject::Table(name.to_owned());
        let schema = match made(table) {
            Ok(schema) => schema,
            Err(message) => {
                let message = message.trim_end_matches('.');
                let sentence = format!("DynamoDB does not make the table {name}: {message}.");
                let rule = LintRule::RefusedTable;
                found.push(Finding::new(rule, Seriousness::Serious, subject(), sentence));
                continue;
            }
        };
        let Some(survey) = suite.survey(name) else { continue };
        found.extend(late_local_index(&schema, survey));
        found.extend(item_size(design, survey));
        found.extend(collection_size(suite, survey));
    }
}

/// The schema DynamoDB would make of a CreateTable request.
fn made(table: &Value) -> Result<TableSchema, String> {
    let mut store = Store::default();
    hashrange_wire::decode(Operation::CreateTable, &table.to_string())
        .and_then(|request| create_table(&mut store, request, Timestamp(0)))
        .map_err(|error| error.to_string())?;
    let made = store.tables().next().map(|table| table.schema().clone());
    made.ok_or_else(|| "no table was made".to_owned())
}

fn late_local_index(wanted: &TableSchema, survey: &Survey) -> Option<Finding> {
    let there = survey.table().schema();
    let is_there = |name: &str| there.local_indexes.iter().any(|it| it.name.as_str() == name);
    let late: Vec<String> = wanted
        .local_indexes
        .iter()
        .map(|index| index.name.to_string())
        .filter(|name| !is_there(name))
        .collect();
    if late.is_empty() {
        return None;
    }
    let n_items = survey.table().items().n_rows();
    let sentence = format!(
        "A local index is made together with its table, and {} is there without {}: the table has to be made anew and \
         its {} copied.",
        wanted.name,
        late.join(", "),
        counted(n_items, "item")
    );
    let seriousness = if n_items > 0 { Seriousness::Serious } else { Seriousness::Warning };
    let subject = Subject::Table(wanted.name.to_string());
    Some(Finding::new(LintRule::LateLocalIndex, seriousness, subject, sentence).with(late))
}

fn item_size(design: &Design, survey: &Survey) -> Vec<Finding> {
    let near = survey.entities().filter(|(_, seen)| seen.bytes_max > ITEM_BYTES_MAX / 2);
    near.map(|(entity, seen)| {
        let name = design.entities.get(entity).map_or("item", |entity| entity.name.as_str());
        let part = percent(u64::from(seen.bytes_max), u64::from(ITEM_BYTES_MAX));
        let sentence = format!(
            "The largest {name} has {}, {part} of the 400 KB an item may have. One that grows further is refused.",
            size(u64::from(seen.bytes_max))
        );
        let is_close = seen.bytes_max > ITEM_BYTES_MAX / 5 * 4;
        let seriousness = if is_close { Seriousness::Warning } else { Seriousness::Note };
        Finding::new(LintRule::ItemSizeLimit, seriousness, Subject::Entity(entity), sentence)
            .with([seen.largest_key.clone()])
    })
    .collect()
}

/// Collections of tables with local indexes: how large they are, and when the stated writes fill them.
#[expect(clippy::cast_precision_loss, reason = "bytes fit 53 bits")]
fn collection_size(suite: &PatternSuite, survey: &Survey) -> Option<Finding> {
    let schema = survey.table().schema();
    let tree = survey.tree(None).filter(|_| !schema.local_indexes.is_empty())?;
    let bytes = tree.largest_collection_bytes;
    // What a second adds to the fullest key: new items, as they are spread now.
    let mut bytes_per_second = 0.0;
    for result in suite.results() {
        if result.operation != "PutItem" || result.shape.table.as_ref() != Some(&schema.name) {
            continue;
        }
        let Some(keys) = survey.keys(None, result.entity).filter(|keys| keys.n_items > 0) else {
            continue;
        };
        let share = keys.n_largest as f64 / keys.n_items as f64;
        let entries = 1.0 + schema.local_indexes.len() as f64;
        bytes_per_second +=
            result.per_second.unwrap_or(0.0) * share * result.bytes_returned as f64 * entries;
    }
    let left = COLLECTION_BYTES_MAX.saturating_sub(bytes) as f64;
    let days = if bytes_per_second > 0.0 { left / bytes_per_second / 86_400.0 } else { f64::MAX };
    let is_near = bytes > COLLECTION_BYTES_MAX / 10;
    if !is_near && days > DAYS_MAX {
        return None;
    }
    let key = &tree.largest_collection_key;
    let mut sentence = format!(
        "With a local index, the items of one key and their entries may have 10 GB together; then writes to it are \
         refused. {key} has {}.",
        size(bytes)
    );
    if days <= DAYS_MAX {
        let soon =
            format!(" At the stated rate the fullest key gets there in {} days.", rate(days));
        sentence.push_str(&soon);
    }
    let is_soon = bytes > COLLECTION_BYTES_MAX / 5 * 4 || days < 90.0;
    let seriousness = if is_soon { Seriousness::Serious } else { Seriousness::Warning };
    let subject = Subject::Table(schema.name.to_string());
    Some(
        Finding::new(LintRule::CollectionSizeLimit, seriousness, subject, sentence)
            .with([key.clone()]),
    )
}
