//! `Update`: SET, REMOVE, ADD and DELETE on an item: item in, item out.
//!
//! Invariant: every right-hand side and every list index is taken from the item as it was, so the order of the actions
//! means nothing; attributes that no action names stay as they are.
//!
//! Not here: keys, sizes and indexes, which need a schema.
//!
//! Source: facts 4.7.

use std::cmp::Reverse;

use hashrange_types::{
    AttributeValue, DocumentPath, Item, Number, NumberError, PathElement, ValidationError, limits,
};

use crate::error::ApplyError;
use crate::projection::project;
use crate::syntax::{SetValue, UpdateAction, UpdateOperand};

/// The changes an UpdateItem makes to its item.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    actions: Vec<UpdateAction>,
    paths: Vec<DocumentPath>,
    /// True if made from AttributeUpdates, which names mismatched types differently.
    is_legacy: bool,
}

/// What an action comes to on one item.
enum Write {
    Put(AttributeValue),
    Remove,
    Nothing,
}

impl Update {
    pub(crate) fn new(actions: Vec<UpdateAction>, is_legacy: bool) -> Self {
        let paths = actions.iter().map(|action| action.path().clone()).collect();
        Self { actions, paths, is_legacy }
    }

    /// The actions in the order written.
    pub fn actions(&self) -> &[UpdateAction] {
        &self.actions
    }

    /// The paths the actions change, in the order written.
    pub fn touched_paths(&self) -> &[DocumentPath] {
        &self.paths
    }

    /// True if the update brings an item into being that did not exist: REMOVE and DELETE alone do not.
    pub fn creates_item(&self) -> bool {
        let removes = |action: &UpdateAction| {
            matches!(action, UpdateAction::Remove { .. } | UpdateAction::Delete { .. })
        };
        self.actions.is_empty() || !self.actions.iter().all(removes)
    }

    /// The item after the update. An item that does not exist yet is an empty one; its key is not for this function
    /// to add.
    ///
    /// # Errors
    /// The item does not fit the update: a path leads nowhere, an operand is missing or of the wrong type, a number
    /// leaves the range, or a value gets too deep.
    pub fn apply(&self, item: &Item) -> Result<Item, ValidationError> {
        let mut puts: Vec<(&DocumentPath, AttributeValue)> = Vec::new();
        let mut removals: Vec<&DocumentPath> = Vec::new();
        for action in &self.actions {
            match self.write_of(action, item)? {
                Write::Put(value) => puts.push((action.path(), value)),
                Write::Remove => removals.push(action.path()),
                Write::Nothing => {}
            }
        }
        // Elements beyond the end of a list are appended, the one with the lowest index first.
        puts.sort_by_key(|(path, _)| last_index(path));
        // From the back, so that the indexes of what is still to be removed stay true.
        removals.sort_by_key(|path| Reverse(last_index(path)));
        let mut updated = item.clone();
        for (path, value) in puts {
            put(&mut updated, path, value)?;
        }
        self.check_depth(&updated)?;
        for path in removals {
            remove(&mut updated, path);
        }
        Ok(updated)
    }

    /// The touched parts of `item` for UPDATED_OLD and UPDATED_NEW, nested as they are in the item; none if there
    /// are none. Give it the item before or after the update.
    pub fn fragment(&self, item: &Item) -> Option<Item> {
        let kept = project(&self.paths, item);
        (!kept.is_empty()).then_some(kept)
    }

    fn write_of(&self, action: &UpdateAction, item: &Item) -> Result<Write, ApplyError> {
        match action {
            UpdateAction::Set { path, value } => {
                let value = set_value(value, item)?;
                check_parent(path, item)?;
                Ok(Write::Put(value))
            }
            UpdateAction::Remove { path } => {
                if item.is_empty() {
                    return Ok(Write::Nothing);
                }
                check_parent(path, item)?;
                Ok(path.get(item).map_or(Write::Nothing, |_| Write::Remove))
            }
            UpdateAction::Add { path, value } => {
                check_parent(path, item)?;
                let Some(old) = path.get(item) else { return Ok(Write::Put(value.clone())) };
                self.add(old, value).map(Write::Put)
            }
            UpdateAction::Delete { path, value } => {
                if item.is_empty() {
                    return Ok(Write::Nothing);
                }
                check_parent(path, item)?;
                let Some(old) = path.get(item) else { return Ok(Write::Nothing) };
                self.difference(old, value)
            }
        }
    }

    fn add(
        &self,
        old: &AttributeValue,
        more: &AttributeValue,
    ) -> Result<AttributeValue, ApplyError> {
        Ok(match (old, more) {
            (AttributeValue::N(old), AttributeValue::N(more)) => {
                AttributeValue::N(number(old.checked_add(*more))?)
            }
            (AttributeValue::Ss(old), AttributeValue::Ss(more)) => {
                AttributeValue::Ss(old.union(more))
            }
            (AttributeValue::Ns(old), AttributeValue::Ns(more)) => {
                AttributeValue::Ns(old.union(more))
            }
            (AttributeValue::Bs(old), AttributeValue::Bs(more)) => {
                AttributeValue::Bs(old.union(more))
            }
            (AttributeValue::L(old), AttributeValue::L(more)) => {
                AttributeValue::L(old.iter().chain(more).cloned().collect())
            }
            _ => return Err(self.type_mismatch()),
        })
    }

    fn difference(&self, old: &AttributeValue, less: &AttributeValue) -> Result<Write, ApplyError> {
        let left = match (old, less) {
            (AttributeValue::Ss(old), AttributeValue::Ss(less)) => {
                old.difference(less).map(AttributeValue::Ss)
            }
            (AttributeValue::Ns(old), AttributeValue::Ns(less)) => {
                old.difference(less).map(AttributeValue::Ns)
            }
            (AttributeValue::Bs(old), AttributeValue::Bs(less)) => {
                old.difference(less).map(AttributeValue::Bs)
            }
            _ => return Err(self.type_mismatch()),
        };
        Ok(left.map_or(Write::Remove, Write::Put))
    }

    const fn type_mismatch(&self) -> ApplyError {
        if self.is_legacy { ApplyError::LegacyTypeMismatch } else { ApplyError::OperandType }
    }

    /// Values that fit by themselves may get too deep where they are put.
    fn check_depth(&self, item: &Item) -> Result<(), ApplyError> {
        for path in &self.paths {
            let value = item.get(path.attribute.as_str());
            if value.is_some_and(|value| value.depth() > limits::NESTING_LEVELS_MAX) {
                return Err(ApplyError::TooDeep);
            }
        }
        Ok(())
    }
}

fn set_value(value: &SetValue, item: &Item) -> Result<AttributeValue, ApplyError> {
    let numbers = |left, right| -> Result<(Number, Number), ApplyError> {
        match (operand(left, item)?, operand(right, item)?) {
            (AttributeValue::N(left), AttributeValue::N(right)) => Ok((left, right)),
            _ => Err(ApplyError::OperandType),
        }
    };
    match value {
        SetValue::Operand(value) => operand(value, item),
        SetValue::Sum(left, right) => {
            let (left, right) = numbers(left, right)?;
            Ok(AttributeValue::N(number(left.checked_add(right))?))
        }
        SetValue::Difference(left, right) => {
            let (left, right) = numbers(left, right)?;
            Ok(AttributeValue::N(number(left.checked_sub(right))?))
        }
    }
}

fn operand(value: &UpdateOperand, item: &Item) -> Result<AttributeValue, ApplyError> {
    match value {
        UpdateOperand::Path(path) => path.get(item).cloned().ok_or(ApplyError::MissingAttribute),
        UpdateOperand::Value(value) => Ok(value.clone()),
        UpdateOperand::IfNotExists { path, otherwise } => match path.get(item) {
            Some(value) => Ok(value.clone()),
            None => operand(otherwise, item),
        },
        UpdateOperand::ListAppend(first, second) => {
            match (operand(first, item)?, operand(second, item)?) {
                (AttributeValue::L(mut first), AttributeValue::L(second)) => {
                    first.extend(second);
                    Ok(AttributeValue::L(first))
                }
                _ => Err(ApplyError::OperandType),
            }
        }
    }
}

const fn number(result: Result<Number, NumberError>) -> Result<Number, ApplyError> {
    match result {
        Ok(number) => Ok(number),
        Err(NumberError::TooPrecise) => Err(ApplyError::TooPrecise),
        Err(NumberError::Underflow) => Err(ApplyError::Underflow),
        Err(NumberError::Overflow | NumberError::Syntax) => Err(ApplyError::Overflow),
    }
}

/// The index a path ends in; 0 for one that ends in a name.
fn last_index(path: &DocumentPath) -> u32 {
    match path.elements.last() {
        Some(PathElement::Index(index)) => *index,
        _ => 0,
    }
}

/// Checks that what the path's last element is looked up in exists and has the right type.
fn check_parent(path: &DocumentPath, item: &Item) -> Result<(), ApplyError> {
    let Some((last, before)) = path.elements.split_last() else { return Ok(()) };
    let parent = DocumentPath { attribute: path.attribute.clone(), elements: before.to_vec() };
    match (last, parent.get(item)) {
        (PathElement::Entry(_), Some(AttributeValue::M(_)))
        | (PathElement::Index(_), Some(AttributeValue::L(_))) => Ok(()),
        _ => Err(ApplyError::InvalidPath),
    }
}

/// What `elements` lead to inside `value`, to change it.
fn descend<'a>(
    mut value: &'a mut AttributeValue,
    elements: &[PathElement],
) -> Option<&'a mut AttributeValue> {
    for element in elements {
        value = match (element, value) {
            (PathElement::Entry(name), AttributeValue::M(entries)) => entries.get_mut(name)?,
            (PathElement::Index(index), AttributeValue::L(values)) => {
                values.get_mut(usize::try_from(*index).ok()?)?
            }
            _ => return None,
        };
    }
    Some(value)
}

/// The value that holds what `path` ends in, to change it, and the path's last element.
fn parent_mut<'i, 'p>(
    item: &'i mut Item,
    path: &'p DocumentPath,
) -> Option<(&'i mut AttributeValue, &'p PathElement)> {
    let (last, before) = path.elements.split_last()?;
    let attribute = item.get_mut(path.attribute.as_str())?;
    Some((descend(attribute, before)?, last))
}

fn put(item: &mut Item, path: &DocumentPath, value: AttributeValue) -> Result<(), ApplyError> {
    if path.is_top_level() {
        item.insert(path.attribute.clone(), value);
        return Ok(());
    }
    match parent_mut(item, path) {
        Some((AttributeValue::M(entries), PathElement::Entry(name))) => {
            entries.insert(name.clone(), value);
        }
        Some((AttributeValue::L(values), PathElement::Index(index))) => {
            match usize::try_from(*index).ok().and_then(|index| values.get_mut(index)) {
                Some(element) => *element = value,
                None => values.push(value),
            }
        }
        _ => return Err(ApplyError::InvalidPath),
    }
    Ok(())
}

fn remove(item: &mut Item, path: &DocumentPath) {
    if path.is_top_level() {
        item.remove(path.attribute.as_str());
        return;
    }
    match parent_mut(item, path) {
        Some((AttributeValue::M(entries), PathElement::Entry(name))) => {
            entries.shift_remove(name);
        }
        Some((AttributeValue::L(values), PathElement::Index(index))) => {
            let index = usize::try_from(*index).unwrap_or(usize::MAX);
            if index < values.len() {
                values.remove(index);
            }
        }
        _ => {}
    }
}
