//! A bar cut into pieces, as long as their shares.

use hashrange_playground::view::{BarSegment, SegmentKind};

use crate::markup::{Element, el};

/// The word of a kind in `data-kind`.
pub(crate) fn kind_word(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Returned => "returned",
        SegmentKind::Filtered => "filtered",
        SegmentKind::Rounding => "rounding",
        SegmentKind::Written => "written",
        SegmentKind::IndexWritten => "index",
    }
}

/// A bar of segments, left to right; what they say is their tooltip and, joined, the bar's name. Nothing
/// without segments.
pub(crate) fn segment_bar(segments: Vec<BarSegment>) -> Option<Element> {
    if segments.is_empty() {
        return None;
    }
    let labels: Vec<&str> = segments.iter().map(|segment| segment.label.as_str()).collect();
    let bar = el("div.segment-bar").attr("role", "img").attr("aria-label", labels.join(", "));
    Some(bar.children(segments.into_iter().map(|segment| {
        el("i")
            .attr("data-kind", kind_word(segment.kind))
            .style("--share", segment.share)
            .attr("title", segment.label)
    })))
}
