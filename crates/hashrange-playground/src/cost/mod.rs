//! The cost panel as values: patterns, indexes, the bill, the modes, the charts, the prices.
//!
//! Invariant: derived from a usage and a design's settings alone; every figure is a line of the bill, or a sum of
//! such lines, written out once.
//!
//! Not here: what things cost (`hashrange_design::cost`), drawing (`hashrange-ui`).

mod bill_table;
mod chart;
mod markdown;
mod setting;
pub(crate) mod text;
mod view;

use hashrange_design::cost::CapacityMode::{self, OnDemand, Provisioned};
use hashrange_design::cost::{
    AS_OF, Bill, Charge, Confidence, CostSettings, MODES, Money, PEAK_PERCENT, PRICES, PatternCost,
    PatternUse, Reservation, TARGET_PERCENT, Traffic, Usage, bill, break_even, traffic,
};

pub use hashrange_design::cost::REGIONS;
use setting::USE_PERCENT;

pub use markdown::markdown;
pub(crate) use markdown::table as markdown_table;
pub use view::{
    BillRow, BillTable, Chart, CostKind, CostView, IndexRow, Line, LineKind, ModeRow, PatternRow,
    PriceView, SliderView, Spot, StackPart, Tick, TrafficView,
};

use hashrange_types::CapacityUnits;

pub(crate) use bill_table::place;

use crate::format;

/// Width of the bar of all costs.
const STACK_WIDTH: u64 = 1_000;
/// From these widths on a part of it has room for its name, and for its number.
const NAMED_FROM: u64 = 160;
const NUMBERED_FROM: u64 = 18;

/// The panel for this usage. `chosen` is the traffic of the charts; without it they show the dearest.
pub fn cost_view(usage: &Usage, settings: &CostSettings, chosen: Option<usize>) -> CostView {
    let bill = bill(usage, settings);
    let costs = bill.by_pattern(usage.patterns.len());
    let patterns_sum: Money = costs.iter().map(PatternCost::total).sum();
    CostView {
        headline: format!(
            "About {} a month {}.",
            text::about(bill.total()),
            match settings.mode {
                CapacityMode::OnDemand => "on demand",
                _ => bill_table::mode_name(settings.mode),
            }
        ),
        sentence: sentence(usage, &bill, &costs),
        note: bill_table::note(settings),
        stack: stack(usage, &bill, &costs),
        patterns: usage
            .patterns
            .iter()
            .zip(&costs)
            .zip(1..)
            .map(|((pattern, cost), number)| pattern_row(number, pattern, cost, patterns_sum))
            .collect(),
        patterns_total: text::dollars(patterns_sum),
        indexes: indexes(usage, &bill),
        bill: bill_table::bill_table(&bill, settings),
        modes: whole_modes(usage, settings),
        traffic: traffic_view(usage, settings, chosen),
        sliders: sliders(settings),
        price_note: format!(
            "List prices as of {AS_OF}, from AWS's pricing pages and Price List. A figure of your own counts in place \
             of the list's; an empty field is the list price again."
        ),
        prices: prices(settings),
    }
}

/// Peak against average, the same as use of the peak, and what auto scaling aims at.
fn sliders(settings: &CostSettings) -> Vec<SliderView> {
    let used = settings.utilisation();
    let peak = u128::from(settings.peak_percent);
    vec![
        SliderView {
            name: "peak_percent",
            words: "Peak ÷ average",
            range: [PEAK_PERCENT[0], 2_000, 10],
            value: settings.peak_percent,
            text: format!("{}×", text::number(peak * 10, 2)),
        },
        SliderView {
            name: USE_PERCENT,
            words: "Average use of the peak",
            range: [5, 100, 1],
            value: used / 100,
            text: text::percent(used.into()),
        },
        SliderView {
            name: "target_percent",
            words: "Auto scaling aims at",
            range: [TARGET_PERCENT[0], TARGET_PERCENT[1], 5],
            value: settings.target_percent,
            text: text::percent(u128::from(settings.target_percent) * 100),
        },
    ]
}

fn pattern_row(number: u32, pattern: &PatternUse, cost: &PatternCost, sum: Money) -> PatternRow {
    PatternRow {
        number,
        name: pattern.name.clone(),
        rate: text::rate(pattern.rate),
        units: units_text(pattern.units()),
        month: text::dollars(cost.total()),
        share: text::part(cost.total(), sum),
    }
}

/// `0.5 RCU`, `3 + 3 WCU`: to the table, then to indexes.
pub(crate) fn units_text([reads, table, indexes]: [CapacityUnits; 3]) -> String {
    let mut parts = Vec::new();
    if !reads.is_zero() {
        parts.push(format::units(reads, false));
    }
    if !indexes.is_zero() {
        parts.push(format!("{} + {}", format::units_number(table), format::units(indexes, true)));
    } else if !table.is_zero() {
        parts.push(format::units(table, true));
    }
    parts.join(", ")
}

/// What makes up most of the bill.
fn sentence(usage: &Usage, bill: &Bill, costs: &[PatternCost]) -> String {
    let dearest = usage.patterns.iter().zip(costs).max_by_key(|(_, cost)| cost.total());
    let Some((pattern, cost)) = dearest.filter(|(_, cost)| !cost.total().is_zero()) else {
        return "No pattern states a rate, so what is asked costs nothing yet.".to_owned();
    };
    let index = cost.index_writes.iter().max_by_key(|(.., cost)| *cost);
    let upkeep = match index {
        Some((_, index, upkeep)) if !upkeep.is_zero() => {
            format!(
                ", and {} of that pays for the index {index}",
                text::part(*upkeep, cost.total())
            )
        }
        _ => String::new(),
    };
    format!(
        "{} is {} of it{upkeep}. All reads together are {}, storage is {}.",
        pattern.name,
        text::part(cost.total(), bill.total()),
        text::about(bill.sum(|line| line.charge == Charge::Reads)),
        text::about(bill.sum(|line| line.charge == Charge::Storage))
    )
}

/// The bar: every pattern's writes, index writes and reads, the dearest pattern first, then the rest of the bill.
fn stack(usage: &Usage, bill: &Bill, costs: &[PatternCost]) -> Vec<StackPart> {
    let mut pieces: Vec<(CostKind, String, String, Money)> = Vec::new();
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(costs[*at].total()));
    for at in order {
        let (cost, name) = (&costs[at], &usage.patterns[at].name);
        let number = (at + 1).to_string();
        let mut add = |kind, title: String, cost: Money| {
            pieces.push((kind, number.clone(), title, cost));
        };
        add(CostKind::Write, name.clone(), cost.table_writes);
        for (_, index, upkeep) in &cost.index_writes {
            add(CostKind::Index, format!("{name}, its index {index}"), *upkeep);
        }
        add(CostKind::Read, name.clone(), cost.reads);
    }
    let rest = bill.sum(|line| line.shares.is_empty());
    pieces.push((CostKind::Other, String::new(), "Storage and the rest".to_owned(), rest));
    let whole = pieces.iter().map(|(.., cost)| *cost).sum();
    laid_out(pieces, whole, STACK_WIDTH)
}

/// Pieces laid side by side in a bar in which `whole` is `width` long.
pub(crate) fn laid_out(
    pieces: Vec<(CostKind, String, String, Money)>,
    whole: Money,
    width: u64,
) -> Vec<StackPart> {
    let mut sum = Money::ZERO;
    let mut parts = Vec::new();
    let mut x = 0;
    for (kind, number, title, cost) in pieces {
        sum += cost;
        let end = along(sum, whole, width);
        let room = end.saturating_sub(x) / 10;
        let amount = text::about(cost);
        let label = if room >= NAMED_FROM {
            let dot = if number.is_empty() { "" } else { " · " };
            format!("{number}{dot}{title} {amount}")
        } else if room >= NUMBERED_FROM {
            number
        } else {
            String::new()
        };
        if end > x {
            let title = format!("{title}: {amount}");
            parts.push(StackPart { kind, x: tenths(x), width: tenths(end - x), label, title });
        }
        x = end.max(x);
    }
    parts
}

/// Tenths of a unit from the left at which `part` of `whole` ends.
fn along(part: Money, whole: Money, width: u64) -> u64 {
    let tenths = Money::from_nanodollars(width * 10);
    let place = tenths.share(part.picodollars(), whole.picodollars());
    u64::try_from(place.picodollars() / 1_000).unwrap_or(0).min(width * 10)
}

fn tenths(n: u64) -> f32 {
    f32::from(u16::try_from(n).unwrap_or(u16::MAX)) / 10.0
}

/// Every index with what it costs and how it multiplies writes.
fn indexes(usage: &Usage, bill: &Bill) -> Vec<IndexRow> {
    let mut rows = Vec::new();
    for table in &usage.tables {
        for part in table.parts.iter().filter(|part| !part.index.is_empty()) {
            let charged = |is_wanted: &dyn Fn(Charge) -> bool| {
                bill.sum(|line| {
                    line.table == table.table && line.index == part.index && is_wanted(line.charge)
                })
            };
            let is_write = |charge| matches!(charge, Charge::Writes | Charge::ReplicaWrites);
            let asked = |index: &str| -> u128 {
                let uses = usage.patterns.iter().flat_map(|pattern| {
                    pattern.uses.iter().map(move |it| (pattern.rate.thousandths_a_month(), it))
                });
                uses.filter(|(_, it)| it.is_write && it.table == table.table && it.index == index)
                    .map(|(calls, it)| u128::from(calls) * u128::from(it.units.as_halves()))
                    .sum()
            };
            let (own, of_table) = (asked(&part.index), asked(""));
            rows.push(IndexRow {
                name: bill_table::place(&table.table, &part.index),
                writes: text::dollars(charged(&is_write)),
                storage: text::dollars(charged(&|charge| charge == Charge::Storage)),
                reads: text::dollars(charged(&|charge| charge == Charge::Reads)),
                amplification: match own.saturating_mul(1_000).checked_div(of_table) {
                    None => "nothing is written".to_owned(),
                    Some(times) => {
                        format!("{} WCU for each of the table's", text::number(times, 2))
                    }
                },
            });
        }
    }
    rows
}

/// The whole bill in each mode.
fn whole_modes(usage: &Usage, settings: &CostSettings) -> Vec<ModeRow> {
    MODES
        .iter()
        .map(|mode| ModeRow {
            name: mode_title(*mode),
            million: String::new(),
            month: text::dollars(
                bill(usage, &CostSettings { mode: *mode, ..settings.clone() }).total(),
            ),
            is_current: *mode == settings.mode,
        })
        .collect()
}

const fn mode_title(mode: CapacityMode) -> &'static str {
    match mode {
        CapacityMode::OnDemand => "On-demand",
        CapacityMode::Provisioned => "Provisioned for the peak",
        CapacityMode::AutoScaled => "Auto scaling, ideal",
    }
}

fn traffic_view(
    usage: &Usage,
    settings: &CostSettings,
    chosen: Option<usize>,
) -> Option<TrafficView> {
    let all = traffic(usage, settings);
    let dearest = || {
        (0..all.len()).max_by_key(|at| (all[*at].month(OnDemand, settings), std::cmp::Reverse(*at)))
    };
    let chosen = chosen.filter(|at| *at < all.len()).or_else(dearest)?;
    let shown = &all[chosen];
    let choices = all
        .iter()
        .map(|it| {
            let kind = if it.is_write { "writes to" } else { "reads of" };
            format!("{kind} {}", bill_table::place(&it.table, &it.index))
        })
        .collect();
    Some(TrafficView {
        choices,
        chosen,
        average: format!("{}/s", text::number(shown.thousandths_a_second(), 2)),
        peak: format!("{}/s", text::grouped(shown.peak_units(settings))),
        modes: MODES
            .iter()
            .map(|mode| ModeRow {
                name: mode_title(*mode),
                million: text::price_of_million(shown.million(*mode, settings)),
                month: text::about(shown.month(*mode, settings)),
                is_current: *mode == settings.mode,
            })
            .collect(),
        sentence: advice(shown, settings),
        by_use: chart::by_use(shown, settings),
        by_traffic: chart::by_traffic(shown, settings),
    })
}

/// Which mode is cheaper here, by how much, and from which use on that changes.
fn advice(shown: &Traffic, settings: &CostSettings) -> String {
    let even = break_even(shown.is_write, Reservation::None, settings);
    let used = shown.thousandths_a_second().saturating_mul(10) / shown.peak_units(settings).max(1);
    let (on_demand, rented) = (shown.month(OnDemand, settings), shown.month(Provisioned, settings));
    let use_is = format!("Average use is {} of the peak.", text::percent(used));
    let apart = if on_demand < rented {
        format!(
            "Below {} on-demand costs less than provisioning for the peak: here {} a month less.",
            text::percent(even),
            text::about(rented.minus(on_demand))
        )
    } else {
        format!(
            "From {} on provisioning for the peak costs less than on-demand: here {} a month less.",
            text::percent(even),
            text::about(on_demand.minus(rented))
        )
    };
    let year = break_even(shown.is_write, Reservation::OneYear, settings);
    format!(
        "{use_is} {apart} Reserved for a year it is from {} on. Auto scaling needs minutes to follow a shift that \
         starts in seconds.",
        text::percent(year)
    )
}

/// The price table.
fn prices(settings: &CostSettings) -> Vec<PriceView> {
    PRICES
        .iter()
        .map(|price| {
            let (figure, confidence) = settings.prices.figure(*price);
            let row = price.row();
            PriceView {
                key: row.key,
                what: row.words,
                per: row.per.words(),
                price: text::price(figure),
                number: figure.decimal(),
                confidence: match confidence {
                    Confidence::High => "several sources agree",
                    Confidence::Medium => "one source, check it",
                    Confidence::Assumed => "not known here, the figure of us-east-1",
                    Confidence::Own => "entered by you",
                },
                is_own: confidence == Confidence::Own,
            }
        })
        .collect()
}
