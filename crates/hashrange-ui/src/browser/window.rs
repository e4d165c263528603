//! Events of the whole window: its size, its keys, files dragged over it, and its end.

use leptos::prelude::*;

use super::{files, keyboard, text_field};
use crate::state::screen::DialogKind;
use crate::state::workspace::Workspace;

/// Listens to the window for as long as the owner lives.
pub(crate) fn listen(workspace: Workspace) {
    measure(workspace);
    let resize = window_event_listener(leptos::ev::resize, move |_| measure(workspace));
    let keys = window_event_listener(leptos::ev::keydown, move |event| press(workspace, &event));
    let hide = window_event_listener(leptos::ev::pagehide, move |_| {
        workspace.save.flush();
    });
    on_cleanup(move || {
        resize.remove();
        keys.remove();
        hide.remove();
    });
    listen_to_drops(workspace);
}

fn measure(workspace: Workspace) {
    let size = |value: Result<_, _>| {
        value.ok().and_then(|value: web_sys::wasm_bindgen::JsValue| value.as_f64())
    };
    let Some(window) = web_sys::window() else { return };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "px of a window")]
    let px = |value: Option<f64>| value.unwrap_or(0.0) as u32;
    let (width, height) = (px(size(window.inner_width())), px(size(window.inner_height())));
    if width > 0 {
        workspace.screen.resize(width, height);
    }
}

fn press(workspace: Workspace, event: &leptos::ev::KeyboardEvent) {
    let is_command = event.ctrl_key() || event.meta_key();
    let is_dialog_open = untrack(|| workspace.screen.dialog()).is_some();
    let is_form_open = untrack(|| workspace.forms.open()).is_some();
    match keyboard::shortcut(&event.key(), is_command, event.shift_key()) {
        Some(keyboard::Shortcut::Run) if is_form_open => workspace.apply_form(),
        Some(keyboard::Shortcut::Run) if !is_dialog_open => workspace.run(),
        Some(keyboard::Shortcut::Undo) if !text_field::is_typing() => workspace.undo(),
        Some(keyboard::Shortcut::Redo) if !text_field::is_typing() => workspace.redo(),
        Some(keyboard::Shortcut::Help)
            if !text_field::is_typing() && untrack(|| workspace.settings.has_letter_keys()) =>
        {
            workspace.screen.show_dialog(Some(DialogKind::Shortcuts));
        }
        Some(keyboard::Shortcut::Close) if !is_dialog_open => {
            workspace.forms.close();
            workspace.screen.open_outline(false);
            return;
        }
        _ => return,
    }
    event.prevent_default();
}

fn listen_to_drops(workspace: Workspace) {
    let over = window_event_listener(leptos::ev::dragover, move |event| {
        if files::carries_file(&event) {
            event.prevent_default();
            workspace.import.drag(true);
        }
    });
    // Leaving the window has no related target; leaving a child of it has one.
    let leave = window_event_listener(leptos::ev::dragleave, move |event| {
        if event.related_target().is_none() {
            workspace.import.drag(false);
        }
    });
    let drop = window_event_listener(leptos::ev::drop, move |event| {
        workspace.import.drag(false);
        if let Some(file) = files::dropped(&event) {
            event.prevent_default();
            workspace.import.read(workspace, file);
        }
    });
    on_cleanup(move || {
        over.remove();
        leave.remove();
        drop.remove();
    });
}
