//! The bar along the top.

use leptos::prelude::*;

use crate::state::save::SaveState;
use crate::state::screen::DialogKind;
use crate::state::session::SessionStore;
use crate::state::settings::Theme;
use crate::state::workspace::Workspace;
use crate::widgets::{Brand, Icon, Views};

/// Mark, design, examples, import, theme, help and about.
#[component]
pub(crate) fn Topbar() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let screen = workspace.screen;
    view! {
        <header class="topbar-panel">
            <button
                class="icon-button outline-toggle"
                type="button"
                aria-label="Tables and access patterns"
                aria-expanded=move || if screen.is_outline_open() { "true" } else { "false" }
                on:click=move |_| screen.open_outline(!untrack(|| screen.is_outline_open()))
            >
                <Icon name="rows" />
            </button>
            <Brand />
            <span class="design">{move || workspace.session.title().get()}</span>
            <Saved />
            <ExampleMenu />
            <button class="button import" type="button" aria-label="Import a file" on:click=move |_| workspace.import.begin()>
                <Icon name="import" is_small=true />
                <span>"Import"</span>
            </button>
            <span class="rule"></span>
            <ThemeToggle />
            <DialogButton class="icon-button" icon="help" label="Help and keyboard" dialog=DialogKind::Shortcuts />
            <DialogButton class="icon-button about" icon="about" label="About Hashrange" dialog=DialogKind::About />
        </header>
    }
    .into_any()
}

/// Whether the work is kept.
#[component]
fn Saved() -> impl IntoView {
    let save = expect_context::<Workspace>().save;
    let words = move || match save.state() {
        SaveState::Untouched => "",
        SaveState::Pending => "Saving …",
        SaveState::Saved => "Saved in this browser",
        SaveState::Unavailable => "Not saved: this browser keeps nothing for this page",
    };
    view! { <span class="saved" title=words>{words}</span> }
}

/// The examples; choosing one opens it and puts the work aside.
#[component]
fn ExampleMenu() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let examples = SessionStore::examples();
    let shown = examples.clone();
    let chosen = move || {
        let title = workspace.session.title().get();
        let card = shown.iter().find(|card| card.title == title);
        card.map(|card| card.slug.clone()).unwrap_or_default()
    };
    let options = examples.into_iter().map(|card| {
        view! { <option value=card.slug title=card.question>{card.title}</option> }
    });
    let options = options.views();
    view! {
        <select
            class="select examples"
            aria-label="Examples"
            prop:value=chosen
            on:change=move |event| workspace.open_example(&event_target_value(&event))
        >
            <option value="" disabled=true>"Examples"</option>
            {options}
        </select>
    }
    .into_any()
}

/// System, light, dark, and round again.
#[component]
fn ThemeToggle() -> impl IntoView {
    let settings = expect_context::<Workspace>().settings;
    let label = move || match settings.theme() {
        Theme::System => "Theme: as the system. Switch to light",
        Theme::Light => "Theme: light. Switch to dark",
        Theme::Dark => "Theme: dark. Switch to the system's",
    };
    let icon = move || match settings.theme() {
        Theme::System => view! { <Icon name="theme" /> },
        Theme::Light => view! { <Icon name="light" /> },
        Theme::Dark => view! { <Icon name="dark" /> },
    };
    view! {
        <button
            class="icon-button"
            type="button"
            aria-label=label
            title=label
            on:click=move |_| settings.set_theme(untrack(|| settings.theme()).next())
        >
            {icon}
        </button>
    }
    .into_any()
}

/// A button that opens a dialog.
#[component]
fn DialogButton(
    /// Its classes.
    class: &'static str,
    /// Its icon.
    icon: &'static str,
    /// Its name.
    label: &'static str,
    /// What it opens.
    dialog: DialogKind,
) -> impl IntoView {
    let screen = expect_context::<Workspace>().screen;
    view! {
        <button
            class=class
            type="button"
            aria-label=label
            title=label
            aria-haspopup="dialog"
            on:click=move |_| screen.show_dialog(Some(dialog))
        >
            <Icon name=icon />
        </button>
    }
}
