//! PartiQL statements: from what a statement asks for to reads and writes of items.
//!
//! Invariant: a statement reads and writes with the machinery of the classic operations (`page`, `write`) and costs
//! what they cost.
//!
//! Not here: the text of statements (`hashrange-expressions`), and how one, several or a transaction of them are
//! answered (`operation`).
//!
//! Source: facts 2.2 and 3.7.

pub(crate) mod access;
#[cfg(test)]
mod laws;
pub(crate) mod select;
#[cfg(test)]
mod tests;
pub(crate) mod token;
pub(crate) mod write;

use hashrange_expressions::partiql::{self, Statement};
use hashrange_types::limits::NESTING_LEVELS_MAX;
use hashrange_types::operation::ParameterizedStatement;
use hashrange_types::{
    ApiError, AttributeValue, Deferred, TableName, TableReference, ValidationError,
};

/// EXISTS is a check of a transaction and nothing else.
pub(crate) const EXISTS_OUTSIDE_TRANSACTION: &str =
    "EXISTS can only be used in ExecuteTransaction write requests.";

/// The parameters of a statement, all of them valid.
///
/// # Errors
/// The first that is not.
pub(crate) fn settle_parameters(
    parameters: &[Deferred<AttributeValue>],
) -> Result<Vec<AttributeValue>, ValidationError> {
    let settle = |parameter: &Deferred<AttributeValue>| {
        let value = parameter.clone()?;
        if value.depth() > NESTING_LEVELS_MAX {
            return Err(ValidationError::new(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested \
                 levels beyond supported limit",
            )
            .at_member(&["Parameters"]));
        }
        Ok(value)
    };
    parameters.iter().map(settle).collect()
}

/// What a statement asks for. Its parameters are looked at before its text.
///
/// # Errors
/// The first rule broken.
pub(crate) fn parse(statement: &ParameterizedStatement) -> Result<Statement, ValidationError> {
    let parameters = settle_parameters(&statement.parameters)?;
    partiql::parse(&statement.statement, &parameters)
}

/// The table a statement names, by name or ARN.
///
/// # Errors
/// [`ApiError::ResourceNotFound`]: no table can be called so.
pub(crate) fn table_reference(given: &str) -> Result<TableReference, ApiError> {
    let name = match given.strip_prefix("arn:") {
        Some(arn) => arn.split_once(":table/").map_or("", |(_, name)| name),
        None => given,
    };
    let name = TableName::new(name).ok_or(ApiError::ResourceNotFound)?;
    Ok(TableReference { name, given: given.into() })
}

/// The table's name as a statement gives it.
pub(crate) fn table_of(statement: &Statement) -> &str {
    match statement {
        Statement::Select(select) | Statement::Exists(select) => &select.source.table,
        Statement::Insert { table, .. }
        | Statement::Update { table, .. }
        | Statement::Delete { table, .. } => table,
    }
}
