//! `KeyRange`: which keys to read, and where to resume.
//!
//! Invariant: bounds are key bytes of one tree; `lower` is never above `upper` in a range that is not empty.

use std::ops::Bound;

use hashrange_types::EncodedKey;

/// A contiguous range of keys of one tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// Where it begins.
    pub lower: Bound<EncodedKey>,
    /// Where it ends.
    pub upper: Bound<EncodedKey>,
}

impl KeyRange {
    /// All keys of a tree.
    pub const fn all() -> Self {
        Self { lower: Bound::Unbounded, upper: Bound::Unbounded }
    }

    /// This key alone.
    pub fn only(key: EncodedKey) -> Self {
        Self { lower: Bound::Included(key.clone()), upper: Bound::Included(key) }
    }

    /// The one key that can be in the range, if it is a range of one.
    pub fn only_key(&self) -> Option<&EncodedKey> {
        match (&self.lower, &self.upper) {
            (Bound::Included(lower), Bound::Included(upper)) if lower == upper => Some(lower),
            _ => None,
        }
    }

    /// The keys that start with these bytes.
    pub fn starting_with(prefix: &[u8]) -> Self {
        Self { lower: Self::from(prefix), upper: Self::past(prefix) }
    }

    /// The keys from those starting with `first` to those starting with `last`, both included.
    pub fn spanning(first: &[u8], last: &[u8]) -> Self {
        Self { lower: Self::from(first), upper: Self::past(last) }
    }

    /// The keys whose placement hash is at least `first` and at most `last`.
    pub fn of_hashes(first: u64, last: u64) -> Self {
        Self::spanning(&first.to_be_bytes(), &last.to_be_bytes())
    }

    /// A lower bound at the first key that starts with `prefix`.
    pub fn from(prefix: &[u8]) -> Bound<EncodedKey> {
        Bound::Included(EncodedKey::from_bytes(prefix))
    }

    /// An upper bound before the first key that starts with `prefix`.
    pub fn before(prefix: &[u8]) -> Bound<EncodedKey> {
        Bound::Excluded(EncodedKey::from_bytes(prefix))
    }

    /// An upper bound after the last key that starts with `prefix`.
    pub fn past(prefix: &[u8]) -> Bound<EncodedKey> {
        next_prefix(prefix)
            .map_or(Bound::Unbounded, |next| Bound::Excluded(EncodedKey::from_bytes(&next)))
    }

    /// A lower bound after the last key that starts with `prefix`.
    pub fn from_past(prefix: &[u8]) -> Bound<EncodedKey> {
        next_prefix(prefix).map_or_else(
            || Bound::Excluded(EncodedKey::from_bytes(&[0xFF; 4_096])),
            |next| Bound::Included(EncodedKey::from_bytes(&next)),
        )
    }

    /// What is left of the range after `key`, reading upwards if `is_forward` and downwards otherwise.
    #[must_use]
    pub fn resumed_after(self, key: EncodedKey, is_forward: bool) -> Self {
        if is_forward {
            Self { lower: Bound::Excluded(key), upper: self.upper }
        } else {
            Self { lower: self.lower, upper: Bound::Excluded(key) }
        }
    }

    /// True if no key can be in the range.
    pub fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Bound::Included(lower), Bound::Included(upper)) => lower > upper,
            (Bound::Included(lower) | Bound::Excluded(lower), Bound::Excluded(upper))
            | (Bound::Excluded(lower), Bound::Included(upper)) => lower >= upper,
            _ => false,
        }
    }

    /// True if `key` is in the range.
    pub fn contains(&self, key: &EncodedKey) -> bool {
        let is_above = match &self.lower {
            Bound::Included(lower) => key >= lower,
            Bound::Excluded(lower) => key > lower,
            Bound::Unbounded => true,
        };
        is_above
            && match &self.upper {
                Bound::Included(upper) => key <= upper,
                Bound::Excluded(upper) => key < upper,
                Bound::Unbounded => true,
            }
    }
}

/// The smallest byte string above every string that starts with `prefix`; none where there is none.
fn next_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != 0xFF)?;
    let mut next = prefix[..=last].to_vec();
    next[last] += 1;
    Some(next)
}
