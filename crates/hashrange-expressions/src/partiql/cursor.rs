//! `Cursor`: the tokens of one statement and what all its grammars share.

use std::fmt::Write as _;

use smol_str::SmolStr;

use super::keyword::{is_keyword, is_operator};
use super::lexer::{Lexeme, Token, lex};
use super::problem::{Problem, malformed, refused};
use super::tree::{Name, Term, TermKind};
use crate::error::ExpressionError;
use crate::lexer::Span;

/// Terms that may stand in one another. DynamoDB states no limit for statements but that of values, 32; this one
/// keeps the parser far from the end of a browser's stack.
const NESTING_LEVELS_MAX: usize = 128;

pub(super) const LEFT_OVER: &str = "Unexpected token after expression";

pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    levels: usize,
    n_labels: usize,
    pub(super) n_parameters: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, Problem> {
        Ok(Self { text, tokens: lex(text)?, at: 0, levels: 0, n_labels: 0, n_parameters: 0 })
    }

    pub(super) fn lexeme(&self) -> Option<Lexeme> {
        self.tokens.get(self.at).map(|token| token.lexeme)
    }

    pub(super) fn next_lexeme(&self) -> Option<Lexeme> {
        self.tokens.get(self.at + 1).map(|token| token.lexeme)
    }

    /// Where the current token stands; the end of the text where there is none.
    pub(super) fn span(&self) -> Span {
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.tokens.get(self.at).map_or(Span { start: end, end }, |token| token.span)
    }

    /// From `start` to the last token passed.
    pub(super) fn span_from(&self, start: Span) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(start, |token| start.to(token.span))
    }

    /// Steps over the current token, if it is a `lexeme`.
    pub(super) fn eat(&mut self, lexeme: Lexeme) -> Option<Span> {
        let token = self.tokens.get(self.at).filter(|token| token.lexeme == lexeme)?;
        self.at += 1;
        Some(token.span)
    }

    pub(super) fn expect(&mut self, lexeme: Lexeme) -> Result<Span, Problem> {
        self.eat(lexeme).ok_or_else(|| self.unexpected())
    }

    /// The current token's text, if it is a word.
    pub(super) fn word(&self) -> Option<&'t str> {
        (self.lexeme() == Some(Lexeme::Word)).then(|| self.span().of(self.text))
    }

    pub(super) fn is_at(&self, keyword: &str) -> bool {
        self.word().is_some_and(|word| word.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn eat_word(&mut self, keyword: &str) -> bool {
        self.is_at(keyword) && self.eat(Lexeme::Word).is_some()
    }

    pub(super) fn expect_word(&mut self, keyword: &str) -> Result<(), Problem> {
        if self.eat_word(keyword) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Steps over all words of `phrase`, or none.
    pub(super) fn eat_phrase(&mut self, phrase: &str) -> bool {
        let start = self.at;
        let is_there = phrase.split(' ').all(|word| self.eat_word(word));
        if !is_there {
            self.at = start;
        }
        is_there
    }

    /// Steps over a name, bare or in double quotes.
    pub(super) fn eat_name(&mut self) -> Result<Option<Name>, Problem> {
        let span = self.span();
        let text = match self.lexeme() {
            Some(Lexeme::Word) if !is_keyword(span.of(self.text)) => span.of(self.text).to_owned(),
            Some(Lexeme::Quoted) => unquoted(span.of(self.text), '"'),
            _ => return Ok(None),
        };
        if text.is_empty() {
            return Err(refused("Path component cannot be an empty string", span));
        }
        self.at += 1;
        Ok(Some(Name { text, label: self.label('#'), span }))
    }

    /// A label no other name or value of the statement has.
    pub(super) fn label(&mut self, sigil: char) -> SmolStr {
        let mut label = String::new();
        write!(label, "{sigil}{}", self.n_labels).expect("a String takes all text");
        self.n_labels += 1;
        label.into()
    }

    /// A term that ends with the last token passed.
    pub(super) fn term(&mut self, kind: TermKind, start: Span) -> Term {
        let label = self.label(':');
        Term { kind, span: self.span_from(start), label }
    }

    /// Counts one more level of nesting.
    pub(super) fn enter(&mut self) -> Result<(), Problem> {
        self.levels += 1;
        if self.levels <= NESTING_LEVELS_MAX {
            return Ok(());
        }
        Err(ExpressionError::TooDeep(self.levels).at(self.span()).into())
    }

    pub(super) fn leave(&mut self) {
        self.levels -= 1;
    }

    /// True if nothing is left but a semicolon.
    pub(super) fn is_at_end(&self) -> bool {
        match self.lexeme() {
            None => true,
            Some(Lexeme::Semicolon) => self.next_lexeme().is_none(),
            Some(_) => false,
        }
    }

    pub(super) fn expect_end(&self) -> Result<(), Problem> {
        if self.is_at_end() { Ok(()) } else { Err(malformed(LEFT_OVER, self.span())) }
    }

    /// The current token cannot begin or continue what is being read.
    pub(super) fn unexpected(&self) -> Problem {
        let detail = match self.lexeme() {
            Some(Lexeme::Word) => match self.span().of(self.text) {
                word if is_operator(word) => "Unexpected operator",
                word if is_keyword(word) => "Unexpected keyword",
                _ => "Unexpected term",
            },
            Some(
                Lexeme::Equal
                | Lexeme::NotEqual
                | Lexeme::Less
                | Lexeme::LessOrEqual
                | Lexeme::Greater
                | Lexeme::GreaterOrEqual
                | Lexeme::Plus
                | Lexeme::Minus
                | Lexeme::Star
                | Lexeme::OtherOperator,
            ) => "Unexpected operator",
            _ => "Unexpected term",
        };
        malformed(detail, self.span())
    }
}

/// What stands between quotes, doubled quotes read as one.
pub(super) fn unquoted(literal: &str, quote: char) -> String {
    let inner = literal.strip_prefix(quote).unwrap_or(literal);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    if !inner.contains(quote) {
        return inner.to_owned();
    }
    let mut text = String::with_capacity(inner.len());
    let mut is_second = false;
    for character in inner.chars() {
        is_second = character == quote && !is_second;
        if !is_second {
            text.push(character);
        }
    }
    text
}
