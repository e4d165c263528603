//! The bills of both designs, what they store, and their hottest keys.

use hashrange_playground::compare::{BillRow, HeatRow, SizeRow};
use hashrange_playground::cost::StackPart;

use super::super::cost;
use super::side;
use crate::markup::{Element, IntoNode, Node, el};

/// The bills: bars on one scale, or a table.
pub(super) fn section(bars: [Vec<StackPart>; 2], rows: Vec<BillRow>, is_picture: bool) -> Element {
    let sums = rows.last().map(|row| row.amounts.clone()).unwrap_or_default();
    let drawn = if is_picture {
        let [a, b] = bars;
        let [of_a, of_b, _] = sums;
        let bar = |letter, parts, sum: String| {
            el("div.stack-row")
                .child(side(letter))
                .child(cost::bar(parts))
                .child(el("span.number").child(sum))
        };
        vec![bar("A", a, of_a), bar("B", b, of_b), cost::legend()].into_node()
    } else {
        let lines =
            rows.into_iter().map(|row| (row.what.to_owned(), row.amounts, row.kind.is_none()));
        table("The bill of a month", ["Kind", "A", "B", "Change"], lines).into_node()
    };
    el("section.bill").attr("aria-label", "A month").child(el("h2").child("A month")).child(drawn)
}

/// What lies in tables and indexes.
pub(super) fn sizes(rows: Vec<SizeRow>) -> Element {
    let cells = |sides: [String; 2], average: [String; 2]| {
        let [a, b] = sides;
        let [of_a, of_b] = average;
        [(a, of_a), (b, of_b)]
            .map(|(whole, each)| el("td.number").child(whole).child(el("span.quiet").child(each)))
    };
    let row = |row: SizeRow| {
        el(if row.is_same { "tr.is-same" } else { "tr" })
            .child(el("th").attr("scope", "row").child(row.place))
            .children(cells(row.sides, row.average))
    };
    let table = el("table.data-table")
        .child(el("caption.visually-hidden").child("Item sizes under both designs"))
        .child(heads(&["Stored", "A", "B"]))
        .child(el("tbody").children(rows.into_iter().map(row)));
    el("section.sizes")
        .attr("aria-label", "Item sizes")
        .child(el("h2").child("Item sizes"))
        .child(el("div.scroll").attr("tabindex", "0").child(table))
}

/// The hottest key of each table and index, of what one key may take.
pub(super) fn heat(rows: Vec<HeatRow>, is_picture: bool) -> Element {
    let section = el("section.heat").attr("aria-label", "Hottest keys").child(
        el("header").child(el("h2").child("Hottest keys")).child(
            el("p.quiet").child("of the 1,000 write or 3,000 read units a second one key may take"),
        ),
    );
    if rows.is_empty() {
        return section.child(el("p.none").child("No pattern states a rate."));
    }
    let row = |row: HeatRow| {
        let sides = row.loads.into_iter().zip(row.keys).zip(row.is_hot).zip(row.bars).zip(row.bins);
        let cells: Vec<Element> = sides
            .map(|((((load, key), is_hot), width), bin)| {
                let bar = is_picture.then(|| heat_bar(width, row.full_at, bin));
                el("td.number")
                    .child(el(if is_hot { "span.load.is-hot" } else { "span.load" }).child(load))
                    .child(bar)
                    .child(el("code").child(key))
            })
            .collect();
        el("tr").child(el("th").attr("scope", "row").child(row.place)).children(cells)
    };
    let table = el("table.data-table")
        .child(el("caption.visually-hidden").child("Hottest keys under both designs"))
        .child(heads(&["Where", "A", "B"]))
        .child(el("tbody").children(rows.into_iter().map(row)));
    section.child(el("div.scroll").attr("tabindex", "0").child(table))
}

/// A load as a bar, with a mark where the key is full.
fn heat_bar(width: f32, full_at: f32, bin: u8) -> Element {
    el("span.heat-bar")
        .attr("aria-hidden", "true")
        .child(el("i").attr("data-bin", u32::from(bin)).style("width", format!("{width}%")))
        .child(el("b").style("inset-inline-start", format!("{full_at}%")))
}

fn heads(words: &[&'static str]) -> Element {
    let head = |(at, words): (usize, &&'static str)| {
        el(if at == 0 { "th" } else { "th.number" }).attr("scope", "col").child(*words)
    };
    el("thead").child(el("tr").children(words.iter().enumerate().map(head)))
}

fn table(
    caption: &'static str,
    words: [&'static str; 4],
    rows: impl Iterator<Item = (String, [String; 3], bool)>,
) -> Node {
    let row = |(what, cells, is_sum): (String, [String; 3], bool)| {
        el(if is_sum { "tr.total" } else { "tr" })
            .child(el("th").attr("scope", "row").child(what))
            .children(cells.map(|cell| el("td.number").child(cell)))
    };
    el("table.data-table")
        .child(el("caption.visually-hidden").child(caption))
        .child(heads(&words))
        .child(el("tbody").children(rows.map(row)))
        .into_node()
}
