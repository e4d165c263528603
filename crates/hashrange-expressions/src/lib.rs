//! DynamoDB's expressions: text -> tokens -> tree -> evaluated on an item.
//!
//! Invariant: knows an item and its paths, never a table. Errors are DynamoDB's messages without the envelope that
//! some operations put around them, and point at the offending bytes of the expression.
//!
//! A request makes one [`Substitutions`], parses its expressions in DynamoDB's order, then asks whether every
//! substitution was used (facts 4.10.3, steps 7 to 9).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod bind;
pub mod condition;
mod display;
mod error;
#[cfg(test)]
mod fixture;
mod key_condition;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod laws;
mod legacy;
mod lexer;
mod parser;
pub mod partiql;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod print_laws;
mod projection;
mod reserved;
mod rules;
pub mod syntax;
mod trace;
mod update;

use hashrange_types::{ExpressionParameter, ValidationError};

pub use bind::Substitutions;
pub use key_condition::{KeyCondition, ResolvedKeyCondition, SortCondition};
pub use legacy::{
    legacy_condition, legacy_expected, legacy_key_condition, legacy_projection, legacy_update,
};
pub use lexer::{Span, TokenKind, tokens};
pub use projection::ProjectionPaths;
pub use reserved::is_reserved;
pub use syntax::{Comparator, Condition, Operand, SetValue, UpdateAction, UpdateOperand};
pub use trace::ConditionTrace;
pub use update::Update;

/// Reads a ConditionExpression or FilterExpression.
///
/// ```
/// # use hashrange_expressions::{Substitutions, parse_condition};
/// # use hashrange_types::{ExpressionParameter, Item};
/// let mut substitutions = Substitutions::new(None, None).unwrap();
/// let parameter = ExpressionParameter::Condition;
/// let condition = parse_condition(parameter, "attribute_not_exists(pk)", &mut substitutions).unwrap();
/// assert!(condition.holds(&Item::new()));
/// let error = parse_condition(parameter, "INVALID SYNTAX", &mut substitutions).unwrap_err();
/// assert_eq!(
///     error.message,
///     "Invalid ConditionExpression: Syntax error; token: \"SYNTAX\", near: \"INVALID SYNTAX\""
/// );
/// ```
///
/// # Errors
/// DynamoDB's message for the first rule the text breaks.
pub fn parse_condition(
    parameter: ExpressionParameter,
    text: &str,
    substitutions: &mut Substitutions,
) -> Result<Condition, ValidationError> {
    parser::condition_tree(parameter, text)
        .and_then(|tree| rules::condition::bind_condition(&tree, substitutions))
        .map_err(|error| error.raise(parameter))
}

/// Reads an UpdateExpression.
///
/// # Errors
/// DynamoDB's message for the first rule the text breaks.
pub fn parse_update(
    text: &str,
    substitutions: &mut Substitutions,
) -> Result<Update, ValidationError> {
    parser::update_tree(text)
        .and_then(|tree| rules::update::bind_update(&tree, substitutions))
        .map(|actions| Update::new(actions, false))
        .map_err(|error| error.raise(ExpressionParameter::Update))
}

/// Reads a ProjectionExpression.
///
/// # Errors
/// DynamoDB's message for the first rule the text breaks.
pub fn parse_projection(
    text: &str,
    substitutions: &mut Substitutions,
) -> Result<ProjectionPaths, ValidationError> {
    parser::projection_tree(text)
        .and_then(|paths| rules::path::bind_projection(&paths, substitutions))
        .map(ProjectionPaths::new)
        .map_err(|error| error.raise(ExpressionParameter::Projection))
}

/// Reads a KeyConditionExpression: its text and the rules that need no schema.
///
/// # Errors
/// DynamoDB's message for the first rule the text breaks.
pub fn parse_key_condition(
    text: &str,
    substitutions: &mut Substitutions,
) -> Result<KeyCondition, ValidationError> {
    let parameter = ExpressionParameter::KeyCondition;
    let mut parse = || {
        let tree = parser::condition_tree(parameter, text)?;
        let condition = rules::condition::bind_condition(&tree, substitutions)?;
        KeyCondition::from_condition(&tree.condition, condition)
    };
    parse().map_err(|error| error.raise(parameter))
}
