//! SET and REMOVE in terms of the other expressions' updates: set_add is their ADD, set_delete their DELETE.

use hashrange_types::AttributeValue;

use super::bind::Binder;
use super::problem::{Problem, refused_at};
use super::statement::unsupported;
use super::tree::{Path, RawSetOrRemove, Step, Term, TermKind};
use crate::parser::tree::{RawAction, RawChange, RawSetValue};

/// Functions that may stand on a right-hand side.
const FUNCTIONS: &[&str] = &["list_append"];

impl<'t> Binder<'t> {
    pub(super) fn action(&mut self, action: &'t RawSetOrRemove) -> Result<RawAction<'t>, Problem> {
        let (target, value) = match action {
            RawSetOrRemove::Set(target, value) => (target, Some(value)),
            RawSetOrRemove::Remove(target) => (target, None),
        };
        let TermKind::Path(path) = &target.kind else { return Err(unsupported(target)) };
        let change = match value {
            Some(value) => self.set(path, value)?,
            None => RawChange::Remove,
        };
        Ok(RawAction { path: self.path(path), change })
    }

    fn set(&mut self, target: &'t Path, value: &'t Term) -> Result<RawChange<'t>, Problem> {
        Ok(RawChange::Set(match &value.kind {
            TermKind::Sum(left, right) => {
                RawSetValue::Sum(self.operand(left, FUNCTIONS)?, self.operand(right, FUNCTIONS)?)
            }
            TermKind::Difference(left, right) => RawSetValue::Difference(
                self.operand(left, FUNCTIONS)?,
                self.operand(right, FUNCTIONS)?,
            ),
            TermKind::Call(name, ..) if name.eq_ignore_ascii_case("set_add") => {
                return Ok(RawChange::Add(self.members("SET_ADD", target, value)?));
            }
            TermKind::Call(name, ..) if name.eq_ignore_ascii_case("set_delete") => {
                return Ok(RawChange::Delete(self.members("SET_DELETE", target, value)?));
            }
            _ => RawSetValue::Operand(self.operand(value, FUNCTIONS)?),
        }))
    }

    /// The set that set_add or set_delete takes; its first argument must be what it is assigned to.
    fn members(
        &mut self,
        function: &str,
        target: &Path,
        call: &'t Term,
    ) -> Result<crate::parser::tree::RawName<'t>, Problem> {
        let TermKind::Call(_, span, arguments) = &call.kind else { return Err(unsupported(call)) };
        let [first, second] = arguments.as_slice() else {
            let message = format!("{function} must have exactly two arguments");
            return Err(refused_at(&message, self.text, *span));
        };
        let first = match &first.kind {
            TermKind::Path(path) if is_same(path, target) => path,
            _ => {
                let message =
                    format!("The first argument to {function} must equal the assignment value");
                return Err(refused_at(&message, self.text, *span));
            }
        };
        let is_set = match &second.kind {
            TermKind::Bag(_) => true,
            TermKind::Parameter(at) => matches!(
                self.parameters.get(*at),
                Some(AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_))
            ),
            _ => false,
        };
        if !is_set {
            let message =
                format!("The second argument to {function} must be a value with type SET");
            return Err(refused_at(&message, self.text, first.head.span));
        }
        self.value(second)
    }
}

/// True if both lead to the same place.
fn is_same(a: &Path, b: &Path) -> bool {
    let is_same_step = |(a, b): (&Step, &Step)| match (a, b) {
        (Step::Entry(a), Step::Entry(b)) => a.text == b.text,
        (Step::Index(a, _), Step::Index(b, _)) => a == b,
        _ => false,
    };
    a.head.text == b.head.text
        && a.steps.len() == b.steps.len()
        && a.steps.iter().zip(&b.steps).all(is_same_step)
}
