//! Values as text: in DynamoDB's messages, and short for people in a trace.

use std::fmt::{self, Write as _};

use hashrange_types::{AttributeValue, DocumentPath, PathElement};

/// A bound of BETWEEN as its messages show it: `N:9`.
pub(crate) fn bound_text(value: &AttributeValue) -> String {
    let mut text = String::from(value.tag());
    text.push(':');
    match value {
        AttributeValue::S(inner) => text.push_str(inner),
        _ => push_value(&mut text, value),
    }
    text
}

/// Appends a value for people: text in quotes, numbers as they are, `[1, 2]`, `{a: 1}`.
pub(crate) fn push_value(text: &mut String, value: &AttributeValue) {
    match value {
        AttributeValue::S(inner) => push_quoted(text, inner),
        AttributeValue::N(number) => push_displayed(text, number),
        AttributeValue::B(bytes) => push_bytes(text, bytes),
        AttributeValue::Bool(true) => text.push_str("true"),
        AttributeValue::Bool(false) => text.push_str("false"),
        AttributeValue::Null => text.push_str("null"),
        AttributeValue::L(values) => push_list(text, ('[', ']'), values, push_value),
        AttributeValue::M(entries) => {
            push_list(text, ('{', '}'), entries, |text, (name, value)| {
                text.push_str(name);
                text.push_str(": ");
                push_value(text, value);
            });
        }
        AttributeValue::Ss(set) => {
            push_list(text, ('{', '}'), set.members(), |text, member| push_quoted(text, member));
        }
        AttributeValue::Ns(set) => {
            push_list(text, ('{', '}'), set.members(), push_displayed);
        }
        AttributeValue::Bs(set) => {
            push_list(text, ('{', '}'), set.members(), |text, member| push_bytes(text, member));
        }
    }
}

/// Appends a path as it is written in an expression: `a.b[0]`.
pub(crate) fn push_path(text: &mut String, path: &DocumentPath) {
    text.push_str(path.attribute.as_str());
    for element in &path.elements {
        match element {
            PathElement::Entry(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathElement::Index(index) => {
                text.push('[');
                push_displayed(text, index);
                text.push(']');
            }
        }
    }
}

fn push_displayed(text: &mut String, value: &impl fmt::Display) {
    write!(text, "{value}").expect("writing to a string cannot fail");
}

fn push_quoted(text: &mut String, inner: &str) {
    text.push('"');
    text.push_str(inner);
    text.push('"');
}

/// Bytes in hexadecimal, as `0x00ff`.
fn push_bytes(text: &mut String, bytes: &[u8]) {
    text.push_str("0x");
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).expect("a digit is below 16"));
        }
    }
}

fn push_list<T>(
    text: &mut String,
    (open, close): (char, char),
    members: impl IntoIterator<Item = T>,
    push: impl Fn(&mut String, T),
) {
    text.push(open);
    for (at, member) in members.into_iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        push(text, member);
    }
    text.push(close);
}
