//! The bill in words: what, how much of it, at which price, and what it rests on.
//!
//! Invariant: a row for each line of the bill, in its order; the total is the bill's.

use hashrange_design::cost::{
    AS_OF, Bill, BillLine, CapacityMode, Charge, Confidence, CostSettings, Per, Price, Reservation,
};

use super::text;
use super::view::{BillRow, BillTable};
use crate::format::{self, GAP};

/// The bill as a table.
pub(crate) fn bill_table(bill: &Bill, settings: &CostSettings) -> BillTable {
    let rows = |lines: &[BillLine]| lines.iter().map(|line| row(line, settings)).collect();
    BillTable {
        rows: rows(&bill.lines),
        total: text::dollars(bill.total()),
        once: rows(&bill.once),
        notes: notes(bill, settings),
    }
}

/// Region, date and what is left out, in one line.
pub(crate) fn note(settings: &CostSettings) -> String {
    let prices = &settings.prices;
    let own = if prices.own.is_empty() { "list prices" } else { "prices, some of them your own" };
    let tier = if settings.counts_free_tier { "free tier taken off" } else { "free tier left out" };
    let class = if settings.is_infrequent_access { "Standard-IA" } else { "Standard" };
    format!(
        "{} {own} of {AS_OF}, {}, {class} table class, {tier}",
        prices.region.name(),
        mode_name(settings.mode)
    )
}

/// `on-demand`, `provisioned`, `auto scaling at 70 %`.
pub(crate) const fn mode_name(mode: CapacityMode) -> &'static str {
    super::chart::line_kind(mode).1
}

fn row(line: &BillLine, settings: &CostSettings) -> BillRow {
    let per = line.price.row().per;
    let (figure, confidence) = settings.prices.figure(line.price);
    let quantity = |thousandths| quantity(line, per, thousandths);
    let is_bought_ahead = settings.reservation != Reservation::None;
    let free = match (line.free_thousandths, is_bought_ahead && per == Per::Hour) {
        (0, _) => String::new(),
        (n, true) => format!("{} reserved or free", quantity(n)),
        (n, false) => format!("{} free", quantity(n)),
    };
    let once_hourly = line.charge == Charge::WarmThroughput;
    BillRow {
        what: what(line),
        quantity: quantity(line.thousandths),
        free,
        price: if once_hourly {
            format!("{} each, once", text::price(figure))
        } else {
            format!("{} {}", text::price(figure), per.words())
        },
        is_price_marked: matches!(confidence, Confidence::Assumed | Confidence::Own),
        cost: text::dollars(line.cost),
    }
}

fn what(line: &BillLine) -> String {
    let place = place(&line.table, &line.index);
    let is_rented = line.price.row().per == Per::Hour;
    let capacity = if is_rented { "capacity of " } else { "to " };
    let read_place = if is_rented { "capacity of " } else { "of " };
    match line.charge {
        Charge::Reads => format!("Read{} {read_place}{place}", if is_rented { "" } else { "s" }),
        Charge::Writes => format!("Write{} {capacity}{place}", if is_rented { "" } else { "s" }),
        Charge::ReplicaReads => format!("Read capacity of {place} in other Regions"),
        Charge::ReplicaWrites => format!("Writes to {place} in other Regions"),
        Charge::Reserved | Charge::DaxNodes => line.price.row().words.to_owned(),
        Charge::Storage => format!("Storage of {place}"),
        Charge::PointInTime => "Point-in-time recovery".to_owned(),
        Charge::Backups => "Backups kept".to_owned(),
        Charge::StreamReads => "Stream reads".to_owned(),
        Charge::Transfer => "Transfer to other Regions".to_owned(),
        Charge::Restore => "A restore of everything".to_owned(),
        Charge::WarmThroughput => format!("Warm throughput of {place} for the peak"),
    }
}

/// `Orders`, `Orders.byStatus`.
pub(crate) fn place(table: &str, index: &str) -> String {
    if index.is_empty() { table.to_owned() } else { format!("{table}.{index}") }
}

fn quantity(line: &BillLine, per: Per, thousandths: u128) -> String {
    let whole = thousandths / 1_000;
    match per {
        Per::Million | Per::HundredThousand => counted(text::number(thousandths, 1), "unit"),
        Per::GbMonth | Per::Gb => format::size(u64::try_from(whole).unwrap_or(u64::MAX)),
        Per::Block | Per::BlockHour => counted(text::grouped(whole * 100), unit(line.is_write)),
        Per::Hour if line.charge == Charge::DaxNodes => counted(text::grouped(whole), "node"),
        Per::Hour => counted(text::grouped(whole), unit(line.is_write)),
    }
}

const fn unit(is_write: bool) -> &'static str {
    if is_write { "WCU" } else { "RCU" }
}

fn counted(number: String, noun: &str) -> String {
    let is_plain = number == "1" || noun.ends_with('U');
    let noun = if is_plain { noun.to_owned() } else { format::plural(noun) };
    number + &GAP.to_string() + &noun
}

/// What the figures rest on, one sentence each.
fn notes(bill: &Bill, settings: &CostSettings) -> Vec<String> {
    let mut notes = vec![format!("{}. A month is 730 hours.", note(settings))];
    let lines = || bill.lines.iter().chain(&bill.once);
    let mut known: Vec<Price> = lines().map(|line| line.price).collect();
    known.sort_unstable();
    known.dedup();
    let words_of = |wanted: Confidence| -> Vec<&str> {
        let is_wanted = |price: &&Price| settings.prices.figure(**price).1 == wanted;
        known.iter().filter(is_wanted).map(|price| price.row().words).collect()
    };
    let mut say = |words: Vec<&str>, sentence: String| {
        if !words.is_empty() {
            notes.push(format!("{}: {sentence}", words.join(", ")));
        }
    };
    let region = settings.prices.region.name();
    say(
        words_of(Confidence::Assumed),
        format!("not known for {region}, so the figure of us-east-1 stands in; enter your own."),
    );
    say(
        words_of(Confidence::Medium),
        "from a single source; check before you rely on it.".to_owned(),
    );
    if settings.mode == CapacityMode::AutoScaled {
        notes.push(
            "Auto scaling is counted as if it followed every change at once; it needs minutes."
                .to_owned(),
        );
    }
    if settings.n_replica_regions > 0 {
        notes.push(format!(
            "Other Regions are counted at the prices of {region}, and transfer at 1{GAP}KB for each write unit."
        ));
    }
    if settings.reservation != Reservation::None
        && !bill.lines.iter().any(|line| line.charge == Charge::Reserved)
    {
        notes.push(
            "Reserved capacity covers whole blocks of 100 units of provisioned Standard tables in one Region: \
             here it covers nothing."
                .to_owned(),
        );
    }
    notes
}
