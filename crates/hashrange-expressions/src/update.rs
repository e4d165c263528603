//! `Update`: SET, REMOVE, ADD and DELETE on an item: item in, item out.
//!
//! Invariant: every right-hand side and every list index is taken from the item as it was, so the order of the actions
//! means nothing; attributes that no action names stay as they are.
//!
//! Not here: keys, sizes and indexes, which need a schema.
//!
//! Source: facts 4.7.

use hashrange_types::{
    AttributeValue, DocumentPath, Item, Number, NumberError, PathElement, ValidationError, limits,
    sorted,
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
        sorted::sort_by(&mut puts, |(a, _), (b, _)| last_index(a).cmp(&last_index(b)));
        // From the back, so that the indexes of what is still to be removed stay true.
        sorted::sort_by(&mut removals, |a, b| last_index(b).cmp(&last_index(a)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{item, l, m, n, nested, ns, s, ss, update, usual};

    #[track_caller]
    fn applied(before: &[(&str, AttributeValue)], text: &str) -> Item {
        update(text).unwrap().apply(&item(before)).unwrap()
    }

    #[track_caller]
    fn check(before: &[(&str, AttributeValue)], text: &str, after: &[(&str, AttributeValue)]) {
        assert_eq!(applied(before, text), item(after), "{text}");
    }

    #[track_caller]
    fn check_error(before: &[(&str, AttributeValue)], text: &str, error: ApplyError) {
        let found = update(text).unwrap().apply(&item(before)).unwrap_err();
        assert_eq!(found, ValidationError::from(error), "{text}");
    }

    fn abc() -> AttributeValue {
        l(&[s("A"), s("B"), s("C")])
    }

    #[test]
    fn right_hand_sides_read_the_item_as_it_was() {
        let before = [("a", n("1")), ("b", n("2"))];
        check(&before, "SET a = b, b = a", &[("a", n("2")), ("b", n("1"))]);
        check(&before, "SET a = :ten, c = a REMOVE b", &[("a", n("10")), ("c", n("1"))]);
    }

    #[test]
    fn set_appends_beyond_the_end_of_a_list_in_the_order_of_the_indexes() {
        let before = [("l", l(&[s("x"), s("y")]))];
        check(&before, "SET l[10] = :a", &[("l", l(&[s("x"), s("y"), s("a")]))]);
        check(&before, "SET l[2000000000] = :a", &[("l", l(&[s("x"), s("y"), s("a")]))]);
        check(
            &before,
            "SET l[9] = :b, l[2] = :a, l[0] = :one",
            &[("l", l(&[n("1"), s("y"), s("a"), s("b")]))],
        );
    }

    #[test]
    fn set_creates_the_last_step_of_a_path_and_no_other() {
        let before = [("a", m(&[])), ("s", s("text")), ("l", l(&[]))];
        for text in
            ["SET a.b.c = :a", "SET nope.b = :a", "SET s.b = :a", "SET a[0] = :a", "SET l.x = :a"]
        {
            check_error(&before, text, ApplyError::InvalidPath);
        }
        check(
            &[("a", m(&[]))],
            "SET a.b = :a, c = :b",
            &[("a", m(&[("b", s("a"))])), ("c", s("b"))],
        );
    }

    #[test]
    fn an_operand_must_exist_and_be_of_the_right_type() {
        let before = [("n", n("1")), ("s", s("x"))];
        for text in ["SET x = x + :one", "SET y = n, z = nope", "SET q = list_append(nope, :list)"]
        {
            check_error(&before, text, ApplyError::MissingAttribute);
        }
        for text in ["SET x = s + :one", "SET x = :one - s", "SET x = list_append(n, :list)"] {
            check_error(&before, text, ApplyError::OperandType);
        }
    }

    #[test]
    fn numbers_are_added_as_decimals() {
        let before = [("n", n("0.1")), ("b", n("12345678901234567890"))];
        check(&before, "SET n = n + :two REMOVE b", &[("n", n("2.1"))]);
        check(&before, "SET b = b - :one REMOVE n", &[("b", n("12345678901234567889"))]);
        check(&[("n", n("2"))], "SET n = n - n", &[("n", n("0"))]);
    }

    #[test]
    fn sums_stay_in_the_range_of_numbers() {
        let nines = "9".repeat(38);
        check_error(
            &[("a", n(&format!("{nines}E87"))), ("b", n("1E86"))],
            "SET a = a + b",
            ApplyError::TooPrecise,
        );
        check_error(&[("a", n(&format!("{nines}E88")))], "SET a = a + a", ApplyError::Overflow);
    }

    #[test]
    fn if_not_exists_and_list_append_nest() {
        check(
            &[],
            "SET l = list_append(if_not_exists(l, :empty), :list)",
            &[("l", l(&[s("new")]))],
        );
        let before = [("l", l(&[s("a")]))];
        check(&before, "SET l = list_append(l, :list)", &[("l", l(&[s("a"), s("new")]))]);
        check(&before, "SET l = list_append(:list, l)", &[("l", l(&[s("new"), s("a")]))]);
        check(&before, "SET l = if_not_exists(l, :one)", &before);
        check(&[], "SET n = if_not_exists(n, :zero) + if_not_exists(q, :one)", &[("n", n("1"))]);
    }

    #[test]
    fn removed_list_elements_are_counted_as_they_stood() {
        check(&[("l", abc())], "REMOVE l[0], l[1]", &[("l", l(&[s("C")]))]);
        check(&[("l", abc())], "REMOVE l[2], l[0]", &[("l", l(&[s("B")]))]);
        check(&[("l", abc())], "REMOVE l[7]", &[("l", abc())]);
        check(
            &[("l", abc())],
            "SET l[9] = :a, l[1] = :b REMOVE l[0], l[3]",
            &[("l", l(&[s("b"), s("C"), s("a")]))],
        );
    }

    #[test]
    fn removing_what_is_missing_needs_something_to_remove_it_from() {
        let before = [("m", m(&[("x", n("1"))]))];
        check(&before, "REMOVE nope, m.nope", &before);
        check(&before, "REMOVE m.x", &[("m", m(&[]))]);
        check_error(&before, "REMOVE nope.x", ApplyError::InvalidPath);
        check_error(&before, "REMOVE m.x.y", ApplyError::InvalidPath);
        check_error(&before, "REMOVE m[0]", ApplyError::InvalidPath);
        check(&[], "REMOVE nope.x DELETE nada.y :ss", &[]);
    }

    #[test]
    fn add_starts_from_nothing_and_joins_sets() {
        check(&[("c", n("4"))], "ADD c :one, d :two", &[("c", n("5")), ("d", n("2"))]);
        check(
            &[("a", ss(&["y"])), ("b", ns(&["1"]))],
            "ADD a :ss, b :ns",
            &[("a", ss(&["x", "y"])), ("b", ns(&["1"]))],
        );
        check(&[("m", m(&[]))], "ADD m.n :one", &[("m", m(&[("n", n("1"))]))]);
    }

    #[test]
    fn add_and_delete_refuse_what_is_stored_as_another_type() {
        let before = [("ids", AttributeValue::Null), ("s", s("x")), ("n", n("1")), ("l", l(&[]))];
        for text in ["ADD ids :ns", "ADD s :one", "ADD n :ss", "DELETE n :ns", "ADD l :one"] {
            check_error(&before, text, ApplyError::OperandType);
        }
    }

    #[test]
    fn deleting_the_last_member_removes_the_attribute() {
        check(&[("a", ss(&["x"])), ("b", n("1"))], "DELETE a :ss", &[("b", n("1"))]);
        check(&[("a", ss(&["x", "y"]))], "DELETE a :ss", &[("a", ss(&["y"]))]);
        check(&[("a", ss(&["y"]))], "DELETE a :ss, nope :ns", &[("a", ss(&["y"]))]);
    }

    #[test]
    fn an_update_of_removals_alone_creates_no_item() {
        for (text, creates) in [
            ("SET a = :a", true),
            ("ADD a :one", true),
            ("REMOVE a", false),
            ("DELETE a :ss REMOVE b", false),
            ("REMOVE b ADD a :one", true),
        ] {
            assert_eq!(update(text).unwrap().creates_item(), creates, "{text}");
        }
    }

    #[test]
    fn values_may_not_get_too_deep_where_they_are_put() {
        let mut given = usual();
        given.values.push((":deep".into(), Ok(nested(31))));
        let update = crate::parse_update("SET a.b = :deep", &mut given.substitutions()).unwrap();
        assert!(update.apply(&item(&[("a", m(&[]))])).is_ok());
        let update = crate::parse_update("SET a.b.c = :deep", &mut given.substitutions()).unwrap();
        let error = update.apply(&item(&[("a", m(&[("b", m(&[]))]))])).unwrap_err();
        assert_eq!(error, ValidationError::from(ApplyError::TooDeep));
    }

    #[test]
    fn a_fragment_holds_the_touched_leaves_nested_as_they_are() {
        let before = item(&[(
            "m",
            m(&[("x", s("old")), ("keep", s("k")), ("l", l(&[n("1"), n("2"), n("3")]))]),
        )]);
        let update = update("SET m.l[1] = :ten, m.x = :a REMOVE nope").unwrap();
        assert_eq!(
            update.fragment(&before),
            Some(item(&[("m", m(&[("x", s("old")), ("l", l(&[n("2")]))]))]))
        );
        let after = update.apply(&before).unwrap();
        assert_eq!(
            update.fragment(&after),
            Some(item(&[("m", m(&[("x", s("a")), ("l", l(&[n("10")]))]))]))
        );
    }

    #[test]
    fn there_is_no_fragment_of_what_is_gone() {
        let before = item(&[("a", s("x")), ("b", s("y"))]);
        let update = update("REMOVE b").unwrap();
        assert_eq!(update.fragment(&before), Some(item(&[("b", s("y"))])));
        assert_eq!(update.fragment(&update.apply(&before).unwrap()), None);
    }
}
