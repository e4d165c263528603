//! Rust text with its comments and literals blanked, so that rules see only code.
//!
//! Invariant: the result has the lines of the original, so a line number means the same in both.
//!
//! Not here: a grammar. The rules need words and braces, and this keeps them without a parser.

/// The text with each character of a comment, string or character literal turned into a space.
pub(crate) fn code(text: &str) -> String {
    let mut scanner = Scanner { rest: text, output: String::with_capacity(text.len()) };
    while !scanner.rest.is_empty() {
        scanner.step();
    }
    scanner.output
}

/// The lines that belong to `#[cfg(test)]` modules, as one flag a line of `code`.
pub(crate) fn test_lines(code: &str) -> Vec<bool> {
    let lines: Vec<&str> = code.lines().collect();
    let mut is_test = vec![false; lines.len()];
    let mut line_index = 0;
    while line_index < lines.len() {
        let mut end_index = line_index;
        if lines[line_index].trim_start().starts_with("#[cfg(test)]") {
            end_index = block_end(&lines, line_index);
            is_test[line_index..=end_index].fill(true);
        }
        line_index = end_index + 1;
    }
    is_test
}

/// Index of the line that closes the first block opened at or after `from_index`, or that ends
/// the statement there when no block opens before its semicolon.
pub(crate) fn block_end(lines: &[&str], from_index: usize) -> usize {
    let (mut depth, mut has_opened) = (0_i32, false);
    let mut brackets = 0_i32;
    for (offset, line) in lines[from_index..].iter().enumerate() {
        for character in line.chars() {
            match character {
                '{' => {
                    depth += 1;
                    has_opened = true;
                }
                '}' => depth -= 1,
                '(' | '[' => brackets += 1,
                ')' | ']' => brackets -= 1,
                ';' if !has_opened && brackets == 0 => return from_index + offset,
                _ => {}
            }
            if has_opened && depth == 0 {
                return from_index + offset;
            }
        }
    }
    lines.len() - 1
}

struct Scanner<'a> {
    rest: &'a str,
    output: String,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let rest = self.rest;
        if rest.starts_with("//") {
            self.blank(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.blank(comment_length(rest));
        } else if let Some(length) = raw_string_length(rest) {
            let starts_word = !self.output.ends_with(is_word);
            if starts_word {
                self.blank(length);
            } else {
                self.keep();
            }
        } else if rest.starts_with('"') {
            self.blank(string_length(rest));
        } else if let Some(length) = character_length(rest) {
            self.blank(length);
        } else {
            self.keep();
        }
    }

    fn keep(&mut self) {
        let length = self.rest.chars().next().map_or(0, char::len_utf8);
        let (kept, rest) = self.rest.split_at(length);
        self.output.push_str(kept);
        self.rest = rest;
    }

    fn blank(&mut self, length: usize) {
        let (blanked, rest) = self.rest.split_at(length);
        self.output.extend(blanked.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        self.rest = rest;
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Block comments nest in Rust.
fn comment_length(text: &str) -> usize {
    let (mut depth, mut index) = (0_usize, 0);
    while index < text.len() {
        let here = &text.as_bytes()[index..];
        if here.starts_with(b"/*") {
            depth += 1;
            index += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            index += 2;
            if depth == 0 {
                return index;
            }
        } else {
            index += 1;
        }
    }
    text.len()
}

fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of `r"…"`, `r#"…"#` or `br#"…"#` at the start of the text.
fn raw_string_length(text: &str) -> Option<usize> {
    let after_r = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = after_r.len() - after_r.trim_start_matches('#').len();
    let body = after_r[hashes..].strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&closing).map_or(body.len(), |index| index + closing.len());
    Some(text.len() - body.len() + end)
}

/// Length of `'x'` or `'\n'`; nothing at a lifetime.
fn character_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let mut characters = inside.chars();
    match characters.next()? {
        '\\' => {
            let escaped = characters.next()?.len_utf8();
            inside[1 + escaped..].find('\'').map(|index| index + 3 + escaped)
        }
        '\'' => None,
        first => (characters.next()? == '\'').then(|| first.len_utf8() + 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_code_stays() {
        let text = "let a = \"{ // \\\" }\"; // {\nlet b = '{'; /* { /* } */ */ let c: &'a u8;";
        let code = code(text);
        assert_eq!(code.lines().count(), 2);
        assert!(!code.contains('{') && !code.contains('}'), "{code}");
        assert!(code.contains("let c: &'a u8;"));
    }

    #[test]
    fn raw_strings_and_escaped_characters_are_blanked() {
        let code = code("f(r#\"a \" { \"#, br\"{\", '\\'', '\\u{7d}', for_r);");
        assert!(!code.contains('{') && !code.contains('}'), "{code}");
        assert!(code.ends_with("for_r);"));
    }

    #[test]
    fn the_lines_of_a_test_module_are_marked_to_its_closing_brace() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}";
        assert_eq!(test_lines(code), [false, true, true, true, true, false]);
    }

    #[test]
    fn an_unclosed_comment_or_string_ends_with_the_text() {
        for text in ["/* a", "\"a", "r#\"a\"", "'\\", "'"] {
            assert_eq!(code(text).len(), text.len(), "{text}");
        }
    }
}
