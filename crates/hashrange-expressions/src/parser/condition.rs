//! Conditions, filters and key conditions.

use hashrange_types::ExpressionParameter;

use super::cursor::Cursor;
use super::tree::{RawCall, RawCondition, RawConditionText, RawOperand};
use crate::error::Located;
use crate::lexer::{Lexeme, Span};
use crate::syntax::Comparator;

/// Reads a whole condition.
pub(crate) fn condition_tree(
    parameter: ExpressionParameter,
    text: &str,
) -> Result<RawConditionText<'_>, Located> {
    let mut cursor = Cursor::new(parameter, text)?;
    let parsed = cursor.any_of()?;
    let condition = cursor.condition_of(parsed)?;
    cursor.expect_end()?;
    Ok(RawConditionText { condition, redundant: cursor.redundant })
}

/// The comparator a lexeme is.
pub(super) const fn comparator(lexeme: Lexeme) -> Option<Comparator> {
    match lexeme {
        Lexeme::Equal => Some(Comparator::Equal),
        Lexeme::NotEqual => Some(Comparator::NotEqual),
        Lexeme::Less => Some(Comparator::Less),
        Lexeme::LessOrEqual => Some(Comparator::LessOrEqual),
        Lexeme::Greater => Some(Comparator::Greater),
        Lexeme::GreaterOrEqual => Some(Comparator::GreaterOrEqual),
        _ => None,
    }
}

/// What was read: after `(` it is open for long whether a condition or an operand stands in the parentheses.
enum Node<'t> {
    Condition(RawCondition<'t>),
    Operand(RawOperand<'t>),
}

struct Parsed<'t> {
    node: Node<'t>,
    /// True if it is one pair of parentheses and what is in it.
    is_grouped: bool,
}

impl<'t> Parsed<'t> {
    const fn condition(condition: RawCondition<'t>) -> Self {
        Self { node: Node::Condition(condition), is_grouped: false }
    }
}

impl<'t> Cursor<'t> {
    /// `and { "OR" and }`
    fn any_of(&mut self) -> Result<Parsed<'t>, Located> {
        let first = self.all_of()?;
        if !self.is_at_keyword("OR") {
            return Ok(first);
        }
        let mut conditions = vec![self.condition_of(first)?];
        while self.eat_keyword("OR").is_some() {
            let next = self.all_of()?;
            conditions.push(self.condition_of(next)?);
        }
        Ok(Parsed::condition(RawCondition::Any(conditions)))
    }

    /// `not { "AND" not }`
    fn all_of(&mut self) -> Result<Parsed<'t>, Located> {
        let first = self.negation()?;
        if !self.is_at_keyword("AND") {
            return Ok(first);
        }
        let mut conditions = vec![self.condition_of(first)?];
        while self.eat_keyword("AND").is_some() {
            let next = self.negation()?;
            conditions.push(self.condition_of(next)?);
        }
        Ok(Parsed::condition(RawCondition::All(conditions)))
    }

    /// `"NOT" not | primary`
    fn negation(&mut self) -> Result<Parsed<'t>, Located> {
        if self.eat_keyword("NOT").is_none() {
            return self.primary();
        }
        self.enter()?;
        let negated = self.negation()?;
        let condition = self.condition_of(negated)?;
        self.leave();
        Ok(Parsed::condition(RawCondition::Not(Box::new(condition))))
    }

    /// A group, or an operand and what it is compared with.
    fn primary(&mut self) -> Result<Parsed<'t>, Located> {
        if self.lexeme() != Some(Lexeme::ParenthesisOpen) {
            let operand = self.operand()?;
            return self.comparison(operand, false);
        }
        let group = self.group()?;
        match group.node {
            Node::Condition(_) => Ok(group),
            Node::Operand(RawOperand::Path(mut path)) => {
                let n_steps = path.steps.len();
                self.path_steps(&mut path)?;
                let is_grouped = path.steps.len() == n_steps;
                self.comparison(RawOperand::Path(path), is_grouped)
            }
            Node::Operand(operand) => self.comparison(operand, true),
        }
    }

    /// `"(" or ")"`
    fn group(&mut self) -> Result<Parsed<'t>, Located> {
        let open = self.expect(Lexeme::ParenthesisOpen)?;
        self.enter()?;
        let inner = self.any_of()?;
        let close = self.expect(Lexeme::ParenthesisClose)?;
        self.leave();
        if inner.is_grouped {
            self.note_redundant(open.to(close));
        }
        Ok(Parsed { node: inner.node, is_grouped: true })
    }

    /// What follows an operand: a comparison, or nothing.
    fn comparison(
        &mut self,
        operand: RawOperand<'t>,
        is_grouped: bool,
    ) -> Result<Parsed<'t>, Located> {
        if let Some(comparator) = self.lexeme().and_then(comparator) {
            self.step();
            let right = self.operand()?;
            let condition = RawCondition::Compare { comparator, left: operand, right };
            return Ok(Parsed::condition(condition));
        }
        if self.eat_keyword("BETWEEN").is_some() {
            let lower = self.operand()?;
            if self.eat_keyword("AND").is_none() {
                return Err(self.syntax_error());
            }
            let upper = self.operand()?;
            return Ok(Parsed::condition(RawCondition::Between { operand, lower, upper }));
        }
        if self.eat_keyword("IN").is_some() {
            self.expect(Lexeme::ParenthesisOpen)?;
            let (candidates, _) = self.operands()?;
            return Ok(Parsed::condition(RawCondition::In { operand, candidates }));
        }
        Ok(Parsed { node: Node::Operand(operand), is_grouped })
    }

    /// The condition that was read; an operand is none unless it is a call.
    fn condition_of(&self, parsed: Parsed<'t>) -> Result<RawCondition<'t>, Located> {
        match parsed.node {
            Node::Condition(condition) => Ok(condition),
            Node::Operand(RawOperand::Call(call)) => Ok(RawCondition::Call(call)),
            Node::Operand(_) => Err(self.syntax_error()),
        }
    }

    /// `path | value | call | "(" operand ")"`
    pub(super) fn operand(&mut self) -> Result<RawOperand<'t>, Located> {
        let Some(open) = self.eat(Lexeme::ParenthesisOpen) else {
            return self.bare_operand();
        };
        self.enter()?;
        let is_doubled = self.lexeme() == Some(Lexeme::ParenthesisOpen);
        let mut operand = self.operand()?;
        let close = self.expect(Lexeme::ParenthesisClose)?;
        self.leave();
        if is_doubled {
            self.note_redundant(open.to(close));
        }
        if let RawOperand::Path(path) = &mut operand {
            self.path_steps(path)?;
        }
        Ok(operand)
    }

    /// `path | value | call`
    fn bare_operand(&mut self) -> Result<RawOperand<'t>, Located> {
        if let Some(value) = self.eat_name(Lexeme::Value) {
            return Ok(RawOperand::Value(value));
        }
        if self.lexeme() == Some(Lexeme::Word)
            && self.next_lexeme() == Some(Lexeme::ParenthesisOpen)
        {
            let function = self.eat_word().ok_or_else(|| self.syntax_error())?;
            self.step();
            self.enter()?;
            let (arguments, close) = self.operands()?;
            self.leave();
            let span = function.span.to(close);
            return Ok(RawOperand::Call(RawCall { function, arguments, span }));
        }
        Ok(RawOperand::Path(self.path()?))
    }

    /// `operand { "," operand } ")"`
    fn operands(&mut self) -> Result<(Vec<RawOperand<'t>>, Span), Located> {
        let mut operands = vec![self.operand()?];
        while self.eat(Lexeme::Comma).is_some() {
            operands.push(self.operand()?);
        }
        let close = self.expect(Lexeme::ParenthesisClose)?;
        Ok((operands, close))
    }

    /// Steps over the current token, whatever it is.
    fn step(&mut self) {
        if let Some(lexeme) = self.lexeme() {
            self.eat(lexeme);
        }
    }
}
