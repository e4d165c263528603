//! The page: stores provided, panels laid out. No logic.

use hashrange_playground::Session;
use leptos::prelude::expect_context;

use crate::browser::window;
use crate::markup::{Element, IntoNode, Node, aria, el};
use crate::panels::{
    about, capacity, cost, design, editor, forms, guide, import, notice, outline, response, shelf,
    shortcuts, stage, topbar,
};
use crate::state::save::Origin;
use crate::state::screen::{DialogKind, Notice, Pane, StageView};
use crate::state::workspace::Workspace;
use crate::widgets::icon;

/// What the page starts from.
#[derive(Debug)]
pub(crate) struct Start {
    /// The session: restored, or the first visit's.
    pub(crate) session: Session,
    /// Where it came from.
    pub(crate) origin: Origin,
    /// True if the browser keeps work for this page.
    pub(crate) can_save: bool,
    /// Something to say at once.
    pub(crate) notice: Option<Notice>,
}

/// The whole page.
pub(crate) fn page(start: Start) -> Element {
    let workspace = Workspace::provide(start.session);
    let screen = workspace.screen;
    workspace.settings.load();
    window::listen(workspace);
    workspace.save.enter(start.origin);
    workspace.save.watch();
    workspace.watch_shelf();
    workspace.design.watch();
    workspace.compare.watch();
    workspace.save.keep_draft(&workspace.editor);
    screen.show_notice(start.notice);
    if !start.can_save {
        workspace.save.give_up();
    }
    let console = el("aside.console")
        .attr("aria-label", "Console")
        .child(editor::panel())
        .child(response::panel())
        .child(capacity::panel())
        .child(move || match screen.view() {
            StageView::Data | StageView::Compare | StageView::Links => None,
            StageView::Design => Some(design::notes()),
            StageView::Cost => Some(cost::choices()),
            StageView::Guide => Some(guide::aside()),
        });
    let shell = el("div.shell")
        .attr("data-pane", move || screen.pane().word())
        .attr("data-view", move || screen.view().word())
        .attr("data-outline", move || if screen.is_outline_open() { "open" } else { "closed" })
        .child(outline::panel())
        .child(stage::panel())
        .child(console)
        .child(notice::panel());
    let announcement = el("p.visually-hidden")
        .attr("role", "status")
        .attr("aria-live", "polite")
        .child(move || screen.announcement());
    el("div.app")
        .child(el("a.skip-link").attr("href", "#items").child("Skip to the table"))
        .child(topbar::panel())
        .child(shelf::strip())
        .child(shell)
        .child(pane_bar())
        .child(announcement)
        .child(dialogs)
        .child(forms::dialog)
        .child(import::drop_scrim())
}

/// A phone's panes.
fn pane_bar() -> Element {
    let screen = expect_context::<Workspace>().screen;
    let button = |(pane, picture, word): (Pane, &'static str, &'static str)| {
        el("button")
            .attr("aria-pressed", move || aria(screen.pane() == pane))
            .on_click(move || screen.show_pane(pane))
            .child(icon(picture))
            .child(word)
    };
    let panes = [
        (Pane::Data, "table", "Data"),
        (Pane::Run, "run", "Run"),
        (Pane::Result, "rows", "Result"),
    ];
    el("nav.pane-bar").attr("aria-label", "Panes").children(panes.map(button))
}

/// The dialog that is open.
fn dialogs() -> Node {
    let dialog = expect_context::<Workspace>().screen.dialog().map(|dialog| match dialog {
        DialogKind::Import => import::dialog(),
        DialogKind::Designs => shelf::dialog(),
        DialogKind::About => about::dialog(),
        DialogKind::Shortcuts => shortcuts::dialog(),
    });
    dialog.into_node()
}
