//! What a panel draws: plain values in which every text and number is ready to show.
//!
//! Invariant: a view is derived from the session and holds nothing the session does not; components only draw.
//!
//! Sizes are bytes unless a name says otherwise; a `_text` is already formatted with its unit, which a no-break
//! space (U+00A0) joins to its number.

use crate::grid::GridShape;

mod designer;
mod form;
mod items;
mod shelf;

pub use designer::*;
pub use form::*;
pub use items::*;
pub use shelf::*;

/// A key value split where its template's prefix ends, so that the prefix can step back: `ORG#` and `1234`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyText {
    /// The shared prefix, possibly empty.
    pub prefix: String,
    /// What follows it.
    pub rest: String,
}

/// What the left column shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The design's title.
    pub title: String,
    /// Tables in the design's order.
    pub tables: Vec<OutlineTable>,
    /// Entities with how many items each has now.
    pub entities: Vec<OutlineEntity>,
    /// The design's access patterns.
    pub patterns: Vec<OutlinePattern>,
}

/// A table in the outline.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineTable {
    /// Its name.
    pub name: String,
    /// Items in it.
    pub n_items: u64,
    /// Its indexes, local ones first.
    pub indexes: Vec<OutlineIndex>,
}

/// An index in the outline and on its tab.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineIndex {
    /// Its name.
    pub name: String,
    /// One word on its kind: `local`, `inverted`, `sparse`, `overloaded` or `global`.
    pub kind: &'static str,
    /// Entries in it.
    pub n_entries: u64,
    /// Its short letters for chips, such as `G1`.
    pub chip: String,
}

/// An entity in the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntity {
    /// Its name.
    pub name: String,
    /// Its letter tag.
    pub letter: String,
    /// Its colour slot, from 0.
    pub slot: u8,
    /// Its table.
    pub table: String,
    /// What its sort key (else its partition key) starts with.
    pub prefix: String,
    /// Items recognised as this entity now.
    pub n_items: u64,
}

/// An access pattern in the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlinePattern {
    /// Its number, from 1.
    pub number: u32,
    /// The question in words.
    pub words: String,
    /// The operation that answers it.
    pub operation: String,
    /// `✓`, `◑`, `⚠` or `✗`; empty before it was first run on the sample.
    pub glyph: &'static str,
    /// What the sign says.
    pub status: &'static str,
    /// Units of a call, such as `3.5 RCU`; none where it was never run.
    pub units_text: Option<String>,
}

/// A table or one of its indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The table.
    pub table: String,
    /// The index, if not the table itself.
    pub index: Option<String>,
}

/// The single-table picture of one target: the shape of all its rows, whose contents are asked for by window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GridLayout {
    /// What it shows.
    pub target: Target,
    /// Name of the partition key attribute(s).
    pub partition_key: String,
    /// Name of the sort key attribute(s), if there are any.
    pub sort_key: Option<String>,
    /// The attributes of the partition key and of the sort key.
    pub key_names: (Vec<String>, Vec<String>),
    /// How the sort key's values are ordered; empty where there is none.
    pub order_text: &'static str,
    /// Labels of the membership chips, one per index of the table; empty on an index tab.
    pub chips: Vec<String>,
    /// Number of items.
    pub n_items: u64,
    /// Number of items shown, where others are hidden because they lack a text.
    pub n_shown: Option<u64>,
    /// Rows with a height, from top to bottom; row `i` starts at `tops[i]`. One more entry than rows: the
    /// last is the total height, in px at the default density (item 24, heading and page break 20).
    pub tops: Vec<u32>,
    /// The merged partition cells, in order.
    pub collections: Vec<CollectionCell>,
    /// What else the session knows of the rows: `GridShape::default()` where it does not matter.
    pub shape: GridShape,
}

/// A merged partition cell.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectionCell {
    /// First row it spans.
    pub first_row: u32,
    /// Rows it spans.
    pub n_rows: u32,
    /// The partition key's value.
    pub key: KeyText,
    /// `13 items`.
    pub items_text: String,
    /// `24.2 KB`.
    pub size_text: String,
    /// `P1`: the (simulated) partition it lives in.
    pub partition_text: String,
}

/// The contents of one row.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a window has a few dozen rows, nearly all of them items"
)]
pub enum GridRow {
    /// Attribute names of a run of one entity.
    Heading {
        /// `Employees`, or empty where items match no entity.
        title: String,
        /// Attribute names in the order of the cells below; `+2` marks names left out.
        columns: Vec<GridColumn>,
    },
    /// One item or index entry.
    Item(GridItem),
    /// The end of a page of the read shown.
    PageBreak {
        /// `Page 1 ends here: Limit 5 reached. LastEvaluatedKey is PROJECT#p-05.`
        text: String,
    },
}

/// A column of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridColumn {
    /// The attribute's name.
    pub name: String,
    /// The attribute itself, where the name says more.
    pub attribute: String,
    /// True where the values are numbers, which align right.
    pub is_number: bool,
}

/// An item's row.
#[derive(Debug, Clone, PartialEq)]
pub struct GridItem {
    /// The item's key as compact DynamoDB JSON, unique in the target.
    pub id: String,
    /// Letter of its entity, or empty.
    pub letter: String,
    /// Name of its entity, or empty.
    pub entity: String,
    /// Colour slot of its entity.
    pub slot: Option<u8>,
    /// The partition key's value.
    pub partition: KeyText,
    /// The sort key's value; empty where the key has none.
    pub sort: KeyText,
    /// Values in the order of the heading above, shortened to one line.
    pub cells: Vec<String>,
    /// `2.9 KB`.
    pub size_text: String,
    /// The size on a scale of 4 KB, 0 to 1.
    pub size_share: f32,
    /// Index membership, in the order of the layout's chips.
    pub memberships: Vec<bool>,
    /// What the read shown did with it.
    pub read: Option<ReadMark>,
    /// True if the latest write put it.
    pub is_written: bool,
    /// The row read aloud: `ORG#1234, PROJECT#p-02, Project, 2.6 KB, read and returned`.
    pub spoken: String,
}

/// What a read did with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMark {
    /// Read and returned.
    Returned,
    /// Read, paid for, and filtered out.
    Filtered,
}

/// One row of the history, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRow {
    /// Its number, from 1 up, never reused.
    pub number: u32,
    /// The operation.
    pub operation: String,
    /// The pattern's words, the table, or a short form of the key.
    pub label: String,
    /// `9 → 2` for reads, `1 write` for writes, the error's name for refusals.
    pub outcome_text: String,
    /// `23.8 KB`, or empty.
    pub size_text: String,
    /// `3.5 RCU`, `6 WCU` or empty.
    pub units_text: String,
    /// Segments of the little bar; all bars of the history are on one scale, so shares add up to 1 in the longest.
    pub bar: Vec<BarSegment>,
    /// True if the request was refused.
    pub is_error: bool,
}

/// A piece of a capacity bar.
#[derive(Debug, Clone, PartialEq)]
pub struct BarSegment {
    /// What it stands for.
    pub kind: SegmentKind,
    /// Bytes.
    pub bytes: u32,
    /// Share of the whole bar, 0 to 1.
    pub share: f32,
    /// What it says when pointed at or read aloud: `returned 5.0 KB`.
    pub label: String,
}

/// Kinds of segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentKind {
    /// Read and returned.
    Returned,
    /// Read and filtered out.
    Filtered,
    /// Paid for by rounding up.
    Rounding,
    /// Written to the table.
    Written,
    /// Written to an index.
    IndexWritten,
}

/// A request that was run, with all that its panels show.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryView {
    /// Its number in the history.
    pub number: u32,
    /// The operation.
    pub operation: String,
    /// The request's text as run.
    pub request: String,
    /// `Query 14 read 9 items in one band of ORG#1234 and returned 2. The other 7 were filtered out after the read.`
    pub sentence: String,
    /// The result, or why there is none.
    pub outcome: Result<ResultView, ErrorView>,
    /// What it cost; none for refusals that cost nothing and for table operations.
    pub capacity: Option<CapacityView>,
    /// What the grid lights up.
    pub read_target: Option<Target>,
}

/// A successful reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultView {
    /// `2 items in 2 pages`, `1 item`, `No item has this key`, `Written`.
    pub summary: String,
    /// Pages followed so far, in order; one for operations without pages.
    pub pages: Vec<PageView>,
    /// Items as a table, of all pages shown; none for operations without items.
    pub table: Option<ItemsTable>,
    /// The reply as indented DynamoDB JSON, of the last page.
    pub json: String,
    /// The request for the next page, where LastEvaluatedKey says there may be one.
    pub next_page_request: Option<String>,
    /// The member of the reply that says so: `LastEvaluatedKey`.
    pub next_member: &'static str,
}

/// One page chip.
#[derive(Debug, Clone, PartialEq)]
pub struct PageView {
    /// `5 read, 1 returned`.
    pub text: String,
    /// `ended at PROJECT#p-05` or `no more pages`.
    pub end_text: String,
}

/// Items as a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemsTable {
    /// Attribute names.
    pub columns: Vec<GridColumn>,
    /// One row per item: values by column, and the size.
    pub rows: Vec<(Vec<String>, String)>,
    /// How many items were left out of `rows` because there are many.
    pub n_left_out: u32,
}

/// A refusal, or why there is no result to show.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorView {
    /// True where DynamoDB refused; false where a result was there once and is not kept.
    pub is_refusal: bool,
    /// `ValidationException`.
    pub name: &'static str,
    /// DynamoDB's own text.
    pub message: String,
    /// One plain sentence on what to do about it.
    pub explanation: &'static str,
    /// For a cancelled transaction, what became of each element, in order.
    pub reasons: Box<[ReasonView]>,
    /// Where in the request's text it is, in UTF-16 code units.
    pub place: Option<TextRange>,
    /// The item a failed condition returned, as indented DynamoDB JSON.
    pub item_json: Option<String>,
}

/// What one element contributed to the end of its transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonView {
    /// True if it stopped the transaction.
    pub is_to_blame: bool,
    /// `2 · Put of a in Pairs: its condition is false for the item as it is now (ConditionalCheckFailed).`
    pub text: String,
}

/// Part of a text, in UTF-16 code units, as browsers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRange {
    /// First unit.
    pub start: u32,
    /// One past the last unit.
    pub end: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// What a request cost.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityView {
    /// `3.5`.
    pub units: String,
    /// `RCU` or `WCU`.
    pub unit: &'static str,
    /// `eventually consistent`, `strongly consistent` or empty.
    pub consistency: &'static str,
    /// A bar per page (reads), or per table and index written (writes).
    pub bars: Vec<CapacityBar>,
    /// Legend: kind, text such as `returned 5.0 KB`.
    pub legend: Vec<(SegmentKind, String)>,
    /// `Read 23.8 KB to return 5.0 KB: 79 % was filtered out after the read, and you pay for it.`
    pub sentence: String,
    /// Units by target where there are several: `Base table`, `GSI1`.
    pub by_target: Vec<(String, String)>,
    /// Figures beside it: label and value, such as `Strongly consistent` and `7 RCU`.
    pub comparisons: Vec<(String, String)>,
}

/// One bar of a capacity picture.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityBar {
    /// `page 1: 13.2 KB = 4 units`.
    pub caption: String,
    /// Its pieces, left to right.
    pub segments: Vec<BarSegment>,
    /// Ticks at unit borders (4 KB or 1 KB), as shares of the bar.
    pub ticks: Vec<f32>,
    /// Its length against the longest bar, 0 to 1.
    pub share: f32,
}

/// An example in the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleCard {
    /// Its folder's name.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// What it answers.
    pub question: String,
}

/// What an import found and did, shown before anything changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// The model's name.
    pub title: String,
    /// `2 tables, 3 indexes, 41 items`.
    pub summary: String,
    /// Each repair: found, done, where.
    pub repairs: Vec<ImportRepair>,
}

/// One repair of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRepair {
    /// What the file said.
    pub found: String,
    /// What was done about it.
    pub done: String,
    /// Where in the file.
    pub place: String,
}

/// Why an edit was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// DynamoDB's name for it, such as `ValidationException`; empty where it is not DynamoDB that refuses.
    pub name: &'static str,
    /// DynamoDB's own text, or one sentence that says what to do.
    pub message: String,
    /// What to do about DynamoDB's text.
    pub explanation: &'static str,
}

impl Refusal {
    /// A refusal that is not DynamoDB's.
    pub(crate) const fn ours(message: String) -> Self {
        Self { name: "", message, explanation: "" }
    }

    /// The text, and what to do about it where that is said.
    pub fn words(&self) -> String {
        [self.message.as_str(), self.explanation].join(" ").trim().to_owned()
    }

    /// DynamoDB's refusal of a request.
    pub(crate) fn of(error: &ErrorView) -> Self {
        Self { name: error.name, message: error.message.clone(), explanation: error.explanation }
    }
}

/// An attribute as a person edits it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttributeField {
    /// Its name.
    pub name: String,
    /// Its type: `S`, `N`, `B`, `BOOL`, `NULL`, `L`, `M`, `SS`, `NS` or `BS`.
    pub kind: String,
    /// Its value: bytes in base64, a set one member a line, a list or map in DynamoDB JSON.
    pub text: String,
}

/// An entity as a person edits it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityForm {
    /// Its name.
    pub name: String,
    /// Its table.
    pub table: String,
    /// Its letter tag; empty for the first letter of its name.
    pub letter: String,
    /// Attribute and key template, in order.
    pub keys: Vec<(String, String)>,
    /// How its sample items are made.
    pub sample: Option<hashrange_design::sample::EntitySample>,
}

/// A table that has to be made anew for what the design changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RebuildView {
    /// The table.
    pub table: String,
    /// What is different and how many items can be copied.
    pub text: String,
    /// Items that lack the new key and would be lost.
    pub n_lacking: u64,
}
