//! The bar along the top.

use leptos::prelude::{expect_context, untrack};

use crate::markup::{Element, aria, el};
use crate::panels::shelf;
use crate::state::save::SaveState;
use crate::state::screen::DialogKind;
use crate::state::session::SessionStore;
use crate::state::settings::Theme;
use crate::state::workspace::Workspace;
use crate::widgets::{brand, icon, small_icon};

/// Mark, design with the list of all, examples, import, theme, help and about.
pub(crate) fn panel() -> Element {
    let workspace = expect_context::<Workspace>();
    let screen = workspace.screen;
    let outline = el("button.icon-button.outline-toggle")
        .attr("aria-label", "Tables and access patterns")
        .attr("aria-expanded", move || aria(screen.is_outline_open()))
        .on_click(move || screen.open_outline(!untrack(|| screen.is_outline_open())))
        .child(icon("rows"));
    let import = el("button.button.import")
        .attr("aria-label", "Import a file")
        .on_click(move || workspace.import.begin())
        .child(small_icon("import"))
        .child(el("span").child("Import"));
    let designs = el("button.icon-button.designs")
        .attr("aria-label", "Designs")
        .attr("title", "Designs in this browser")
        .attr("aria-haspopup", "dialog")
        .on_click(move || workspace.show_shelf())
        .child(icon("down"));
    let shortcuts = DialogKind::Shortcuts;
    let about = DialogKind::About;
    el("header.topbar-panel")
        .child(outline)
        .child(brand())
        .child(shelf::title())
        .child(designs)
        .child(saved())
        .child(example_menu())
        .child(import)
        .child(el("span.rule"))
        .child(theme_toggle())
        .child(dialog_button("button.icon-button", "help", "Help and keyboard", shortcuts))
        .child(dialog_button("button.icon-button.about", "about", "About Hashrange", about))
}

/// Whether the work is kept.
fn saved() -> Element {
    let save = expect_context::<Workspace>().save;
    let words = move || match save.state() {
        SaveState::Untouched => "Not changed, not saved",
        SaveState::Pending => "Saving …",
        SaveState::Saved => "Saved in this browser",
        SaveState::Blocked => "Not saved: this browser keeps nothing for this page",
        SaveState::Full => "Not saved: this browser has no room left",
        SaveState::Elsewhere => "Open in another tab",
    };
    el("span.saved").attr("title", words).child(words)
}

/// The examples; choosing one opens it and puts the work aside.
fn example_menu() -> Element {
    let workspace = expect_context::<Workspace>();
    let examples = SessionStore::examples();
    let shown = examples.clone();
    let chosen = move || {
        let title = workspace.session.title().get();
        let card = shown.iter().find(|card| card.title == title);
        card.map(|card| card.slug.clone()).unwrap_or_default()
    };
    let title = el("option").attr("value", "").attr("disabled", true).child("Examples");
    el("select.select.examples")
        .attr("aria-label", "Examples")
        .value(chosen)
        .on_value("change", move |slug| workspace.open_example(&slug))
        .child(title)
        .children(examples.into_iter().map(|card| {
            el("option").attr("value", card.slug).attr("title", card.question).child(card.title)
        }))
}

/// System, light, dark, and round again.
fn theme_toggle() -> Element {
    let settings = expect_context::<Workspace>().settings;
    let label = move || match settings.theme() {
        Theme::System => "Theme: as the system. Switch to light",
        Theme::Light => "Theme: light. Switch to dark",
        Theme::Dark => "Theme: dark. Switch to the system's",
    };
    let picture = move || match settings.theme() {
        Theme::System => "theme",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    el("button.icon-button")
        .attr("aria-label", label)
        .attr("title", label)
        .on_click(move || settings.set_theme(untrack(|| settings.theme()).next()))
        .child(move || icon(picture()))
}

/// A button that opens a dialog; `label` is its name.
fn dialog_button(
    spec: &'static str,
    picture: &'static str,
    label: &'static str,
    dialog: DialogKind,
) -> Element {
    let screen = expect_context::<Workspace>().screen;
    el(spec)
        .attr("aria-label", label)
        .attr("title", label)
        .attr("aria-haspopup", "dialog")
        .on_click(move || screen.show_dialog(Some(dialog)))
        .child(icon(picture))
}
