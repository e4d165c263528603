//! Everything that talks to the browser itself. No other module names `web_sys`.

pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod dialog;
pub(crate) mod dom;
pub(crate) mod files;
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
