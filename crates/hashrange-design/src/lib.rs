//! The design document: tables, entities, key templates, access patterns, sample data and foreign formats.
//!
//! Invariant: a design is one value; everything shown about it is derived from it.
//!
//! Not here: running requests (`hashrange-engine`), a person's session (`hashrange-playground`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compare;
pub mod cost;
pub mod derive;
pub mod document;
pub mod entity;
pub mod fix;
pub mod format;
pub mod guide;
pub mod key_check;
pub mod lint;
pub mod pattern;
pub mod recipe;
pub mod sample;
pub mod suggest;
pub mod survey;
pub mod table_form;
pub mod template;
pub mod words;

mod expression_attributes;
mod members;
mod numbered;
mod schema;

pub use derive::derive_entities;
pub use document::{AccessPattern, Design, DesignError, DesignKind, Entity, Silenced};
pub use entity::EntityMatcher;
pub use fix::Fix;
pub use format::workbench::{ImportError, Repair, WorkbenchImport, import_workbench};
pub use recipe::{Budget, Generator, Progress, Recipe, RecipeError};
pub use template::KeyTemplate;
