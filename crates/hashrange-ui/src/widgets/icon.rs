//! Icons out of the sprite in `index.html`.

use leptos::prelude::*;

/// A picture without words; whatever holds it has to have a name of its own.
#[component]
pub(crate) fn Icon(
    /// The symbol's name in the sprite, without `i-`.
    name: &'static str,
    /// True for 14 px instead of 16.
    #[prop(optional)]
    is_small: bool,
) -> impl IntoView {
    let href = format!("#i-{name}");
    let class = if is_small { "icon icon-small" } else { "icon" };
    view! { <svg class=class aria-hidden="true"><use href=href></use></svg> }.into_any()
}
