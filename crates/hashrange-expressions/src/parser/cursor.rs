//! `Cursor`: the tokens of one expression, the limits on it, and what all grammars share.

use hashrange_types::{ExpressionParameter, limits};

use super::tree::RawName;
use crate::error::{ExpressionError, Located};
use crate::lexer::{Lexeme, Span, Token, lex};

/// Parentheses, NOTs and calls that may stand in one another. DynamoDB states no limit; this one keeps the parser
/// far from the end of a browser's stack.
const NESTING_LEVELS_MAX: usize = 128;

/// Words that cannot be attribute names in conditions.
const CONDITION_KEYWORDS: &[&str] = &["AND", "OR", "NOT", "BETWEEN", "IN"];
/// Words that cannot be attribute names in updates.
const UPDATE_KEYWORDS: &[&str] = &["SET", "REMOVE", "ADD", "DELETE"];

pub(crate) struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    levels: usize,
    keywords: &'static [&'static str],
    /// The first doubled parentheses met.
    pub(super) redundant: Option<Span>,
}

impl<'t> Cursor<'t> {
    /// The cursor at the start of `text`.
    ///
    /// # Errors
    /// The text is empty, too long, or has too many operators.
    pub(super) fn new(parameter: ExpressionParameter, text: &'t str) -> Result<Self, Located> {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let whole = Span { start: 0, end };
        if text.len() > limits::EXPRESSION_BYTES_MAX {
            let error = if parameter == ExpressionParameter::Filter {
                ExpressionError::FilterTooLong(text.len())
            } else {
                ExpressionError::TooLong
            };
            return Err(error.at(whole));
        }
        let tokens = lex(text);
        if tokens.is_empty() {
            return Err(ExpressionError::Empty.at(whole));
        }
        let keywords = match parameter {
            ExpressionParameter::Update => UPDATE_KEYWORDS,
            ExpressionParameter::Projection => &[],
            _ => CONDITION_KEYWORDS,
        };
        let n_operators = count_operators(parameter, text, &tokens);
        if n_operators > limits::EXPRESSION_OPERATORS_MAX {
            return Err(ExpressionError::TooManyOperators(n_operators).at(whole));
        }
        Ok(Self { text, tokens, at: 0, levels: 0, keywords, redundant: None })
    }

    pub(super) fn token(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn lexeme(&self) -> Option<Lexeme> {
        self.token().map(|token| token.lexeme)
    }

    /// The lexeme after the current one.
    pub(super) fn next_lexeme(&self) -> Option<Lexeme> {
        self.tokens.get(self.at + 1).map(|token| token.lexeme)
    }

    /// Steps over the current token, if it is a `lexeme`.
    pub(super) fn eat(&mut self, lexeme: Lexeme) -> Option<Span> {
        let token = self.token().filter(|token| token.lexeme == lexeme)?;
        self.at += 1;
        Some(token.span)
    }

    pub(super) fn expect(&mut self, lexeme: Lexeme) -> Result<Span, Located> {
        self.eat(lexeme).ok_or_else(|| self.syntax_error())
    }

    pub(super) fn is_at_keyword(&self, keyword: &str) -> bool {
        self.token().is_some_and(|token| {
            token.lexeme == Lexeme::Word && token.span.of(self.text).eq_ignore_ascii_case(keyword)
        })
    }

    pub(super) fn eat_keyword(&mut self, keyword: &str) -> Option<Span> {
        if self.is_at_keyword(keyword) { self.eat(Lexeme::Word) } else { None }
    }

    /// Steps over a word that is no keyword.
    pub(super) fn eat_word(&mut self) -> Option<RawName<'t>> {
        if self.keywords.iter().any(|keyword| self.is_at_keyword(keyword)) {
            return None;
        }
        self.eat_name(Lexeme::Word)
    }

    pub(super) fn eat_name(&mut self, lexeme: Lexeme) -> Option<RawName<'t>> {
        let span = self.eat(lexeme)?;
        Some(RawName { text: span.of(self.text), span })
    }

    /// Counts one more level of nesting, which starts at the token just passed.
    pub(super) fn enter(&mut self) -> Result<(), Located> {
        self.levels += 1;
        if self.levels <= NESTING_LEVELS_MAX {
            return Ok(());
        }
        let before = |n: usize| self.at.checked_sub(n).and_then(|at| self.tokens.get(at));
        let span = before(1).map_or(Span { start: 0, end: 0 }, |token| token.span);
        let is_doubled = [1, 2]
            .iter()
            .all(|n| before(*n).is_some_and(|token| token.lexeme == Lexeme::ParenthesisOpen));
        if is_doubled {
            return Err(ExpressionError::RedundantParentheses.at(span));
        }
        Err(ExpressionError::TooDeep(self.levels).at(span))
    }

    pub(super) fn leave(&mut self) {
        self.levels -= 1;
    }

    /// Notes that the parentheses at `span` only hold another pair.
    pub(super) fn note_redundant(&mut self, span: Span) {
        self.redundant.get_or_insert(span);
    }

    pub(super) fn expect_end(&self) -> Result<(), Located> {
        if self.token().is_some() { Err(self.syntax_error()) } else { Ok(()) }
    }

    /// The current token is not what the grammar wants here. Near are the tokens before and after it, as they
    /// stand in the text.
    pub(super) fn syntax_error(&self) -> Located {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let (token, span) = self.token().map_or(("<EOF>", Span { start: end, end }), |token| {
            (token.span.of(self.text), token.span)
        });
        let first = before.map_or(span, |token| token.span);
        let last = match (self.token(), self.tokens.get(self.at + 1)) {
            (None, _) => first,
            (Some(token), None) => token.span,
            (_, Some(next)) => next.span,
        };
        let near = first.to(last).of(self.text);
        ExpressionError::Syntax { token: token.to_owned(), near: near.to_owned() }.at(span)
    }
}

/// Comparators, AND, OR, NOT and IN of a condition (BETWEEN counts through its AND); `+`, `-` and calls of an
/// update. Facts 4.4.
fn count_operators(parameter: ExpressionParameter, text: &str, tokens: &[Token]) -> usize {
    let is_operator = |at: usize, token: &Token| match (parameter, token.lexeme) {
        (ExpressionParameter::Update, Lexeme::Plus | Lexeme::Minus) => true,
        (ExpressionParameter::Update, Lexeme::Word) => {
            tokens.get(at + 1).is_some_and(|next| next.lexeme == Lexeme::ParenthesisOpen)
        }
        (ExpressionParameter::Update | ExpressionParameter::Projection, _) => false,
        (_, Lexeme::Word) => {
            let word = token.span.of(text);
            ["AND", "OR", "NOT", "IN"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
        }
        (_, lexeme) => super::condition::comparator(lexeme).is_some(),
    };
    tokens.iter().enumerate().filter(|(at, token)| is_operator(*at, token)).count()
}
