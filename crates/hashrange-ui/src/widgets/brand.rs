//! The mark and the name.

use crate::markup::{Element, el, svg};

/// The mark: a partition key beside its sort keys, one of them lit.
pub(crate) fn brand() -> Element {
    let bar = |spec, x, y, width, height, radius| {
        svg(spec)
            .attr("x", x)
            .attr("y", y)
            .attr("width", width)
            .attr("height", height)
            .attr("rx", radius)
    };
    let mark = svg("svg.mark")
        .attr("viewBox", "0 0 22 22")
        .attr("aria-hidden", "true")
        .child(bar("rect.field", "0", "0", "22", "22", "5"))
        .child(bar("rect.hash", "4", "5", "5", "12", "1"))
        .child(bar("rect.range", "10.5", "5", "7.5", "3", "1"))
        .child(bar("rect.lit", "10.5", "9.5", "7.5", "3", "1"))
        .child(bar("rect.range", "10.5", "14", "7.5", "3", "1"));
    el("span.brand").child(mark).child(el("span.name").child("Hashrange"))
}
