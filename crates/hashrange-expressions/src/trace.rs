//! `ConditionTrace`: why a condition is true or false on an item, part by part.

use hashrange_types::{AttributeValue, DocumentPath, Item};

use crate::display::{push_path, push_value};
use crate::syntax::{Condition, Operand};

/// A condition on one item: its text, whether it holds, what it found, and the same of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionTrace {
    /// The condition with given values written out: `n > 4 AND begins_with(sk, "A")`.
    pub text: String,
    /// True if it holds.
    pub holds: bool,
    /// The paths it compares itself, with what the item has there. Empty for AND, OR and NOT.
    pub found: Vec<(DocumentPath, Option<AttributeValue>)>,
    /// The parts of an AND, OR or NOT.
    pub children: Vec<ConditionTrace>,
}

impl Condition {
    /// Evaluates the condition on `item` and keeps what every part of it came to.
    pub fn trace(&self, item: &Item) -> ConditionTrace {
        let children: Vec<ConditionTrace> = match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().map(|condition| condition.trace(item)).collect()
            }
            Self::Not(condition) => vec![condition.trace(item)],
            _ => Vec::new(),
        };
        let found = if children.is_empty() {
            self.attributes().map(|path| (path.clone(), path.get(item).cloned())).collect()
        } else {
            Vec::new()
        };
        let mut text = String::new();
        self.push_text(&mut text);
        ConditionTrace { text, holds: self.holds(item), found, children }
    }

    fn push_text(&self, text: &mut String) {
        match self {
            Self::All(conditions) => push_joined(text, conditions, " AND "),
            Self::Any(conditions) => push_joined(text, conditions, " OR "),
            Self::Not(condition) => {
                text.push_str("NOT ");
                condition.push_part(text);
            }
            Self::Compare { comparator, left, right } => {
                push_operand(text, left);
                text.push(' ');
                text.push_str(comparator.symbol());
                text.push(' ');
                push_operand(text, right);
            }
            Self::Between { operand, lower, upper } => {
                push_operand(text, operand);
                text.push_str(" BETWEEN ");
                push_operand(text, lower);
                text.push_str(" AND ");
                push_operand(text, upper);
            }
            Self::In { operand, candidates } => {
                push_operand(text, operand);
                text.push_str(" IN ");
                push_arguments(text, "", candidates);
            }
            Self::AttributeExists(path) => push_path_call(text, "attribute_exists", path),
            Self::AttributeNotExists(path) => push_path_call(text, "attribute_not_exists", path),
            Self::AttributeType { operand, tag } => {
                text.push_str("attribute_type(");
                push_operand(text, operand);
                text.push_str(", \"");
                text.push_str(tag);
                text.push_str("\")");
            }
            Self::BeginsWith { operand, prefix } => {
                push_arguments(text, "begins_with", [operand, prefix]);
            }
            Self::Contains { operand, member } => {
                push_arguments(text, "contains", [operand, member]);
            }
        }
    }

    /// The text as a part of something larger: joined conditions go into parentheses.
    fn push_part(&self, text: &mut String) {
        let is_joined = matches!(self, Self::All(_) | Self::Any(_));
        if is_joined {
            text.push('(');
        }
        self.push_text(text);
        if is_joined {
            text.push(')');
        }
    }
}

fn push_joined(text: &mut String, conditions: &[Condition], joint: &str) {
    for (at, condition) in conditions.iter().enumerate() {
        if at > 0 {
            text.push_str(joint);
        }
        condition.push_part(text);
    }
}

fn push_operand(text: &mut String, operand: &Operand) {
    match operand {
        Operand::Path(path) => push_path(text, path),
        Operand::Value(value) => push_value(text, value),
        Operand::Size(operand) => push_arguments(text, "size", [operand.as_ref()]),
    }
}

fn push_path_call(text: &mut String, function: &str, path: &DocumentPath) {
    text.push_str(function);
    text.push('(');
    push_path(text, path);
    text.push(')');
}

fn push_arguments<'a>(
    text: &mut String,
    function: &str,
    operands: impl IntoIterator<Item = &'a Operand>,
) {
    text.push_str(function);
    text.push('(');
    for (at, operand) in operands.into_iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        push_operand(text, operand);
    }
    text.push(')');
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use std::fmt::Write as _;

    use expect_test::expect;

    use super::*;
    use crate::fixture::{condition, item, n, s};

    fn write(trace: &ConditionTrace, level: usize, lines: &mut String) {
        let found: Vec<String> = trace
            .found
            .iter()
            .map(|(path, value)| {
                let mut text = format!("{path} is ");
                match value {
                    Some(value) => push_value(&mut text, value),
                    None => text.push_str("missing"),
                }
                text
            })
            .collect();
        let indent = "  ".repeat(level);
        writeln!(lines, "{indent}{}: {} {found:?}", trace.text, trace.holds).unwrap();
        for child in &trace.children {
            write(child, level + 1, lines);
        }
    }

    #[test]
    fn a_trace_says_of_every_part_what_it_found_and_whether_it_holds() {
        let condition = condition(
            "n > :four AND (NOT begins_with(s, :b) OR size(#dotted) IN (:one, n)) AND m.x[0] = :map",
        );
        let trace = condition.unwrap().trace(&item(&[("n", n("5")), ("s", s("abc"))]));
        let mut lines = String::new();
        write(&trace, 0, &mut lines);
        expect![[r#"
            n > 4 AND (NOT begins_with(s, "b") OR size(x.y) IN (1, n)) AND m.x[0] = {k: 1}: false []
              n > 4: true ["[n] is 5"]
              NOT begins_with(s, "b") OR size(x.y) IN (1, n): true []
                NOT begins_with(s, "b"): true []
                  begins_with(s, "b"): false ["[s] is \"abc\""]
                size(x.y) IN (1, n): false ["[x.y] is missing", "[n] is 5"]
              m.x[0] = {k: 1}: false ["[m, x, [0]] is missing"]
        "#]]
        .assert_eq(&lines);
    }
}
