//! The rule on colours: only `tokens.css` spells one.

use super::{Finding, Source};

/// The one file that may spell a colour.
const TOKENS: &str = "web/styles/tokens.css";
/// Functions that make a colour out of numbers.
const COLOUR_FUNCTIONS: [&str; 7] = ["rgb(", "rgba(", "hsl(", "hsla(", "hwb(", "oklch(", "oklab("];

/// Finds colours that are spelled outside the tokens.
pub(crate) fn colours(source: &Source) -> Vec<Finding> {
    if source.path == TOKENS {
        return Vec::new();
    }
    let text = without_comments(&source.text);
    let mut findings = Vec::new();
    for (line_index, line) in text.lines().enumerate() {
        let function = COLOUR_FUNCTIONS.iter().find(|name| calls(line, name)).copied();
        if let Some(colour) = function.or_else(|| hex_colour(line)) {
            let message = format!("`{colour}` is a raw colour: name it in {TOKENS} and use var()");
            findings.push(Finding::at(source, line_index, message));
        }
    }
    findings
}

fn calls(line: &str, function: &str) -> bool {
    line.match_indices(function).any(|(index, _)| {
        !line[..index].ends_with(|before: char| before.is_alphanumeric() || before == '-')
    })
}

/// The first `#abc`, `#abcd`, `#aabbcc` or `#aabbccdd` of a line.
fn hex_colour(line: &str) -> Option<&str> {
    line.match_indices('#').find_map(|(index, _)| {
        let word = &line[index..];
        let after = word[1..].find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
        let word = &word[..after.map_or(word.len(), |length| length + 1)];
        let digits = &word[1..];
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_hex && matches!(digits.len(), 3 | 4 | 6 | 8)).then_some(word)
    })
}

/// The text with its comments blanked, line breaks kept.
fn without_comments(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        output.push_str(&rest[..start]);
        let end = rest[start..].find("*/").map_or(rest.len(), |length| start + length + 2);
        output.extend(rest[start..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    output.push_str(rest);
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::source;

    fn findings(path: &str, text: &str) -> Vec<String> {
        colours(&source(path, text)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_colour_outside_the_tokens_is_found_with_its_line() {
        let text = "/* #fff\n*/\n.a { color: #1a2B3c; }\n.b { color: rgb(1 2 3); }";
        let message = "is a raw colour: name it in web/styles/tokens.css and use var()";
        assert_eq!(
            findings("web/styles/panels/a.css", text),
            [
                format!("web/styles/panels/a.css:3: `#1a2B3c` {message}"),
                format!("web/styles/panels/a.css:4: `rgb(` {message}")
            ]
        );
    }

    #[test]
    fn tokens_fragments_and_variables_pass() {
        assert_eq!(findings("web/styles/tokens.css", ":root { --a: #fff; }").len(), 0);
        let text = ".a { fill: url(#i-x); color: var(--color-text); } .b { --x: #i; }";
        assert_eq!(findings("web/styles/base.css", text).len(), 0);
    }
}
