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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_and_escapes_stay_as_they_are_written() {
        let text = r#"{"n":123456789012345678901234567890.10,"s":"\u00e9 , : {"}"#;
        assert_eq!(
            pretty(text).unwrap(),
            r#"{"n": 123456789012345678901234567890.10, "s": "\u00e9 , : {"}"#
        );
    }

    #[test]
    fn what_holds_another_container_or_is_long_stands_on_lines_of_its_own() {
        assert_eq!(
            pretty(r#"{"a":[],"b":{"c":[1,2]}}"#).unwrap(),
            "{\n  \"a\": [],\n  \"b\": {\n    \"c\": [1, 2]\n  }\n}"
        );
        let long = "x".repeat(90);
        assert_eq!(
            pretty(&format!("[\"{long}\",1]")).unwrap(),
            format!("[\n  \"{long}\",\n  1\n]")
        );
    }

    #[test]
    fn what_is_not_json_is_left_to_its_author() {
        assert_eq!(pretty("{"), None);
        assert_eq!(pretty(""), None);
    }

    #[test]
    fn a_very_deep_text_does_not_grow_out_of_proportion() {
        let n = 20_000;
        let text = format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(pretty(&text).unwrap().len() < text.len() * 200);
    }

    proptest! {
        #[test]
        fn indenting_changes_white_space_only(text in "[\\[\\]{}:,\"a1 ]{0,30}") {
            if let Some(indented) = pretty(&text) {
                let before: serde_json::Value = serde_json::from_str(&text).unwrap();
                let after: serde_json::Value = serde_json::from_str(&indented).unwrap();
                prop_assert_eq!(before, after);
                prop_assert_eq!(pretty(&indented), Some(indented));
            }
        }
    }
}
