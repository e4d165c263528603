//! The entity diagram: cards, with a bar for one and a crow's foot for many.

use hashrange_playground::guide::{DiagramCard, DiagramLine, DiagramView};
use leptos::prelude::expect_context;

use crate::markup::{Element, el, svg};
use crate::state::workspace::Workspace;

/// The picture; pressing one card and then another, or dragging between them, relates the two.
pub(super) fn picture(view: DiagramView) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let (width, height) = (view.width.max(200), view.height.max(40));
    let drawn = svg("svg.entity-diagram")
        .attr("viewBox", format!("0 0 {width} {height}"))
        .attr("width", width)
        .attr("height", height)
        .attr("role", "img")
        .attr("aria-label", format!("Entities and relations: {}", view.words))
        .on("pointerleave", move |_| guide.hold(""))
        .on("pointercancel", move |_| guide.hold(""))
        .children(view.lines.into_iter().map(line))
        .children(view.cards.into_iter().map(card));
    el("div.scroll")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "Diagram")
        .child(drawn)
}

fn line(line: DiagramLine) -> Element {
    let text = |(x, y, words): (i32, i32, String)| {
        svg("text").attr("x", x).attr("y", y).attr("text-anchor", "middle").child(words)
    };
    svg("g.line")
        .attr("data-kind", line.kind)
        .child(svg("path.way").attr("d", line.path))
        .child(svg("path").attr("d", line.ends))
        .children(line.labels.into_iter().map(text))
}

fn card(card: DiagramCard) -> Element {
    let guide = expect_context::<Workspace>().guide;
    let (x, y) = (card.x, card.y);
    let (down, up, own) = (card.name.clone(), card.name.clone(), card.name.clone());
    let lines = card.lines.into_iter().zip(1_i32..).map(|(words, n)| {
        svg("text.attribute").attr("x", x + 14).attr("y", y + 32 + 18 * n).child(words)
    });
    svg("g.card")
        .attr("data-slot", card.slot.to_string())
        .attr("data-name", card.name.clone())
        .attr("data-junction", card.is_junction.then_some("true"))
        .attr("data-from", move || (guide.ends[0].get() == own).then_some("true"))
        .on("pointerdown", move |_| guide.hold(&down))
        .on("pointerup", move |_| guide.let_go(&up))
        .child(
            svg("rect.box")
                .attr("x", x)
                .attr("y", y)
                .attr("width", 176)
                .attr("height", card.height)
                .attr("rx", 5),
        )
        .child(svg("rect.edge").attr("x", x).attr("y", y + 8).attr("width", 4).attr("height", 22))
        .child(
            svg("rect.letter-box")
                .attr("x", x + 14)
                .attr("y", y + 11)
                .attr("width", 16)
                .attr("height", 16)
                .attr("rx", 3),
        )
        .child(
            svg("text.letter")
                .attr("x", x + 22)
                .attr("y", y + 23)
                .attr("text-anchor", "middle")
                .child(card.letter),
        )
        .child(svg("text.name").attr("x", x + 38).attr("y", y + 24).child(card.name))
        .child(
            svg("text.total")
                .attr("x", x + 166)
                .attr("y", y + 24)
                .attr("text-anchor", "end")
                .child(card.count),
        )
        .children(lines)
}
