//! The compare panel as values: verdict, differences with what each gives and takes, patterns, bills, sizes, heat.
//!
//! Invariant: derived from a comparison and the designs' differences; differences come first.
//!
//! Not here: comparing (`hashrange_design::compare`), heat as simulated (`hashrange-simulation`), drawing.

mod markdown;
mod rival;
mod row;
mod view;

use hashrange_design::Design;
use hashrange_design::compare::{
    Comparison, Difference, HeatPair, PatternPair, Side, SizePair, Touches, differences,
};
use hashrange_design::cost::{Bill, Charge, CostSettings, Money, Stored};
use hashrange_design::pattern::Heat;

pub use markdown::markdown;
pub use rival::{Rival, RivalProgress};
pub use view::{BillRow, CompareCell, CompareRow, CompareView, DifferenceRow, HeatRow, SizeRow};

use crate::cost::text;
use crate::cost::{CostKind, StackPart, laid_out};
use crate::format;

/// Stands where a side has nothing.
const NOTHING: &str = "–";
/// Width of the bars of the bills.
const BAR_WIDTH: u64 = 1_000;
/// Consequences named for a difference.
const NAMED_MAX: usize = 2;

/// Two designs whose patterns have run.
pub fn compare_designs(designs: [&Design; 2], sides: [&Side; 2]) -> CompareView {
    let found = differences(designs[0], designs[1]);
    compare_view(sides, [&designs[0].cost, &designs[1].cost], &found)
}

/// Two sides, of which the second may be a model without a design of its own; `found` is what differs in them.
pub fn compare_view(
    sides: [&Side; 2],
    settings: [&CostSettings; 2],
    found: &[Difference],
) -> CompareView {
    let compared = Comparison::of(sides[0], sides[1], settings);
    let [a, b] = compared.totals();
    let most = a.max(b);
    CompareView {
        titles: sides.map(|side| side.title.clone()),
        about: String::new(),
        verdict: verdict(a, b, compared.n_served_well()),
        headline: headline(a, b),
        sentence: sentence(&compared),
        n_differences: match found.len() {
            0 => "No difference in the design".to_owned(),
            n => format::counted(n as u64, "difference"),
        },
        differences: found.iter().map(|it| difference_row(it, sides, &compared)).collect(),
        patterns: row::rows(&compared.patterns),
        totals: [text::dollars(a), text::dollars(b), text::change(a, b)],
        bars: [0, 1].map(|side| bar(&compared.bills[side], most)),
        bills: bill_rows(&compared.bills),
        sizes: compared.sizes.iter().map(size_row).collect(),
        heat: heat_rows(&compared.heat),
    }
}

/// Hottest keys with bars on one scale: of a full key, or of the hottest where that is more.
fn heat_rows(pairs: &[HeatPair]) -> Vec<HeatRow> {
    let loads =
        |pair: &HeatPair| pair.sides.each_ref().map(|it| it.as_ref().map_or(0.0, Heat::load));
    let most = pairs.iter().flat_map(loads).fold(1.0_f64, f64::max);
    #[expect(clippy::cast_possible_truncation, reason = "widths of a picture")]
    let along = |load: f64| (load / most * 100.0) as f32;
    let row = |pair: &HeatPair| HeatRow {
        place: format!("{}, {}", pair.place, if pair.is_write { "writes" } else { "reads" }),
        loads: pair.sides.each_ref().map(|heat| told(heat.as_ref(), Heat::load_text)),
        keys: pair.sides.each_ref().map(|heat| told(heat.as_ref(), |heat| heat.key.clone())),
        is_hot: pair.sides.each_ref().map(|heat| heat.as_ref().is_some_and(Heat::is_hot)),
        bars: loads(pair).map(along),
        full_at: along(1.0),
        bins: loads(pair).map(|load| {
            let passed = |step: &&f64| load >= **step;
            let steps = [0.25, 0.5, 0.75, 1.0].iter().filter(passed).count();
            u8::try_from(steps).unwrap_or(4) + u8::from(load > 1.0)
        }),
    };
    pairs.iter().map(row).collect()
}

fn told<T>(it: Option<&T>, words: impl Fn(&T) -> String) -> String {
    it.map_or_else(|| NOTHING.to_owned(), words)
}

/// The sign of the verdict and what it says: less money is no gain where questions are served worse for it.
fn verdict(a: Money, b: Money, [well_a, well_b]: [usize; 2]) -> (&'static str, &'static str) {
    match (b.cmp(&a), well_b < well_a) {
        (std::cmp::Ordering::Less, false) => ("✓", "B costs less"),
        (std::cmp::Ordering::Less, true) => ("◑", "B costs less and serves fewer patterns well"),
        (std::cmp::Ordering::Greater, _) => ("✗", "B costs more"),
        (std::cmp::Ordering::Equal, _) => ("◑", "The bills are the same"),
    }
}

fn headline(a: Money, b: Money) -> String {
    match b.cmp(&a) {
        std::cmp::Ordering::Less => format!(
            "B costs {} less a month, {} less.",
            text::dollars(a.minus(b)),
            text::part(a.minus(b), a)
        ),
        std::cmp::Ordering::Greater if a.is_zero() => {
            format!("B costs {} a month, A nothing.", text::dollars(b))
        }
        std::cmp::Ordering::Greater => {
            format!(
                "B costs {} more a month, {} times as much.",
                text::dollars(b.minus(a)),
                text::times(b, a)
            )
        }
        std::cmp::Ordering::Equal => "Both cost the same.".to_owned(),
    }
}

/// What else tells the sides apart: patterns served well, requests, hot keys.
fn sentence(compared: &Comparison) -> String {
    let mut parts = Vec::new();
    let [a, b] = compared.n_served_well();
    let n_of = |side: usize| {
        compared.patterns.iter().filter(|pair| pair.sides[side].is_some()).count() as u64
    };
    if a != b {
        let (n, all) = (b as u64, format::counted(n_of(1), "pattern"));
        let verb = if n == 1 { "is" } else { "are" };
        parts.push(format!("{n} of {all} {verb} served well, against {a}"));
    }
    let requests = [0, 1].map(|side| -> u64 {
        let both = compared.patterns.iter().filter(|pair| pair.sides.iter().all(Option::is_some));
        both.filter_map(|pair| pair.sides[side].as_ref()).map(|it| it.n_requests).sum()
    });
    if requests[0] != requests[1] {
        parts.push(format!(
            "asking everything once takes {}, against {}",
            format::counted(requests[1], "request"),
            format::count(requests[0])
        ));
    }
    let hot = [0, 1].map(|side| {
        let sides = compared.heat.iter().filter_map(|pair| pair.sides[side].as_ref());
        sides.filter(|heat| heat.is_hot()).count() as u64
    });
    if hot[0] != hot[1] {
        parts.push(format!(
            "{} {} too hot, against {}",
            format::counted(hot[1], "key"),
            if hot[1] == 1 { "is" } else { "are" },
            hot[0]
        ));
    }
    let mut sentence = parts.join("; ");
    if let Some(first) = sentence.get(..1).map(str::to_ascii_uppercase) {
        sentence.replace_range(..1, &first);
        sentence.push('.');
    }
    sentence
}

/// A difference with the patterns it makes better and worse.
fn difference_row(it: &Difference, sides: [&Side; 2], compared: &Comparison) -> DifferenceRow {
    let touched = compared.patterns.iter().filter(|pair| !pair.is_same());
    let touched = touched.filter(|pair| touches(&it.touches, pair, sides));
    let (mut gives, mut takes) = (Vec::new(), Vec::new());
    for pair in touched {
        let [Some(a), Some(b)] = &pair.sides else { continue };
        let told = row::consequence(a, b);
        match row::judge(a, b) {
            std::cmp::Ordering::Less => gives.push(told),
            std::cmp::Ordering::Greater => takes.push(told),
            std::cmp::Ordering::Equal => {}
        }
    }
    if let Touches::Index(table, index) = &it.touches {
        let cost = |bill: &Bill| {
            bill.sum(|line| {
                line.table == *table && line.index == *index && line.charge != Charge::Reads
            })
        };
        let [a, b] = compared.bills.each_ref().map(cost);
        // What does not come to a cent is not worth a word.
        if a.max(b).minus(a.min(b)).cents() > 0 {
            let list = if b < a { &mut gives } else { &mut takes };
            list.push(format!("{} a month to keep it", text::change(a, b)));
        }
    }
    DifferenceRow {
        what: it.what.clone(),
        sides: it.sides.clone().map(|side| side.unwrap_or_else(|| NOTHING.to_owned())),
        gives: listed(&gives),
        takes: listed(&takes),
    }
}

/// `pattern 4: 3.5 → 0.5 RCU; pattern 7: …; 2 more`.
fn listed(all: &[String]) -> String {
    if all.is_empty() {
        return "nothing".to_owned();
    }
    let mut named: Vec<String> = all.iter().take(NAMED_MAX).cloned().collect();
    if all.len() > NAMED_MAX {
        named.push(format!("{} more", all.len() - NAMED_MAX));
    }
    named.join("; ")
}

/// True if a pattern asks what differs, on either side.
fn touches(touched: &Touches, pair: &PatternPair, sides: [&Side; 2]) -> bool {
    let mut uses = sides.into_iter().flat_map(|side| {
        let same = side.patterns.iter().filter(|it| it.usage.name == pair.words);
        same.flat_map(|it| &it.usage.uses)
    });
    match touched {
        Touches::Pattern(words) => *words == pair.words,
        Touches::Table(table) => uses.any(|it| it.table == *table),
        Touches::Index(table, index) => uses.any(|it| it.table == *table && it.index == *index),
    }
}

/// A bill in four kinds: writes to tables, writes to indexes, reads, the rest.
fn kinds(bill: &Bill) -> [(CostKind, &'static str, Money); 4] {
    let is_writes = |charge| matches!(charge, Charge::Writes | Charge::ReplicaWrites);
    let is_reads = |charge| matches!(charge, Charge::Reads | Charge::ReplicaReads);
    [
        (
            CostKind::Write,
            "writes to tables",
            bill.sum(|line| is_writes(line.charge) && line.index.is_empty()),
        ),
        (
            CostKind::Index,
            "writes to indexes",
            bill.sum(|line| is_writes(line.charge) && !line.index.is_empty()),
        ),
        (CostKind::Read, "reads", bill.sum(|line| is_reads(line.charge))),
        (
            CostKind::Other,
            "storage and the rest",
            bill.sum(|line| !is_writes(line.charge) && !is_reads(line.charge)),
        ),
    ]
}

/// A bill as a bar.
fn bar(bill: &Bill, most: Money) -> Vec<StackPart> {
    let piece = |(kind, title, cost)| (kind, String::new(), str::to_owned(title), cost);
    laid_out(kinds(bill).map(piece).into(), most, BAR_WIDTH)
}

/// Both bills by kind, and their sums.
fn bill_rows(bills: &[Bill; 2]) -> Vec<BillRow> {
    let [a, b] = bills;
    let row = |kind, what, a, b| BillRow {
        kind,
        what,
        amounts: [text::dollars(a), text::dollars(b), text::change(a, b)],
    };
    let pairs = kinds(a).into_iter().zip(kinds(b));
    let mut rows: Vec<BillRow> =
        pairs.map(|((kind, what, a), (.., b))| row(Some(kind), what, a, b)).collect();
    rows.push(row(None, "a month", a.total(), b.total()));
    rows
}

fn size_row(pair: &SizePair) -> SizeRow {
    let noun = if pair.index.is_empty() { "item" } else { "entry" };
    let whole =
        |it: &Stored| format!("{}, {}", format::counted(it.n_items, noun), format::size(it.bytes));
    let average = |it: Option<&Stored>| match it.and_then(|it| it.bytes.checked_div(it.n_items)) {
        Some(bytes) => format!("{} each", format::size(bytes)),
        None => NOTHING.to_owned(),
    };
    SizeRow {
        place: crate::cost::place(&pair.table, &pair.index),
        sides: pair.sides.each_ref().map(|side| told(side.as_ref(), whole)),
        average: pair.sides.each_ref().map(|side| average(side.as_ref())),
        is_same: pair.sides[0] == pair.sides[1],
    }
}
