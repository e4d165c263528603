//! The bill as Markdown, to paste elsewhere.
//!
//! Invariant: whatever a pattern is called, a row stays one row and a cell one cell.

use super::view::{BillRow, CostView};

/// Patterns, then the bill, then what it rests on.
pub fn markdown(view: &CostView) -> String {
    let mut text = format!("{} {}\n", view.headline, view.sentence);
    let patterns = view.patterns.iter().map(|row| {
        let number = row.number.to_string();
        [number, row.name.clone(), row.rate.clone(), row.units.clone(), row.month.clone()]
    });
    table(&mut text, ["#", "Access pattern", "Average rate", "Units a call", "A month"], patterns);
    let row = |row: &BillRow| {
        let cells = [&row.what, &row.quantity, &row.free, &row.price, &row.cost];
        cells.map(Clone::clone)
    };
    let heads = ["What", "Quantity", "Of it free", "Price", "A month"];
    let total = BillRow {
        what: "Total".to_owned(),
        quantity: String::new(),
        free: String::new(),
        price: String::new(),
        is_price_marked: false,
        cost: view.bill.total.clone(),
    };
    table(&mut text, heads, view.bill.rows.iter().chain([&total]).map(row));
    if !view.bill.once.is_empty() {
        table(
            &mut text,
            ["Once, when wanted", "Quantity", "Of it free", "Price", "Cost"],
            view.bill.once.iter().map(row),
        );
    }
    for note in &view.bill.notes {
        text.push('\n');
        text.push_str(note);
        text.push('\n');
    }
    text
}

/// Appends a table with these headings.
pub(crate) fn table<const N: usize>(
    text: &mut String,
    heads: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) {
    text.push('\n');
    let mut push = |cells: &[String]| {
        for cell in cells {
            text.push_str("| ");
            text.push_str(&cell.replace(['\n', '\r'], " ").replace('|', "\\|"));
            text.push(' ');
        }
        text.push_str("|\n");
    };
    push(&heads.map(str::to_owned));
    push(&heads.map(|_| "---".to_owned()));
    rows.for_each(|row| push(&row));
}
