//! Text of a statement -> tokens with byte spans.
//!
//! Invariant: the tokens are in order and do not overlap; white space and comments lie between them.

use logos::Logos;

use super::problem::{Problem, malformed};
use crate::lexer::Span;

/// A token as the parsers see it.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip "[ \t\r\n\u{c}]+")]
#[logos(skip("--[^\n]*", allow_greedy = true))]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub(super) enum Lexeme {
    #[regex("[A-Za-z_$][A-Za-z0-9_$]*")]
    Word,
    /// A name in double quotes.
    #[regex(r#""([^"]|"")*""#)]
    Quoted,
    /// Text in single quotes.
    #[regex("'([^']|'')*'")]
    Text,
    #[regex(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
    Number,
    #[token("?")]
    Parameter,
    #[token("=")]
    Equal,
    #[token("<>")]
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("<<")]
    BagOpen,
    #[token(">>")]
    BagClose,
    #[token("(")]
    ParenthesisOpen,
    #[token(")")]
    ParenthesisClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    /// An operator of PartiQL that DynamoDB has no use for.
    #[token("/")]
    #[token("%")]
    #[token("||")]
    OtherOperator,
    /// A comment without an end.
    #[token("/*")]
    OpenComment,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) lexeme: Lexeme,
    pub(super) span: Span,
}

/// The tokens of `text`.
///
/// # Errors
/// A character starts no token, or a quote or comment has no end: DynamoDB says no more than that the statement is
/// not well formed.
pub(super) fn lex(text: &str) -> Result<Vec<Token>, Problem> {
    let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut lexer = Lexeme::lexer(text);
    while let Some(found) = lexer.next() {
        let range = lexer.span();
        let span = Span { start: offset(range.start), end: offset(range.end) };
        let lexeme = found.ok().filter(|lexeme| *lexeme != Lexeme::OpenComment);
        let lexeme = lexeme.ok_or_else(|| malformed("", span))?;
        tokens.push(Token { lexeme, span });
    }
    Ok(tokens)
}
