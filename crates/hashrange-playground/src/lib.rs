//! The headless session: text in, plain view values out; a person's whole session is one value.
//!
//! Invariant: a view is derived from the session and ready to draw. No text, file or number makes it panic.
//!
//! Not here: drawing (`hashrange-ui`), what requests do (`hashrange-engine`), foreign formats
//! (`hashrange-design`).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compare;
pub mod cost;
pub mod guide;
pub mod links;
pub mod view;

mod about;
mod asked;
mod better_index;
mod capacity_view;
mod census;
mod designer;
mod edit;
mod entry_view;
mod example;
mod file;
mod format;
mod grid;
mod history;
mod import;
mod items_import;
mod load;
mod operations;
mod outline;
mod recognition;
mod refusal;
mod request;
mod run;
mod sampling;
mod save;
mod sentence;
mod session;
mod shelf;
mod starter;
mod statement_template;
mod template;
mod told;
mod undo;
mod written;

pub use designer::{Form, FormDraft, Trial};
pub use edit::{
    EntitySample, IndexForm, KeyField, MAKES, Make, ProjectionForm, Relation, RelationKind,
    SampleAttribute, TableForm,
};
pub use grid::GridShape;
pub use hashrange_design::pattern::arrange::{
    Arrangement, PatternColumn, PatternFilter, PatternGrouping,
};
pub use hashrange_design::pattern::form::{
    FormAttribute, FormComparison, FormCondition, FormKind, PatternForm,
};
pub use hashrange_design::pattern::{PatternResult, PatternStatus};
pub use import::PendingImport;
pub use items_import::{
    ColumnPlan, ImportPlan, ItemsTrial, PendingItems, RowLeftOut, SourceColumn,
};
pub use operations::OPERATIONS;
pub use sampling::Sampling;
pub use session::Session;
pub use shelf::{ShelfRecord, copy_title, shelf};
