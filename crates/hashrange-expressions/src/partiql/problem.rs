//! `Problem`: what is wrong with a statement, in DynamoDB's words, and where.
//!
//! Source: facts 3.7; positions in messages count lines, characters and length from 1, as measured by the public
//! conformance suites.

use hashrange_types::{ErrorPlace, ExpressionParameter, ValidationError};

use crate::error::{ExpressionError, Located};
use crate::lexer::Span;

/// A message and the part of the statement to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) message: String,
    pub(super) span: Span,
}

/// The text cannot be read as a statement; `detail` may be empty.
pub(super) fn malformed(detail: &str, span: Span) -> Problem {
    let mut message = String::from("Statement wasn't well formed, can't be processed: ");
    message.push_str(detail);
    Problem { message, span }
}

/// The text can be read and is refused.
pub(super) fn refused(message: impl Into<String>, span: Span) -> Problem {
    Problem { message: message.into(), span }
}

/// As [`refused`], with the place written out behind the message: `... at 1:8:5`.
pub(super) fn refused_at(message: &str, text: &str, span: Span) -> Problem {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    let length = span.of(text).chars().count();
    refused(format!("{message} at {line}:{column}:{length}"), span)
}

impl From<Located> for Problem {
    fn from(located: Located) -> Self {
        let message = match &*located.error {
            // The same message as of other expressions, but for the order of the types.
            ExpressionError::UnknownType(name) => format!(
                "Invalid attribute type name found; type: {name}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}"
            ),
            error => error.to_string(),
        };
        Self { message, span: located.span }
    }
}

impl From<Problem> for ValidationError {
    fn from(problem: Problem) -> Self {
        let Span { start, end } = problem.span;
        let parameter = ExpressionParameter::Statement;
        Self::new(problem.message).at(ErrorPlace::Expression { parameter, start, end })
    }
}
