//! Along what a Query or Scan reads: keys drawn evenly from it, so that heat is seen where it falls and a partition
//! may be divided inside an item collection that is only ever read whole.
//!
//! Source: facts 6.1 and 6.2.

use std::ops::Bound::{Excluded, Included};

use hashrange_storage::KeyRange;
use hashrange_types::EncodedKey;

use super::Cluster;
use crate::placement::TreeName;

/// Keys drawn from one read of one partition.
const N_DRAWN: usize = 8;
/// Moves the first of them from read to read, so that in time all keys are drawn: 2^32 over the golden ratio.
const STRIDE: u64 = 2_654_435_769;

impl Cluster {
    /// Keys that were read in this partition, evenly apart; none where the read was of one item, or of none.
    pub(super) fn keys_along(
        &self,
        tree: &TreeName,
        partition: u32,
        read: &KeyRange,
    ) -> Vec<EncodedKey> {
        if read.only_key().is_some() {
            return Vec::new();
        }
        let of_table = self.store.table(tree.0.as_str());
        let stored = of_table.and_then(|table| super::grow::tree_ref(table, tree));
        let (Some(stored), Some((from, until))) = (stored, self.placement.span(tree, partition))
        else {
            return Vec::new();
        };
        let mut range = read.clone();
        if read.contains(&from) {
            range.lower = Included(from);
        }
        if let Some(until) = until.filter(|until| read.contains(until)) {
            range.upper = Excluded(until);
        }
        let keys: Vec<&EncodedKey> = stored.range(&range, true).map(|(key, _)| key).collect();
        let n = keys.len().min(N_DRAWN);
        let first = self.n_requests.wrapping_mul(STRIDE) >> 8;
        let first = usize::try_from(first % keys.len().max(1) as u64).unwrap_or(0);
        let position = |drawn: usize| (first + drawn * keys.len() / n) % keys.len();
        (0..n).map(|drawn| keys[position(drawn)].clone()).collect()
    }
}
