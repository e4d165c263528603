//! The capacity picture: bars of what was read, filtered out, written and rounded up.
//!
//! Invariant: the bytes of a bar's segments add up to what its units pay for.

use hashrange_types::{CapacityUnits, Operation};

use crate::format;
use crate::history::{Page, Ran, Written};
use crate::sentence;
use crate::view::{BarSegment, CapacityBar, CapacityView, SegmentKind};

/// Most ticks drawn under a bar; longer bars get a tick every few units.
const TICKS_MAX: u64 = 32;

const READ_BLOCK_BYTES: u64 = 4_096;
const WRITE_BLOCK_BYTES: u64 = 1_024;

/// The picture; none for what costs nothing.
pub(crate) fn capacity_view(ran: &Ran) -> Option<CapacityView> {
    let units = ran.units();
    if units.is_zero() {
        return None;
    }
    let is_write = ran.is_write();
    let bars = if is_write { write_bars(ran) } else { read_bars(ran) };
    Some(CapacityView {
        units: format::units_number(units),
        unit: format::unit_name(is_write),
        consistency: match ran.is_consistent {
            _ if is_write => "",
            Some(true) => "strongly consistent",
            Some(false) => "eventually consistent",
            None => "",
        },
        legend: legend(&bars),
        bars,
        sentence: sentence::cost(ran),
        by_target: by_target(ran),
        comparisons: comparisons(ran, units, is_write),
    })
}

/// The segments of the little bar in the history, with the bytes of all of them.
pub(crate) fn little_bar(ran: &Ran) -> Vec<(SegmentKind, u64)> {
    if ran.units().is_zero() {
        return Vec::new();
    }
    let bars = if ran.is_write() { write_bars(ran) } else { read_bars(ran) };
    totals(&bars)
}

fn read_bars(ran: &Ran) -> Vec<CapacityBar> {
    let n_pages = ran.pages.len();
    let longest = ran.pages.iter().map(|page| page.bytes_billed).max().unwrap_or(0);
    ran.pages
        .iter()
        .zip(1..)
        .map(|(page, number)| read_bar(ran, page, number, n_pages, longest))
        .collect()
}

fn read_bar(ran: &Ran, page: &Page, number: u32, n_pages: usize, longest: u64) -> CapacityBar {
    let filtered = page.bytes_read.saturating_sub(page.bytes_returned);
    let rounding = page.bytes_billed.saturating_sub(page.bytes_read);
    let pieces = [
        (SegmentKind::Returned, page.bytes_returned),
        (SegmentKind::Filtered, filtered),
        (SegmentKind::Rounding, rounding),
    ];
    let blocks = page.bytes_billed / READ_BLOCK_BYTES;
    let size = format::size(page.bytes_read);
    let caption = match ran.acts_as() {
        Some(Operation::Query | Operation::Scan) if n_pages == 1 => {
            format!("one page: {size} = {}", blocks_of(blocks))
        }
        Some(Operation::Query | Operation::Scan) => {
            format!("page {number}: {size} = {}", format::counted(blocks, "unit"))
        }
        _ => format!("{size} = {}", blocks_of(blocks)),
    };
    bar(caption, &pieces, READ_BLOCK_BYTES, longest)
}

/// `1 unit of 4 KB`, `3 units of 4 KB`.
fn blocks_of(blocks: u64) -> String {
    format!("{} of 4{}KB", format::counted(blocks, "unit"), format::GAP)
}

fn write_bars(ran: &Ran) -> Vec<CapacityBar> {
    let written: Vec<&Written> = ran.pages.iter().flat_map(|page| &page.written).collect();
    let billed = |it: &Written| {
        let units_per_block = if ran.is_transaction() && !it.is_index { 2 } else { 1 };
        it.units.as_halves().div_ceil(2 * units_per_block) * WRITE_BLOCK_BYTES
    };
    let longest = written.iter().map(|it| billed(it)).max().unwrap_or(0);
    written
        .into_iter()
        .filter(|it| !it.units.is_zero())
        .map(|it| {
            let kind = if it.is_index { SegmentKind::IndexWritten } else { SegmentKind::Written };
            let billed = billed(it);
            let pieces =
                [(kind, it.bytes), (SegmentKind::Rounding, billed.saturating_sub(it.bytes))];
            let label =
                if it.label == crate::written::BASE_TABLE { "base table" } else { &it.label };
            let size = format::size(it.bytes);
            let caption = format!("{label} {size} = {}", format::units_number(it.units));
            bar(caption, &pieces, WRITE_BLOCK_BYTES, longest)
        })
        .collect()
}

fn bar(caption: String, pieces: &[(SegmentKind, u64)], block: u64, longest: u64) -> CapacityBar {
    let total: u64 = pieces.iter().map(|(_, bytes)| bytes).sum();
    let blocks = total.div_ceil(block);
    let step = blocks.div_ceil(TICKS_MAX).max(1);
    let inner = (1..).map(|n| n * step).take_while(|at| *at < blocks);
    CapacityBar {
        caption,
        segments: segments(pieces, total),
        ticks: inner.map(|at| share(at * block, total)).collect(),
        share: share(total, longest),
    }
}

/// Segments of more than nothing, with their share of `whole` bytes.
pub(crate) fn segments(pieces: &[(SegmentKind, u64)], whole: u64) -> Vec<BarSegment> {
    pieces
        .iter()
        .filter(|(_, bytes)| *bytes > 0)
        .map(|(kind, bytes)| BarSegment {
            kind: *kind,
            bytes: u32::try_from(*bytes).unwrap_or(u32::MAX),
            share: share(*bytes, whole),
            label: label(*kind, *bytes),
        })
        .collect()
}

#[allow(clippy::cast_precision_loss, reason = "a share of a picture needs few digits")]
fn share(part: u64, whole: u64) -> f32 {
    if whole == 0 { 0.0 } else { (part as f32 / whole as f32).min(1.0) }
}

fn label(kind: SegmentKind, bytes: u64) -> String {
    let words = match kind {
        SegmentKind::Returned => "returned",
        SegmentKind::Filtered => "read, filtered out",
        SegmentKind::Rounding => "rounding",
        SegmentKind::Written => "written to the table",
        SegmentKind::IndexWritten => "written to indexes",
    };
    format!("{words} {}", format::size(bytes))
}

fn totals(bars: &[CapacityBar]) -> Vec<(SegmentKind, u64)> {
    let kinds = [
        SegmentKind::Returned,
        SegmentKind::Written,
        SegmentKind::IndexWritten,
        SegmentKind::Filtered,
        SegmentKind::Rounding,
    ];
    kinds
        .into_iter()
        .map(|kind| {
            let segments = bars.iter().flat_map(|bar| &bar.segments);
            let bytes = segments.filter(|segment| segment.kind == kind);
            (kind, bytes.map(|segment| u64::from(segment.bytes)).sum())
        })
        .filter(|(_, bytes)| *bytes > 0)
        .collect()
}

fn legend(bars: &[CapacityBar]) -> Vec<(SegmentKind, String)> {
    totals(bars).into_iter().map(|(kind, bytes)| (kind, label(kind, bytes))).collect()
}

/// Units by table and index, where there are several.
fn by_target(ran: &Ran) -> Vec<(String, String)> {
    let mut targets: Vec<(String, CapacityUnits, bool)> = Vec::new();
    let mut add = |label: String, units: CapacityUnits, is_write: bool| {
        if units.is_zero() {
            return;
        }
        match targets.iter_mut().find(|(known, ..)| *known == label) {
            Some((_, sum, _)) => *sum += units,
            None => targets.push((label, units, is_write)),
        }
    };
    for page in &ran.pages {
        let has_several = page.consumed.len() > 1;
        for consumed in &page.consumed {
            let table = consumed.table_name.rsplit('/').next().unwrap_or_default();
            let base = if has_several { table } else { crate::written::BASE_TABLE };
            add(base.to_owned(), consumed.table + consumed.failed, consumed.is_write);
            for (index, units) in consumed.local_indexes.iter().chain(&consumed.global_indexes) {
                let label =
                    if has_several { format!("{table}.{index}") } else { index.to_string() };
                add(label, *units, consumed.is_write);
            }
        }
    }
    if targets.len() < 2 {
        return Vec::new();
    }
    targets
        .into_iter()
        .map(|(label, units, is_write)| (label, format::units(units, is_write)))
        .collect()
}

/// What it would cost otherwise.
fn comparisons(ran: &Ran, units: CapacityUnits, is_write: bool) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |label: &str, value: String| all.push((label.to_owned(), value));
    if !is_write {
        match ran.is_consistent {
            Some(true) => {
                add(
                    "Eventually consistent",
                    format::units(CapacityUnits::halves(units.as_halves() / 2), false),
                );
            }
            Some(false) if !ran.is_global_index => {
                add("Strongly consistent", format::units(units.times(2), false));
            }
            _ => {}
        }
        if let Some(without) = ran.without_limit {
            add("Without Limit", format::units(without, false));
        }
    }
    add("A million calls", format::million_calls(units, is_write));
    all
}
