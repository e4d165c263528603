//! A JSON text indented for reading.
//!
//! Invariant: the tokens stay as they are, byte for byte; only white space between them changes.

use crate::scan::{Scanner, Token};

/// Longest object or list of scalars that is kept on one line, in bytes.
const LINE_BYTES_MAX: usize = 80;
/// Deepest level that is indented further, so that the result stays in proportion to the text.
const INDENT_MAX: usize = 64;

/// `text` with two spaces a level, or none where it is not JSON.
///
/// An object or list of scalars stays on one line while it is short, so `{"S": "x"}` does.
///
/// ```
/// let text = r#"{"Key":{"pk":{"S":"x"}}}"#;
/// assert_eq!(
///     hashrange_wire::pretty(text).unwrap(),
///     "{\n  \"Key\": {\n    \"pk\": {\"S\": \"x\"}\n  }\n}",
/// );
/// ```
pub fn pretty(text: &str) -> Option<String> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    let mut out = String::with_capacity(text.len() * 2);
    let mut scanner = Scanner::new(text);
    let mut depth = 0;
    while let Some((token, range)) = scanner.next_token() {
        match token {
            Token::OpenObject | Token::OpenList => {
                if let Some((line, behind)) = one_line(text, &scanner, &text[range.clone()]) {
                    out.push_str(&line);
                    scanner = behind;
                    continue;
                }
                depth += 1;
                out.push_str(&text[range]);
                new_line(&mut out, depth);
            }
            Token::Close => {
                depth -= 1;
                new_line(&mut out, depth);
                out.push_str(&text[range]);
            }
            Token::Comma => {
                out.push(',');
                new_line(&mut out, depth);
            }
            Token::Colon => out.push_str(": "),
            Token::Text | Token::Word => out.push_str(&text[range]),
        }
    }
    Some(out)
}

/// The container that was just opened on one line, and the scanner behind it; none where it holds another
/// container or is too long. An empty one always fits.
fn one_line<'t>(text: &str, scanner: &Scanner<'t>, open: &str) -> Option<(String, Scanner<'t>)> {
    let mut scanner = scanner.clone();
    let mut line = open.to_owned();
    loop {
        let (token, range) = scanner.next_token()?;
        match token {
            Token::OpenObject | Token::OpenList => return None,
            Token::Close => {
                line.push_str(&text[range]);
                return Some((line, scanner));
            }
            Token::Comma => line.push_str(", "),
            Token::Colon => line.push_str(": "),
            Token::Text | Token::Word => line.push_str(&text[range]),
        }
        if line.len() > LINE_BYTES_MAX {
            return None;
        }
    }
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth.min(INDENT_MAX) {
        out.push_str("  ");
    }
}
