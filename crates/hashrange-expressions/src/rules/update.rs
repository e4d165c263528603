//! The rules of update expressions.

use hashrange_types::{AttributeValue, DocumentPath};

use super::function::{Function, check_operand_known};
use super::operand::{
    Resolved, ResolvedKind, check_counts, check_distinct, check_tag, expect_path, resolve,
    resolve_value,
};
use super::path::{check_apart, check_operand_reserved, check_path_reserved, resolve_path};
use crate::bind::Substitutions;
use crate::error::{ExpressionError, Located};
use crate::lexer::Span;
use crate::parser::tree::{RawAction, RawChange, RawName, RawOperand, RawSetValue, RawUpdate};
use crate::syntax::{SetValue, UpdateAction, UpdateOperand};

/// Checks an update rule by rule and puts names and values in place.
pub(crate) fn bind_update(
    tree: &RawUpdate,
    substitutions: &mut Substitutions,
) -> Result<Vec<UpdateAction>, Located> {
    if let Some(span) = tree.redundant {
        return Err(ExpressionError::RedundantParentheses.at(span));
    }
    let actions = &tree.actions;
    for action in actions {
        check_path_reserved(&action.path)?;
        action.operands().into_iter().try_for_each(check_operand_reserved)?;
    }
    for action in actions {
        let mut operands = action.operands().into_iter();
        operands.try_for_each(|operand| check_operand_known(operand, true))?;
    }
    if let Some((section, span)) = tree.repeated {
        return Err(ExpressionError::RepeatedSection(section.keyword()).at(span));
    }
    let mut paths = Vec::with_capacity(actions.len());
    for action in actions {
        paths.push((resolve_path(&action.path, substitutions)?, action.path.span));
        for operand in action.operands() {
            resolve_paths(operand, substitutions)?;
        }
    }
    for action in actions {
        match &action.change {
            RawChange::Add(name) | RawChange::Delete(name) => {
                resolve_value(*name, substitutions)?;
            }
            RawChange::Set(_) | RawChange::Remove => {
                for operand in action.operands() {
                    resolve_values(operand, substitutions)?;
                }
            }
        }
    }
    check_apart(&paths)?;
    for action in actions {
        check_action_operand(action, substitutions)?;
    }
    let bound = actions.iter().zip(paths);
    bound.map(|(action, (path, _))| bind_action(action, path, substitutions)).collect()
}

/// Checks that the names in an operand are defined.
fn resolve_paths(operand: &RawOperand, substitutions: &mut Substitutions) -> Result<(), Located> {
    match operand {
        RawOperand::Path(path) => resolve_path(path, substitutions).map(|_| ()),
        RawOperand::Value(_) => Ok(()),
        RawOperand::Call(call) => {
            call.arguments.iter().try_for_each(|argument| resolve_paths(argument, substitutions))
        }
    }
}

/// Checks that the values in an operand are defined.
fn resolve_values(operand: &RawOperand, substitutions: &mut Substitutions) -> Result<(), Located> {
    match operand {
        RawOperand::Path(_) => Ok(()),
        RawOperand::Value(name) => resolve_value(*name, substitutions).map(|_| ()),
        RawOperand::Call(call) => {
            call.arguments.iter().try_for_each(|argument| resolve_values(argument, substitutions))
        }
    }
}

/// ADD takes numbers and sets, DELETE sets only.
fn check_action_operand(
    action: &RawAction,
    substitutions: &mut Substitutions,
) -> Result<(), Located> {
    let (name, word): (RawName, _) = match &action.change {
        RawChange::Add(name) => (*name, "ADD"),
        RawChange::Delete(name) => (*name, "DELETE"),
        RawChange::Set(_) | RawChange::Remove => return Ok(()),
    };
    let found = match resolve_value(name, substitutions)? {
        AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_) => return Ok(()),
        AttributeValue::N(_) if word == "ADD" => return Ok(()),
        AttributeValue::S(_) => "STRING",
        AttributeValue::N(_) => "NUMBER",
        AttributeValue::B(_) => "BINARY",
        AttributeValue::Bool(_) => "BOOLEAN",
        AttributeValue::Null => "NULL",
        AttributeValue::L(_) => "LIST",
        AttributeValue::M(_) => "MAP",
    };
    Err(ExpressionError::ActionOperandType { action: word, found }.at(name.span))
}

fn bind_action(
    action: &RawAction,
    path: DocumentPath,
    substitutions: &mut Substitutions,
) -> Result<UpdateAction, Located> {
    Ok(match &action.change {
        RawChange::Set(value) => {
            UpdateAction::Set { path, value: bind_value(value, substitutions)? }
        }
        RawChange::Remove => UpdateAction::Remove { path },
        RawChange::Add(name) => {
            UpdateAction::Add { path, value: resolve_value(*name, substitutions)? }
        }
        RawChange::Delete(name) => {
            UpdateAction::Delete { path, value: resolve_value(*name, substitutions)? }
        }
    })
}

fn bind_value(value: &RawSetValue, substitutions: &mut Substitutions) -> Result<SetValue, Located> {
    let (operator, left, right) = match value {
        RawSetValue::Operand(operand) => {
            return Ok(SetValue::Operand(operand_of(resolve(operand, substitutions)?)?));
        }
        RawSetValue::Sum(left, right) => ("+", left, right),
        RawSetValue::Difference(left, right) => ("-", left, right),
    };
    let left = resolve(left, substitutions)?;
    let right = resolve(right, substitutions)?;
    check_counts(&left)?;
    check_counts(&right)?;
    check_tag(operator, &left, &["N"])?;
    check_tag(operator, &right, &["N"])?;
    let (left, right) = (operand_of(left)?, operand_of(right)?);
    Ok(if operator == "+" { SetValue::Sum(left, right) } else { SetValue::Difference(left, right) })
}

fn operand_of(resolved: Resolved) -> Result<UpdateOperand, Located> {
    check_counts(&resolved)?;
    match resolved.kind {
        ResolvedKind::Path(path) => Ok(UpdateOperand::Path(path)),
        ResolvedKind::Value(value) => Ok(UpdateOperand::Value(value)),
        ResolvedKind::Call(function, arguments) => call_of(function, arguments, resolved.span),
    }
}

fn call_of(
    function: Function,
    arguments: Vec<Resolved>,
    span: Span,
) -> Result<UpdateOperand, Located> {
    let operator = function.name();
    let count = arguments.len();
    let mut arguments = arguments.into_iter();
    let (Some(first), Some(second)) = (arguments.next(), arguments.next()) else {
        return Err(ExpressionError::OperandCount { operator, count }.at(span));
    };
    if function == Function::IfNotExists {
        check_distinct(operator, &[&first, &second])?;
        let path = expect_path(operator, first)?;
        return Ok(UpdateOperand::IfNotExists { path, otherwise: Box::new(operand_of(second)?) });
    }
    check_tag(operator, &first, &["L"])?;
    check_tag(operator, &second, &["L"])?;
    Ok(UpdateOperand::ListAppend(Box::new(operand_of(first)?), Box::new(operand_of(second)?)))
}
