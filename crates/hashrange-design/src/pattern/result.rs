//! `PatternResult`: what came of an access pattern on the sample items.
//!
//! Invariant: sums are over all pages that were read; units are those the engine charged.
//!
//! Not here: prices, which stand beside a result and not in it.

use hashrange_types::{CapacityUnits, IndexName, TableName};

use super::expect::TestResult;
use super::heat::Heat;
use super::shape::PatternShape;
use crate::words::{self, counted, percent};

/// How the request finds its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Served {
    /// By keys alone: what is read is what was asked for.
    ByKey,
    /// By key, and a filter throws away part of what was read.
    Filtered,
    /// By reading a table or an index from end to end.
    Scan,
    /// Not at all: DynamoDB would refuse the request.
    Refused,
}

/// The one sign shown for a pattern: the worst of what is true of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatternStatus {
    /// ✓ by key.
    ByKey,
    /// ◑ key plus filter.
    Filtered,
    /// ⚠ one key takes more than a partition serves.
    Hot,
    /// ✗ needs a Scan.
    Scan,
    /// ✗ refused.
    Refused,
}

impl PatternStatus {
    /// All of them, best first.
    pub const ALL: [Self; 5] = [Self::ByKey, Self::Filtered, Self::Hot, Self::Scan, Self::Refused];

    /// The sign: `✓`, `◑`, `⚠` or `✗`. Never shown without [`Self::words`].
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::ByKey => "✓",
            Self::Filtered => "◑",
            Self::Hot => "⚠",
            Self::Scan | Self::Refused => "✗",
        }
    }

    /// What the sign says.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ByKey => "served by key",
            Self::Filtered => "served, but filtering",
            Self::Hot => "hot key",
            Self::Scan => "needs a Scan",
            Self::Refused => "refused",
        }
    }
}

/// Units of one table or index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitsOf {
    /// The table.
    pub table: TableName,
    /// The index; none for the table itself.
    pub index: Option<IndexName>,
    /// True for a local index, whose units count against its table.
    pub is_local: bool,
    /// True for write units.
    pub is_write: bool,
    /// Units of one call of the pattern, all its pages together.
    pub units: CapacityUnits,
}

/// One page of a pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatternPage {
    /// Items or entries examined.
    pub n_examined: u64,
    /// Of these, how many were returned.
    pub n_returned: u64,
    /// Bytes of those examined.
    pub bytes_examined: u64,
    /// Units the page took.
    pub units: CapacityUnits,
}

/// What came of one access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternResult {
    /// Its number in the design, from 1.
    pub number: u32,
    /// The question in words.
    pub words: String,
    /// The operation, such as `Query`.
    pub operation: String,
    /// What the request says: table, index, conditions.
    pub shape: PatternShape,
    /// Calls a second, where the design says.
    pub per_second: Option<f64>,
    /// The index in the design of the entity it is about, where the sample tells.
    pub entity: Option<usize>,
    /// True if it writes.
    pub is_write: bool,
    /// How the request finds its items.
    pub served: Served,
    /// The pages read, in order. Without a `Limit` a Query or Scan is followed to its end; with one it is one page,
    /// unless `expect` states how many pages come.
    pub pages: Vec<PatternPage>,
    /// True if there was more behind the last page read.
    pub has_more: bool,
    /// Items written.
    pub n_written: u64,
    /// Bytes that passed the filter; of a write, the bytes of the items written.
    pub bytes_returned: u64,
    /// Units by table and index; those not charged are left out.
    pub units: Vec<UnitsOf>,
    /// One sentence with DynamoDB's message, if the request was refused.
    pub refusal: Option<String>,
    /// True if a condition was false on the sample: charged, and nothing written.
    pub is_condition_false: bool,
    /// The load of the hottest key of each table and index, where a rate is stated and the sample has items.
    pub heat: Vec<Heat>,
    /// What comes of the pattern's own expectations.
    pub test: TestResult,
}

impl PatternResult {
    /// Units of one call, tables and indexes together.
    pub fn total_units(&self) -> CapacityUnits {
        self.units.iter().map(|it| it.units).sum()
    }

    /// Read units a second at the stated rate, then write units a second.
    pub fn units_per_second(&self) -> (f64, f64) {
        let rate = self.per_second.unwrap_or(0.0);
        let of = |is_write: bool| {
            let units = self.units.iter().filter(|it| it.is_write == is_write);
            units.map(|it| it.units.as_f64()).sum::<f64>() * rate
        };
        (of(false), of(true))
    }

    /// Items returned, or written.
    pub fn n_items(&self) -> u64 {
        if self.is_write {
            self.n_written
        } else {
            self.pages.iter().map(|page| page.n_returned).sum()
        }
    }

    /// Items or entries examined.
    pub fn n_examined(&self) -> u64 {
        self.pages.iter().map(|page| page.n_examined).sum()
    }

    /// Bytes read to find the answer.
    pub fn bytes_read(&self) -> u64 {
        self.pages.iter().map(|page| page.bytes_examined).sum()
    }

    /// Bytes read and thrown away by the filter.
    pub fn waste_bytes(&self) -> u64 {
        if self.is_write { 0 } else { self.bytes_read().saturating_sub(self.bytes_returned) }
    }

    /// The part of what was read that was returned, as `21 %`.
    pub fn returned_percent(&self) -> String {
        percent(self.bytes_returned, self.bytes_read())
    }

    /// The hottest key of all, by its share of what one key may take.
    pub fn hottest(&self) -> Option<&Heat> {
        self.heat.iter().max_by(|a, b| a.load().total_cmp(&b.load()))
    }

    /// The one sign shown: refused before scan before hot before filtered.
    pub fn status(&self) -> PatternStatus {
        match self.served {
            Served::Refused => PatternStatus::Refused,
            Served::Scan => PatternStatus::Scan,
            _ if self.hottest().is_some_and(Heat::is_hot) => PatternStatus::Hot,
            Served::Filtered => PatternStatus::Filtered,
            Served::ByKey => PatternStatus::ByKey,
        }
    }

    /// True for a pattern that is served by key, cool, and passes its own test.
    pub fn is_green(&self) -> bool {
        self.status() == PatternStatus::ByKey && !matches!(self.test, TestResult::Failed(_))
    }

    /// Why it has its status, as one sentence.
    pub fn reason(&self) -> String {
        let place = self.shape.place();
        match self.status() {
            PatternStatus::Refused => self.refusal.clone().unwrap_or_default(),
            PatternStatus::Scan => format!(
                "It reads all {} of {place} to return {}, and takes longer with every item added.",
                counted(self.n_examined(), self.shape.noun()),
                words::count(self.n_items())
            ),
            PatternStatus::Hot => self.hottest().map(Heat::sentence).unwrap_or_default(),
            PatternStatus::Filtered => format!(
                "It finds {} of {place} by key and its filter returns {}: {} of the bytes paid for.",
                counted(self.n_examined(), self.shape.noun()),
                words::count(self.n_items()),
                self.returned_percent()
            ),
            PatternStatus::ByKey if self.is_condition_false => {
                "It finds its item by key; on the sample its condition is false, which costs the same and writes \
                 nothing."
                    .to_owned()
            }
            PatternStatus::ByKey if self.is_write => {
                format!("It writes {} by key.", counted(self.n_written, "item"))
            }
            PatternStatus::ByKey if self.n_examined() == 0 => {
                format!("It goes by key to {place} and finds nothing in the sample.")
            }
            PatternStatus::ByKey => format!(
                "It reads {} of {place} by key, and returns all of it.",
                counted(self.n_examined(), self.shape.noun())
            ),
        }
    }

    /// Units of one call as text: `3.5 RCU`, `6 WCU`.
    pub fn units_text(&self) -> String {
        words::units(self.total_units(), self.is_write)
    }
}
