//! Rows that are chosen together, as ranges: a hundred thousand of them are as short as one.
//!
//! Invariant: ranges ascend and stand apart. They belong to one version of the picture; another one forgets them.

use std::ops::Range;

/// Chosen rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SelectedRows(Vec<Range<u32>>);

impl SelectedRows {
    /// The rows from one to another, both included, whichever is first.
    pub(crate) fn between(a: u32, b: u32) -> Self {
        Self::of(a.min(b)..a.max(b).saturating_add(1))
    }

    /// The rows of a range.
    pub(crate) fn of(range: Range<u32>) -> Self {
        Self(if range.is_empty() { Vec::new() } else { vec![range] })
    }

    /// True if no row is chosen.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if this row is.
    pub(crate) fn contains(&self, row: u32) -> bool {
        let after = self.0.partition_point(|range| range.start <= row);
        after.checked_sub(1).is_some_and(|at| self.0[at].contains(&row))
    }

    /// The ranges.
    pub(crate) fn ranges(&self) -> &[Range<u32>] {
        &self.0
    }

    /// Chooses a row, or no longer.
    pub(crate) fn toggle(&mut self, row: u32) {
        let at = self.0.partition_point(|range| range.end <= row);
        if let Some(range) = self.0.get(at).filter(|range| range.contains(&row)).cloned() {
            let rest = [range.start..row, row + 1..range.end];
            self.0.splice(at..=at, rest.into_iter().filter(|range| !range.is_empty()));
            return;
        }
        self.0.insert(at, row..row + 1);
        if self.0.get(at + 1).is_some_and(|next| next.start == row + 1) {
            self.0[at].end = self.0.remove(at + 1).end;
        }
        if at > 0 && self.0[at - 1].end == row {
            self.0[at - 1].end = self.0.remove(at).end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_chosen_one_by_one_join_and_part() {
        let mut rows = SelectedRows::default();
        for row in [4, 6, 5, 9] {
            rows.toggle(row);
        }
        assert_eq!(rows.ranges(), [4..7, 9..10]);
        rows.toggle(5);
        assert_eq!(rows.ranges(), [4..5, 6..7, 9..10]);
        assert!(rows.contains(6) && !rows.contains(5) && !rows.contains(3));
        for row in [4, 6, 9] {
            rows.toggle(row);
        }
        assert!(rows.is_empty());
    }

    #[test]
    fn a_stretch_is_the_same_upwards_and_downwards() {
        assert_eq!(SelectedRows::between(7, 3), SelectedRows::between(3, 7));
        assert!(SelectedRows::between(3, 3).contains(3));
    }
}
