//! The picture of an index: which item goes where with what, what stays out, what writing it costs.
//!
//! Invariant: counts are of all items; drawn are at most [`DRAWN_MAX`], members before others, and the rest is counted.
//!
//! Not here: keeping an index (`hashrange-storage`), its price (`hashrange_design::cost`), drawing (`hashrange-ui`).

mod layout;
mod view;

use hashrange_engine::capacity::write_units;
use hashrange_storage::{KeyRange, Row, Table};
use hashrange_types::limits::ITEM_COLLECTION_BYTES_MAX;
use hashrange_types::limits::STORAGE_OVERHEAD_BYTES;
use hashrange_types::schema::IndexSchema;
use hashrange_types::{
    CapacityUnits, Item, KeyAttribute, Projection, SortedMap, SortedSet, TableSchema,
};

pub use view::{Gauge, Link, LinkAttribute, LinkBlock, LinkRow, LinksView, WriteRow};

use crate::format::{count, counted, size, units_number};
use crate::recognition::{key_text, whole};
use crate::session::Session;
use crate::view::Target;

/// Items drawn.
const DRAWN_MAX: usize = 40;
/// Names listed in a sentence.
const NAMED_MAX: usize = 6;

impl Session {
    /// The picture of an index, of a table's first one where the target names none; none if there is none.
    pub fn links(&self, target: &Target) -> Option<LinksView> {
        let table = self.data().store.table(&target.table)?;
        let schema = table.schema();
        let index = match &target.index {
            Some(name) => schema.index(name)?,
            None => schema.indexes().next()?,
        };
        let seen = Seen::of(table, index);
        let mut view = LinksView {
            table: target.table.clone(),
            index: index.name.to_string(),
            headline: headline(index, table, &seen),
            sentences: self.sentences(table, index, &seen),
            gauge: index.is_local.then(|| gauge(table, &seen)),
            writes: writes(index, &seen),
            figures: self.figures(table, index),
            ..LinksView::default()
        };
        let drawn = seen.drawn(table);
        let n_rest = table.items().n_rows() - drawn.len() as u64;
        if n_rest > 0 {
            let verb = if n_rest == 1 { "is" } else { "are" };
            view.rest = format!("{} {verb} not drawn.", more(n_rest));
        }
        let rows = drawn.iter().map(|row| self.drawn(schema, index, row)).collect();
        layout::place(&mut view, rows, index.is_local);
        Some(view)
    }

    /// An item with its entry, as drawn.
    fn drawn(&self, schema: &TableSchema, index: IndexSchema<'_>, row: &Row) -> layout::Drawn {
        let recognition = &self.work.recognition;
        let face = recognition.face(recognition.entity_of(schema.name.as_str(), &row.item));
        let text = |attributes: &[KeyAttribute]| whole(&key_text(&row.item, attributes, face));
        let second = |sort: &[KeyAttribute], partition: &[KeyAttribute]| {
            text(if sort.is_empty() { partition } else { sort })
        };
        let entry = index.entry(schema, &row.item);
        let own = LinkRow {
            letter: face.map(|face| face.letter.clone()).unwrap_or_default(),
            slot: face.map(|face| face.slot),
            entity: face.map(|face| face.name.clone()).unwrap_or_default(),
            key: second(&schema.key.sort, &schema.key.partition),
            size_text: size(u64::from(row.size_bytes)),
            absent: missing(index, &row.item).map(|name| format!("no {name}")).unwrap_or_default(),
            ..LinkRow::default()
        };
        let linked = entry.map(|entry| {
            let attributes = row.item.iter().map(|(name, _)| LinkAttribute {
                name: name.to_string(),
                is_projected: entry.contains(name.as_str()),
            });
            let linked = LinkRow {
                key: second(&index.key.sort, &index.key.partition),
                size_text: size(u64::from(entry.size_bytes())),
                attributes: attributes.collect(),
                ..own.clone()
            };
            layout::Linked {
                partition: text(&index.key.partition),
                order: index.key.encode(&row.item),
                bytes: entry.size_bytes(),
                row: linked,
            }
        });
        layout::Drawn { partition: text(&schema.key.partition), row: own, linked }
    }

    /// What the projection drops, who shares the index, and where its entries lie.
    fn sentences(&self, table: &Table, index: IndexSchema<'_>, seen: &Seen) -> Vec<String> {
        let schema = table.schema();
        let mut sentences = Vec::new();
        let dropped: Vec<&str> = seen.dropped.iter().map(String::as_str).collect();
        sentences.push(match (index.projection, dropped.as_slice()) {
            (_, []) => "Its entries hold every attribute of their items.".to_owned(),
            (projection, dropped) => {
                let held = match projection {
                    Projection::KeysOnly => "the keys alone",
                    _ => "the keys and what is included",
                };
                let cost = if index.is_local {
                    "A Query that asks for more fetches each item, at a read of its own."
                } else {
                    "A Query cannot ask for what is dropped."
                };
                format!("Its entries hold {held}; {} stay in the table. {cost}", listed(dropped))
            }
        });
        let is_same = |a: &[KeyAttribute], b: &[KeyAttribute]| {
            !a.is_empty() && a.iter().map(|it| &it.name).eq(b.iter().map(|it| &it.name))
        };
        if is_same(&index.key.partition, &schema.key.sort)
            && is_same(&index.key.sort, &schema.key.partition)
        {
            sentences.push(
                "Inverted: it has the table's keys the other way round, so links cross.".to_owned(),
            );
        }
        let entities = self.data().census.entities_in(schema.name.as_str(), index.name.as_str());
        if entities.len() > 1 {
            let faces = entities.iter().filter_map(|it| self.work.recognition.face(Some(*it)));
            let names: Vec<&str> = faces.map(|face| face.name.as_str()).collect();
            sentences.push(format!("Overloaded: {} share it.", listed(&names)));
        }
        sentences.push(if index.is_local {
            "Local: each entry lies in its item's own partition.".to_owned()
        } else {
            "Global: its entries lie in partitions of its own, and follow a moment after the write."
                .to_owned()
        });
        sentences
    }

    /// Storage, and what the index costs a month.
    fn figures(&self, table: &Table, index: IndexSchema<'_>) -> Vec<(&'static str, String)> {
        let mut figures = Vec::new();
        if let Some(tree) = table.index(index.name.as_str()) {
            let (n, bytes) = (tree.n_rows(), tree.size_bytes());
            let each = bytes.checked_div(n).map(|each| format!(", {} each", size(each)));
            figures.push(("Entries", format!("{}{}", count(n), each.unwrap_or_default())));
            let billed = size(bytes + n * STORAGE_OVERHEAD_BYTES);
            figures.push(("Storage", format!("{}, billed as {billed}", size(bytes))));
        }
        let name = crate::cost::place(table.schema().name.as_str(), index.name.as_str());
        if let Some(row) = self.cost(None).indexes.into_iter().find(|row| row.name == name) {
            figures.push(("Written", row.amplification));
            figures.push(("Writes a month", row.writes));
            figures.push(("Storage a month", row.storage));
            figures.push(("Reads a month", row.reads));
        }
        figures
    }
}

/// What a pass over all items tells of an index.
struct Seen {
    n_members: u64,
    /// Items out of the index, by the key attribute they lack.
    missing: SortedMap<String, u64>,
    dropped: SortedSet<String>,
    /// Units of the smallest and the largest entry.
    units: Option<(CapacityUnits, CapacityUnits)>,
    /// Positions of the first members and the first others, in the table's order.
    first: [Vec<usize>; 2],
    /// The largest item collection, with local entries: key, bytes in the table and in local indexes.
    largest: Option<(String, u64, u64)>,
}

impl Seen {
    fn of(table: &Table, index: IndexSchema<'_>) -> Self {
        let schema = table.schema();
        let mut it = Self {
            n_members: 0,
            missing: SortedMap::new(),
            dropped: SortedSet::new(),
            units: None,
            first: [Vec::new(), Vec::new()],
            largest: None,
        };
        let mut collection: Option<(String, u64, u64)> = None;
        for (at, (_, row)) in table.items().range(&KeyRange::all(), true).enumerate() {
            let lacks = missing(index, &row.item);
            let first = &mut it.first[usize::from(lacks.is_some())];
            if first.len() < DRAWN_MAX {
                first.push(at);
            }
            if let Some(name) = lacks {
                *it.missing.get_or_insert_with(name.to_owned(), Default::default) += 1;
            } else if let Some(entry) = index.entry(schema, &row.item) {
                it.n_members += 1;
                let units = write_units(entry.size_bytes());
                let (least, most) = it.units.unwrap_or((units, units));
                it.units = Some((least.min(units), most.max(units)));
                for (name, _) in &row.item {
                    if !entry.contains(name.as_str()) && !it.dropped.contains(name.as_str()) {
                        it.dropped.insert(name.to_string());
                    }
                }
            }
            if index.is_local {
                let key = whole(&key_text(&row.item, &schema.key.partition, None));
                let local = schema.indexes().filter(|index| index.is_local);
                let entries = local.filter_map(|index| index.entry(schema, &row.item));
                let bytes = entries.map(|entry| u64::from(entry.size_bytes())).sum::<u64>();
                let own = u64::from(row.size_bytes);
                collection = Some(match collection.take() {
                    Some((known, items, entries)) if known == key => {
                        (key, items + own, entries + bytes)
                    }
                    _ => (key, own, bytes),
                });
                let sum = |it: &Option<(String, u64, u64)>| it.as_ref().map_or(0, |it| it.1 + it.2);
                if sum(&collection) > sum(&it.largest) {
                    it.largest.clone_from(&collection);
                }
            }
        }
        it
    }

    /// The rows drawn: all, or members first and others where there is room, in the table's order.
    fn drawn<'a>(&self, table: &'a Table) -> Vec<&'a Row> {
        let [members, others] = &self.first;
        // A third of the room stays for what is left out, if anything is.
        let n_others = others.len().min((DRAWN_MAX - members.len()).max(DRAWN_MAX / 3));
        let n_members = members.len().min(DRAWN_MAX - n_others);
        let mut chosen: Vec<usize> =
            members[..n_members].iter().chain(&others[..n_others]).copied().collect();
        chosen.sort_unstable();
        let mut wanted = chosen.into_iter().peekable();
        let mut rows = Vec::new();
        for (at, (_, row)) in table.items().range(&KeyRange::all(), true).enumerate() {
            match wanted.peek() {
                None => break,
                Some(next) if *next == at => {
                    wanted.next();
                    rows.push(row);
                }
                Some(_) => {}
            }
        }
        rows
    }
}

/// The key attribute without which an item is not in the index.
fn missing<'a>(index: IndexSchema<'a>, item: &Item) -> Option<&'a str> {
    let lacks = |attribute: &&KeyAttribute| {
        let value = item.get(attribute.name.as_str());
        value.and_then(hashrange_types::AttributeValue::scalar_type) != Some(attribute.scalar)
    };
    index.key.attributes().find(lacks).map(|attribute| attribute.name.as_str())
}

fn headline(index: IndexSchema<'_>, table: &Table, seen: &Seen) -> String {
    let all = table.items().n_rows();
    let name = &index.name;
    if seen.missing.is_empty() {
        return format!("Index {name} receives all {}.", counted(all, "item"));
    }
    let left_out: Vec<String> = seen
        .missing
        .iter()
        .map(|(attribute, n)| {
            format!("{} {} no {attribute}", count(*n), if *n == 1 { "has" } else { "have" })
        })
        .collect();
    let all_items = counted(all, "item");
    format!(
        "Index {name} receives {} of {all_items}; {}.",
        count(seen.n_members),
        left_out.join(", ")
    )
}

fn gauge(table: &Table, seen: &Seen) -> Gauge {
    let Some((key, items, entries)) = &seen.largest else {
        let text = format!("{} is empty.", table.schema().name);
        return Gauge { shares: [0.0; 2], text };
    };
    #[expect(clippy::cast_precision_loss, reason = "a share of a picture")]
    let share = |bytes: u64| bytes as f32 / ITEM_COLLECTION_BYTES_MAX as f32 * 100.0;
    Gauge {
        shares: [share(*items), share(*entries)],
        text: format!(
            "{key} is the largest item collection: {} in the table and {} in local indexes, of the 10\u{a0}GB one may \
             hold with a local index.",
            size(*items),
            size(*entries)
        ),
    }
}

fn writes(index: IndexSchema<'_>, seen: &Seen) -> Vec<WriteRow> {
    let Some((least, most)) = seen.units else { return Vec::new() };
    let row = |what, n_writes: u8| {
        let times =
            |units: CapacityUnits| CapacityUnits::halves(units.as_halves() * u64::from(n_writes));
        let units = match (n_writes, least == most) {
            (0, _) => "+0".to_owned(),
            (_, true) => format!("+{}\u{a0}WCU", units_number(times(most))),
            (_, false) => {
                let (least, most) = (units_number(times(least)), units_number(times(most)));
                format!("+{least} to {most}\u{a0}WCU")
            }
        };
        WriteRow { what, n_writes, units }
    };
    let mut rows =
        vec![row("Add or delete an item that has the key", 1), row("Change an index key", 2)];
    if !matches!(index.projection, Projection::KeysOnly) {
        rows.push(row("Change a projected attribute", 1));
    }
    if !seen.dropped.is_empty() {
        rows.push(row("Change what is not projected", 0));
    }
    rows.push(row("Write an item without the key", 0));
    rows
}

/// `12 more items`, `1 more item`.
fn more(n: u64) -> String {
    format!("{} more {}", count(n), if n == 1 { "item" } else { "items" })
}

/// `name, role and 3 more`.
fn listed(names: &[&str]) -> String {
    let rest = names.len().saturating_sub(NAMED_MAX);
    let shown = names[..names.len() - rest].join(", ");
    if rest == 0 { shown } else { format!("{shown} and {rest} more") }
}
