//! The page: stores provided, panels laid out. No logic.

use hashrange_playground::Session;
use leptos::prelude::*;

use crate::browser::window;
use crate::panels::about::About;
use crate::panels::capacity::Capacity;
use crate::panels::editor::RequestEditor;
use crate::panels::import::{DropScrim, ImportDialog};
use crate::panels::notice::NoticeLine;
use crate::panels::outline::OutlineColumn;
use crate::panels::response::Response;
use crate::panels::shortcuts::Shortcuts;
use crate::panels::stage::Stage;
use crate::panels::topbar::Topbar;
use crate::state::save::SaveStore;
use crate::state::screen::{DialogKind, Notice, Pane};
use crate::state::workspace::Workspace;
use crate::widgets::{Icon, Views};

/// What the page starts from.
#[derive(Debug)]
pub(crate) struct Start {
    /// The session: restored, or the first visit's.
    pub(crate) session: Session,
    /// True if the browser keeps work for this page.
    pub(crate) can_save: bool,
    /// Something to say at once.
    pub(crate) notice: Option<Notice>,
}

/// The whole page.
#[component]
pub(crate) fn App(
    /// What it starts from.
    start: Start,
) -> impl IntoView {
    let workspace = Workspace::provide(start.session);
    let screen = workspace.screen;
    workspace.settings.load();
    window::listen(workspace);
    workspace.save.watch(workspace.session);
    SaveStore::keep_draft(workspace.editor);
    if !start.can_save {
        workspace.save.give_up();
    }
    screen.show_notice(start.notice);
    view! {
        <div class="app">
            <a class="skip-link" href="#items">"Skip to the table"</a>
            <Topbar />
            <div
                class="shell"
                data-pane=move || screen.pane().word()
                data-outline=move || if screen.is_outline_open() { "open" } else { "closed" }
            >
                <OutlineColumn />
                <Stage />
                <aside class="console" aria-label="Console">
                    <RequestEditor />
                    <Response />
                    <Capacity />
                </aside>
                <NoticeLine />
            </div>
            <PaneBar />
            <p class="visually-hidden" role="status" aria-live="polite">{move || screen.announcement()}</p>
            <Dialogs />
            <DropScrim />
        </div>
    }
}

/// A phone's panes.
#[component]
fn PaneBar() -> impl IntoView {
    let screen = expect_context::<Workspace>().screen;
    let button = move |(pane, icon, word): (Pane, &'static str, &'static str)| {
        view! {
            <button
                type="button"
                aria-pressed=move || if screen.pane() == pane { "true" } else { "false" }
                on:click=move |_| screen.show_pane(pane)
            >
                <Icon name=icon />
                {word}
            </button>
        }
    };
    let panes = [
        (Pane::Data, "table", "Data"),
        (Pane::Run, "run", "Run"),
        (Pane::Result, "rows", "Result"),
    ];
    view! { <nav class="pane-bar" aria-label="Panes">{panes.map(button).views()}</nav> }.into_any()
}

/// The dialog that is open.
#[component]
fn Dialogs() -> impl IntoView {
    let screen = expect_context::<Workspace>().screen;
    move || match screen.dialog() {
        Some(DialogKind::Import) => view! { <ImportDialog /> }.into_any(),
        Some(DialogKind::About) => view! { <About /> }.into_any(),
        Some(DialogKind::Shortcuts) => view! { <Shortcuts /> }.into_any(),
        None => ().into_any(),
    }
}
