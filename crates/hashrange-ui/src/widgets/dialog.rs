//! The frame of modal dialogs.

use leptos::prelude::*;

use super::Icon;
use crate::browser::dialog::show_on_mount;
use crate::signal::Signal;

/// A modal dialog with a title, a body that scrolls, and its actions at the end.
#[component]
pub(crate) fn Dialog(
    /// The root class, beside `dialog`.
    class: &'static str,
    /// The title.
    #[prop(into)]
    title: Signal<String>,
    /// Called when it was closed, by its button or by Esc.
    #[prop(into)]
    on_close: Callback<()>,
    /// What stands at its end, if anything.
    #[prop(optional, into)]
    actions: Option<ViewFn>,
    /// What it says.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::new();
    show_on_mount(node);
    view! {
        <dialog class=class node_ref=node aria-label=move || title.get() on:close=move |_| on_close.run(())>
            <header>
                <h2>{move || title.get()}</h2>
                <button class="icon-button" type="button" aria-label="Close" on:click=move |_| on_close.run(())>
                    <Icon name="close" />
                </button>
            </header>
            <div class="body">{children()}</div>
            {actions.map(|actions| view! { <footer>{actions.run()}</footer> }.into_any())}
        </dialog>
    }
    .into_any()
}
