//! `Heat`: what the stated rate brings to the hottest partition key, against what one key may take.
//!
//! Invariant: the load is rate x units x share, where the share is the part of the sample's items (of the pattern's
//! entity, where it is known) that lie under that key. That requests are spread as items are is an assumption, and
//! the sentence names the sample.
//!
//! Not here: partitions that hold several keys, bursts and splits (`hashrange-simulation`).
//!
//! Source: facts 6.1: 1,000 write units and 3,000 read units a second are the ceiling of one partition, and so of
//! one key.

use hashrange_types::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use hashrange_types::{IndexName, TableName};

use crate::survey::KeyCount;
use crate::words::{GAP, counted, percent, rate, unit_name};

/// The load of the hottest partition key of a table or index.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// The table.
    pub table: TableName,
    /// The global index; none for the table with its local indexes.
    pub index: Option<IndexName>,
    /// True for write units.
    pub is_write: bool,
    /// The key's value.
    pub key: String,
    /// Items under that key.
    pub n_items_of_key: u64,
    /// Items that were counted.
    pub n_items: u64,
    /// Different keys they have.
    pub n_keys: u64,
    /// What the items are called: the entity's name, or `item`.
    pub noun: String,
    /// Units a second that meet there.
    pub units_per_second: f64,
}

impl Heat {
    /// The load that `units_per_second` of a whole table or index bring to its hottest key; none without items.
    pub(crate) fn of(
        (table, index): (&TableName, Option<&IndexName>),
        is_write: bool,
        units_per_second: f64,
        keys: &KeyCount,
        noun: &str,
    ) -> Option<Self> {
        if keys.n_items == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of items fit 53 bits")]
        let share = keys.n_largest as f64 / keys.n_items as f64;
        Some(Self {
            table: table.clone(),
            index: index.cloned(),
            is_write,
            key: keys.largest_key.clone(),
            n_items_of_key: keys.n_largest,
            n_items: keys.n_items,
            n_keys: keys.n_keys,
            noun: noun.to_owned(),
            units_per_second: units_per_second * share,
        })
    }

    /// Units a second that one key may take.
    pub const fn limit(&self) -> u64 {
        if self.is_write { PARTITION_WRITE_UNITS } else { PARTITION_READ_UNITS }
    }

    /// The load as a part of what one key may take; 1 is full.
    #[expect(clippy::cast_precision_loss, reason = "1,000 or 3,000")]
    pub fn load(&self) -> f64 {
        self.units_per_second / self.limit() as f64
    }

    /// True if one key gets more than it may take.
    pub fn is_hot(&self) -> bool {
        self.load() > 1.0
    }

    /// The load as `253 %`.
    pub fn load_text(&self) -> String {
        format!("{}{GAP}%", rate((self.load() * 100.0).round()))
    }

    /// Where it is: the index's name, or the table's.
    pub fn place(&self) -> &str {
        self.index.as_ref().map_or(self.table.as_str(), IndexName::as_str)
    }

    /// The load and the limit, as one sentence.
    pub fn sentence(&self) -> String {
        let unit = unit_name(self.is_write);
        format!(
            "{}{GAP}{unit} a second meet in {} of {}, which holds {} of the sample's {}; one key takes {}.",
            rate(self.units_per_second),
            self.key,
            self.place(),
            percent(self.n_items_of_key, self.n_items),
            counted(self.n_items, &self.noun),
            rate(self.load_limit()),
        )
    }

    #[expect(clippy::cast_precision_loss, reason = "1,000 or 3,000")]
    fn load_limit(&self) -> f64 {
        self.limit() as f64
    }
}
