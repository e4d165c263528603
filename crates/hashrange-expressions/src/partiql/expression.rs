//! Terms: conditions, operands and values, by recursive descent with limited nesting.

use super::cursor::{Cursor, unquoted};
use super::lexer::Lexeme;
use super::problem::{Problem, malformed, refused_at};
use super::tree::{Path, Step, TYPE_NAMES, Term, TermKind};
use crate::lexer::Span;
use crate::syntax::Comparator;

/// Largest index of a list in a path.
const INDEX_MAX: u64 = 2_147_483_647;

impl Cursor<'_> {
    /// `and { OR and }`
    pub(super) fn condition(&mut self) -> Result<Term, Problem> {
        self.joined("OR", Self::conjunction, TermKind::Any)
    }

    /// `not { AND not }`
    fn conjunction(&mut self) -> Result<Term, Problem> {
        self.joined("AND", Self::negation, TermKind::All)
    }

    fn joined(
        &mut self,
        operator: &str,
        part: fn(&mut Self) -> Result<Term, Problem>,
        join: fn(Vec<Term>) -> TermKind,
    ) -> Result<Term, Problem> {
        let start = self.span();
        let first = part(self)?;
        if !self.is_at(operator) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat_word(operator) {
            self.expect_right_hand_side()?;
            parts.push(part(self)?);
        }
        Ok(self.term(join(parts), start))
    }

    /// `NOT not | comparison`
    fn negation(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        if !self.eat_word("NOT") {
            return self.comparison();
        }
        self.enter()?;
        let negated = self.negation()?;
        self.leave();
        Ok(self.term(TermKind::Not(Box::new(negated)), start))
    }

    /// An operand and what it is compared with, if with anything.
    fn comparison(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        let left = self.sum()?;
        if let Some(comparator) = self.lexeme().and_then(comparator) {
            self.step();
            self.expect_right_hand_side()?;
            let right = self.sum()?;
            let kind = TermKind::Compare(comparator, Box::new(left), Box::new(right));
            return Ok(self.term(kind, start));
        }
        if self.eat_word("IS") {
            return self.type_test(left, start);
        }
        let is_not_in = self.eat_phrase("NOT IN");
        let is_not_between = !is_not_in && self.eat_phrase("NOT BETWEEN");
        let kind = if is_not_in || self.eat_word("IN") {
            TermKind::In(Box::new(left), self.candidates()?)
        } else if is_not_between || self.eat_word("BETWEEN") {
            self.expect_right_hand_side()?;
            let lower = self.sum()?;
            self.expect_word("AND")?;
            let upper = self.sum()?;
            TermKind::Between(Box::new(left), Box::new(lower), Box::new(upper))
        } else {
            return Ok(left);
        };
        let term = self.term(kind, start);
        Ok(self.negated_if(is_not_in || is_not_between, term, start))
    }

    fn negated_if(&mut self, is_negated: bool, term: Term, start: Span) -> Term {
        if is_negated { self.term(TermKind::Not(Box::new(term)), start) } else { term }
    }

    /// What follows IS.
    fn type_test(&mut self, operand: Term, start: Span) -> Result<Term, Problem> {
        let is_negated = self.eat_word("NOT");
        let Some(name) = TYPE_NAMES.iter().find(|name| self.eat_phrase(name.name)) else {
            return Err(malformed("Expected type name", self.span()));
        };
        let term = self.term(TermKind::Is(Box::new(operand), name), start);
        Ok(self.negated_if(is_negated, term, start))
    }

    /// What follows IN: a list in any kind of brackets.
    fn candidates(&mut self) -> Result<Vec<Term>, Problem> {
        let close = match self.lexeme() {
            Some(Lexeme::ParenthesisOpen) => Lexeme::ParenthesisClose,
            Some(Lexeme::BracketOpen) => Lexeme::BracketClose,
            Some(Lexeme::BagOpen) => Lexeme::BagClose,
            _ => {
                self.expect_right_hand_side()?;
                return Err(self.unexpected());
            }
        };
        self.step();
        self.terms(close)
    }

    /// `operand [ ("+" | "-") operand ]`
    pub(super) fn sum(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        let left = self.primary()?;
        let join = if self.eat(Lexeme::Plus).is_some() {
            TermKind::Sum
        } else if self.eat(Lexeme::Minus).is_some() {
            TermKind::Difference
        } else {
            return Ok(left);
        };
        self.expect_right_hand_side()?;
        let right = self.primary()?;
        Ok(self.term(join(Box::new(left), Box::new(right)), start))
    }

    fn expect_right_hand_side(&self) -> Result<(), Problem> {
        if self.is_at_end() {
            let detail = "Missing right-hand side expression of infix operator";
            return Err(malformed(detail, self.span()));
        }
        Ok(())
    }

    fn primary(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        let text = start.of(self.text);
        let kind = match self.lexeme() {
            Some(Lexeme::Plus | Lexeme::Minus | Lexeme::Number) => return self.number(),
            Some(Lexeme::Text) => {
                self.step();
                TermKind::Text(unquoted(text, '\''))
            }
            Some(Lexeme::Parameter) => {
                self.step();
                self.n_parameters += 1;
                TermKind::Parameter(self.n_parameters - 1)
            }
            Some(Lexeme::ParenthesisOpen) => {
                self.step();
                self.enter()?;
                let mut inner = self.condition()?;
                self.expect(Lexeme::ParenthesisClose)?;
                self.leave();
                inner.span = self.span_from(start);
                return Ok(inner);
            }
            Some(Lexeme::BracketOpen) => {
                self.step();
                TermKind::List(self.terms(Lexeme::BracketClose)?)
            }
            Some(Lexeme::BagOpen) => {
                self.step();
                TermKind::Bag(self.terms(Lexeme::BagClose)?)
            }
            Some(Lexeme::BraceOpen) => {
                self.step();
                TermKind::Tuple(self.entries()?)
            }
            Some(Lexeme::Word) if self.next_lexeme() == Some(Lexeme::ParenthesisOpen) => {
                return self.call();
            }
            Some(Lexeme::Word) if self.eat_word("TRUE") => TermKind::Boolean(true),
            Some(Lexeme::Word) if self.eat_word("FALSE") => TermKind::Boolean(false),
            Some(Lexeme::Word) if self.eat_word("NULL") => TermKind::Null,
            Some(Lexeme::Word) if self.eat_word("MISSING") => TermKind::Missing,
            _ => match self.path()? {
                Some(path) => TermKind::Path(path),
                None => return Err(self.unexpected()),
            },
        };
        Ok(self.term(kind, start))
    }

    /// A number with any number of signs.
    fn number(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        let mut is_negative = false;
        while let Some(sign @ (Lexeme::Plus | Lexeme::Minus)) = self.lexeme() {
            self.step();
            is_negative ^= sign == Lexeme::Minus;
        }
        let span = self.span();
        if self.eat(Lexeme::Number).is_none() {
            return Err(self.unexpected());
        }
        let digits = span.of(self.text);
        if !has_small_scale(digits) {
            return Err(malformed("", span));
        }
        let sign = if is_negative { "-" } else { "" };
        Ok(self.term(TermKind::Number(format!("{sign}{digits}")), start))
    }

    /// `function ( arguments )`; a star counts as an argument, since a count of all is worth its own refusal.
    fn call(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        let name = start.of(self.text).to_owned();
        if super::keyword::is_operator(&name) {
            return Err(self.unexpected());
        }
        self.step();
        self.step();
        let arguments = if self.lexeme() == Some(Lexeme::Star) {
            self.step();
            self.expect(Lexeme::ParenthesisClose)?;
            Vec::new()
        } else {
            self.terms(Lexeme::ParenthesisClose)?
        };
        Ok(self.term(TermKind::Call(name, start, arguments), start))
    }

    /// Terms up to `close`, perhaps none.
    fn terms(&mut self, close: Lexeme) -> Result<Vec<Term>, Problem> {
        self.enter()?;
        let mut terms = Vec::new();
        if self.eat(close).is_none() {
            terms.push(self.condition()?);
            while self.eat(Lexeme::Comma).is_some() {
                terms.push(self.condition()?);
            }
            self.expect(close)?;
        }
        self.leave();
        Ok(terms)
    }

    /// `'name': term, ... }`
    fn entries(&mut self) -> Result<Vec<(String, Term)>, Problem> {
        self.enter()?;
        let mut entries = Vec::new();
        if self.eat(Lexeme::BraceClose).is_none() {
            loop {
                let name = self.expect(Lexeme::Text)?.of(self.text);
                self.expect(Lexeme::Colon)?;
                entries.push((unquoted(name, '\''), self.condition()?));
                if self.eat(Lexeme::Comma).is_none() {
                    break;
                }
            }
            self.expect(Lexeme::BraceClose)?;
        }
        self.leave();
        Ok(entries)
    }

    /// A path, if a name stands here.
    pub(super) fn path(&mut self) -> Result<Option<Path>, Problem> {
        let Some(head) = self.eat_name()? else { return Ok(None) };
        let mut steps = Vec::new();
        loop {
            if self.eat(Lexeme::Dot).is_some() {
                let Some(name) = self.eat_name()? else {
                    return Err(malformed("Invalid path dot component", self.span()));
                };
                steps.push(Step::Entry(name));
            } else if self.eat(Lexeme::BracketOpen).is_some() {
                steps.push(self.index()?);
                self.expect(Lexeme::BracketClose)?;
            } else {
                return Ok(Some(Path { head, steps }));
            }
        }
    }

    /// What stands in brackets behind a path: a whole number, or the name of an entry as text.
    fn index(&mut self) -> Result<Step, Problem> {
        if let Some(span) = self.eat(Lexeme::Text) {
            let text = unquoted(span.of(self.text), '\'');
            return Ok(Step::Entry(super::tree::Name { text, label: self.label('#'), span }));
        }
        let is_negative = self.eat(Lexeme::Minus).is_some();
        let span = self.expect(Lexeme::Number)?;
        let digits = span.of(self.text);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(malformed("Unexpected term", span));
        }
        let number = digits.parse::<u64>().unwrap_or(u64::MAX);
        if number > INDEX_MAX || (is_negative && number > 0) {
            let sign = if is_negative { "-" } else { "" };
            let message =
                format!("List index is not within the allowable range; index: [{sign}{digits}]");
            return Err(refused_at(&message, self.text, span));
        }
        Ok(Step::Index(number.to_string(), span))
    }

    /// Steps over the current token, whatever it is.
    fn step(&mut self) {
        if let Some(lexeme) = self.lexeme() {
            self.eat(lexeme);
        }
    }
}

const fn comparator(lexeme: Lexeme) -> Option<Comparator> {
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

/// True if the exponent of a number, and its scale, the digits behind the point less the exponent, fit 32 bits.
fn has_small_scale(digits: &str) -> bool {
    let Some(at) = digits.find(['e', 'E']) else { return true };
    let (mantissa, exponent) = digits.split_at(at);
    let n_decimals = mantissa.find('.').map_or(0, |point| mantissa.len() - point - 1);
    exponent[1..]
        .parse::<i32>()
        .ok()
        .zip(i64::try_from(n_decimals).ok())
        .is_some_and(|(exponent, decimals)| i32::try_from(decimals - i64::from(exponent)).is_ok())
}
