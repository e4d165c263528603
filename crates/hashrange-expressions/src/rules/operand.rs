//! Operands with names and values in place, and the rules on them that all functions and operators share.

use hashrange_types::{AttributeValue, DocumentPath};

use super::function::Function;
use super::path::resolve_path;
use crate::bind::Substitutions;
use crate::error::{ExpressionError, Located};
use crate::lexer::Span;
use crate::parser::tree::{RawCall, RawName, RawOperand};

#[derive(Debug, Clone)]
pub(crate) struct Resolved {
    pub(crate) kind: ResolvedKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum ResolvedKind {
    Path(DocumentPath),
    Value(AttributeValue),
    Call(Function, Vec<Resolved>),
}

impl Resolved {
    /// The operand's type, where it is known without an item.
    pub(crate) const fn tag(&self) -> Option<&'static str> {
        match &self.kind {
            ResolvedKind::Value(value) => Some(value.tag()),
            ResolvedKind::Call(Function::Size, _) => Some("N"),
            ResolvedKind::Call(Function::ListAppend, _) => Some("L"),
            ResolvedKind::Path(_) | ResolvedKind::Call(..) => None,
        }
    }
}

pub(crate) fn resolve(
    operand: &RawOperand,
    substitutions: &mut Substitutions,
) -> Result<Resolved, Located> {
    let kind = match operand {
        RawOperand::Path(path) => ResolvedKind::Path(resolve_path(path, substitutions)?),
        RawOperand::Value(name) => ResolvedKind::Value(resolve_value(*name, substitutions)?),
        RawOperand::Call(call) => {
            let (function, arguments) = resolve_call(call, substitutions)?;
            ResolvedKind::Call(function, arguments)
        }
    };
    Ok(Resolved { kind, span: operand.span() })
}

pub(crate) fn resolve_call(
    call: &RawCall,
    substitutions: &mut Substitutions,
) -> Result<(Function, Vec<Resolved>), Located> {
    let function = Function::from_name(call.function.text).ok_or_else(|| {
        ExpressionError::UnknownFunction(call.function.text.to_owned()).at(call.function.span)
    })?;
    let arguments = call.arguments.iter().map(|argument| resolve(argument, substitutions));
    Ok((function, arguments.collect::<Result<_, _>>()?))
}

pub(crate) fn resolve_value(
    name: RawName,
    substitutions: &mut Substitutions,
) -> Result<AttributeValue, Located> {
    substitutions
        .value(name.text)
        .cloned()
        .ok_or_else(|| ExpressionError::UndefinedValue(name.text.to_owned()).at(name.span))
}

/// Checks the number of operands of every call in `operand`, innermost first.
pub(crate) fn check_counts(operand: &Resolved) -> Result<(), Located> {
    match &operand.kind {
        ResolvedKind::Call(function, arguments) => {
            check_call_count(*function, arguments, operand.span)
        }
        ResolvedKind::Path(_) | ResolvedKind::Value(_) => Ok(()),
    }
}

pub(crate) fn check_call_count(
    function: Function,
    arguments: &[Resolved],
    span: Span,
) -> Result<(), Located> {
    arguments.iter().try_for_each(check_counts)?;
    if arguments.len() == function.n_operands() {
        return Ok(());
    }
    let operator = function.name();
    Err(ExpressionError::OperandCount { operator, count: arguments.len() }.at(span))
}

/// Checks that the first operand, if a path, is not also one of the others.
pub(crate) fn check_distinct(
    operator: &'static str,
    operands: &[&Resolved],
) -> Result<(), Located> {
    let Some((first, others)) = operands.split_first() else { return Ok(()) };
    let ResolvedKind::Path(path) = &first.kind else { return Ok(()) };
    for other in others {
        if matches!(&other.kind, ResolvedKind::Path(same) if same == path) {
            let error = ExpressionError::NotDistinct { operator, path: path.clone() };
            return Err(error.at(first.span.to(other.span)));
        }
    }
    Ok(())
}

/// Checks that the operand's type, if known, is one of `allowed`.
pub(crate) fn check_tag(
    operator: &'static str,
    operand: &Resolved,
    allowed: &[&str],
) -> Result<(), Located> {
    match operand.tag() {
        Some(found) if !allowed.contains(&found) => {
            Err(ExpressionError::OperandType { operator, found }.at(operand.span))
        }
        _ => Ok(()),
    }
}

/// The path that `operator` needs as this operand.
pub(crate) fn expect_path(
    operator: &'static str,
    operand: Resolved,
) -> Result<DocumentPath, Located> {
    match operand.kind {
        ResolvedKind::Path(path) => Ok(path),
        _ => Err(ExpressionError::NeedsPath(operator).at(operand.span)),
    }
}
