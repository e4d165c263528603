//! The mark and the name.

use leptos::prelude::*;

/// The mark: a partition key beside its sort keys, one of them lit.
#[component]
pub(crate) fn Brand() -> impl IntoView {
    let bar = |class: &'static str, y: &'static str| {
        view! { <rect class=class x="10.5" y=y width="7.5" height="3" rx="1" /> }
    };
    view! {
        <span class="brand">
            <svg class="mark" viewBox="0 0 22 22" aria-hidden="true">
                <rect class="field" width="22" height="22" rx="5" />
                <rect class="hash" x="4" y="5" width="5" height="12" rx="1" />
                {bar("range", "5")}
                {bar("lit", "9.5")}
                {bar("range", "14")}
            </svg>
            <span class="name">"Hashrange"</span>
        </span>
    }
}
