//! One line over the page that the person can act on or dismiss.

use leptos::prelude::*;

use crate::state::screen::Notice;
use crate::state::workspace::Workspace;
use crate::widgets::Icon;

/// The notice in view, if there is one.
#[component]
pub(crate) fn NoticeLine() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let screen = workspace.screen;
    let words = move |notice: Notice| {
        match notice {
        Notice::PutAside { title } => {
            let back = format!("Go back to {title}");
            view! {
                <span>{format!("{title} was put aside.")}</span>
                <button class="button is-small" type="button" on:click=move |_| workspace.bring_back()>{back}</button>
            }
            .into_any()
        }
        Notice::NotRestored { reason, address } => view! {
            <span>{format!("The last session could not be opened. {reason}")}</span>
            <a class="button is-small" href=address download="hashrange-session.bin">"Download it"</a>
        }
        .into_any(),
        Notice::Said(words) => view! { <span>{words}</span> }.into_any(),
    }
    };
    let line = move |notice: Notice| {
        view! {
            <div class="notice-panel" role="status">
                {words(notice)}
                <button class="icon-button is-small" type="button" aria-label="Dismiss" on:click=move |_| screen.show_notice(None)>
                    <Icon name="close" is_small=true />
                </button>
            </div>
        }
        .into_any()
    };
    move || screen.notice().map(line)
}
