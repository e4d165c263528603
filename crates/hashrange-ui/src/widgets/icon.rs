//! Icons out of the sprite in `index.html`.

use crate::markup::{Element, svg};

/// A picture without words, 16 px wide; whatever holds it has to have a name of its own. `name` is the symbol's
/// in the sprite, without `i-`.
pub(crate) fn icon(name: &'static str) -> Element {
    picture("svg.icon", name)
}

/// As [`icon`], 14 px wide.
pub(crate) fn small_icon(name: &'static str) -> Element {
    picture("svg.icon.icon-small", name)
}

fn picture(spec: &'static str, name: &'static str) -> Element {
    let symbol = svg("use").attr("href", format!("#i-{name}"));
    svg(spec).attr("aria-hidden", "true").child(symbol)
}
