//! Conditions of statements in terms of the other expressions' conditions.
//!
//! PartiQL knows more: IS, and conditions that are compared with true or with one another. Both are written with what
//! other conditions have, so one evaluation serves all.

use hashrange_types::AttributeValue;

use super::bind::Binder;
use super::problem::{Problem, refused};
use super::statement::unsupported;
use super::tree::{MISSING, Term, TermKind, TypeName};
use crate::error::ExpressionError;
use crate::lexer::Span;
use crate::parser::tree::{RawCall, RawCondition, RawName, RawOperand};
use crate::syntax::Comparator;

/// Functions that may stand in a condition; all but the last are conditions by themselves.
const FUNCTIONS: &[&str] = &[
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "begins_with",
    "contains",
    "size",
];

impl<'t> Binder<'t> {
    pub(super) fn condition(&mut self, term: &'t Term) -> Result<RawCondition<'t>, Problem> {
        Ok(match &term.kind {
            TermKind::All(terms) => RawCondition::All(self.conditions(terms)?),
            TermKind::Any(terms) => RawCondition::Any(self.conditions(terms)?),
            TermKind::Not(negated) => RawCondition::Not(Box::new(self.condition(negated)?)),
            TermKind::Compare(comparator, left, right) => {
                self.comparison(*comparator, left, right)?
            }
            TermKind::Between(operand, lower, upper) => {
                for part in [operand, lower, upper] {
                    refuse_condition("BETWEEN", part)?;
                }
                RawCondition::Between {
                    operand: self.operand(operand, FUNCTIONS)?,
                    lower: self.operand(lower, FUNCTIONS)?,
                    upper: self.operand(upper, FUNCTIONS)?,
                }
            }
            TermKind::In(operand, candidates) => self.one_of(operand, candidates)?,
            TermKind::Is(operand, name) => self.type_test(operand, name)?,
            TermKind::Call(..) => RawCondition::Call(self.call(term, FUNCTIONS)?),
            _ => return Err(unsupported(term)),
        })
    }

    fn conditions(&mut self, terms: &'t [Term]) -> Result<Vec<RawCondition<'t>>, Problem> {
        terms.iter().map(|term| self.condition(term)).collect()
    }

    fn comparison(
        &mut self,
        comparator: Comparator,
        left: &'t Term,
        right: &'t Term,
    ) -> Result<RawCondition<'t>, Problem> {
        let (condition, other) = match (is_condition(left), is_condition(right)) {
            (false, false) => {
                return Ok(RawCondition::Compare {
                    comparator,
                    left: self.operand(left, FUNCTIONS)?,
                    right: self.operand(right, FUNCTIONS)?,
                });
            }
            (true, _) => (left, right),
            (false, true) => (right, left),
        };
        if comparator.needs_order() {
            refuse_condition(comparator.symbol(), condition)?;
        }
        let equal = self.truth_equals(condition, other)?;
        Ok(match comparator {
            Comparator::NotEqual => RawCondition::Not(Box::new(equal)),
            _ => equal,
        })
    }

    /// True if the condition comes to what `other` is: both true, or both false.
    fn truth_equals(
        &mut self,
        condition: &'t Term,
        other: &'t Term,
    ) -> Result<RawCondition<'t>, Problem> {
        let condition = self.condition(condition)?;
        let (is_true, is_false) = if is_condition(other) {
            let other = self.condition(other)?;
            (other.clone(), RawCondition::Not(Box::new(other)))
        } else {
            let operand = self.operand(other, FUNCTIONS)?;
            let mut is = |truth| RawCondition::Compare {
                comparator: Comparator::Equal,
                left: operand.clone(),
                right: RawOperand::Value(self.truth(truth, other.span)),
            };
            (is(true), is(false))
        };
        self.count_copies(&condition)?;
        self.count_copies(&is_true)?;
        let negated = RawCondition::Not(Box::new(condition.clone()));
        Ok(RawCondition::Any(vec![
            RawCondition::All(vec![condition, is_true]),
            RawCondition::All(vec![negated, is_false]),
        ]))
    }

    /// Conditions inside conditions are copied, which must not get out of hand.
    fn count_copies(&mut self, condition: &RawCondition) -> Result<(), Problem> {
        let mut n_leaves = 0;
        let counted: Result<(), Problem> = condition.try_for_each_leaf(&mut |_| {
            n_leaves += 1;
            Ok(())
        });
        counted?;
        match self.copies_left.checked_sub(n_leaves) {
            Some(left) => {
                self.copies_left = left;
                Ok(())
            }
            None => Err(ExpressionError::TooManyOperators(
                hashrange_types::limits::EXPRESSION_OPERATORS_MAX + n_leaves,
            )
            .at(condition.span())
            .into()),
        }
    }

    /// The value true or false, under a label of its own.
    fn truth(&mut self, truth: bool, span: Span) -> RawName<'t> {
        let text = if truth { ":true" } else { ":false" };
        self.values.push((text.into(), Ok(AttributeValue::Bool(truth))));
        RawName { text, span }
    }

    fn one_of(
        &mut self,
        operand: &'t Term,
        candidates: &'t [Term],
    ) -> Result<RawCondition<'t>, Problem> {
        if candidates.is_empty() {
            return Ok(RawCondition::Any(Vec::new()));
        }
        if is_condition(operand) || candidates.iter().any(is_condition) {
            let equal = candidates
                .iter()
                .map(|candidate| self.comparison(Comparator::Equal, operand, candidate));
            return Ok(RawCondition::Any(equal.collect::<Result<_, _>>()?));
        }
        let operand = self.operand(operand, FUNCTIONS)?;
        let candidates = candidates.iter().map(|candidate| self.operand(candidate, FUNCTIONS));
        Ok(RawCondition::In { operand, candidates: candidates.collect::<Result<_, _>>()? })
    }

    /// `IS MISSING` asks whether there is a value, every other type what kind it is of.
    fn type_test(
        &mut self,
        operand: &'t Term,
        name: &'static TypeName,
    ) -> Result<RawCondition<'t>, Problem> {
        let span = operand.span;
        let argument = self.operand(operand, FUNCTIONS)?;
        let call = |function: &'static str, arguments| {
            let function = RawName { text: function, span };
            RawCondition::Call(RawCall { function, arguments, span })
        };
        if name.name == MISSING {
            return Ok(call("attribute_not_exists", vec![argument]));
        }
        let mut tests = Vec::with_capacity(name.tags.len());
        for tag in name.tags {
            let label = tag_label(tag);
            self.values.push((label.into(), Ok(AttributeValue::S((*tag).into()))));
            let tag = RawOperand::Value(RawName { text: label, span });
            tests.push(call("attribute_type", vec![argument.clone(), tag]));
        }
        Ok(RawCondition::Any(tests))
    }
}

/// The label under which IS keeps the tag of a type.
fn tag_label(tag: &str) -> &'static str {
    match tag {
        "S" => ":S",
        "N" => ":N",
        "B" => ":B",
        "BOOL" => ":BOOL",
        "NULL" => ":NULL",
        "L" => ":L",
        "M" => ":M",
        "SS" => ":SS",
        "NS" => ":NS",
        _ => ":BS",
    }
}

/// True if the term is true or false by itself.
fn is_condition(term: &Term) -> bool {
    match &term.kind {
        TermKind::Not(_)
        | TermKind::All(_)
        | TermKind::Any(_)
        | TermKind::Compare(..)
        | TermKind::Between(..)
        | TermKind::In(..)
        | TermKind::Is(..) => true,
        TermKind::Call(name, ..) => {
            let by_themselves = &FUNCTIONS[..FUNCTIONS.len() - 1];
            by_themselves.iter().any(|function| function.eq_ignore_ascii_case(name))
        }
        _ => false,
    }
}

/// A condition has no order.
fn refuse_condition(operator: &'static str, term: &Term) -> Result<(), Problem> {
    if !is_condition(term) {
        return Ok(());
    }
    let error = ExpressionError::OperandType { operator, found: "BOOL" };
    Err(refused(error.to_string(), term.span))
}
