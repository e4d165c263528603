//! The panels: one file, one style and one root class each.

pub(crate) mod about;
pub(crate) mod capacity;
pub(crate) mod compare;
pub(crate) mod cost;
pub(crate) mod design;
pub(crate) mod editor;
pub(crate) mod forms;
pub(crate) mod guide;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod items;
pub(crate) mod links;
pub(crate) mod notice;
pub(crate) mod outline;
pub(crate) mod response;
pub(crate) mod sample;
pub(crate) mod shelf;
pub(crate) mod shortcuts;
pub(crate) mod stage;
pub(crate) mod topbar;
