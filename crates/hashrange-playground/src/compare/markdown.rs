//! The comparison as Markdown, to paste elsewhere.

use super::view::CompareView;
use crate::cost::markdown_table;

/// Verdict, differences, patterns, bills, sizes and heat.
pub fn markdown(view: &CompareView) -> String {
    let [a, b] = &view.titles;
    let mut text =
        format!("**{}** {}\n\nA is {a}, B is {b}. {}\n", view.headline, view.sentence, view.about);
    let [of_a, of_b] = ["A", "B"];
    let differences = view.differences.iter().map(|it| {
        let [a, b] = it.sides.clone();
        [it.what.clone(), a, b, it.gives.clone(), it.takes.clone()]
    });
    if !view.differences.is_empty() {
        let heads = [view.n_differences.as_str(), of_a, of_b, "Gives", "Takes"];
        markdown_table(&mut text, heads, differences);
    }
    let patterns = view.patterns.iter().map(|row| {
        let units = row.sides.each_ref().map(|side| {
            side.as_ref().map_or_else(String::new, |it| format!("{} {}", it.glyph, it.units))
        });
        let month = row
            .sides
            .each_ref()
            .map(|side| side.as_ref().map_or_else(String::new, |it| it.month.clone()));
        let ([ua, ub], [ma, mb]) = (units, month);
        [row.words.clone(), ua, ub, ma, mb, row.change.clone(), row.why.clone()]
    });
    let heads =
        ["Access pattern", "A, a call", "B, a call", "A a month", "B a month", "Change", "Why"];
    markdown_table(&mut text, heads, patterns);
    let bills = view.bills.iter().map(|row| {
        let [a, b, change] = row.amounts.clone();
        [row.what.to_owned(), a, b, change]
    });
    markdown_table(&mut text, ["The bill of a month", of_a, of_b, "Change"], bills);
    let sizes = view.sizes.iter().map(|row| {
        let [a, b] = row.sides.clone();
        [row.place.clone(), a, b]
    });
    markdown_table(&mut text, ["Stored", of_a, of_b], sizes);
    if !view.heat.is_empty() {
        let heat = view.heat.iter().map(|row| {
            let [a, b] = row.loads.clone();
            [row.place.clone(), a, b]
        });
        markdown_table(&mut text, ["Hottest key", of_a, of_b], heat);
    }
    text
}
