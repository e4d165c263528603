//! The access patterns of both designs: units on one scale, what they come to and why.

use hashrange_playground::compare::{CompareCell, CompareRow};

use super::super::design::status;
use crate::markup::{Element, IntoNode, Node, el};

/// The patterns, those that differ first.
pub(super) fn section(
    rows: Vec<CompareRow>,
    [a, b, change]: [String; 3],
    is_picture: bool,
) -> Element {
    let title =
        |spec: &'static str, words: &'static str| el(spec).attr("scope", "col").child(words);
    let heads = el("tr")
        .child(title("th", "Access pattern"))
        .child(title("th", "A · units a call"))
        .child(title("th", "B · units a call"))
        .child(title("th.number.month", "A a month"))
        .child(title("th.number.month", "B a month"))
        .child(title("th.number", "Change"))
        .child(title("th.why", "Why"));
    let row = |row: CompareRow| pattern(row, is_picture);
    let sum = el("tr.total")
        .child(el("th").attr("scope", "row").attr("colspan", "3").child("The whole bill"))
        .child(el("td.number.month").child(a))
        .child(el("td.number.month").child(b))
        .child(el("td.number").child(change))
        .child(el("td.why"));
    let table = el("table.data-table")
        .child(el("caption.visually-hidden").child("Access patterns under both designs"))
        .child(el("thead").child(heads))
        .child(el("tbody").children(rows.into_iter().map(row)).child(sum));
    el("section.patterns")
        .attr("aria-label", "Access patterns")
        .child(el("h2").child("Access patterns"))
        .child(el("div.scroll").attr("tabindex", "0").child(table))
}

fn pattern(row: CompareRow, is_picture: bool) -> Element {
    let [a, b] = row.sides;
    let month = |side: &Option<CompareCell>| {
        let words = side.as_ref().map_or_else(|| "–".to_owned(), |it| it.month.clone());
        el("td.number.month").child(words)
    };
    let months = [month(&a), month(&b)];
    el(if row.is_same { "tr.is-same" } else { "tr" })
        .child(el("th").attr("scope", "row").child(row.words))
        .child(el("td").child(cell(a, is_picture)))
        .child(el("td").child(cell(b, is_picture)))
        .children(months)
        .child(el("td.number").child(row.change))
        .child(el("td.why").child(row.why))
}

/// What a call takes on one side, with a bar for it.
fn cell(cell: Option<CompareCell>, is_picture: bool) -> Node {
    let Some(cell) = cell else { return el("span.quiet").child("not asked").into_node() };
    let bar = is_picture.then(|| {
        let [own, index] = cell.bar;
        let part = |spec: &'static str, width: f32| {
            (width > 0.0).then(|| el(spec).style("width", format!("{width}%")))
        };
        el(if cell.is_bar_broken { "span.bar.is-broken" } else { "span.bar" })
            .attr("aria-hidden", "true")
            .child(part("i", own))
            .child(part("i.is-index", index))
    });
    el("span.cell")
        .attr("title", cell.how)
        .child(status(cell.glyph, cell.status))
        .child(el("span.units").child(cell.units))
        .child(bar)
        .into_node()
}
