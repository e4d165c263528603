//! A table as text: cells between commas, semicolons or tabs, in quotes where they hold more (RFC 4180).
//!
//! Invariant: every text is a table; a quote that is never closed takes the rest of the text.

/// A row: the line it starts on, from 1, and its cells.
pub(super) type Line = (u32, Vec<String>);

/// The rows of a text. Lines without anything are passed over.
pub(super) fn rows(text: &str) -> (char, Vec<Line>) {
    let separator = separator_of(text);
    let mut rows = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut cell = String::new();
    let (mut line, mut first_line) = (1, 1);
    let mut is_quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        line += u32::from(character == '\n');
        if is_quoted {
            match character {
                '"' if characters.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' => is_quoted = false,
                other => cell.push(other),
            }
            continue;
        }
        match character {
            '"' if cell.is_empty() => is_quoted = true,
            '\r' if matches!(characters.peek(), Some('\n') | None) => {}
            '\n' | '\r' => {
                end_row(&mut rows, first_line, &mut cells, &mut cell);
                first_line = line;
            }
            other if other == separator => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    end_row(&mut rows, first_line, &mut cells, &mut cell);
    (separator, rows)
}

fn end_row(rows: &mut Vec<Line>, line: u32, cells: &mut Vec<String>, cell: &mut String) {
    cells.push(std::mem::take(cell));
    let cells = std::mem::take(cells);
    if cells.iter().any(|cell| !cell.is_empty()) {
        rows.push((line, cells));
    }
}

/// What stands most often between cells of the first line, outside quotes.
fn separator_of(text: &str) -> char {
    let mut counts = [('\t', 0), (';', 0), (',', 0)];
    let mut is_quoted = false;
    for character in text.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            '\n' if !is_quoted => break,
            _ if is_quoted => {}
            other => {
                for (separator, n) in &mut counts {
                    *n += u32::from(*separator == other);
                }
            }
        }
    }
    let mut best = (',', 0);
    for (separator, n) in counts {
        if n > best.1 {
            best = (separator, n);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        rows(text).1.into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn quotes_hold_separators_line_ends_and_doubled_quotes() {
        assert_eq!(
            cells("a,b\r\n\"x, y\",\"he said \"\"no\"\"\"\r\n\"two\nlines\",\r\n"),
            [["a", "b"], ["x, y", "he said \"no\""], ["two\nlines", ""]]
        );
    }

    #[test]
    fn semicolons_and_tabs_separate_where_there_are_more_of_them() {
        assert_eq!(cells("a;b\n1,5;2"), [["a", "b"], ["1,5", "2"]]);
        assert_eq!(cells("a\tb\n1;2\t3"), [["a", "b"], ["1;2", "3"]]);
        assert_eq!(cells("\"a;b;c\",d\ne,f"), [["a;b;c", "d"], ["e", "f"]]);
    }

    #[test]
    fn empty_lines_are_passed_over_and_lines_are_counted_in_quotes_too() {
        let (_, rows) = rows("a,b\n\n\"1\n2\",3\r\n4,5");
        let lines: Vec<u32> = rows.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 3, 5]);
    }

    #[test]
    fn a_quote_that_is_never_closed_ends_with_the_text() {
        assert_eq!(cells("a\n\"b,c\nd"), [["a"], ["b,c\nd"]]);
        assert_eq!(cells(""), Vec::<Vec<String>>::new());
        assert_eq!(cells("a\rb"), [["a"], ["b"]]);
    }
}
