//! Key values with their shared prefix stepped back.

use hashrange_playground::view::KeyText;

use crate::markup::{Element, el};

/// `ORG#` dimmed, `1234` in full ink.
pub(crate) fn key_label(key: KeyText) -> Element {
    el("span.key").child(el("span.prefix").child(key.prefix)).child(key.rest)
}
