//! Where rows are: from a layout to pixels, and from a scroll position to the rows in view.
//!
//! Invariant: row `i` takes `tops[i]..tops[i + 1]`; with a finger's density a collection begins with its
//! heading, before its first row.

use std::ops::Range;

use hashrange_playground::view::GridLayout;

/// Height of an item's row at the default density, in px; other rows are lower.
const ITEM_PX: u32 = 24;
/// Heights for fingers, in px.
const ITEM_TOUCH_PX: u32 = 44;
const OTHER_TOUCH_PX: u32 = 26;
const COLLECTION_TOUCH_PX: u32 = 36;
/// Rows drawn beyond the edges of what is in view: few, because each costs its part of every frame.
const OVERSCAN_PX: u32 = 120;

/// The places of all rows and collections of one picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Geometry {
    tops: Vec<u32>,
    is_item: Vec<bool>,
    /// First row and top of each collection; one more entry than collections.
    collections: Vec<(u32, u32)>,
    /// Room below some rows, in px.
    gaps: [Gap; 2],
}

/// Room below a row, in px, where something else stands; none if it is no px.
pub(crate) type Gap = (u32, u32);

impl Geometry {
    /// Measures a layout, for a pointer or for fingers, with room left below some rows.
    pub(crate) fn new(layout: &GridLayout, is_touch: bool, gaps: [Gap; 2]) -> Self {
        let heights: Vec<u32> = layout.tops.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let is_item = heights.iter().map(|height| *height == ITEM_PX).collect();
        let mut starts =
            layout.collections.iter().map(|collection| collection.first_row).peekable();
        let mut collections = Vec::with_capacity(layout.collections.len() + 1);
        let mut tops = Vec::with_capacity(heights.len() + 1);
        let mut top = 0;
        for (index, height) in (0..).zip(&heights) {
            if starts.next_if_eq(&index).is_some() {
                collections.push((index, top));
                top += if is_touch { COLLECTION_TOUCH_PX } else { 0 };
            }
            tops.push(top);
            top += match (is_touch, *height == ITEM_PX) {
                (false, _) => *height,
                (true, true) => ITEM_TOUCH_PX,
                (true, false) => OTHER_TOUCH_PX,
            };
            top += gaps.iter().filter(|gap| gap.0 == index).map(|gap| gap.1).sum::<u32>();
        }
        collections.push((u32::try_from(heights.len()).unwrap_or(u32::MAX), top));
        tops.push(top);
        Self { tops, is_item, collections, gaps }
    }

    /// Height of the whole picture, in px.
    pub(crate) fn height(&self) -> u32 {
        self.tops.last().copied().unwrap_or(0)
    }

    /// Number of rows.
    pub(crate) fn n_rows(&self) -> u32 {
        u32::try_from(self.is_item.len()).unwrap_or(u32::MAX)
    }

    /// Top and height of a row, in px.
    pub(crate) fn row(&self, index: u32) -> (u32, u32) {
        let index = index as usize;
        match (self.tops.get(index), self.tops.get(index + 1)) {
            (Some(top), Some(end)) => (*top, end - top - self.gap(index)),
            _ => (0, 0),
        }
    }

    fn gap(&self, index: usize) -> u32 {
        let is_here = |gap: &&Gap| gap.0 as usize == index;
        self.gaps.iter().filter(is_here).map(|gap| gap.1).sum()
    }

    /// Top of the room below a row, in px: of the second where there are two.
    pub(crate) fn gap_top(&self, index: u32, is_second: bool) -> u32 {
        let (top, height) = self.row(index);
        let first = self.gaps[0];
        top + height + if is_second && first.0 == index { first.1 } else { 0 }
    }

    /// True if the row is an item, neither a heading nor a page break.
    pub(crate) fn is_item(&self, index: u32) -> bool {
        self.is_item.get(index as usize).copied().unwrap_or(false)
    }

    /// Top and height of a collection, in px.
    pub(crate) fn collection(&self, index: u32) -> (u32, u32) {
        let index = index as usize;
        match (self.collections.get(index), self.collections.get(index + 1)) {
            (Some((_, top)), Some((_, end))) => (*top, end - top),
            _ => (0, 0),
        }
    }

    /// The collection a row belongs to.
    pub(crate) fn collection_of(&self, row: u32) -> u32 {
        let after = self.collections.partition_point(|(first, _)| *first <= row);
        u32::try_from(after.saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// First row of a collection.
    pub(crate) fn first_row(&self, collection: u32) -> Option<u32> {
        let is_inside = (collection as usize) + 1 < self.collections.len();
        is_inside.then(|| self.collections[collection as usize].0)
    }

    /// The rows to draw when `height` px from `top` are in view.
    pub(crate) fn window(&self, top: u32, height: u32) -> Range<u32> {
        let from = top.saturating_sub(OVERSCAN_PX);
        let to = top.saturating_add(height).saturating_add(OVERSCAN_PX);
        let first = self.tops.partition_point(|row_top| *row_top <= from).saturating_sub(1);
        let end = self.tops.partition_point(|row_top| *row_top < to);
        let clamp = |index: usize| u32::try_from(index).unwrap_or(u32::MAX).min(self.n_rows());
        clamp(first)..clamp(end)
    }

    /// The next item from `row` on, going down or up, `row` itself included.
    pub(crate) fn nearest_item(&self, row: u32, is_down: bool) -> Option<u32> {
        if is_down {
            (row..self.n_rows()).find(|index| self.is_item(*index))
        } else {
            (0..=row.min(self.n_rows().saturating_sub(1))).rev().find(|index| self.is_item(*index))
        }
    }
}

#[cfg(test)]
mod tests {
    use hashrange_playground::view::CollectionCell;

    use super::*;

    const NO_GAPS: [Gap; 2] = [(0, 0); 2];

    /// Two collections: heading and two items, heading and one item.
    fn layout() -> GridLayout {
        let cell = |first_row, n_rows| CollectionCell {
            first_row,
            n_rows,
            key: hashrange_playground::view::KeyText::default(),
            items_text: String::new(),
            size_text: String::new(),
            partition_text: String::new(),
        };
        GridLayout {
            tops: vec![0, 20, 44, 68, 88, 112],
            collections: vec![cell(0, 3), cell(3, 2)],
            ..GridLayout::default()
        }
    }

    #[test]
    fn a_pointer_sees_the_rows_where_the_layout_puts_them() {
        let geometry = Geometry::new(&layout(), false, NO_GAPS);
        assert_eq!((geometry.height(), geometry.n_rows()), (112, 5));
        assert_eq!((geometry.row(1), geometry.collection(1)), ((20, 24), (68, 44)));
    }

    #[test]
    fn fingers_get_taller_rows_and_a_heading_for_each_collection() {
        let geometry = Geometry::new(&layout(), true, NO_GAPS);
        assert_eq!(geometry.row(0), (36, 26));
        assert_eq!(geometry.collection(1), (150, 106));
        assert_eq!(geometry.height(), 256);
    }

    #[test]
    fn the_window_holds_what_is_in_view_and_never_rows_that_do_not_exist() {
        let tall = GridLayout { tops: (0..=10_000).map(|row| row * 24).collect(), ..layout() };
        let geometry = Geometry::new(&tall, false, NO_GAPS);
        let window = geometry.window(120_000, 480);
        assert!(window.start < 5_000 && window.end >= 5_020, "{window:?}");
        assert!(window.len() < 50, "{window:?}");
        assert_eq!(geometry.window(u32::MAX, 480), 10_000..10_000);
        assert_eq!(Geometry::default().window(0, 100), 0..0);
    }

    #[test]
    fn room_below_a_row_pushes_what_follows_down_and_leaves_the_row_as_high_as_it_was() {
        let geometry = Geometry::new(&layout(), false, [(1, 100), (1, 30)]);
        assert_eq!(geometry.row(1), (20, 24));
        assert_eq!((geometry.gap_top(1, false), geometry.gap_top(1, true)), (44, 144));
        assert_eq!(geometry.row(2), (174, 24));
        assert_eq!(geometry.collection(0), (0, 198));
        assert_eq!(geometry.height(), 242);
    }

    #[test]
    fn headings_are_stepped_over() {
        let geometry = Geometry::new(&layout(), false, NO_GAPS);
        assert_eq!(geometry.nearest_item(3, true), Some(4));
        assert_eq!(geometry.nearest_item(3, false), Some(2));
        assert_eq!(geometry.nearest_item(0, false), None);
        assert_eq!(geometry.collection_of(4), 1);
    }
}
