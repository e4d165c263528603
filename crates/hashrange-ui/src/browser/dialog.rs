//! Modal dialogs: the browser's own, which hold the focus and close on Esc.

use leptos::prelude::Effect;
use web_sys::HtmlDialogElement;

use super::dom::ElementRef;

/// Opens the dialog modally as soon as it stands in the page.
pub(crate) fn show_on_mount(dialog: ElementRef) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get::<HtmlDialogElement>()
            && !dialog.open()
        {
            // Refused only when it is not in the document any more, and then there is nothing to show.
            let _ = dialog.show_modal();
        }
    });
}
