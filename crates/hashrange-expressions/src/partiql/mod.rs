//! PartiQL: text of a statement -> tokens -> tree -> what it asks for, with conditions and updates as other
//! expressions have them.
//!
//! Invariant: knows a statement and its parameters, never a table. Nesting is limited, so no text can use up the
//! stack. Errors are DynamoDB's messages.
//!
//! Not here: which keys a condition reads, and everything else that needs a schema (`hashrange-engine`).
//!
//! Source: facts 3.7; Developer Guide, "PartiQL: a SQL-compatible query language for Amazon DynamoDB"; messages as
//! the public conformance suites and the test-suites of emulators captured them from the service.

mod bind;
mod condition;
mod cursor;
mod expression;
mod keyword;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod laws;
mod lexer;
mod literal;
mod problem;
mod statement;
#[cfg(test)]
mod tests;
mod tree;
mod update;

use hashrange_types::{AttributeName, AttributeValue, DocumentPath, Item, ValidationError};
use smol_str::SmolStr;

pub use self::tree::Returning;
use crate::{Condition, Update};

/// What a statement asks for. Nothing in it is known to exist.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Reads items.
    Select(Select),
    /// Checks that an item exists and satisfies a condition, in a transaction.
    Exists(Select),
    /// Puts an item where none is.
    Insert {
        /// The table's name as written.
        table: SmolStr,
        /// The item.
        item: Item,
    },
    /// Changes an item that exists.
    Update {
        /// The table's name as written.
        table: SmolStr,
        /// The changes.
        update: Update,
        /// WHERE: the item's key and what else must hold.
        condition: Option<Condition>,
        /// What is returned, if anything.
        returning: Option<Returning>,
    },
    /// Removes an item.
    Delete {
        /// The table's name as written.
        table: SmolStr,
        /// WHERE: the item's key and what else must hold.
        condition: Option<Condition>,
        /// True if the item that was there is returned.
        returns_old: bool,
    },
}

/// What SELECT reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    /// What is returned of each item; none for all of it.
    pub columns: Option<Vec<Column>>,
    /// Where items come from.
    pub source: Source,
    /// WHERE.
    pub condition: Option<Condition>,
    /// ORDER BY.
    pub order: Vec<OrderTerm>,
}

/// The table or index of a SELECT, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The table's name.
    pub table: SmolStr,
    /// The index's name, if the statement names one.
    pub index: Option<SmolStr>,
}

/// One column of a SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What it is called in what is returned: `m.k[0]` is called `k[0]`.
    pub name: SmolStr,
    /// Where its value is.
    pub path: DocumentPath,
}

/// One attribute of ORDER BY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderTerm {
    /// The attribute.
    pub attribute: AttributeName,
    /// True for DESC.
    pub is_descending: bool,
}

impl Column {
    /// The values `item` has at the columns' paths, under the columns' names.
    pub fn project(columns: &[Self], item: &Item) -> Item {
        let found = |column: &Self| {
            Some((AttributeName::new(&column.name), column.path.get(item)?.clone()))
        };
        columns.iter().filter_map(found).collect()
    }
}

/// Reads a statement and puts `parameters` in place of its question marks.
///
/// ```
/// # use hashrange_expressions::partiql::{Statement, parse};
/// # use hashrange_types::AttributeValue;
/// let parameters = [AttributeValue::S("a".into())];
/// let statement = parse(r#"SELECT v FROM "Things" WHERE pk = ?"#, &parameters).unwrap();
/// let Statement::Select(select) = statement else { panic!() };
/// assert_eq!(select.source.table, "Things");
/// let error = parse("SELECT * FROM Things WHERE", &[]).unwrap_err();
/// assert_eq!(error.message, "Statement wasn't well formed, can't be processed: Unexpected term");
/// ```
///
/// # Errors
/// DynamoDB's message for the first rule the statement breaks.
pub fn parse(text: &str, parameters: &[AttributeValue]) -> Result<Statement, ValidationError> {
    let (tree, n_parameters) = statement::statement_tree(text)?;
    if n_parameters != parameters.len() {
        let message = "Number of parameters in request and statement don't match.";
        return Err(ValidationError::new(message).at_member(&["Parameters"]));
    }
    Ok(bind::bind(&tree, text, parameters)?)
}
