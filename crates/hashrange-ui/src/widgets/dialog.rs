//! The frame of modal dialogs.

use std::rc::Rc;

use super::icon;
use crate::browser::dialog::show_on_mount;
use crate::browser::dom::ElementRef;
use crate::markup::{Element, Node, el};
use crate::signal::Signal;

/// A modal dialog with a title, a body that scrolls, and its actions at the end, if it has any. `spec` is
/// `dialog.dialog` with its own class; `on_close` is called when it was closed, by its button or by Esc.
pub(crate) fn dialog(
    spec: &'static str,
    title: Signal<String>,
    on_close: Rc<dyn Fn()>,
    body: Vec<Node>,
    actions: Option<Node>,
) -> Element {
    let reference = ElementRef::new();
    show_on_mount(reference);
    let on_press = Rc::clone(&on_close);
    let close = el("button.icon-button")
        .attr("aria-label", "Close")
        .on_click(move || on_press())
        .child(icon("close"));
    el(spec)
        .reference(reference)
        .attr("aria-label", move || title.get())
        .on("close", move |_| on_close())
        .child(el("header").child(el("h2").child(move || title.get())).child(close))
        .child(el("div.body").child(body))
        .child(actions.map(|actions| el("footer").child(actions)))
}
