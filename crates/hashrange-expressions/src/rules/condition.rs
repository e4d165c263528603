//! The rules of conditions, filters and key conditions.

use hashrange_types::{AttributeValue, limits};
use smol_str::SmolStr;

use super::function::{Function, check_known, check_operand_known};
use super::operand::{
    Resolved, ResolvedKind, check_call_count, check_counts, check_distinct, check_tag, expect_path,
    resolve, resolve_call,
};
use super::path::check_operand_reserved;
use crate::bind::Substitutions;
use crate::display::bound_text;
use crate::error::{ExpressionError, Located};
use crate::parser::tree::{RawCall, RawCondition, RawConditionText, RawOperand};
use crate::syntax::{Comparator, Condition, Operand};

/// Types whose values have an order.
const ORDERED: &[&str] = &["S", "N", "B"];
/// Types whose values have a size.
const SIZED: &[&str] = &["S", "B", "SS", "NS", "BS", "L", "M"];
/// How DynamoDB names the type of an operand that could be anything.
const ANY_TYPE: &str = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";

/// Checks a condition rule by rule and puts names and values in place.
pub(crate) fn bind_condition(
    tree: &RawConditionText,
    substitutions: &mut Substitutions,
) -> Result<Condition, Located> {
    if let Some(span) = tree.redundant {
        return Err(ExpressionError::RedundantParentheses.at(span));
    }
    let condition = &tree.condition;
    condition.try_for_each_leaf(&mut |leaf| match leaf {
        RawCondition::Call(call) => check_known(call, false),
        _ => {
            leaf.operands().into_iter().try_for_each(|operand| check_operand_known(operand, false))
        }
    })?;
    condition.try_for_each_leaf(&mut check_usage)?;
    condition.try_for_each_leaf(&mut |leaf| {
        leaf.operands().into_iter().try_for_each(check_operand_reserved)
    })?;
    bind(condition, substitutions)
}

/// Only `size` may be an operand, and it may not stand alone.
fn check_usage(leaf: &RawCondition) -> Result<(), Located> {
    leaf.operands().into_iter().try_for_each(check_operand_usage)?;
    match leaf {
        RawCondition::Call(call) if call.function.text == Function::Size.name() => {
            Err(misused(call))
        }
        _ => Ok(()),
    }
}

fn check_operand_usage(operand: &RawOperand) -> Result<(), Located> {
    let RawOperand::Call(call) = operand else { return Ok(()) };
    call.arguments.iter().try_for_each(check_operand_usage)?;
    if call.function.text == Function::Size.name() { Ok(()) } else { Err(misused(call)) }
}

fn misused(call: &RawCall) -> Located {
    ExpressionError::MisusedFunction(call.function.text.to_owned()).at(call.function.span)
}

fn bind(tree: &RawCondition, substitutions: &mut Substitutions) -> Result<Condition, Located> {
    let mut bind_all = |conditions: &[RawCondition]| -> Result<Vec<Condition>, Located> {
        conditions.iter().map(|condition| bind(condition, substitutions)).collect()
    };
    match tree {
        RawCondition::All(conditions) => Ok(Condition::All(bind_all(conditions)?)),
        RawCondition::Any(conditions) => Ok(Condition::Any(bind_all(conditions)?)),
        RawCondition::Not(condition) => {
            Ok(Condition::Not(Box::new(bind(condition, substitutions)?)))
        }
        RawCondition::Compare { comparator, left, right } => {
            let left = resolve(left, substitutions)?;
            let right = resolve(right, substitutions)?;
            compare(*comparator, &left, &right)
        }
        RawCondition::Between { operand, lower, upper } => {
            let operand = resolve(operand, substitutions)?;
            let lower = resolve(lower, substitutions)?;
            let upper = resolve(upper, substitutions)?;
            between(&operand, &lower, &upper)
        }
        RawCondition::In { operand, candidates } => {
            let operand = resolve(operand, substitutions)?;
            let candidates = candidates.iter().map(|candidate| resolve(candidate, substitutions));
            one_of(&operand, &candidates.collect::<Result<Vec<_>, _>>()?)
        }
        RawCondition::Call(call) => {
            let (function, arguments) = resolve_call(call, substitutions)?;
            check_call_count(function, &arguments, call.span)?;
            check_distinct(function.name(), &arguments.iter().collect::<Vec<_>>())?;
            call_condition(function, arguments)
        }
    }
}

fn compare(
    comparator: Comparator,
    left: &Resolved,
    right: &Resolved,
) -> Result<Condition, Located> {
    let operator = comparator.symbol();
    check_counts(left)?;
    check_counts(right)?;
    check_distinct(operator, &[left, right])?;
    let (left_operand, right_operand) = (operand_of(left)?, operand_of(right)?);
    if comparator.needs_order() {
        check_tag(operator, left, ORDERED)?;
        check_tag(operator, right, ORDERED)?;
    }
    Ok(Condition::Compare { comparator, left: left_operand, right: right_operand })
}

fn between(operand: &Resolved, lower: &Resolved, upper: &Resolved) -> Result<Condition, Located> {
    let all = [operand, lower, upper];
    all.into_iter().try_for_each(check_counts)?;
    check_distinct("BETWEEN", &all)?;
    let bound = (operand_of(operand)?, operand_of(lower)?, operand_of(upper)?);
    all.into_iter().try_for_each(|operand| check_tag("BETWEEN", operand, ORDERED))?;
    if let (ResolvedKind::Value(low), ResolvedKind::Value(high)) = (&lower.kind, &upper.kind) {
        let texts = || (bound_text(low), bound_text(high));
        let span = lower.span.to(upper.span);
        match low.scalar_cmp(high) {
            None => {
                let (lower, upper) = texts();
                return Err(ExpressionError::BetweenTypes { lower, upper }.at(span));
            }
            Some(std::cmp::Ordering::Greater) => {
                let (lower, upper) = texts();
                return Err(ExpressionError::BetweenOrder { lower, upper }.at(span));
            }
            Some(_) => {}
        }
    }
    let (operand, lower, upper) = bound;
    Ok(Condition::Between { operand, lower, upper })
}

fn one_of(operand: &Resolved, candidates: &[Resolved]) -> Result<Condition, Located> {
    check_counts(operand)?;
    candidates.iter().try_for_each(check_counts)?;
    if candidates.len() > limits::IN_OPERANDS_MAX {
        return Err(ExpressionError::TooManyOperands(candidates.len()).at(operand.span));
    }
    let all: Vec<&Resolved> = std::iter::once(operand).chain(candidates).collect();
    check_distinct("IN", &all)?;
    Ok(Condition::In {
        operand: operand_of(operand)?,
        candidates: candidates.iter().map(operand_of).collect::<Result<_, _>>()?,
    })
}

/// The operand of a comparison; the argument of a `size` must have a type that has one.
fn operand_of(resolved: &Resolved) -> Result<Operand, Located> {
    match &resolved.kind {
        ResolvedKind::Path(path) => Ok(Operand::Path(path.clone())),
        ResolvedKind::Value(value) => Ok(Operand::Value(value.clone())),
        ResolvedKind::Call(function, arguments) => {
            let operator = function.name();
            let [argument] = arguments.as_slice() else {
                let count = arguments.len();
                return Err(ExpressionError::OperandCount { operator, count }.at(resolved.span));
            };
            check_tag(operator, argument, SIZED)?;
            Ok(Operand::Size(Box::new(operand_of(argument)?)))
        }
    }
}

fn call_condition(function: Function, arguments: Vec<Resolved>) -> Result<Condition, Located> {
    let operator = function.name();
    let mut arguments = arguments.into_iter();
    let (first, second) = (arguments.next(), arguments.next());
    match (function, first, second) {
        (Function::AttributeExists, Some(path), _) => {
            Ok(Condition::AttributeExists(expect_path(operator, path)?))
        }
        (Function::AttributeNotExists, Some(path), _) => {
            Ok(Condition::AttributeNotExists(expect_path(operator, path)?))
        }
        (Function::AttributeType, Some(path), Some(tag)) => {
            let path = expect_path(operator, path)?;
            Ok(Condition::AttributeType { path, tag: type_tag(operator, &tag)? })
        }
        (Function::BeginsWith, Some(operand), Some(prefix)) => {
            let (bound, bound_prefix) = (operand_of(&operand)?, operand_of(&prefix)?);
            check_tag(operator, &operand, &["S", "B"])?;
            check_tag(operator, &prefix, &["S", "B"])?;
            Ok(Condition::BeginsWith { operand: bound, prefix: bound_prefix })
        }
        (Function::Contains, Some(operand), Some(member)) => {
            Ok(Condition::Contains { operand: operand_of(&operand)?, member: operand_of(&member)? })
        }
        (_, first, _) => {
            let span = first.map_or(crate::lexer::Span { start: 0, end: 0 }, |first| first.span);
            Err(ExpressionError::MisusedFunction(operator.to_owned()).at(span))
        }
    }
}

/// The tag that the second operand of `attribute_type` gives.
fn type_tag(operator: &'static str, operand: &Resolved) -> Result<SmolStr, Located> {
    let ResolvedKind::Value(AttributeValue::S(tag)) = &operand.kind else {
        let found = operand.tag().unwrap_or(ANY_TYPE);
        return Err(ExpressionError::OperandType { operator, found }.at(operand.span));
    };
    let is_known =
        ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"].contains(&tag.as_str());
    if !is_known {
        return Err(ExpressionError::UnknownType(tag.to_string()).at(operand.span));
    }
    Ok(tag.clone())
}
