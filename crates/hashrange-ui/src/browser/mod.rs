//! Everything that talks to the browser itself. No other module names `web_sys`.

pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod dialog;
pub(crate) mod dom;
pub(crate) mod files;
pub(crate) mod focus;
pub(crate) mod hold;
pub(crate) mod keyboard;
pub(crate) mod page;
pub(crate) mod recovery;
pub(crate) mod scroll;
pub(crate) mod settings;
pub(crate) mod storage;
pub(crate) mod tabs;
pub(crate) mod task;
pub(crate) mod text_field;
pub(crate) mod timer;
pub(crate) mod window;

/// False in native tests of panels, where effects would find nothing to talk to.
const IS_BROWSER: bool = cfg!(target_arch = "wasm32");

/// Does something whenever a memo has another value, not with its first.
pub(crate) fn when_changed<T: Send + Sync + 'static>(
    memo: crate::signal::Memo<T>,
    act: impl Fn() + 'static,
) {
    if IS_BROWSER {
        leptos::prelude::Effect::new(move |last: Option<()>| {
            memo.track();
            if last.is_some() {
                act();
            }
        });
    }
}
