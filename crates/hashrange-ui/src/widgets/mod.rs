//! Small parts that several panels share. They take values and callbacks and know no store.

mod brand;
mod code;
mod dialog;
mod icon;
mod ink;
mod key;
mod segment;
mod segment_bar;

pub(crate) use brand::brand;
pub(crate) use code::inked_text;
pub(crate) use dialog::dialog;
pub(crate) use icon::{icon, small_icon};
pub(crate) use key::key_label;
pub(crate) use segment::segment;
pub(crate) use segment_bar::{kind_word, segment_bar};
