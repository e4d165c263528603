//! What is paid for: how often each pattern is asked, what a call consumes, and what lies in the tables.
//!
//! Invariant: units are per call and for the sample; [`CostSettings::copies`](super::CostSettings::copies)
//! scales what grows with the data.
//!
//! Not here: running the patterns (`crate::pattern`), prices ([`super::prices`]).

use hashrange_types::CapacityUnits;
use hashrange_types::limits::STORAGE_OVERHEAD_BYTES;

use super::money::Rate;

/// Half units of a strongly consistent read of one block.
const STRONG_HALVES: u64 = 2;
const BLOCK_BYTES: u128 = 4_096;

/// What one call consumes of one table or index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetUse {
    /// The table.
    pub table: String,
    /// The index; empty for the base table.
    pub index: String,
    /// True for a local index, which draws on its table's capacity.
    pub is_local: bool,
    /// True for write units.
    pub is_write: bool,
    /// True for reads that may not be stale: a cache in front does not answer those.
    pub is_consistent: bool,
    /// Units of a call on the sample.
    pub units: CapacityUnits,
    /// Bytes read by a call that reads everything there is, and so costs more as the data grows.
    pub scanned_bytes: Option<u64>,
}

impl TargetUse {
    /// Half units of a call when the tables hold the sample so many times.
    pub(crate) fn halves(&self, copies: u32) -> u128 {
        let sample = self.units.as_halves();
        let Some(bytes) = self.scanned_bytes else { return sample.into() };
        let blocks = (u128::from(bytes) * u128::from(copies)).div_ceil(BLOCK_BYTES);
        let halves = if self.is_consistent { STRONG_HALVES } else { 1 };
        (blocks * u128::from(halves)).max(sample.into())
    }
}

/// A pattern, how often it is asked and what each call consumes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatternUse {
    /// The pattern in words.
    pub name: String,
    /// How often it is asked.
    pub rate: Rate,
    /// What a call consumes, by table and index.
    pub uses: Vec<TargetUse>,
}

impl PatternUse {
    /// Units a call consumes on the sample: of reads, of writes to tables, of writes to indexes.
    pub fn units(&self) -> [CapacityUnits; 3] {
        let mut sums = [CapacityUnits::ZERO; 3];
        for it in &self.uses {
            let kind = match (it.is_write, it.index.is_empty()) {
                (false, _) => 0,
                (true, true) => 1,
                (true, false) => 2,
            };
            sums[kind] += it.units;
        }
        sums
    }
}

/// What lies in a table or an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stored {
    /// Its name; empty for the base table.
    pub index: String,
    /// True for a local index.
    pub is_local: bool,
    /// Items or entries.
    pub n_items: u64,
    /// Their bytes as capacity counts them.
    pub bytes: u64,
}

impl Stored {
    /// Bytes billed: with what DynamoDB adds to each item.
    pub fn billed_bytes(&self, copies: u32) -> u128 {
        let overhead = u128::from(self.n_items) * u128::from(STORAGE_OVERHEAD_BYTES);
        (u128::from(self.bytes) + overhead) * u128::from(copies)
    }
}

/// A table with its indexes, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredTable {
    /// Its name.
    pub table: String,
    /// The base table, then the indexes.
    pub parts: Vec<Stored>,
}

/// All that is paid for in one design.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// The patterns, in the order shown.
    pub patterns: Vec<PatternUse>,
    /// The tables, in the order shown. Every table of a pattern is here.
    pub tables: Vec<StoredTable>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_grows_with_the_data_and_a_key_read_does_not() {
        // The mock's pattern 7: 14.1 MB in 1,000 copies of the sample, read eventually.
        let scan = TargetUse {
            units: CapacityUnits::halves(4),
            scanned_bytes: Some(14_785),
            ..TargetUse::default()
        };
        assert_eq!((scan.halves(1), scan.halves(1_000)), (4, 3_610));
        let get = TargetUse { units: CapacityUnits::halves(1), ..TargetUse::default() };
        assert_eq!(get.halves(1_000), 1);
        let strong = TargetUse { is_consistent: true, ..scan };
        assert_eq!(strong.halves(1_000), 7_220);
    }

    #[test]
    fn storage_counts_a_hundred_bytes_more_for_each_item() {
        let stored = Stored { n_items: 3, bytes: 1_200, ..Stored::default() };
        assert_eq!(stored.billed_bytes(10), 15_000);
    }
}
