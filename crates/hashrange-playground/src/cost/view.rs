//! What the cost panel draws. Every text is ready to show; places are in the units of the picture's box.

/// What a piece of cost is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostKind {
    /// Writes to tables.
    Write,
    /// Writes to indexes.
    Index,
    /// Reads.
    Read,
    /// Storage and whatever is not asked for by patterns.
    Other,
}

/// The whole panel.
#[derive(Debug, Clone, PartialEq)]
pub struct CostView {
    /// `About $1,198 a month on demand.`
    pub headline: String,
    /// What makes up most of it.
    pub sentence: String,
    /// Region, date and what is left out; printed on every picture.
    pub note: String,
    /// The bar of all costs, dearest pattern first.
    pub stack: Vec<StackPart>,
    /// A row for each pattern.
    pub patterns: Vec<PatternRow>,
    /// What they come to together.
    pub patterns_total: String,
    /// A row for each index.
    pub indexes: Vec<IndexRow>,
    /// The bill.
    pub bill: BillTable,
    /// The month in each mode, the whole bill.
    pub modes: Vec<ModeRow>,
    /// On-demand or provisioned, for one kind of traffic; none where nothing is asked.
    pub traffic: Option<TrafficView>,
    /// What is set by sliding.
    pub sliders: Vec<SliderView>,
    /// Where the prices come from, and of when they are.
    pub price_note: String,
    /// The price table.
    pub prices: Vec<PriceView>,
}

/// A setting that is set by sliding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliderView {
    /// Its name for `Session::set_cost`.
    pub name: &'static str,
    /// `Peak ÷ average`.
    pub words: &'static str,
    /// Least, most and step.
    pub range: [u32; 3],
    /// Where it stands.
    pub value: u32,
    /// The same in words: `2×`.
    pub text: String,
}

/// A piece of the bar.
#[derive(Debug, Clone, PartialEq)]
pub struct StackPart {
    /// Its colour.
    pub kind: CostKind,
    /// Left edge, of a bar 1,000 wide.
    pub x: f32,
    /// Width.
    pub width: f32,
    /// Written on it, if it is wide enough for that; else the pattern's number, or nothing.
    pub label: String,
    /// Told on hover and to screen readers.
    pub title: String,
}

/// A pattern and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternRow {
    /// Number, from 1.
    pub number: u32,
    /// The pattern in words.
    pub name: String,
    /// `310/s`; empty where no rate is stated.
    pub rate: String,
    /// `0.5 RCU`, `3 + 3 WCU`.
    pub units: String,
    /// `$1,018.35`.
    pub month: String,
    /// Of all patterns: `85 %`.
    pub share: String,
}

/// An index and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexRow {
    /// `SensorEvents.bySensor`.
    pub name: String,
    /// Its writes a month.
    pub writes: String,
    /// Its storage a month.
    pub storage: String,
    /// Its reads a month.
    pub reads: String,
    /// `1 WCU for each of the table's`.
    pub amplification: String,
}

/// The bill as a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BillTable {
    /// What is paid every month.
    pub rows: Vec<BillRow>,
    /// The sum.
    pub total: String,
    /// What is paid once, when wanted.
    pub once: Vec<BillRow>,
    /// What the figures rest on, one sentence each.
    pub notes: Vec<String>,
}

/// A line of the bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillRow {
    /// `Writes to SensorEvents`.
    pub what: String,
    /// `814,680,000 units`.
    pub quantity: String,
    /// `25 GB free`; mostly empty.
    pub free: String,
    /// `$0.625 a million`.
    pub price: String,
    /// True if the price was entered by hand or stands in for one that is not known.
    pub is_price_marked: bool,
    /// `$509.18`.
    pub cost: String,
}

/// A capacity mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeRow {
    /// `On-demand`.
    pub name: &'static str,
    /// What a million units come to; empty for a whole bill.
    pub million: String,
    /// What a month costs.
    pub month: String,
    /// True for the mode the design has.
    pub is_current: bool,
}

/// On-demand or provisioned, for the reads or writes of one table or index.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficView {
    /// What can be shown: `writes to SensorEvents`.
    pub choices: Vec<String>,
    /// Which of them is shown.
    pub chosen: usize,
    /// `310/s`.
    pub average: String,
    /// `2,800/s`.
    pub peak: String,
    /// The modes.
    pub modes: Vec<ModeRow>,
    /// What follows.
    pub sentence: String,
    /// Cost against average use, at this peak.
    pub by_use: Chart,
    /// Cost against traffic, both axes logarithmic.
    pub by_traffic: Chart,
}

/// How a line of a chart is drawn; never told apart by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Solid.
    OnDemand,
    /// Long dashes.
    Provisioned,
    /// Dash and dot.
    AutoScaled,
}

/// A chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// Width of the box.
    pub width: f32,
    /// Height of the box.
    pub height: f32,
    /// The plot inside: left, top, right, bottom.
    pub plot: [f32; 4],
    /// Under the horizontal axis.
    pub x_name: String,
    /// Marks of the horizontal axis.
    pub x_ticks: Vec<Tick>,
    /// Marks above the plot; empty where there are none.
    pub top_ticks: Vec<Tick>,
    /// Marks of the vertical axis, with lines across.
    pub y_ticks: Vec<Tick>,
    /// A closed path: between least and most peak.
    pub band: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// Where the cheaper mode changes.
    pub even: Option<Spot>,
    /// Where the design is.
    pub here: Vec<Spot>,
    /// The same as a table: a heading, then rows.
    pub rows: Vec<[String; 4]>,
}

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Along the axis.
    pub at: f32,
    /// Its text.
    pub label: String,
}

/// A line of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its style.
    pub kind: LineKind,
    /// Its path, as `d` of an SVG path.
    pub path: String,
    /// Where its name stands.
    pub end: Spot,
}

/// A place with words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spot {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
    /// What is here.
    pub label: String,
    /// What it comes to.
    pub caption: String,
}

/// A price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceView {
    /// Its name in the design.
    pub key: &'static str,
    /// What it is for.
    pub what: &'static str,
    /// `a million`.
    pub per: &'static str,
    /// `$0.625`.
    pub price: String,
    /// The number alone, to edit.
    pub number: String,
    /// How sure it is, in words.
    pub confidence: &'static str,
    /// True if it was entered by hand.
    pub is_own: bool,
}
