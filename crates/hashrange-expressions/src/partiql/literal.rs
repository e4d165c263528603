//! Literals as attribute values.
//!
//! Invariant: messages name the place inside the literal, which DynamoDB calls `root`: `root.x[1]`.
//!
//! Source: the public conformance suites, exact messages of PartiQL grammar.

use hashrange_types::{AttributeValue, Number, NumberError, NumberSet, StringSet, limits};
use indexmap::IndexMap;
use smol_str::SmolStr;

use super::problem::{Problem, refused, refused_at};
use super::tree::{Term, TermKind};
use crate::error::ApplyError;

const NOT_IN_A_BAG: &str =
    "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags";

/// The value of a literal of the statement `text`.
///
/// # Errors
/// A number, set or nesting that breaks a rule of values, or a term that is no literal.
pub(super) fn literal(text: &str, term: &Term) -> Result<AttributeValue, Problem> {
    Literals { text, place: String::from("root") }.value(term, 0)
}

struct Literals<'t> {
    text: &'t str,
    /// Where in the literal the value stands.
    place: String,
}

impl Literals<'_> {
    fn value(&mut self, term: &Term, level: usize) -> Result<AttributeValue, Problem> {
        if level >= limits::NESTING_LEVELS_MAX {
            let message =
                format!("Nesting Levels have exceeded supported limits under {}", self.place);
            return Err(refused(message, term.span));
        }
        Ok(match &term.kind {
            TermKind::Text(text) => AttributeValue::S(text.as_str().into()),
            TermKind::Number(number) => AttributeValue::N(self.number(number, term)?),
            TermKind::Boolean(truth) => AttributeValue::Bool(*truth),
            TermKind::Null => AttributeValue::Null,
            TermKind::List(terms) => {
                let mut values = Vec::with_capacity(terms.len());
                for (index, term) in terms.iter().enumerate() {
                    values.push(self.inside(&format!("[{index}]"), term, level)?);
                }
                AttributeValue::L(values)
            }
            TermKind::Tuple(entries) => {
                let mut map = IndexMap::with_capacity(entries.len());
                for (name, term) in entries {
                    let value = self.inside(&format!(".{name}"), term, level)?;
                    map.insert(SmolStr::new(name), value);
                }
                AttributeValue::M(map)
            }
            TermKind::Bag(terms) => self.set(terms, term)?,
            TermKind::Parameter(_) => return Err(self.unsupported("Parameter", term)),
            TermKind::Missing => return Err(self.unsupported("MISSING", term)),
            TermKind::Call(name, span, _) => {
                let message = format!("Unsupported data type: {name} under key {}", self.place);
                return Err(refused_at(&message, self.text, *span));
            }
            TermKind::Path(_) => return Err(self.unsupported("VariableReference", term)),
            _ => return Err(self.unsupported("NAry", term)),
        })
    }

    fn inside(&mut self, step: &str, term: &Term, level: usize) -> Result<AttributeValue, Problem> {
        let length = self.place.len();
        self.place.push_str(step);
        let value = self.value(term, level + 1)?;
        self.place.truncate(length);
        Ok(value)
    }

    fn unsupported(&self, what: &str, term: &Term) -> Problem {
        let message = format!("Unsupported data type: {what} under key {}", self.place);
        refused_at(&message, self.text, term.span)
    }

    fn number(&self, text: &str, term: &Term) -> Result<Number, Problem> {
        Number::parse(text).map_err(|error| {
            let rule = match error {
                NumberError::TooPrecise => ApplyError::TooPrecise,
                NumberError::Underflow => ApplyError::Underflow,
                NumberError::Overflow | NumberError::Syntax => ApplyError::Overflow,
            };
            refused(format!("{rule} under {}", self.place), term.span)
        })
    }

    /// A bag holds texts or numbers; it becomes a set.
    fn set(&self, terms: &[Term], bag: &Term) -> Result<AttributeValue, Problem> {
        let (mut texts, mut numbers, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for term in terms {
            match &term.kind {
                TermKind::Text(text) => {
                    texts.push(SmolStr::new(text));
                    written.push(text.as_str());
                }
                TermKind::Number(text) => {
                    numbers.push(self.number(text, term)?);
                    written.push(text.as_str());
                }
                _ => return Err(refused(NOT_IN_A_BAG, bag.span)),
            }
        }
        let duplicates = |rest: &str| {
            let members = written.join(", ");
            refused(
                format!(
                    "One or more parameter values were invalid: Input collection [{members}] contains duplicates{rest}"
                ),
                bag.span,
            )
        };
        match (texts.is_empty(), numbers.is_empty()) {
            (true, true) => Err(refused("Empty bags are not supported", bag.span)),
            (false, false) => Err(refused(NOT_IN_A_BAG, bag.span)),
            (false, true) => {
                StringSet::new(texts).map(AttributeValue::Ss).ok_or_else(|| duplicates("."))
            }
            (true, false) => NumberSet::new(numbers)
                .map(AttributeValue::Ns)
                .ok_or_else(|| duplicates(&format!("! under {}", self.place))),
        }
    }
}
