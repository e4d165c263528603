//! The bill: what a month costs, by pattern and line, and on-demand against provisioned.

mod chart;
mod choices;

use hashrange_playground::cost::{BillRow, BillTable, CostKind, IndexRow, PatternRow, StackPart};
use leptos::prelude::expect_context;

use crate::browser::clipboard;
use crate::markup::{Element, IntoNode, Node, el, svg};
use crate::state::workspace::Workspace;
use crate::widgets::small_icon;

pub(crate) use choices::panel as choices;

/// The bill, in the middle of the page.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let view = workspace.design.cost();
    let sentence = move || {
        let (headline, sentence) = view.with(|view| (view.headline.clone(), view.sentence.clone()));
        el("p").child(el("b").child(headline)).child(format!(" {sentence}"))
    };
    let copy = el("button.button.is-small")
        .on_click(move || {
            clipboard::copy(
                &workspace.session.checked(hashrange_playground::Session::cost_as_markdown),
            );
            workspace.screen.announce("The bill was copied as Markdown.");
        })
        .child(small_icon("copy"))
        .child("Copy as Markdown");
    let stack = move || bar(view.with(|view| view.stack.clone()));
    let patterns = move || {
        let (rows, total) = view.with(|view| (view.patterns.clone(), view.patterns_total.clone()));
        pattern_table(rows, total)
    };
    let charts = move || view.with(|view| view.traffic.clone()).map(chart::section);
    let bill = move || bill_table(view.with(|view| view.bill.clone()));
    let indexes = move || index_table(view.with(|view| view.indexes.clone()));
    let note = move || view.with(|view| view.note.clone());
    let body = el("div.body")
        .child(
            el("section")
                .attr("aria-label", "By access pattern")
                .child(el("h2").child("By access pattern"))
                .child(stack)
                .child(legend())
                .child(el("div.scroll").attr("tabindex", "0").child(patterns)),
        )
        .child(charts)
        .child(indexes)
        .child(
            el("section")
                .attr("aria-label", "The bill")
                .child(el("h2").child("The bill"))
                .child(el("div.scroll").attr("tabindex", "0").child(bill))
                .child(el("p.quiet").child(note)),
        );
    el("section.cost-panel")
        .attr("aria-label", "Cost")
        .child(el("div.strip").child(sentence).child(copy))
        .child(body)
}

const KINDS: [(CostKind, &str, &str); 4] = [
    (CostKind::Write, "write", "writes to tables"),
    (CostKind::Index, "index", "writes to indexes"),
    (CostKind::Read, "read", "reads"),
    (CostKind::Other, "other", "storage and the rest"),
];

fn kind(kind: CostKind) -> &'static str {
    KINDS.iter().find(|(known, ..)| *known == kind).map_or("other", |(_, word, _)| word)
}

/// The bar of all costs.
pub(crate) fn bar(parts: Vec<StackPart>) -> Element {
    let part = |part: StackPart| {
        let middle = part.x + part.width / 2.0;
        let rect = svg("rect")
            .attr("x", part.x.to_string())
            .attr("width", part.width.to_string())
            .attr("height", "26");
        svg("g")
            .attr("data-kind", kind(part.kind))
            .child(svg("title").child(part.title))
            .child(rect)
            .child(svg("text").attr("x", middle.to_string()).attr("y", "17").child(part.label))
    };
    let words: Vec<String> = parts.iter().map(|part| part.title.clone()).collect();
    svg("svg.stack")
        .attr("viewBox", "0 0 1000 26")
        .attr("preserveAspectRatio", "none")
        .attr("role", "img")
        .attr("aria-label", format!("A month's cost: {}.", words.join(", ")))
        .children(parts.into_iter().map(part))
}

/// What the colours of the bars say.
pub(crate) fn legend() -> Element {
    let entry = |(_, word, words): (CostKind, &'static str, &'static str)| {
        el("li").child(el("i").attr("data-kind", word)).child(words)
    };
    el("ul.legend").attr("aria-hidden", "true").children(KINDS.map(entry))
}

fn titles(words: &[&'static str]) -> Element {
    let title = |(at, words): (usize, &&'static str)| {
        el(if at < 2 { "th" } else { "th.number" }).attr("scope", "col").child(*words)
    };
    el("thead").child(el("tr").children(words.iter().enumerate().map(title)))
}

fn pattern_table(rows: Vec<PatternRow>, total: String) -> Element {
    let row = |row: PatternRow| {
        el("tr")
            .child(el("td.quiet").child(row.number))
            .child(el("th").attr("scope", "row").child(row.name))
            .child(el("td.number").child(if row.rate.is_empty() {
                "–".to_owned()
            } else {
                row.rate
            }))
            .child(el("td.number").child(row.units))
            .child(el("td.number").child(row.share))
            .child(el("td.number").child(row.month))
    };
    let sum = el("tr.total")
        .child(el("td"))
        .child(el("th").attr("scope", "row").attr("colspan", "4").child("All patterns"))
        .child(el("td.number").child(total));
    el("table.data-table")
        .child(el("caption.visually-hidden").child("Cost of each access pattern"))
        .child(titles(&["#", "Access pattern", "Average rate", "Units a call", "Share", "A month"]))
        .child(el("tbody").children(rows.into_iter().map(row)).child(sum))
}

/// What each index costs; nothing where there is none.
fn index_table(rows: Vec<IndexRow>) -> Option<Element> {
    if rows.is_empty() {
        return None;
    }
    let row = |row: IndexRow| {
        el("tr")
            .child(el("th").attr("scope", "row").child(row.name))
            .child(el("td").child(row.amplification))
            .child(el("td.number").child(row.writes))
            .child(el("td.number").child(row.storage))
            .child(el("td.number").child(row.reads))
    };
    let table = el("table.data-table")
        .child(el("caption.visually-hidden").child("Cost of each index"))
        .child(titles(&[
            "Index",
            "Each write",
            "Writes a month",
            "Storage a month",
            "Reads a month",
        ]))
        .child(el("tbody").children(rows.into_iter().map(row)));
    let section = el("section").attr("aria-label", "By index");
    Some(
        section
            .child(el("h2").child("By index"))
            .child(el("div.scroll").attr("tabindex", "0").child(table)),
    )
}

fn bill_table(bill: BillTable) -> Node {
    let row = |row: BillRow| {
        let price = if row.is_price_marked { format!("{} *", row.price) } else { row.price };
        el("tr")
            .child(el("th").attr("scope", "row").child(row.what))
            .child(el("td").child(row.quantity).child(free(&row.free)))
            .child(el("td.number").child(price))
            .child(el("td.number").child(row.cost))
    };
    let sum = el("tr.total")
        .child(el("th").attr("scope", "row").attr("colspan", "3").child("A month"))
        .child(el("td.number").child(bill.total));
    let table = el("table.data-table")
        .child(el("caption.visually-hidden").child("The bill line by line"))
        .child(titles(&["What", "How much", "Price", "A month"]))
        .child(el("tbody").children(bill.rows.into_iter().map(row)).child(sum));
    let once = (!bill.once.is_empty()).then(|| {
        el("table.data-table")
            .child(el("caption").child("Paid once, when wanted"))
            .child(el("tbody").children(bill.once.into_iter().map(row)))
    });
    let notes = el("ul.notes").children(bill.notes.into_iter().map(|note| el("li").child(note)));
    vec![Some(table), once, Some(notes)].into_node()
}

fn free(words: &str) -> Option<Element> {
    (!words.is_empty()).then(|| el("span.quiet").child(format!(" · {words}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_bill_has_a_row_for_each_pattern_and_a_sum() {
        let words = words(&html(|workspace| workspace.design.run_all(), panel));
        assert!(words.starts_with("About $"), "{words}");
        assert!(words.contains("Record a sensor event"), "{words}");
        assert!(words.contains("break-even at 28.9"), "{words}");
        assert!(words.contains("SensorEvents.bySensor\n1 WCU for each of the table's"), "{words}");
    }
}
