//! Key values with their shared prefix stepped back.

use hashrange_playground::view::KeyText;
use leptos::prelude::*;

/// `ORG#` dimmed, `1234` in full ink.
#[component]
pub(crate) fn KeyLabel(
    /// The value.
    key: KeyText,
) -> impl IntoView {
    view! { <span class="key"><span class="prefix">{key.prefix}</span>{key.rest}</span> }.into_any()
}
