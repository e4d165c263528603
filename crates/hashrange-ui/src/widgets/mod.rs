//! Small parts that several panels share. They take values and callbacks and know no store.

mod brand;
mod code;
mod dialog;
mod icon;
mod ink;
mod key;
mod segment;
mod segment_bar;
mod views;

pub(crate) use brand::Brand;
pub(crate) use code::InkedText;
pub(crate) use dialog::Dialog;
pub(crate) use icon::Icon;
pub(crate) use key::KeyLabel;
pub(crate) use segment::Segment;
pub(crate) use segment_bar::{SegmentBar, kind_word};
pub(crate) use views::Views;
