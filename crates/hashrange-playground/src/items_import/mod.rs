//! Items out of a text: a spreadsheet's rows, DynamoDB JSON in its spellings, plain JSON.
//!
//! Invariant: nothing of the session changes until an import that was tried in full is taken; what is left out is
//! listed with its row and why.
//!
//! Not here: designs and models ([`crate::import`]).

mod csv;
mod plan;
mod read;
mod trial;

use crate::view::Refusal;

pub use plan::{ColumnPlan, ImportPlan};
pub use read::PendingItems;
pub use trial::ItemsTrial;

/// A row that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowLeftOut {
    /// `Row 7`, `Line 3` or `Item 2`.
    pub place: String,
    /// Why, and what to do.
    pub reason: String,
}

/// A column of what is imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceColumn {
    /// Its name in the text.
    pub name: String,
    /// Its first value.
    pub sample: String,
    /// The type its values seem to have; empty where each value says its own.
    pub kind: &'static str,
}

fn ours(message: impl Into<String>) -> Refusal {
    Refusal::ours(message.into())
}
