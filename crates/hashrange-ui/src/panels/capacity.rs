//! What the open request cost: bars in bytes with unit ticks, a legend, a sentence, figures.

use hashrange_playground::view::{BarSegment, CapacityBar, CapacityView, SegmentKind};
use leptos::prelude::expect_context;

use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::{kind_word, segment_bar};

/// More bars than this have no room for captions.
const CAPTIONED_BARS_MAX: usize = 3;

/// The console's lower part; nothing where a request cost nothing.
pub(crate) fn panel() -> Node {
    let entry = expect_context::<Workspace>().history.entry();
    let capacity = Memo::new(move |_| entry.with(|entry| entry.as_ref()?.capacity.clone()));
    (move || capacity.get().map(cost)).into_node()
}

/// What a request cost.
fn cost(capacity: CapacityView) -> Element {
    let is_many = capacity.bars.len() > CAPTIONED_BARS_MAX;
    let figure = el("p.figure")
        .child(capacity.units)
        .child(" ")
        .child(capacity.unit)
        .child(" ")
        .child(el("small").child(capacity.consistency));
    let bars = el(if is_many { "div.bars.is-many" } else { "div.bars" });
    let targets = (capacity.by_target.len() > 1).then(|| {
        capacity.by_target.into_iter().fold(el("dl.targets"), |list, (name, units)| {
            list.child(el("dt").child(name)).child(el("dd.number").child(units))
        })
    });
    let figures = (!capacity.comparisons.is_empty()).then(|| {
        el("dl.figures").children(capacity.comparisons.into_iter().map(|(label, value)| {
            el("div").child(el("dt").child(label)).child(el("dd").child(value))
        }))
    });
    el("section.capacity-panel")
        .attr("aria-label", "Capacity")
        .child(el("header").child(el("h2").child("Capacity")).child(figure))
        .child(bars.children(capacity.bars.into_iter().map(|drawn| bar(drawn, !is_many))))
        .child(legend(capacity.legend))
        .child(el("p").child(capacity.sentence))
        .child(targets)
        .child(figures)
}

/// One bar: its segments over the ticks of its units, and its caption where there is room for it.
fn bar(bar: CapacityBar, is_captioned: bool) -> Element {
    let ticks = bar.ticks.into_iter().map(|at| el("i").style("--at", at));
    let caption = is_captioned.then(|| el("p.caption").child(bar.caption.clone()));
    el("div.bar")
        .style("--grow", bar.share)
        .attr("title", bar.caption)
        .child(segment_bar(bar.segments))
        .child(el("div.ticks").attr("aria-hidden", "true").children(ticks))
        .child(caption)
}

/// What each kind of segment stands for.
fn legend(entries: Vec<(SegmentKind, String)>) -> Element {
    el("ul.legend").children(entries.into_iter().map(|(kind, text)| {
        let swatch = BarSegment { kind, bytes: 0, share: 1.0, label: kind_word(kind).to_owned() };
        let swatch = el("span").attr("aria-hidden", "true").child(segment_bar(vec![swatch]));
        el("li").child(swatch).child(text)
    }))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_first_visit_shows_what_its_query_cost() {
        let html = html(|_| {}, panel);
        expect![[r"
            Capacity
            3.5
            RCU
            eventually consistent
            page 1: 13.2 KB = 4 units
            page 2: 10.6 KB = 3 units
            returned 5.0 KB
            read, filtered out 18.8 KB
            rounding 4.2 KB
            Read 23.8 KB to return 5.0 KB: 79 % was filtered out after the read, and you pay for it. The sparse index isOnHold would answer with 0.5 RCU, as far as it holds the attributes.
            Strongly consistent
            7 RCU
            Without Limit
            3 RCU
            A million calls
            $0.44
        "]].assert_eq(&words(&html));
    }
}
