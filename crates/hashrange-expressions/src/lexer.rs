//! Text of an expression -> tokens with byte spans.
//!
//! Invariant: the tokens are in order, do not overlap, and cover everything but white space; text that no token
//! starts with becomes [`Lexeme::Unknown`], so lexing never fails.
//!
//! Not here: which words are keywords, since `SET` is one in an update expression only ([`crate::parser`]).
//!
//! Source: facts 4.2.

use logos::Logos;

/// Bytes `start..end` of an expression's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from the start of `self` to the end of `last`.
    #[must_use]
    pub const fn to(self, last: Self) -> Self {
        Self { start: self.start, end: last.end }
    }

    /// The text the span covers.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A token as the parsers see it.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip "[ \t\r\n]+")]
pub(crate) enum Lexeme {
    #[regex("[A-Za-z][A-Za-z0-9_]*")]
    Word,
    #[regex("#[A-Za-z0-9_]+")]
    Name,
    #[regex(":[A-Za-z0-9_]+")]
    Value,
    #[regex("[0-9]+")]
    Integer,
    #[token("=")]
    Equal,
    #[token("<>")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("(")]
    ParenthesisOpen,
    #[token(")")]
    ParenthesisClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    /// One character that starts no token.
    Unknown,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) lexeme: Lexeme,
    pub(crate) span: Span,
}

fn offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The tokens of `text`.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut lexer = Lexeme::lexer(text);
    while let Some(found) = lexer.next() {
        let range = lexer.span();
        match found {
            Ok(lexeme) => {
                let span = Span { start: offset(range.start), end: offset(range.end) };
                tokens.push(Token { lexeme, span });
            }
            Err(()) => {
                for (at, character) in lexer.slice().char_indices() {
                    let start = range.start + at;
                    let end = start + character.len_utf8();
                    let span = Span { start: offset(start), end: offset(end) };
                    tokens.push(Token { lexeme: Lexeme::Unknown, span });
                }
            }
        }
    }
    tokens
}

/// What a piece of an expression is, for colouring it in the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `AND`, `BETWEEN`, `SET` and the like.
    Keyword,
    /// A name in front of a parenthesis.
    Function,
    /// An attribute name written out.
    Attribute,
    /// An attribute name that must be written as `#name` because it is a reserved word.
    ReservedWord,
    /// `#name`.
    Name,
    /// `:value`.
    Value,
    /// The number in `[0]`.
    Index,
    /// `=`, `<>`, `+` and the like.
    Operator,
    /// Parentheses, brackets, commas and dots.
    Punctuation,
    /// A character that no expression may hold.
    Unknown,
}

/// The tokens of any expression, right or wrong, for colouring it in the editor.
///
/// ```
/// # use hashrange_expressions::{tokens, TokenKind};
/// let kinds: Vec<TokenKind> = tokens("SET a = :v").into_iter().map(|(kind, _)| kind).collect();
/// assert_eq!(kinds, [TokenKind::Keyword, TokenKind::Attribute, TokenKind::Operator, TokenKind::Value]);
/// ```
pub fn tokens(text: &str) -> Vec<(TokenKind, Span)> {
    let tokens = lex(text);
    tokens
        .iter()
        .enumerate()
        .map(|(at, token)| {
            let next = tokens.get(at + 1).map(|token| token.lexeme);
            (kind(token.lexeme, token.span.of(text), next), token.span)
        })
        .collect()
}

/// Words that are part of the language in some expression.
const KEYWORDS: [&str; 9] = ["AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"];

fn kind(lexeme: Lexeme, word: &str, next: Option<Lexeme>) -> TokenKind {
    match lexeme {
        Lexeme::Word if KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word)) => {
            TokenKind::Keyword
        }
        Lexeme::Word if next == Some(Lexeme::ParenthesisOpen) => TokenKind::Function,
        Lexeme::Word if crate::reserved::is_reserved(word) => TokenKind::ReservedWord,
        Lexeme::Word => TokenKind::Attribute,
        Lexeme::Name => TokenKind::Name,
        Lexeme::Value => TokenKind::Value,
        Lexeme::Integer => TokenKind::Index,
        Lexeme::Equal
        | Lexeme::NotEqual
        | Lexeme::Less
        | Lexeme::LessOrEqual
        | Lexeme::Greater
        | Lexeme::GreaterOrEqual
        | Lexeme::Plus
        | Lexeme::Minus => TokenKind::Operator,
        Lexeme::ParenthesisOpen
        | Lexeme::ParenthesisClose
        | Lexeme::BracketOpen
        | Lexeme::BracketClose
        | Lexeme::Comma
        | Lexeme::Dot => TokenKind::Punctuation,
        Lexeme::Unknown => TokenKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexemes(text: &str) -> Vec<Lexeme> {
        lex(text).into_iter().map(|token| token.lexeme).collect()
    }

    #[test]
    fn every_text_of_up_to_four_characters_lexes_into_ordered_tokens_that_skip_white_space_only() {
        let alphabet =
            ['a', 'Z', '0', '_', '#', ':', '<', '>', '=', '(', ']', ',', '.', '-', ' ', 'é'];
        let mut texts = vec![String::new()];
        let mut from = 0;
        for _ in 0..4 {
            let until = texts.len();
            for at in from..until {
                for character in alphabet {
                    texts.push(format!("{}{character}", texts[at]));
                }
            }
            from = until;
        }
        for text in &texts {
            let mut covered = 0;
            for token in lex(text) {
                let gap = &text[covered..token.span.start as usize];
                assert!(gap.chars().all(|character| character == ' '), "{text:?} skips {gap:?}");
                assert!(token.span.end > token.span.start, "{text:?} has an empty token");
                covered = token.span.end as usize;
            }
            assert!(text[covered..].chars().all(|character| character == ' '), "{text:?}");
        }
    }

    #[test]
    fn a_name_may_not_start_with_an_underscore_or_a_digit() {
        assert_eq!(lexemes("_a"), [Lexeme::Unknown, Lexeme::Word]);
        assert_eq!(lexemes("1st"), [Lexeme::Integer, Lexeme::Word]);
        assert_eq!(lexemes("a_1"), [Lexeme::Word]);
    }

    #[test]
    fn sigils_need_a_name_behind_them() {
        assert_eq!(lexemes("#a :b"), [Lexeme::Name, Lexeme::Value]);
        assert_eq!(lexemes("# a"), [Lexeme::Unknown, Lexeme::Word]);
        assert_eq!(lexemes("::b"), [Lexeme::Unknown, Lexeme::Value]);
        assert_eq!(lexemes("#1 :_"), [Lexeme::Name, Lexeme::Value]);
    }

    #[test]
    fn the_longest_comparator_wins() {
        assert_eq!(lexemes("<=<><"), [Lexeme::LessOrEqual, Lexeme::NotEqual, Lexeme::Less]);
        assert_eq!(lexemes(">=="), [Lexeme::GreaterOrEqual, Lexeme::Equal]);
    }

    #[test]
    fn the_editor_sees_keywords_functions_and_reserved_words() {
        let kinds = |text| tokens(text).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
        assert_eq!(
            kinds("size(status) and x!"),
            [
                TokenKind::Function,
                TokenKind::Punctuation,
                TokenKind::ReservedWord,
                TokenKind::Punctuation,
                TokenKind::Keyword,
                TokenKind::Attribute,
                TokenKind::Unknown,
            ]
        );
    }
}
