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
        (Function::AttributeType, Some(operand), Some(tag)) => {
            let operand = operand_of(&operand)?;
            Ok(Condition::AttributeType { operand, tag: type_tag(operator, &tag)? })
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

#[cfg(test)]
mod tests {
    use crate::fixture::{complaint, condition};

    #[track_caller]
    fn check(text: &str, message: &str, blamed: &str) {
        let found = complaint(text, condition(text));
        assert_eq!((found.0.as_str(), found.1.as_str()), (message, blamed), "{text}");
    }

    #[track_caller]
    fn check_fine(texts: &[&str]) {
        for text in texts {
            assert!(condition(text).is_ok(), "{text}: {:?}", condition(text));
        }
    }

    #[test]
    fn one_pair_of_parentheses_is_fine_and_a_doubled_one_is_not() {
        check_fine(&[
            "(a = :a)",
            "(a) = (:a)",
            "(size(a)) > :one",
            "(a = :a) AND ((b = :a) OR (c = :a))",
            "(a).b = :a",
            "NOT (a = :a)",
        ]);
        let message = "The expression has redundant parentheses;";
        check("((a = :a))", message, "((a = :a))");
        check("((a)) = :a", message, "((a))");
        check("a = ((:a))", message, "((:a))");
        check("x = :a OR ((a = :a AND b = :b))", message, "((a = :a AND b = :b))");
        check("contains(a, ((:b)))", message, "((:b))");
    }

    #[test]
    fn function_names_are_lower_case_and_known() {
        check("foo(a)", "Invalid function name; function: foo", "foo");
        check("BEGINS_WITH(a, :a)", "Invalid function name; function: BEGINS_WITH", "BEGINS_WITH");
        check("beginsWith(a, :a)", "Invalid function name; function: beginsWith", "beginsWith");
        check(
            "list_append(a, b) = :a",
            "The function is not allowed in a condition expression; function: list_append",
            "list_append",
        );
    }

    #[test]
    fn only_size_is_an_operand_and_only_an_operand() {
        let message = |name| {
            format!(
                "The function is not allowed to be used this way in an expression; function: {name}"
            )
        };
        check("size(a)", &message("size"), "size");
        check("(size(a)) AND b = :a", &message("size"), "size");
        check("contains(a, :a) = :true", &message("contains"), "contains");
        check("attribute_exists(begins_with(a, :a))", &message("begins_with"), "begins_with");
        check_fine(&[
            "size(a) = :one",
            "size(a) IN (:one, size(b))",
            "size(:a) BETWEEN :one AND b",
        ]);
    }

    #[test]
    fn reserved_words_are_refused_as_they_are_spelled_at_any_depth() {
        let message =
            |word| format!("Attribute name is a reserved keyword; reserved keyword: {word}");
        check("Status = :a", &message("Status"), "Status");
        check("a.b[0].date = :a", &message("date"), "date");
        check("size(size) = :one", &message("size"), "size");
        check_fine(&["#status = :a", "statuses = :a", "a.#status = :a"]);
    }

    #[test]
    fn names_and_values_must_be_defined() {
        check(
            "#nope = :a",
            "An expression attribute name used in the document path is not defined; attribute name: #nope",
            "#nope",
        );
        check(
            "a = :nope",
            "An expression attribute value used in expression is not defined; attribute value: :nope",
            ":nope",
        );
    }

    #[test]
    fn functions_take_a_fixed_number_of_operands() {
        let message = |name, n| {
            format!(
                "Incorrect number of operands for operator or function; operator or function: {name}, number of operands: {n}"
            )
        };
        check("size(a, b) = :one", &message("size", 2), "size(a, b)");
        check("attribute_exists(a, b)", &message("attribute_exists", 2), "attribute_exists(a, b)");
        check("begins_with(a)", &message("begins_with", 1), "begins_with(a)");
    }

    #[test]
    fn the_first_operand_is_distinct_from_the_others() {
        let message = |operator, path| {
            format!(
                "The first operand must be distinct from the remaining operands for this operator or function; operator: {operator}, first operand: {path}"
            )
        };
        check("a = #a", &message("=", "[a]"), "a = #a");
        check("a.b[0] <> a.b[0]", &message("<>", "[a, b, [0]]"), "a.b[0] <> a.b[0]");
        check("contains(a, a)", &message("contains", "[a]"), "a, a");
        check("a IN (:a, a)", &message("IN", "[a]"), "a IN (:a, a");
        check_fine(&["a = b", "size(a) = size(a)", ":a = :a"]);
    }

    #[test]
    fn functions_of_paths_need_one() {
        let message = |name| {
            format!("Operator or function requires a document path; operator or function: {name}")
        };
        check("attribute_exists(:a)", &message("attribute_exists"), ":a");
        check("attribute_not_exists(size(a))", &message("attribute_not_exists"), "size(a)");
        check_fine(&["attribute_type(:a, :tN)"]);
    }

    #[test]
    fn given_operands_must_have_a_type_the_operator_works_on() {
        let message = |operator, found| {
            format!(
                "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
            )
        };
        check("begins_with(a, :one)", &message("begins_with", "N"), ":one");
        check("begins_with(size(a), :a)", &message("begins_with", "N"), "size(a)");
        check("size(:one) = :one", &message("size", "N"), ":one");
        check("size(:null) = :one", &message("size", "NULL"), ":null");
        check("a < :true", &message("<", "BOOL"), ":true");
        check(":map >= a", &message(">=", "M"), ":map");
        check("a BETWEEN :true AND :true", &message("BETWEEN", "BOOL"), ":true");
        check("attribute_type(a, :one)", &message("attribute_type", "N"), ":one");
        check(
            "attribute_type(a, b)",
            &message("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"),
            "b",
        );
        check_fine(&["a = :map", "a <> :true", "a IN (:null, :list)", "contains(a, :one)"]);
    }

    #[test]
    fn attribute_type_takes_one_of_ten_names() {
        check_fine(&["attribute_type(a, :tN)"]);
        check(
            "attribute_type(a, :dog)",
            "Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
            ":dog",
        );
    }

    #[test]
    fn given_bounds_of_between_agree_in_type_and_are_in_order() {
        check(
            "a BETWEEN :a AND :one",
            "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:a}, upper bound operand: AttributeValue: {N:1}",
            ":a AND :one",
        );
        check(
            "a BETWEEN :ten AND :one",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:1}",
            ":ten AND :one",
        );
        check_fine(&["a BETWEEN :one AND :one", "a BETWEEN b AND :one", ":a BETWEEN a AND b"]);
    }

    #[test]
    fn in_takes_a_hundred_operands() {
        let text = |n: usize| format!("a IN ({})", vec![":a"; n].join(","));
        check_fine(&[&text(1), &text(100)]);
        check(
            &text(101),
            "The IN operator is provided with too many operands; number of operands: 101",
            "a",
        );
    }

    #[test]
    fn several_faults_are_reported_in_dynamodbs_order() {
        let rest = " AND size(a) AND foo(b) AND status = :a AND a < :true";
        assert!(complaint("", condition(&format!("((a = :a)){rest}"))).0.contains("redundant"));
        assert!(complaint("", condition(&format!("a = :nope{rest}"))).0.contains("function: foo"));
        let rest = " AND size(a) AND status = :a";
        assert!(complaint("", condition(&format!("a = :nope{rest}"))).0.contains("function: size"));
        let rest = " AND status = :a";
        assert!(
            complaint("", condition(&format!("a = :nope{rest}"))).0.contains("keyword: status")
        );
        let text = "a < :true AND b = :nope";
        assert!(complaint("", condition(text)).0.contains("operand type: BOOL"));
        assert!(complaint("", condition("begins_with(:one, :nope)")).0.contains("not defined"));
    }
}
