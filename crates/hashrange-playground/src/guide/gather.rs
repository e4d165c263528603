//! What the keys gather: the largest item collection of each partition template, with its runs of one entity.
//!
//! Invariant: counted from the items, a few thousand at most.

use hashrange_storage::KeyRange;
use hashrange_types::AttributeValue;

use super::views::{GatherBand, GatherView};
use crate::format::{counted, size};
use crate::session::Session;

/// Items looked at.
const ROWS_MAX: usize = 4_000;

/// One collection as it is counted: its key, bytes, and runs of an entity.
#[derive(Default)]
struct Collection {
    key: String,
    shape: Vec<Option<u16>>,
    bytes: u64,
    runs: Vec<(Option<u16>, u64)>,
}

/// The largest collection of each kind, the widest first.
pub(super) fn gathers(session: &Session) -> Vec<GatherView> {
    let work = &session.work;
    let Some(table) = session.design().table_names().next() else { return Vec::new() };
    let Some(table) = work.data.store.table(table) else { return Vec::new() };
    let schema = table.schema();
    let Some(partition) = schema.key.partition.first() else { return Vec::new() };
    let mut kinds: Vec<Collection> = Vec::new();
    let mut now = Collection::default();
    for (_, row) in table.items().range(&KeyRange::all(), true).take(ROWS_MAX) {
        let key = match row.item.get(partition.name.as_str()) {
            Some(AttributeValue::S(text)) => text.to_string(),
            Some(other) => crate::format::key_value(other),
            None => continue,
        };
        if key != now.key {
            keep(
                &mut kinds,
                std::mem::replace(&mut now, Collection { key, ..Collection::default() }),
            );
        }
        let entity = work.recognition.entity_of(schema.name.as_str(), &row.item);
        now.bytes += u64::from(row.size_bytes);
        match now.runs.last_mut() {
            Some((last, n)) if *last == entity => *n += 1,
            _ => now.runs.push((entity, 1)),
        }
        if !now.shape.contains(&entity) {
            now.shape.push(entity);
        }
    }
    keep(&mut kinds, now);
    kinds.sort_by_key(|it| std::cmp::Reverse(it.shape.len()));
    kinds.truncate(4);
    let sort = schema.key.sort.first().map_or("", |it| it.name.as_str());
    kinds.iter().map(|it| view(session, it, sort)).collect()
}

/// Keeps the larger of two collections with the same entities.
fn keep(kinds: &mut Vec<Collection>, found: Collection) {
    let n = |it: &Collection| it.runs.iter().map(|run| run.1).sum::<u64>();
    if found.runs.is_empty() {
        return;
    }
    match kinds.iter_mut().find(|it| it.shape == found.shape) {
        Some(known) if n(known) < n(&found) => *known = found,
        Some(_) => {}
        None => kinds.push(found),
    }
}

fn view(session: &Session, collection: &Collection, sort: &str) -> GatherView {
    let n: u64 = collection.runs.iter().map(|run| run.1).sum();
    let bands = collection.runs.iter().map(|(entity, n)| {
        let face = session.work.recognition.face(*entity);
        let prefix = face.and_then(|it| it.prefix(sort)).unwrap_or_default();
        GatherBand {
            prefix: prefix.to_owned(),
            slot: face.map_or(0, |it| it.slot),
            items_text: counted(*n, "item"),
            weight: match n {
                0..=1 => 1,
                2..=9 => 2,
                10..=29 => 3,
                _ => 4,
            },
        }
    });
    GatherView {
        key: collection.key.clone(),
        items_text: counted(n, "item"),
        size_text: size(collection.bytes),
        bands: bands.collect(),
    }
}
