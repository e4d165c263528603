//! Laws of statements, tried on generated ones: printing and reading gives the same tree, and no text makes anything
//! panic.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::lexer::lex;
use super::parse;
use super::statement::statement_tree;
use super::tree::{
    Name, Path, RawSelect, RawSetOrRemove, RawSource, RawStatement, Returning, Step, TYPE_NAMES,
    Term, TermKind,
};
use crate::lexer::Span;
use crate::syntax::Comparator;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn quoted(text: &str, quote: char) -> String {
    let doubled = format!("{quote}{quote}");
    format!("{quote}{}{quote}", text.replace(quote, &doubled))
}

fn path_text(path: &Path) -> String {
    let mut text = quoted(&path.head.text, '"');
    for step in &path.steps {
        match step {
            Step::Entry(name) => write!(text, ".{}", quoted(&name.text, '"')).unwrap(),
            Step::Index(digits, _) => write!(text, "[{digits}]").unwrap(),
        }
    }
    text
}

fn list_text(terms: &[Term]) -> String {
    terms.iter().map(term_text).collect::<Vec<_>>().join(", ")
}

fn joined(terms: &[Term], operator: &str) -> String {
    terms.iter().map(group_text).collect::<Vec<_>>().join(operator)
}

/// A term in parentheses where it is more than one thing.
fn group_text(term: &Term) -> String {
    match &term.kind {
        TermKind::Path(_)
        | TermKind::Parameter(_)
        | TermKind::Text(_)
        | TermKind::Number(_)
        | TermKind::Boolean(_)
        | TermKind::Null
        | TermKind::Missing
        | TermKind::List(_)
        | TermKind::Tuple(_)
        | TermKind::Bag(_)
        | TermKind::Call(..) => term_text(term),
        _ => format!("({})", term_text(term)),
    }
}

fn term_text(term: &Term) -> String {
    match &term.kind {
        TermKind::Path(path) => path_text(path),
        TermKind::Parameter(_) => "?".to_owned(),
        TermKind::Text(text) => quoted(text, '\''),
        TermKind::Number(text) => text.clone(),
        TermKind::Boolean(truth) => truth.to_string(),
        TermKind::Null => "NULL".to_owned(),
        TermKind::Missing => "MISSING".to_owned(),
        TermKind::List(terms) => format!("[{}]", list_text(terms)),
        TermKind::Bag(terms) => format!("<<{}>>", list_text(terms)),
        TermKind::Tuple(entries) => {
            let entry = |(name, term): &(String, Term)| {
                format!("{}: {}", quoted(name, '\''), term_text(term))
            };
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        TermKind::Call(name, _, arguments) => format!("{name}({})", list_text(arguments)),
        TermKind::Sum(left, right) => format!("{} + {}", group_text(left), group_text(right)),
        TermKind::Difference(left, right) => {
            format!("{} - {}", group_text(left), group_text(right))
        }
        TermKind::Not(negated) => format!("NOT {}", group_text(negated)),
        TermKind::All(terms) => joined(terms, " AND "),
        TermKind::Any(terms) => joined(terms, " OR "),
        TermKind::Compare(comparator, left, right) => {
            format!("{} {} {}", group_text(left), comparator.symbol(), group_text(right))
        }
        TermKind::Between(operand, lower, upper) => format!(
            "{} BETWEEN {} AND {}",
            group_text(operand),
            group_text(lower),
            group_text(upper)
        ),
        TermKind::In(operand, candidates) => {
            format!("{} IN [{}]", group_text(operand), list_text(candidates))
        }
        TermKind::Is(operand, name) => format!("{} IS {}", group_text(operand), name.name),
    }
}

fn source_text(source: &RawSource) -> String {
    let index = source.index.as_ref().map(|index| format!(".{}", quoted(index, '"')));
    format!("{}{}", quoted(&source.table, '"'), index.unwrap_or_default())
}

fn where_text(condition: Option<&Term>) -> String {
    condition.map(|term| format!(" WHERE {}", term_text(term))).unwrap_or_default()
}

fn returning_text(returning: Option<Returning>) -> String {
    let Some(returning) = returning else { return String::new() };
    let what = if returning.is_modified { "MODIFIED" } else { "ALL" };
    let when = if returning.is_new { "NEW" } else { "OLD" };
    format!(" RETURNING {what} {when} *")
}

fn select_text(select: &RawSelect) -> String {
    let columns =
        select.columns.as_deref().map_or_else(|| "*".to_owned(), |terms| joined(terms, ", "));
    let source = source_text(&select.source);
    let mut text =
        format!("SELECT {columns} FROM {source}{}", where_text(select.condition.as_ref()));
    for (at, (term, is_descending)) in select.order.iter().enumerate() {
        text.push_str(if at == 0 { " ORDER BY " } else { ", " });
        text.push_str(&term_text(term));
        text.push_str(if *is_descending { " DESC" } else { " ASC" });
    }
    text
}

fn statement_text(statement: &RawStatement) -> String {
    match statement {
        RawStatement::Select(select) => select_text(select),
        RawStatement::Exists(select) => format!("EXISTS({})", select_text(select)),
        RawStatement::Insert { source, value } => {
            format!("INSERT INTO {} VALUE {}", source_text(source), term_text(value))
        }
        RawStatement::Update { source, actions, condition, returning } => {
            let action = |action: &RawSetOrRemove| match action {
                RawSetOrRemove::Set(path, value) => {
                    format!(" SET {} = {}", term_text(path), term_text(value))
                }
                RawSetOrRemove::Remove(path) => format!(" REMOVE {}", term_text(path)),
            };
            let actions: String = actions.iter().map(action).collect();
            let source = source_text(source);
            let returning = returning_text(*returning);
            format!("UPDATE {source}{actions}{}{returning}", where_text(condition.as_ref()))
        }
        RawStatement::Delete { source, condition, returning } => {
            let source = source_text(source);
            let returning = returning_text(returning.map(|(returning, _)| returning));
            format!("DELETE FROM {source}{}{returning}", where_text(condition.as_ref()))
        }
    }
}

fn term(kind: TermKind) -> Term {
    Term { kind, span: NOWHERE, label: "".into() }
}

fn name() -> impl Strategy<Value = Name> {
    "[a-c \"'é.]{1,3}".prop_map(|text| Name { text, label: "".into(), span: NOWHERE })
}

fn path() -> impl Strategy<Value = Term> {
    let step = prop_oneof![
        name().prop_map(Step::Entry),
        (0..9_u8).prop_map(|index| Step::Index(index.to_string(), NOWHERE)),
    ];
    (name(), prop::collection::vec(step, 0..3))
        .prop_map(|(head, steps)| term(TermKind::Path(Path { head, steps })))
}

fn leaf() -> impl Strategy<Value = Term> {
    prop_oneof![
        path(),
        "[a'\"? -]{0,3}".prop_map(|text| term(TermKind::Text(text))),
        "-?([0-9]{1,3}|[0-9]?\\.[0-9]{1,2})([eE][+-]?[0-9])?"
            .prop_map(|text| term(TermKind::Number(text))),
        any::<bool>().prop_map(|truth| term(TermKind::Boolean(truth))),
        Just(term(TermKind::Null)),
        Just(term(TermKind::Missing)),
    ]
}

fn expression() -> impl Strategy<Value = Term> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 2..4);
        let any_number = prop::collection::vec(inner.clone(), 0..3);
        let comparators = prop::sample::select(vec![
            Comparator::Equal,
            Comparator::NotEqual,
            Comparator::Less,
            Comparator::GreaterOrEqual,
        ]);
        let two = (inner.clone(), inner.clone());
        let functions =
            prop::sample::select(vec!["size", "begins_with", "contains", "set_add", "nope"]);
        prop_oneof![
            several.clone().prop_map(|terms| term(TermKind::All(terms))),
            several.prop_map(|terms| term(TermKind::Any(terms))),
            inner.clone().prop_map(|negated| term(TermKind::Not(Box::new(negated)))),
            (comparators, two.clone()).prop_map(|(comparator, (left, right))| {
                term(TermKind::Compare(comparator, Box::new(left), Box::new(right)))
            }),
            (two.clone(), inner.clone()).prop_map(|((operand, lower), upper)| {
                term(TermKind::Between(Box::new(operand), Box::new(lower), Box::new(upper)))
            }),
            (inner.clone(), any_number.clone())
                .prop_map(|(operand, terms)| term(TermKind::In(Box::new(operand), terms))),
            (inner.clone(), 0..TYPE_NAMES.len())
                .prop_map(|(operand, at)| term(TermKind::Is(Box::new(operand), &TYPE_NAMES[at]))),
            (functions, any_number.clone()).prop_map(|(name, terms)| term(TermKind::Call(
                name.to_owned(),
                NOWHERE,
                terms
            ))),
            two.clone().prop_map(|(a, b)| term(TermKind::Sum(Box::new(a), Box::new(b)))),
            two.prop_map(|(a, b)| term(TermKind::Difference(Box::new(a), Box::new(b)))),
            any_number.clone().prop_map(|terms| term(TermKind::List(terms))),
            any_number.clone().prop_map(|terms| term(TermKind::Bag(terms))),
            prop::collection::vec(("[a']{0,2}", inner), 0..3)
                .prop_map(|entries| term(TermKind::Tuple(entries))),
        ]
    })
}

fn source(has_index: bool) -> impl Strategy<Value = RawSource> {
    (name(), prop::option::of(name())).prop_map(move |(table, index)| RawSource {
        table: table.text,
        index: index.filter(|_| has_index).map(|index| index.text),
        span: NOWHERE,
    })
}

fn returning() -> impl Strategy<Value = Option<Returning>> {
    prop::option::of(any::<(bool, bool)>()).prop_map(|returning| {
        returning.map(|(is_modified, is_new)| Returning { is_modified, is_new })
    })
}

fn select() -> impl Strategy<Value = RawSelect> {
    let columns = prop::option::of(prop::collection::vec(path(), 1..3));
    let order = prop::collection::vec((path(), any::<bool>()), 0..3);
    (columns, source(true), prop::option::of(expression()), order).prop_map(
        |(columns, source, condition, order)| RawSelect { columns, source, condition, order },
    )
}

fn statement() -> impl Strategy<Value = RawStatement> {
    let action = prop_oneof![
        (path(), leaf()).prop_map(|(path, value)| RawSetOrRemove::Set(path, value)),
        path().prop_map(RawSetOrRemove::Remove),
    ];
    prop_oneof![
        select().prop_map(RawStatement::Select),
        select().prop_map(RawStatement::Exists),
        (source(false), leaf()).prop_map(|(source, value)| RawStatement::Insert { source, value }),
        (source(true), prop::collection::vec(action, 1..4), expression(), returning()).prop_map(
            |(source, actions, condition, returning)| RawStatement::Update {
                source,
                actions,
                condition: Some(condition),
                returning
            }
        ),
        (source(true), prop::option::of(expression()), returning()).prop_map(
            |(source, condition, returning)| RawStatement::Delete {
                source,
                condition,
                returning: returning.map(|returning| (returning, NOWHERE))
            }
        ),
    ]
}

proptest! {
    #[test]
    fn printing_and_reading_gives_the_same_tree(statement in statement()) {
        let text = statement_text(&statement);
        match statement_tree(&text) {
            Ok((read, _)) => prop_assert_eq!(statement_text(&read), text),
            Err(problem) => prop_assert!(false, "{text}: {problem:?}"),
        }
    }

    #[test]
    fn a_statement_that_can_be_read_is_bound_or_refused(statement in statement()) {
        let text = statement_text(&statement);
        let first = parse(&text, &[]);
        prop_assert_eq!(first, parse(&text, &[]));
    }

    #[test]
    fn no_text_makes_anything_panic(text in ".{0,60}") {
        let _ = parse(&text, &[]);
    }

    #[test]
    fn no_order_of_words_makes_anything_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "SELECT", "FROM", "WHERE", "INSERT INTO", "VALUE", "UPDATE", "SET", "REMOVE", "DELETE FROM",
            "RETURNING", "ALL", "OLD", "*", "t", "\"i\"", "'s'", "1", "?", "(", ")", "[", "]", "{", "}",
            "<<", ">>", "=", "<", ",", ".", ":", ";", "AND", "OR", "NOT", "IN", "IS", "NULL", "BETWEEN",
            "size", "set_add", "ORDER BY", "-", "+", "EXISTS",
        ]),
        0..20,
    )) {
        let text = words.join(" ");
        prop_assert!(lex(&text).is_ok());
        let _ = parse(&text, &[]);
    }
}
