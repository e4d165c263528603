//! From the place of an error to the bytes of the request's text that the editor underlines.
//!
//! Invariant: a range is inside the text, on character boundaries, and never empty unless the text is.
//! Broken texts are welcome: the editor asks while someone types.

use std::borrow::Cow;
use std::ops::Range;

use hashrange_types::ErrorPlace;

use crate::scan::{Scanner, Token};

/// The bytes of `text` that `place` means, or none where the text holds no such place.
///
/// - [`ErrorPlace::Text`]: as it is, cut to the text.
/// - [`ErrorPlace::Expression`]: the part of the string literal of that parameter, escapes taken into
///   account. A parameter of the whole request comes before one inside a batch.
/// - [`ErrorPlace::Member`]: the member's value; where it is missing, the name of the member that lacks it.
///
/// ```
/// use hashrange_types::ErrorPlace;
/// let text = r#"{"Key": {"pk": {"N": "x"}}}"#;
/// let place = ErrorPlace::Member(vec!["Key".into(), "pk".into(), "N".into()]);
/// let range = hashrange_wire::locate(text, &place).unwrap();
/// assert_eq!(&text[range], "\"x\"");
/// ```
pub fn locate(text: &str, place: &ErrorPlace) -> Option<Range<usize>> {
    match place {
        ErrorPlace::Text { start, end } => {
            Some(whole_characters(text, *start as usize, *end as usize))
        }
        ErrorPlace::Expression { parameter, start, end } => {
            let literal = find_literal(text, parameter.name())?;
            let start = raw_offset(text, &literal, *start as usize);
            let end = raw_offset(text, &literal, *end as usize);
            Some(whole_characters(text, start, end))
        }
        ErrorPlace::Member(path) => {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            find_member(text, &path)
        }
    }
}

/// `start..end` moved outward to character boundaries, inside the text, and widened where it is empty.
pub(crate) fn whole_characters(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = text.floor_char_boundary(start.min(text.len()));
    let end = text.ceil_char_boundary(end.clamp(start, text.len()));
    if start < end {
        return start..end;
    }
    match text[start..].chars().next() {
        Some(character) => start..start + character.len_utf8(),
        None => text.floor_char_boundary(start.saturating_sub(1))..start,
    }
}

/// The value at the end of `path`, or the name of the last member on the way there.
fn find_member(text: &str, path: &[&str]) -> Option<Range<usize>> {
    let mut scanner = Scanner::new(text);
    let mut last_name = None;
    for step in path {
        let found = match scanner.next_token()?.0 {
            Token::OpenObject => find_entry(text, &mut scanner, step),
            Token::OpenList => find_element(&mut scanner, step).map(|at| (None, at)),
            _ => None,
        };
        let Some((name, at)) = found else { return last_name };
        last_name = name.or(last_name);
        scanner = at;
    }
    scanner.value().or(last_name)
}

/// Where the value of entry `name` starts, with the range of its name. Of two with one name the last counts,
/// as in decoding. The scanner stands behind the opening brace.
fn find_entry<'t>(
    text: &str,
    scanner: &mut Scanner<'t>,
    name: &str,
) -> Option<(Option<Range<usize>>, Scanner<'t>)> {
    let mut found = None;
    while let Some((token, range)) = scanner.next_token() {
        match token {
            Token::Close => break,
            Token::Text => {
                let is_wanted = content(&text[range.clone()]) == name;
                if !scanner.skip(Token::Colon) && !is_wanted {
                    continue;
                }
                if is_wanted {
                    found = Some((Some(range), scanner.clone()));
                }
                scanner.value();
            }
            _ => {}
        }
    }
    found
}

/// Where element number `step` of a list starts. The scanner stands behind the opening bracket.
fn find_element<'t>(scanner: &mut Scanner<'t>, step: &str) -> Option<Scanner<'t>> {
    let index: usize = step.parse().ok()?;
    for _ in 0..index {
        scanner.value()?;
        if !scanner.skip(Token::Comma) {
            return None;
        }
    }
    Some(scanner.clone())
}

/// The string literal that is the value of a member called `name`: of the request itself, else of whatever
/// inside it comes first.
fn find_literal(text: &str, name: &str) -> Option<Range<usize>> {
    let is_literal = |range: &Range<usize>| text[range.clone()].starts_with('"');
    let mut scanner = Scanner::new(text);
    if scanner.skip(Token::OpenObject)
        && let Some((_, mut at)) = find_entry(text, &mut scanner, name)
        && let Some(range) = at.value().filter(is_literal)
    {
        return Some(range);
    }
    let mut scanner = Scanner::new(text);
    while let Some((token, range)) = scanner.next_token() {
        if token == Token::Text
            && content(&text[range]) == name
            && scanner.skip(Token::Colon)
            && let Some((Token::Text, range)) = scanner.peek()
        {
            return Some(range);
        }
    }
    None
}

/// What a string literal says; the literal itself where it is broken.
fn content(literal: &str) -> Cow<'_, str> {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if inner.contains('\\') {
        serde_json::from_str::<String>(literal).map_or(Cow::Borrowed(inner), Cow::Owned)
    } else {
        Cow::Borrowed(inner)
    }
}

/// The byte of `text` at which byte `offset` of what the string literal says is written.
fn raw_offset(text: &str, literal: &Range<usize>, offset: usize) -> usize {
    let mut raw = literal.start + 1;
    let mut said = 0;
    while said < offset && raw < literal.end {
        let rest = &text[raw..literal.end];
        let Some(first) = rest.chars().next() else { break };
        let (n_raw, n_said) = match first {
            '"' => break,
            '\\' => escape_lengths(rest),
            plain => (plain.len_utf8(), plain.len_utf8()),
        };
        raw += n_raw;
        said += n_said;
    }
    raw.min(literal.end)
}

/// Bytes of the escape that `rest` starts with, as written and as read.
fn escape_lengths(rest: &str) -> (usize, usize) {
    let Some(unit) = code_unit(rest) else {
        let n = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        return (n, 1);
    };
    let is_pair = (0xD800..0xDC00).contains(&unit)
        && code_unit(&rest[6..]).is_some_and(|low| (0xDC00..0xE000).contains(&low));
    if is_pair {
        return (12, 4);
    }
    (6, char::from_u32(unit).map_or(3, char::len_utf8))
}

/// The code unit of the `\uXXXX` that `text` starts with.
fn code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use hashrange_types::ExpressionParameter;
    use proptest::prelude::*;

    use super::*;

    fn member<'t>(text: &'t str, path: &[&str]) -> Option<&'t str> {
        let path = path.iter().map(|name| (*name).to_owned()).collect();
        locate(text, &ErrorPlace::Member(path)).map(|range| &text[range])
    }

    fn filter(text: &str, start: u32, end: u32) -> Option<&str> {
        let parameter = ExpressionParameter::Filter;
        locate(text, &ErrorPlace::Expression { parameter, start, end }).map(|range| &text[range])
    }

    #[test]
    fn a_member_is_its_value_whatever_it_is() {
        let text = r#"{"a": {"b": [1, {"c": "d"}]}, "e": true}"#;
        assert_eq!(member(text, &["a", "b", "1", "c"]), Some("\"d\""));
        assert_eq!(member(text, &["a", "b", "1"]), Some(r#"{"c": "d"}"#));
        assert_eq!(member(text, &["e"]), Some("true"));
        assert_eq!(member(text, &[]), Some(text));
    }

    #[test]
    fn a_member_that_is_missing_is_the_name_of_what_lacks_it() {
        let text = r#"{"Key": {"sk": {"S": "x"}}}"#;
        assert_eq!(member(text, &["Key", "pk"]), Some("\"Key\""));
        assert_eq!(member(text, &["TableName"]), None);
        assert_eq!(member(r#"{"Key": }"#, &["Key"]), Some("\"Key\""));
    }

    #[test]
    fn of_two_members_with_one_name_the_last_is_meant_as_in_decoding() {
        assert_eq!(member(r#"{"a": 1, "a": 2}"#, &["a"]), Some("2"));
    }

    #[test]
    fn names_may_be_written_with_escapes() {
        assert_eq!(member(r#"{"\u0061\"": 1}"#, &["a\""]), Some("1"));
    }

    #[test]
    fn an_expression_is_found_inside_its_literal() {
        let text = r#"{"FilterExpression": "a = :x AND b", "x": 1}"#;
        assert_eq!(filter(text, 4, 6), Some(":x"));
    }

    #[test]
    fn escapes_and_long_characters_of_an_expression_are_counted_as_read() {
        let text = r#"{"FilterExpression": "\"\n\u00e9\uD83D\uDE00é:x"}"#;
        let said = "\"\n\u{e9}\u{1F600}é:x";
        for (start, character) in said.char_indices() {
            let start = u32::try_from(start).unwrap();
            let end = start + u32::try_from(character.len_utf8()).unwrap();
            let found = filter(text, start, end).unwrap();
            let found: String = serde_json::from_str(&format!("\"{found}\"")).unwrap();
            assert_eq!(found, character.to_string());
        }
    }

    #[test]
    fn the_end_of_an_expression_is_its_closing_quote() {
        let text = r#"{"FilterExpression": "a ="}"#;
        assert_eq!(filter(text, 3, 3), Some("\""));
        assert_eq!(filter(text, 90, 95), Some("\""));
    }

    #[test]
    fn an_expression_inside_a_batch_is_found_where_the_request_has_none() {
        let text = r#"{"RequestItems": {"T": {"FilterExpression": "a"}}}"#;
        assert_eq!(filter(text, 0, 1), Some("a"));
        let text = r#"{"x": {"FilterExpression": "a"}, "FilterExpression": "b"}"#;
        assert_eq!(filter(text, 0, 1), Some("b"));
        assert_eq!(filter(r#"{"x": "FilterExpression"}"#, 0, 1), None);
    }

    proptest! {
        #[test]
        fn a_place_is_always_inside_the_text_on_character_boundaries(
            text in "(\\{\"FilterExpression\": ?\")?[\\[\\]{}:,\"\\\\auU0-9dDé😀 ]{0,40}",
            path in prop::collection::vec("[a0-2]{0,2}", 0..4),
            start in 0_u32..60,
            end in 0_u32..60,
        ) {
            let parameter = ExpressionParameter::Filter;
            for place in [
                ErrorPlace::Text { start, end },
                ErrorPlace::Expression { parameter, start, end },
                ErrorPlace::Member(path),
            ] {
                if let Some(range) = locate(&text, &place) {
                    prop_assert!(text.get(range.clone()).is_some());
                    prop_assert!(!range.is_empty() || text.is_empty());
                }
            }
        }
    }
}
