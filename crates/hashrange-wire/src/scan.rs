//! `Scanner`: the tokens of a JSON text, right or wrong, with their byte ranges.
//!
//! Invariant: never panics and never recurses, every range is inside the text and on character boundaries.
//! A text that is not JSON still yields tokens: the editor asks about texts as they are typed.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// `{`
    OpenObject,
    /// `[`
    OpenList,
    /// `}` or `]`
    Close,
    Comma,
    Colon,
    /// A string with its quotes; at the end of a broken text the last quote may be missing.
    Text,
    /// A number, `true`, `false`, `null` or anything else without delimiters.
    Word,
}

/// Walks the tokens of a text.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token, or none at the end.
    pub(crate) fn next_token(&mut self) -> Option<(Token, Range<usize>)> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        let token = match bytes.get(start)? {
            b'{' => Token::OpenObject,
            b'[' => Token::OpenList,
            b'}' | b']' => Token::Close,
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' => {
                self.at = end_of_string(bytes, start);
                return Some((Token::Text, start..self.at));
            }
            _ => {
                self.at = end_of_word(bytes, start);
                return Some((Token::Word, start..self.at));
            }
        };
        self.at += 1;
        Some((token, start..self.at))
    }

    /// The next token without taking it.
    pub(crate) fn peek(&self) -> Option<(Token, Range<usize>)> {
        self.clone().next_token()
    }

    /// Takes the next token if it is `token`.
    pub(crate) fn skip(&mut self, token: Token) -> bool {
        let is_next = self.peek().is_some_and(|(next, _)| next == token);
        if is_next {
            self.next_token();
        }
        is_next
    }

    /// Takes one whole value and returns its range; none where no value begins here.
    pub(crate) fn value(&mut self) -> Option<Range<usize>> {
        let (first, range) = self.peek()?;
        match first {
            Token::Close | Token::Comma | Token::Colon => return None,
            Token::Text | Token::Word => {
                self.next_token();
                return Some(range);
            }
            Token::OpenObject | Token::OpenList => {}
        }
        let mut depth = 0_usize;
        let mut end = range.end;
        while let Some((token, taken)) = self.next_token() {
            end = taken.end;
            match token {
                Token::OpenObject | Token::OpenList => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        Some(range.start..end)
    }
}

/// One past the closing quote of the string that starts at `start`, or the end of the text.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
        // A backslash may be followed by a character of several bytes: go on at its end.
        while bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
            at += 1;
        }
    }
    bytes.len()
}

fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let is_inside = |byte: &u8| {
        !byte.is_ascii_whitespace()
            && !matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"')
    };
    let length = bytes[start..].iter().position(|byte| !is_inside(byte));
    length.map_or(bytes.len(), |length| start + length)
}
