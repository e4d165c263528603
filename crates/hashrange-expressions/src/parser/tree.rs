//! Trees of expressions as written: names unresolved, every part with its place in the text.

use crate::lexer::Span;
use crate::syntax::Comparator;

/// A word of the text: an attribute name, `#name`, `:value` or function name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawName<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum RawStep<'t> {
    Entry(RawName<'t>),
    /// The digits between brackets.
    Index(RawName<'t>),
}

#[derive(Debug, Clone)]
pub(crate) struct RawPath<'t> {
    pub(crate) head: RawName<'t>,
    pub(crate) steps: Vec<RawStep<'t>>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct RawCall<'t> {
    pub(crate) function: RawName<'t>,
    pub(crate) arguments: Vec<RawOperand<'t>>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum RawOperand<'t> {
    Path(RawPath<'t>),
    Value(RawName<'t>),
    Call(RawCall<'t>),
}

impl RawOperand<'_> {
    pub(crate) const fn span(&self) -> Span {
        match self {
            Self::Path(path) => path.span,
            Self::Value(name) => name.span,
            Self::Call(call) => call.span,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum RawCondition<'t> {
    All(Vec<RawCondition<'t>>),
    Any(Vec<RawCondition<'t>>),
    Not(Box<RawCondition<'t>>),
    Compare { comparator: Comparator, left: RawOperand<'t>, right: RawOperand<'t> },
    Between { operand: RawOperand<'t>, lower: RawOperand<'t>, upper: RawOperand<'t> },
    In { operand: RawOperand<'t>, candidates: Vec<RawOperand<'t>> },
    Call(RawCall<'t>),
}

impl<'t> RawCondition<'t> {
    /// Calls `visit` with every condition that holds no other conditions, in the order written.
    pub(crate) fn try_for_each_leaf<E>(
        &self,
        visit: &mut impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().try_for_each(|condition| condition.try_for_each_leaf(visit))
            }
            Self::Not(condition) => condition.try_for_each_leaf(visit),
            _ => visit(self),
        }
    }

    /// The operands of a leaf in the order written; those of a call are its arguments.
    pub(crate) fn operands(&self) -> Vec<&RawOperand<'t>> {
        match self {
            Self::All(_) | Self::Any(_) | Self::Not(_) => Vec::new(),
            Self::Compare { left, right, .. } => vec![left, right],
            Self::Between { operand, lower, upper } => vec![operand, lower, upper],
            Self::In { operand, candidates } => {
                std::iter::once(operand).chain(candidates).collect()
            }
            Self::Call(call) => call.arguments.iter().collect(),
        }
    }

    /// Where the condition stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::All(conditions) | Self::Any(conditions) => conditions
                .first()
                .zip(conditions.last())
                .map_or(Span { start: 0, end: 0 }, |(first, last)| first.span().to(last.span())),
            Self::Not(condition) => condition.span(),
            Self::Compare { left, right, .. } => left.span().to(right.span()),
            Self::Between { operand, upper, .. } => operand.span().to(upper.span()),
            Self::In { operand, candidates } => {
                candidates.last().map_or(operand.span(), |last| operand.span().to(last.span()))
            }
            Self::Call(call) => call.span,
        }
    }
}

/// A condition with the place of its first doubled parentheses.
#[derive(Debug)]
pub(crate) struct RawConditionText<'t> {
    pub(crate) condition: RawCondition<'t>,
    pub(crate) redundant: Option<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Set,
    Remove,
    Add,
    Delete,
}

impl Section {
    pub(crate) const ALL: [Self; 4] = [Self::Set, Self::Remove, Self::Add, Self::Delete];

    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            Self::Set => "SET",
            Self::Remove => "REMOVE",
            Self::Add => "ADD",
            Self::Delete => "DELETE",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum RawSetValue<'t> {
    Operand(RawOperand<'t>),
    Sum(RawOperand<'t>, RawOperand<'t>),
    Difference(RawOperand<'t>, RawOperand<'t>),
}

#[derive(Debug, Clone)]
pub(crate) struct RawAction<'t> {
    pub(crate) path: RawPath<'t>,
    pub(crate) change: RawChange<'t>,
}

#[derive(Debug, Clone)]
pub(crate) enum RawChange<'t> {
    Set(RawSetValue<'t>),
    Remove,
    Add(RawName<'t>),
    Delete(RawName<'t>),
}

impl<'t> RawAction<'t> {
    /// The operands on the right-hand side.
    pub(crate) fn operands(&self) -> Vec<&RawOperand<'t>> {
        match &self.change {
            RawChange::Set(RawSetValue::Operand(operand)) => vec![operand],
            RawChange::Set(
                RawSetValue::Sum(left, right) | RawSetValue::Difference(left, right),
            ) => {
                vec![left, right]
            }
            RawChange::Remove | RawChange::Add(_) | RawChange::Delete(_) => Vec::new(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct RawUpdate<'t> {
    pub(crate) actions: Vec<RawAction<'t>>,
    pub(crate) repeated: Option<(Section, Span)>,
    pub(crate) redundant: Option<Span>,
}
