//! The parameters from before expressions, turned into the same trees.
//!
//! Invariant: what comes out behaves as the legacy parameter does, so nothing downstream knows the difference.
//!
//! Source: facts 4.11; API reference, "Legacy conditional parameters".

use hashrange_types::operation::{
    AttributeAction, AttributeUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttribute,
    LegacyCondition,
};
use hashrange_types::{AttributeName, AttributeValue, Deferred, DocumentPath, ValidationError};
use smol_str::SmolStr;

use crate::key_condition::{AttributeCondition, KeyCondition, SortCondition};
use crate::projection::ProjectionPaths;
use crate::syntax::{Comparator, Condition, Operand, SetValue, UpdateAction, UpdateOperand};
use crate::update::Update;

/// The condition of QueryFilter or ScanFilter.
///
/// # Errors
/// A value is wrong, or its operator does not take such values.
pub fn legacy_condition(
    conditions: &[LegacyCondition],
    operator: ConditionalOperator,
) -> Result<Condition, ValidationError> {
    let conditions = conditions
        .iter()
        .map(|entry| {
            let values = checked_values(entry.operator, &entry.values)?;
            Ok(compare(&entry.attribute, entry.operator, values))
        })
        .collect::<Result<Vec<_>, ValidationError>>()?;
    Ok(joined(conditions, operator))
}

/// The condition of Expected.
///
/// # Errors
/// Members of an entry contradict each other, a value is wrong, or its operator does not take such values.
pub fn legacy_expected(
    expected: &[ExpectedAttribute],
    operator: ConditionalOperator,
) -> Result<Condition, ValidationError> {
    let conditions = expected.iter().map(expected_condition).collect::<Result<Vec<_>, _>>()?;
    Ok(joined(conditions, operator))
}

/// The update of AttributeUpdates.
///
/// # Errors
/// A value is wrong, or its action does not take such a value.
pub fn legacy_update(updates: &[AttributeUpdate]) -> Result<Update, ValidationError> {
    let actions = updates.iter().map(update_action).collect::<Result<Vec<_>, _>>()?;
    Ok(Update::new(actions, true))
}

/// The key condition of KeyConditions.
///
/// # Errors
/// There are none or more than two, a value is wrong, or the operator does not find keys.
pub fn legacy_key_condition(
    conditions: &[LegacyCondition],
) -> Result<KeyCondition, ValidationError> {
    if conditions.is_empty() || conditions.len() > 2 {
        return Err(ValidationError::new("Conditions can be of length 1 or 2 only"));
    }
    let conditions = conditions.iter().map(key_condition).collect::<Result<Vec<_>, _>>()?;
    Ok(KeyCondition::new(conditions))
}

/// The projection of AttributesToGet.
///
/// # Errors
/// A name stands twice.
pub fn legacy_projection(names: &[SmolStr]) -> Result<ProjectionPaths, ValidationError> {
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(invalid(&["Duplicate value in attribute name: ", name]));
        }
    }
    Ok(ProjectionPaths::top_level(names.iter().map(|name| AttributeName::new(name)).collect()))
}

/// An error with the words that start most legacy messages.
fn invalid(parts: &[&str]) -> ValidationError {
    let mut message = String::from("One or more parameter values were invalid: ");
    for part in parts {
        message.push_str(part);
    }
    ValidationError::new(message)
}

fn joined(mut conditions: Vec<Condition>, operator: ConditionalOperator) -> Condition {
    if conditions.len() == 1 {
        return conditions.remove(0);
    }
    match operator {
        ConditionalOperator::Or if !conditions.is_empty() => Condition::Any(conditions),
        _ => Condition::All(conditions),
    }
}

fn top(attribute: &str) -> DocumentPath {
    DocumentPath::top(AttributeName::new(attribute))
}

/// The values, if valid, as many as the operator takes, of one type, and of a type it takes.
fn checked_values(
    operator: ComparisonOperator,
    values: &[Deferred<AttributeValue>],
) -> Result<Vec<AttributeValue>, ValidationError> {
    let values: Vec<AttributeValue> = values.iter().cloned().collect::<Result<_, _>>()?;
    let name = operator.name();
    let is_right_number = match operator {
        ComparisonOperator::Null | ComparisonOperator::NotNull => values.is_empty(),
        ComparisonOperator::In => !values.is_empty(),
        ComparisonOperator::Between => values.len() == 2,
        _ => values.len() == 1,
    };
    if !is_right_number {
        return Err(invalid(&[
            "Invalid number of argument(s) for the ",
            name,
            " ComparisonOperator",
        ]));
    }
    if values.windows(2).any(|pair| pair[0].tag() != pair[1].tag()) {
        return Err(invalid(&["AttributeValues inside AttributeValueList must be of same type"]));
    }
    let allowed: &[&str] = match operator {
        ComparisonOperator::BeginsWith => &["S", "B"],
        ComparisonOperator::Eq | ComparisonOperator::Ne => {
            &["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"]
        }
        _ => &["S", "N", "B"],
    };
    if let Some(value) = values.iter().find(|value| !allowed.contains(&value.tag())) {
        return Err(invalid(&[
            "ComparisonOperator ",
            name,
            " is not valid for ",
            value.tag(),
            " AttributeValue type",
        ]));
    }
    if let (ComparisonOperator::Between, [lower, upper]) = (operator, values.as_slice())
        && lower.scalar_cmp(upper).is_some_and(std::cmp::Ordering::is_gt)
    {
        return Err(ValidationError::new(
            "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
        ));
    }
    Ok(values)
}

/// The condition on one attribute; `values` are as many as the operator takes.
fn compare(
    attribute: &str,
    operator: ComparisonOperator,
    values: Vec<AttributeValue>,
) -> Condition {
    let path = top(attribute);
    let operand = Operand::Path(path.clone());
    let mut values = values.into_iter().map(Operand::Value);
    let comparator = match operator {
        ComparisonOperator::Eq => Comparator::Equal,
        ComparisonOperator::Ne => Comparator::NotEqual,
        ComparisonOperator::Lt => Comparator::Less,
        ComparisonOperator::Le => Comparator::LessOrEqual,
        ComparisonOperator::Gt => Comparator::Greater,
        ComparisonOperator::Ge => Comparator::GreaterOrEqual,
        ComparisonOperator::Null => return Condition::AttributeNotExists(path),
        ComparisonOperator::NotNull => return Condition::AttributeExists(path),
        ComparisonOperator::In => return Condition::In { operand, candidates: values.collect() },
        ComparisonOperator::Between => {
            let (lower, upper) = (next(&mut values), next(&mut values));
            return Condition::Between { operand, lower, upper };
        }
        ComparisonOperator::BeginsWith => {
            return Condition::BeginsWith { operand, prefix: next(&mut values) };
        }
        ComparisonOperator::Contains => {
            return Condition::Contains { operand, member: next(&mut values) };
        }
        ComparisonOperator::NotContains => {
            let contains = Condition::Contains { operand, member: next(&mut values) };
            return Condition::All(vec![
                Condition::AttributeExists(path),
                Condition::Not(Box::new(contains)),
            ]);
        }
    };
    Condition::Compare { comparator, left: operand, right: next(&mut values) }
}

/// The next value of a list whose length was checked.
fn next(values: &mut impl Iterator<Item = Operand>) -> Operand {
    values.next().expect("the operator has as many values as it takes")
}

fn expected_condition(entry: &ExpectedAttribute) -> Result<Condition, ValidationError> {
    let attribute = entry.attribute.as_str();
    if entry.value.is_some() && entry.values.is_some() {
        let reason = "Value and AttributeValueList cannot be used together for Attribute: ";
        return Err(invalid(&[reason, attribute]));
    }
    let Some(operator) = entry.operator else { return exists_condition(entry) };
    if entry.exists.is_some() {
        let reason = "Exists and ComparisonOperator cannot be used together for Attribute: ";
        return Err(invalid(&[reason, attribute]));
    }
    let takes_values = !matches!(operator, ComparisonOperator::Null | ComparisonOperator::NotNull);
    if takes_values && entry.values.is_none() && entry.value.is_none() {
        return Err(invalid(&[
            "Value or AttributeValueList must be used with ComparisonOperator: ",
            operator.name(),
            " for Attribute: ",
            attribute,
        ]));
    }
    let values = match (&entry.values, &entry.value) {
        (Some(values), _) => checked_values(operator, values)?,
        (None, Some(value)) => checked_values(operator, std::slice::from_ref(value))?,
        (None, None) => checked_values(operator, &[])?,
    };
    Ok(compare(attribute, operator, values))
}

/// The oldest form: `Exists` and `Value`.
fn exists_condition(entry: &ExpectedAttribute) -> Result<Condition, ValidationError> {
    let attribute = entry.attribute.as_str();
    if entry.values.is_some() {
        let reason =
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: ";
        return Err(invalid(&[reason, attribute]));
    }
    match (entry.exists, &entry.value) {
        (Some(false), Some(_)) => {
            let reason = "Value cannot be used when Exists is false for Attribute: ";
            Err(invalid(&[reason, attribute]))
        }
        (Some(false), None) => Ok(Condition::AttributeNotExists(top(attribute))),
        (exists, None) => {
            let exists = if exists.is_none() { "null" } else { "true" };
            Err(invalid(&[
                "Value must be provided when Exists is ",
                exists,
                " for Attribute: ",
                attribute,
            ]))
        }
        (_, Some(value)) => Ok(compare(attribute, ComparisonOperator::Eq, vec![value.clone()?])),
    }
}

fn update_action(update: &AttributeUpdate) -> Result<UpdateAction, ValidationError> {
    let path = top(&update.attribute);
    let Some(value) = update.value.clone().transpose()? else {
        if update.action == AttributeAction::Delete {
            return Ok(UpdateAction::Remove { path });
        }
        return Err(invalid(&[
            "Only DELETE action is allowed when no attribute value is specified",
        ]));
    };
    match (update.action, value.tag()) {
        (AttributeAction::Put, _) => {
            let value = SetValue::Operand(UpdateOperand::Value(value));
            Ok(UpdateAction::Set { path, value })
        }
        (AttributeAction::Add, "N" | "SS" | "NS" | "BS" | "L") => {
            Ok(UpdateAction::Add { path, value })
        }
        (AttributeAction::Add, tag) => {
            Err(invalid(&["ADD action is not supported for the type ", tag]))
        }
        (AttributeAction::Delete, "SS" | "NS" | "BS") => Ok(UpdateAction::Delete { path, value }),
        (AttributeAction::Delete, tag) => {
            Err(invalid(&["DELETE action with value is not supported for the type ", tag]))
        }
    }
}

fn key_condition(entry: &LegacyCondition) -> Result<AttributeCondition, ValidationError> {
    let mut values = checked_values(entry.operator, &entry.values)?.into_iter();
    let mut next = || values.next().expect("the operator has as many values as it takes");
    let condition = match entry.operator {
        ComparisonOperator::Eq => SortCondition::Equal(next()),
        ComparisonOperator::Lt => SortCondition::Less(next()),
        ComparisonOperator::Le => SortCondition::LessOrEqual(next()),
        ComparisonOperator::Gt => SortCondition::Greater(next()),
        ComparisonOperator::Ge => SortCondition::GreaterOrEqual(next()),
        ComparisonOperator::BeginsWith => SortCondition::BeginsWith(next()),
        ComparisonOperator::Between => SortCondition::Between(next(), next()),
        _ => {
            let message = "Attempted conditional constraint is not an indexable operation";
            return Err(ValidationError::new(message));
        }
    };
    let attribute = AttributeName::new(&entry.attribute);
    Ok(AttributeCondition { attribute, condition, place: None })
}
