//! From a statement's tree to what it asks for: conditions and updates that the other expressions' evaluation takes.
//!
//! Invariant: the rules of functions, operands and paths are those of the other expressions ([`crate::rules`]), with
//! the same messages. A condition is rewritten into their trees, its names and values behind labels.

use hashrange_types::operation::{ExpressionNames, ExpressionValues};
use hashrange_types::{AttributeName, AttributeValue, DocumentPath, Item, PathElement, limits};

use super::literal::literal;
use super::problem::{Problem, refused, refused_at};
use super::statement::unsupported;
use super::tree::{
    Path, RawSelect, RawSetOrRemove, RawSource, RawStatement, Returning, Step, Term, TermKind,
};
use super::{Column, OrderTerm, Select, Source, Statement};
use crate::bind::Substitutions;
use crate::lexer::Span;
use crate::parser::tree::{
    RawCall, RawConditionText, RawName, RawOperand, RawPath, RawStep, RawUpdate,
};
use crate::rules::condition::bind_condition;
use crate::rules::update::bind_update;
use crate::syntax::Condition;
use crate::update::Update;

/// What a tree is bound with, and the labels met so far.
pub(super) struct Binder<'t> {
    pub(super) text: &'t str,
    pub(super) parameters: &'t [AttributeValue],
    names: ExpressionNames,
    pub(super) values: ExpressionValues,
    /// Conditions that may still be made by comparing conditions with one another.
    pub(super) copies_left: usize,
}

/// Puts parameters in place and applies the rules that need no table.
pub(super) fn bind(
    statement: &RawStatement,
    text: &str,
    parameters: &[AttributeValue],
) -> Result<Statement, Problem> {
    let binder = || Binder {
        text,
        parameters,
        names: Vec::new(),
        values: Vec::new(),
        copies_left: limits::EXPRESSION_OPERATORS_MAX,
    };
    match statement {
        RawStatement::Select(select) => Ok(Statement::Select(bind_select(binder(), select)?)),
        RawStatement::Exists(select) => Ok(Statement::Exists(bind_select(binder(), select)?)),
        RawStatement::Insert { source, value } => {
            if source.index.is_some() {
                let message = "FROM clause may only contain a single table name in data manipulation statements";
                return Err(refused(message, source.span));
            }
            let item = bind_item(text, parameters, value)?;
            Ok(Statement::Insert { table: source.table.as_str().into(), item })
        }
        RawStatement::Update { source, actions, condition, returning } => {
            refuse_index(source)?;
            let update = binder().update(actions)?;
            let condition = binder().whole_condition(condition.as_ref())?;
            let table = source.table.as_str().into();
            Ok(Statement::Update { table, update, condition, returning: *returning })
        }
        RawStatement::Delete { source, condition, returning } => {
            refuse_index(source)?;
            let returns_old = check_delete_returning(*returning)?;
            let condition = binder().whole_condition(condition.as_ref())?;
            let table = source.table.as_str().into();
            Ok(Statement::Delete { table, condition, returns_old })
        }
    }
}

fn refuse_index(source: &RawSource) -> Result<(), Problem> {
    match source.index {
        None => Ok(()),
        Some(_) => Err(refused("This operation is not supported on an index", source.span)),
    }
}

fn check_delete_returning(returning: Option<(Returning, Span)>) -> Result<bool, Problem> {
    match returning {
        None => Ok(false),
        Some((Returning { is_modified: false, is_new: false }, _)) => Ok(true),
        Some((returning, span)) => {
            let what = if returning.is_modified { "MODIFIED" } else { "ALL" };
            let when = if returning.is_new { "NEW" } else { "OLD" };
            Err(refused(
                format!(
                    "Invalid returning clause: RETURNING {what} {when} *. Only RETURNING ALL OLD * is allowed in DELETE statements."
                ),
                span,
            ))
        }
    }
}

fn bind_select<'t>(binder: Binder<'t>, select: &'t RawSelect) -> Result<Select, Problem> {
    let text = binder.text;
    let columns = match &select.columns {
        None => None,
        Some(terms) => {
            let columns = terms.iter().map(|term| bind_column(text, term));
            Some(columns.collect::<Result<Vec<_>, _>>()?)
        }
    };
    let mut order = Vec::with_capacity(select.order.len());
    for (term, is_descending) in &select.order {
        match &term.kind {
            TermKind::Path(path) if path.steps.is_empty() => order.push(OrderTerm {
                attribute: AttributeName::new(&path.head.text),
                is_descending: *is_descending,
            }),
            _ => return Err(unsupported(term)),
        }
    }
    let source = Source {
        table: select.source.table.as_str().into(),
        index: select.source.index.as_deref().map(Into::into),
    };
    let condition = binder.whole_condition(select.condition.as_ref())?;
    Ok(Select { columns, source, condition, order })
}

/// A column is a path; it is called after the path's last name and the indexes behind it.
fn bind_column(text: &str, term: &Term) -> Result<Column, Problem> {
    let path = match &term.kind {
        TermKind::Path(path) => path,
        TermKind::Call(_, span, _) => {
            return Err(refused_at("Unexpected path component", text, *span));
        }
        _ => return Err(refused_at("Unexpected path component", text, term.span)),
    };
    let mut name = path.head.text.clone();
    let mut elements = Vec::with_capacity(path.steps.len());
    for step in &path.steps {
        match step {
            Step::Entry(entry) => {
                name.clone_from(&entry.text);
                elements.push(PathElement::Entry(entry.text.as_str().into()));
            }
            Step::Index(digits, _) => {
                name.push('[');
                name.push_str(digits);
                name.push(']');
                elements.push(PathElement::Index(digits.parse().unwrap_or(u32::MAX)));
            }
        }
    }
    let attribute = AttributeName::new(&path.head.text);
    Ok(Column { name: name.into(), path: DocumentPath { attribute, elements } })
}

/// The item an INSERT puts: a tuple whose values are literals or parameters, or a parameter that is a map.
fn bind_item(text: &str, parameters: &[AttributeValue], value: &Term) -> Result<Item, Problem> {
    let entries = match &value.kind {
        TermKind::Tuple(entries) => entries,
        TermKind::Parameter(at) => match parameters.get(*at) {
            Some(AttributeValue::M(entries)) => {
                let attributes = entries.iter();
                return Ok(attributes
                    .map(|(name, value)| (AttributeName::new(name), value.clone()))
                    .collect());
            }
            _ => return Err(unsupported(value)),
        },
        _ => return Err(unsupported(value)),
    };
    let mut item = Item::with_capacity(entries.len());
    for (name, term) in entries {
        let value = match &term.kind {
            TermKind::Parameter(at) => parameters.get(*at).cloned(),
            _ => None,
        };
        let value = value.map_or_else(|| literal(text, term), Ok)?;
        item.insert(AttributeName::new(name), value);
    }
    Ok(item)
}

impl<'t> Binder<'t> {
    fn whole_condition(mut self, term: Option<&'t Term>) -> Result<Option<Condition>, Problem> {
        let Some(term) = term else { return Ok(None) };
        let condition = self.condition(term)?;
        let tree = RawConditionText { condition, redundant: None };
        let mut substitutions = Self::substitutions(&self.names, &self.values, term.span)?;
        Ok(Some(bind_condition(&tree, &mut substitutions)?))
    }

    fn update(mut self, actions: &'t [RawSetOrRemove]) -> Result<Update, Problem> {
        let actions = actions.iter().map(|action| self.action(action)).collect::<Result<_, _>>()?;
        let tree = RawUpdate { actions, repeated: None, redundant: None };
        let span = Span { start: 0, end: 0 };
        let mut substitutions = Self::substitutions(&self.names, &self.values, span)?;
        Ok(Update::new(bind_update(&tree, &mut substitutions)?, false))
    }

    fn substitutions<'a>(
        names: &'a ExpressionNames,
        values: &'a ExpressionValues,
        span: Span,
    ) -> Result<Substitutions<'a>, Problem> {
        let names = Some(names).filter(|names| !names.is_empty());
        let values = Some(values).filter(|values| !values.is_empty());
        Substitutions::new(names, values).map_err(|error| refused(error.into_message(), span))
    }

    pub(super) fn path(&mut self, path: &'t Path) -> RawPath<'t> {
        let mut name = |name: &'t super::tree::Name| {
            self.names.push((name.label.clone(), name.text.as_str().into()));
            RawName { text: &name.label, span: name.span }
        };
        let head = name(&path.head);
        let mut span = head.span;
        let steps = path.steps.iter().map(|step| match step {
            Step::Entry(entry) => {
                span = span.to(entry.span);
                RawStep::Entry(name(entry))
            }
            Step::Index(digits, place) => {
                span = span.to(*place);
                RawStep::Index(RawName { text: digits, span: *place })
            }
        });
        let steps = steps.collect();
        RawPath { head, steps, span }
    }

    /// The label of a value that stands in the statement or among its parameters.
    pub(super) fn value(&mut self, term: &'t Term) -> Result<RawName<'t>, Problem> {
        let value = match &term.kind {
            TermKind::Parameter(at) => match self.parameters.get(*at) {
                Some(value) => value.clone(),
                None => return Err(unsupported(term)),
            },
            _ => literal(self.text, term)?,
        };
        self.values.push((term.label.clone(), Ok(value)));
        Ok(RawName { text: &term.label, span: term.span })
    }

    /// A path, a value, or a call of one of the functions in `known`.
    pub(super) fn operand(
        &mut self,
        term: &'t Term,
        known: &'static [&'static str],
    ) -> Result<RawOperand<'t>, Problem> {
        match &term.kind {
            TermKind::Path(path) => Ok(RawOperand::Path(self.path(path))),
            TermKind::Call(..) => Ok(RawOperand::Call(self.call(term, known)?)),
            TermKind::Parameter(_)
            | TermKind::Text(_)
            | TermKind::Number(_)
            | TermKind::Boolean(_)
            | TermKind::Null
            | TermKind::List(_)
            | TermKind::Tuple(_)
            | TermKind::Bag(_) => Ok(RawOperand::Value(self.value(term)?)),
            _ => Err(unsupported(term)),
        }
    }

    /// A call of one of the functions in `known`, whose names are written in any case.
    pub(super) fn call(
        &mut self,
        term: &'t Term,
        known: &'static [&'static str],
    ) -> Result<RawCall<'t>, Problem> {
        let TermKind::Call(name, span, arguments) = &term.kind else {
            return Err(unsupported(term));
        };
        let Some(function) = known.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
            let message = format!("Unrecognized function: {}", name.to_ascii_lowercase());
            return Err(refused_at(&message, self.text, *span));
        };
        let arguments = arguments.iter().map(|argument| self.operand(argument, known));
        let arguments = arguments.collect::<Result<_, _>>()?;
        let function = RawName { text: function, span: *span };
        Ok(RawCall { function, arguments, span: term.span })
    }
}
