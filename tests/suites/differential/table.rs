//! `Tables`: what the oracle knows of a database: definitions, and the items of each table in a plain list.
//!
//! Invariant: an index is never kept; it is worked out of the items whenever something asks for it.
//!
//! The order of items is the project's: by placement hash (shared lessons, "Placement hash"), then partition key, then
//! sort key; entries of an index with equal keys by the key of their table.
//!
//! Source: facts 1.5, 2.3, 3.3 and 3.4.

use std::collections::BTreeMap;

use bigdecimal::{BigDecimal, Zero};

use crate::value::{Item, Value, digits, item_size, plain};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    /// `S`, `N` or `B`.
    pub(crate) letter: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) partition: Vec<Attribute>,
    pub(crate) sort: Vec<Attribute>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Projection {
    All,
    KeysOnly,
    Include(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) name: String,
    pub(crate) is_local: bool,
    pub(crate) keys: Keys,
    pub(crate) projection: Projection,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) keys: Keys,
    pub(crate) indexes: Vec<Index>,
    /// Read and write units; none on demand.
    pub(crate) provisioned: Option<(u64, u64)>,
    /// True if it was on demand at some time.
    pub(crate) was_on_demand: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) definition: Definition,
    pub(crate) items: Vec<Item>,
}

/// Everything the oracle remembers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tables {
    pub(crate) tables: BTreeMap<String, Table>,
    /// What was done under each token of TransactWriteItems: the request, and the size of each item's larger image.
    pub(crate) tokens: BTreeMap<String, (String, Vec<u64>)>,
}

/// A scalar as it is sorted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Sortable {
    Text(Vec<u8>),
    Number(BigDecimal),
    Bytes(Vec<u8>),
}

/// Where a row stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) hash: u64,
    partition: Vec<Sortable>,
    sort: Vec<Sortable>,
    table: Option<Box<Position>>,
}

/// An item or index entry that a read may look at.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) position: Position,
    /// What is stored: the item, or what the index projects of it.
    pub(crate) view: Item,
    /// The table's item.
    pub(crate) base: Item,
}

impl Keys {
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.partition.iter().chain(&self.sort)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.attributes().any(|attribute| attribute.name == name)
    }

    /// The key attributes of an item.
    pub(crate) fn of(&self, item: &Item) -> Item {
        self.attributes()
            .filter_map(|attribute| {
                Some((attribute.name.clone(), item.get(&attribute.name)?.clone()))
            })
            .collect()
    }

    /// True if the item has all key attributes with their types.
    pub(crate) fn fits(&self, item: &Item) -> bool {
        self.attributes().all(|attribute| {
            item.get(&attribute.name).is_some_and(|value| value.tag() == attribute.letter)
        })
    }

    fn position(&self, item: &Item, table: Option<Position>) -> Position {
        let values = |attributes: &[Attribute]| -> Vec<Sortable> {
            attributes.iter().map(|attribute| sortable(&item[&attribute.name])).collect()
        };
        let partition = self.partition.iter().map(|attribute| &item[&attribute.name]);
        Position {
            hash: placement(partition),
            partition: values(&self.partition),
            sort: values(&self.sort),
            table: table.map(Box::new),
        }
    }
}

fn sortable(value: &Value) -> Sortable {
    match value {
        Value::S(text) => Sortable::Text(text.as_bytes().to_vec()),
        Value::N(number) => Sortable::Number(number.clone()),
        Value::B(bytes) => Sortable::Bytes(bytes.clone()),
        _ => panic!("keys are scalars"),
    }
}

/// The reference hash of partition key values.
fn placement<'a>(values: impl Iterator<Item = &'a Value>) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for value in values {
        let mut bytes = value.tag().as_bytes().to_vec();
        match value {
            Value::S(text) => bytes.extend(text.as_bytes()),
            Value::N(number) => bytes.extend(scientific(number).as_bytes()),
            Value::B(raw) => bytes.extend(raw),
            _ => panic!("keys are scalars"),
        }
        for byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ (hash >> 33)
}

/// A number as the General Decimal Arithmetic specification prints a reduced one.
fn scientific(number: &BigDecimal) -> String {
    let (is_negative, digits, scale) = digits(number);
    let exponent = i64::try_from(digits.len()).expect("few digits") - 1 - scale;
    if number.is_zero() || (scale >= 0 && exponent >= -6) {
        return plain(number);
    }
    let (first, rest) = digits.split_at(1);
    let sign = if is_negative { "-" } else { "" };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}E{exponent:+}")
}

impl Index {
    /// What the index keeps of an item; nothing if the item is not in it.
    pub(crate) fn view(&self, table: &Keys, item: &Item) -> Option<Item> {
        if !self.keys.fits(item) {
            return None;
        }
        Some(item.iter().filter(|(name, _)| self.projects(table, name)).map(own).collect())
    }

    pub(crate) fn projects(&self, table: &Keys, name: &str) -> bool {
        let is_included = match &self.projection {
            Projection::All => true,
            Projection::KeysOnly => false,
            Projection::Include(names) => names.iter().any(|included| included == name),
        };
        is_included || self.keys.has(name) || table.has(name)
    }
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

impl Definition {
    pub(crate) fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == name)
    }

    pub(crate) fn has_local(&self) -> bool {
        self.indexes.iter().any(|index| index.is_local)
    }

    /// Partitions of the table, and of a global index of it: four on demand, else as capacity asks.
    pub(crate) fn n_partitions(&self) -> u64 {
        let Some((read, write)) = self.provisioned else { return 4 };
        (read * 1_000 + write * 3_000).div_ceil(3_000 * 1_000).max(1)
    }

    /// Where the row with these key attributes stands.
    pub(crate) fn position(&self, index: Option<&Index>, item: &Item) -> Position {
        let table = self.keys.position(item, None);
        match index {
            None => table,
            Some(index) => index.keys.position(item, Some(table)),
        }
    }
}

impl Table {
    pub(crate) fn get(&self, key: &Item) -> Option<&Item> {
        self.items.iter().find(|item| self.definition.keys.of(item) == *key)
    }

    /// Puts the item in the place of the one with this key, or takes that away.
    pub(crate) fn set(&mut self, key: &Item, item: Option<Item>) {
        let keys = self.definition.keys.clone();
        self.items.retain(|other| keys.of(other) != *key);
        self.items.extend(item);
    }

    /// Everything in the table or one of its indexes, in order.
    pub(crate) fn rows(&self, index: Option<&Index>) -> Vec<Row> {
        let keys = &self.definition.keys;
        let mut rows: Vec<Row> = self
            .items
            .iter()
            .filter_map(|item| {
                let view = match index {
                    None => item.clone(),
                    Some(index) => index.view(keys, item)?,
                };
                let position = self.definition.position(index, &view);
                Some(Row { position, view, base: item.clone() })
            })
            .collect();
        rows.sort_by(|a, b| a.position.cmp(&b.position));
        rows
    }

    /// Number of rows and their bytes.
    pub(crate) fn sizes(&self, index: Option<&Index>) -> (u64, u64) {
        let rows = self.rows(index);
        (crate::value::count(rows.len()), rows.iter().map(|row| item_size(&row.view)).sum())
    }
}
