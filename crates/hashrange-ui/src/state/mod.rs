//! The stores: one per concern, each a `Copy` handle with verbs to write and memos to read.

pub(crate) mod compare;
pub(crate) mod design;
pub(crate) mod editor;
pub(crate) mod forms;
pub(crate) mod geometry;
pub(crate) mod grid;
pub(crate) mod guide;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod import_items;
pub(crate) mod items;
mod items_acts;
pub(crate) mod save;
pub(crate) mod screen;
pub(crate) mod selection;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod shelf;
pub(crate) mod workspace;
