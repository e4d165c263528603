//! Inks of a JSON text: which parts are names, texts, numbers and placeholders, and which part is wrong.
//!
//! Invariant: the runs put together are the text, whatever it is. This colours; it does not judge: what is
//! wrong comes from the session.

use hashrange_playground::view::TextRange;

/// Longer texts are shown in one ink, because every run is an element of the page.
const INKED_BYTES_MAX: usize = 20_000;

/// A stretch of text in one ink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its class, empty for plain text.
    pub(crate) class: &'static str,
    /// Its text.
    pub(crate) text: String,
    /// True inside the part that is wrong.
    pub(crate) is_bad: bool,
}

/// Cuts a text into runs; `bad` is the part to underline.
pub(crate) fn runs(text: &str, bad: Option<TextRange>) -> Vec<Run> {
    let bad = bad.map(|range| byte_range(text, range));
    let mut pieces =
        if text.len() > INKED_BYTES_MAX { vec![("", 0, text.len())] } else { inked(text) };
    if pieces.is_empty() {
        pieces.push(("", 0, 0));
    }
    let mut runs = Vec::new();
    for (class, start, end) in pieces {
        let (from, to) =
            bad.map_or((end, end), |(from, to)| (from.clamp(start, end), to.clamp(start, end)));
        for (part, is_bad) in [(start..from, false), (from..to, true), (to..end, false)] {
            if !part.is_empty() {
                runs.push(Run { class, text: text[part].to_owned(), is_bad });
            }
        }
    }
    if bad.is_some_and(|(from, _)| from == text.len()) {
        // At the end there is nothing to underline, so a blank is.
        runs.push(Run { class: "", text: " ".to_owned(), is_bad: true });
    }
    runs
}

/// The range in bytes; an empty one takes the character after it.
fn byte_range(text: &str, range: TextRange) -> (usize, usize) {
    let at = |units: u32| {
        let mut seen = 0;
        let found = text.char_indices().find(|(_, character)| {
            let is_here = seen >= units;
            seen += if character.len_utf16() == 2 { 2 } else { 1 };
            is_here
        });
        found.map_or(text.len(), |(index, _)| index)
    };
    let start = at(range.start);
    let next = text[start..].chars().next().map_or(0, char::len_utf8);
    (start, at(range.end).max(start + next))
}

fn inked(text: &str) -> Vec<(&'static str, usize, usize)> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let end = match bytes[at] {
            b'"' => string_end(bytes, at),
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => word_end(bytes, at),
            _ => {
                at += 1;
                continue;
            }
        };
        if start < at {
            pieces.push(("", start, at));
        }
        pieces.push((ink(bytes, at, end), at, end));
        (start, at) = (end, end);
    }
    if start < text.len() {
        pieces.push(("", start, text.len()));
    }
    pieces
}

fn ink(bytes: &[u8], start: usize, end: usize) -> &'static str {
    if bytes[start] != b'"' {
        return "ink-number";
    }
    if matches!(bytes.get(start + 1), Some(b':' | b'#')) {
        return "ink-placeholder";
    }
    let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
    if next == Some(&b':') { "ink-name" } else { "ink-text" }
}

/// Where the string that begins at `start` ends; an open one ends with its line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if at + 1 < bytes.len() && bytes[at + 1] != b'\n' && bytes[at + 1].is_ascii() => {
                at += 2;
            }
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    bytes[start..]
        .iter()
        .position(|byte| !is_part(byte))
        .map_or(bytes.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, start: u32, end: u32) -> Vec<Run> {
        runs(text, Some(TextRange { start, end, line: 1, column: 1 }))
    }

    fn together(runs: &[Run]) -> String {
        runs.iter().map(|run| run.text.as_str()).collect()
    }

    #[test]
    fn names_texts_numbers_and_placeholders_have_inks_of_their_own() {
        let text = r#"{"Limit": 5, ":v": {"S": "a"}}"#;
        let inks: Vec<_> = runs(text, None)
            .into_iter()
            .map(|run| run.class)
            .filter(|ink| !ink.is_empty())
            .collect();
        assert_eq!(inks, ["ink-name", "ink-number", "ink-placeholder", "ink-name", "ink-text"]);
    }

    #[test]
    fn the_runs_are_the_text_even_when_it_is_no_json() {
        for text in ["", "\"open\n{", "\\", "\"\\", "日本\"é\\é\" 1e5", "\"a\\"] {
            assert_eq!(together(&runs(text, None)), text);
        }
    }

    #[test]
    fn the_wrong_part_is_counted_in_utf_16_units() {
        let bad: Vec<_> = marked("😀x y", 2, 3).into_iter().filter(|run| run.is_bad).collect();
        assert_eq!(together(&bad), "x");
    }

    #[test]
    fn an_error_at_the_end_underlines_a_blank() {
        let runs = marked("{", 1, 1);
        assert_eq!(runs.last().map(|run| (run.text.as_str(), run.is_bad)), Some((" ", true)));
    }

    #[test]
    fn a_range_beyond_the_text_is_clamped() {
        assert_eq!(together(&marked("ab", 9, 12)), "ab ");
    }
}
