//! A read taken apart: the conditions joined by AND, each with its own text.
//!
//! Invariant: the texts joined by AND say what the request said; a text moves whole from the filter to the key
//! condition, so no expression is ever printed anew.
//!
//! Not here: choosing a key for them ([`super::candidate`]).

use hashrange_expressions::{
    Comparator, Condition, Operand, SortCondition, Substitutions, TokenKind, parse_condition,
    parse_projection, tokens,
};
use hashrange_types::operation::{ReadRequest, Select};
use hashrange_types::{
    AttributeName, AttributeValue, ExpressionParameter, IndexName, Item, Request, TableName,
};

/// One condition.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// As it is written in the request.
    pub(super) text: String,
    pub(super) what: What,
    condition: Condition,
}

/// What a key could do with a condition.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// A top-level attribute equals a value.
    Equal(AttributeName, AttributeValue),
    /// A top-level attribute is in a range.
    Range(AttributeName, SortCondition),
    /// A top-level attribute is there.
    Exists(AttributeName),
    /// Anything else.
    Other,
}

/// A Query or Scan taken apart.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    pub(super) table: TableName,
    pub(super) index: Option<IndexName>,
    pub(super) is_scan: bool,
    pub(super) is_consistent: bool,
    /// The conditions of the key, then those of the filter.
    pub(super) all: Vec<Term>,
    /// Attributes asked for; none for all of them.
    pub(super) projected: Option<Vec<AttributeName>>,
}

impl Terms {
    /// The conditions of a Query or Scan written with expressions; none for other requests.
    pub(super) fn of(request: &Request) -> Option<Self> {
        let (read, key, is_scan) = match request {
            Request::Query(query) => {
                (&query.read, Some(query.key_condition_expression.as_ref()?), false)
            }
            Request::Scan(scan) => (&scan.read, None, true),
            _ => return None,
        };
        let mut all = Vec::new();
        for text in [key, read.filter_expression.as_ref()].into_iter().flatten() {
            for text in conjuncts(text) {
                all.push(Term::read(text, read)?);
            }
        }
        Some(Self {
            table: read.table.name.clone(),
            index: read.index.clone(),
            is_scan,
            is_consistent: read.consistent_read,
            all,
            projected: projected(read),
        })
    }

    /// True if a Query or Scan with these conditions returns `item`.
    pub(super) fn hold(&self, item: &Item) -> bool {
        self.all.iter().all(|term| term.condition.holds(item))
    }

    /// The value that `attribute` must equal, and the condition that says so.
    pub(super) fn equal(&self, attribute: &str) -> Option<(usize, &AttributeValue)> {
        self.all.iter().enumerate().find_map(|(at, term)| match &term.what {
            What::Equal(name, value) if name.as_str() == attribute => Some((at, value)),
            _ => None,
        })
    }

    /// The condition on `attribute` that a sort key could serve.
    pub(super) fn sortable(&self, attribute: &str) -> Option<usize> {
        let is_on = |term: &Term| matches!(&term.what, What::Equal(name, _) | What::Range(name, _) if name.as_str() == attribute);
        self.all.iter().position(is_on)
    }
}

impl Term {
    fn read(text: &str, read: &ReadRequest) -> Option<Self> {
        let mut substitutions =
            Substitutions::new(read.names.as_ref(), read.values.as_ref()).ok()?;
        let condition =
            parse_condition(ExpressionParameter::Filter, text, &mut substitutions).ok()?;
        Some(Self { text: text.to_owned(), what: What::of(&condition), condition })
    }

    /// True if the condition names `attribute`.
    pub(super) fn names(&self, attribute: &str) -> bool {
        self.condition.attributes().any(|path| path.attribute.as_str() == attribute)
    }

    /// The attributes the condition names.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &AttributeName> {
        self.condition.attributes().map(|path| &path.attribute)
    }

    pub(super) fn holds(&self, item: &Item) -> bool {
        self.condition.holds(item)
    }
}

impl What {
    fn of(condition: &Condition) -> Self {
        // A pair of parentheses, or a list of one, says no more than what is in it.
        if let Condition::All(list) | Condition::Any(list) = condition
            && let [only] = list.as_slice()
        {
            return Self::of(only);
        }
        let found = match condition {
            Condition::Compare { comparator, left, right } => {
                let (name, value, comparator) = match (attribute(left), scalar(right)) {
                    (Some(name), Some(value)) => (name, value, *comparator),
                    _ => match (attribute(right), scalar(left)) {
                        (Some(name), Some(value)) => (name, value, comparator.swapped()),
                        _ => return Self::Other,
                    },
                };
                let range = match comparator {
                    Comparator::Equal => return Self::Equal(name, value),
                    Comparator::NotEqual => return Self::Other,
                    Comparator::Less => SortCondition::Less(value),
                    Comparator::LessOrEqual => SortCondition::LessOrEqual(value),
                    Comparator::Greater => SortCondition::Greater(value),
                    Comparator::GreaterOrEqual => SortCondition::GreaterOrEqual(value),
                };
                Some((name, range))
            }
            Condition::Between { operand, lower, upper } => attribute(operand).and_then(|name| {
                Some((name, SortCondition::Between(scalar(lower)?, scalar(upper)?)))
            }),
            Condition::BeginsWith { operand, prefix } => attribute(operand)
                .and_then(|name| Some((name, SortCondition::BeginsWith(scalar(prefix)?)))),
            Condition::AttributeExists(path) if path.is_top_level() => {
                return Self::Exists(path.attribute.clone());
            }
            _ => None,
        };
        found.map_or(Self::Other, |(name, range)| Self::Range(name, range))
    }
}

fn attribute(operand: &Operand) -> Option<AttributeName> {
    match operand {
        Operand::Path(path) if path.is_top_level() => Some(path.attribute.clone()),
        _ => None,
    }
}

/// A value a key could hold.
fn scalar(operand: &Operand) -> Option<AttributeValue> {
    match operand {
        Operand::Value(value) if value.scalar_type().is_some() => Some(value.clone()),
        _ => None,
    }
}

fn projected(read: &ReadRequest) -> Option<Vec<AttributeName>> {
    if read.select == Some(Select::Count) {
        return Some(Vec::new());
    }
    let text = read.projection_expression.as_ref()?;
    let mut substitutions = Substitutions::new(read.names.as_ref(), read.values.as_ref()).ok()?;
    let paths = parse_projection(text, &mut substitutions).ok()?;
    Some(paths.paths().iter().map(|path| path.attribute.clone()).collect())
}

/// The parts of an expression that AND joins outside all parentheses; the whole where OR does.
fn conjuncts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut is_between) = (0, 0_u32, false);
    for (kind, span) in tokens(text) {
        let token = span.of(text);
        match (kind, token.to_ascii_uppercase().as_str()) {
            (TokenKind::Punctuation, "(") => depth += 1,
            (TokenKind::Punctuation, ")") => depth = depth.saturating_sub(1),
            (TokenKind::Keyword, "OR") if depth == 0 => return vec![text.trim()],
            (TokenKind::Keyword, "BETWEEN") if depth == 0 => is_between = true,
            (TokenKind::Keyword, "AND") if depth == 0 => {
                if is_between {
                    is_between = false;
                } else {
                    parts.push(text.get(start..span.start as usize).unwrap_or_default().trim());
                    start = span.end as usize;
                }
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts
}

/// The `#names` and `:values` that a text uses.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    tokens(text)
        .into_iter()
        .filter(|(kind, _)| matches!(kind, TokenKind::Name | TokenKind::Value))
        .map(|(_, span)| span.of(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn and_divides_outside_parentheses_and_between() {
        assert_eq!(conjuncts("a = :a AND b = :b"), ["a = :a", "b = :b"]);
        assert_eq!(
            conjuncts("a BETWEEN :a AND :b and (c = :c AND d = :d)"),
            ["a BETWEEN :a AND :b", "(c = :c AND d = :d)"]
        );
        assert_eq!(conjuncts("a = :a OR b = :b AND c = :c"), ["a = :a OR b = :b AND c = :c"]);
        assert_eq!(conjuncts("size(a) > :n AND NOT b = :b"), ["size(a) > :n", "NOT b = :b"]);
    }
}
