//! What the list of kept designs draws.

/// The designs kept in this browser.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShelfView {
    /// Those that can be opened, the one changed last first.
    pub designs: Vec<ShelfRow>,
    /// Those that were deleted and can be brought back, the one deleted last first.
    pub deleted: Vec<ShelfRow>,
    /// `3 designs, 12.3 KB in all`.
    pub summary: String,
    /// What erasing everything takes away, in sentences.
    pub erase_text: String,
}

/// A kept design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShelfRow {
    /// Its number, which it keeps.
    pub id: u32,
    /// Its title.
    pub title: String,
    /// `24 items · 5.1 KB · changed 3 minutes ago`.
    pub about: String,
    /// True if it is the one in view.
    pub is_open: bool,
}
