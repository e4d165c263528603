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
    // DynamoDB takes if_not_exists here but not another list_append (measured by Alternator).
    for operand in [&first, &second] {
        if matches!(&operand.kind, ResolvedKind::Call(Function::ListAppend, _)) {
            return Err(ExpressionError::MisusedFunction(operator.to_owned()).at(operand.span));
        }
    }
    check_tag(operator, &first, &["L"])?;
    check_tag(operator, &second, &["L"])?;
    Ok(UpdateOperand::ListAppend(Box::new(operand_of(first)?), Box::new(operand_of(second)?)))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::fixture::{complaint, update};

    #[track_caller]
    fn check(text: &str, message: &str, blamed: &str) {
        let found = complaint(text, update(text));
        assert_eq!((found.0.as_str(), found.1.as_str()), (message, blamed), "{text}");
    }

    #[test]
    fn each_section_stands_once_in_any_order() {
        assert!(update("DELETE a :ss REMOVE b ADD c :one SET d = :a").is_ok());
        check(
            "SET a = :a SET b = :a",
            "The \"SET\" section can only be used once in an update expression;",
            "SET",
        );
        check(
            "ADD a :one SET b = :a ADD c :one",
            "The \"ADD\" section can only be used once in an update expression;",
            "ADD",
        );
    }

    #[test]
    fn paths_may_not_overlap_nor_conflict() {
        let overlap = |one, two| {
            format!(
                "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {one}, path two: {two}"
            )
        };
        check("SET d = :a, d.y = :b", &overlap("[d]", "[d, y]"), "d.y");
        check("SET d.x = :a REMOVE d.x", &overlap("[d, x]", "[d, x]"), "d.x");
        check("SET #a = :a, a = :b", &overlap("[a]", "[a]"), "a");
        check(
            "SET d.y = :a, d[0] = :a",
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [d, y], path two: [d, [0]]",
            "d[0]",
        );
        assert!(update("SET d.x = :a, d.y = :b, e[0] = :a, e[1].z = :b").is_ok());
    }

    #[test]
    fn add_takes_numbers_and_sets_and_delete_takes_sets() {
        let message = |action, found| {
            format!(
                "Incorrect operand type for operator or function; operator: {action}, operand type: {found}"
            )
        };
        for (value, word) in [
            (":a", "STRING"),
            (":bin", "BINARY"),
            (":null", "NULL"),
            (":true", "BOOLEAN"),
            (":list", "LIST"),
            (":map", "MAP"),
        ] {
            check(&format!("ADD a {value}"), &message("ADD", word), value);
            check(&format!("DELETE a {value}"), &message("DELETE", word), value);
        }
        check("DELETE a :one", &message("DELETE", "NUMBER"), ":one");
        for text in ["ADD a :one, b :ss, c :ns, d :bs", "DELETE a :ss, b :ns, c :bs"] {
            assert!(update(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn functions_and_operators_check_what_is_given() {
        let message = |operator, found| {
            format!(
                "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
            )
        };
        check("SET a = b + :a", &message("+", "S"), ":a");
        check("SET a = :list - b", &message("-", "L"), ":list");
        check("SET a = list_append(b, :a)", &message("list_append", "S"), ":a");
        check(
            "SET a = if_not_exists(:a, :b)",
            "Operator or function requires a document path; operator or function: if_not_exists",
            ":a",
        );
        check(
            "SET a = list_append(b)",
            "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1",
            "list_append(b)",
        );
        check(
            "SET a = if_not_exists(b, list_append(c, d, e))",
            "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 3",
            "list_append(c, d, e)",
        );
    }

    #[test]
    fn list_append_takes_no_other_list_append() {
        check(
            "SET a = list_append(:list, list_append(b, :list))",
            "The function is not allowed to be used this way in an expression; function: list_append",
            "list_append(b, :list)",
        );
        assert!(update("SET a = list_append(if_not_exists(a, :list), :list)").is_ok());
    }

    #[test]
    fn functions_of_conditions_are_not_for_updates() {
        check("SET a = foo(b)", "Invalid function name; function: foo", "foo");
        check(
            "SET a = size(b)",
            "The function is not allowed in an update expression; function: size",
            "size",
        );
    }

    /// A section, a clause of it, and part of the message the clause alone would give.
    type Fault = (&'static str, &'static str, &'static str);

    fn written(faults: &[Fault]) -> String {
        let mut text = String::new();
        for section in ["SET", "REMOVE", "ADD", "SET again"] {
            let clauses = faults.iter().filter(|fault| fault.0 == section);
            let clauses: Vec<&str> = clauses.map(|fault| fault.1).collect();
            if !clauses.is_empty() {
                let keyword = section.trim_end_matches(" again");
                write!(text, "{keyword} {} ", clauses.join(", ")).unwrap();
            }
        }
        text
    }

    #[test]
    fn several_faults_are_reported_in_dynamodbs_order() {
        let faults = [
            ("SET", "status = :a", "reserved keyword: status"),
            ("SET", "f = foo(q)", "function: foo"),
            ("SET again", "r = :b", "\"SET\" section"),
            ("SET", "n = #nope", "attribute name: #nope"),
            ("SET", "v = :nope", "attribute value: :nope"),
            ("REMOVE", "o, o", "overlap"),
            ("REMOVE", "c.x, c[0]", "conflict"),
            ("ADD", "s :a", "operator: ADD"),
            ("SET", "t = t - :a", "operator or function: -"),
        ];
        let set: Fault = ("SET", "fine = :a", "");
        for (at, fault) in faults.iter().enumerate() {
            for other in &faults[at + 1..] {
                let text = written(&[set, *other, *fault]);
                let found = complaint(&text, update(&text)).0;
                assert!(found.contains(fault.2), "{text}: {found}");
            }
        }
    }
}
