//! A bar cut into pieces, as long as their shares.

use hashrange_playground::view::{BarSegment, SegmentKind};
use leptos::prelude::*;

use super::Views;

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

/// A bar of segments; what they say is their tooltip and, joined, the bar's name. Nothing without segments.
#[component]
pub(crate) fn SegmentBar(
    /// The pieces, left to right.
    segments: Vec<BarSegment>,
) -> impl IntoView {
    if segments.is_empty() {
        return ().into_any();
    }
    let label =
        segments.iter().map(|segment| segment.label.as_str()).collect::<Vec<_>>().join(", ");
    let piece = |segment: BarSegment| {
        view! {
            <i
                data-kind=kind_word(segment.kind)
                style:--share=segment.share.to_string()
                title=segment.label
            ></i>
        }
    };
    view! {
        <div class="segment-bar" role="img" aria-label=label>
            {segments.into_iter().map(piece).views()}
        </div>
    }
    .into_any()
}
