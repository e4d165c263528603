//! What the open request cost: bars in bytes with unit ticks, a legend, a sentence, figures.

use hashrange_playground::view::{BarSegment, CapacityBar, CapacityView, SegmentKind};
use leptos::prelude::*;

use crate::signal::Memo;
use crate::state::workspace::Workspace;
use crate::widgets::{SegmentBar, Views, kind_word};

/// More bars than this have no room for captions.
const CAPTIONED_BARS_MAX: usize = 3;

/// The console's lower part; nothing where a request cost nothing.
#[component]
pub(crate) fn Capacity() -> impl IntoView {
    let entry = expect_context::<Workspace>().history.entry();
    let capacity = Memo::new(move |_| entry.with(|entry| entry.as_ref()?.capacity.clone()));
    move || capacity.get().map(|capacity| view! { <Cost capacity /> })
}

/// What a request cost.
#[component]
fn Cost(
    /// The cost.
    capacity: CapacityView,
) -> impl IntoView {
    let is_many = capacity.bars.len() > CAPTIONED_BARS_MAX;
    let bar = |bar| view! { <Bar bar is_captioned=!is_many /> };
    let figures = (!capacity.comparisons.is_empty()).then(|| {
        let figure = |(label, value): (String, String)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> };
        view! { <dl class="figures">{capacity.comparisons.into_iter().map(figure).views()}</dl> }
    });
    let targets = (capacity.by_target.len() > 1).then(|| {
        let target = |(name, units): (String, String)| view! { <dt>{name}</dt><dd class="number">{units}</dd> };
        view! { <dl class="targets">{capacity.by_target.into_iter().map(target).views()}</dl> }
    });
    view! {
        <section class="capacity-panel" aria-label="Capacity">
            <header>
                <h2>"Capacity"</h2>
                <p class="figure">{capacity.units}" "{capacity.unit}" "<small>{capacity.consistency}</small></p>
            </header>
            <div class="bars" class:is-many=is_many>{capacity.bars.into_iter().map(bar).views()}</div>
            <Legend entries=capacity.legend />
            <p>{capacity.sentence}</p>
            {targets}
            {figures}
        </section>
    }
    .into_any()
}

/// One bar: its segments over the ticks of its units.
#[component]
fn Bar(
    /// The bar.
    bar: CapacityBar,
    /// Whether there is room for its caption.
    is_captioned: bool,
) -> impl IntoView {
    let tick = |at: f32| view! { <i style:--at=at.to_string()></i> };
    let caption = bar.caption.clone();
    view! {
        <div class="bar" style:--grow=bar.share.to_string() title=bar.caption>
            <SegmentBar segments=bar.segments />
            <div class="ticks" aria-hidden="true">{bar.ticks.into_iter().map(tick).views()}</div>
            {is_captioned.then(|| view! { <p class="caption">{caption}</p> }.into_any())}
        </div>
    }
    .into_any()
}

/// What each kind of segment stands for.
#[component]
fn Legend(
    /// Kinds and their texts.
    entries: Vec<(SegmentKind, String)>,
) -> impl IntoView {
    let entry = |(kind, text): (SegmentKind, String)| {
        let swatch = BarSegment { kind, bytes: 0, share: 1.0, label: kind_word(kind).to_owned() };
        view! {
            <li>
                <span aria-hidden="true"><SegmentBar segments=vec![swatch] /></span>
                {text}
            </li>
        }
    };
    view! { <ul class="legend">{entries.into_iter().map(entry).views()}</ul> }.into_any()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn the_first_visit_shows_what_its_query_cost() {
        let html = html(|_| {}, || view! { <Capacity /> });
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
