//! The functions of expressions.

use crate::error::{ExpressionError, Located};
use crate::parser::tree::{RawCall, RawOperand};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    AttributeExists,
    AttributeNotExists,
    AttributeType,
    BeginsWith,
    Contains,
    Size,
    IfNotExists,
    ListAppend,
}

impl Function {
    const ALL: [Self; 8] = [
        Self::AttributeExists,
        Self::AttributeNotExists,
        Self::AttributeType,
        Self::BeginsWith,
        Self::Contains,
        Self::Size,
        Self::IfNotExists,
        Self::ListAppend,
    ];

    /// As it is written, in lower case only.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::AttributeExists => "attribute_exists",
            Self::AttributeNotExists => "attribute_not_exists",
            Self::AttributeType => "attribute_type",
            Self::BeginsWith => "begins_with",
            Self::Contains => "contains",
            Self::Size => "size",
            Self::IfNotExists => "if_not_exists",
            Self::ListAppend => "list_append",
        }
    }

    pub(crate) const fn n_operands(self) -> usize {
        match self {
            Self::AttributeExists | Self::AttributeNotExists | Self::Size => 1,
            _ => 2,
        }
    }

    const fn is_of_updates(self) -> bool {
        matches!(self, Self::IfNotExists | Self::ListAppend)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }
}

/// Checks that a call and those in it, innermost first, name functions that such an expression may use.
pub(crate) fn check_known(call: &RawCall, is_update: bool) -> Result<(), Located> {
    call.arguments.iter().try_for_each(|argument| check_operand_known(argument, is_update))?;
    let name = call.function.text.to_owned();
    let error = match Function::from_name(call.function.text) {
        None => ExpressionError::UnknownFunction(name),
        Some(function) if function.is_of_updates() == is_update => return Ok(()),
        Some(_) if is_update => ExpressionError::ConditionFunction(name),
        Some(_) => ExpressionError::UpdateFunction(name),
    };
    Err(error.at(call.function.span))
}

pub(crate) fn check_operand_known(operand: &RawOperand, is_update: bool) -> Result<(), Located> {
    match operand {
        RawOperand::Call(call) => check_known(call, is_update),
        RawOperand::Path(_) | RawOperand::Value(_) => Ok(()),
    }
}
