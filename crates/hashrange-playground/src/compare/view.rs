//! What the compare panel draws. Every text is ready to show.

use crate::cost::{CostKind, StackPart};

/// Two designs side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareView {
    /// What they are called.
    pub titles: [String; 2],
    /// What B is, in a sentence.
    pub about: String,
    /// The verdict's sign, and what it says.
    pub verdict: (&'static str, &'static str),
    /// `B costs $66.43 less a month.`
    pub headline: String,
    /// What else follows.
    pub sentence: String,
    /// `4 differences`.
    pub n_differences: String,
    /// What differs in the designs.
    pub differences: Vec<DifferenceRow>,
    /// The patterns, those that differ first.
    pub patterns: Vec<CompareRow>,
    /// What they come to: A, B, the change.
    pub totals: [String; 3],
    /// The bills as bars on one scale, 1,000 wide.
    pub bars: [Vec<StackPart>; 2],
    /// The same as amounts, with the sum below them.
    pub bills: Vec<BillRow>,
    /// Tables and indexes, those that differ first.
    pub sizes: Vec<SizeRow>,
    /// The hottest keys, the hottest first.
    pub heat: Vec<HeatRow>,
}

/// A kind of cost on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillRow {
    /// Its colour; none for the sum.
    pub kind: Option<CostKind>,
    /// `writes to tables`, `a month`.
    pub what: &'static str,
    /// In A, in B, the change.
    pub amounts: [String; 3],
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferenceRow {
    /// What it is.
    pub what: String,
    /// How it is in A and in B; `–` where it is not there.
    pub sides: [String; 2],
    /// What B gains by it.
    pub gives: String,
    /// What B pays for it.
    pub takes: String,
}

/// A pattern on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareRow {
    /// The question.
    pub words: String,
    /// True if nothing differs.
    pub is_same: bool,
    /// A and B; none where it is not asked.
    pub sides: [Option<CompareCell>; 2],
    /// `−$23.65`, `same`.
    pub change: String,
    /// `by key`, `3 requests fewer`.
    pub why: String,
}

/// A pattern on one side.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareCell {
    /// Its number there.
    pub number: u32,
    /// Its sign.
    pub glyph: &'static str,
    /// What the sign says.
    pub status: &'static str,
    /// `Query · base table`.
    pub how: String,
    /// `3.5 RCU`, `3 + 1 WCU`.
    pub units: String,
    /// Width of the bar of its units, of 100: reads and table writes, then index writes.
    pub bar: [f32; 2],
    /// True if the bar is cut off: the units are beyond the scale.
    pub is_bar_broken: bool,
    /// `$3.94`.
    pub month: String,
}

/// A table or index on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeRow {
    /// `Orders.byStatus`.
    pub place: String,
    /// `24 items, 14.4 KB`; `–` where it is not there.
    pub sides: [String; 2],
    /// `616 B each`; `–` where there is nothing.
    pub average: [String; 2],
    /// True if nothing differs.
    pub is_same: bool,
}

/// A hottest key on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatRow {
    /// `SensorEvents, writes`.
    pub place: String,
    /// `253 %` of what one key may take; `–` where nothing is asked.
    pub loads: [String; 2],
    /// The key.
    pub keys: [String; 2],
    /// True if it is more than one key may take.
    pub is_hot: [bool; 2],
    /// Widths of the bars of all rows on one scale, of 100.
    pub bars: [f32; 2],
    /// Where on that scale a key is full.
    pub full_at: f32,
    /// Steps of the heat scale, 0 to 5: a quarter of a full key each, 4 full, 5 over.
    pub bins: [u8; 2],
}
